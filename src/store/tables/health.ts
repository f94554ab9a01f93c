/** What came back for a mailbox's email, by its local day, and each email that did harm. */

import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { HealthPoints } from "#domain/mailboxes/health.ts";
import type { MailProvider } from "#domain/mailboxes/mail-provider.ts";
import { instant, json, uuid } from "#store/sqlite/columns.ts";

/** A day on which something was counted or the score moved. */
export const accountHealth = sqliteTable(
  "account_health",
  {
    teamId: uuid("team_id").notNull(),
    accountId: uuid("account_id").notNull(),
    /** `2026-03-01` in the account's zone. */
    date: text("date").notNull(),
    /** Of the emails that were claimed on that day, whenever the rest became known. */
    sends: integer("sends").notNull(),
    hardBounces: integer("hard_bounces").notNull(),
    complaints: integer("complaints").notNull(),
    /** As the day ended, or as it is now. */
    score: integer("score").notNull(),
    points: json<HealthPoints>("points").notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.date] })],
);
export type HealthDayRow = typeof accountHealth.$inferSelect;

/** What the recipients' providers made of a mailbox's emails of sequences, by day of the claim (UTC). */
export const providerDays = sqliteTable(
  "provider_days",
  {
    teamId: uuid("team_id").notNull(),
    accountId: uuid("account_id").notNull(),
    date: text("date").notNull(),
    provider: text("provider").$type<MailProvider>().notNull(),
    /** Attempts, by how they ended. */
    accepted: integer("accepted").notNull(),
    deferred: integer("deferred").notNull(),
    refused: integer("refused").notNull(),
    /** Emails of that day that came back, and that got a reply, whenever. */
    bounced: integer("bounced").notNull(),
    replied: integer("replied").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.date, table.provider] }),
    index("provider_days_team").on(table.teamId, table.date),
  ],
);

export type NegativeKind = "hard_bounce" | "complaint";

/** An email that bounced for good or that somebody complained of: each counts once. */
export const negativeEvents = sqliteTable(
  "harms",
  {
    messageId: uuid("message_id").notNull(),
    kind: text("kind").$type<NegativeKind>().notNull(),
    teamId: uuid("team_id").notNull(),
    accountId: uuid("account_id").notNull(),
    campaignId: uuid("campaign_id"),
    /** The day of the account's health that it counts on. */
    date: text("date").notNull(),
    at: instant("at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.messageId, table.kind] })],
);
export type NegativeEventRow = typeof negativeEvents.$inferSelect;
