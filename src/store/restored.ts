/** Facts by which a database that was put in its place by somebody is known, and how old it is. */

import { type UnixMs, unixMs } from "#domain/time.ts";
import type { Db } from "./database.ts";
import { readFact, writeFact } from "./journal.ts";
import { COPIED_AT } from "./snapshot.ts";

/** Random, new at each start of a server; the same is written beside the file. */
const RUN = "run";
/** Since when what was sent is in doubt; there until that has been cleared up. */
const DOUBT_SINCE = "doubt_since";
/** Sequence numbers that a restore leaps over, so that none is used for two events. */
const LEAP = 1_000_000;

/** Null for one that no server has run on. */
export function runOf(db: Db): string | null {
  return readFact(db, RUN) ?? null;
}

export function writeRun(db: Db, run: string): void {
  writeFact(db, RUN, run);
}

/** When a copy was made that this file is; null for an original. */
export function copiedAt(db: Db): UnixMs | null {
  return instantOf(db, COPIED_AT);
}

export function doubtSince(db: Db): UnixMs | null {
  return instantOf(db, DOUBT_SINCE);
}

export function isInDoubt(db: Db): boolean {
  return doubtSince(db) !== null;
}

/**
 * From here on `since` is remembered until {@link endDoubt}, also over a crash. Whoever reads the event
 * stream after a number of the lost time must not miss what comes now.
 */
export function beginDoubt(db: Db, since: UnixMs): void {
  writeFact(db, DOUBT_SINCE, String(since));
  db.raw.query("delete from facts where name = ?1").run(COPIED_AT);
  db.raw.query("update sqlite_sequence set seq = seq + ?1 where name = 'events'").run(LEAP);
}

export function endDoubt(db: Db): void {
  db.raw.query("delete from facts where name = ?1").run(DOUBT_SINCE);
}

/** The latest instant of which the file knows anything; null where nothing ever happened. */
export function lastKnownAt(db: Db): UnixMs | null {
  const [event, message] = [
    "select created_at as at from events order by seq desc limit 1",
    "select claimed_at as at from messages order by id desc limit 1",
  ].map((query) => db.raw.query<{ at: number }, []>(query).get()?.at ?? 0);
  const at = Math.max(event ?? 0, message ?? 0);
  return at === 0 ? null : unixMs(at);
}

function instantOf(db: Db, name: string): UnixMs | null {
  const text = readFact(db, name);
  return text === undefined ? null : unixMs(Number(text));
}
