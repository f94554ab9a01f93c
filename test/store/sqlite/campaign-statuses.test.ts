/** The migration by which campaigns count their leads by status, on the kept data of the version before. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closeDatabase, type Db, openDatabase } from "#store/sqlite/database.ts";
import { migrate } from "#store/sqlite/migrate.ts";
import { FIXTURES, fixtureName, layOut } from "../../support/schema-fixture.ts";

const BEFORE = 13;

let directory: string;
let db: Db;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "outrider-statuses-"));
  const path = join(directory, "test.db");
  layOut(Bun.zstdDecompressSync(readFileSync(join(FIXTURES, fixtureName(BEFORE, "test")))), path);
  db = openDatabase(path);
});
afterEach(() => {
  closeDatabase(db);
  rmSync(directory, { recursive: true, force: true });
});

test("each campaign counts its leads by status, and one without leads counts none", () => {
  migrate(db);
  const counted = db.raw
    .query<{ id: string; statuses: string }, []>("select hex(id) as id, statuses from campaigns")
    .all()
    .map(({ id, statuses }) => [id, JSON.parse(statuses)]);
  const rows = db.raw
    .query<{ id: string; status: string }, []>(
      "select hex(campaign_id) as id, status from enrollments",
    )
    .all();
  const sums: Record<string, Record<string, number>> = {};
  for (const { id, status } of rows) {
    const own = sums[id] ?? {};
    sums[id] = { ...own, [status]: (own[status] ?? 0) + 1 };
  }
  expect(Object.fromEntries(counted)).toMatchObject(sums);
  expect(rows.length).toBeGreaterThan(0);
  expect(counted.filter(([id]) => !(id in sums)).map(([, statuses]) => statuses)).toContainEqual(
    {},
  );
});
