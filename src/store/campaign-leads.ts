/** Leads of a campaign as people look at them: an enrollment with the address of its lead. */

import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  inArray,
  isNotNull,
  lt,
  sql,
} from "drizzle-orm";
import type { EnrollmentStatus, HoldReason, Interest } from "#domain/enrollment.ts";
import type { UnixMs } from "#domain/time.ts";
import { campaignById } from "./campaigns.ts";
import { equals, type Id, LAST_ID, placeholder } from "./columns.ts";
import { type Db, prepared } from "./database.ts";
import { isFound, unindexed } from "./search.ts";
import { accounts } from "./tables/accounts.ts";
import { type EnrollmentRow, enrollments, type LeadRow, leads } from "./tables/leads.ts";

/** An enrollment and the address of its lead. */
export interface CampaignLead extends EnrollmentRow {
  email: string;
}

const columns = { ...getTableColumns(enrollments), email: leads.email };

const byEnrollment = prepared((db) =>
  db.orm
    .select(columns)
    .from(enrollments)
    .innerJoin(leads, eq(leads.id, enrollments.leadId))
    .where(and(equals(enrollments.campaignId, "campaignId"), equals(enrollments.id, "id")))
    .prepare(),
);

const byLead = prepared((db) =>
  db.orm
    .select(columns)
    .from(enrollments)
    .innerJoin(leads, eq(leads.id, enrollments.leadId))
    .where(and(equals(enrollments.campaignId, "campaignId"), equals(enrollments.leadId, "id")))
    .prepare(),
);

/** `id` is the lead's or the enrollment's. */
export function findCampaignLead(db: Db, campaignId: Id, id: Id): CampaignLead | undefined {
  return byLead(db).get({ campaignId, id }) ?? byEnrollment(db).get({ campaignId, id });
}

export interface CampaignLeadFilter {
  status?: EnrollmentStatus;
  holdReason?: HoldReason;
  interest?: Interest;
  leadId?: Id;
  /** A query of the full-text index, and the team whose campaign it is. */
  search?: { teamId: Id; phrases: string };
}

/** A page of a campaign's leads, newest first, those after `after` only, and how many fit. */
export function listCampaignLeads(
  db: Db,
  campaignId: Id,
  filter: CampaignLeadFilter,
  range: { limit: number; offset: number; after?: Id },
): { rows: CampaignLead[]; total: number } {
  if (Object.values(filter).every((value) => value === undefined)) {
    const rows = page(db).all({ campaignId, after: LAST_ID, ...range });
    return { rows, total: campaignById(db, campaignId)?.enrolled ?? 0 };
  }
  const { status, holdReason, interest, leadId, search } = filter;
  const wanted = and(
    search === undefined
      ? eq(enrollments.campaignId, campaignId)
      : unindexed(enrollments.campaignId, campaignId),
    status === undefined ? undefined : eq(enrollments.status, status),
    holdReason === undefined ? undefined : isNotNull(enrollments.holdReason),
    holdReason === undefined ? undefined : eq(enrollments.holdReason, holdReason),
    interest === undefined ? undefined : eq(enrollments.interest, interest),
    leadId === undefined ? undefined : eq(enrollments.leadId, leadId),
    search && isFound(db, enrollments.leadId, "lead", search.teamId, search.phrases),
  );
  const beyond = range.after === undefined ? undefined : lt(enrollments.id, range.after);
  const rows = db.orm
    .select(columns)
    .from(enrollments)
    .innerJoin(leads, eq(leads.id, enrollments.leadId))
    .where(and(wanted, beyond))
    .orderBy(desc(enrollments.id))
    .limit(range.limit)
    .offset(range.offset)
    .all();
  const total = db.orm.select({ n: count() }).from(enrollments).where(wanted).get()?.n ?? 0;
  return { rows, total };
}

const page = prepared((db) =>
  db.orm
    .select(columns)
    .from(enrollments)
    .innerJoin(leads, eq(leads.id, enrollments.leadId))
    .where(
      and(
        equals(enrollments.campaignId, "campaignId"),
        sql`${enrollments.id} < ${placeholder(enrollments.id, "after")}`,
      ),
    )
    .orderBy(desc(enrollments.id))
    .limit(sql.placeholder("limit"))
    .offset(sql.placeholder("offset"))
    .prepare(),
);

/** An open enrollment's place, and the whole record of its lead. */
export interface LeadAndPlace {
  enrollmentId: Id;
  currentStep: number;
  lead: LeadRow;
}

const openPage = prepared((db) =>
  db.orm
    .select({
      enrollmentId: enrollments.id,
      currentStep: enrollments.currentStep,
      lead: getTableColumns(leads),
    })
    .from(enrollments)
    .innerJoin(leads, eq(leads.id, enrollments.leadId))
    .where(
      and(
        equals(enrollments.campaignId, "campaignId"),
        sql`${enrollments.id} > ${placeholder(enrollments.id, "after")}`,
        inArray(enrollments.status, ["pending", "active", "paused"]),
      ),
    )
    .orderBy(asc(enrollments.id))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** Open leads of a campaign after `after`, in the order in which they were enrolled. */
export function openLeadsOf(db: Db, campaignId: Id, after: Id, limit: number): LeadAndPlace[] {
  return openPage(db).all({ campaignId, after, limit });
}

/**
 * Lifts the hold `missing_variable` from the enrollments of a campaign, or of one lead, so that they are
 * tried anew: a lead that got nothing yet goes back among the new ones. Returns the campaign of each
 * enrollment that can send again.
 */
export function releaseMissing(
  db: Db,
  whose: { campaignId: Id } | { leadId: Id },
  now: UnixMs,
): Id[] {
  const mine =
    "campaignId" in whose
      ? eq(enrollments.campaignId, whose.campaignId)
      : eq(enrollments.leadId, whose.leadId);
  const held = and(
    mine,
    isNotNull(enrollments.holdReason),
    eq(enrollments.holdReason, "missing_variable"),
  );
  const untouched = sql`${enrollments.lastSentAt} is null and ${enrollments.attempts} = 0`;
  // Whose mailbox is gone waits for a person still.
  const stranded = sql`${enrollments.accountId} not in (select ${accounts.id} from ${accounts})`;
  db.orm
    .update(enrollments)
    .set({ holdReason: "account_gone", holdDetail: null, updatedAt: now })
    .where(and(held, stranded, sql`not (${untouched})`))
    .run();
  const again = sql`case when ${enrollments.lastSentAt} is null then ${enrollments.enrolledAt} else ${now} end`;
  return db.orm
    .update(enrollments)
    .set({
      holdReason: null,
      holdDetail: null,
      dueAt: sql`case when ${enrollments.status} = 'paused' then null else ${again} end`,
      accountId: sql`case when ${untouched} then null else ${enrollments.accountId} end`,
      updatedAt: now,
    })
    .where(held)
    .returning({ campaignId: enrollments.campaignId })
    .all()
    .map(({ campaignId }) => campaignId);
}
