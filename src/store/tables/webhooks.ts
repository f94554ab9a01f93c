/** Endpoints that are notified of events, what each is told, and every try at it. Their time is the wall's. */

import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import type { Include } from "#domain/event-include.ts";
import type { AttemptError, DeliveryStatus, DisabledReason } from "#domain/events/webhook.ts";
import { flag, type Id, instant, json, uuid } from "#store/sqlite/columns.ts";
import { events } from "./events.ts";

export const webhooks = sqliteTable(
  "webhooks",
  {
    id: uuid("id").primaryKey(),
    teamId: uuid("team_id").notNull(),
    url: text("url").notNull(),
    /** Given by a person; null without one. */
    name: text("name"),
    /** Kinds, families and `*`. */
    events: json<string[]>("events").notNull(),
    /** Campaigns whose events it gets; null: all events, also those of no campaign. */
    campaignIds: json<Id[] | null>("campaign_ids"),
    /** Records that deliveries carry beside the event. */
    include: json<Include[]>("include").notNull().default([]),
    /** JSON of names and values, sealed like the secret; null without any. */
    headers: text("headers"),
    /** Sealed, `webhooks.secret:<id>`; empty once the webhook is purged. */
    secret: text("secret").notNull(),
    /** Sealed alike; signs beside the new one until `previousUntil`. */
    previousSecret: text("previous_secret"),
    previousUntil: instant("previous_until"),
    active: flag("active").notNull(),
    disabledReason: text("disabled_reason").$type<DisabledReason>(),
    disabledAt: instant("disabled_at"),
    /** Failures since the last success, when the first of them was, and until when the endpoint rests. */
    failures: integer("failures").notNull(),
    failingSince: instant("failing_since"),
    pausedUntil: instant("paused_until"),
    /** When the delivery worker looks at it next: at the first delivery that is due, or after. */
    dueAt: instant("due_at"),
    /** The last event before what is subscribed now: of later ones none may be missing. */
    sinceSeq: integer("since_seq").notNull(),
    /** The environment's clock, as of other records. */
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
    /**
     * It is gone for everybody, and may come back while there is a line of it in `deleted`; then its deliveries go,
     * which may be many, and the row last.
     */
    deletedAt: instant("deleted_at"),
  },
  (table) => [
    index("webhooks_team").on(table.teamId, table.id),
    index("webhooks_due").on(table.dueAt).where(sql`${table.dueAt} is not null`),
    index("webhooks_failing")
      .on(table.id)
      .where(
        sql`${table.failingSince} is not null and ${table.active} = 1 and ${table.deletedAt} is null`,
      ),
    index("webhooks_deleted").on(table.id).where(sql`${table.deletedAt} is not null`),
  ],
);
export type WebhookRow = typeof webhooks.$inferSelect;

/** One event for one webhook. Its body is made of the event, the same at every try. */
export const deliveries = sqliteTable(
  "deliveries",
  {
    id: uuid("id").primaryKey(),
    teamId: uuid("team_id").notNull(),
    webhookId: uuid("webhook_id").notNull(),
    eventSeq: integer("event_seq")
      .notNull()
      .references(() => events.seq, { onDelete: "cascade" }),
    status: text("status").$type<DeliveryStatus>().notNull(),
    /** Failed ones since it was last begun, by the event or by a replay. */
    tries: integer("tries").notNull(),
    /** All of them. */
    attempts: integer("attempts").notNull(),
    dueAt: instant("due_at"),
    createdAt: instant("created_at").notNull(),
    endedAt: instant("ended_at"),
    lastStatus: integer("last_status"),
    lastError: text("last_error").$type<AttemptError>(),
  },
  (table) => [
    uniqueIndex("deliveries_event").on(table.eventSeq, table.webhookId),
    index("deliveries_webhook").on(table.webhookId, table.status, table.eventSeq),
    index("deliveries_due")
      .on(table.webhookId, table.dueAt, table.eventSeq)
      .where(sql`${table.dueAt} is not null`),
  ],
);
export type DeliveryRow = typeof deliveries.$inferSelect;

export const attempts = sqliteTable(
  "attempts",
  {
    deliveryId: uuid("delivery_id")
      .notNull()
      .references(() => deliveries.id, { onDelete: "cascade" }),
    /** From 1, over all replays. */
    n: integer("n").notNull(),
    startedAt: instant("started_at").notNull(),
    durationMs: integer("duration_ms").notNull(),
    /** Of the response, where there was one. */
    status: integer("status"),
    error: text("error").$type<AttemptError>(),
    /** Start of the response's body as text, printable. */
    response: text("response"),
  },
  (table) => [primaryKey({ columns: [table.deliveryId, table.n] })],
);
export type AttemptRow = typeof attempts.$inferSelect;
