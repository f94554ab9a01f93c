/** The further addresses of a mailbox, and which of them it writes from. */

import { domainOf, parseAddress } from "#domain/email-address.ts";
import { type Alias, ownAddresses } from "#domain/mailboxes/account.ts";
import { conflict, invalid } from "#domain/problem.ts";
import type { Environment } from "#environment.ts";
import { accountByEmail } from "#store/mailboxes/accounts.ts";
import { dropDomain, ensureDomain } from "#store/mailboxes/domains.ts";
import { seedByEmail } from "#store/placement/placement-seeds.ts";
import type { AccountRow } from "#store/tables/accounts.ts";

export interface AliasInput {
  email: string;
  name?: string | null;
}

/**
 * Throws `validation_error` for what is no address or is named twice, `conflict` for one that is another
 * mailbox's or a seed's.
 */
export function readAliases(
  env: Environment,
  row: AccountRow,
  given: readonly AliasInput[],
): Alias[] {
  const taken = new Set([row.email]);
  return given.map(({ email: text, name = null }, index) => {
    const field = `aliases.${index}.email`;
    const email = parseAddress(text)?.address;
    if (email === undefined) {
      throw invalid(field, "must be an email address, for example ann@example.com");
    }
    if (taken.has(email)) {
      const whose = email === row.email ? "is the mailbox's own address" : "is in the list already";
      throw invalid(field, whose);
    }
    taken.add(email);
    checkFree(env, row, { email, field });
    return { email, name };
  });
}

function checkFree(
  env: Environment,
  { id, teamId }: AccountRow,
  { email, field }: { email: string; field: string },
): void {
  const other = accountByEmail(env.db, teamId, email);
  if (other !== undefined && other.id !== id) {
    const what = other.email === email ? "another account" : `an alias of ${other.email}`;
    throw conflict(`${email} is ${what}`, field);
  }
  if (seedByEmail(env.db, teamId, email) !== undefined) {
    throw conflict(`${email} is one of the team's seeds`, field);
  }
}

/** Throws `validation_error` for an address that isn't the mailbox's. */
export function readSendAs(
  row: Pick<AccountRow, "email" | "aliases">,
  given: string | null,
): string | null {
  const email = given === null ? null : (parseAddress(given)?.address ?? "");
  if (email !== null && !ownAddresses(row).includes(email)) {
    throw invalid("send_as", "must be the account's address or one of its aliases");
  }
  return email;
}

/** Has the domains of all its addresses watched, and no more those that only `before` had. Runs inside a commit. */
export function watchDomains(env: Environment, before: AccountRow | null, row: AccountRow): void {
  const now = env.clock.now();
  for (const domain of domainsOf(row)) {
    ensureDomain(env.db, { id: env.ids.next(now), teamId: row.teamId, domain }, now);
  }
  if (before !== null) {
    for (const domain of domainsOf(before).difference(domainsOf(row))) {
      dropDomain(env.db, row.teamId, domain);
    }
  }
}

/** Of all addresses of the mailbox. */
export function domainsOf(row: AccountRow): Set<string> {
  return new Set(ownAddresses(row).map(domainOf));
}
