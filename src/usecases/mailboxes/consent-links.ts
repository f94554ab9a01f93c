/** Links by which a mailbox is connected in a browser: signed, and good for nothing but that mailbox. */

import type { Id } from "#store/sqlite/columns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { World } from "#world.ts";
import { heldCredentials } from "./credentials.ts";

/** What a link names: a consent that was asked for, or an account that waits for one. */
type LinkKind = "consent" | "reconnect";

/** Null where nothing can lead back here: no public address is set. */
export function consentUrl(
  world: World,
  { provider }: Pick<AccountRow, "provider">,
  kind: LinkKind,
  id: Id,
): string | null {
  return world.publicUrl === null
    ? null
    : `${world.publicUrl}/oauth/${provider}/start?ticket=${world.vault.sign(kind, id)}`;
}

/** The id that a link of this kind names, or null. */
export function idInLink(world: World, kind: LinkKind, ticket: string): Id | null {
  return world.vault.verify(kind, ticket);
}

/**
 * The link for an account whose grant has died: it needs no key, and works while the account's login is
 * refused. Null where there is none.
 */
export function reconnectUrl(world: World, account: AccountRow): string | null {
  return waitsForConsent(account) && world.oauth.knows(account.provider)
    ? consentUrl(world, account, "reconnect", account.id)
    : null;
}

/** It logged in by consent, and is not let in any more. */
export function waitsForConsent(account: AccountRow): boolean {
  return account.statusReason === "auth" && heldCredentials(account).oauth;
}
