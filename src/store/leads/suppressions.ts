/** Suppressions, found by the hash of an address or of `@domain`. */

import { and, asc, count, desc, eq, gte, isNotNull, lte, sql } from "drizzle-orm";
import type { SuppressionReason } from "#domain/leads/suppression.ts";
import { equals, type Id } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { inserter, remover, teamFinder, updater } from "#store/sqlite/rows.ts";
import { leadAliases, type SuppressionRow, suppressions } from "#store/tables/leads.ts";

export const insertSuppression = inserter(suppressions);
export const updateSuppression = updater(suppressions);
export const removeSuppression = remover(suppressions);
export const findSuppression = teamFinder(suppressions);

const byHash = prepared((db) =>
  db.orm
    .select()
    .from(suppressions)
    .where(and(equals(suppressions.teamId, "teamId"), equals(suppressions.hash, "hash")))
    .prepare(),
);

export function suppressionByHash(
  db: Db,
  teamId: Id,
  hash: Uint8Array,
): SuppressionRow | undefined {
  return byHash(db).get({ teamId, hash });
}

const isKnown = prepared((db) =>
  db.orm
    .select({ one: sql<1>`1` })
    .from(suppressions)
    .where(and(equals(suppressions.teamId, "teamId"), equals(suppressions.hash, "hash")))
    .prepare(),
);

/** {@link suppressionByHash} for the guard of every send: only whether there is one. */
export function hasSuppression(db: Db, teamId: Id, hash: Uint8Array): boolean {
  return isKnown(db).get({ teamId, hash }) !== undefined;
}

const former = prepared((db) =>
  db.orm
    .select({ email: leadAliases.email })
    .from(leadAliases)
    .where(equals(leadAliases.leadId, "leadId"))
    .prepare(),
);

/** Addresses that a lead had before merges, for the guard of every send. */
export function formerAddresses(db: Db, leadId: Id): string[] {
  return former(db)
    .all({ leadId })
    .map(({ email }) => email);
}

export interface SuppressionFilter {
  limit: number;
  offset: number;
  reason?: SuppressionReason;
  hash?: Uint8Array;
}

/** A page of a team's suppressions, newest first, and how many match. */
export function listSuppressions(
  db: Db,
  teamId: Id,
  { limit, offset, reason, hash }: SuppressionFilter,
): { rows: SuppressionRow[]; total: number } {
  const mine = and(
    eq(suppressions.teamId, teamId),
    reason === undefined ? undefined : eq(suppressions.reason, reason),
    hash === undefined ? undefined : eq(suppressions.hash, hash),
  );
  const rows = db.orm
    .select()
    .from(suppressions)
    .where(mine)
    .orderBy(desc(suppressions.id))
    .limit(limit)
    .offset(offset)
    .all();
  const total = db.orm.select({ n: count() }).from(suppressions).where(mine).get()?.n ?? 0;
  return { rows, total };
}

/** Suppressions of whatever team from that id on, in the order of their ids. */
export function suppressionsFrom(db: Db, id: Id, limit: number): SuppressionRow[] {
  return db.orm
    .select()
    .from(suppressions)
    .where(gte(suppressions.id, id))
    .orderBy(asc(suppressions.id))
    .limit(limit)
    .all();
}

const pending = prepared((db) =>
  db.orm
    .select()
    .from(suppressions)
    .where(isNotNull(suppressions.sweepAfter))
    .orderBy(asc(suppressions.id))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** Suppressed domains, of whatever team, whose enrollments are still being ended; oldest first. */
export function pendingSweeps(db: Db, limit: number): SuppressionRow[] {
  return pending(db).all({ limit });
}

/** The pending sweeps up to `lastId` have come to `after`, or are done where it is null. */
export function moveSweeps(db: Db, lastId: Id, after: Id | null): void {
  const column = suppressions.sweepAfter;
  db.orm
    .update(suppressions)
    .set({ sweepAfter: after === null ? null : sql`max(${column}, ${sql.param(after, column)})` })
    .where(and(isNotNull(column), lte(suppressions.id, lastId)))
    .run();
}
