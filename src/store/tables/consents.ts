/** Consents that people have begun to give: one a mailbox, for a few minutes. */

import { index, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { bytes, instant, uuid } from "#store/sqlite/columns.ts";
import { teams } from "./teams.ts";

export const consents = sqliteTable(
  "consents",
  {
    /** The account's: a new consent takes the place of an older one. */
    id: uuid("id").primaryKey(),
    teamId: uuid("team_id")
      .notNull()
      .references(() => teams.id),
    /** Names this consent in the link that begins it. */
    ticket: uuid("ticket").notNull(),
    /** SHA-256 of the `state` that the browser was sent away with; null: not sent, or back already. */
    stateHash: bytes("state_hash"),
    /** SHA-256 of the cookie that the browser was given. */
    browserHash: bytes("browser_hash"),
    /** PKCE's secret, sealed. */
    verifier: text("verifier"),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [
    uniqueIndex("consents_ticket").on(table.ticket),
    uniqueIndex("consents_state").on(table.stateHash),
    index("consents_age").on(table.expiresAt),
  ],
);
export type ConsentRow = typeof consents.$inferSelect;
