/**
 * Data of every schema version that there was becomes this version's: a kept file of each, this one's
 * too. A migration that is killed leaves the file of before or the file of after, and the next start goes
 * on. What is released is not edited any more: a change of the tables is a migration of its own.
 */

import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { backupBeforeMigration } from "#app/upgrade.ts";
import { readConfig } from "#config/config.ts";
import { hash01 } from "#domain/random.ts";
import { ENVS, type Env } from "#domain/team/api-key.ts";
import { loadMasterKey } from "#platform/data-directory.ts";
import { silentLog } from "#platform/log.ts";
import { verifyBackup } from "#store/operations/backups.ts";
import { closeDatabase, integrityCheck, openDatabase } from "#store/sqlite/database.ts";
import { MIGRATIONS, migrate } from "#store/sqlite/migrate.ts";
import { createTestApp } from "../../support/app.ts";
import { COMING } from "../../support/migrating.ts";
import { FIXTURES, fixtureName, layOut } from "../../support/schema-fixture.ts";

const VERSIONS = MIGRATIONS.map((_, at) => at + 1);
const KILLS = 8;
const SEED = process.env["OUTRIDER_TEST_SEED"] ?? "1";
const ROOT = resolve(import.meta.dir, "../../..");
const MIGRATING = resolve(import.meta.dir, "../../support/migrating.ts");

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "outrider-schema-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** What a program of that version has left. */
function keptOf(version: number, envName: Env): Uint8Array {
  const path = join(FIXTURES, fixtureName(version, envName));
  if (!existsSync(path)) {
    throw new Error(
      `${path} is missing: a program of that version writes it, by bun test/support/schema-fixture.ts`,
    );
  }
  return Bun.zstdDecompressSync(readFileSync(path));
}

/** How many rows each table has, but for what SQLite and the search index keep for themselves. */
function countsOf(path: string): Record<string, number> {
  const db = new Database(path, { readonly: true });
  const tables = db
    .query<{ name: string }, []>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND sql NOT LIKE '%VIRTUAL%'",
    )
    .all()
    // Settings of the index are the version's own.
    .filter(({ name }) => name !== "search_text_config");
  // Slots are made of what is there by the migration that brings them; the last check of the schema is noted.
  const left: Record<string, string> = {
    usage: "WHERE kind NOT LIKE '%_slot'",
    facts: "WHERE name <> 'checked_schema'",
  };
  const count = (name: string) =>
    db.query<{ n: number }, []>(`SELECT count(*) AS n FROM "${name}" ${left[name] ?? ""}`).get()
      ?.n ?? 0;
  const counts = Object.fromEntries(tables.map(({ name }) => [name, count(name)]));
  db.close();
  return counts;
}

const HOW = `The schema is not the one that is kept of version ${MIGRATIONS.length}. What is released is never edited:
put migrations/ back as it was, add the change as a migration of its own (bun run migration --name what_it_does), list
it in src/store/sqlite/migrate.ts, and keep its schema by bun test/support/schema-fixture.ts. A version that nobody has yet is
only kept anew by the same command.`;

function schemaOf(path: string): unknown {
  const db = new Database(path, { readonly: true });
  const rows = db.query("SELECT type, name, sql FROM sqlite_schema ORDER BY type, name").all();
  db.close();
  return rows;
}

function freshSchema(): unknown {
  const path = join(directory, "fresh.db");
  const db = openDatabase(path);
  migrate(db);
  closeDatabase(db);
  return schemaOf(path);
}

describe.each(VERSIONS)("schema version %i", (version) => {
  test("becomes this one's, whole, and is served", async () => {
    const paths = { live: join(directory, "live.db"), test: join(directory, "test.db") };
    for (const envName of ENVS) {
      layOut(keptOf(version, envName), paths[envName]);
      const before = countsOf(paths[envName]);
      const db = openDatabase(paths[envName]);
      expect(migrate(db)).toEqual({ from: version, to: MIGRATIONS.length });
      expect(integrityCheck(db)).toBe("ok");
      expect(db.raw.query("PRAGMA foreign_key_check").all()).toEqual([]);
      closeDatabase(db);
      expect(Bun.deepEquals(schemaOf(paths[envName]), freshSchema()) ? "" : HOW).toBe("");
      expect(countsOf(paths[envName])).toMatchObject(before);
    }
    const app = await createTestApp({ paths, seed: 2 });
    const teams = app.environments.live.db.raw.query("SELECT name FROM teams ORDER BY id").all();
    expect(teams).toContainEqual({ name: "Acme" });
    await app.advance(60_000);
    await app.close();
  });

  test("takes the migration that comes next, with every row", () => {
    const list = MIGRATIONS as { name: string; sql: string }[];
    const path = join(directory, "next.db");
    layOut(keptOf(version, "test"), path);
    const before = countsOf(path);
    list.push({ name: "next", sql: "ALTER TABLE teams ADD COLUMN coming TEXT" });
    try {
      const db = openDatabase(path);
      expect(migrate(db)).toEqual({ from: version, to: MIGRATIONS.length });
      closeDatabase(db);
    } finally {
      list.pop();
    }
    expect(countsOf(path)).toMatchObject(before);
    expect(before["messages"]).toBeGreaterThan(0);
  });
});

test("the tables are those of the migrations", () => {
  // The tool takes paths from the working directory on, and would write what is new.
  const out = join(directory, "migrations");
  cpSync(join(ROOT, "migrations"), out, { recursive: true });
  const tool = [process.execPath, "node_modules/drizzle-kit/bin.cjs", "generate"];
  const where = ["--schema", "./src/store/tables", "--out", relative(ROOT, out)];
  const { stdout, stderr } = Bun.spawnSync([...tool, "--dialect", "sqlite", ...where], {
    cwd: ROOT,
  });
  const said = stdout.toString() + stderr.toString();
  expect(said.includes("No schema changes") ? "" : `${said}\n${HOW}`).toBe("");
});

test("a migration that is killed has happened or has not, and the next start goes on", async () => {
  const path = join(directory, "a.db");
  const from = MIGRATIONS.length;
  const to = from + COMING;
  const seen = new Set<number>();
  const prepare = () => {
    rmSync(path, { force: true });
    const db = openDatabase(path);
    migrate(db);
    closeDatabase(db);
  };
  prepare();
  // On this machine, now: kills come in the middle, wherever it runs. One that came too late says that the
  // measured run was a slow one, and the next comes sooner.
  let wholeMs = await migrateUntil(path, null);
  for (let kill = 0; kill < KILLS; kill += 1) {
    prepare();
    await migrateUntil(path, hash01(SEED, "kill", kill) * wholeMs);
    const version = versionOf(path);
    expect([from, to]).toContain(version);
    seen.add(version);
    wholeMs *= version === to ? 0.7 : 1;
    await migrateUntil(path, null);
    expect(versionOf(path)).toBe(to);
  }
  expect(seen).toContain(from);
});

describe("before data of an older version is migrated", () => {
  const configOf = () =>
    readConfig({ flags: { data: directory }, env: {}, workingDir: "/" }).config;
  const NEXT = MIGRATIONS.length + 1;
  beforeEach(() => {
    for (const envName of ENVS) {
      layOut(keptOf(MIGRATIONS.length, envName), join(directory, `${envName}.db`));
    }
    loadMasterKey(directory);
  });

  test("a backup of it is made, that opens", async () => {
    const path = await backupBeforeMigration(configOf(), silentLog, NEXT);
    expect(path).not.toBeNull();
    const shelf = join(directory, "backups");
    const { manifest } = await verifyBackup(path ?? "", null, shelf);
    expect(manifest).toMatchObject({ reason: "before_migration" });
    expect(await backupBeforeMigration(configOf(), silentLog)).toBeNull();
  });

  test.each(VERSIONS.slice(0, -1))(
    "of version %i, the backup is one that this version restores, and its own would",
    async (version) => {
      for (const envName of ENVS) {
        layOut(keptOf(version, envName), join(directory, `${envName}.db`));
      }
      const path = await backupBeforeMigration(configOf(), silentLog);
      const { manifest } = await verifyBackup(path ?? "", null, join(directory, "backups"));
      expect(manifest.schema).toBe(version);
    },
  );

  test("it is not migrated where no backup can be made", async () => {
    // Where the folder of backups should be.
    writeFileSync(join(directory, "backups"), "a file");
    const made = backupBeforeMigration(configOf(), silentLog, NEXT);
    expect(made).rejects.toThrow("no backup could be made before migrating");
  });
});

/** Killed so many milliseconds after it has begun; null: left to its end. Answers how long it took. */
async function migrateUntil(path: string, ms: number | null): Promise<number> {
  let begun = performance.now();
  const child = Bun.spawn([process.execPath, MIGRATING, path], { stdout: "pipe" });
  for await (const _line of child.stdout) {
    begun = performance.now();
    if (ms !== null) {
      await Bun.sleep(ms);
      child.kill("SIGKILL");
    }
  }
  await child.exited;
  return performance.now() - begun;
}

/** As the next program finds it: the log's committed part is read, whatever lies behind it. */
function versionOf(path: string): number {
  const db = new Database(path);
  const row = db.query<{ user_version: number }, []>("PRAGMA user_version").get();
  const whole = db.query("PRAGMA integrity_check").get();
  db.close();
  expect(whole).toEqual({ integrity_check: "ok" });
  return row?.user_version ?? 0;
}
