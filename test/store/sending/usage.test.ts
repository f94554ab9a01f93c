/** Guarantees of `store/sending/usage.ts`: what is counted inside a group of commits is what the file says. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import fc from "fast-check";
import { unixMs } from "#domain/time.ts";
import { addUsage, pruneUsage, usageOf } from "#store/sending/usage.ts";
import { type Committer, createCommitter } from "#store/sqlite/commit.ts";
import { closeDatabase, type Db, openDatabase } from "#store/sqlite/database.ts";
import { migrate } from "#store/sqlite/migrate.ts";

const AT = unixMs(1_772_463_600_000);
const OWNER = "01890000-0000-7000-8000-000000000001";
const bucket = (n: number) => ({ owner: OWNER, kind: "account_day", bucket: `2026-03-0${n}` });

let db: Db;
let store: Committer;

beforeEach(() => {
  db = openDatabase(":memory:");
  migrate(db);
  store = createCommitter(db);
});

afterEach(async () => {
  await store.drain();
  closeDatabase(db);
});

const inFile = (n: number) =>
  db.raw
    .query<{ count: number }, [string]>("select count from usage where bucket = ?")
    .get(bucket(n).bucket)?.count ?? 0;

test("counts follow what is reserved, given back, undone and forgotten", async () => {
  const day = fc.integer({ min: 1, max: 3 });
  const change = fc.record({
    days: fc.array(day, { maxLength: 4 }),
    how: fc.constantFrom("reserve", "give back", "undo", "forget"),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(change, { maxLength: 5 }), { maxLength: 4 }),
      async (all) => {
        await store.commit(() => db.raw.run("delete from usage"));
        const expected = [0, 0, 0, 0];
        for (const group of all) {
          for (const { days, how } of group) {
            for (const n of how === "undo" ? [] : days) {
              expected[n] = Math.max(0, (expected[n] ?? 0) + (how === "give back" ? -1 : 1));
            }
            if (how === "forget") {
              expected.fill(0);
            }
          }
          const play = group.map(({ days, how }) =>
            store.commit(() => {
              addUsage(db, days.map(bucket), how === "give back" ? -1 : 1, AT);
              if (how === "forget") {
                pruneUsage(db, unixMs(AT + 1), unixMs(AT + 1));
              }
              if (how === "undo") {
                throw new Error("undone");
              }
              return [1, 2, 3].map((n) => [usageOf(db, bucket(n)), inFile(n)]);
            }),
          );
          for (const played of await Promise.allSettled(play)) {
            for (const [counted, filed] of played.status === "fulfilled" ? played.value : []) {
              expect(counted).toBe(filed as number);
            }
          }
          expect([1, 2, 3].map(inFile)).toEqual(expected.slice(1));
        }
      },
    ),
    { numRuns: 60 },
  );
});
