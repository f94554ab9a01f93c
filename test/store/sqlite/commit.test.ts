/** Guarantees of `store/sqlite/commit.ts`: what is promised is on disk, and nobody pays for another's fault. */

import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { type Committer, createCommitter } from "#store/sqlite/commit.ts";
import { closeDatabase, type Db, openDatabase } from "#store/sqlite/database.ts";

/** As `commit.ts` says. */
const GROUP_MAX = 256;

let top: string;
let db: Db;
let store: Committer;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), "outrider-commit-"));
  db = openDatabase(join(top, "a.db"));
  db.raw.run("CREATE TABLE t (n INTEGER PRIMARY KEY, word TEXT UNIQUE)");
  store = createCommitter(db);
});
afterEach(() => {
  closeDatabase(db);
  rmSync(top, { recursive: true, force: true });
});

const put = (n: number, word = `w${n}`) => db.raw.run("INSERT INTO t VALUES (?, ?)", [n, word]);
const all = (from: { raw: Pick<Database, "query"> } = db) =>
  from.raw
    .query<{ n: number }, []>("SELECT n FROM t ORDER BY n")
    .all()
    .map(({ n }) => n);
const settled = (promises: Promise<unknown>[]) => Promise.allSettled(promises);

/** What another process sees of the file. */
function elsewhere(): number[] {
  const raw = new Database(join(top, "a.db"), { readonly: true });
  try {
    return all({ raw });
  } finally {
    raw.close();
  }
}

/** Another connection that is in the middle of a write. */
function lockedElsewhere(): Database {
  const other = new Database(join(top, "a.db"));
  other.run("BEGIN IMMEDIATE");
  return other;
}

describe("commit", () => {
  test("answers what the closure returned, when others can read it", async () => {
    const answer = store.commit(() => {
      put(1);
      return "made";
    });
    expect(elsewhere()).toEqual([]);
    expect(await answer).toBe("made");
    expect(elsewhere()).toEqual([1]);
  });

  test("runs closures in the order in which they came, each seeing those before it", async () => {
    const seen: number[][] = [];
    await Promise.all(
      [1, 2, 3].map((n) =>
        store.commit(() => {
          seen.push(all());
          put(n);
        }),
      ),
    );
    expect(seen).toEqual([[], [1], [1, 2]]);
  });

  test("never runs a closure before it has returned", () => {
    let ran = false;
    const answer = store.commit(() => {
      ran = true;
    });
    expect(ran).toBe(false);
    return answer;
  });

  test("no transaction is open between two turns", async () => {
    const answer = store.commit(() => put(1));
    expect(db.raw.inTransaction).toBe(false);
    await answer;
    expect(db.raw.inTransaction).toBe(false);
  });

  test("one turn's writes share one transaction, of a bounded number", async () => {
    const other = new Database(join(top, "a.db"), { readonly: true });
    const seen = new Set<number>();
    const count = GROUP_MAX + 10;
    const write = (n: number) => () => {
      seen.add(all({ raw: other }).length);
      put(n);
    };
    await Promise.all(Array.from({ length: count }, (_, n) => store.commit(write(n))));
    expect([...seen]).toEqual([0, GROUP_MAX]);
    expect(all()).toHaveLength(count);
    other.close();
  });
});

describe("a closure that throws", () => {
  test("is undone alone and hears of it", async () => {
    const fault = new Error("no");
    const results = await settled([
      store.commit(() => put(1)),
      store.commit(() => {
        put(2);
        throw fault;
      }),
      store.commit(() => put(3)),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(results[1]).toEqual({ status: "rejected", reason: fault });
    expect(elsewhere()).toEqual([1, 3]);
  });

  test("because of the database is undone alone too", async () => {
    const results = await settled([
      store.commit(() => put(1, "same")),
      store.commit(() => {
        put(2);
        put(3, "same");
      }),
      store.commit(() => put(4)),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(elsewhere()).toEqual([1, 4]);
  });

  test("leaves exactly what the others wrote, whichever they are", async () => {
    let next = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 40 }), async (plan) => {
        const before = all();
        const kept: number[] = [];
        const results = await settled(
          plan.map((throws) => {
            next += 1;
            const n = next;
            return store.commit(() => {
              put(n);
              if (throws) {
                throw new Error("no");
              }
              kept.push(n);
            });
          }),
        );
        expect(results.map(({ status }) => status === "rejected")).toEqual(plan);
        expect(all()).toEqual([...before, ...kept]);
      }),
      { numRuns: 50 },
    );
  });
});

describe("an asynchronous closure", () => {
  test("is refused and undone: it would go on after its transaction", async () => {
    const answer = store.commit(async () => {
      put(1);
      await Promise.resolve();
    });
    expect(answer).rejects.toThrow("must be synchronous");
    await store.commit(() => put(2));
    expect(elsewhere()).toEqual([2]);
  });

  test("whose promise fails too leaves nothing unhandled", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on("unhandledRejection", note);
    try {
      const answer = store.commit(() => Promise.reject(new Error("late")));
      expect(answer).rejects.toThrow("must be synchronous");
      await store.commit(() => put(1));
      await new Promise((resolve) => setImmediate(resolve));
      expect(unhandled).toEqual([]);
    } finally {
      process.off("unhandledRejection", note);
    }
  });
});

describe("a transaction that cannot be", () => {
  test("waits for another process's lock: reads are answered meanwhile, and then it writes", async () => {
    const other = lockedElsewhere();
    const written: number[] = [];
    const writes = [1, 2, 3].map((n) =>
      store.commit(() => {
        put(n);
        written.push(n);
      }),
    );
    for (let turn = 0; turn < 20; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      expect(all()).toEqual([]);
    }
    expect(written).toEqual([]);
    other.run("INSERT INTO t VALUES (9, 'w9')");
    other.run("COMMIT");
    other.close();
    await Promise.all(writes);
    expect(written).toEqual([1, 2, 3]);
    expect(elsewhere()).toEqual([1, 2, 3, 9]);
  });

  test("whose lock is not let go fails what has waited too long, runs none of it, and the next one works", async () => {
    const impatient = createCommitter(db, { busyMs: 0 });
    const other = lockedElsewhere();
    let ran = 0;
    const write = () => {
      ran += 1;
      put(ran);
    };
    const count = GROUP_MAX + 1;
    const results = await settled(Array.from({ length: count }, () => impatient.commit(write)));
    expect(results.map((result) => result.status === "rejected" && result.reason.code)).toEqual(
      Array.from({ length: count }, () => "SQLITE_BUSY"),
    );
    expect(ran).toBe(0);
    other.run("ROLLBACK");
    other.close();
    await impatient.commit(write);
    expect(elsewhere()).toEqual([1]);
    await impatient.drain();
  });

  test("that waits is waited for by drain", async () => {
    const other = lockedElsewhere();
    const write = store.commit(() => put(1));
    const drained = store.drain();
    await new Promise((resolve) => setImmediate(resolve));
    other.run("ROLLBACK");
    other.close();
    await Promise.all([write, drained]);
    expect(elsewhere()).toEqual([1]);
  });

  test("fails every closure when SQLite gives it up in the middle, saying why", async () => {
    db.raw.run("PRAGMA max_page_count = 1");
    const big = "x".repeat(100_000);
    const results = await settled([
      store.commit(() => put(1)),
      store.commit(() => put(2, big)),
      store.commit(() => put(3)),
    ]);
    const codes = results.map((result) => result.status === "rejected" && result.reason.code);
    expect(codes).toEqual(["SQLITE_FULL", "SQLITE_FULL", "SQLITE_FULL"]);
    expect(elsewhere()).toEqual([]);
    db.raw.run("PRAGMA max_page_count = 100000");
    await store.commit(() => put(4));
    expect(elsewhere()).toEqual([4]);
  });

  test("fails every closure when COMMIT does, and nothing of it stays", async () => {
    db.raw.run("CREATE TABLE child (n REFERENCES t(n) DEFERRABLE INITIALLY DEFERRED)");
    const results = await settled([
      store.commit(() => put(1)),
      store.commit(() => db.raw.run("INSERT INTO child VALUES (99)")),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(db.raw.inTransaction).toBe(false);
    await store.commit(() => put(2));
    expect(elsewhere()).toEqual([2]);
  });
});

describe("hold", () => {
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const LONG_MS = 60_000;

  test("answers before the COMMIT, and commits with the turn, before anybody else has one", async () => {
    const seen: boolean[] = [];
    const spy = setInterval(() => seen.push(db.raw.inTransaction), 0);
    for (let round = 0; round < 20; round += 1) {
      await turn();
      const stretch = store.hold(LONG_MS);
      for (let n = 0; n < 10; n += 1) {
        await store.commit(() => put(round * 10 + n));
      }
      expect(db.raw.inTransaction).toBe(true);
      expect(elsewhere()).toHaveLength(round * 10);
      process.nextTick(() => seen.push(db.raw.inTransaction));
      await turn();
      expect([stretch.isOver(), elsewhere().length]).toEqual([true, (round + 1) * 10]);
    }
    clearInterval(spy);
    expect(seen).not.toContain(true);
  });

  test("what waits for more than a microtask is written by itself again", async () => {
    await turn();
    const stretch = store.hold(LONG_MS);
    await store.commit(() => put(1));
    await Bun.sleep(1);
    expect([stretch.isOver(), db.raw.inTransaction]).toEqual([true, false]);
    await store.commit(() => put(2));
    expect(elsewhere()).toEqual([1, 2]);
  });

  test("ends when its time is over, and by hand", async () => {
    await turn();
    const short = store.hold(0);
    const first = store.commit(() => put(1));
    await first;
    expect([short.isOver(), elsewhere()]).toEqual([true, [1]]);
    await turn();
    const stretch = store.hold(LONG_MS);
    await store.commit(() => put(2));
    stretch.end();
    expect(elsewhere()).toEqual([1, 2]);
  });

  test("what lies beside is written with each COMMIT, before it and after it", async () => {
    const seen: number[][] = [];
    const note = () => void seen.push(elsewhere());
    store = createCommitter(db, { beside: { before: note, after: note } });
    await Promise.all([store.commit(() => put(1)), store.commit(() => put(2))]);
    await turn();
    const stretch = store.hold(LONG_MS);
    await store.commit(() => put(3));
    stretch.end();
    expect(seen).toEqual([[], [1, 2], [1, 2], [1, 2, 3]]);
  });

  test("a closure that throws is undone alone", async () => {
    await turn();
    const stretch = store.hold(LONG_MS);
    await store.commit(() => put(1));
    const failed = store.commit(() => {
      put(2);
      throw new Error("no");
    });
    expect(failed).rejects.toThrow("no");
    await Promise.allSettled([failed]);
    await store.commit(() => put(3));
    stretch.end();
    expect(elsewhere()).toEqual([1, 3]);
  });

  test("where the COMMIT fails nothing of it stays, `end` says so, and the next one works", async () => {
    db.raw.run("CREATE TABLE child (n REFERENCES t(n) DEFERRABLE INITIALLY DEFERRED)");
    await turn();
    const stretch = store.hold(LONG_MS);
    await store.commit(() => put(1));
    await store.commit(() => db.raw.run("INSERT INTO child VALUES (99)"));
    expect(() => stretch.end()).toThrow("FOREIGN KEY");
    expect([db.raw.inTransaction, elsewhere()]).toEqual([false, []]);
    await store.commit(() => put(2));
    expect(elsewhere()).toEqual([2]);
  });

  test("where SQLite gives it up in the middle, nothing of it stays either", async () => {
    await turn();
    const stretch = store.hold(LONG_MS);
    await store.commit(() => put(1));
    db.raw.run("PRAGMA max_page_count = 1");
    const failed = store.commit(() => put(2, "x".repeat(100_000)));
    expect((await settled([failed]))[0]?.status).toBe("rejected");
    expect(() => stretch.end()).toThrow("full");
    expect(elsewhere()).toEqual([]);
    db.raw.run("PRAGMA max_page_count = 100000");
    await store.commit(() => put(4));
    expect(elsewhere()).toEqual([4]);
  });
});

describe("drain", () => {
  test("waits for what was handed in and refuses what comes later", async () => {
    const count = GROUP_MAX * 2 + 1;
    const writes = Array.from({ length: count }, (_, n) => store.commit(() => put(n)));
    await store.drain();
    expect(all()).toHaveLength(count);
    expect(store.commit(() => put(-1))).rejects.toThrow("closing");
    await Promise.all(writes);
    expect(all()).toHaveLength(count);
  });

  test("with nothing to wait for is done at once, as often as it is asked", async () => {
    await Promise.all([store.drain(), store.drain()]);
    await store.drain();
  });
});
