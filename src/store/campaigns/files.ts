/** Files of teams, and their slices. Who reads a file reads one slice at a time. */

import { and, count, desc, eq, max, ne, sql, sum } from "drizzle-orm";
import { equals, type Id } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { finder, inserter, reader, remover, updater } from "#store/sqlite/rows.ts";
import { type FileRow, fileSlices, files } from "#store/tables/files.ts";

export const insertFile = inserter(files);
/** Writes the whole row: read it in the same transaction. */
export const updateFile = updater(files);
export const removeFile = remover(files);
/** In whatever state. */
export const fileById = finder(files);

/** Undefined for another team's as for one that never was, and for one that has not arrived or is gone. */
export function findFile(db: Db, teamId: Id, id: Id): FileRow | undefined {
  const row = fileById(db, id.toLowerCase());
  return row?.teamId === teamId && row.state === "kept" ? row : undefined;
}

const kept = (teamId: Id) => and(eq(files.teamId, teamId), eq(files.state, "kept"));

/** Newest first. */
export function listFiles(db: Db, teamId: Id, range: { limit: number; offset: number }): FileRow[] {
  return db.orm
    .select()
    .from(files)
    .where(kept(teamId))
    .orderBy(desc(files.id))
    .limit(range.limit)
    .offset(range.offset)
    .all();
}

/** How many files a team has, and their bytes. */
export function filesOf(db: Db, teamId: Id): { total: number; bytes: number } {
  const row = db.orm
    .select({ total: count(), bytes: sum(files.bytes) })
    .from(files)
    .where(kept(teamId))
    .get();
  return { total: row?.total ?? 0, bytes: Number(row?.bytes ?? 0) };
}

export function insertSlice(
  db: Db,
  { id: fileId, teamId }: Pick<FileRow, "id" | "teamId">,
  place: number,
  data: Uint8Array,
): void {
  db.orm.insert(fileSlices).values({ fileId, teamId, place, data }).run();
}

const slice = prepared((db) =>
  db.orm
    .select({ data: fileSlices.data })
    .from(fileSlices)
    .where(and(equals(fileSlices.fileId, "fileId"), eq(fileSlices.place, sql.placeholder("place"))))
    .prepare(),
);

/** Undefined after the last. */
export function sliceOf(db: Db, fileId: Id, place: number): Uint8Array | undefined {
  return slice(db).get({ fileId, place })?.data;
}

/** Files that were deleted or have not arrived, the oldest first. */
export function filesNotKept(db: Db, limit: number): FileRow[] {
  return notKept(db, { limit });
}

const notKept = reader(files, (db) =>
  db.orm
    .select()
    .from(files)
    .where(ne(files.state, sql`'kept'`))
    .orderBy(files.id)
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** Removes the last slice of a file. False where there was none. */
export function removeSlice(db: Db, fileId: Id): boolean {
  const last = db.orm
    .select({ place: max(fileSlices.place) })
    .from(fileSlices)
    .where(eq(fileSlices.fileId, fileId))
    .get();
  if (last?.place == null) {
    return false;
  }
  db.orm
    .delete(fileSlices)
    .where(and(eq(fileSlices.fileId, fileId), eq(fileSlices.place, last.place)))
    .run();
  return true;
}
