/** An account as the mail port takes it: servers and decrypted secrets, for one call. */

import type { ServerSettings } from "#domain/mailboxes/account.ts";
import type { Environment } from "#environment.ts";
import type { Mailbox, ServerLogin } from "#platform/ports/mail.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import { openCredentials } from "./credentials.ts";

/** OAuth, where it is set up, serves SMTP and IMAP, and no password is included. Never log the result. */
export function mailboxOf(env: Environment, row: AccountRow): Mailbox {
  const { smtpPassword, imapPassword, oauth: held } = openCredentials(env.vault, row);
  const operators = env.oauth.client(row.provider);
  const isSharedClient = held?.clientSecret === "" && held.clientId === operators?.clientId;
  const oauth = held === null || !isSharedClient ? held : { ...held, ...operators };
  const login = (server: ServerSettings | null, password: string | null): ServerLogin | null =>
    server === null ? null : { ...server, password: oauth === null ? password : null };
  return {
    teamId: row.teamId,
    accountId: row.id,
    address: row.email,
    provider: row.provider,
    smtp: login(row.smtp, smtpPassword),
    imap: login(row.imap, imapPassword),
    oauth,
  };
}
