/** Enrollments: rows by id, by lead, by campaign. The queues of the planner are in `ledger.ts`. */

import { and, asc, eq } from "drizzle-orm";
import { equals, type Id } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";
import { finder, reader, remover, teamFinder, updater } from "#store/sqlite/rows.ts";
import { type EnrollmentRow, enrollments, tasks } from "#store/tables/leads.ts";

/** Writes the whole row: read it in the same transaction. */
export const updateEnrollment = updater(enrollments);
export const removeEnrollment = remover(enrollments);
export const findEnrollment = teamFinder(enrollments);
export const enrollmentById = finder(enrollments);

const byLead = reader(enrollments, (db) =>
  db.orm
    .select()
    .from(enrollments)
    .where(and(equals(enrollments.campaignId, "campaignId"), equals(enrollments.leadId, "leadId")))
    .prepare(),
);

export function enrollmentOfLead(db: Db, campaignId: Id, leadId: Id): EnrollmentRow | undefined {
  return byLead(db, { campaignId, leadId })[0];
}

const allOfLead = reader(enrollments, (db) =>
  db.orm
    .select()
    .from(enrollments)
    .where(equals(enrollments.leadId, "leadId"))
    .orderBy(asc(enrollments.id))
    .prepare(),
);

/** Every enrollment of a lead, in all campaigns. */
export function enrollmentsOfLead(db: Db, leadId: Id): EnrollmentRow[] {
  return allOfLead(db, { leadId });
}

/** Enrollments of one campaign at a domain, those that have ended among them. */
export function enrollmentsOfCompany(db: Db, campaignId: Id, domain: string): EnrollmentRow[] {
  return db.orm
    .select()
    .from(enrollments)
    .where(and(eq(enrollments.campaignId, campaignId), eq(enrollments.domain, domain)))
    .orderBy(asc(enrollments.id))
    .all();
}

/** A draft goes: so do its enrollments and tasks. */
export function dropEnrollments(db: Db, campaignId: Id): void {
  db.orm.delete(tasks).where(eq(tasks.campaignId, campaignId)).run();
  db.orm.delete(enrollments).where(eq(enrollments.campaignId, campaignId)).run();
}
