/**
 * How a question about the future is answered without holding up the program. What a few steps answer is
 * answered at once. Everything else is computed on a snapshot of the database, in slices
 * between which the program serves others, and its answer is kept until something changes.
 *
 * Source: ours; a forecast of a month took 4.9 s of the only thread (`docs/adr/forecast.md`).
 */

import { Problem } from "#domain/problem.ts";
import { MINUTE_MS, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { stopwatch } from "#platform/clock.ts";
import { ownTurn } from "#platform/turns.ts";
import type { Id } from "#store/sqlite/columns.ts";
import { readTogether } from "#store/sqlite/commit.ts";
import { freeze, stateOf } from "#store/sqlite/database.ts";

/** An answer that is worked out in steps of about a millisecond: the generator yields between two. */
export type Steps<Result> = Generator<unknown, Result, void>;

export interface Question<Result> {
  teamId: Id;
  /** One question of a kind is worked on at a time for each team; the others wait in order. */
  kind: "explain" | "forecast" | "status";
  /** The same for questions of a kind that have the same answer. */
  about: string;
  /** May be called more than once, with environments that differ in their database only. */
  ask: (env: Environment) => Steps<Result>;
  /** Whoever asked has gone: the work ends. */
  signal?: AbortSignal | undefined;
}

/** A slice ends with the first of these; a step is never divided. */
export const SLICE_STEPS_MAX = 64;
const SLICE_MS_MAX = 4;
/** Questions of one kind that wait, of one team. */
const WAITING_MAX = 32;
/** An answer says from when it looks ahead, and is not given for another minute. */
const KEPT_MS_MAX = MINUTE_MS;
/** Answers of one environment; beyond it all of them are forgotten. */
const KEPT_MAX = 256;

interface Kept {
  state: string;
  at: UnixMs;
  answer: unknown;
}

interface Desk {
  kept: Map<string, Kept>;
  /** By team and kind: the end of the last one that waits, and how many there are. */
  lines: Map<string, { last: Promise<void>; length: number }>;
}

const desks = new WeakMap<Environment, Desk>();

/**
 * Throws what `ask` throws; `rate_limit_exceeded` where too many wait already, `unavailable` when `signal`
 * has said that nobody listens.
 */
export async function foretell<Result>(
  env: Environment,
  question: Question<Result>,
): Promise<Result> {
  const known = cachedResult<Result>(env, question);
  if (known !== undefined) {
    return known.answer;
  }
  const isAlone = env.db.raw.filename === ":memory:";
  const quick = readTogether(env.db, () => slice(question.ask(env), isAlone));
  if (quick.done === true) {
    return quick.value;
  }
  return await inLine(env, question, async () => {
    // Whoever was before may have asked the same.
    const done = cachedResult<Result>(env, question);
    return done === undefined ? await workOut(env, question) : done.answer;
  });
}

/** Runs until the slice is over, or until the end; the last step that was taken. */
function slice<Result>(steps: Steps<Result>, toTheEnd = false): IteratorResult<unknown, Result> {
  const elapsed = stopwatch();
  for (let taken = 1; ; taken += 1) {
    const step = steps.next();
    if (step.done === true) {
      return step;
    }
    if (!toTheEnd && (taken === SLICE_STEPS_MAX || elapsed() >= SLICE_MS_MAX)) {
      return step;
    }
  }
}

async function workOut<Result>(env: Environment, question: Question<Result>): Promise<Result> {
  await ownTurn();
  const [state, at] = [stateIn(env), env.clock.now()];
  const frozen = freeze(env.db);
  if (frozen === null) {
    throw new Error("a database in memory is asked at once");
  }
  try {
    const steps = question.ask({ ...env, clock: { now: () => at }, db: frozen.db });
    let step = slice(steps);
    while (step.done !== true) {
      await ownTurn();
      if (question.signal?.aborted === true) {
        throw gone();
      }
      step = slice(steps);
    }
    keep(env, question, { state, at, answer: step.value });
    return step.value;
  } finally {
    frozen.release();
  }
}

/** One after the other. */
async function inLine<Result>(
  env: Environment,
  { teamId, kind, signal }: Question<Result>,
  work: () => Promise<Result>,
): Promise<Result> {
  const { lines } = deskOf(env);
  const key = `${teamId} ${kind}`;
  const line = lines.get(key) ?? { last: Promise.resolve(), length: 0 };
  if (line.length >= WAITING_MAX) {
    const words = `${WAITING_MAX} requests like this one are already waiting; try again in a few seconds`;
    throw new Problem("rate_limit_exceeded", words, null, { "Retry-After": "5" });
  }
  const before = line.last;
  const { promise, resolve } = Promise.withResolvers<void>();
  line.last = promise;
  line.length += 1;
  lines.set(key, line);
  try {
    await before;
    if (signal?.aborted === true) {
      throw gone();
    }
    return await work();
  } finally {
    line.length -= 1;
    if (line.length === 0) {
      lines.delete(key);
    }
    resolve();
  }
}

function gone(): Problem {
  return new Problem("unavailable", "the connection was closed before the response was ready");
}

function deskOf(env: Environment): Desk {
  let desk = desks.get(env);
  if (desk === undefined) {
    desk = { kept: new Map(), lines: new Map() };
    desks.set(env, desk);
  }
  return desk;
}

/** Both files: what a plan allows may stand in the live one. */
function stateIn(env: Environment): string {
  return `${stateOf(env.db)} ${stateOf(env.people)}`;
}

function keyOf({ teamId, kind, about }: Question<unknown>): string {
  return `${teamId} ${kind} ${about}`;
}

function cachedResult<Result>(
  env: Environment,
  question: Question<Result>,
): { answer: Result } | undefined {
  const kept = deskOf(env).kept.get(keyOf(question));
  if (kept === undefined || kept.state !== stateIn(env)) {
    return undefined;
  }
  const age = env.clock.now() - kept.at;
  return age >= 0 && age <= KEPT_MS_MAX ? { answer: kept.answer as Result } : undefined;
}

function keep(env: Environment, question: Question<unknown>, kept: Kept): void {
  const desk = deskOf(env);
  if (desk.kept.size >= KEPT_MAX) {
    desk.kept.clear();
  }
  desk.kept.set(keyOf(question), kept);
}
