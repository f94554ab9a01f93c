/** A restore's event numbers are ahead of all that were given before, whatever was put back. */

import { expect, test } from "bun:test";
import { unixMs } from "#domain/time.ts";
import { leaveCopy } from "#store/operations/restored.ts";
import { closeDatabase, openDatabase } from "#store/sqlite/database.ts";
import { migrate } from "#store/sqlite/migrate.ts";

const NOW = unixMs(1_790_000_000_000);

function leapt(seq: number | null, now: number): number {
  const db = openDatabase(":memory:");
  migrate(db);
  if (seq !== null) {
    db.raw.query("insert into sqlite_sequence (name, seq) values ('events', ?1)").run(seq);
  }
  leaveCopy(db, unixMs(now));
  const query = "select seq from sqlite_sequence where name = 'events'";
  const { seq: next = 0 } = db.raw.query<{ seq: number }, []>(query).get() ?? {};
  closeDatabase(db);
  return next;
}

test("a copy that is put back twice gives no number a second time", () => {
  const first = leapt(4_711, NOW);
  expect(first).toBeGreaterThan(4_711);
  expect(leapt(4_711, NOW + 60_000)).toBeGreaterThan(first + 1_000);
});

test("a copy from before the first event is ahead, too", () => {
  expect(leapt(null, NOW)).toBe(NOW * 1_000);
});

test("a copy that was made after a restore is ahead of it when it is put back, each time", () => {
  const events = 500;
  const copied = leapt(4_711, NOW) + events;
  const second = leapt(copied, NOW + 20_000);
  expect(second).toBeGreaterThan(copied);
  expect(leapt(copied - 100, NOW + 25_000)).toBeGreaterThan(second + events);
});

test("where the clock is behind the numbers, they still leap", () => {
  expect(leapt(NOW * 1_000, NOW - 1)).toBeGreaterThan(NOW * 1_000 + 1_000);
});
