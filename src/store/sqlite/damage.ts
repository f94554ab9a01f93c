/**
 * A database whose pages are not what was written: the disk gave back others, or somebody changed the file.
 * What it says can't be believed from then on, so whoever sends by it stops until it is replaced.
 */

import { messageOf } from "#domain/thrown.ts";
import type { Db } from "./database.ts";

/** By its code, or by SQLite's words where an error came from another thread as a text. */
const DAMAGE = /^SQLITE_(?:CORRUPT|NOTADB)|database disk image is malformed|file is not a database/;

/** Whether SQLite says so, whatever has wrapped it. */
export function isDamage(error: unknown): boolean {
  if (!(error instanceof Error)) {
    return false;
  }
  const code = "code" in error ? String(error.code) : "";
  return DAMAGE.test(code) || DAMAGE.test(error.message) || isDamage(error.cause);
}

/** For whoever runs the program. */
export function damageInWords(what: string, fault: string): string {
  return (
    `${what} is damaged (${fault}). Nothing is sent by it. Stop Outrider, check the disk, and restore a ` +
    "backup into an empty directory: outrider restore FILE --data DIRECTORY"
  );
}

const damaged = new WeakMap<Db, string>();

/** Keeps what SQLite said, if it is damage. */
export function noteDamage(db: Db, error: unknown): void {
  if (isDamage(error) && !damaged.has(db)) {
    damaged.set(db, messageOf(error));
  }
}

/** In SQLite's words; null while nothing is known to be wrong. Until the program ends: a file doesn't heal. */
export function damageOf(db: Db): string | null {
  return damaged.get(db) ?? null;
}

/** Reads every page, but compares no index with its table. Null: it is whole. Throws nothing. */
export function quickCheck(db: Db): string | null {
  try {
    const row = db.raw.query<{ quick_check: string }, []>("PRAGMA quick_check(1)").get();
    return row?.quick_check === "ok" ? null : (row?.quick_check ?? "nothing was found out");
  } catch (error) {
    return messageOf(error);
  }
}
