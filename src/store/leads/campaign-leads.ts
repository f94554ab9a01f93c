/** Leads of a campaign as people look at them: an enrollment with the address of its lead. */

import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import type { EnrollmentStatus, HoldReason, Interest } from "#domain/campaigns/enrollment.ts";
import type { Phrases } from "#domain/search-phrases.ts";
import type { UnixMs } from "#domain/time.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import { equals, type Id, LAST_ID, placeholder } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { CAPPED, pageOfIds, type Range, TOTAL_MAX, type Total } from "#store/sqlite/total.ts";
import { accounts } from "#store/tables/accounts.ts";
import { type EnrollmentRow, enrollments, type LeadRow, leads } from "#store/tables/leads.ts";
import { messages } from "#store/tables/messages.ts";
import { FIRST_ID } from "./enrollment-scan.ts";
import { findLeadById } from "./leads.ts";
import { isAmong, type Matches, matchesOf, unindexed } from "./search.ts";

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
    .orderBy(asc(enrollments.merged))
    .limit(1)
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
  /** Of these only. */
  ids?: readonly Id[];
  /** Part of what the server said when it refused the lead's email for good. */
  response?: string;
  /** What is searched for, and the team whose campaign it is. */
  search?: { teamId: Id; phrases: Phrases };
}

/** A page of a campaign's leads, newest first, those after `after` only, and how many fit. */
export function listCampaignLeads(
  db: Db,
  campaignId: Id,
  filter: CampaignLeadFilter,
  range: Range,
): { rows: CampaignLead[] } & Total {
  if (Object.values(filter).every((value) => value === undefined)) {
    const rows = page(db).all({ campaignId, after: LAST_ID, ...range });
    const { enrolled = 0, erased = 0 } = campaignById(db, campaignId) ?? {};
    return { rows, total: enrolled - erased, isCapped: false };
  }
  const { search } = filter;
  const matches = search && matchesOf(db, "lead", search.teamId, search.phrases);
  const wanted = wantedBy(campaignId, filter, matches);
  const known = counted(db, campaignId, filter);
  if (known === undefined) {
    const ids = sql`select ${enrollments.id} as id from ${enrollments} where ${wanted} limit ${TOTAL_MAX + 1}`;
    const some = pageOfIds(db, ids, range);
    if (matches !== undefined || !some.isCapped) {
      const rows = select(db, inArray(enrollments.id, some.ids)).all();
      return { rows, total: some.total, isCapped: matches?.isCapped ?? false };
    }
  }
  const beyond = range.after === undefined ? undefined : lt(enrollments.id, range.after);
  const rows = select(db, and(wanted, beyond)).limit(range.limit).offset(range.offset).all();
  return { rows, ...(known ?? CAPPED) };
}

/** Enrollments with the addresses of their leads, in the same order, without leads that have gone meanwhile. */
export function withAddresses(db: Db, rows: readonly EnrollmentRow[]): CampaignLead[] {
  return rows.flatMap((row) => {
    const lead = findLeadById(db, row.leadId);
    return lead === undefined ? [] : [{ ...row, email: lead.email }];
  });
}

function select(db: Db, wanted: SQL | undefined) {
  return db.orm
    .select(columns)
    .from(enrollments)
    .innerJoin(leads, eq(leads.id, enrollments.leadId))
    .where(wanted)
    .orderBy(desc(enrollments.id));
}

function wantedBy(
  campaignId: Id,
  { status, holdReason, interest, leadId, ids, response }: CampaignLeadFilter,
  matches?: Matches,
): SQL | undefined {
  return and(
    matches === undefined
      ? eq(enrollments.campaignId, campaignId)
      : unindexed(enrollments.campaignId, campaignId),
    status === undefined ? undefined : eq(enrollments.status, status),
    holdReason === undefined ? undefined : isNotNull(enrollments.holdReason),
    holdReason === undefined ? undefined : eq(enrollments.holdReason, holdReason),
    interest === undefined ? undefined : isNotNull(enrollments.interest),
    interest === undefined ? undefined : eq(enrollments.interest, interest),
    leadId === undefined ? undefined : eq(enrollments.leadId, leadId),
    ids === undefined ? undefined : inArray(enrollments.id, [...ids]),
    // In the order of ids, in which their messages lie: by the index on the status it takes four times as long.
    response === undefined ? undefined : gt(enrollments.id, FIRST_ID),
    response === undefined ? undefined : wasRefusedWith(response),
    matches && isAmong(enrollments.leadId, matches),
  );
}

/** How many the filter finds, where it asks for one thing that the campaign counts. */
function counted(db: Db, campaignId: Id, filter: CampaignLeadFilter): Total | undefined {
  const { holdReason, status, ...others } = filter;
  const isOther = Object.values(others).some((value) => value !== undefined);
  if (isOther || (holdReason === undefined) === (status === undefined)) {
    return undefined;
  }
  const { onHold = {}, statuses = {} } = campaignById(db, campaignId) ?? {};
  const total = holdReason === undefined ? status && statuses[status] : onHold[holdReason];
  return { total: total ?? 0, isCapped: false };
}

/** Case does not matter. */
function wasRefusedWith(words: string) {
  return sql`exists (select 1 from ${messages} where ${messages.enrollmentId} = ${enrollments.id}
    and ${messages.status} = 'failed' and instr(lower(${messages.response}), lower(${words})) > 0)`;
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
  placeId: Id | null;
  lead: LeadRow;
}

const openPage = prepared((db) =>
  db.orm
    .select({
      enrollmentId: enrollments.id,
      placeId: enrollments.placeId,
      lead: getTableColumns(leads),
    })
    .from(enrollments)
    .innerJoin(leads, eq(leads.id, enrollments.leadId))
    .where(
      and(
        equals(enrollments.campaignId, "campaignId"),
        sql`${enrollments.id} > ${placeholder(enrollments.id, "after")}`,
        // In the order of their ids: the index on the status would have to be sorted.
        sql`+${enrollments.status} in ('pending', 'active', 'paused')`,
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

/** Leads on hold for what a step's words ask for, who stand at one of `places`; `missing` as `a, b`. */
export function leadsMissing(
  db: Db,
  campaignId: Id,
  places: readonly (Id | null)[],
  limit: number,
): { leadId: Id; missing: string | null }[] {
  return db.orm
    .select({ leadId: enrollments.leadId, missing: enrollments.holdDetail })
    .from(enrollments)
    .where(
      and(
        eq(enrollments.campaignId, campaignId),
        isNotNull(enrollments.holdReason),
        eq(enrollments.holdReason, "missing_variable"),
        or(
          places.includes(null) ? isNull(enrollments.placeId) : undefined,
          inArray(
            enrollments.placeId,
            places.filter((place) => place !== null),
          ),
        ),
      ),
    )
    .limit(limit)
    .all();
}

/**
 * Lifts the hold `missing_variable` from the enrollments of a campaign, so that they are tried anew: a lead
 * that got nothing yet goes back among the new ones. One whose mailbox is gone is on hold for that instead.
 * Returns how many of each.
 */
export function releaseMissing(
  db: Db,
  campaignId: Id,
  now: UnixMs,
): { released: number; stranded: number } {
  const held = and(
    eq(enrollments.campaignId, campaignId),
    isNotNull(enrollments.holdReason),
    eq(enrollments.holdReason, "missing_variable"),
  );
  const untouched = sql`${enrollments.lastSentAt} is null and ${enrollments.attempts} = 0`;
  const isStranded = sql`${enrollments.accountId} not in (select ${accounts.id} from ${accounts})`;
  const stranded = db.orm
    .update(enrollments)
    .set({ holdReason: "account_gone", holdDetail: null, updatedAt: now })
    .where(and(held, isStranded, sql`not (${untouched})`))
    .returning({ id: enrollments.id })
    .all();
  const again = sql`case when ${enrollments.lastSentAt} is null then ${enrollments.enrolledAt} else ${now} end`;
  const released = db.orm
    .update(enrollments)
    .set({
      holdReason: null,
      holdDetail: null,
      dueAt: sql`case when ${enrollments.status} = 'paused' then null else ${again} end`,
      accountId: sql`case when ${untouched} then null else ${enrollments.accountId} end`,
      updatedAt: now,
    })
    .where(held)
    .returning({ id: enrollments.id })
    .all();
  return { released: released.length, stranded: stranded.length };
}
