/** What colleagues tell each other about a conversation. */

import { asc, eq, type SQL, sql } from "drizzle-orm";
import { type Id, idToBytes } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";
import { inserter, remover, teamFinder } from "#store/sqlite/rows.ts";
import { type ThreadNoteRow, threadNotes } from "#store/tables/inbox.ts";

export const insertNote = inserter(threadNotes);
export const removeNote = remover(threadNotes);
export const findNote = teamFinder(threadNotes);

/** The oldest first. */
export function notesOf(db: Db, threadId: Id): ThreadNoteRow[] {
  return db.orm
    .select()
    .from(threadNotes)
    .where(eq(threadNotes.threadId, threadId))
    .orderBy(asc(threadNotes.id))
    .all();
}

/** Conversations with a note that names a user, as `thread_id`. No id is found within another: all are as long. */
export function threadsNaming(teamId: Id, userId: Id): SQL {
  return sql`select thread_id from thread_notes
    where team_id = ${idToBytes(teamId)} and mentions <> '[]'
      and instr(mentions, ${userId.toLowerCase()}) > 0`;
}

/** Notes of one conversation become another's, into which it is merged. */
export function moveNotes(db: Db, from: Id, to: Id): void {
  db.orm.update(threadNotes).set({ threadId: to }).where(eq(threadNotes.threadId, from)).run();
}
