/** Leads, their enrollments in campaigns, tasks for people, and who must not be written to. */

import { isNotNull, isNull, sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import type { EnrollmentStatus, HoldReason, Interest } from "#domain/campaigns/enrollment.ts";
import type { RuleEvent } from "#domain/campaigns/rule.ts";
import type { Removed } from "#domain/leads/erasure.ts";
import type { LeadVariables } from "#domain/leads/lead.ts";
import type { SuppressionReason } from "#domain/leads/suppression.ts";
import type { LeadSort } from "#domain/leads/view.ts";
import type { OwnReason } from "#domain/mailboxes/address-check.ts";
import type { CalloutAnswer } from "#domain/mailboxes/callout.ts";
import type { UnixMs } from "#domain/time.ts";
import { bytes, flag, instant, json, uuid } from "#store/sqlite/columns.ts";
import { campaigns } from "./campaigns.ts";
import { teams } from "./teams.ts";

export const leads = sqliteTable(
  "leads",
  {
    id: uuid("id").primaryKey(),
    teamId: uuid("team_id")
      .notNull()
      .references(() => teams.id),
    /** Trimmed, lower case, domain in IDNA form: one record a team and address. */
    email: text("email").notNull(),
    firstName: text("first_name"),
    lastName: text("last_name"),
    company: text("company"),
    website: text("website"),
    phone: text("phone"),
    timezone: text("timezone"),
    variables: json<LeadVariables>("variables").notNull(),
    /** Soft bounces since the last message that got through. */
    softBounces: integer("soft_bounces").notNull().default(0),
    /** What speaks against its address whatever its domain says; null: not checked yet. */
    addressReasons: json<readonly OwnReason[]>("address_reasons"),
    /** What its server said when it was asked; null: nobody has asked. */
    callout: text("callout").$type<CalloutAnswer>(),
    calloutAt: instant("callout_at"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [
    uniqueIndex("leads_email").on(table.teamId, table.email),
    index("leads_team").on(table.teamId, table.id),
    index("leads_unchecked").on(table.id).where(isNull(table.addressReasons)),
  ],
);
export type LeadRow = typeof leads.$inferSelect;

/** How many leads a team has: counting ten million at each page of them takes half a second. */
export const leadCounts = sqliteTable("lead_counts", {
  teamId: uuid("team_id").primaryKey(),
  leads: integer("leads").notNull(),
});

export const enrollments = sqliteTable(
  "enrollments",
  {
    id: uuid("id").primaryKey(),
    teamId: uuid("team_id").notNull(),
    campaignId: uuid("campaign_id")
      .notNull()
      .references(() => campaigns.id),
    leadId: uuid("lead_id")
      .notNull()
      .references(() => leads.id),
    /** The mailbox that writes the whole sequence; null until the first claim. */
    accountId: uuid("account_id"),
    status: text("status").$type<EnrollmentStatus>().notNull(),
    /** Where it stands in the sequence: the place of the last step sent, null before the first. */
    placeId: uuid("place_id"),
    /** Place of the step that it was last claimed for, by an email or a task; null once a person moved it. */
    nextPlaceId: uuid("next_place_id"),
    /**
     * When it may next be taken. Null: nothing to do by itself (ended, paused, held, under way).
     * A new lead's is its enrolment, which the wire shows as null.
     */
    dueAt: instant("due_at"),
    /** The lead's own zone, '' where it has none and the campaign's holds. */
    zone: text("zone").notNull(),
    domain: text("domain").notNull(),
    holdReason: text("hold_reason").$type<HoldReason>(),
    holdDetail: text("hold_detail"),
    stopReason: text("stop_reason"),
    interest: text("interest").$type<Interest>(),
    /** Tries of the step under way, and the instant of the first of them. */
    attempts: integer("attempts").notNull().default(0),
    firstAttemptAt: instant("first_attempt_at"),
    lastSentAt: instant("last_sent_at"),
    /** When the last step was done, an email sent or a task finished: the next one's wait counts from here. */
    waitsFrom: instant("waits_from"),
    /** The next attempt as a person has set it, whatever the wait. */
    bookedAt: instant("booked_at"),
    /** No attempt before: an absence, or a server that asked to try again later. */
    notBefore: instant("not_before"),
    enrolledAt: instant("enrolled_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
    /** A person lets it be written to though its address is risky. */
    riskAccepted: flag("risk_accepted").notNull().default(false),
    /** Its address was found risky, and its campaign spreads such leads: they have a queue of their own. */
    spread: flag("spread").notNull().default(false),
    /** 0, or the number of one that has given way to another of the same campaign when leads were merged. */
    merged: integer("merged").notNull().default(0),
    /** The enrollment whose campaign's rule brought it here, and on what; null: somebody added it. */
    movedFrom: uuid("moved_from"),
    movedOn: text("moved_on").$type<RuleEvent>(),
  },
  (table) => [
    /** One of each lead in a campaign that stands, and all of a lead. */
    uniqueIndex("enrollments_lead").on(table.leadId, table.campaignId, table.merged),
    /** In its order, with what colleagues are found by: see `enrollmentsOfCompany`. */
    index("enrollments_campaign").on(table.campaignId, table.id, table.domain),
    index("enrollments_status").on(table.campaignId, table.status, table.id),
    index("enrollments_interest")
      .on(table.campaignId, table.interest, table.id)
      .where(isNotNull(table.interest)),
    /** The queues of new leads of a campaign. */
    index("enrollments_new")
      .on(table.campaignId, table.spread, table.zone, table.dueAt, table.id)
      .where(sql`${table.dueAt} is not null and ${table.accountId} is null`),
    /** The queue of follow-ups of a mailbox. */
    index("enrollments_follow_up")
      .on(table.accountId, table.campaignId, table.zone, table.dueAt, table.id)
      .where(sql`${table.dueAt} is not null and ${table.accountId} is not null`),
    /** Those a mailbox has written to at one company. */
    index("enrollments_company")
      .on(table.accountId, table.domain)
      .where(isNotNull(table.accountId)),
    /** Those who stand at a place and can go on, or wait for a person. */
    index("enrollments_place")
      .on(table.campaignId, table.placeId, table.id)
      .where(sql`${table.status} in ('pending', 'active', 'paused')`),
    index("enrollments_on_hold")
      .on(table.campaignId, table.holdReason, table.id)
      .where(isNotNull(table.holdReason)),
    index("enrollments_moved").on(table.movedFrom).where(isNotNull(table.movedFrom)),
  ],
);
export type EnrollmentRow = typeof enrollments.$inferSelect;

export const tasks = sqliteTable(
  "tasks",
  {
    id: uuid("id").primaryKey(),
    teamId: uuid("team_id").notNull(),
    campaignId: uuid("campaign_id").notNull(),
    enrollmentId: uuid("enrollment_id")
      .notNull()
      .references(() => enrollments.id, { onDelete: "cascade" }),
    leadId: uuid("lead_id").notNull(),
    stepId: uuid("step_id").notNull(),
    subject: text("subject"),
    body: text("body"),
    note: text("note"),
    createdAt: instant("created_at").notNull(),
    doneAt: instant("done_at"),
    /** Its lead goes on although nobody did it. */
    skipped: flag("skipped").notNull().default(false),
  },
  (table) => [
    index("tasks_team").on(table.teamId, table.id),
    uniqueIndex("tasks_step").on(table.enrollmentId, table.stepId),
  ],
);
export type TaskRow = typeof tasks.$inferSelect;

export const suppressions = sqliteTable(
  "suppressions",
  {
    id: uuid("id").primaryKey(),
    teamId: uuid("team_id").notNull(),
    /** SHA-256 of the address, or of `@domain`: stays when the address itself is erased. */
    hash: bytes("hash").notNull(),
    /** The address or `@domain`; null after an erasure. */
    email: text("email"),
    reason: text("reason").$type<SuppressionReason>().notNull(),
    createdAt: instant("created_at").notNull(),
    /** Set while the enrollments of a domain are still being ended, in slices. */
    sweepAfter: uuid("sweep_after"),
  },
  (table) => [
    uniqueIndex("suppressions_hash").on(table.teamId, table.hash),
    index("suppressions_team").on(table.teamId, table.id),
    index("suppressions_sweep").on(table.id).where(isNotNull(table.sweepAfter)),
  ],
);
export type SuppressionRow = typeof suppressions.$inferSelect;

/** Addresses of leads that were merged into another, which is found by them from then on. */
export const leadAliases = sqliteTable(
  "lead_aliases",
  {
    teamId: uuid("team_id").notNull(),
    /** As a lead's. */
    email: text("email").notNull(),
    leadId: uuid("lead_id")
      .notNull()
      .references(() => leads.id, { onDelete: "cascade" }),
    /** The lead that had the address. */
    formerId: uuid("former_id").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.teamId, table.email] }),
    index("lead_aliases_lead").on(table.leadId),
  ],
);
export type LeadAliasRow = typeof leadAliases.$inferSelect;

/** A filter, an order and columns of the list of leads, under a name. */
export const leadViews = sqliteTable(
  "lead_views",
  {
    id: uuid("id").primaryKey(),
    teamId: uuid("team_id").notNull(),
    /** Who made it; the only one who sees it, unless it is shared. */
    author: text("author").notNull(),
    shared: flag("shared").notNull(),
    name: text("name").notNull(),
    /** In the filter language; `''` finds everybody. */
    filter: text("filter").notNull(),
    sort: text("sort").$type<LeadSort>().notNull(),
    columns: json<readonly string[]>("columns").notNull(),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [index("lead_views_team").on(table.teamId, table.id)],
);
export type LeadViewRow = typeof leadViews.$inferSelect;

/** People who were erased, by team. */
export const erasures = sqliteTable(
  "erasures",
  {
    teamId: uuid("team_id").notNull(),
    /** SHA-256 of the address. */
    hash: bytes("hash").notNull(),
    /** Of the last time. */
    at: instant("at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.teamId, table.hash] })],
);

/** What a receipt of an erasure says; it names nobody. */
export const erasureReceipts = sqliteTable(
  "erasure_receipts",
  {
    id: uuid("id").primaryKey(),
    teamId: uuid("team_id").notNull(),
    /** The lead's former id. */
    leadId: uuid("lead_id").notNull(),
    /** SHA-256 of the address, as erasures have it. */
    hash: bytes("hash").notNull(),
    actor: text("actor").notNull(),
    requestId: text("request_id"),
    /** By the wall's clock, as of all below. */
    askedAt: instant("asked_at").notNull(),
    erasedAt: instant("erased_at").notNull(),
    /** When the files held nothing of it any more; null: not yet. */
    completedAt: instant("completed_at"),
    removed: json<Removed>("removed").notNull(),
    /** Data that was put back knew the person again. */
    repeats: json<{ at: UnixMs; removed: Removed }[]>("repeats").notNull(),
    /** Event that told webhooks; null where the data was put back since. */
    eventId: uuid("event_id"),
  },
  (table) => [
    index("erasure_receipts_team").on(table.teamId, table.id),
    index("erasure_receipts_hash").on(table.hash),
    index("erasure_receipts_lead").on(table.leadId),
    index("erasure_receipts_open").on(table.completedAt).where(sql`${table.completedAt} is null`),
  ],
);
export type ErasureReceiptRow = typeof erasureReceipts.$inferSelect;
