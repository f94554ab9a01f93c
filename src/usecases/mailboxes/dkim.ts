/**
 * The key that an account's email is signed with: made here, published by whoever owns the domain, used from
 * when it has been seen in DNS. A signature whose key nobody can find is worse than none.
 */

import { domainOf } from "#domain/email-address.ts";
import type { DkimSettings } from "#domain/mailboxes/account.ts";
import {
  dkimName,
  dkimRecord,
  isSameKey,
  readSelector,
} from "#domain/mailboxes/sender-domain/dkim-record.ts";
import type { DnsRecord } from "#domain/mailboxes/sender-domain/finding.ts";
import { conflict, invalid, notFound } from "#domain/problem.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, plus, type UnixMs } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import { type KeyPair, signMessage } from "#mail/dkim.ts";
import { DnsFailure } from "#platform/ports/dns.ts";
import { accountById, accountsOf, updateAccount } from "#store/mailboxes/accounts.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import { audit } from "#usecases/events/record.ts";
import { requireAccount } from "./accounts.ts";
import { openSigningKey, sealSigningKey } from "./credentials.ts";

/** How often DNS is asked for a new key: closely at first, and no more after a month. */
const LOOK_OFTEN_MS = 5 * MINUTE_MS;
const LOOK_OFTEN_FOR_MS = 2 * HOUR_MS;
const LOOK_FOR_MS = 30 * DAY_MS;

export interface SigningKeyInput {
  selector: string;
  /** Used unless another account of the domain has a key of this selector: one record serves them all. */
  fresh: KeyPair;
}

/**
 * Gives the account a key, in place of one it has; of the selector that it has, looks into DNS anew. Throws
 * `validation_error` for a selector that is none, `conflict` for providers that sign by themselves.
 */
export function setSigningKey(
  env: Environment,
  caller: Caller,
  id: Id,
  { selector: given, fresh }: SigningKeyInput,
): AccountRow {
  const row = requireAccount(env, caller, id);
  const selector = readSelector(given);
  if (selector === null) {
    throw invalid("selector", "must be a DNS name of letters, digits and hyphens, such as out1");
  }
  if (row.provider === "google" || row.provider === "microsoft") {
    throw conflict(`${row.provider} signs email itself; turn on DKIM there`, "provider");
  }
  const now = env.clock.now();
  env.wake();
  if (row.dkim?.selector === selector) {
    const looking = { ...row, dkimDueAt: now };
    updateAccount(env.db, looking);
    return looking;
  }
  const domain = domainOf(row.email);
  const sibling = siblingKey(env, row, selector);
  const { publicKey, privateKey } = sibling?.pair ?? fresh;
  const dkim: DkimSettings = {
    ...{ domain, selector, publicKey },
    createdAt: sibling?.createdAt ?? now,
    activeAt: null,
  };
  const secrets = sealSigningKey(env.vault, row, privateKey);
  updateAccount(env.db, { ...row, dkim, secrets, dkimDueAt: now, updatedAt: now });
  audit(env, caller, {
    action: "account.dkim",
    target: `account:${id}`,
    before: { dkimSelector: row.dkim?.selector ?? null },
    after: { dkimSelector: selector },
  });
  return { ...row, dkim, secrets, dkimDueAt: now, updatedAt: now };
}

function siblingKey(env: Environment, row: AccountRow, selector: string) {
  const domain = domainOf(row.email);
  for (const other of accountsOf(env.db, row.teamId)) {
    const isOfDomain = other.dkim?.domain === domain && other.dkim.selector === selector;
    if (isOfDomain && other.id !== row.id && other.dkim !== null) {
      const { publicKey, createdAt } = other.dkim;
      const privateKey = openSigningKey(env.vault, other);
      if (privateKey !== null) {
        return { pair: { publicKey, privateKey }, createdAt };
      }
    }
  }
  return undefined;
}

/** The account's key. Throws `not_found` where it has none. */
export function ownSigningKey(env: Environment, caller: Caller, id: Id): DkimSettings {
  const { dkim } = requireAccount(env, caller, id);
  if (dkim === null) {
    throw notFound("DKIM key");
  }
  return dkim;
}

/** Signs no more; so it is where there is no key. */
export function removeSigningKey(env: Environment, caller: Caller, id: Id): void {
  const row = requireAccount(env, caller, id);
  if (row.dkim === null) {
    return;
  }
  const { selector } = row.dkim;
  const secrets = sealSigningKey(env.vault, row, null);
  const updatedAt = env.clock.now();
  updateAccount(env.db, { ...row, dkim: null, dkimDueAt: null, secrets, updatedAt });
  audit(env, caller, {
    action: "account.dkim",
    target: `account:${id}`,
    before: { dkimSelector: selector },
    after: { dkimSelector: null },
  });
}

/** What is to be published. */
export function recordOfKey({ domain, selector, publicKey }: DkimSettings): DnsRecord {
  return { name: dkimName(selector, domain), type: "TXT", value: dkimRecord(publicKey) };
}

/** Sees whether the key of a new signature has been published by now, so that it is used. */
export async function lookForKey(env: Environment, account: AccountRow): Promise<void> {
  const found = account.dkim === null ? null : await isPublished(env, account.teamId, account.dkim);
  await env.commit(() => recordPublished(env, account, found));
}

/** Whether the key stands in DNS now; null: DNS did not answer. */
export async function isPublished(
  env: Environment,
  teamId: Id,
  dkim: DkimSettings,
): Promise<boolean | null> {
  try {
    const texts = await env.dns.txt(dkimName(dkim.selector, dkim.domain), teamId);
    return texts.some((text) => isSameKey(text, dkim.publicKey));
  } catch (error) {
    if (error instanceof DnsFailure) {
      return null;
    }
    throw error;
  }
}

/** Records what a look into DNS found of the key that `seen` had. Runs inside a commit. */
export function recordPublished(env: Environment, seen: AccountRow, found: boolean | null): void {
  const row = accountById(env.db, seen.id);
  const dkim = row?.dkim ?? null;
  if (row === undefined || dkim === null || dkim.publicKey !== seen.dkim?.publicKey) {
    return;
  }
  const now = env.clock.now();
  if (found === true) {
    const active = { ...dkim, activeAt: dkim.activeAt ?? now };
    updateAccount(env.db, { ...row, dkim: active, dkimDueAt: null, updatedAt: now });
    return;
  }
  updateAccount(env.db, { ...row, dkimDueAt: nextLookAt(dkim.createdAt, now) });
}

function nextLookAt(createdAt: UnixMs, now: UnixMs): UnixMs | null {
  const age = now - createdAt;
  if (age > LOOK_FOR_MS) {
    return null;
  }
  return plus(now, age < LOOK_OFTEN_FOR_MS ? LOOK_OFTEN_MS : HOUR_MS);
}

/** `raw` as it is sent: signed where the account has a key that is published. */
export async function signed(
  env: Environment,
  account: AccountRow,
  raw: Uint8Array,
): Promise<Uint8Array> {
  const { dkim } = account;
  const privateKey =
    dkim === null || dkim.activeAt === null ? null : openSigningKey(env.vault, account);
  return dkim === null || privateKey === null
    ? raw
    : await signMessage(raw, { domain: dkim.domain, selector: dkim.selector, privateKey });
}
