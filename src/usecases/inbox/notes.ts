/** Notes that colleagues leave each other on a conversation. Nobody outside the team sees them. */

import { conflict, found, Problem } from "#domain/problem.ts";
import type { Caller, Environment } from "#environment.ts";
import { findNote, insertNote, notesOf, removeNote } from "#store/inbox/notes.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { ThreadNoteRow } from "#store/tables/inbox.ts";
import { audit } from "#usecases/events/record.ts";
import { requireThread } from "./threads.ts";

/** Of a conversation. */
export const NOTES_MAX = 200;
export const NOTE_CHARS_MAX = 10_000;
/** People whom one note names. */
export const MENTIONS_MAX = 20;

export interface NoteInput {
  body: string;
  /** Members of the team, which the caller has checked. */
  mentions: readonly Id[];
}

/** Throws `not_found` for the thread, `conflict` for one note too many. */
export function addNote(
  env: Environment,
  caller: Caller,
  threadId: Id,
  { body, mentions }: NoteInput,
): ThreadNoteRow {
  const { id: thread } = requireThread(env, caller, threadId);
  if (notesOf(env.db, thread).length >= NOTES_MAX) {
    throw conflict(`a conversation may have at most ${NOTES_MAX} notes`);
  }
  const now = env.clock.now();
  const row: ThreadNoteRow = {
    id: env.ids.next(now),
    teamId: caller.teamId,
    threadId: thread,
    author: caller.actor,
    body,
    mentions: [...new Set(mentions)],
    createdAt: now,
  };
  insertNote(env.db, row);
  // Of what was written only that it was: an erasure leaves the audit log as it is.
  const after = { note_id: row.id, mentions: row.mentions };
  audit(env, caller, { action: "thread.note", target: `thread:${thread}`, after });
  return row;
}

/** Throws `not_found`, and `permission_error` for what somebody else wrote, unless by an admin. */
export function deleteNote(env: Environment, caller: Caller, threadId: Id, id: Id): void {
  const thread = requireThread(env, caller, threadId);
  const note = found(findNote(env.db, caller.teamId, id), "note");
  found(note.threadId === thread.id ? note : undefined, "note");
  if (note.author !== caller.actor && !caller.scopes.includes("admin")) {
    throw new Problem("permission_error", "only who wrote a note, or an admin, may delete it");
  }
  removeNote(env.db, id);
  const before = { note_id: id, author: note.author };
  audit(env, caller, { action: "thread.note_delete", target: `thread:${thread.id}`, before });
}
