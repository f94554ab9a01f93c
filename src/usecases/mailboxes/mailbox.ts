/** An account as the mail port takes it: servers and decrypted secrets, for one call. */

import type { ServerSettings } from "#domain/mailboxes/account.ts";
import type { Environment } from "#environment.ts";
import type { Mailbox, MailboxGrant, ServerLogin } from "#platform/ports/mail.ts";
import type { WorkspaceGrant } from "#platform/ports/oauth.ts";
import type { Vault } from "#platform/secrets/crypto.ts";
import { workspaceById } from "#store/mailboxes/workspaces.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { WorkspaceRow } from "#store/tables/workspaces.ts";
import {
  type Oauth,
  openCredentials,
  UnreadableCredentials,
  workspaceContext,
} from "./credentials.ts";

/** OAuth, where it is set up, serves SMTP and IMAP, and no password is included. Never log the result. */
export function mailboxOf(env: Environment, row: AccountRow): Mailbox {
  const { smtpPassword, imapPassword, oauth: held } = openCredentials(env.vault, row);
  const oauth = workspaceGrantOf(env, row) ?? (held === null ? null : ownGrantOf(env, row, held));
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

function ownGrantOf(env: Environment, { provider }: AccountRow, held: Oauth): MailboxGrant {
  const operators = env.oauth.client(provider);
  const isSharedClient = held.clientSecret === "" && held.clientId === operators?.clientId;
  return isSharedClient ? { ...held, ...operators } : held;
}

function workspaceGrantOf(env: Environment, { workspaceId }: AccountRow): WorkspaceGrant | null {
  const workspace = workspaceById(env.db, workspaceId);
  return workspace === undefined ? null : grantOf(env.vault, workspace);
}

/** Throws {@link UnreadableCredentials}. */
export function grantOf(vault: Vault, row: WorkspaceRow): WorkspaceGrant {
  const { id: workspaceId, tenant, clientId, keyId, secret } = row;
  try {
    const clientSecret = vault.open(secret ?? "", workspaceContext(workspaceId));
    return { workspaceId, tenant, clientId, keyId, clientSecret };
  } catch {
    throw new UnreadableCredentials();
  }
}

export function isGrantReadable(vault: Vault, row: WorkspaceRow): boolean {
  try {
    grantOf(vault, row);
    return true;
  } catch {
    return false;
  }
}
