/** Teams and their keys. A team has one id in both environments. */

import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { InterestWords } from "#domain/inbox/interest.ts";
import type { Language } from "#domain/sending/languages.ts";
import { bytes, flag, instant, json, uuid } from "#store/sqlite/columns.ts";

export const teams = sqliteTable("teams", {
  id: uuid("id").primaryKey(),
  name: text("name").notNull(),
  /** Printed in the footer of every email; null until somebody gives one. */
  postalAddress: text("postal_address"),
  /** Appends the footer where a body has no unsubscribe link of its own. */
  footer: flag("footer").notNull().default(true),
  /** What the link of the footer says; null: our words in the recipient's language. */
  unsubscribeText: text("unsubscribe_text"),
  /** Of our words to those whose own is not known, and of the emails that the team itself gets. */
  language: text("language").$type<Language>().notNull().default("en"),
  /** Name under which tracked links reach us; null: the public address. */
  trackingHost: text("tracking_host"),
  /** What the team wants read as interest, before the built-in phrases. */
  interestWords: json<InterestWords>("interest_words").notNull(),
  createdAt: instant("created_at").notNull(),
  updatedAt: instant("updated_at").notNull(),
});
export type TeamRow = typeof teams.$inferSelect;

export const apiKeys = sqliteTable(
  "api_keys",
  {
    id: uuid("id").primaryKey(),
    teamId: uuid("team_id")
      .notNull()
      .references(() => teams.id),
    name: text("name").notNull(),
    /** SHA-256 of the whole key; the key itself is nowhere. */
    hash: bytes("hash").notNull(),
    last4: text("last4").notNull(),
    scopes: json<string[]>("scopes").notNull(),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at"),
    revokedAt: instant("revoked_at"),
    lastUsedAt: instant("last_used_at"),
    /** The key that took this one's place by rotation. */
    replacedBy: uuid("replaced_by"),
  },
  (table) => [
    uniqueIndex("api_keys_hash").on(table.hash),
    index("api_keys_team").on(table.teamId, table.id),
  ],
);
export type ApiKeyRow = typeof apiKeys.$inferSelect;

/** Responses stored for a day so that a repeated POST with the same key is not done twice. */
export const idempotency = sqliteTable(
  "idempotency",
  {
    teamId: uuid("team_id").notNull(),
    key: text("key").notNull(),
    /** SHA-256 of method, path and body. */
    fingerprint: bytes("fingerprint").notNull(),
    /** HTTP status of the stored response. */
    status: integer("status").notNull(),
    /** Location header and body, sealed: it may hold a new API key. */
    answer: text("answer").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("idempotency_key").on(table.teamId, table.key),
    index("idempotency_age").on(table.createdAt),
  ],
);
export type IdempotencyRow = typeof idempotency.$inferSelect;
