/** Consents under way, found by their link, by the state that comes back, or by their account. */

import { eq, lte, sql } from "drizzle-orm";
import type { UnixMs } from "#domain/time.ts";
import { equals, placeholder } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { finder, inserter, reader, remover, updater } from "#store/sqlite/rows.ts";
import { type ConsentRow, consents } from "#store/tables/consents.ts";

export const insertConsent = inserter(consents);
export const updateConsent = updater(consents);
/** By the account's id, as `consentOf`. */
export const removeConsent = remover(consents);
export const consentOf = finder(consents);

const byTicket = reader(consents, (db) =>
  db.orm.select().from(consents).where(equals(consents.ticket, "ticket")).prepare(),
);

export function consentByTicket(db: Db, ticket: string): ConsentRow | undefined {
  return byTicket(db, { ticket })[0];
}

const byState = reader(consents, (db) =>
  db.orm
    .select()
    .from(consents)
    .where(eq(consents.stateHash, placeholder(consents.stateHash, "stateHash")))
    .prepare(),
);

export function consentByState(db: Db, stateHash: Uint8Array): ConsentRow | undefined {
  return byState(db, { stateHash })[0];
}

const prune = prepared((db) =>
  db.orm
    .delete(consents)
    .where(lte(consents.expiresAt, sql.placeholder("now")))
    .prepare(),
);

/** Forgets those whose time is over. */
export function pruneConsents(db: Db, now: UnixMs): void {
  prune(db).run({ now });
}
