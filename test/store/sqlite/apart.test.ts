/** Guarantees of `store/sqlite/apart.ts`: all or nothing, and nobody on this thread waits for it. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeApart } from "#store/sqlite/apart.ts";
import { closeDatabase, type Db, openDatabase } from "#store/sqlite/database.ts";

let directory: string;
let db: Db;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "outrider-apart-"));
  db = openDatabase(join(directory, "live.db"));
  db.raw.run("create table owners (id integer primary key)");
  db.raw.run("create table items (id integer primary key, owner integer references owners (id))");
  db.raw.run("insert into owners values (1), (2)");
  db.raw.run(
    "with recursive n (v) as (select 1 union all select v + 1 from n where v < 20000) insert into items select v, 1 + v % 2 from n",
  );
});

afterEach(() => {
  closeDatabase(db);
  rmSync(directory, { recursive: true });
});

const count = () => db.raw.query<{ n: number }, []>("select count(*) as n from items").get()?.n;
const values = ["1"];

test("statements are one transaction, whose foreign keys are checked at its end", async () => {
  const seen = new Set<number | undefined>();
  const done = writeApart(db, [
    { sql: "delete from owners where id = ?", values },
    { sql: "delete from items where owner = ?", values },
  ]);
  let isDone = false;
  const watch = async () => {
    while (!isDone) {
      seen.add(count());
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const watching = watch();
  await done;
  isDone = true;
  await watching;
  expect(count()).toBe(10_000);
  expect([...seen].filter((n) => n !== 20_000 && n !== 10_000)).toEqual([]);
});

test("what fails leaves nothing, and says what SQLite said", async () => {
  const failed = writeApart(db, [
    { sql: "delete from items where id < ?", values: ["100"] },
    { sql: "delete from owners where id = ?", values },
  ]);
  expect(failed).rejects.toMatchObject({ code: "SQLITE_CONSTRAINT_FOREIGNKEY" });
  await failed.catch(() => undefined);
  expect(count()).toBe(20_000);
});

test("it waits for whoever is writing", async () => {
  db.raw.run("BEGIN IMMEDIATE");
  const done = writeApart(db, [{ sql: "delete from items where owner = ?", values }]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(count()).toBe(20_000);
  db.raw.run("COMMIT");
  await done;
  expect(count()).toBe(10_000);
});

test("a database in memory is written here", async () => {
  const memory = openDatabase(":memory:");
  memory.raw.run("create table items (id integer)");
  memory.raw.run("insert into items values (1)");
  await writeApart(memory, [{ sql: "delete from items", values: [] }]);
  expect(memory.raw.query("select * from items").all()).toEqual([]);
  closeDatabase(memory);
});
