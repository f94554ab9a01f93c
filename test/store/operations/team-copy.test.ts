/** Whoever adds a table decides whether it goes along when a team moves. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { COPIED_TABLES, STAYS } from "#store/operations/team-copy.ts";
import { closeDatabase, type Db, openDatabase } from "#store/sqlite/database.ts";
import { migrate } from "#store/sqlite/migrate.ts";

let db: Db;
beforeAll(() => {
  db = openDatabase(":memory:");
  migrate(db);
});
afterAll(() => closeDatabase(db));

test("every table either goes with a team or stays, and none is named that is not", () => {
  const names = db.raw
    .query<{ name: string }, []>(
      "select name from sqlite_master where type = 'table' and name not glob 'sqlite_*' and name not glob 'search_text*'",
    )
    .all()
    .map(({ name }) => name);
  expect([...COPIED_TABLES, ...STAYS].sort()).toEqual(names.sort());
});
