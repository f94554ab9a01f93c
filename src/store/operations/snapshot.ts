/**
 * Copies of a database, made while others write to it, and what is right and wrong with one. A copy is
 * written by VACUUM INTO: one read transaction, so a state that existed, and no page that is not needed.
 */

import { Database } from "bun:sqlite";
import { contradictions } from "#store/campaigns/history.ts";
import type { Db } from "#store/sqlite/database.ts";
import { integrityCheck, openDatabase } from "#store/sqlite/database.ts";
import { MIGRATIONS, schemaDifference, schemaVersion } from "#store/sqlite/migrate.ts";
import { listTeams } from "#store/team/teams.ts";

const BUSY_MS_MAX = 60_000;
/** A fact of a copy: the instant from which on it knows nothing. */
export const COPIED_AT = "copied_at";

/** Writes a copy of the database at `path` to the new file `to`. Sees what is committed, no more. */
export function copyFile(path: string, to: string, at: number): void {
  const raw = new Database(path, { readwrite: true, create: false });
  try {
    raw.run(`PRAGMA busy_timeout = ${BUSY_MS_MAX}`);
    copyInto(raw, to, at);
  } finally {
    raw.close();
  }
}

/** As {@link copyFile}, of an open database. */
export function copyOpen(db: Db, to: string, at: number): void {
  copyInto(db.raw, to, at);
}

function copyInto(raw: Database, to: string, at: number): void {
  raw.query("VACUUM INTO ?1").run(to);
  const copy = new Database(to, { readwrite: true, create: false });
  try {
    copy.run("PRAGMA journal_mode = DELETE");
    copy.run("PRAGMA synchronous = FULL");
    copy
      .query("insert or replace into facts (name, value) values (?1, ?2)")
      .run(COPIED_AT, String(at));
  } finally {
    copy.close();
  }
}

/** What a database file was found to be. */
export interface Examined {
  schema: number;
  /** What is wrong by SQLite, or would be refused at a start; empty when it is whole. */
  faults: string[];
  /** Sums that differ from what they sum up: true of the original too, and no reason not to keep it. */
  warnings: string[];
}

/** Reads all of it. The file must be nobody else's. */
export function examineFile(path: string): Examined {
  const db = openDatabase(path);
  try {
    const integrity = integrityCheck(db);
    if (integrity !== "ok") {
      return { schema: schemaVersion(db), faults: [integrity], warnings: [] };
    }
    const schema = schemaVersion(db);
    // A changed letter in a table's own definition is nothing to SQLite, and a start refuses it.
    const other = schema === 0 || schema > MIGRATIONS.length ? null : schemaDifference(db);
    if (other !== null) {
      return {
        schema,
        faults: [`"${other}" isn't what schema version ${schema} has`],
        warnings: [],
      };
    }
    const orphans = db.raw.query("PRAGMA foreign_key_check").all().length;
    return {
      schema,
      faults: orphans === 0 ? [] : [`${orphans} rows refer to rows that are not there`],
      // Today's sums ask for today's columns.
      warnings: schema === MIGRATIONS.length ? warningsOf(db) : [],
    };
  } finally {
    db.raw.run("PRAGMA journal_mode = DELETE");
    db.raw.close();
  }
}

function warningsOf(db: Db): string[] {
  return listTeams(db).flatMap(({ id }) => {
    const { counters, forgotten } = contradictions(db, id);
    return [
      ...(counters === 0 ? [] : [`team ${id}: ${counters} campaigns miscounted`]),
      ...(forgotten === 0 ? [] : [`team ${id}: ${forgotten} sequences without a next step`]),
    ];
  });
}

/** The number of migrations that the file at `path` has seen; changes nothing. */
export function schemaOfFile(path: string): number {
  const raw = new Database(path, { readwrite: true, create: false });
  try {
    raw.run(`PRAGMA busy_timeout = ${BUSY_MS_MAX}`);
    return raw.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version ?? 0;
  } finally {
    raw.close();
  }
}
