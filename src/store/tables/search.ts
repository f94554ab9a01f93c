/** What full-text search knows of; the index itself and what keeps it are in `store/sqlite/search-schema.ts`. */

import { integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { uuid } from "#store/sqlite/columns.ts";

export type SearchKind = "lead" | "thread";

/** What stands in the index under which number. */
export const searchDocs = sqliteTable(
  "search_docs",
  {
    /** Written out: SQLite may give rows without a number of their own another one. */
    doc: integer("doc").primaryKey(),
    /** Of the lead or the thread. */
    id: uuid("id").notNull(),
    teamId: uuid("team_id").notNull(),
    kind: text("kind").$type<SearchKind>().notNull(),
  },
  (table) => [uniqueIndex("search_docs_id").on(table.id)],
);

/** What is new or has changed since it was indexed; the same may stand here several times. */
export const searchDue = sqliteTable("search_due", {
  seq: integer("seq").primaryKey(),
  id: uuid("id").notNull(),
  kind: text("kind").$type<SearchKind>().notNull(),
});
