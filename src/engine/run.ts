/**
 * Who drives the workers. In production a loop for each worker sleeps until its next work, 30 s at most, or
 * until it is woken. In the sandbox and in tests the clock jumps from one due instant to the next. The
 * only file with timers.
 */

import { stackOf } from "#domain/thrown.ts";
import { earlier, isDue, SECOND_MS, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { stopwatch } from "#platform/clock.ts";
import { holds } from "#platform/turns.ts";
import { type Hold, StoreClosing } from "#store/sqlite/commit.ts";
import { damageOf, noteDamage } from "#store/sqlite/damage.ts";
import { type Db, stateOf } from "#store/sqlite/database.ts";
import type { WorkerState } from "#usecases/operations/operations.ts";
import type { Worker } from "./worker.ts";

const SLEEP_MS_MAX = 30 * SECOND_MS;
/** After a bug in a worker, so that it does not fail thousands of times a second. */
const PAUSE_AFTER_FAULT_MS = 5 * SECOND_MS;
/** Steps of all workers at one instant; more means that a worker makes no progress. */
const ROUNDS_MAX = 100_000;
/** While the clock jumps, others' requests wait for this long at most, or for one round of the workers. */
const STRETCH_MS = 20;
/** Characters of a fault that are kept. */
const FAULT_CHARS_MAX = 500;

/** Runs `act` once after `ms`. The program does not end before. */
export function later(ms: number, act: () => void): void {
  setTimeout(act, ms);
}

/** What `answer` resolves to; undefined where that takes longer than `ms`. */
export async function within<Answer>(
  ms: number,
  answer: Promise<Answer>,
): Promise<Answer | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A clock that can be moved. */
export interface Movable {
  /** Never goes back: an earlier instant leaves it alone. */
  advanceTo(at: UnixMs): void;
  /** It is paused but for `advanceTo` until the returned function is called. */
  hold(): () => void;
}

export interface Engine {
  start(): void;
  /** Ends after what is under way; workers may be stepped by hand afterwards. */
  stop(): Promise<void>;
  /** Lets every worker look at once. */
  wake(): void;
  /** Mailboxes that are watched over connections of their own. */
  watched(): number;
  /** What each worker has done since it was made. */
  workers(): WorkerState[];
  /**
   * Runs everything due up to `to`, in order, the clock jumping from one instant to the next. With `hold`,
   * what is written in a stretch of it is committed at the stretch's end.
   */
  advance(clock: Movable, to: UnixMs, hold?: Hold): Promise<void>;
}

export function createEngine(env: Environment, given: readonly Worker[]): Engine {
  const all = given.map((worker) => noted(env, worker));
  const workers = all.map(({ worker }) => worker);
  // What follows the wall clock has nothing to do with a jump of another.
  const jumps = (worker: Worker) => worker.time !== "wall" || env.clock === env.wall;
  const jumping = workers.filter(jumps);
  const loops = workers.map((worker) => ({ ...createLoop(env, worker), jumps: jumps(worker) }));
  let running = false;
  let advancing = false;
  let isStopping = false;
  let jump: Promise<void> = Promise.resolve();

  const startLoops = () => {
    for (const loop of loops) {
      loop.start();
    }
  };
  const stopLoops = () => Promise.all(loops.map((loop) => loop.stop()));
  const stopJumping = () =>
    Promise.all(loops.filter((loop) => loop.jumps).map((loop) => loop.stop()));

  return {
    watched: () => workers.reduce((sum, worker) => sum + (worker.watched?.() ?? 0), 0),
    workers: () => all.map(({ state }) => ({ ...state })),
    start: () => {
      running = true;
      isStopping = false;
      startLoops();
    },
    stop: async () => {
      running = false;
      isStopping = true;
      await jump.catch(() => undefined);
      await stopLoops();
    },
    wake: () => {
      for (const loop of loops) {
        if (!(advancing && loop.jumps)) {
          loop.wake();
        }
      }
    },
    advance: async (clock, to, hold = eachByItself) => {
      advancing = true;
      await stopJumping();
      const letGo = clock.hold();
      try {
        jump = jumpTo({ env, workers: jumping, clock, to, hold, isStopping: () => isStopping });
        await jump;
      } finally {
        letGo();
        advancing = false;
        if (running) {
          startLoops();
        }
      }
    },
  };
}

/** The worker as it was, and what becomes of its steps. On damaged data none is taken. */
function noted({ wall, db }: Environment, worker: Worker): { worker: Worker; state: WorkerState } {
  const state: WorkerState = {
    name: worker.name,
    runs: 0,
    busyMs: 0,
    lastRunAt: null,
    faults: 0,
    lastFaultAt: null,
    lastFault: null,
  };
  const holderName = `worker ${worker.name}`;
  const step: Worker["step"] = async (now) => {
    holds(holderName);
    const elapsed = stopwatch();
    state.lastRunAt = wall.now();
    try {
      return damageOf(db) === null ? await worker.step(now) : undefined;
    } catch (error) {
      // Found on a thread of its own: no statement here has met it.
      noteDamage(db.raw, error);
      state.faults += 1;
      state.lastFaultAt = wall.now();
      state.lastFault = String(error).slice(0, FAULT_CHARS_MAX);
      throw error;
    } finally {
      state.runs += 1;
      state.busyMs += elapsed();
    }
  };
  return { worker: { ...worker, step }, state };
}

interface Jump {
  env: Environment;
  workers: readonly Worker[];
  clock: Movable;
  to: UnixMs;
  hold: Hold;
  /** True once the program ends: the jump stops where it is. */
  isStopping: () => boolean;
}

/** Each group of writes is committed before it is answered, and a stretch is one round. */
const eachByItself: Hold = () => ({ isOver: () => true, end: () => undefined });

async function jumpTo({ env, workers, clock, to, hold, isStopping }: Jump): Promise<void> {
  let rounds = 0;
  let at = env.clock.now();
  const step = stepping(env.db, workers);
  /** False once there is nothing more to do up to `to`. */
  const round = async (isFirst: boolean): Promise<boolean> => {
    const next = await step(at, isFirst);
    if (next === undefined || next > to) {
      clock.advanceTo(to);
      return false;
    }
    rounds = next <= at ? rounds + 1 : 0;
    if (rounds > ROUNDS_MAX) {
      throw new Error(`the workers make no progress at ${at}`);
    }
    if (next > at) {
      clock.advanceTo(next);
      at = next;
    }
    return true;
  };
  for (let isMore = true; isMore && !isStopping(); ) {
    // Others have their turn; what follows runs in one that is the jump's own.
    await new Promise((resolve) => setImmediate(resolve));
    const stretch = hold(STRETCH_MS);
    try {
      isMore = await round(true);
      while (isMore && !stretch.isOver()) {
        isMore = await round(false);
      }
    } finally {
      stretch.end();
    }
  }
}

/**
 * Steps the workers, and says when the first of them has more. Where nobody has written since each of them said
 * so, only those that are due are asked: what the others would say is known. `isAfterOthers`: others have had
 * their turn, and may have written.
 */
function stepping(db: Db, workers: readonly Worker[]) {
  const next: (UnixMs | undefined)[] = [];
  let isQuiet = false;
  return async (at: UnixMs, isAfterOthers: boolean): Promise<UnixMs | undefined> => {
    const isKnown = isQuiet && !isAfterOthers;
    const before = stateOf(db);
    for (const [place, worker] of workers.entries()) {
      if (!isKnown || isDue(next[place], at)) {
        next[place] = await worker.step(at);
        await worker.settled?.();
      }
    }
    isQuiet = stateOf(db) === before;
    return next.reduce(earlier, undefined);
  };
}

/** A bug in a worker is logged; the worker is tried again after a pause. */
async function stepSafely(
  env: Environment,
  worker: Worker,
  now: UnixMs,
): Promise<{ next: UnixMs | undefined; failed: boolean }> {
  try {
    return { next: await worker.step(now), failed: false };
  } catch (error) {
    if (error instanceof StoreClosing) {
      return { next: undefined, failed: true };
    }
    const cause = stackOf(error);
    env.log.error("a worker failed", { worker: worker.name, env: env.name, cause });
    return { next: undefined, failed: true };
  }
}

interface Loop {
  start(): void;
  stop(): Promise<void>;
  wake(): void;
}

function createLoop(env: Environment, worker: Worker): Loop {
  const byWall = worker.time === "wall";
  const clock = byWall ? env.wall : env.clock;
  const msUntil = (at: UnixMs) => (byWall ? at - env.wall.now() : env.wallMsUntil(at));
  let stopped = true;
  let woken = false;
  let rouse: (() => void) | undefined;
  let done: Promise<void> = Promise.resolve();

  const sleep = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      rouse = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const loop = async () => {
    while (!stopped) {
      woken = false;
      const { next, failed } = await stepSafely(env, worker, clock.now());
      const untilDue = next === undefined ? SLEEP_MS_MAX : msUntil(next);
      const least = failed ? PAUSE_AFTER_FAULT_MS : 0;
      const mayWait = failed || !woken;
      if (mayWait && !stopped) {
        await sleep(Math.max(least, Math.min(SLEEP_MS_MAX, untilDue)));
      }
    }
    await worker.settled?.();
  };

  return {
    start: () => {
      if (stopped) {
        stopped = false;
        done = loop();
      }
    },
    stop: async () => {
      stopped = true;
      rouse?.();
      await done;
    },
    wake: () => {
      woken = true;
      // Called inside a transaction, which has ended by then.
      process.nextTick(() => rouse?.());
    },
  };
}
