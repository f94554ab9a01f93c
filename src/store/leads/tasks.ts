/** Tasks: steps that wait until a person has done them. */

import { and, count, desc, eq, getTableColumns, isNotNull, isNull, lt } from "drizzle-orm";
import type { EnrollmentStatus } from "#domain/campaigns/enrollment.ts";
import { equals, type Id } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { inserter, updater } from "#store/sqlite/rows.ts";
import { enrollments, leads, type TaskRow, tasks } from "#store/tables/leads.ts";

export const insertTask = inserter(tasks);
export const updateTask = updater(tasks);

const byStep = prepared((db) =>
  db.orm
    .select()
    .from(tasks)
    .where(and(equals(tasks.enrollmentId, "enrollmentId"), equals(tasks.stepId, "stepId")))
    .prepare(),
);

/** The one task of an enrollment for a step. */
export function taskOfStep(db: Db, enrollmentId: Id, stepId: Id): TaskRow | undefined {
  return byStep(db).get({ enrollmentId, stepId });
}

const openOf = prepared((db) =>
  db.orm
    .select()
    .from(tasks)
    .where(and(equals(tasks.enrollmentId, "enrollmentId"), isNull(tasks.doneAt)))
    .limit(1)
    .prepare(),
);

/** A task of an enrollment that nobody has done yet. */
export function openTaskOf(db: Db, enrollmentId: Id): TaskRow | undefined {
  return openOf(db).get({ enrollmentId });
}

const ofEnrollment = prepared((db) =>
  db.orm.select().from(tasks).where(equals(tasks.enrollmentId, "enrollmentId")).prepare(),
);

/** The tasks of an enrollment: one a step at most. */
export function tasksOf(db: Db, enrollmentId: Id): TaskRow[] {
  return ofEnrollment(db).all({ enrollmentId });
}

/** A sequence that ends for the sake of another leaves its task to that one. */
export function dropOpenTasks(db: Db, enrollmentId: Id): void {
  const own = eq(tasks.enrollmentId, enrollmentId);
  db.orm
    .delete(tasks)
    .where(and(own, isNull(tasks.doneAt)))
    .run();
}

/** A task, the address of its lead, and how the lead stands in the campaign. */
export interface TaskWithLead extends TaskRow {
  email: string;
  leadStatus: EnrollmentStatus;
}

const columns = {
  ...getTableColumns(tasks),
  email: leads.email,
  leadStatus: enrollments.status,
};

const withLead = prepared((db) =>
  db.orm
    .select(columns)
    .from(tasks)
    .innerJoin(leads, eq(leads.id, tasks.leadId))
    .innerJoin(enrollments, eq(enrollments.id, tasks.enrollmentId))
    .where(and(equals(tasks.teamId, "teamId"), equals(tasks.id, "id")))
    .prepare(),
);

export function findTask(db: Db, teamId: Id, id: Id): TaskWithLead | undefined {
  return withLead(db).get({ teamId, id });
}

/** A page of a team's tasks, newest first, and how many fit the filter. */
export function listTasks(
  db: Db,
  teamId: Id,
  filter: { done?: boolean; campaignId?: Id },
  range: { limit: number; offset: number; after?: Id },
): { rows: TaskWithLead[]; total: number } {
  const { done, campaignId } = filter;
  const open = done === true ? isNotNull(tasks.doneAt) : isNull(tasks.doneAt);
  const wanted = and(
    eq(tasks.teamId, teamId),
    done === undefined ? undefined : open,
    campaignId === undefined ? undefined : eq(tasks.campaignId, campaignId),
  );
  const beyond = range.after === undefined ? undefined : lt(tasks.id, range.after);
  const rows = db.orm
    .select(columns)
    .from(tasks)
    .innerJoin(leads, eq(leads.id, tasks.leadId))
    .innerJoin(enrollments, eq(enrollments.id, tasks.enrollmentId))
    .where(and(wanted, beyond))
    .orderBy(desc(tasks.id))
    .limit(range.limit)
    .offset(range.offset)
    .all();
  const total = db.orm.select({ n: count() }).from(tasks).where(wanted).get()?.n ?? 0;
  return { rows, total };
}
