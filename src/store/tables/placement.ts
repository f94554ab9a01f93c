/** Placement tests: the seed mailboxes, the runs over them, and each run's tests. */

import { isNotNull } from "drizzle-orm";
import { index, integer, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { WEEKDAYS } from "#domain/campaigns/window.ts";
import type { ServerSettings } from "#domain/mailboxes/account.ts";
import type { Authentication } from "#domain/mailboxes/authentication-results.ts";
import type { MailProvider } from "#domain/mailboxes/mail-provider.ts";
import type {
  Placement,
  RunStatus,
  SeedStatus,
  Tab,
  TestStatus,
  TriggerType,
} from "#domain/placement/placement.ts";
import type { BodyFormat } from "#domain/sending/text-to-html.ts";
import { flag, type Id, instant, json, uuid } from "#store/sqlite/columns.ts";
import { teams } from "./teams.ts";

/** The team's own mailboxes in which test emails are looked for. */
export const placementSeeds = sqliteTable(
  "placement_seeds",
  {
    id: uuid("id").primaryKey(),
    teamId: uuid("team_id")
      .notNull()
      .references(() => teams.id),
    email: text("email").notNull(),
    status: text("status").$type<SeedStatus>().notNull(),
    /** By the mail exchanges of its domain. */
    provider: text("provider").$type<MailProvider>().notNull(),
    /** When its exchanges are next asked for; null: known. */
    mxAt: instant("mx_at"),
    mxErrors: integer("mx_errors").notNull(),
    /** Without the password. Null in the sandbox. */
    imap: json<ServerSettings>("imap"),
    /** Whose authorization server renews its token, where it has one. */
    oauthProvider: text("oauth_provider").$type<"google" | "microsoft">(),
    /** As an account's (`usecases/mailboxes/credentials.ts`). */
    secrets: text("secrets"),
    /** Whether Gmail sorts its inbox into categories; null: not Gmail, or not seen yet. */
    tabs: flag("tabs"),
    /** The folder that is its spam; null: it has none, or was not seen yet. */
    junkFolder: text("junk_folder"),
    lastLookedAt: instant("last_looked_at"),
    lastError: text("last_error"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [
    uniqueIndex("placement_seeds_email").on(table.teamId, table.email),
    index("placement_seeds_team").on(table.teamId, table.id),
    index("placement_seeds_mx").on(table.mxAt).where(isNotNull(table.mxAt)),
  ],
);
export type SeedRow = typeof placementSeeds.$inferSelect;

/** What the test emails of a run say: a step's templates as they were when it was begun. */
export interface RunContent {
  subject: string | null;
  body: string;
  /** Null, and absent in older rows: what the body looks like. */
  format?: BodyFormat | null;
  /** Absent in older rows: none. */
  attachmentIds?: readonly Id[];
  /** Of a follow-up, the subject of the message that it replies to. */
  threadSubject: string | null;
  /** Its campaign was a draft: nobody is sent this yet. Absent otherwise, and in older rows. */
  isDraft?: true;
}

export const placementRuns = sqliteTable(
  "placement_runs",
  {
    id: uuid("id").primaryKey(),
    teamId: uuid("team_id").notNull(),
    triggerType: text("trigger_type").$type<TriggerType>().notNull(),
    status: text("status").$type<RunStatus>().notNull(),
    scheduleId: uuid("schedule_id"),
    campaignId: uuid("campaign_id"),
    stepId: uuid("step_id"),
    /** Null: a neutral text of ours. */
    content: json<RunContent>("content"),
    /** Sums of its tests (`domain/placement/placement.ts`), written with every change of one. */
    total: integer("total").notNull(),
    inbox: integer("inbox").notNull(),
    spam: integer("spam").notNull(),
    promotions: integer("promotions").notNull(),
    notDelivered: integer("not_delivered").notNull(),
    pending: integer("pending").notNull(),
    failed: integer("failed").notNull(),
    inboxRate: real("inbox_rate").notNull(),
    /** When its first email was claimed. */
    startedAt: instant("started_at"),
    completedAt: instant("completed_at"),
    /** The last instant at which it changes by itself. */
    endsAt: instant("ends_at").notNull(),
    /** `endsAt` while something is under way, so that it is found when that comes. */
    dueAt: instant("due_at"),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    index("placement_runs_team").on(table.teamId, table.id),
    index("placement_runs_due").on(table.dueAt).where(isNotNull(table.dueAt)),
  ],
);
export type RunRow = typeof placementRuns.$inferSelect;

/** One email from one account to one seed. Addresses and provider are kept as they were. */
export const placementTests = sqliteTable(
  "placement_tests",
  {
    /** Its message names it as `placement_test_id`. */
    id: uuid("id").primaryKey(),
    teamId: uuid("team_id").notNull(),
    runId: uuid("run_id").notNull(),
    accountId: uuid("account_id").notNull(),
    accountEmail: text("account_email").notNull(),
    seedId: uuid("seed_id").notNull(),
    seedEmail: text("seed_email").notNull(),
    seedProvider: text("seed_provider").$type<MailProvider>().notNull(),
    status: text("status").$type<TestStatus>().notNull(),
    placement: text("placement").$type<Placement>(),
    /** IMAP folder in which it was found. */
    folder: text("folder"),
    tab: text("tab").$type<Tab>(),
    /** Why there is no placement, or why it was not delivered. */
    error: text("error"),
    /** When its email is to be sent; null: it was, is being, or is not. */
    dueAt: instant("due_at"),
    /** When it is next looked for; null: not any more. */
    lookAt: instant("look_at"),
    /** When the email was handed over, or may have been. */
    sentAt: instant("sent_at"),
    /** When its placement was found out. */
    testedAt: instant("tested_at"),
    latencyMs: integer("latency_ms"),
    /** What the seed's server says of the email that it delivered. */
    authentication: json<Authentication>("authentication"),
    oneClickSigned: flag("one_click_signed"),
  },
  (table) => [
    index("placement_tests_run").on(table.runId, table.id),
    index("placement_tests_due").on(table.accountId, table.dueAt).where(isNotNull(table.dueAt)),
    index("placement_tests_look").on(table.lookAt, table.seedId).where(isNotNull(table.lookAt)),
    index("placement_tests_seed").on(table.seedId, table.id),
    index("placement_tests_account").on(table.accountId, table.testedAt),
  ],
);
export type TestRow = typeof placementTests.$inferSelect;

/** Runs that are begun every week. */
export const placementSchedules = sqliteTable(
  "placement_schedules",
  {
    id: uuid("id").primaryKey(),
    teamId: uuid("team_id")
      .notNull()
      .references(() => teams.id),
    /** Empty: every account that may send then. */
    accountIds: json<string[]>("account_ids").notNull(),
    /** Empty: every seed that is not paused then. */
    seedIds: json<string[]>("seed_ids").notNull(),
    /** The campaign whose step the emails say; it may be changed, as a row's own campaign may not. */
    contentCampaignId: uuid("campaign_id"),
    stepId: uuid("step_id"),
    weekday: text("weekday").$type<(typeof WEEKDAYS)[number]>().notNull(),
    hour: integer("hour").notNull(),
    timezone: text("timezone").notNull(),
    active: flag("active").notNull(),
    /** Null while it is not active. */
    nextRunAt: instant("next_run_at"),
    lastRunId: uuid("last_run_id"),
    /** Why the last one could not be begun. */
    lastError: text("last_error"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [
    index("placement_schedules_team").on(table.teamId, table.id),
    index("placement_schedules_next").on(table.nextRunAt).where(isNotNull(table.nextRunAt)),
  ],
);
export type ScheduleRow = typeof placementSchedules.$inferSelect;

/** Where the simulated servers put a test's email because somebody asked for it. */
export const sandboxPlacements = sqliteTable("sandbox_placements", {
  id: uuid("test_id").primaryKey(),
  teamId: uuid("team_id").notNull(),
  placement: text("placement").$type<Placement>().notNull(),
});
