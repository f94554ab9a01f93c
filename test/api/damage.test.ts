/** A request that finds the file damaged: it's said, and from then on nothing is sent and nobody is sent here. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { damageOf } from "#store/sqlite/damage.ts";
import type { Db } from "#store/sqlite/database.ts";
import { createTestApp, type TestApp } from "../support/app.ts";

const PAGE_BYTES = 4_096;

let top: string;
let app: TestApp;
const paths = () => ({ live: join(top, "live.db"), test: join(top, "test.db") });
beforeEach(async () => {
  top = mkdtempSync(join(tmpdir(), "outrider-damage-"));
  app = await createTestApp({ paths: paths() });
});
afterEach(async () => {
  await app.close();
  rmSync(top, { recursive: true, force: true });
});

/** The disk gives back zeros where a table begins, and nothing of it is in memory. */
function zero({ raw }: Db, table: string): void {
  const query = "select rootpage from sqlite_schema where name = ?1";
  const root = raw.query<{ rootpage: number }, [string]>(query).get(table)?.rootpage ?? 0;
  raw.run("PRAGMA wal_checkpoint(TRUNCATE)");
  const file = openSync(raw.filename, "r+");
  writeSync(file, new Uint8Array(PAGE_BYTES), 0, PAGE_BYTES, (root - 1) * PAGE_BYTES);
  closeSync(file);
  raw.run("PRAGMA shrink_memory");
}

const ready = async () => {
  const response = await app.fetch(new Request("http://localhost/readyz"));
  return { status: response.status, body: (await response.json()) as { reason?: string } };
};

describe("a damaged database", () => {
  test("503 to a read that finds it, and nothing is ready from then on", async () => {
    const { db } = app.environments.test;
    await app.call("POST", "/suppressions", { email: "no@one.example.org", reason: "manual" });
    expect((await app.call("GET", "/suppressions")).body.total).toBe(1);
    expect((await ready()).status).toBe(200);
    zero(db, "suppressions");

    const { status, body } = await app.call("GET", "/suppressions");
    expect([status, body.type]).toEqual([503, "unavailable"]);
    expect(body.message).toContain("restore a backup");
    expect(damageOf(db)).toContain("malformed");
    expect(damageOf(app.environments.live.db)).toBeNull();
    const { status: isReady, body: why } = await ready();
    expect(isReady).toBe(503);
    expect(why.reason).toMatch(/^test\.db is damaged .* outrider restore/);
  });
});
