/**
 * One long write on a thread of its own, over a connection of its own, as one transaction: nobody sees half of
 * it, a crash leaves all or nothing, and only commits to the same file wait for it. For what takes seconds
 * and decides nothing.
 */

import { Worker } from "node:worker_threads";
import { noteDamage } from "./damage.ts";
import type { Db } from "./database.ts";

export interface Statement {
  sql: string;
  values: readonly (string | Uint8Array)[];
}

/** Between two claims the main thread leaves the file alone for an instant only: it is asked for often. */
const LOCK_MS_MAX = 30_000;

/** As text, since a thread would otherwise need a file of its own in the executable. */
const PROGRAM = `
  import { Database } from "bun:sqlite";
  import { parentPort, workerData } from "node:worker_threads";
  const { path, statements, lockMsMax } = workerData;
  const raw = new Database(path, { readwrite: true, create: false });
  raw.run("PRAGMA foreign_keys = ON");
  raw.run("PRAGMA synchronous = FULL");
  // The log is folded by who always does (fold.ts).
  raw.run("PRAGMA wal_autocheckpoint = 0");
  raw.run("PRAGMA cache_size = -16384");
  const moment = new Int32Array(new SharedArrayBuffer(4));
  const begin = () => {
    for (let ms = 0; ; ms += 1) {
      try {
        return raw.run("BEGIN IMMEDIATE");
      } catch (error) {
        if (ms >= lockMsMax || !String(error.code).startsWith("SQLITE_BUSY")) {
          throw error;
        }
        Atomics.wait(moment, 0, 0, 1);
      }
    }
  };
  const write = () => {
    begin();
    raw.run("PRAGMA defer_foreign_keys = ON");
    for (const { sql, values } of statements) {
      raw.run(sql, values);
    }
    raw.run("COMMIT");
    return null;
  };
  let failure;
  try {
    failure = write();
  } catch ({ message, code }) {
    failure = { message, code };
  }
  // What has begun is undone.
  raw.close();
  parentPort.postMessage(failure);
`;

/**
 * Runs the statements in order; foreign keys are checked at the end. A database in memory, which no other
 * thread can reach, is written here. Rejects with what went wrong, when nothing was written.
 */
export async function writeApart({ raw }: Db, statements: readonly Statement[]): Promise<void> {
  const path = raw.filename;
  if (path === "" || path === ":memory:") {
    raw.transaction(() => {
      raw.run("PRAGMA defer_foreign_keys = ON");
      for (const { sql, values } of statements) {
        raw.run(sql, [...values]);
      }
    })();
    return;
  }
  const workerData = { path, statements, lockMsMax: LOCK_MS_MAX };
  const thread = new Worker(PROGRAM, { eval: true, workerData });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  thread.once("message", (failure: { message: string; code?: string } | null) =>
    failure === null ? resolve() : reject(Object.assign(new Error(failure.message), failure)),
  );
  thread.once("error", reject);
  thread.once("exit", () => reject(new Error("the thread that writes has died")));
  try {
    await promise;
  } catch (error) {
    noteDamage(raw, error);
    throw error;
  } finally {
    await thread.terminate();
  }
}
