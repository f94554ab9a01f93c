/**
 * The migration of leads on hold, on the kept data of the version before: they count as open, and a campaign
 * that completed while nobody but they were left goes on.
 */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closeDatabase, type Db, openDatabase } from "#store/sqlite/database.ts";
import { migrate } from "#store/sqlite/migrate.ts";
import { FIXTURES, fixtureName, layOut } from "../../support/schema-fixture.ts";

const BEFORE = 8;

let directory: string;
let db: Db;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "outrider-holds-"));
  const path = join(directory, "test.db");
  layOut(Bun.zstdDecompressSync(readFileSync(join(FIXTURES, fixtureName(BEFORE, "test")))), path);
  db = openDatabase(path);
});
afterEach(() => {
  closeDatabase(db);
  rmSync(directory, { recursive: true, force: true });
});

/** A completed campaign as the version before left it: three on hold, uncounted, and `pending` others. */
function leaveCompleted(pending: number): Uint8Array {
  const { id } = db.raw
    .query<{ id: Uint8Array }, []>(
      "select campaign_id as id from enrollments group by campaign_id order by count(*) desc limit 1",
    )
    .get() ?? { id: new Uint8Array() };
  const set = (change: string, count: number, offset: number) =>
    db.raw.run(
      `update enrollments set ${change} where id in
         (select id from enrollments where campaign_id = ? order by id limit ? offset ?)`,
      [id, count, offset],
    );
  set("status = 'completed', hold_reason = null", -1, 0);
  set("status = 'active', hold_reason = 'missing_variable', due_at = null", 2, 0);
  set("status = 'pending', hold_reason = 'task', due_at = null", 1, 2);
  set("status = 'pending'", pending, 3);
  db.raw.run("update campaigns set status = 'completed', open = ?, evergreen = 0 where id = ?", [
    pending,
    id,
  ]);
  return id;
}

test.each([
  ["goes on where nobody else was left", 0, { status: "active", open: 3 }],
  [
    "stays completed where others were added and a person did not start it",
    1,
    { status: "completed", open: 4 },
  ],
])("a campaign that completed with leads on hold %s", (_what, pending, expected) => {
  const id = leaveCompleted(pending);
  migrate(db);
  const read = "select status, open, json(on_hold) as held from campaigns where id = ?";
  const held = '{"missing_variable":2,"task":1}';
  expect(db.raw.query(read).get(id)).toEqual({ ...expected, held });
  const wrong = `select count(*) as n from campaigns c where c.open <> (select count(*) from enrollments e
    where e.campaign_id = c.id and e.status in ('pending', 'active', 'paused'))`;
  expect(db.raw.query(wrong).get()).toEqual({ n: 0 });
});
