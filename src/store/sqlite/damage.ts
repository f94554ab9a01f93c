/**
 * A database whose pages are not what was written: the disk gave back others, or somebody changed the file.
 * What it says can't be believed from then on, so whoever sends by it stops until it is replaced.
 */

import type { Database } from "bun:sqlite";
import { Worker } from "node:worker_threads";
import { messageOf } from "#domain/thrown.ts";
import type { Db } from "./database.ts";

/** By its code, or by SQLite's words where an error came from another thread as a text. */
const DAMAGE =
  /^SQLITE_(?:CORRUPT|NOTADB|IOERR_CORRUPTFS)|database disk image is malformed|file is not a database/;

/** Whether SQLite says so, whatever has wrapped it. */
export function isDamage(error: unknown): boolean {
  if (!(error instanceof Error)) {
    return false;
  }
  const code = "code" in error ? String(error.code) : "";
  return DAMAGE.test(code) || DAMAGE.test(error.message) || isDamage(error.cause);
}

/** For whoever runs the program. */
export function damageInWords(what: string, fault: string): string {
  return (
    `${what} is damaged (${fault}). Nothing is sent by it. Stop Outrider, check the disk, and restore a ` +
    "backup into an empty directory: outrider restore FILE --data DIRECTORY"
  );
}

const damaged = new WeakMap<Database, string>();
const listeners = new WeakMap<Database, (fault: string) => void>();

/** Keeps what SQLite said, if it is damage. Every statement of a database that is opened here does so. */
export function noteDamage(raw: Database, error: unknown): void {
  if (isDamage(error) && !damaged.has(raw)) {
    const fault = messageOf(error);
    damaged.set(raw, fault);
    listeners.get(raw)?.(fault);
  }
}

/** In SQLite's words; null while nothing is known to be wrong. Until the program ends: a file doesn't heal. */
export function damageOf({ raw }: Db): string | null {
  return damaged.get(raw) ?? null;
}

/** Tells once that the database is damaged. */
export function onDamage({ raw }: Db, tell: (fault: string) => void): void {
  listeners.set(raw, tell);
}

/** Reads every page, but compares no index with its table. Null: it is whole. Throws nothing. */
export function quickCheck(db: Db): string | null {
  try {
    const row = db.raw.query<{ quick_check: string }, []>("PRAGMA quick_check(1)").get();
    return row?.quick_check === "ok" ? null : (row?.quick_check ?? "nothing was found out");
  } catch (error) {
    return messageOf(error);
  }
}

/** As text, as in apart.ts. It rests after each table, for others to use the disk. */
const PROGRAM = `
  import { Database } from "bun:sqlite";
  import { parentPort, workerData } from "node:worker_threads";
  const moment = new Int32Array(new SharedArrayBuffer(4));
  const check = (raw, name) => {
    try {
      return raw.query("PRAGMA quick_check('" + name.replaceAll("'", "''") + "')").values()[0]?.[0];
    } catch (error) {
      if (error.code === "SQLITE_CORRUPT") {
        return error.message;
      }
      throw error;
    }
  };
  const firstFault = (raw) => {
    const tables = raw.query("select name from sqlite_schema where type = 'table' and rootpage > 0").values();
    for (const [name] of tables) {
      const found = check(raw, name);
      if (found !== "ok") {
        return name + ": " + found;
      }
      Atomics.wait(moment, 0, 0, 20);
    }
    return null;
  };
  let said;
  try {
    const raw = new Database(workerData.path, { readonly: true });
    said = { fault: firstFault(raw) };
    raw.close();
  } catch ({ message, code }) {
    said = { failure: { message, code } };
  }
  parentPort.postMessage(said);
`;

interface Said {
  fault?: string | null;
  failure?: { message: string; code?: string };
}

/**
 * Reads the whole file on a thread of its own, table by table: nobody here waits for it.
 *
 * The first fault, by the name of its table; null: it is whole, it lies in memory, or `signal` ended it.
 * Rejects where the file couldn't be read.
 */
export async function checkApart({ raw }: Db, signal: AbortSignal): Promise<string | null> {
  const path = raw.filename;
  if (path === "" || path === ":memory:" || signal.aborted) {
    return null;
  }
  const thread = new Worker(PROGRAM, { eval: true, workerData: { path } });
  const { promise, resolve, reject } = Promise.withResolvers<string | null>();
  const stop = () => resolve(null);
  signal.addEventListener("abort", stop);
  thread.once("message", ({ fault = null, failure }: Said) =>
    failure === undefined
      ? resolve(fault)
      : reject(Object.assign(new Error(failure.message), failure)),
  );
  thread.once("error", reject);
  thread.once("exit", () => reject(new Error("the thread that reads has died")));
  try {
    return await promise;
  } finally {
    signal.removeEventListener("abort", stop);
    await thread.terminate();
  }
}
