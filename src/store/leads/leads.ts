/** Leads: one record a team and address. */

import { and, count, countDistinct, desc, eq, exists, lt, type SQL, sql } from "drizzle-orm";
import type { EnrollmentStatus, Interest } from "#domain/campaigns/enrollment.ts";
import { equals, type Id, LAST_ID, placeholder } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { finder, reader, teamFinder, updater } from "#store/sqlite/rows.ts";
import { enrollments, type LeadRow, leadCounts, leads } from "#store/tables/leads.ts";
import { isFound, recordSearched, unindexed } from "./search.ts";

const writeLead = updater(leads);

/** Writes the whole row: read it in the same transaction. */
export function updateLead(db: Db, row: LeadRow): void {
  writeLead(db, row);
  recordSearched(db, "lead", row.id);
}

export const findLead = teamFinder(leads);
export const findLeadById = finder(leads);

const byEmail = prepared((db) =>
  db.orm
    .select()
    .from(leads)
    .where(and(equals(leads.teamId, "teamId"), eq(leads.email, sql.placeholder("email"))))
    .prepare(),
);

/** `email` in the form in which it is stored: trimmed, lower case, IDNA. */
export function leadByEmail(db: Db, teamId: Id, email: string): LeadRow | undefined {
  return byEmail(db).get({ teamId, email });
}

export interface LeadFilter {
  /** The whole address. */
  email?: string;
  /** A query of the full-text index. */
  phrases?: string;
  /** Of one of their campaigns; with `interest` of the same one. */
  status?: EnrollmentStatus;
  interest?: Interest;
}

interface Range {
  limit: number;
  offset: number;
  after?: Id;
}

/** A page of a team's leads, newest first, those after `after` only, and how many fit the filter. */
export function listLeads(
  db: Db,
  teamId: Id,
  filter: LeadFilter,
  range: Range,
): { rows: LeadRow[]; total: number } {
  const { email, phrases, status, interest } = filter;
  const standing = and(
    status === undefined ? undefined : eq(enrollments.status, status),
    interest === undefined ? undefined : eq(enrollments.interest, interest),
  );
  if (email === undefined && phrases === undefined && standing === undefined) {
    const total = counted(db).get({ teamId })?.leads ?? 0;
    return { rows: rowsAt(db, teamId, range, total), total };
  }
  const wanted = and(
    phrases === undefined ? eq(leads.teamId, teamId) : unindexed(leads.teamId, teamId),
    email === undefined ? undefined : eq(leads.email, email),
    phrases === undefined ? undefined : isFound(db, leads.id, "lead", teamId, phrases),
    standing && stands(db, standing),
  );
  const beyond = range.after === undefined ? undefined : lt(leads.id, range.after);
  const rows = db.orm
    .select()
    .from(leads)
    .where(and(wanted, beyond))
    .orderBy(desc(leads.id))
    .limit(range.limit)
    .offset(range.offset)
    .all();
  const total =
    email === undefined && phrases === undefined
      ? countStanding(db, teamId, standing)
      : (db.orm.select({ n: count() }).from(leads).where(wanted).get()?.n ?? 0);
  return { rows, total };
}

function stands(db: Db, standing: SQL): SQL {
  const mine = and(eq(enrollments.leadId, leads.id), standing);
  return exists(db.orm.select({ id: enrollments.id }).from(enrollments).where(mine));
}

/** One walk over the enrollments: a look at those of each lead takes four times as long. */
function countStanding(db: Db, teamId: Id, standing: SQL | undefined): number {
  return (
    db.orm
      .select({ n: countDistinct(enrollments.leadId) })
      .from(enrollments)
      .where(and(eq(enrollments.teamId, teamId), standing))
      .get()?.n ?? 0
  );
}

/** Rows that are passed over cost time, so a place in the second half is counted to from the end. */
function rowsAt(db: Db, teamId: Id, range: Range, total: number): LeadRow[] {
  const { limit, offset, after } = range;
  if (after !== undefined || offset * 2 <= total) {
    return page(db, { teamId, after: LAST_ID, ...range });
  }
  const behind = Math.max(0, total - offset - limit);
  const wanted = Math.max(0, total - offset - behind);
  return pageFromEnd(db, { teamId, limit: wanted, offset: behind }).toReversed();
}

const pageFromEnd = reader(leads, (db) =>
  db.orm
    .select()
    .from(leads)
    .where(equals(leads.teamId, "teamId"))
    .orderBy(leads.id)
    .limit(sql.placeholder("limit"))
    .offset(sql.placeholder("offset"))
    .prepare(),
);

const page = reader(leads, (db) =>
  db.orm
    .select()
    .from(leads)
    .where(
      and(equals(leads.teamId, "teamId"), sql`${leads.id} < ${placeholder(leads.id, "after")}`),
    )
    .orderBy(desc(leads.id))
    .limit(sql.placeholder("limit"))
    .offset(sql.placeholder("offset"))
    .prepare(),
);

const counted = prepared((db) =>
  db.orm
    .select({ leads: leadCounts.leads })
    .from(leadCounts)
    .where(equals(leadCounts.teamId, "teamId"))
    .prepare(),
);

const rezone = prepared((db) =>
  db.orm
    .update(enrollments)
    .set({ zone: sql`${sql.placeholder("zone")}` })
    .where(equals(enrollments.leadId, "leadId"))
    .prepare(),
);

/** The enrollments of a lead follow its zone; when they are due stays. `''`: the campaign's zone. */
export function setZone(db: Db, leadId: Id, zone: string): void {
  rezone(db).run({ leadId, zone });
}
