/** What the planner knows of tables is renewed one index a turn, on the kept data of an earlier version. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closeDatabase, type Db, openDatabase, optimize } from "#store/sqlite/database.ts";
import { migrate } from "#store/sqlite/migrate.ts";
import { FIXTURES, fixtureName, layOut } from "../../support/schema-fixture.ts";

let directory: string;
let db: Db;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "outrider-optimize-"));
  const path = join(directory, "test.db");
  layOut(Bun.zstdDecompressSync(readFileSync(join(FIXTURES, fixtureName(13, "test")))), path);
  db = openDatabase(path);
  migrate(db);
});
afterEach(() => {
  closeDatabase(db);
  rmSync(directory, { recursive: true, force: true });
});

const names = (sql: string) =>
  db.raw
    .query<{ name: string }, []>(sql)
    .all()
    .map(({ name }) => name);
const indexes = () => names("select name from pragma_index_list('enrollments') order by name");
const counted = () =>
  names("select idx as name from sqlite_stat1 where tbl = 'enrollments' order by idx");
/** The planner knows nothing of the table, and has looked for what it would like to know. */
function forget(): void {
  for (const sql of ["analyze enrollments", "delete from sqlite_stat1", "analyze sqlite_schema"]) {
    db.raw.run(sql);
  }
  expect(counted()).toEqual([]);
  db.raw.query("select count(*) from enrollments where status = 'active'").get();
}

test("every index of a table is counted, and others run in between", async () => {
  forget();
  let turns = 0;
  const others = setInterval(() => {
    turns += 1;
  });
  await optimize(db, "test");
  clearInterval(others);

  expect(indexes().length).toBeGreaterThan(5);
  expect(counted()).toEqual(indexes());
  expect(turns).toBeGreaterThan(0);
});

test("while somebody else writes nothing is counted, and nobody waits for it", async () => {
  forget();
  const other = openDatabase(db.raw.filename);
  other.raw.run("begin immediate");
  await optimize(db, "test");
  const found = counted();
  other.raw.run("rollback");
  closeDatabase(other);

  expect(found).toEqual([]);
});
