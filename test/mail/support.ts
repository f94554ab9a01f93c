/** A mail port and mailboxes for servers on this machine. */

import { createMailPort } from "#mail/mail-port.ts";
import { createOauth } from "#mail/oauth/oauth-servers.ts";
import type { MailOptions } from "#mail/options.ts";
import { type Clock, systemClock } from "#platform/clock.ts";
import { createFetch, type Fetch } from "#platform/http/fetch.ts";
import { parseCidrs } from "#platform/http/guard.ts";
import { type Log, silentLog } from "#platform/log.ts";
import type { Mailbox, MailPort } from "#platform/ports/mail.ts";
import type { OauthClient, OauthPort } from "#platform/ports/oauth.ts";
import { tableDns } from "../support/dns.ts";

/** `localhost` and `mail.test` are this machine, which is opened for the tests. */
export function localMailPort(options: Partial<MailOptions> = {}): MailPort {
  return createMailPort({
    dns: tableDns({ localhost: ["127.0.0.1"], "mail.test": ["127.0.0.1"] }),
    clock: systemClock,
    log: silentLog,
    allowCidrs: parseCidrs("127.0.0.0/8"),
    onRotated: () => undefined,
    ...options,
  });
}

/** Sends over plain SMTP to `port` on this machine. */
export function smtpMailbox(port: number, change: Partial<Mailbox> = {}): Mailbox {
  return {
    teamId: "team-1",
    accountId: "account-1",
    address: "sender1@out.test",
    provider: "smtp",
    smtp: {
      host: "127.0.0.1",
      port,
      security: "none",
      username: "sender1@out.test",
      password: "secret",
    },
    imap: null,
    oauth: null,
    ...change,
  };
}

const ISSUER = "http://127.0.0.1:9";

/** google's logins go to the token endpoint at `tokenUrl`; `client` is the operator's. */
export function oauthAt(
  tokenUrl: string,
  { client, clock = systemClock, log = silentLog, methods }: OauthAt = {},
): OauthPort {
  const { clientId = null, clientSecret = null } = client ?? {};
  const direct = createFetch(tableDns({}));
  const description = {
    issuer: ISSUER,
    authorization_endpoint: `${ISSUER}/auth`,
    token_endpoint: tokenUrl,
    token_endpoint_auth_methods_supported: methods ?? ["client_secret_post"],
  };
  const fetch: Fetch = async (url, init) =>
    String(url).startsWith(ISSUER) ? Response.json(description) : await direct(url, init);
  const config = { google: { clientId, clientSecret, issuer: ISSUER, scope: null } };
  return createOauth(config, { clock, fetch, log });
}

interface OauthAt {
  client?: OauthClient;
  clock?: Clock;
  log?: Log;
  methods?: readonly string[];
}

let serial = 0;

/** A message with a Message-ID of its own. */
export function message(to = "alice@acme.test", from = "sender1@out.test") {
  serial += 1;
  const messageId = `<m${serial}.${crypto.randomUUID()}@out.test>`;
  return { from, to, messageId, raw: rawMessage({ from, to, messageId }) };
}

export function rawMessage(fields: {
  from: string;
  to: string;
  messageId: string;
  subject?: string;
  body?: string;
}): Uint8Array {
  const lines = [
    `From: <${fields.from}>`,
    `To: <${fields.to}>`,
    `Subject: ${fields.subject ?? "Hello"}`,
    `Message-ID: ${fields.messageId}`,
    "Date: Mon, 02 Mar 2026 09:30:00 +0000",
    "",
    fields.body ?? "Hello\r\n.a line with a dot",
    "",
  ];
  return new TextEncoder().encode(lines.join("\r\n"));
}

/** A `beforeBody` that counts its calls. */
export function counted(act: () => Promise<void> = async () => undefined) {
  const calls = { count: 0 };
  const beforeBody = () => {
    calls.count += 1;
    return act();
  };
  return { calls, beforeBody };
}
