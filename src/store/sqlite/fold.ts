/**
 * What takes long and needs nothing of the program, on a thread of its own, over a connection of its own.
 *
 * It folds a long write-ahead log into the file: a commit that does it keeps everybody waiting for as long as 64
 * MB take to be written. Commits go on meanwhile, so
 * the thread folds what they add, too, until nothing is left. The main thread folds what a commit that was then
 * under way has added, and the next one begins the log anew, unless somebody still reads a state that it holds.
 * Where that goes on, the log grows without end: {@link Folder.isLong} says when such readers should pause.
 *
 * And it runs statements: whoever writes meanwhile waits for the lock of the file, and whoever reads doesn't.
 *
 * Source: ours; measured in `docs/adr/store.md`, "A thread folds the write-ahead log".
 */

import type { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { stopwatch } from "#platform/clock.ts";
import { noteDamage } from "./damage.ts";

/** Length of the log from which it is folded: what is written again and again, as counters are, is folded once. */
export const LOG_BYTES = 64 * 1024 * 1024;
/** The log is long when it has so many times that length: it was folded, and could not begin anew. */
const LONG = 2;
/** Between two looks at the log. */
const LOOK_MS = 100;
/** Pages that are folded between two commits: a few milliseconds. */
const REST_PAGES_MAX = 4_000;

/**
 * As text, since a thread would otherwise need a file of its own in the executable. Of a look it answers how many
 * pages it has left to be folded, or null where there were few, and how many bytes the log has; of a statement
 * how many rows it has changed. `NOOP` only says how long the log is; SQLite before 3.51 folds. What is written
 * here reaches the disk with the next commit of the program.
 */
const PROGRAM = `
  import { Database } from "bun:sqlite";
  import { parentPort, workerData } from "node:worker_threads";
  const { path, logBytes } = workerData;
  const PASSES_MAX = 10;
  const raw = new Database(path, { readwrite: true });
  for (const pragma of ["cache_size = -256", "secure_delete = ON", "synchronous = NORMAL",
    "wal_autocheckpoint = 0", "busy_timeout = 10000"]) {
    raw.run("PRAGMA " + pragma);
  }
  const changes = raw.prepare("SELECT total_changes() AS n");
  const pageBytes = raw.query("PRAGMA page_size").get().page_size;
  const look = raw.prepare("PRAGMA wal_checkpoint(NOOP)");
  const fold = raw.prepare("PRAGMA wal_checkpoint(PASSIVE)");
  const left = ({ busy, log, checkpointed }) => (busy === 0 ? log - checkpointed : 0);
  const work = (isAll) => {
    const seen = look.get();
    const bytes = seen.log * pageBytes;
    let rest = left(seen);
    if (!isAll && rest * pageBytes < logBytes) {
      return { rest: null, bytes };
    }
    for (let pass = 0; pass < PASSES_MAX && rest > 0; pass += 1) {
      fold.get();
      rest = left(look.get());
    }
    return { rest, bytes };
  };
  const run = ({ sql, values }) => {
    const before = changes.get().n;
    raw.run(sql, values);
    return changes.get().n - before;
  };
  parentPort.on("message", ({ isAll, statement }) => {
    if (statement !== undefined) {
      let outcome;
      try {
        outcome = { changes: run(statement) };
      } catch (error) {
        outcome = { fault: String(error) };
      }
      parentPort.postMessage({ outcome });
      return;
    }
    let found = { rest: null, bytes: 0 };
    try {
      found = work(isAll);
    } catch {}
    parentPort.postMessage({ look: found });
  });
`;

/**
 * Earlier ones could lose a commit when a second connection folds the log at the instant at which the first
 * begins it anew.
 *
 * Source: https://sqlite.org/wal.html, "The WAL-Reset Bug".
 */
const VERSION_MIN = [3, 51, 3] as const;

export interface Folder {
  /** Something was committed. */
  committed(): void;
  /** Readers of older states keep the log from beginning anew: who reads for long should pause. */
  isLong(): boolean;
  /** Nobody reads an older state: resolves when all is folded, and the next commit may begin the log anew. */
  paused(): Promise<void>;
  /**
   * Runs a statement that writes, in a transaction of its own; resolves to how many rows it changed. Whoever
   * commits meanwhile waits. One at a time. Null: there is no thread.
   */
  run(statement: Statement): Promise<number | null>;
  /** Resolves when it does nothing any more. */
  stop(): Promise<void>;
}

export interface Statement {
  sql: string;
  values: (string | number)[];
}

interface Look {
  rest: number | null;
  bytes: number;
}

type Outcome = { changes: number } | { fault: string };

/** Where the thread cannot be, a commit folds the log in the end (`database.ts`). */
export function createFolder(raw: Database, logBytes: number): Folder {
  const path = raw.filename;
  let worker: Worker | undefined;
  let isBroken = isOlder(raw);
  let looking: PromiseWithResolvers<void> | undefined;
  let running: PromiseWithResolvers<number> | undefined;
  let sinceLook = stopwatch();
  let isLong = false;

  const seen = () => {
    looking?.resolve();
    looking = undefined;
  };
  const ran = (outcome: Outcome) => {
    if ("changes" in outcome) {
      running?.resolve(outcome.changes);
    } else {
      running?.reject(faultOf(raw, outcome.fault));
    }
    running = undefined;
  };
  const start = (): Worker => {
    const started = new Worker(PROGRAM, { eval: true, workerData: { path, logBytes } });
    started.unref();
    started.on("message", ({ look, outcome }: { look?: Look; outcome?: Outcome }) => {
      if (outcome !== undefined) {
        ran(outcome);
      }
      if (look !== undefined) {
        isLong = look.bytes >= LONG * logBytes;
        if (look.rest !== null && look.rest <= REST_PAGES_MAX) {
          finish(raw);
        }
        seen();
      }
    });
    const end = () => {
      isBroken = true;
      isLong = false;
      seen();
      ran({ fault: "the thread of the file has ended" });
    };
    started.on("error", end);
    started.on("exit", end);
    return started;
  };
  const look = (isAll: boolean): Promise<void> => {
    looking = Promise.withResolvers();
    worker ??= start();
    worker.postMessage({ isAll });
    return looking.promise;
  };
  return {
    committed: () => {
      if (isBroken || looking !== undefined || sinceLook() < LOOK_MS) {
        return;
      }
      sinceLook = stopwatch();
      // The file of the log never shrinks while it is used: before it is long, no thread is needed.
      if (sizeOf(`${path}-wal`) >= logBytes) {
        void look(false);
      }
    },
    isLong: () => isLong,
    paused: async () => {
      while (looking !== undefined) {
        await looking.promise;
      }
      if (!isBroken) {
        await look(true);
      }
      // Whoever reads it still is none of ours, and is not waited for.
      isLong = false;
    },
    run: (statement) => {
      if (isBroken || path === ":memory:") {
        return Promise.resolve(null);
      }
      running = Promise.withResolvers();
      worker ??= start();
      worker.postMessage({ statement });
      return running.promise;
    },
    stop: async () => {
      // Nothing else may keep the program from ending.
      worker?.ref();
      await Promise.allSettled([looking?.promise, running?.promise]);
      await worker?.terminate();
      worker = undefined;
    },
  };
}

function faultOf(raw: Database, words: string): Error {
  const error = new Error(words);
  noteDamage(raw, error);
  return error;
}

/** Some systems bring a SQLite of their own. */
function isOlder(raw: Database): boolean {
  const row = raw.query<{ version: string }, []>("select sqlite_version() as version").get();
  const parts = (row?.version ?? "0").split(".").map(Number);
  const at = VERSION_MIN.findIndex((least, place) => parts[place] !== least);
  return at !== -1 && (parts[at] ?? 0) < (VERSION_MIN[at] ?? 0);
}

/** On a disk that is full or may only be read, the log stays as it is. */
function finish(raw: Database): void {
  try {
    raw.query("PRAGMA wal_checkpoint(PASSIVE)").get();
  } catch {
    // A commit that needs the disk says so.
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
