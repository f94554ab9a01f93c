/** What happened (events), who did it (audit), and facts about the file itself. */

import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { EventType } from "#domain/events/event.ts";
import { bytes, instant, json, uuid } from "#store/sqlite/columns.ts";

export const events = sqliteTable(
  "events",
  {
    seq: integer("seq").primaryKey({ autoIncrement: true }),
    id: uuid("id").notNull(),
    teamId: uuid("team_id").notNull(),
    type: text("type").$type<EventType>().notNull(),
    createdAt: instant("created_at").notNull(),
    data: json<Record<string, unknown>>("data").notNull(),
  },
  (table) => [
    uniqueIndex("events_id").on(table.id),
    index("events_team").on(table.teamId, table.seq),
    index("events_type").on(table.teamId, table.type, table.seq),
  ],
);
export type EventRow = typeof events.$inferSelect;

export const audit = sqliteTable(
  "audit",
  {
    seq: integer("seq").primaryKey({ autoIncrement: true }),
    teamId: uuid("team_id").notNull(),
    /** `key:<id>`, `user:<id>`, `engine` or `operator`. */
    actor: text("actor").notNull(),
    /** `campaign.patch`, `key.revoke`, … */
    action: text("action").notNull(),
    target: text("target").notNull(),
    at: instant("at").notNull(),
    before: json<Record<string, unknown> | null>("before"),
    after: json<Record<string, unknown> | null>("after"),
    /** Of the request that asked for it; null for what was no request's. */
    requestId: text("request_id"),
    /** Number in the team's chain, from 1; null for what was written before there was one. */
    position: integer("position"),
    /** SHA-256 of the entry and of the hash before it. */
    hash: bytes("hash"),
  },
  (table) => [
    index("audit_team").on(table.teamId, table.seq),
    index("audit_target").on(table.teamId, table.target, table.seq),
    index("audit_age").on(table.at),
  ],
);
export type AuditRow = typeof audit.$inferSelect;

/** Of each team the last entry that is past its time: what is kept goes on from there. */
export const auditAnchors = sqliteTable("audit_anchors", {
  teamId: uuid("team_id").primaryKey(),
  position: integer("position").notNull(),
  hash: bytes("hash").notNull(),
  /** When the change was made. */
  at: instant("at").notNull(),
});

export const facts = sqliteTable("facts", {
  name: text("name").primaryKey(),
  value: text("value").notNull(),
});
