/** Guarantees of `store/sqlite/migrate.ts`: every file is brought to this version, whole or not at all. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { closeDatabase, type Db, integrityCheck, openDatabase } from "#store/sqlite/database.ts";
import {
  MIGRATIONS,
  migrate,
  NewerDatabase,
  OtherSchema,
  schemaDifference,
  schemaVersion,
} from "#store/sqlite/migrate.ts";

const FOLDER = resolve(import.meta.dir, "../../../migrations");

let top: string;
let db: Db;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), "outrider-migrate-"));
  db = openDatabase(join(top, "a.db"));
});
afterEach(() => {
  closeDatabase(db);
  rmSync(top, { recursive: true, force: true });
});

const objects = ({ raw } = db) =>
  raw
    .query<{ name: string; sql: string | null }, []>("SELECT name, sql FROM sqlite_schema")
    .all()
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));

/** What the embedded list is for the length of `run`. */
function withMigrations(list: { name: string; sql: string }[], run: () => void): void {
  const own = MIGRATIONS as { name: string; sql: string }[];
  const kept = [...own];
  own.splice(0, own.length, ...list);
  try {
    run();
  } finally {
    own.splice(0, own.length, ...kept);
  }
}

describe("the embedded list", () => {
  const files = readdirSync(FOLDER)
    .filter((name) => name.endsWith(".sql"))
    .toSorted();

  test("is the folder, in its order", () => {
    expect(MIGRATIONS.map(({ name }) => `${name}.sql`)).toEqual(files);
  });

  test.each(files.map((name, index) => [name, index] as const))("holds %s as it is", (name, at) => {
    expect(MIGRATIONS[at]?.sql).toBe(readFileSync(join(FOLDER, name), "utf8"));
  });

  test("is the one that the tables' tool knows", () => {
    const journal = JSON.parse(readFileSync(join(FOLDER, "meta/_journal.json"), "utf8"));
    const tags = journal.entries.map(({ tag }: { tag: string }) => tag);
    expect(MIGRATIONS.map(({ name }) => name)).toEqual(tags);
  });
});

describe("migrate", () => {
  test("makes a new file whole", () => {
    expect(migrate(db)).toEqual({ from: 0, to: MIGRATIONS.length });
    expect(schemaVersion(db)).toBe(MIGRATIONS.length);
    expect(integrityCheck(db)).toBe("ok");
    const names = objects().map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["campaigns", "messages", "events", "api_keys"]));
  });

  test("makes a new file as every migration in turn would", () => {
    migrate(db);
    const stepwise = openDatabase(join(top, "b.db"));
    try {
      withMigrations(MIGRATIONS.slice(0, -1), () => migrate(stepwise));
      migrate(stepwise);
      expect(objects()).toEqual(objects(stepwise));
      expect(schemaDifference(stepwise)).toBeNull();
    } finally {
      closeDatabase(stepwise);
    }
  });

  test("does nothing the second time", () => {
    migrate(db);
    const before = objects();
    expect(migrate(db)).toEqual({ from: MIGRATIONS.length, to: MIGRATIONS.length });
    expect(objects()).toEqual(before);
  });

  test("refuses a file whose tables were changed since they were last looked at", () => {
    migrate(db);
    migrate(db);
    db.raw.run("ALTER TABLE teams ADD COLUMN foreign_field TEXT");
    expect(() => migrate(db)).toThrow(OtherSchema);
    db.raw.run("ALTER TABLE teams DROP COLUMN foreign_field");
    expect(migrate(db)).toEqual({ from: MIGRATIONS.length, to: MIGRATIONS.length });
  });

  test("runs what the file has not seen, and only that", () => {
    migrate(db);
    const more = { name: "0001_more", sql: "CREATE TABLE more (n INTEGER)" };
    withMigrations([...MIGRATIONS, more], () => {
      expect(migrate(db)).toEqual({ from: MIGRATIONS.length - 1, to: MIGRATIONS.length });
    });
    expect(objects().map(({ name }) => name)).toContain("more");
  });

  test("of several statements of which one fails leaves the file as it was", () => {
    migrate(db);
    const before = objects();
    const broken = [
      { name: "0001_fine", sql: "CREATE TABLE fine (n INTEGER)" },
      {
        name: "0002_broken",
        sql: "CREATE TABLE half (n INTEGER);\n--> statement-breakpoint\nCREATE TABLE half (n INTEGER);",
      },
    ];
    withMigrations([...MIGRATIONS, ...broken], () => {
      expect(() => migrate(db)).toThrow("already exists");
    });
    expect(objects()).toEqual(before);
    expect(schemaVersion(db)).toBe(MIGRATIONS.length);
    expect(db.raw.inTransaction).toBe(false);
    expect(migrate(db)).toEqual({ from: MIGRATIONS.length, to: MIGRATIONS.length });
  });

  test("refuses a file of a newer program, and touches nothing of it", () => {
    db.raw.run("CREATE TABLE theirs (n INTEGER)");
    db.raw.run(`PRAGMA user_version = ${MIGRATIONS.length + 1}`);
    const before = objects();
    expect(() => migrate(db)).toThrow(NewerDatabase);
    expect(() => migrate(db)).toThrow(`schema version ${MIGRATIONS.length + 1}`);
    expect(objects()).toEqual(before);
  });
});
