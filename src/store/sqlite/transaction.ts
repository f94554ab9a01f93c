/** One transaction of many writes, each in a savepoint of its own, and what becomes of each. */

import type { Statement } from "bun:sqlite";
import { type Holder, holds } from "#platform/turns.ts";
import { type Db, prepared, withoutWaiting } from "./database.ts";
import { readFact, writeFact } from "./facts.ts";

/** A write that somebody waits for. */
export interface Waiting {
  /** Whom the thread worked for when it was handed in. */
  holder: Holder;
  write: () => unknown;
  /** Milliseconds since it was handed in. */
  waited: () => number;
  resolve: (value: unknown) => void;
  reject: (reason: unknown) => void;
}

/** The name under which a transaction itself, and what nobody has put his name to, holds the thread. */
export const COMMIT = "commit";

export type Result = { ok: true; value: unknown } | { ok: false; error: unknown };

/**
 * A database, and what is said of each group and each write. Prepared all of it: a BEGIN IMMEDIATE that is
 * compiled anew makes every statement look up the names of its columns again.
 */
export interface Transaction {
  db: Db;
  begin: Words;
  commit: Words;
  save: Words;
  undo: Words;
  release: Words;
  /** Undefined: nobody wants to know. */
  counter: Counter | undefined;
  beside: Beside | undefined;
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

export function counterOf(db: Db): Counter {
  const total = db.raw.prepare<{ n: number }, []>("select total_changes() as n");
  return {
    commits: commitsOf(db),
    changes: () => total.get()?.n ?? 0,
    write: (commits) => writeFact(db, COMMITS, String(commits)),
  };
}

/** What is written in a file of its own, beside the database, with what a transaction changes. */
export interface Beside {
  /** Before COMMIT: it may still write into the database. */
  before(): void;
  /** After it, and before anybody is told; throws nothing. */
  after(): void;
}

type Words = Pick<Statement<null, []>, "run">;

export function transactionOf(db: Db, beside?: Beside): Transaction {
  return {
    db,
    begin: db.raw.prepare("BEGIN IMMEDIATE"),
    commit: db.raw.prepare("COMMIT"),
    save: db.raw.prepare("SAVEPOINT one"),
    undo: db.raw.prepare("ROLLBACK TO one"),
    release: db.raw.prepare("RELEASE one"),
    counter: undefined,
    beside,
  };
}

/** Begins a transaction. Null: it is open; otherwise why it is not. */
export function beginFailure({ db, begin }: Transaction): { error: unknown } | null {
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

export function failed(group: readonly Waiting[], error: unknown): Result[] {
  return group.map(() => ({ ok: false, error }));
}

/** The transaction that has begun, to its end. When COMMIT itself fails, every closure of the group has failed. */
export function runGroup(transaction: Transaction, group: readonly Waiting[]): Result[] {
  const { db, commit, counter, beside } = transaction;
  holds(COMMIT);
  try {
    db.rows.open();
    const before = counter?.changes();
    const results = group.map((one) => runOne(transaction, one));
    holds(COMMIT);
    beside?.before();
    const isChanged = counter !== undefined && counter.changes() !== before;
    if (isChanged) {
      counter.write(counter.commits + 1);
    }
    commit.run();
    beside?.after();
    if (isChanged) {
      counter.commits += 1;
    }
    return results;
  } catch (error) {
    undoAll(db);
    return failed(group, error);
  } finally {
    db.rows.close();
  }
}

export function runOne(
  { db, save, undo, release }: Transaction,
  { holder, write }: Pick<Waiting, "holder" | "write">,
): Result {
  holds(holder);
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

/** Inside a transaction: what `write` has written is undone alone when it throws. */
export function savepoint<Result>(db: Db, write: () => Result): Result {
  const { save, undo, release } = nested(db);
  save.run();
  try {
    return write();
  } catch (error) {
    if (db.raw.inTransaction) {
      undo.run();
      db.rows.clear();
    }
    throw error;
  } finally {
    if (db.raw.inTransaction) {
      release.run();
    }
  }
}

const nested = prepared(({ raw }) => ({
  save: raw.prepare<null, []>("SAVEPOINT part"),
  undo: raw.prepare<null, []>("ROLLBACK TO part"),
  release: raw.prepare<null, []>("RELEASE part"),
}));

export function settle(group: readonly Waiting[], results: readonly Result[]): void {
  for (const [index, waiting] of group.entries()) {
    const result = results[index];
    // What follows is still its own.
    holds(waiting.holder);
    if (result?.ok) {
      waiting.resolve(result.value);
    } else {
      waiting.reject(result?.error);
    }
  }
}

export function undoAll(db: Db): void {
  if (db.raw.inTransaction) {
    db.raw.run("ROLLBACK");
  }
  db.rows.clear();
}
