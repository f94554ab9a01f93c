/**
 * Brings a database file to the version of this program. The SQL files are embedded when the executable
 * is built; `test/store/migrate.test.ts` holds the list against the folder. A file of a newer version is
 * refused: its tables may mean what we do not know.
 */

import start from "../../../migrations/0000_start.sql" with { type: "text" };
import unconfirmed from "../../../migrations/0001_unconfirmed_sends.sql" with { type: "text" };
import variants from "../../../migrations/0002_variant_contents.sql" with { type: "text" };
import refusals from "../../../migrations/0003_sender_refusals.sql" with { type: "text" };
import importUndo from "../../../migrations/0004_import_undo.sql" with { type: "text" };
import erasures from "../../../migrations/0005_erasures.sql" with { type: "text" };
import sessions from "../../../migrations/0006_checkout_sessions.sql" with { type: "text" };
import places from "../../../migrations/0007_places.sql" with { type: "text" };
import onHold from "../../../migrations/0008_leads_on_hold.sql" with { type: "text" };
import usageSlots from "../../../migrations/0009_usage_slots.sql" with { type: "text" };
import oneMeaning from "../../../migrations/0010_one_meaning_a_column.sql" with { type: "text" };
import campaignNotes from "../../../migrations/0011_campaign_notes.sql" with { type: "text" };
import emailLanguage from "../../../migrations/0012_email_language.sql" with { type: "text" };
import campaignStatuses from "../../../migrations/0013_campaign_statuses.sql" with { type: "text" };
import { type Db, openDatabase } from "./database.ts";
import { readFact, writeFact } from "./facts.ts";
import { LEAD_COUNT_SCHEMA } from "./lead-counts.ts";
import { SEARCH_SCHEMA } from "./search-schema.ts";

/** In order; the position is the version. Never edited once released. */
export const MIGRATIONS: readonly { name: string; sql: string }[] = [
  { name: "0000_start", sql: start },
  { name: "0001_unconfirmed_sends", sql: unconfirmed },
  { name: "0002_variant_contents", sql: variants },
  { name: "0003_sender_refusals", sql: refusals },
  { name: "0004_import_undo", sql: importUndo },
  { name: "0005_erasures", sql: erasures },
  { name: "0006_checkout_sessions", sql: sessions },
  { name: "0007_places", sql: places },
  { name: "0008_leads_on_hold", sql: onHold },
  { name: "0009_usage_slots", sql: usageSlots },
  { name: "0010_one_meaning_a_column", sql: oneMeaning },
  { name: "0011_campaign_notes", sql: campaignNotes },
  { name: "0012_email_language", sql: emailLanguage },
  { name: "0013_campaign_statuses", sql: campaignStatuses },
];

const BREAKPOINT = "--> statement-breakpoint";

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
      db.raw.transaction(() => apply(db, from, to)).immediate();
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
  const statements = [...MIGRATIONS.map(({ sql }) => sql), ...LEAD_COUNT_SCHEMA, ...SEARCH_SCHEMA];
  return `${row?.schema_version} ${Bun.hash(statements.join())}`;
}

/** True where this was compared before: to make the model at each start took longer than all else of it. */
function isKnown(db: Db): boolean {
  return readFact(db, CHECKED) === stateOfSchema(db);
}

function apply(db: Db, from: number, to: number): void {
  const isOld = lacksDropNotNull(db);
  for (const { sql } of MIGRATIONS.slice(from, to)) {
    for (const statement of sql.split(BREAKPOINT)) {
      const [, table, column] = (isOld && DROP_NOT_NULL.exec(statement)) || [];
      if (table !== undefined && column !== undefined) {
        rebuildWithout(db, table, column);
      } else {
        db.raw.run(statement);
      }
    }
  }
  for (const statement of [...LEAD_COUNT_SCHEMA, ...SEARCH_SCHEMA]) {
    db.raw.run(statement);
  }
  db.raw.run(`PRAGMA user_version = ${to}`);
}

const DROP_NOT_NULL = /^ALTER TABLE `(\w+)` ALTER COLUMN `(\w+)` DROP NOT NULL;?\s*$/;

/** True before SQLite 3.53: on macOS it is the system's. */
function lacksDropNotNull(db: Db): boolean {
  const row = db.raw.query<{ v: string }, []>("SELECT sqlite_version() AS v").get();
  const [major = 0, minor = 0] = (row?.v ?? "").split(".").map(Number);
  return major === 3 && minor < 53;
}

/**
 * What DROP NOT NULL does, by writing the table anew: the same schema in the same words, so that the file
 * may go on under either version. The caller sees to it that foreign keys are off.
 */
export function rebuildWithout(db: Db, table: string, column: string): void {
  const parts = db.raw
    .query<{ type: string; name: string; sql: string }, [string]>(
      "SELECT type, name, sql FROM sqlite_schema WHERE tbl_name = ? AND sql IS NOT NULL ORDER BY type = 'table' DESC",
    )
    .all(table);
  const [own, ...others] = parts;
  for (const { type, name } of others) {
    db.raw.run(`DROP ${type} \`${name}\``);
  }
  db.raw.run("PRAGMA legacy_alter_table = ON");
  db.raw.run(`ALTER TABLE \`${table}\` RENAME TO \`${table}_before\``);
  db.raw.run("PRAGMA legacy_alter_table = OFF");
  db.raw.run((own?.sql ?? "").replace(new RegExp(`(\`${column}\` \\w+) NOT NULL`), "$1"));
  db.raw.run(`INSERT INTO \`${table}\` SELECT * FROM \`${table}_before\``);
  db.raw.run(`DROP TABLE \`${table}_before\``);
  for (const { sql } of others) {
    db.raw.run(sql);
  }
}

/**
 * The first table, index or trigger of the file that is not what the migrations of its version make; null
 * where all are. Tables that another tool keeps for itself, as Litestream does, are none of ours.
 */
export function schemaDifference(db: Db): string | null {
  const model = openDatabase(":memory:");
  try {
    apply(model, 0, Math.min(schemaVersion(db), MIGRATIONS.length));
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
