/** Links by which a mailbox is connected in a browser: signed, and good for nothing but that mailbox. */

import type { Environment } from "#environment.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import { heldCredentials } from "./credentials.ts";

/** What a link names: a consent that was asked for, an account that waits for one, or a workspace. */
type LinkKind = "consent" | "reconnect" | "workspace";

/** Null where nothing can lead back here: no public address is set. */
export function consentUrl(
  env: Environment,
  { provider }: Pick<AccountRow, "provider">,
  kind: LinkKind,
  id: Id,
): string | null {
  return env.publicUrl === null
    ? null
    : `${env.publicUrl}/oauth/${provider}/start?ticket=${env.vault.sign(kind, id)}`;
}

/** The id that a link of this kind names, or null. */
export function idInLink(env: Environment, kind: LinkKind, ticket: string): Id | null {
  return env.vault.verify(kind, ticket);
}

/**
 * The link for an account whose grant has died: it needs no key, and works while the account's login is
 * refused. Null where there is none.
 */
export function reconnectUrl(env: Environment, account: AccountRow): string | null {
  return waitsForConsent(account) && env.oauth.knows(account.provider)
    ? consentUrl(env, account, "reconnect", account.id)
    : null;
}

/** It logged in by consent, and is not let in any more. */
export function waitsForConsent(account: AccountRow): boolean {
  return account.statusReason === "auth" && heldCredentials(account).oauth;
}
