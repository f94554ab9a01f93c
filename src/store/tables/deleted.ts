/** What was deleted and can still be brought back: a line for each thing, and the rows that belong to it. */

import { isNotNull } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { type Id, instant, json, uuid } from "#store/sqlite/columns.ts";
import { leads } from "./leads.ts";

export const DELETED_KINDS = ["campaign", "account", "webhook"] as const;
export type DeletedKind = (typeof DELETED_KINDS)[number];

export const deleted = sqliteTable(
  "deleted",
  {
    /** That of the campaign, account or webhook. */
    id: uuid("id").primaryKey(),
    teamId: uuid("team_id").notNull(),
    kind: text("kind").$type<DeletedKind>().notNull(),
    /** What people know it by: a name, an address or a URL. */
    name: text("name").notNull(),
    deletedAt: instant("deleted_at").notNull(),
    /** Of an account, as `accounts.secrets`; here, so that a new master key reaches them. */
    secrets: text("secrets"),
    /** The campaigns that named an account, and at which place of their list. */
    campaigns: json<readonly { id: Id; at: number }[]>("campaigns").notNull().default([]),
  },
  (table) => [
    index("deleted_team").on(table.teamId, table.deletedAt, table.id),
    index("deleted_age").on(table.deletedAt),
  ],
);
export type DeletedRow = typeof deleted.$inferSelect;

export const deletedRows = sqliteTable(
  "deleted_rows",
  {
    seq: integer("seq").primaryKey({ autoIncrement: true }),
    teamId: uuid("team_id").notNull(),
    deletedId: uuid("deleted_id").notNull(),
    /** The person whom the row is about: it goes with them. */
    leadId: uuid("lead_id").references(() => leads.id, { onDelete: "cascade" }),
    /** The table that it was in, or `due` for when a lead was due. */
    origin: text("origin").notNull(),
    /** JSON of its columns; bytes as `{"x": hex}`, and no nulls. */
    cells: text("cells").notNull(),
  },
  (table) => [
    index("deleted_rows_of").on(table.deletedId, table.seq),
    index("deleted_rows_lead").on(table.leadId).where(isNotNull(table.leadId)),
  ],
);
