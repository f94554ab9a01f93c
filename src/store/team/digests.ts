/** Members who are told by email what waits in the inbox, and when the next of them is. */

import { asc } from "drizzle-orm";
import type { Id } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { finder, inserter, remover } from "#store/sqlite/rows.ts";
import { type DigestRow, digests } from "#store/tables/people.ts";

const insertDigest = inserter(digests);
export const findDigest = finder(digests);
export const removeDigest = remover(digests);

/** In place of the one that the member had. */
export function saveDigest(db: Db, row: DigestRow): void {
  removeDigest(db, row.id);
  insertDigest(db, row);
}

const byTime = prepared((db) =>
  db.orm.select({ id: digests.id }).from(digests).orderBy(asc(digests.dueAt)).limit(1).prepare(),
);

/** The one that is due first. */
export function nextDigest(db: Db): DigestRow | undefined {
  const id: Id | undefined = byTime(db).get()?.id;
  return id === undefined ? undefined : findDigest(db, id);
}
