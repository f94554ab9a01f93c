/** The simulated internet of the test environment: what was captured and what is still to arrive. */

import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { bytes, instant, json, uuid } from "#store/sqlite/columns.ts";

/** Messages that a sandbox account handed over: captured, never sent. */
export const sandboxMessages = sqliteTable(
  "sandbox_messages",
  {
    id: uuid("id").primaryKey(),
    teamId: uuid("team_id").notNull(),
    accountId: uuid("account_id").notNull(),
    messageId: text("message_id").notNull(),
    sender: text("sender").notNull(),
    recipient: text("recipient").notNull(),
    subject: text("subject").notNull(),
    raw: bytes("raw").notNull(),
    sentAt: instant("sent_at").notNull(),
    /** Where it ended: `delivered`, `bounced`, `spam`; `copy` is in the Sent folder only. */
    verdict: text("verdict").notNull(),
  },
  (table) => [
    index("sandbox_messages_team").on(table.teamId, table.id),
    index("sandbox_messages_account").on(table.accountId, table.id),
    index("sandbox_messages_recipient").on(table.teamId, table.recipient, table.id),
    index("sandbox_messages_id").on(table.accountId, table.messageId),
  ],
);
export type SandboxMessageRow = typeof sandboxMessages.$inferSelect;

/** Email on its way into a sandbox mailbox. `seq` is its UID. */
export const sandboxMails = sqliteTable(
  "sandbox_mails",
  {
    seq: integer("seq").primaryKey({ autoIncrement: true }),
    teamId: uuid("team_id").notNull(),
    accountId: uuid("account_id").notNull(),
    folder: text("folder").notNull(),
    raw: bytes("raw").notNull(),
    arrivesAt: instant("arrives_at").notNull(),
  },
  (table) => [
    index("sandbox_mails_account").on(table.accountId, table.arrivesAt, table.seq),
    index("sandbox_mails_team").on(table.teamId),
  ],
);
export type SandboxMailRow = typeof sandboxMails.$inferSelect;

/** One row a team: seed and rates of its simulated people, faults that are switched on. */
export const sandboxSettings = sqliteTable("sandbox_settings", {
  teamId: uuid("team_id").primaryKey(),
  settings: json<Record<string, unknown>>("settings").notNull(),
});
