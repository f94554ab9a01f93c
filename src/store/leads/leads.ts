/** Leads: one record a team and address. */

import { and, desc, eq, exists, inArray, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { EnrollmentStatus, Interest } from "#domain/campaigns/enrollment.ts";
import type { OwnReason } from "#domain/mailboxes/address-check.ts";
import type { CalloutAnswer } from "#domain/mailboxes/callout.ts";
import type { Phrases } from "#domain/search-phrases.ts";
import type { UnixMs } from "#domain/time.ts";
import { idsTagged, pageOfTag } from "#store/campaigns/tags.ts";
import { equals, type Id, idToBytes, LAST_ID, placeholder } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { finder, inserter, reader, teamFinder, updater } from "#store/sqlite/rows.ts";
import {
  CAPPED,
  type IdPage,
  pageOfIds,
  type Range,
  TOTAL_MAX,
  type Total,
} from "#store/sqlite/total.ts";
import { campaigns } from "#store/tables/campaigns.ts";
import {
  enrollments,
  type LeadAliasRow,
  type LeadRow,
  leadAliases,
  leadCounts,
  leads,
} from "#store/tables/leads.ts";
import { isAmong, matchesOf, pageOfMatches, recordSearched, unindexed } from "./search.ts";

const writeLead = updater(leads);

/** Writes the whole row: read it in the same transaction. */
export function updateLead(db: Db, row: LeadRow): void {
  writeLead(db, row);
  recordSearched(db, "lead", row.id);
}

const writeNewLead = inserter(leads);

/** Counts it, too; SQLite does where it is deleted. */
export function insertLead(db: Db, row: LeadRow): void {
  writeNewLead(db, row);
  const { teamId } = row;
  db.orm
    .insert(leadCounts)
    .values({ teamId, leads: 1 })
    .onConflictDoUpdate({ target: leadCounts.teamId, set: { leads: sql`${leadCounts.leads} + 1` } })
    .run();
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

/**
 * `email` in the form in which it is stored: trimmed, lower case, IDNA. Also who had it before it was merged
 * into another lead.
 */
export function leadByEmail(db: Db, teamId: Id, email: string): LeadRow | undefined {
  const own = byEmail(db).get({ teamId, email });
  const alias = own === undefined ? byAlias(db).get({ teamId, email }) : undefined;
  return alias === undefined ? own : findLeadById(db, alias.leadId);
}

const byAlias = prepared((db) =>
  db.orm
    .select({ leadId: leadAliases.leadId })
    .from(leadAliases)
    .where(
      and(equals(leadAliases.teamId, "teamId"), eq(leadAliases.email, sql.placeholder("email"))),
    )
    .prepare(),
);

/** Addresses of leads that were merged into this one, by which it is found beside its own. */
export function aliasesOf(db: Db, leadId: Id): LeadAliasRow[] {
  return db.orm
    .select()
    .from(leadAliases)
    .where(eq(leadAliases.leadId, leadId))
    .orderBy(leadAliases.email)
    .all();
}

export interface LeadFilter {
  /** The whole address; one that the lead had before a merge finds it, too. */
  email?: string;
  phrases?: Phrases;
  /** Of one of their campaigns; with `interest` of the same one. */
  status?: EnrollmentStatus;
  interest?: Interest;
  /** As it is stored. */
  tag?: string;
}

export interface LeadList extends Total {
  rows: LeadRow[];
}

/** A page of a team's leads, newest first, those after `after` only, and how many fit the filter. */
export function listLeads(db: Db, teamId: Id, filter: LeadFilter, range: Range): LeadList {
  const { email, phrases, tag } = filter;
  const standing = standingOf(filter);
  const given = [email, phrases, tag, standing].filter((one) => one !== undefined).length;
  if (given === 0) {
    return everybody(db, teamId, range);
  }
  if (given > 1 || email !== undefined) {
    return selected(db, teamId, filter, range);
  }
  if (phrases !== undefined) {
    return rowsOf(db, pageOfMatches(db, "lead", teamId, phrases, range));
  }
  return tag === undefined
    ? standingSo(db, teamId, standing, range)
    : rowsOf(db, pageOfTag(db, teamId, ["lead", tag], range));
}

/** By several things at once, or by the address. */
function selected(db: Db, teamId: Id, filter: LeadFilter, range: Range): LeadList {
  const { email, phrases, tag } = filter;
  const lead = email === undefined ? undefined : leadByEmail(db, teamId, email);
  if (email !== undefined && lead === undefined) {
    return { rows: [], total: 0, isCapped: false };
  }
  const standing = standingOf(filter);
  const matches = phrases && matchesOf(db, "lead", teamId, phrases);
  const wanted = and(
    matches ? unindexed(leads.teamId, teamId) : eq(leads.teamId, teamId),
    lead === undefined ? undefined : eq(leads.id, lead.id),
    standing && stands(db, standing),
    matches && isAmong(leads.id, matches),
    tag === undefined ? undefined : sql`${leads.id} in (${idsTagged(teamId, "lead", tag)})`,
  );
  const found = sql`select ${leads.id} as id from ${leads} where ${wanted} limit ${TOTAL_MAX + 1}`;
  const page = pageOfIds(db, found, range);
  if (page.isCapped) {
    const beyond = sql`${leads.id} < ${idToBytes(range.after ?? LAST_ID)}`;
    return { rows: newest(db, and(wanted, beyond), range), ...CAPPED };
  }
  return { ...rowsOf(db, page), isCapped: matches?.isCapped ?? false };
}

/** Walks through the leads, the newest first: of many that are wanted, a page is soon found. */
function newest(db: Db, wanted: SQL | undefined, { limit, offset }: Range): LeadRow[] {
  return db.orm
    .select()
    .from(leads)
    .where(wanted)
    .orderBy(desc(leads.id))
    .limit(limit)
    .offset(offset)
    .all();
}

/** The status is that of a sequence that stands: one that gave way has ended for the other's sake. */
function standingOf({ status, interest }: LeadFilter): SQL | undefined {
  return and(
    status === undefined ? undefined : eq(enrollments.status, status),
    status === undefined ? undefined : eq(enrollments.merged, 0),
    interest === undefined ? undefined : isNotNull(enrollments.interest),
    interest === undefined ? undefined : eq(enrollments.interest, interest),
  );
}

function everybody(db: Db, teamId: Id, range: Range): LeadList {
  const total = countLeads(db, teamId);
  return { rows: rowsAt(db, teamId, range, total), total, isCapped: false };
}

/**
 * Of few all are read and sorted. Of many the page is soon found where leads are walked through, the newest
 * first: from the newest enrollment that stands so, for a lead's id is less than those of its enrollments, unless
 * they were another's before a merge.
 */
function standingSo(db: Db, teamId: Id, standing: SQL | undefined, range: Range): LeadList {
  const some = pageOfIds(db, standingSomewhere(teamId, standing), range);
  if (!some.isCapped) {
    return rowsOf(db, some);
  }
  const latest = sql`select max(${enrollments.id}) from ${enrollments}
    where ${enrollments.campaignId} = ${campaigns.id} and ${standing}`;
  const first = sql`(select max(newest) from
    (select (${latest}) as newest from ${campaigns} where ${eq(campaigns.teamId, teamId)}))`;
  // Of whatever team: the index has it last.
  const merged = sql`(select unhex(hex(max(${leadAliases.leadId})) || '00') from ${leadAliases})`;
  const latestOf = sql`max(${first}, coalesce(${merged}, x''))`;
  const beyond = sql`${leads.id} < min(${latestOf}, ${idToBytes(range.after ?? LAST_ID)})`;
  const wanted = and(eq(leads.teamId, teamId), standing && stands(db, standing), beyond);
  return { rows: newest(db, wanted, range), ...CAPPED };
}

/** The leads of a page of their ids. */
function rowsOf(db: Db, { ids, total, isCapped }: IdPage): LeadList {
  const rows = db.orm
    .select()
    .from(leads)
    .where(inArray(leads.id, ids))
    .orderBy(desc(leads.id))
    .all();
  return { rows, total, isCapped };
}

function stands(db: Db, standing: SQL): SQL {
  const mine = and(eq(enrollments.leadId, leads.id), standing);
  return exists(db.orm.select({ id: enrollments.id }).from(enrollments).where(mine));
}

/** Leads that stand so in a campaign of the team, up to one more than are counted. */
function standingSomewhere(teamId: Id, standing: SQL | undefined): SQL {
  return sql`select distinct ${enrollments.leadId} as id from ${enrollments}
    where ${enrollments.campaignId} in
      (select ${campaigns.id} from ${campaigns} where ${eq(campaigns.teamId, teamId)})
    and ${standing} limit ${TOTAL_MAX + 1}`;
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

const unchecked = reader(leads, (db) =>
  db.orm
    .select()
    .from(leads)
    .where(isNull(leads.addressReasons))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** Leads whose addresses nobody has checked yet. */
export function uncheckedLeads(db: Db, limit: number): LeadRow[] {
  return unchecked(db, { limit });
}

/** Its words stay as they are. */
export function setAddressReasons(
  db: Db,
  lead: LeadRow,
  addressReasons: readonly OwnReason[],
): void {
  writeLead(db, { ...lead, addressReasons });
}

/** Notes what its server said of its address, or that it is being asked. */
export function setCallout(
  db: Db,
  lead: LeadRow,
  callout: CalloutAnswer,
  calloutAt: UnixMs | null,
): void {
  writeLead(db, { ...lead, callout, calloutAt });
}

/** How many leads a team has. */
export function countLeads(db: Db, teamId: Id): number {
  return counted(db).get({ teamId })?.leads ?? 0;
}

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
