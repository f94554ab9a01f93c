/**
 * The migration that counts by slots, on the kept data of the version before: what was sent in the two
 * days before it is there for a time zone that is changed right after it.
 */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ACCOUNT_KINDS, CAMPAIGN_KINDS, countersIn } from "#domain/campaigns/counters.ts";
import { closeDatabase, type Db, openDatabase } from "#store/sqlite/database.ts";
import { migrate } from "#store/sqlite/migrate.ts";
import { FIXTURES, fixtureName, layOut } from "../../support/schema-fixture.ts";

const BEFORE = 9;

let directory: string;
let db: Db;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "outrider-slots-"));
  const path = join(directory, "test.db");
  layOut(Bun.zstdDecompressSync(readFileSync(join(FIXTURES, fixtureName(BEFORE, "test")))), path);
  db = openDatabase(path);
});
afterEach(() => {
  closeDatabase(db);
  rmSync(directory, { recursive: true, force: true });
});

interface Row {
  kind: string;
  owner: string;
  bucket: string;
  count: number;
}

const rows = () =>
  db.raw
    .query<Row, []>("select kind, hex(owner) as owner, bucket, count from usage where count > 0")
    .all()
    .filter(({ kind }) => kind !== "team_month");
const sums = (all: readonly Row[]) => {
  const counts: Record<string, number> = {};
  for (const { kind, owner, bucket, count } of all) {
    const key = `${kind} ${owner} ${bucket}`;
    counts[key] = (counts[key] ?? 0) + count;
  }
  return counts;
};

test("slots say of each local day and hour what its own counter says, but for test emails", () => {
  const before = rows();
  const kinds = new Set(before.map(({ kind }) => kind));
  // Providers have been counted since schema 42.
  const older = [...ACCOUNT_KINDS, ...CAMPAIGN_KINDS].filter((kind) => kind !== "account_provider");
  expect([...kinds].sort()).toEqual(older.sort());
  const of = (all: readonly Row[], some: readonly string[]) =>
    sums(all.filter(({ kind }) => some.includes(kind)));
  migrate(db);
  const slots = rows().filter(({ kind }) => kind.endsWith("_slot"));
  const counted = slots.flatMap((slot) =>
    countersIn("UTC", slot).map((one) => ({ ...one, count: slot.count })),
  );
  expect(of(counted, CAMPAIGN_KINDS)).toEqual(of(before, CAMPAIGN_KINDS));
  // A test email leaves no row.
  const was = of(before, ACCOUNT_KINDS);
  const is = of(counted, ACCOUNT_KINDS);
  const missed = Object.entries(was).filter(([key, count]) => count !== is[key]);
  expect(missed.map(([key, count]) => count - (is[key] ?? 0))).toEqual([1, 1, 1, 1]);
  expect(Object.keys(is).every((key) => key in was)).toBe(true);
});
