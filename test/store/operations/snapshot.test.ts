/** What is looked at of a copy before it counts as a backup: all that a start on it would refuse. */

import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyFile, examineFile } from "#store/operations/snapshot.ts";
import { closeDatabase, openDatabase } from "#store/sqlite/database.ts";
import { migrate } from "#store/sqlite/migrate.ts";

let dir: string;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "outrider-snapshot-"));
  path = join(dir, "live.db");
  const db = openDatabase(path);
  migrate(db);
  closeDatabase(db);
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function copied(): string {
  const copy = join(dir, "copy.db");
  copyFile(path, copy, Date.now());
  return copy;
}

test("a whole copy has no fault", () => {
  expect(examineFile(copied()).faults).toEqual([]);
});

test("a letter of a table's definition that the disk changed, which SQLite finds right", () => {
  const bytes = readFileSync(path);
  const table = bytes.indexOf("CREATE TABLE `usage`");
  bytes.write("intager", bytes.indexOf("integer", table));
  writeFileSync(path, bytes);
  const copy = copied();
  const seen = new Database(copy);
  expect(seen.query("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
  seen.close();
  expect(examineFile(copy).faults).toEqual([
    expect.stringMatching(/^"usage\w*" isn't what schema/),
  ]);
});
