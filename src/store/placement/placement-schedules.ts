/** Placement runs that are begun every week. */

import { and, asc, count, eq, isNotNull, lte, sql } from "drizzle-orm";
import type { UnixMs } from "#domain/time.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";
import { earliest } from "#store/sqlite/earliest.ts";
import { inserter, reader, remover, teamFinder, updater } from "#store/sqlite/rows.ts";
import { placementSchedules, type ScheduleRow } from "#store/tables/placement.ts";

export const insertSchedule = inserter(placementSchedules);
/** Writes the whole row: read it in the same transaction. */
export const updateSchedule = updater(placementSchedules);
export const removeSchedule = remover(placementSchedules);
export const findSchedule = teamFinder(placementSchedules);

/** All schedules of a team, oldest first. */
export function schedulesOf(db: Db, teamId: Id): ScheduleRow[] {
  return db.orm
    .select()
    .from(placementSchedules)
    .where(eq(placementSchedules.teamId, teamId))
    .orderBy(asc(placementSchedules.id))
    .all();
}

export function countSchedules(db: Db, teamId: Id): number {
  const mine = eq(placementSchedules.teamId, teamId);
  return db.orm.select({ n: count() }).from(placementSchedules).where(mine).get()?.n ?? 0;
}

const due = reader(placementSchedules, (db) =>
  db.orm
    .select()
    .from(placementSchedules)
    .where(
      and(
        isNotNull(placementSchedules.nextRunAt),
        lte(placementSchedules.nextRunAt, sql.placeholder("now")),
      ),
    )
    .orderBy(asc(placementSchedules.nextRunAt))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

export function schedulesDue(db: Db, now: UnixMs, limit: number): ScheduleRow[] {
  return due(db, { now, limit });
}

export const nextScheduleAt = earliest(placementSchedules.nextRunAt);
