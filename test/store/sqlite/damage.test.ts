/**
 * Guarantees of `checkApart` and of the worker that runs it: damage is found wherever it lies and
 * named by its table, writers aren't held up, and a look is neither too early nor repeated.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DAY_MS, HOUR_MS, plus, unixMs } from "#domain/time.ts";
import { checkupWorker } from "#engine/checkup.ts";
import { checkApart, isDamage } from "#store/sqlite/damage.ts";
import { closeDatabase, type Db, openDatabase } from "#store/sqlite/database.ts";
import { createTestApp } from "../../support/app.ts";

const PAGE_BYTES = 4096;
const never = new AbortController().signal;
let directory: string;
let path: string;
let db: Db;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "outrider-check-"));
  path = join(directory, "live.db");
  db = openDatabase(path);
  db.raw.run("create table whole (id integer primary key, text text)");
  db.raw.run(`create table "it's broken" (id integer primary key, text text)`);
  for (const table of ["whole", "it's broken"]) {
    db.raw.run(
      `with recursive n (v) as (select 1 union all select v + 1 from n where v < 9000) insert into "${table}" select v, 'row ' || v || ' of ${table.replace("'", "")} ' || hex(randomblob(40)) from n`,
    );
  }
});
afterEach(() => {
  closeDatabase(db);
  rmSync(directory, { recursive: true });
});

/** Zeroes the page of a row in the middle, of a file that nobody has open. */
function breakPage(): void {
  closeDatabase(db);
  const bytes = readFileSync(path);
  const place = bytes.indexOf("row 4500 of its broken");
  expect(place).toBeGreaterThan(0);
  const from = Math.floor(place / PAGE_BYTES) * PAGE_BYTES;
  bytes.fill(0, from, from + PAGE_BYTES);
  writeFileSync(path, bytes);
  db = openDatabase(path);
}

test("a whole file has no fault, and is written to meanwhile", async () => {
  const found = checkApart(db, never);
  db.raw.run("insert into whole values (9001, 'later')");
  expect(await found).toBeNull();
});

test("a damaged page is found in a table that nobody reads, under its name", async () => {
  breakPage();
  expect(await checkApart(db, never)).toContain("it's broken: ");
});

test("a stop ends it; memory has nothing to check; a file that's gone is no damage", async () => {
  breakPage();
  const stopping = new AbortController();
  const found = checkApart(db, stopping.signal);
  stopping.abort();
  expect(await found).toBeNull();
  expect(await checkApart(db, stopping.signal)).toBeNull();
  const memory = openDatabase(":memory:");
  expect(await checkApart(memory, never)).toBeNull();
  closeDatabase(memory);
  rmSync(path);
  const failure = await checkApart(db, never).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Error);
  expect(isDamage(failure)).toBe(false);
});

describe("the worker", () => {
  const start = unixMs(1_800_000_000_000);
  const later = (ms: number) => plus(start, ms);

  test("looks an hour after the start, then daily, and throws damage as SQLite would", async () => {
    const app = await createTestApp();
    const worker = checkupWorker({ ...app.environments.live, db }, { isDue: false, signal: never });
    expect(await worker.step(start)).toBe(later(HOUR_MS));
    expect(await worker.step(later(HOUR_MS))).toBe(later(HOUR_MS + DAY_MS));
    breakPage();
    const broken = checkupWorker({ ...app.environments.live, db }, { isDue: false, signal: never });
    await broken.step(start);
    const failure = await broken.step(later(HOUR_MS)).catch((error: unknown) => error);
    expect(isDamage(failure)).toBe(true);
    // Not again before the next day.
    expect(await broken.step(later(HOUR_MS))).toBe(later(HOUR_MS + DAY_MS));
    await app.close();
  });

  test("looks at once where the start has left it to it", async () => {
    const app = await createTestApp();
    breakPage();
    const worker = checkupWorker({ ...app.environments.live, db }, { isDue: true, signal: never });
    const failure = await worker.step(start).catch((error: unknown) => error);
    expect(isDamage(failure)).toBe(true);
    await app.close();
  });
});
