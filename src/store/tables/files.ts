/** Files that a team's emails carry, in slices: a row of ten megabytes would hold everybody up. */

import { ne, sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { bytes, flag, instant, uuid } from "#store/sqlite/columns.ts";

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

/** What an email carried, or is to carry: still told when the file is gone. */
export const messageFiles = sqliteTable(
  "message_files",
  {
    messageId: uuid("message_id").notNull(),
    teamId: uuid("team_id").notNull(),
    /** In the order in which the email has them. */
    place: integer("place").notNull(),
    fileId: uuid("file_id").notNull(),
    /** An image in its text. */
    isInline: flag("is_inline").notNull(),
    name: text("name").notNull(),
    mediaType: text("media_type").notNull(),
    bytes: integer("bytes").notNull(),
    sha256: bytes("sha256").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.messageId, table.place] }),
    index("message_files_file").on(table.fileId),
  ],
);
export type MessageFileRow = typeof messageFiles.$inferSelect;
