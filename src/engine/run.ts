/**
 * Who drives the lanes. In production a loop for each lane sleeps until its next work, 30 s at most, or
 * until it is woken. In the sandbox and in tests the clock jumps from one due instant to the next. The
 * only file with timers.
 */

import { stackOf } from "#domain/thrown.ts";
import { earlier, SECOND_MS, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { type Clock, stopwatch } from "#platform/clock.ts";
import { StoreClosing } from "#store/sqlite/commit.ts";
import type { LaneState } from "#usecases/operations/operations.ts";
import type { Lane } from "./lane.ts";

const SLEEP_MS_MAX = 30 * SECOND_MS;
/** After a bug in a lane, so that it does not fail thousands of times a second. */
const PAUSE_AFTER_FAULT_MS = 5 * SECOND_MS;
/** Steps of all lanes at one instant; more means that a lane makes no progress. */
const ROUNDS_MAX = 100_000;
/** Rounds between two turns for other requests while the clock jumps. */
const ROUNDS_A_TURN = 20;
/** Characters of a fault that are kept. */
const FAULT_CHARS_MAX = 500;

/** A clock that can be moved. */
export interface Movable {
  /** Never goes back: an earlier instant leaves it alone. */
  advanceTo(at: UnixMs): void;
  /** It stands still but for `advanceTo` until the returned function is called. */
  hold(): () => void;
}

export interface Engine {
  start(): void;
  /** Ends after what is under way; lanes may be stepped by hand afterwards. */
  stop(): Promise<void>;
  /** Lets every lane look at once. */
  wake(): void;
  /** Mailboxes that are watched over connections of their own. */
  watched(): number;
  /** What each lane has done since it was made. */
  lanes(): LaneState[];
  /** Runs everything due up to `to`, in order, the clock jumping from one instant to the next. */
  advance(clock: Movable, to: UnixMs): Promise<void>;
}

export function createEngine(env: Environment, given: readonly Lane[]): Engine {
  const all = given.map((lane) => noted(env.wall, lane));
  const lanes = all.map(({ lane }) => lane);
  // What follows the wall clock has nothing to do with a jump of another.
  const jumps = (lane: Lane) => lane.time !== "wall" || env.clock === env.wall;
  const jumping = lanes.filter(jumps);
  const loops = lanes.map((lane) => ({ ...createLoop(env, lane), jumps: jumps(lane) }));
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
    watched: () => lanes.reduce((sum, lane) => sum + (lane.watched?.() ?? 0), 0),
    lanes: () => all.map(({ state }) => ({ ...state })),
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
    advance: async (clock, to) => {
      advancing = true;
      await stopJumping();
      const letGo = clock.hold();
      try {
        jump = jumpTo({ env, lanes: jumping, clock, to, isStopping: () => isStopping });
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

/** The lane as it was, and what becomes of its steps. */
function noted(wall: Clock, lane: Lane): { lane: Lane; state: LaneState } {
  const state: LaneState = {
    name: lane.name,
    runs: 0,
    busyMs: 0,
    lastRunAt: null,
    faults: 0,
    lastFaultAt: null,
    lastFault: null,
  };
  const step: Lane["step"] = async (now) => {
    const elapsed = stopwatch();
    state.lastRunAt = wall.now();
    try {
      return await lane.step(now);
    } catch (error) {
      state.faults += 1;
      state.lastFaultAt = wall.now();
      state.lastFault = String(error).slice(0, FAULT_CHARS_MAX);
      throw error;
    } finally {
      state.runs += 1;
      state.busyMs += elapsed();
    }
  };
  return { lane: { ...lane, step }, state };
}

interface Jump {
  env: Environment;
  lanes: readonly Lane[];
  clock: Movable;
  to: UnixMs;
  /** True once the program ends: the jump stops where it is. */
  isStopping: () => boolean;
}

async function jumpTo({ env, lanes, clock, to, isStopping }: Jump): Promise<void> {
  let rounds = 0;
  let at = env.clock.now();
  while (!isStopping()) {
    const next = await stepAll(lanes, at);
    if (next === undefined || next > to) {
      clock.advanceTo(to);
      return;
    }
    rounds = next <= at ? rounds + 1 : 0;
    if (rounds > ROUNDS_MAX) {
      throw new Error(`the lanes make no progress at ${at}`);
    }
    if (next > at) {
      clock.advanceTo(next);
      at = next;
    }
    if (rounds % ROUNDS_A_TURN === ROUNDS_A_TURN - 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

/** One step of each lane, and the first instant at which one of them has more. */
async function stepAll(lanes: readonly Lane[], at: UnixMs): Promise<UnixMs | undefined> {
  let next: UnixMs | undefined;
  for (const lane of lanes) {
    next = earlier(next, await lane.step(at));
    await lane.settled?.();
  }
  return next;
}

/** A bug in a lane is logged; the lane is tried again after a pause. */
async function stepSafely(
  env: Environment,
  lane: Lane,
  now: UnixMs,
): Promise<{ next: UnixMs | undefined; failed: boolean }> {
  try {
    return { next: await lane.step(now), failed: false };
  } catch (error) {
    if (error instanceof StoreClosing) {
      return { next: undefined, failed: true };
    }
    const cause = stackOf(error);
    env.log.error("a lane failed", { lane: lane.name, env: env.name, cause });
    return { next: undefined, failed: true };
  }
}

interface Loop {
  start(): void;
  stop(): Promise<void>;
  wake(): void;
}

function createLoop(env: Environment, lane: Lane): Loop {
  const byWall = lane.time === "wall";
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
      const { next, failed } = await stepSafely(env, lane, clock.now());
      const untilDue = next === undefined ? SLEEP_MS_MAX : msUntil(next);
      const least = failed ? PAUSE_AFTER_FAULT_MS : 0;
      const mayWait = failed || !woken;
      if (mayWait && !stopped) {
        await sleep(Math.max(least, Math.min(SLEEP_MS_MAX, untilDue)));
      }
    }
    await lane.settled?.();
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
      rouse?.();
    },
  };
}
