/** Campaigns and their steps. */

import { isNotNull, sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type {
  CampaignStatus,
  CampaignStatusReason,
  OnHold,
  Priority,
  ProviderMatching,
  RiskyAddresses,
  StatusCounts,
} from "#domain/campaigns/campaign.ts";
import type { Rule } from "#domain/campaigns/rule.ts";
import type { StepType } from "#domain/campaigns/step.ts";
import type { SendWindow } from "#domain/campaigns/window.ts";
import type { BodyFormat } from "#domain/sending/text-to-html.ts";
import { flag, type Id, instant, json, uuid } from "#store/sqlite/columns.ts";
import { teams } from "./teams.ts";

export const campaigns = sqliteTable(
  "campaigns",
  {
    id: uuid("id").primaryKey(),
    teamId: uuid("team_id")
      .notNull()
      .references(() => teams.id),
    name: text("name").notNull(),
    /** What the team wrote down about it; null: nothing. */
    notes: text("notes"),
    status: text("status").$type<CampaignStatus>().notNull(),
    statusReason: text("status_reason").$type<CampaignStatusReason>(),
    stopOnReply: flag("stop_on_reply").notNull(),
    stopOnAutoReply: flag("stop_on_auto_reply").notNull(),
    sendWindow: json<SendWindow>("send_window").notNull(),
    maxLeadsPerDay: integer("max_leads_per_day").notNull(),
    /** Messages a local day of the campaign; null: no bound of its own. */
    dailyLimit: integer("daily_limit"),
    priority: text("priority").$type<Priority>().notNull(),
    maxPerDomainPerDay: integer("max_per_domain_per_day"),
    stopCompanyOnReply: flag("stop_company_on_reply").notNull(),
    trackOpens: flag("track_opens").notNull(),
    trackClicks: flag("track_clicks").notNull(),
    evergreen: flag("evergreen").notNull(),
    /** Where its leads move to by themselves. */
    rules: json<readonly Rule[]>("rules").notNull().default([]),
    riskyAddresses: text("risky_addresses").$type<RiskyAddresses>().notNull().default("send"),
    providerMatching: text("provider_matching").$type<ProviderMatching>().notNull().default("off"),
    /** Empty: every account of the team. */
    accountIds: json<Id[]>("account_ids").notNull(),
    /** Last start or resume: the guards count from here. */
    startedAt: instant("started_at"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
    // Counters, kept in the transaction of what they count.
    enrolled: integer("enrolled").notNull().default(0),
    /** Of those enrolled, people who were erased since: their rows are gone. */
    erased: integer("erased").notNull().default(0),
    /** Enrollments that have not ended: due, under way, paused or on hold. */
    open: integer("open").notNull().default(0),
    /** Those of them that are on hold, by the reason; a reason that nobody has may be left out. */
    onHold: json<OnHold>("on_hold").notNull().default({}),
    /** Its enrollments by their status; one that nobody has may be left out. */
    statuses: json<StatusCounts>("statuses").notNull().default({}),
    sent: integer("sent").notNull().default(0),
    /** Leads that at least one of these emails went to. */
    contacted: integer("contacted").notNull().default(0),
    replied: integer("replied").notNull().default(0),
    autoReplied: integer("auto_replied").notNull().default(0),
    bounced: integer("bounced").notNull().default(0),
    unsubscribed: integer("unsubscribed").notNull().default(0),
    completed: integer("completed").notNull().default(0),
    failed: integer("failed").notNull().default(0),
    /** Leads that its rules have moved to other campaigns. */
    moved: integer("moved").notNull().default(0),
    // What the guards count: emails that were claimed since the last start or resume.
    guardSends: integer("guard_sends").notNull().default(0),
    guardBounces: integer("guard_bounces").notNull().default(0),
    guardComplaints: integer("guard_complaints").notNull().default(0),
    /** Set while the due times of its leads follow a change of the steps, in slices: how far that has come. */
    rescheduleAfter: uuid("reschedule_after"),
  },
  (table) => [
    index("campaigns_team").on(table.teamId, table.id),
    index("campaigns_status").on(table.teamId, table.status),
    index("campaigns_matching").on(table.teamId).where(sql`${table.providerMatching} = 'only'`),
    index("campaigns_plan").on(table.teamId).where(sql`${table.statusReason} = 'plan_limit'`),
    index("campaigns_on_hold").on(table.onHold).where(sql`${table.onHold} <> '{}'`),
    index("campaigns_reschedule").on(table.id).where(isNotNull(table.rescheduleAfter)),
  ],
);
export type CampaignRow = typeof campaigns.$inferSelect;

export const steps = sqliteTable(
  "steps",
  {
    id: uuid("id").primaryKey(),
    teamId: uuid("team_id").notNull(),
    campaignId: uuid("campaign_id")
      .notNull()
      .references(() => campaigns.id, { onDelete: "cascade" }),
    /** 1-based and without holes. */
    position: integer("position").notNull(),
    /** Where who was sent this step stands; another one once the step has been moved back. */
    placeId: uuid("place_id").notNull().default(sql`x''`),
    type: text("type").$type<StepType>().notNull(),
    subject: text("subject"),
    body: text("body"),
    /** What the body is written in; null: what it looks like. */
    format: text("format").$type<BodyFormat>(),
    /** Files that its emails carry, in order. */
    attachmentIds: json<Id[]>("attachment_ids").notNull().default([]),
    /** Of its text and attachments: 1 until the campaign has been started, then one more with each change. */
    revision: integer("revision").notNull().default(1),
    /** Calendar days to wait before this step. */
    waitDays: integer("wait_days").notNull(),
    /** Minutes of real time to wait after these days. */
    waitMinutes: integer("wait_minutes").notNull().default(0),
    sent: integer("sent").notNull().default(0),
    replied: integer("replied").notNull().default(0),
    bounced: integer("bounced").notNull().default(0),
    unsubscribed: integer("unsubscribed").notNull().default(0),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [index("steps_campaign").on(table.campaignId, table.position)],
);
export type StepRow = typeof steps.$inferSelect;

/** Places in a sequence that steps have left, by being deleted or moved back: leads may stand there still. */
export const leftPlaces = sqliteTable(
  "left_places",
  {
    id: uuid("id").primaryKey(),
    teamId: uuid("team_id").notNull(),
    campaignId: uuid("campaign_id")
      .notNull()
      .references(() => campaigns.id, { onDelete: "cascade" }),
    /** How many steps come before it. */
    stepsBefore: integer("steps_before").notNull(),
  },
  (table) => [index("left_places_campaign").on(table.campaignId)],
);
export type LeftPlaceRow = typeof leftPlaces.$inferSelect;
