/**
 * Guarantees of commands on data directories that are not as they should be: restores where nothing is left
 * or one was killed, and data of a build that was never released.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ENVS } from "#domain/team/api-key.ts";
import { closeDatabase, openDatabase } from "#store/sqlite/database.ts";
import { run } from "./support.ts";

let dir: string;
let data: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "outrider-data-"));
  data = join(dir, "data");
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** An installation and a backup of it, which lies where neither it nor its backups are. */
async function backedUp(): Promise<string> {
  const kept = join(dir, "kept.tar.zst");
  const made = await run(["teams", "create", "--name", "Acme", "--data", data]);
  expect(made).toMatchObject({ exit: 0, err: "" });
  expect(await run(["backup", kept, "--with-key", "--data", data])).toMatchObject({ exit: 0 });
  rmSync(data, { recursive: true });
  return kept;
}

describe("restore", () => {
  test("--check needs nothing but the file", async () => {
    const file = await backedUp();
    const { exit, out } = await run(["restore", file, "--check", "--data", data]);
    expect({ exit, out }).toEqual({ exit: 0, out: expect.stringContaining("is intact") });
    expect(existsSync(data)).toBe(false);
  });

  test.each([
    ["while it unpacked", []],
    ["when all lay ready", ["live.db", "test.db", "master.key"]],
    ["after the first file was put in its place", ["test.db", "master.key"]],
    ["before it had tidied up", null],
  ] as const)("goes on where one was killed %s", async (_name, ready) => {
    const file = await backedUp();
    expect(await run(["restore", file, "--data", data])).toMatchObject({ exit: 0 });
    const files = readdirSync(data);
    const staged = join(data, ".restore-ready");
    if (ready === null) {
      mkdirSync(staged);
    } else if (ready.length === 0) {
      for (const name of files) {
        rmSync(join(data, name));
      }
      mkdirSync(join(data, ".restore-making"));
      writeFileSync(join(data, ".restore-making", "live.db"), "half");
    } else {
      mkdirSync(staged);
      for (const name of ready) {
        copyFileSync(join(data, name), join(staged, name));
        rmSync(join(data, name));
      }
    }
    expect(await run(["restore", file, "--data", data])).toMatchObject({ exit: 0, err: "" });
    expect(readdirSync(data).toSorted()).toEqual(files.toSorted());
    expect((await run(["teams", "list", "--data", data])).out).toContain("Acme");
  });

  test("of a directory that is in use leaves it alone, also where one lies ready in it", async () => {
    const file = await backedUp();
    expect(await run(["restore", file, "--data", data])).toMatchObject({ exit: 0 });
    const staged = await run(["restore", file, "--stage", "--data", data]);
    expect(staged).toMatchObject({ exit: 0 });
    const before = readdirSync(data).toSorted();
    const { exit, err } = await run(["restore", file, "--data", data]);
    expect({ exit, err }).toEqual({ exit: 65, err: expect.stringContaining("is not empty") });
    expect(readdirSync(data).toSorted()).toEqual(before);
  });
});

describe("data of a build between two releases", () => {
  test.each([
    ["a column less", "ALTER TABLE accounts DROP COLUMN ramp", "accounts"],
    ["a column more", "ALTER TABLE accounts ADD COLUMN later TEXT", "accounts"],
    ["a table less", "DROP TABLE webhooks", "webhooks"],
    ["an index less", "DROP INDEX accounts_wake", "accounts_wake"],
    ["a trigger more", "CREATE TRIGGER more DELETE ON leads BEGIN SELECT 1; END", "more"],
  ])("%s: doctor and serve end with 65 and say what to do", async (_name, change, named) => {
    await run(["teams", "create", "--name", "Acme", "--data", data]);
    const db = openDatabase(join(data, "live.db"));
    db.raw.run("PRAGMA foreign_keys = OFF");
    db.raw.run(change);
    closeDatabase(db);

    const doctor = await run(["doctor", "--data", data, "--port", "0", "--json"]);
    expect(doctor.exit).toBe(65);
    expect(JSON.parse(doctor.out).findings).toContainEqual({
      check: "live database",
      verdict: "fault",
      detail: expect.stringMatching(new RegExp(`"${named}" doesn't match.*restore a backup`)),
    });
    const serve = await run(["serve", "--data", data, "--port", "0"]);
    expect({ exit: serve.exit, out: serve.out }).toEqual({ exit: 65, out: "" });
    expect(serve.err).toMatch(new RegExp(`"${named}" doesn't match.*restore a backup`));
  });

  test("what another tool keeps in the file is none of ours", async () => {
    await run(["teams", "create", "--name", "Acme", "--data", data]);
    for (const env of ENVS) {
      const db = openDatabase(join(data, `${env}.db`));
      db.raw.run("CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)");
      db.raw.run("ANALYZE");
      closeDatabase(db);
    }
    expect((await run(["doctor", "--data", data, "--port", "0"])).exit).toBe(0);
    expect((await run(["teams", "list", "--data", data])).exit).toBe(0);
  });
});

test("doctor writes nothing, and folds nothing into the files of a running server", async () => {
  expect((await run(["teams", "create", "--name", "Acme", "--data", data])).exit).toBe(0);
  const server = openDatabase(join(data, "live.db"));
  server.raw.run("CREATE TABLE scratch (text)");
  server.raw.run("INSERT INTO scratch VALUES (?)", ["x".repeat(100_000)]);
  const bytes = () => ["live.db", "live.db-wal"].map((name) => readFileSync(join(data, name)));
  const before = bytes();
  const { out } = await run(["doctor", "--data", data]);
  expect(out).toContain("live database");
  expect(bytes()).toEqual(before);
  closeDatabase(server);
});
