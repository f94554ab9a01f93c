/** What becomes of tracked emails: which links lead where, who came, and what is still to be classified. */

import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { flag, instant, json, uuid } from "#store/sqlite/columns.ts";

/** One for each message of ours that is tracked; no other message has one. */
export const trackings = sqliteTable("trackings", {
  /** The message's. */
  id: uuid("id").primaryKey(),
  teamId: uuid("team_id").notNull(),
  /** Where its links lead, without a slash at its end. */
  base: text("base").notNull(),
  /** Whether it holds a picture that tells of being opened. */
  pixel: flag("pixel").notNull(),
  /** What the links in it meant, in their order. */
  links: json<string[]>("links").notNull(),
  opens: integer("opens").notNull(),
  clicks: integer("clicks").notNull(),
  machineOpens: integer("machine_opens").notNull(),
  machineClicks: integer("machine_clicks").notNull(),
  firstOpenedAt: instant("first_opened_at"),
  lastOpenedAt: instant("last_opened_at"),
  firstClickedAt: instant("first_clicked_at"),
  lastClickedAt: instant("last_clicked_at"),
  /** Place in `links` of the last one that a person followed. */
  lastLink: integer("last_link"),
  /** When a machine last followed several links at once. */
  burstAt: instant("burst_at"),
});
export type TrackingRow = typeof trackings.$inferSelect;

/** Requests that are not classified yet: a scanner shows itself by what it asks for next. */
export const touches = sqliteTable(
  "touches",
  {
    id: uuid("id").primaryKey(),
    teamId: uuid("team_id").notNull(),
    messageId: uuid("message_id").notNull(),
    kind: text("kind").$type<"open" | "click">().notNull(),
    /** Place in the message's links; null for the picture. */
    link: integer("link"),
    at: instant("at").notNull(),
    /** It said so itself. */
    machine: flag("machine").notNull(),
    dueAt: instant("due_at").notNull(),
  },
  (table) => [
    index("touches_due").on(table.dueAt),
    index("touches_message").on(table.messageId, table.id),
  ],
);
export type TouchRow = typeof touches.$inferSelect;
