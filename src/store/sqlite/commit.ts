/**
 * Group commit: the writes of one turn of the event loop share one transaction, each in a savepoint of
 * its own, so that `synchronous=FULL` costs one wait for the disk a turn and not one a write.
 *
 * A closure is synchronous, sees what the closures before it wrote, and is undone alone when it throws.
 * Its promise settles after the COMMIT: what was answered is on disk. No transaction is open across a
 * turn, so reads outside never see uncommitted rows. While another process holds the file's lock, writes
 * wait and reads go on; SQLite itself would wait in the thread that serves everybody.
 *
 * Source: ours; measured at ten times the plain commit with 256 writers (`docs/adr/store.md`).
 */

import type { Statement } from "bun:sqlite";
import { stopwatch } from "#platform/clock.ts";
import { BUSY_MS_MAX, type Db, prepared, withoutWaiting } from "./database.ts";
import { readFact, writeFact } from "./facts.ts";
import { isHeld } from "./lock.ts";

/** Closures in one transaction; the rest waits for the next, so that readers get their turn. */
const GROUP_MAX = 256;

export type Commit = <Result>(write: () => Result) => Promise<Result>;

/** The program ends, and nothing is written any more: what was begun is resolved at the next start. */
export class StoreClosing extends Error {}

export interface Committer {
  commit: Commit;
  /**
   * From here on transactions that change something are counted in the database itself, and `listener` is
   * told the count after each COMMIT, before any of its promises settles. Returns the count as it is.
   */
  count(listener: (commits: number) => void): number;
  /** Refuses new writes and waits for those under way. */
  drain(): Promise<void>;
}

interface Waiting {
  write: () => unknown;
  /** Milliseconds since it was handed in. */
  waited: () => number;
  resolve: (value: unknown) => void;
  reject: (reason: unknown) => void;
}

type Result = { ok: true; value: unknown } | { ok: false; error: unknown };

/** What becomes of writes while another process holds the file's lock. */
export interface BusyOptions {
  /** How long a write may wait, five seconds if left out; then it fails with SQLITE_BUSY. */
  busyMs?: number | undefined;
  /** Runs `retry` later and never at once; in the next turn if left out. */
  again?: (retry: () => void) => void;
}

export function createCommitter(
  db: Db,
  { busyMs = BUSY_MS_MAX, again = setImmediate }: BusyOptions = {},
): Committer {
  const queue: Waiting[] = [];
  let scheduled = false;
  let closed = false;
  let idle: (() => void)[] = [];
  const transaction = transactionOf(db);
  let told: ((commits: number) => void) | undefined;

  const tell = (before: number | undefined) => {
    const { counter } = transaction;
    if (counter !== undefined && counter.commits !== before) {
      told?.(counter.commits);
    }
  };
  const flush = () => {
    scheduled = false;
    const failure = beginFailure(transaction);
    if (failure !== null && isHeld(failure.error)) {
      failLate(queue, busyMs, failure.error);
      if (queue.length > 0) {
        scheduled = true;
        again(flush);
        return;
      }
    }
    const group = queue.splice(0, GROUP_MAX);
    const before = transaction.counter?.commits;
    const results = failure === null ? runGroup(transaction, group) : failed(group, failure.error);
    tell(before);
    settle(group, results);
    if (queue.length > 0) {
      schedule();
    } else {
      for (const wake of idle.splice(0)) {
        wake();
      }
    }
  };
  const schedule = () => {
    if (!scheduled) {
      scheduled = true;
      setImmediate(flush);
    }
  };

  return {
    commit: (write) => {
      if (closed) {
        return Promise.reject(new StoreClosing("the store is closing"));
      }
      return new Promise((resolve, reject) => {
        queue.push({
          write,
          waited: stopwatch(),
          resolve: resolve as (value: unknown) => void,
          reject,
        });
        schedule();
      });
    },
    count: (listener) => {
      const counter = counterOf(db);
      transaction.counter = counter;
      told = listener;
      return counter.commits;
    },
    drain: () => {
      closed = true;
      return new Promise((resolve) => {
        if (queue.length === 0 && !scheduled) {
          resolve();
        } else {
          idle = [...idle, resolve];
        }
      });
    },
  };
}

/**
 * Many reads as one: of one state, each row decoded once, and quicker, for SQLite looks once what others
 * have written. `read` is synchronous.
 */
export function readTogether<Result>(db: Db, read: () => Result): Result {
  if (db.raw.inTransaction) {
    return read();
  }
  const { begin, look, commit } = reading(db);
  begin.run();
  try {
    look.run();
    db.rows.open();
    return read();
  } finally {
    db.rows.close();
    commit.run();
  }
}

const reading = prepared(({ raw }) => ({
  begin: raw.prepare<null, []>("BEGIN"),
  /** The state is that of the first read. */
  look: raw.prepare<null, []>("SELECT 1 FROM sqlite_master LIMIT 1"),
  commit: raw.prepare<null, []>("COMMIT"),
}));

/**
 * A database, and what is said of each group and each write. Prepared all of it: a BEGIN IMMEDIATE that is
 * compiled anew makes every statement look up the names of its columns again.
 */
interface Transaction {
  db: Db;
  begin: Words;
  commit: Words;
  save: Words;
  undo: Words;
  release: Words;
  /** Undefined: nobody wants to know. */
  counter: Counter | undefined;
}

interface Counter {
  /** As of the last COMMIT. */
  commits: number;
  /** Of this connection since it was opened. */
  changes: () => number;
  write: (commits: number) => void;
}

const COMMITS = "commits";

/** How many transactions of servers a database holds. */
export function commitsOf(db: Db): number {
  return Number(readFact(db, COMMITS) ?? 0);
}

function counterOf(db: Db): Counter {
  const total = db.raw.prepare<{ n: number }, []>("select total_changes() as n");
  return {
    commits: commitsOf(db),
    changes: () => total.get()?.n ?? 0,
    write: (commits) => writeFact(db, COMMITS, String(commits)),
  };
}

type Words = Pick<Statement<null, []>, "run">;

function transactionOf(db: Db): Transaction {
  return {
    db,
    begin: db.raw.prepare("BEGIN IMMEDIATE"),
    commit: db.raw.prepare("COMMIT"),
    save: db.raw.prepare("SAVEPOINT one"),
    undo: db.raw.prepare("ROLLBACK TO one"),
    release: db.raw.prepare("RELEASE one"),
    counter: undefined,
  };
}

/** Begins a transaction. Null: it is open; otherwise why it is not. */
function beginFailure({ db, begin }: Transaction): { error: unknown } | null {
  try {
    // Of a file that is closed the question throws; a statement that was prepared before would not.
    if (db.raw.inTransaction) {
      throw new Error("a transaction of somebody else is open");
    }
    withoutWaiting(db, () => begin.run());
    return null;
  } catch (error) {
    return { error };
  }
}

/** Those that have waited so long leave the queue, in which they stand in the order in which they came. */
function failLate(queue: Waiting[], busyMs: number, error: unknown): void {
  const patient = queue.findIndex(({ waited }) => waited() < busyMs);
  const late = queue.splice(0, patient === -1 ? queue.length : patient);
  settle(late, failed(late, error));
}

function failed(group: readonly Waiting[], error: unknown): Result[] {
  return group.map(() => ({ ok: false, error }));
}

/** The transaction that has begun, to its end. When COMMIT itself fails, every closure of the group has failed. */
function runGroup(transaction: Transaction, group: readonly Waiting[]): Result[] {
  const { db, commit, counter } = transaction;
  try {
    db.rows.open();
    const before = counter?.changes();
    const results = group.map(({ write }) => runOne(transaction, write));
    const isChanged = counter !== undefined && counter.changes() !== before;
    if (isChanged) {
      counter.write(counter.commits + 1);
    }
    commit.run();
    if (isChanged) {
      counter.commits += 1;
    }
    return results;
  } catch (error) {
    if (db.raw.inTransaction) {
      db.raw.run("ROLLBACK");
    }
    db.rows.clear();
    return failed(group, error);
  } finally {
    db.rows.close();
  }
}

function runOne({ db, save, undo, release }: Transaction, write: () => unknown): Result {
  save.run();
  let result: Result;
  try {
    const value = write();
    if (value instanceof Promise) {
      // Nobody will wait for it any more: its own failure must not end the program.
      value.catch(() => undefined);
      throw new TypeError(
        "a write must be synchronous: its transaction ends before an await returns",
      );
    }
    result = { ok: true, value };
  } catch (error) {
    if (!db.raw.inTransaction) {
      // SQLite has undone everything by itself: its disk is full or broken.
      throw error;
    }
    result = { ok: false, error };
    undo.run();
    db.rows.clear();
  }
  release.run();
  return result;
}

function settle(group: readonly Waiting[], results: readonly Result[]): void {
  for (const [index, waiting] of group.entries()) {
    const result = results[index];
    if (result?.ok) {
      waiting.resolve(result.value);
    } else {
      waiting.reject(result?.error);
    }
  }
}
