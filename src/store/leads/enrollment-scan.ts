/** Going through all enrollments in bounded slices, for the rare change that no index serves. */

import { and, asc, gt, sql } from "drizzle-orm";
import { equals, type Id, placeholder } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { type EnrollmentRow, enrollments } from "#store/tables/leads.ts";

/** Before every id there is. */
export const FIRST_ID: Id = "00000000-0000-0000-0000-000000000000";

export type ScannedEnrollment = Pick<
  EnrollmentRow,
  "id" | "teamId" | "accountId" | "status" | "domain" | "holdReason"
>;

const slice = prepared((db) =>
  db.orm
    .select({
      id: enrollments.id,
      teamId: enrollments.teamId,
      accountId: enrollments.accountId,
      status: enrollments.status,
      domain: enrollments.domain,
      holdReason: enrollments.holdReason,
    })
    .from(enrollments)
    .where(gt(enrollments.id, placeholder(enrollments.id, "after")))
    .orderBy(asc(enrollments.id))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** The next `limit` enrollments of all teams after `after`, in id order. */
export function scanEnrollments(db: Db, after: Id, limit: number): ScannedEnrollment[] {
  return slice(db).all({ after, limit });
}

const ofCampaign = prepared((db) =>
  db.orm
    .select({
      id: enrollments.id,
      waits: sql<number>`${enrollments.dueAt} is not null and ${enrollments.waitsFrom} is not null`,
    })
    .from(enrollments)
    .where(
      and(
        equals(enrollments.campaignId, "campaignId"),
        gt(enrollments.id, placeholder(enrollments.id, "after")),
      ),
    )
    .orderBy(asc(enrollments.id))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** The next `limit` enrollments of a campaign after `after`; `waits` is 1 where a step's wait runs. */
export function campaignSlice(db: Db, campaignId: Id, after: Id, limit: number) {
  return ofCampaign(db).all({ campaignId, after, limit });
}
