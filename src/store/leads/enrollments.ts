/** Enrollments: rows by id, by lead, by campaign. The queues of the planner are in `ledger.ts`. */

import { and, asc, eq, inArray } from "drizzle-orm";
import { equals, type Id } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";
import { finder, inserter, reader, remover, teamFinder, updater } from "#store/sqlite/rows.ts";
import { type EnrollmentRow, enrollments } from "#store/tables/leads.ts";

/** Writes the whole row: read it in the same transaction. */
export const updateEnrollment = updater(enrollments);
export const insertEnrollment = inserter(enrollments);
export const removeEnrollment = remover(enrollments);
export const findEnrollment = teamFinder(enrollments);
export const enrollmentById = finder(enrollments);

const byLead = reader(enrollments, (db) =>
  db.orm
    .select()
    .from(enrollments)
    .where(and(equals(enrollments.campaignId, "campaignId"), equals(enrollments.leadId, "leadId")))
    .orderBy(asc(enrollments.merged))
    .limit(1)
    .prepare(),
);

/** The one that stands beside one that gave way; undefined where it is gone. */
export function standingBeside(
  db: Db,
  { campaignId, leadId }: Pick<EnrollmentRow, "campaignId" | "leadId">,
): EnrollmentRow | undefined {
  const [first] = byLead(db, { campaignId, leadId });
  return first?.merged === 0 ? first : undefined;
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

const movedFrom = reader(enrollments, (db) =>
  db.orm.select().from(enrollments).where(equals(enrollments.movedFrom, "id")).prepare(),
);

/** Those that rules have made of one, in other campaigns. */
export function enrollmentsMovedFrom(db: Db, id: Id): EnrollmentRow[] {
  return movedFrom(db, { id });
}

/**
 * Enrollments of one campaign at a domain, those that have ended among them. Reads the campaign's part of an index,
 * 46 ms a million: one that is sorted by domain would write a page more for each lead that is imported.
 */
export function enrollmentsOfCompany(db: Db, campaignId: Id, domain: string): EnrollmentRow[] {
  const { id } = enrollments;
  const among = db.orm
    .select({ id })
    .from(enrollments)
    .where(and(eq(enrollments.campaignId, campaignId), eq(enrollments.domain, domain)));
  return db.orm.select().from(enrollments).where(inArray(id, among)).orderBy(asc(id)).all();
}
