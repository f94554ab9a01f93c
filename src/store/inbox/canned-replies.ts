/** What a team replies again and again. */

import { asc, eq } from "drizzle-orm";
import type { Id } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";
import { inserter, remover, teamFinder, updater } from "#store/sqlite/rows.ts";
import { type CannedReplyRow, cannedReplies } from "#store/tables/inbox.ts";

export const insertCannedReply = inserter(cannedReplies);
/** Writes the whole row: read it in the same transaction. */
export const updateCannedReply = updater(cannedReplies);
export const removeCannedReply = remover(cannedReplies);
export const findCannedReply = teamFinder(cannedReplies);

/** All of a team, in the order of the alphabet. */
export function cannedRepliesOf(db: Db, teamId: Id): CannedReplyRow[] {
  return db.orm
    .select()
    .from(cannedReplies)
    .where(eq(cannedReplies.teamId, teamId))
    .orderBy(asc(cannedReplies.id))
    .all()
    .toSorted((a, b) => a.name.localeCompare(b.name, "en"));
}
