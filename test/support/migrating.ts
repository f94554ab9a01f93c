/**
 * Brings a database through many migrations that nobody has made yet, each of many statements, and is
 * killed on the way: `bun migrating.ts DATABASE`. Says `at it` on stdout once it has begun.
 */

import { closeDatabase, openDatabase } from "#store/sqlite/database.ts";
import { MIGRATIONS, migrate } from "#store/sqlite/migrate.ts";

export const COMING = 20;
const ROWS = 2_000;

function addComing(): void {
  const list = MIGRATIONS as { name: string; sql: string }[];
  for (let n = 0; n < COMING; n += 1) {
    const rows = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})
      INSERT INTO coming_${n} SELECT i, randomblob(400) FROM n`;
    const statements = [`CREATE TABLE coming_${n} (i INTEGER PRIMARY KEY, b BLOB) STRICT`, rows];
    list.push({ name: `coming_${n}`, sql: statements.join(";\n--> statement-breakpoint\n") });
  }
}

if (import.meta.main) {
  addComing();
  const db = openDatabase(process.argv[2] ?? "");
  process.stdout.write("at it\n");
  migrate(db);
  closeDatabase(db);
}
