/** Placement runs: rows, pages, and which of them come to their end. */

import { and, asc, count, desc, eq, isNotNull, lte, type SQL, sql } from "drizzle-orm";
import type { RunStatus, TriggerType } from "#domain/placement/placement.ts";
import type { UnixMs } from "#domain/time.ts";
import { type Id, idToBytes } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";
import { earliest } from "#store/sqlite/earliest.ts";
import { finder, inserter, reader, teamFinder, updater } from "#store/sqlite/rows.ts";
import { placementRuns, type RunRow } from "#store/tables/placement.ts";

export const insertRun = inserter(placementRuns);
/** Writes the whole row: read it in the same transaction. */
export const updateRun = updater(placementRuns);
export const findRun = teamFinder(placementRuns);
export const runById = finder(placementRuns);

export interface RunFilter {
  status?: RunStatus;
  triggerType?: TriggerType;
}

/** A page of a team's runs, newest first. */
export function listRuns(
  db: Db,
  teamId: Id,
  { status, triggerType, limit, offset }: RunFilter & { limit: number; offset: number },
): { rows: RunRow[]; total: number } {
  const conditions: SQL[] = [eq(placementRuns.teamId, teamId)];
  if (status !== undefined) {
    conditions.push(eq(placementRuns.status, status));
  }
  if (triggerType !== undefined) {
    conditions.push(eq(placementRuns.triggerType, triggerType));
  }
  const where = and(...conditions);
  const total = db.orm.select({ n: count() }).from(placementRuns).where(where).get()?.n ?? 0;
  const rows = db.orm
    .select()
    .from(placementRuns)
    .where(where)
    .orderBy(desc(placementRuns.id))
    .limit(limit)
    .offset(offset)
    .all();
  return { rows, total };
}

const due = reader(placementRuns, (db) =>
  db.orm
    .select()
    .from(placementRuns)
    .where(and(isNotNull(placementRuns.dueAt), lte(placementRuns.dueAt, sql.placeholder("now"))))
    .orderBy(asc(placementRuns.dueAt))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** Runs that end now, whatever is still to happen in them. */
export function runsDue(db: Db, now: UnixMs, limit: number): RunRow[] {
  return due(db, { now, limit });
}

export const nextRunDueAt = earliest(placementRuns.dueAt);

const HEALTH_RUN = `
  select 1 from placement_runs r join placement_tests t on t.run_id = r.id
  where r.team_id = ? and r.trigger_type = 'health' and r.created_at >= ? and t.account_id = ?
  limit 1`;

/** True where a health run with this account was begun at or after `since`. */
export function hasHealthRun(db: Db, teamId: Id, accountId: Id, since: UnixMs): boolean {
  const query = db.raw.query<object, [Uint8Array, number, Uint8Array]>(HEALTH_RUN);
  return query.get(idToBytes(teamId), since, idToBytes(accountId)) !== null;
}
