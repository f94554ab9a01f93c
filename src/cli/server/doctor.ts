/** `outrider doctor`: looks for what would keep it from working, changes nothing, says what to do. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { command, type Option } from "#cli/command.ts";
import { EXIT } from "#cli/exit.ts";
import { jsonLine, printable, type Style, styled } from "#cli/term.ts";
import type { Config } from "#config/config.ts";
import type { ConnectionStep } from "#domain/mailboxes/connection-step.ts";
import { PROVIDERS, type Provider } from "#domain/mailboxes/mailbox.ts";
import type { Environment } from "#environment.ts";
import { systemClock } from "#platform/clock.ts";
import { silentLog } from "#platform/log.ts";
import type { OauthClient, OauthPort } from "#platform/ports/oauth.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import { withEnvironments } from "./environments.ts";
import { examine, type Finding, type Verdict } from "./examine.ts";
import { ALL_OPTIONS, configOf } from "./settings.ts";

const STYLE: Readonly<Record<Verdict, Style>> = { ok: "green", warning: "amber", fault: "red" };
const VERDICT_WIDTH = 7;
const ACCOUNTS_OPTION = {
  type: "boolean",
  about: "Also log in to every mailbox; sends no email",
} as const satisfies Option;

export const doctorCommand = command({
  about: "Check the data directory, the settings, and this machine for problems",
  details:
    "Changes nothing. Exits 1 if it finds a problem, 65 if the data was written by another build.",
  options: { accounts: ACCOUNTS_OPTION, ...ALL_OPTIONS },
  run: async (call) => {
    const { config } = configOf(call);
    const findings = [...(await examine(config)), ...(await examineClients(config))];
    if (call.values.accounts === true) {
      findings.push(...(await examineAccounts(config)));
    }
    const healthy = findings.every(({ verdict }) => verdict !== "fault");
    const { terminal } = call;
    const shown = findings.map(({ check, verdict, detail }) => ({ check, verdict, detail }));
    terminal.out(
      call.json
        ? jsonLine({ healthy, findings: shown })
        : findings.map((finding) => line(finding, terminal.outColours)).join(""),
    );
    const exit = findings.find((finding) => finding.exit !== undefined)?.exit ?? EXIT.failed;
    return healthy ? EXIT.done : exit;
  },
});

function line({ verdict, check, detail }: Finding, colours: boolean): string {
  const mark = styled(verdict.padEnd(VERDICT_WIDTH), STYLE[verdict], colours);
  return `${mark}  ${check}: ${printable(detail)}\n`;
}

/** Clients are tried with a refresh token that is none, so that nothing is granted. */
const NO_TOKEN = "outrider-doctor";

/** One finding for each client of mailboxes that the operator has set: whether its server accepts it. */
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
    return client === null ? [] : [await askedOf(oauth, provider, client)];
  });
  return (await Promise.all(findings)).flat();
}

async function askedOf(
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
  const check = `${provider} OAuth client`;
  return outcome.kind === "unreachable"
    ? { check, verdict: "warning", detail: `not checked: ${outcome.reason}` }
    : { check, verdict: "ok", detail: `${client.clientId} is accepted` };
}

/** Mailboxes that are tried at the same time. */
const AT_ONCE = 8;

/** One finding for each live account that is not switched off: whether it lets us in. Sends no email. */
export async function examineAccounts(config: Config): Promise<Finding[]> {
  if (!existsSync(join(config.dataDir, "live.db"))) {
    return [{ check: "accounts", verdict: "ok", detail: "no accounts yet" }];
  }
  const { listTeams } = await import("#store/team/teams.ts");
  const { accountsOf } = await import("#store/mailboxes/accounts.ts");
  const { workspaceFindings } = await import("#usecases/operations/operations.ts");
  return await withEnvironments(config, async ({ live }) => {
    const accounts = listTeams(live.db)
      .flatMap((team) => accountsOf(live.db, team.id))
      .filter((row) => row.status !== "disabled" && row.notReadyReason !== "workspace");
    const findings = workspaceFindings(live);
    for (let from = 0; from < accounts.length; from += AT_ONCE) {
      const batch = accounts.slice(from, from + AT_ONCE);
      findings.push(...(await Promise.all(batch.map((account) => triedOf(live, account)))));
    }
    return findings.length > 0
      ? findings
      : [{ check: "accounts", verdict: "ok", detail: "no accounts" }];
  });
}

async function triedOf(live: Environment, account: AccountRow): Promise<Finding> {
  const { inspectAccount } = await import("#usecases/sending/account-test.ts");
  const check = `account ${account.email}`;
  const { steps } = await inspectAccount(live, account);
  const failed = steps.filter(({ ok }) => ok === false);
  return failed.length === 0
    ? { check, verdict: "ok", detail: "both servers accept the login" }
    : { check, verdict: "fault", detail: failed.map(worded).join(" ") };
}

function worded({ step, message, remedy }: ConnectionStep): string {
  return `${step}: ${message}.${remedy === null ? "" : ` ${remedy}`}`;
}
