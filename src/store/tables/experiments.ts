/** Experiments, their variants, who was shown which, and what is counted of it. */

import { isNotNull, isNull, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import type {
  Allocation,
  ExperimentStatus,
  OptimizationMode,
  OutReason,
  PrimaryMetric,
  VariantConfig,
} from "#domain/experiments/experiment.ts";
import type { Guardrail } from "#domain/experiments/guardrail.ts";
import type { SentContent } from "#domain/experiments/variant-content.ts";
import type { MailProvider } from "#domain/mailboxes/mail-provider.ts";
import { flag, instant, json, uuid } from "#store/sqlite/columns.ts";
import { campaigns } from "./campaigns.ts";

function isOpenTestAndRoll(table: { closedAt: SQLWrapper; optimizationMode: SQLWrapper }): SQL {
  return sql`${table.closedAt} is null and ${table.optimizationMode} = 'test_and_roll'`;
}

export const experiments = sqliteTable(
  "experiments",
  {
    id: uuid("id").primaryKey(),
    teamId: uuid("team_id").notNull(),
    campaignId: uuid("campaign_id")
      .notNull()
      .references(() => campaigns.id, { onDelete: "cascade" }),
    /** The step that it governs; null until a step stands at its position. */
    stepId: uuid("step_id"),
    stepPosition: integer("step_position").notNull(),
    name: text("name").notNull(),
    status: text("status").$type<ExperimentStatus>().notNull(),
    primaryMetric: text("primary_metric").$type<PrimaryMetric>().notNull(),
    optimizationMode: text("optimization_mode").$type<OptimizationMode>().notNull(),
    durationDays: integer("duration_days").notNull(),
    attributionWindowDays: integer("attribution_window_days").notNull(),
    earlyStopping: flag("early_stopping").notNull(),
    autoDrop: flag("auto_drop").notNull(),
    /** Leads that a `test_and_roll` is tested on, set by its first email; else null. */
    testLeads: integer("test_leads"),
    /** Limits of the team's own, beside those that always hold. */
    guardrails: json<readonly Guardrail[]>("guardrails").notNull().default([]),
    /** Creation, and from the first send on that. */
    startedAt: instant("started_at").notNull(),
    endsAt: instant("ends_at").notNull(),
    firstSentAt: instant("first_sent_at"),
    pausedAt: instant("paused_at"),
    pausedMs: integer("paused_ms").notNull(),
    closedAt: instant("closed_at"),
    /** The number of the allocation that holds now. */
    epoch: integer("epoch").notNull(),
    /** Its end was moved after it had begun: the test at the end is not read any more. */
    replanned: flag("replanned").notNull(),
    /** The step's own content was changed after the first send. */
    stepChangedAt: instant("step_changed_at"),
    /** When the engine looks next; null where only a change can bring work. */
    dueAt: instant("due_at"),
    winnerVariantId: uuid("winner_variant_id"),
    /** The winner's content was written into the step. */
    appliedAt: instant("applied_at"),
    /** What the verdict was based on; set when it completes, and never changed. */
    result: json<unknown>("result"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [
    index("experiments_team").on(table.teamId, table.id),
    index("experiments_campaign").on(table.campaignId, table.id),
    index("experiments_open").on(table.campaignId).where(isNull(table.closedAt)),
    index("experiments_test_and_roll").on(table.teamId).where(isOpenTestAndRoll(table)),
    index("experiments_due").on(table.dueAt, table.id).where(isNotNull(table.dueAt)),
  ],
);
/** As the index has it, in the same words. */
export const isTestAndRoll = isOpenTestAndRoll(experiments);
export type ExperimentRow = typeof experiments.$inferSelect;

export const variants = sqliteTable(
  "variants",
  {
    id: uuid("id").primaryKey(),
    teamId: uuid("team_id").notNull(),
    experimentId: uuid("experiment_id")
      .notNull()
      .references(() => experiments.id, { onDelete: "cascade" }),
    /** Their order, from 0. */
    place: integer("place").notNull(),
    name: text("name").notNull(),
    config: json<VariantConfig>("config").notNull(),
    weight: real("weight").notNull(),
    /** What its emails said, oldest first; empty until one was claimed. */
    contents: json<readonly SentContent[]>("contents").notNull().default([]),
    /** Nobody is assigned to it any more: it bounces too much, is clearly behind, or a person switched it off. */
    outAt: instant("out_at"),
    outReason: text("out_reason").$type<OutReason>(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [index("variants_experiment").on(table.experimentId, table.place)],
);
export type VariantRow = typeof variants.$inferSelect;

/** The link under which people outside the team read its report; one for each experiment. */
export const experimentShares = sqliteTable(
  "experiment_shares",
  {
    experimentId: uuid("experiment_id")
      .primaryKey()
      .references(() => experiments.id, { onDelete: "cascade" }),
    teamId: uuid("team_id").notNull(),
    /** What the link's token names: a new one for each link, so that an older one leads nowhere. */
    id: uuid("id").notNull(),
    /** It shows what the variants' emails say. */
    showsTexts: flag("shows_texts").notNull(),
    /** On the wall clock. */
    endsAt: instant("ends_at").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [uniqueIndex("experiment_shares_id").on(table.id)],
);
export type ShareRow = typeof experimentShares.$inferSelect;

/** Stretches in which one allocation held. */
export const epochs = sqliteTable(
  "experiment_epochs",
  {
    teamId: uuid("team_id").notNull(),
    experimentId: uuid("experiment_id")
      .notNull()
      .references(() => experiments.id, { onDelete: "cascade" }),
    /** From 1. */
    number: integer("number").notNull(),
    /** In the order of the variants. */
    allocation: json<Allocation>("allocation").notNull(),
    since: instant("since").notNull(),
  },
  (table) => [primaryKey({ columns: [table.experimentId, table.number] })],
);
export type EpochRow = typeof epochs.$inferSelect;

/**
 * A lead that was assigned to a variant. It counts from when the email is sent (`sentAt`); what it counts
 * as follows from the other columns (`domain/experiments/exposure.ts`).
 */
export const exposures = sqliteTable(
  "exposures",
  {
    id: uuid("id").primaryKey(),
    teamId: uuid("team_id").notNull(),
    experimentId: uuid("experiment_id")
      .notNull()
      .references(() => experiments.id, { onDelete: "cascade" }),
    variantId: uuid("variant_id").notNull(),
    enrollmentId: uuid("enrollment_id").notNull(),
    leadId: uuid("lead_id").notNull(),
    messageId: uuid("message_id").notNull(),
    accountId: uuid("account_id").notNull(),
    provider: text("provider").$type<MailProvider>().notNull(),
    epoch: integer("epoch").notNull(),
    /** The share that the variant had when the lead was assigned. */
    propensity: real("propensity").notNull(),
    assignedAt: instant("assigned_at").notNull(),
    sentAt: instant("sent_at"),
    /** First reply by a person after the email. */
    repliedAt: instant("replied_at"),
    /** The lead was classified as interested. */
    interested: flag("interested").notNull(),
    /** The lead was classified as not interested. */
    declined: flag("declined").notNull().default(false),
    bounced: flag("bounced").notNull(),
    /** The lead opted out or complained after the email. */
    optedOut: flag("opted_out").notNull().default(false),
    /** When its window closes; null where it has been measured, or is not sent. */
    dueAt: instant("due_at"),
    /** Its window has closed: it is a success or a failure. */
    judged: flag("judged").notNull(),
    /** Window and metric of the experiment, so that one row tells what it counts as. */
    windowMs: integer("window_ms").notNull(),
    metric: text("metric").$type<PrimaryMetric>().notNull(),
  },
  (table) => [
    uniqueIndex("exposures_lead").on(table.experimentId, table.leadId),
    index("exposures_enrollment").on(table.enrollmentId),
    index("exposures_of_lead").on(table.leadId),
    index("exposures_due").on(table.dueAt).where(isNotNull(table.dueAt)),
    index("exposures_open").on(table.experimentId, table.dueAt).where(isNotNull(table.dueAt)),
    index("exposures_unsent").on(table.experimentId).where(isNull(table.sentAt)),
  ],
);
export type ExposureRow = typeof exposures.$inferSelect;

export const TALLY_KINDS = ["variant", "epoch", "stratum"] as const;
/** `variant`: all of it. `epoch`: of leads assigned in one. `stratum`: by mailbox and provider. */
export type TallyKind = (typeof TALLY_KINDS)[number];

/** Sums over exposures, kept in the transaction of their change. */
export const tallies = sqliteTable(
  "experiment_tallies",
  {
    teamId: uuid("team_id").notNull(),
    experimentId: uuid("experiment_id")
      .notNull()
      .references(() => experiments.id, { onDelete: "cascade" }),
    variantId: uuid("variant_id").notNull(),
    kind: text("kind").$type<TallyKind>().notNull(),
    /** '', the epoch's number, or `<account> <provider>`. */
    bucket: text("bucket").notNull(),
    sent: integer("sent").notNull(),
    replies: integer("replies").notNull(),
    interested: integer("interested").notNull(),
    negativeReplies: integer("negative_replies").notNull().default(0),
    bounced: integer("bounced").notNull(),
    optedOut: integer("opted_out").notNull().default(0),
    successes: integer("successes").notNull(),
    failures: integer("failures").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.experimentId, table.kind, table.variantId, table.bucket] }),
  ],
);
export type TallyRow = typeof tallies.$inferSelect;
