/**
 * What a change would make of the tables by which a team's emails are planned, laid over a state that is only
 * read: tables of the connection's own hide those of the file.
 */

import type { SQLQueryBindings } from "bun:sqlite";
import { type Id, idToBytes } from "./columns.ts";
import type { Db } from "./database.ts";

/** Leads aren't among them: a change of theirs is too large to be carried about. */
const TABLES = ["campaigns", "accounts"] as const;

/** What a team has in these tables, as SQLite has it. */
export type TeamRows = Record<(typeof TABLES)[number], Record<string, SQLQueryBindings>[]>;

export function rowsOfTeam(db: Db, teamId: Id): TeamRows {
  const of = (sql: string) =>
    db.raw.query<Record<string, SQLQueryBindings>, [Uint8Array]>(sql).all(idToBytes(teamId));
  return {
    // Of those that are over nothing is planned.
    campaigns: of(
      "select * from campaigns where team_id = ? and status not in ('completed', 'archived')",
    ),
    accounts: of("select * from accounts where team_id = ?"),
  };
}

/** Until the function that it returns is called, which must be before `db` is released, only `rows` are there. */
export function layOver(db: Db, rows: TeamRows): () => void {
  for (const table of TABLES) {
    db.raw.run(`create temp table ${table} as select * from main.${table} limit 0`);
    db.raw.run(`create unique index temp.${table}_laid_over on ${table} (id)`);
    for (const row of rows[table]) {
      const values = Object.values(row);
      const marks = values.map(() => "?").join(", ");
      db.raw.run(`insert into temp.${table} values (${marks})`, values);
    }
  }
  db.rows.clear();
  return () => {
    for (const table of TABLES) {
      db.raw.run(`drop table temp.${table}`);
    }
    db.rows.clear();
  };
}
