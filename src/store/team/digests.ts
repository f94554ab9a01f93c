/** Members who are told by email what waits in the inbox, and when the next of them is. */

import { asc, lte, sql } from "drizzle-orm";
import type { UnixMs } from "#domain/time.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { earliest } from "#store/sqlite/earliest.ts";
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

const due = prepared((db) =>
  db.orm
    .select()
    .from(digests)
    .where(lte(digests.dueAt, sql.placeholder("now")))
    .orderBy(asc(digests.dueAt))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** Those whose time has come, the one that has waited longest first. */
export function digestsDue(db: Db, now: UnixMs, limit: number): DigestRow[] {
  return due(db).all({ now, limit });
}

export const nextDigestAt = earliest(digests.dueAt);
