/**
 * Group commit: the writes of a few turns of the event loop share one transaction, each in a savepoint of
 * its own, so that `synchronous=FULL` costs one wait for the disk a turn and not one a write.
 *
 * A closure is synchronous, sees what the closures before it wrote, and is undone alone when it throws.
 * Its promise settles after the COMMIT: what was answered is on disk. No transaction is open across a
 * turn, so reads outside never see uncommitted rows. That holds for `hold`, too, whose closures are
 * answered before the COMMIT. While another process holds the file's lock, writes wait and reads go on;
 * SQLite itself would wait in the thread that serves everybody.
 *
 * Source: ours; measured at ten times the plain commit with 256 writers (`docs/adr/store.md`).
 */

import { stopwatch } from "#platform/clock.ts";
import { holding } from "#platform/turns.ts";
import { BUSY_MS_MAX, type Db, prepared } from "./database.ts";
import { createFolder, type Folder, LOG_BYTES } from "./fold.ts";
import { isHeld } from "./lock.ts";
import {
  type Beside,
  beginFailure,
  COMMIT,
  counterOf,
  failed,
  runGroup,
  runOne,
  settle,
  type Transaction,
  transactionOf,
  undoAll,
  type Waiting,
} from "./transaction.ts";

/** Closures in one transaction; the rest waits for the next, so that readers get their turn. */
const GROUP_MAX = 256;
/** Turns in which more may join a transaction, as long as more come. */
const TURNS_MAX = 3;

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
  /**
   * For a clock that jumps, at the beginning of a turn of its own: what is written in the rest of this turn
   * shares one transaction, and is answered before its COMMIT. It ends with the turn, after `ms`
   * milliseconds, or by `end`, which throws where the COMMIT failed.
   */
  hold: Hold;
  /** What keeps the write-ahead log short while others read for long, and runs what takes long. */
  log: Pick<Folder, "isLong" | "paused" | "run">;
  /** Refuses new writes and waits for those under way. */
  drain(): Promise<void>;
}

export type Hold = (ms: number) => { isOver(): boolean; end(): void };

export interface CommitterOptions {
  /**
   * How long a write may wait while another process holds the file's lock, five seconds if left out; then it
   * fails with SQLITE_BUSY.
   */
  busyMs?: number | undefined;
  /** Runs `retry` later and never at once; in the next turn if left out. */
  again?: (retry: () => void) => void;
  /** How long the write-ahead log becomes before it is folded into the file; 64 MB if left out. */
  logBytes?: number;
  /** What lies beside this database; nothing if left out. */
  beside?: Beside;
}

export function createCommitter(
  db: Db,
  {
    busyMs = BUSY_MS_MAX,
    again = setImmediate,
    logBytes = LOG_BYTES,
    beside,
  }: CommitterOptions = {},
): Committer {
  const queue: Waiting[] = [];
  let [scheduled, closed] = [false, false];
  const idle: (() => void)[] = [];
  const transaction = transactionOf(db, beside);
  const folder = createFolder(db.raw, logBytes);
  let told: ((commits: number) => void) | undefined;
  let held: Held | undefined;

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
    folder.committed();
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
      whenGathered(queue, flush);
    }
  };
  const add = (waiting: Waiting) => {
    if (held === undefined) {
      queue.push(waiting);
      schedule();
    } else {
      held.add(waiting);
    }
  };

  return {
    commit: (write) => {
      if (closed) {
        return Promise.reject(new StoreClosing("the store is closing"));
      }
      return new Promise((resolve, reject) => {
        add({
          holder: holding() ?? { by: COMMIT },
          write,
          waited: stopwatch(),
          resolve: resolve as (value: unknown) => void,
          reject,
        });
      });
    },
    hold: (ms) => {
      const one = createHeld(transaction, ms, (left) => {
        held = undefined;
        left.forEach(add);
        folder.committed();
      });
      held = one;
      return one;
    },
    count: (listener) => {
      const counter = counterOf(db);
      transaction.counter = counter;
      told = listener;
      return counter.commits;
    },
    log: folder,
    drain: async () => {
      closed = true;
      if (queue.length > 0 || scheduled) {
        await new Promise<void>((resolve) => idle.push(resolve));
      }
      await folder.stop();
    },
  };
}

/** Runs `flush` after a turn in which no more came, or the last in which they may. */
function whenGathered(queue: readonly unknown[], flush: () => void, turn = 1, before = 0): void {
  setImmediate(() => {
    const { length } = queue;
    if (turn < TURNS_MAX && length > before && length < GROUP_MAX) {
      whenGathered(queue, flush, turn + 1, length);
    } else {
      flush();
    }
  });
}

interface Held extends ReturnType<Hold> {
  add(waiting: Waiting): void;
}

/**
 * A transaction of many groups. Microtasks run them, so nothing else runs between; what waits for more than
 * a microtask ends the turn, and ticks run before anybody else does. `over` gets what has not been run.
 */
function createHeld(
  transaction: Transaction,
  ms: number,
  over: (left: readonly Waiting[]) => void,
): Held {
  const { db, commit, beside } = transaction;
  const elapsed = stopwatch();
  const queue: Waiting[] = [];
  let isOpen = false;
  let isOver = false;
  let failure: { error: unknown } | undefined;

  const close = () => {
    isOver = true;
    try {
      if (isOpen) {
        beside?.before();
        commit.run();
        beside?.after();
      }
    } catch (error) {
      failure = { error };
      undoAll(db);
    } finally {
      isOpen = false;
      db.rows.close();
      over(queue.splice(0));
    }
  };
  /** False: another process holds the lock. */
  const open = (): boolean => {
    const refusal = isOpen ? null : beginFailure(transaction);
    if (refusal !== null && !isHeld(refusal.error)) {
      throw refusal.error;
    }
    if (refusal === null && !isOpen) {
      isOpen = true;
      db.rows.open();
    }
    return isOpen;
  };
  const play = (group: readonly Waiting[]): void => {
    try {
      if (open()) {
        settle(
          group,
          group.map((one) => runOne(transaction, one)),
        );
      } else {
        // They wait for the lock as any write does, and the stretch is over.
        isOver = true;
        over(group);
      }
    } catch (error) {
      // Everything is undone that was written since the BEGIN, and answered for.
      failure = { error };
      undoAll(db);
      isOpen = false;
      settle(group, failed(group, error));
    }
  };
  const run = () => {
    const group = queue.splice(0);
    if (group.length > 0) {
      play(group);
    }
    if (!isOver && (failure !== undefined || elapsed() > ms)) {
      close();
    }
  };
  process.nextTick(() => isOver || close());
  return {
    add: (waiting) => {
      queue.push(waiting);
      if (queue.length === 1) {
        queueMicrotask(run);
      }
    },
    isOver: () => isOver,
    end: () => {
      if (!isOver) {
        close();
      }
      if (failure !== undefined) {
        throw failure.error;
      }
    },
  };
}

/** Those that have waited so long leave the queue, in which they stand in the order in which they came. */
function failLate(queue: Waiting[], busyMs: number, error: unknown): void {
  const patient = queue.findIndex(({ waited }) => waited() < busyMs);
  const late = queue.splice(0, patient === -1 ? queue.length : patient);
  settle(late, failed(late, error));
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
