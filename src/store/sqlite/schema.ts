/**
 * What all migrations together make of a new file, for its creation to be quick: run one by one, those that
 * change tables read the whole schema again each time. A macro: Bun runs it while it builds or loads the program,
 * and puts the result in its place.
 */

import { Database } from "bun:sqlite";
import { apply, MIGRATIONS } from "./migrations.ts";

/** Statements in the order in which SQLite holds them, and the version that they make. */
export function schemaOfAll(): { version: number; statements: string[] } {
  const raw = new Database(":memory:");
  try {
    apply(raw, 0, MIGRATIONS.length);
    const rows = raw.query<{ sql: string }, []>(TABLES_FIRST).all();
    return { version: MIGRATIONS.length, statements: rows.map(({ sql }) => sql) };
  } finally {
    raw.close();
  }
}

/** Without what SQLite and the index of words make by themselves. */
const TABLES_FIRST = `select sql from sqlite_schema where sql is not null
  and name not like 'sqlite\\_%' escape '\\' and name not like 'search\\_text%' escape '\\' order by rowid`;
