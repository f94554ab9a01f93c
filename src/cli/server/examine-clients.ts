/**
 * The part of `outrider doctor` about OAuth clients of mailboxes: whether each authorization server accepts
 * ours. It is asked with a refresh token that is none, so that nothing is granted.
 */

import type { Config } from "#config/config.ts";
import { PROVIDERS, type Provider } from "#domain/mailboxes/mailbox.ts";
import { systemClock } from "#platform/clock.ts";
import { silentLog } from "#platform/log.ts";
import type { OauthClient, OauthPort } from "#platform/ports/oauth.ts";
import type { Finding } from "./examine.ts";

const NO_TOKEN = "outrider-doctor";

/** One finding for each client that the operator has set. */
export async function examineClients(config: Config): Promise<Finding[]> {
  if (Object.values(config.oauth).every(({ clientId }) => clientId === null)) {
    return [];
  }
  const { createDns } = await import("#mail/dns/dns.ts");
  const { createOauth } = await import("#mail/oauth/oauth-servers.ts");
  const { createFetch } = await import("#platform/http/fetch.ts");
  const dns = createDns({ clock: systemClock, servers: config.dnsServers });
  const fetch = createFetch(dns);
  const oauth = createOauth(config.oauth, { clock: systemClock, fetch, log: silentLog });
  const findings = PROVIDERS.map(async (provider) => {
    const client = oauth.client(provider);
    return client === null ? [] : [await examined(oauth, provider, client)];
  });
  return (await Promise.all(findings)).flat();
}

async function examined(
  oauth: OauthPort,
  provider: Provider,
  client: OauthClient,
): Promise<Finding> {
  const { clientFinding } = await import("#usecases/operations/operations.ts");
  const outcome = await oauth.refresh(provider, client, NO_TOKEN);
  const fault = oauth.clientFaults().find((one) => one.provider === provider);
  if (fault !== undefined) {
    return clientFinding(fault);
  }
  const check = `${provider} oauth client`;
  return outcome.kind === "unreachable"
    ? { check, verdict: "warning", detail: `not checked: ${outcome.reason}` }
    : { check, verdict: "ok", detail: `${client.clientId} is accepted` };
}
