/** Files that a team's emails carry, in slices: a row of ten megabytes would hold everybody up. */

import { ne, sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { bytes, instant, uuid } from "#store/sqlite/columns.ts";

export const files = sqliteTable(
  "files",
  {
    id: uuid("id").primaryKey(),
    teamId: uuid("team_id").notNull(),
    name: text("name").notNull(),
    mediaType: text("media_type").notNull(),
    bytes: integer("bytes").notNull(),
    /** Empty until all of it has arrived. */
    sha256: bytes("sha256").notNull(),
    /** `gone`: deleted, and its slices are being removed. */
    state: text("state").$type<"arriving" | "kept" | "gone">().notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    index("files_team").on(table.teamId, table.id),
    index("files_unkept").on(table.id).where(ne(table.state, sql`'kept'`)),
  ],
);
export type FileRow = typeof files.$inferSelect;

export const fileSlices = sqliteTable(
  "file_slices",
  {
    fileId: uuid("file_id").notNull(),
    teamId: uuid("team_id").notNull(),
    /** From 0, without holes. */
    place: integer("place").notNull(),
    data: bytes("data").notNull(),
  },
  (table) => [primaryKey({ columns: [table.fileId, table.place] })],
);
