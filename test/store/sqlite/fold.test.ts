/** Guarantees of `store/sqlite/fold.ts`: a long log is folded beside the commits, and begins anew. */

import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCommitter } from "#store/sqlite/commit.ts";
import { closeDatabase, type Db, integrityCheck, openDatabase } from "#store/sqlite/database.ts";

const LOG_BYTES = 200_000;
/** Source: SQLite's file format, "The Write-Ahead Log": the checkpoint sequence number. */
const SEQUENCE_AT = 12;

async function withDatabase(work: (db: Db, path: string) => Promise<void>): Promise<void> {
  const top = mkdtempSync(join(tmpdir(), "outrider-fold-"));
  const path = join(top, "a.db");
  const db = openDatabase(path);
  db.raw.run("PRAGMA wal_autocheckpoint = 0");
  db.raw.run("CREATE TABLE t (n INTEGER PRIMARY KEY, filler BLOB)");
  try {
    await work(db, path);
  } finally {
    closeDatabase(db);
    rmSync(top, { recursive: true, force: true });
  }
}

const timesBegun = (path: string) => readFileSync(`${path}-wal`).readUInt32BE(SEQUENCE_AT);

test("a long log is folded while commits go on, and loses nothing", () =>
  withDatabase(async (db, path) => {
    const store = createCommitter(db, { logBytes: LOG_BYTES });
    const insert = db.raw.prepare("INSERT INTO t VALUES (?, randomblob(900))");
    let rows = 0;
    while (rows === 0 || timesBegun(path) < 3) {
      rows += 1;
      await store.commit(() => insert.run(rows));
    }
    await store.drain();
    const found = db.raw.query<{ n: number }, []>("SELECT count(*) AS n FROM t").get();
    expect(found).toEqual({ n: rows });
    expect(integrityCheck(db)).toBe("ok");
  }));

test("what somebody still reads stays in the log", () =>
  withDatabase(async (db, path) => {
    const store = createCommitter(db, { logBytes: LOG_BYTES });
    const reader = openDatabase(path);
    await store.commit(() => db.raw.run("INSERT INTO t VALUES (1, NULL)"));
    reader.raw.run("BEGIN");
    const count = () => reader.raw.query<{ n: number }, []>("SELECT count(*) AS n FROM t").get();
    expect(count()).toEqual({ n: 1 });
    for (let row = 2; row < 1_500; row += 1) {
      await store.commit(() => db.raw.run("INSERT INTO t VALUES (?, randomblob(900))", [row]));
    }
    expect([timesBegun(path), count()]).toEqual([0, { n: 1 }]);
    reader.raw.run("COMMIT");
    await store.drain();
    expect(count()).toEqual({ n: 1_499 });
    closeDatabase(reader);
  }));

test("readers that overlap without end let a log grow; those that pause when it is long keep it short", () =>
  withDatabase(async (db, path) => {
    const store = createCommitter(db, { logBytes: LOG_BYTES });
    const readers = Array.from({ length: 3 }, () => openDatabase(path));
    const open: Db[] = [];
    const end = () => open.shift()?.raw.run("COMMIT");
    const begin = () => {
      const reader = readers.find((one) => !open.includes(one));
      reader?.raw.run("BEGIN");
      reader?.raw.query("SELECT count(*) FROM t").get();
      open.push(...(reader === undefined ? [] : [reader]));
    };
    let row = 0;
    const grow = async (mayPause: boolean): Promise<number> => {
      for (const until = row + 6_000; row < until; row += 1) {
        await store.commit(() => db.raw.run("INSERT INTO t VALUES (?, randomblob(900))", [row]));
        if (row % 20 !== 0) {
          continue;
        }
        end();
        if (!(mayPause && store.log.isLong())) {
          begin();
        } else if (open.length === 0) {
          await store.log.paused();
        }
      }
      return statSync(`${path}-wal`).size;
    };
    begin();
    begin();
    const paused = await grow(true);
    const endless = await grow(false);
    expect(endless).toBeGreaterThan(2 * paused);
    readers.forEach(closeDatabase);
    await store.drain();
  }));

test("an error of the thread stops nothing", () =>
  withDatabase(async (db, path) => {
    const store = createCommitter(db, { logBytes: 0 });
    rmSync(path);
    for (let row = 1; row < 100; row += 1) {
      await store.commit(() => db.raw.run("INSERT INTO t VALUES (?, NULL)", [row]));
    }
    await store.drain();
  }));

test("a statement runs beside the commits, which wait for it and lose nothing", () =>
  withDatabase(async (db) => {
    const store = createCommitter(db, {
      logBytes: LOG_BYTES,
      again: (retry) => setTimeout(retry, 5),
    });
    await store.commit(() => db.raw.run("INSERT INTO t VALUES (0, NULL)"));
    const sql =
      "INSERT INTO t WITH RECURSIVE n(n) AS (SELECT ? UNION ALL SELECT n + 1 FROM n LIMIT 20000) SELECT n, NULL FROM n";
    const running = store.log.run({ sql, values: [1_000] });
    const own = Array.from({ length: 20 }, (_, nth) =>
      store.commit(() => db.raw.run("INSERT INTO t VALUES (?, NULL)", [nth + 1])),
    );
    await Promise.all(own);
    expect(await running).toBe(20_000);
    await store.drain();
    const found = db.raw.query<{ n: number }, []>("SELECT count(*) AS n FROM t").get();
    expect(found).toEqual({ n: 20_021 });
  }));

test("a statement that fails says why, and the next one runs", () =>
  withDatabase(async (db) => {
    const { log, drain } = createCommitter(db, { logBytes: LOG_BYTES });
    await expect(log.run({ sql: "INSERT INTO nowhere VALUES (1)", values: [] })).rejects.toThrow(
      "no such table: nowhere",
    );
    const sql = "INSERT INTO t VALUES (?, NULL)";
    expect(await log.run({ sql, values: [7] })).toBe(1);
    await drain();
  }));

test("in memory there is no thread", async () => {
  const db = openDatabase(":memory:");
  const { log } = createCommitter(db);
  expect(await log.run({ sql: "CREATE TABLE t (n)", values: [] })).toBeNull();
  closeDatabase(db);
});
