/**
 * Brings a database file to the version of this program. The SQL files are embedded when the executable
 * is built; `test/store/migrate.test.ts` holds the list against the folder. A file of a newer version is
 * refused: its tables may mean what we do not know.
 */

import start from "../../migrations/0000_start.sql" with { type: "text" };
import type { Db } from "./database.ts";
import { LEAD_COUNT_SCHEMA } from "./lead-counts.ts";
import { SEARCH_SCHEMA } from "./search-schema.ts";

/** In order; the position is the version. Never edited once released. */
export const MIGRATIONS: readonly { name: string; sql: string }[] = [
  { name: "0000_start", sql: start },
];

const BREAKPOINT = "--> statement-breakpoint";

export class NewerDatabase extends Error {}

/** The number of migrations that this file has seen. */
export function schemaVersion(db: Db): number {
  return db.raw.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version ?? 0;
}

/** All or nothing. Throws {@link NewerDatabase} when the file is ahead of this program. */
export function migrate(db: Db): { from: number; to: number } {
  const from = schemaVersion(db);
  const to = MIGRATIONS.length;
  if (from > to) {
    throw new NewerDatabase(
      `the data directory has schema version ${from}, this program knows ${to}: ` +
        "run the newer program, or restore a backup made by this one",
    );
  }
  if (from === to) {
    return { from, to };
  }
  db.raw
    .transaction(() => {
      for (const { sql } of MIGRATIONS.slice(from)) {
        for (const statement of sql.split(BREAKPOINT)) {
          db.raw.run(statement);
        }
      }
      for (const statement of [...LEAD_COUNT_SCHEMA, ...SEARCH_SCHEMA]) {
        db.raw.run(statement);
      }
      db.raw.run(`PRAGMA user_version = ${to}`);
    })
    .immediate();
  return { from, to };
}
