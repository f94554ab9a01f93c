/** Sending domains: which there are, and when each is looked at. */

import { and, asc, eq, sql } from "drizzle-orm";
import { domainOf } from "#domain/email-address.ts";
import { ownAddresses } from "#domain/mailboxes/account.ts";
import { NOTHING_WATCHED } from "#domain/mailboxes/sender-domain/watch.ts";
import type { UnixMs } from "#domain/time.ts";
import { equals, type Id } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";
import { dueRows, earliest } from "#store/sqlite/earliest.ts";
import { inserter, reader, remover, updater } from "#store/sqlite/rows.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import { type DomainRow, domains } from "#store/tables/domains.ts";
import { accountsOf } from "./accounts.ts";

export const updateDomain = updater(domains);
export const nextDomainAt = earliest(domains.dueAt);

const insert = inserter(domains);
const remove = remover(domains);

const byName = reader(domains, (db) =>
  db.orm
    .select()
    .from(domains)
    .where(and(equals(domains.teamId, "teamId"), eq(domains.domain, sql.placeholder("domain"))))
    .prepare(),
);

export function domainByName(db: Db, teamId: Id, domain: string): DomainRow | undefined {
  return byName(db, { teamId, domain })[0];
}

/** Has a domain watched from now on; `id` is its row's where it isn't yet. */
export function ensureDomain(
  db: Db,
  { id, teamId, domain }: Pick<DomainRow, "id" | "teamId" | "domain">,
  now: UnixMs,
): void {
  if (domainByName(db, teamId, domain) === undefined) {
    const fresh = { dueAt: now, checkedAt: null, report: null, hosts: {} };
    insert(db, { id, teamId, domain, ...fresh, watched: NOTHING_WATCHED });
  }
}

const ofTeam = reader(domains, (db) =>
  db.orm
    .select()
    .from(domains)
    .where(equals(domains.teamId, "teamId"))
    .orderBy(asc(domains.domain))
    .prepare(),
);

export function domainsOf(db: Db, teamId: Id): DomainRow[] {
  return ofTeam(db, { teamId });
}

/** Those with an address of the domain, oldest first. */
export function accountsOfDomain(
  db: Db,
  { teamId, domain }: Pick<DomainRow, "teamId" | "domain">,
): AccountRow[] {
  return accountsOf(db, teamId).filter((row) => addressIn(row, domain) !== undefined);
}

/** The mailbox's own address, or the first of its aliases, that is of the domain. */
export function addressIn(row: AccountRow, domain: string): string | undefined {
  return ownAddresses(row).find((address) => domainOf(address) === domain);
}

/** Watches it no more where no account has an address of it. */
export function dropDomain(db: Db, teamId: Id, domain: string): void {
  const row = domainByName(db, teamId, domain);
  if (row !== undefined && accountsOfDomain(db, row).length === 0) {
    remove(db, row.id);
  }
}

export const domainsDue = dueRows(domains, domains.dueAt);
