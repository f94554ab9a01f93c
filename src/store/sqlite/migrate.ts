/**
 * Brings a database file to the version of this program. A file of a newer version is refused: its tables
 * may mean what we do not know.
 */

import { type Db, openDatabase } from "./database.ts";
import { readFact, writeFact } from "./facts.ts";
import { apply, MIGRATIONS, OTHER_SCHEMA } from "./migrations.ts";
import { schemaOfAll } from "./schema.ts" with { type: "macro" };

export { MIGRATIONS };

/** Made while the program is built or loaded. */
const NEWEST = schemaOfAll();

export class NewerDatabase extends Error {}
/** The version is known, and the tables are not those that its migrations make. */
export class OtherSchema extends Error {}

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
      `the data directory has schema version ${from}, but this version of Outrider supports up to ${to}: ` +
        "run the newer version, or restore a backup made by this one",
    );
  }
  const difference = from === 0 || isKnown(db) ? null : schemaDifference(db);
  if (difference !== null) {
    throw new OtherSchema(
      `the data directory says schema version ${from}, but "${difference}" doesn't match it: ` +
        "an unreleased build wrote it. Run that build, or restore a backup made by a release",
    );
  }
  if (from < to) {
    // A table that is written anew is not to take along what refers to it.
    db.raw.run("PRAGMA foreign_keys = OFF");
    try {
      db.raw.transaction(() => applyTo(db, from, to)).immediate();
    } finally {
      db.raw.run("PRAGMA foreign_keys = ON");
    }
  }
  if (!isKnown(db)) {
    writeFact(db, CHECKED, stateOfSchema(db));
  }
  return { from, to };
}

const CHECKED = "checked_schema";

/** Another text after every change of the file's schema, which SQLite counts, and of the migrations. */
function stateOfSchema(db: Db): string {
  const row = db.raw.query<{ schema_version: number }, []>("PRAGMA schema_version").get();
  const statements = [...MIGRATIONS.map(({ sql }) => sql), ...OTHER_SCHEMA];
  return `${row?.schema_version} ${Bun.hash(statements.join())}`;
}

/** True where this was compared before: to make the model at each start took longer than all else of it. */
export function isKnown(db: Db): boolean {
  return readFact(db, CHECKED) === stateOfSchema(db);
}

/** A new file gets at once what all migrations together would make of it. */
function applyTo(db: Db, from: number, to: number): void {
  const { version, statements } = NEWEST;
  if (from > 0 || to !== version) {
    apply(db.raw, from, to);
    return;
  }
  for (const statement of [...statements, ...OTHER_SCHEMA]) {
    db.raw.run(statement);
  }
  db.raw.run(`PRAGMA user_version = ${to}`);
}

/**
 * The first table, index or trigger of the file that is not what the migrations of its version make; null
 * where all are. Tables that another tool keeps for itself, as Litestream does, are none of ours.
 */
export function schemaDifference(db: Db): string | null {
  const model = openDatabase(":memory:");
  try {
    applyTo(model, 0, Math.min(schemaVersion(db), MIGRATIONS.length));
    const [wanted, found] = [schemaOf(model), schemaOf(db)];
    const ours = new Set([...wanted.values()].map(({ table }) => table));
    for (const [name, { sql }] of wanted) {
      if (found.get(name)?.sql !== sql) {
        return name;
      }
    }
    const extra = [...found].find(([name, { table }]) => ours.has(table) && !wanted.has(name));
    return extra?.[0] ?? null;
  } finally {
    model.raw.close(false);
  }
}

interface SchemaEntry {
  name: string;
  table: string;
  sql: string | null;
}

/** What SQLite makes by itself left out: it follows from the rest. */
const SCHEMA = `select name, tbl_name as "table", sql from sqlite_schema
  where substr(name, 1, 7) <> 'sqlite_' order by name`;

function schemaOf(db: Db): Map<string, SchemaEntry> {
  const rows = db.raw.query<SchemaEntry, []>(SCHEMA).all();
  return new Map(rows.map((row) => [row.name, row]));
}
