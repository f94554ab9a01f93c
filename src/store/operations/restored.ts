/** Facts by which a database that was put in its place by somebody is known, and how old it is. */

import { type UnixMs, unixMs } from "#domain/time.ts";
import type { Db } from "#store/sqlite/database.ts";
import { readFact, writeFact } from "#store/sqlite/facts.ts";
import { COPIED_AT } from "./snapshot.ts";

/** Random, new at each start of a server; the same is written beside the file. */
const RUN = "run";
/** Written by earlier programs while they found out what was sent since then. */
const DOUBT_SINCE = "doubt_since";
/** Sequence numbers that a restore leaps over where the clock is behind them. */
const LEAP = 1_000_000;
const MICROSECONDS = 1_000;

/** Null for one that no server has run on. */
export function runOf(db: Db): string | null {
  return readFact(db, RUN) ?? null;
}

export function writeRun(db: Db, run: string): void {
  writeFact(db, RUN, run);
}

/** When a copy was made that this file is; null for an original. */
export function copiedAt(db: Db): UnixMs | null {
  const text = readFact(db, DOUBT_SINCE) ?? readFact(db, COPIED_AT);
  return text === undefined ? null : unixMs(Number(text));
}

/**
 * A copy is the original from here on. Whoever reads the event stream after a number of the lost time must
 * not miss what comes now. One copy may be put back twice, and an older one after a newer one: numbers go on from
 * the microseconds since 1970, so that a later restore is ahead of all that an earlier one has given, as long as
 * there are fewer than a million events a second. Where the clock was set back, a leap is what is left.
 */
export function leaveCopy(db: Db, now: UnixMs): void {
  db.raw.query("delete from facts where name in (?1, ?2)").run(COPIED_AT, DOUBT_SINCE);
  const from = now * MICROSECONDS;
  const leapt =
    "update sqlite_sequence set seq = iif(seq < ?2, ?2, seq + ?1) where name = 'events'";
  if (db.raw.query(leapt).run(LEAP, from).changes === 0) {
    db.raw.query("insert into sqlite_sequence (name, seq) values ('events', ?1)").run(from);
  }
}

/** The latest instant of which the file knows anything; null where nothing ever happened. */
export function lastKnownAt(db: Db): UnixMs | null {
  const found = [
    "select created_at as at from events order by seq desc limit 1",
    "select claimed_at as at from messages order by id desc limit 1",
  ].map((query) => db.raw.query<{ at: number }, []>(query).get()?.at ?? 0);
  const at = Math.max(...found);
  return at === 0 ? null : unixMs(at);
}
