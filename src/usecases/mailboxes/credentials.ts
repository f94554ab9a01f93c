/**
 * The secrets of an account. Each is sealed by itself, so that reading an account says which are held
 * without opening any. They leave this file only towards a mail server (`mailbox.ts`).
 */

import type { UnixMs } from "#domain/time.ts";
import type { OauthClient } from "#platform/ports/oauth.ts";
import type { Vault } from "#platform/secrets/crypto.ts";
import { accountById, updateAccount } from "#store/mailboxes/accounts.ts";
import { seedById, updateSeed } from "#store/placement/placement-seeds.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";
import type { AccountRow } from "#store/tables/accounts.ts";

export interface Oauth {
  clientId: string;
  clientSecret: string;
  refreshToken: string;
}

/** Null where there is none. */
export interface Credentials {
  smtpPassword: string | null;
  imapPassword: string | null;
  /** Its secret is empty for a client without one, and for the operator's, who keeps it. */
  oauth: Oauth | null;
  /** A client of the account's own that nobody has consented to yet. */
  oauthClient: OauthClient | null;
}

/** An account, or another mailbox of which we keep secrets: its id and the column that holds them. */
type Holder = Pick<AccountRow, "id" | "secrets">;

const NAMES = ["smtpPassword", "imapPassword", "oauth", "oauthClient"] as const;

/**
 * The column `secrets`, sealed texts by name. `rotated` is the refresh token that the provider gave in
 * place of the one in `oauth`: kept apart, because it is not a change that anybody made. `signingKey`
 * signs email and logs in nowhere.
 */
type Sealed = Partial<Record<keyof Credentials | "rotated" | "signingKey", string>>;

/** Which secrets an account holds. */
export function heldCredentials(row: Holder): Record<keyof Credentials, boolean> {
  const sealed = readSealed(row);
  return {
    smtpPassword: sealed.smtpPassword !== undefined,
    imapPassword: sealed.imapPassword !== undefined,
    oauth: sealed.oauth !== undefined,
    oauthClient: sealed.oauthClient !== undefined,
  };
}

/**
 * What `last_error` says of secrets that were sealed with another master key. Stored rows are compared with
 * it, so the words stay as they are.
 */
export const UNREADABLE =
  "the stored credentials cannot be read: the master key has changed; set them again";

/** Secrets that were sealed with another master key. */
export class UnreadableCredentials extends Error {
  constructor() {
    super(UNREADABLE);
    this.name = "UnreadableCredentials";
  }
}

/** In clear: for the mail port alone. Throws {@link UnreadableCredentials}. */
export function openCredentials(vault: Vault, row: Holder): Credentials {
  return credentialsOf(row, (text, context) => {
    try {
      return vault.open(text, context);
    } catch {
      throw new UnreadableCredentials();
    }
  });
}

/** As far as they can be read: what another key has sealed counts as not there. */
export function readableCredentials(vault: Vault, row: Holder): Credentials {
  return credentialsOf(row, (text, context) => {
    try {
      return vault.open(text, context);
    } catch {
      return null;
    }
  });
}

function credentialsOf(
  row: Holder,
  read: (text: string, context: string) => string | null,
): Credentials {
  const sealed = readSealed(row);
  const open = (name: keyof Sealed) => {
    const text = sealed[name];
    return text === undefined ? null : read(text, contextOf(row.id, name));
  };
  const oauth = open("oauth");
  const oauthClient = open("oauthClient");
  return {
    smtpPassword: open("smtpPassword"),
    imapPassword: open("imapPassword"),
    oauth: oauth === null ? null : withToken(JSON.parse(oauth) as Oauth, open("rotated")),
    oauthClient: oauthClient === null ? null : (JSON.parse(oauthClient) as OauthClient),
  };
}

/**
 * The column `secrets` with `change` in it: null takes a secret away, what is absent or the same stays
 * as it was sealed.
 */
export function sealCredentials(
  vault: Vault,
  row: Holder,
  change: Partial<Credentials>,
): string | null {
  const held = readableCredentials(vault, row);
  const sealed: Sealed = { ...readSealed(row) };
  for (const name of NAMES) {
    const wanted = change[name];
    if (wanted === undefined || JSON.stringify(wanted) === JSON.stringify(held[name])) {
      continue;
    }
    if (name === "oauth") {
      delete sealed.rotated;
    }
    if (wanted === null) {
      delete sealed[name];
    } else {
      const text = typeof wanted === "string" ? wanted : JSON.stringify(wanted);
      sealed[name] = vault.seal(text, contextOf(row.id, name));
    }
  }
  return writeSealed(sealed);
}

/** Which of them differ between two versions of an account. */
export function changedCredentials(before: Holder, after: Holder): string[] {
  const [old, now] = [readSealed(before), readSealed(after)];
  return NAMES.filter((name) => old[name] !== now[name]);
}

export interface RotatedToken {
  db: Db;
  vault: Vault;
  accountId: Id;
  token: string;
  /** The tokens that it came from. */
  older: readonly string[];
  now: UnixMs;
}

/**
 * The provider gave a new refresh token in place of older ones; the login stays proven. A mailbox that has
 * been connected anew meanwhile keeps its new grant.
 */
export function keepRefreshToken({ db, vault, accountId, token, older, now }: RotatedToken): void {
  const isOf = (row: Holder) => {
    const held = readableCredentials(vault, row).oauth;
    return held !== null && older.includes(held.refreshToken);
  };
  const renewed = (row: Holder) => {
    const rotated = vault.seal(token, contextOf(accountId, "rotated"));
    return { secrets: writeSealed({ ...readSealed(row), rotated }), updatedAt: now };
  };
  const row = accountById(db, accountId);
  if (row !== undefined && isOf(row)) {
    updateAccount(db, { ...row, ...renewed(row) });
  }
  const seed = row === undefined ? seedById(db, accountId) : undefined;
  if (seed !== undefined && isOf(seed)) {
    updateSeed(db, { ...seed, ...renewed(seed) });
  }
}

/** The private half of the key that the account's email is signed with; null where it cannot be had. */
export function openSigningKey(vault: Vault, row: Holder): string | null {
  const text = readSealed(row).signingKey;
  try {
    return text === undefined ? null : vault.open(text, contextOf(row.id, "signingKey"));
  } catch {
    return null;
  }
}

/** The column `secrets` with this key in it, or without one. */
export function sealSigningKey(vault: Vault, row: Holder, key: string | null): string | null {
  const { signingKey: _old, ...others } = readSealed(row);
  return writeSealed(
    key === null
      ? others
      : { ...others, signingKey: vault.seal(key, contextOf(row.id, "signingKey")) },
  );
}

/** The column `secrets` of another installation, sealed for this one. Throws where `from` is not its key. */
export function resealCredentials(from: Vault, to: Vault, id: Id, secrets: string): string | null {
  const sealed = readSealed({ id, secrets });
  const names = Object.keys(sealed) as (keyof Sealed)[];
  const renewed = names.map((name) => {
    const context = contextOf(id, name);
    return [name, to.seal(from.open(sealed[name] ?? "", context), context)];
  });
  return writeSealed(Object.fromEntries(renewed) as Sealed);
}

/** What the secret of a workspace is sealed for. */
export function workspaceContext(id: Id): string {
  return `workspaces.secret:${id}`;
}

function withToken(oauth: Oauth, rotated: string | null): Oauth {
  return rotated === null ? oauth : { ...oauth, refreshToken: rotated };
}

function readSealed(row: Holder): Sealed {
  return row.secrets === null ? {} : (JSON.parse(row.secrets) as Sealed);
}

function writeSealed(sealed: Sealed): string | null {
  return Object.keys(sealed).length === 0 ? null : JSON.stringify(sealed);
}

function contextOf(id: Id, name: keyof Sealed): string {
  return `accounts.secrets.${name}:${id}`;
}
