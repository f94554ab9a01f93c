/**
 * How a question about the future is answered without holding up the program. What a few steps answer is
 * answered at once. Everything else is worked out by the side thread on a snapshot of the database, and its
 * answer is kept until something changes.
 *
 * Source: ours; a forecast of a month took 4.9 s of the only thread (`docs/adr/forecast.md`).
 */

import { Problem } from "#domain/problem.ts";
import type { PlanLimits } from "#domain/sending/plan.ts";
import type { Env } from "#domain/team/api-key.ts";
import { MINUTE_MS, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { createVault, MASTER_KEY_BYTES } from "#platform/secrets/crypto.ts";
import { drive, gone, type Steps, slice } from "#platform/side-thread.ts";
import type { Id } from "#store/sqlite/columns.ts";
import { readTogether } from "#store/sqlite/commit.ts";
import { noteDamage } from "#store/sqlite/damage.ts";
import { stateOf } from "#store/sqlite/database.ts";
import { freeze } from "#store/sqlite/frozen.ts";

/** How a kind of question is answered; what it is about crosses to the other thread as it is. */
export type Answering<About, Result> = (env: Environment, about: About) => Steps<Result>;

export interface Question<About, Result> {
  teamId: Id;
  /** One question of a kind is worked on at a time for each team; the others wait in order. */
  kind: "effect" | "explain" | "forecast" | "rehearsal" | "segments" | "status";
  /** The same for questions of a kind that have the same answer. */
  about: About;
  /** May be called on either thread. */
  ask: Answering<About, Result>;
  /** Always worked out by the other thread, where there is one, and never kept. Its steps may be waited for. */
  elsewhere?: boolean;
  /** Whoever asked has gone: the work ends. */
  signal?: AbortSignal | undefined;
}

/** What this thread tries by itself ends with the first of these. */
const QUICK_STEPS_MAX = 64;
const QUICK_MS_MAX = 4;
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
 * has said that nobody listens, or the other thread has died.
 */
export async function foretell<About, Result>(
  env: Environment,
  question: Question<About, Result>,
): Promise<Result> {
  if (question.elsewhere === true) {
    return await inLine(env, question, async () =>
      env.side === null
        ? await drive(question.ask(env, question.about))
        : await askSide(env, question),
    );
  }
  const known = cachedResult<Result>(env, question);
  if (known !== undefined) {
    return known.answer;
  }
  const quick = attempt(env, question);
  if (quick?.done === true) {
    return quick.value;
  }
  return await inLine(env, question, async () => {
    // Whoever was before may have asked the same.
    const done = cachedResult<Result>(env, question);
    return done === undefined ? await workOut(env, question) : done.answer;
  });
}

/** Undefined where others wait already: each of many at once would hold the thread that long. */
function attempt<About, Result>(
  env: Environment,
  question: Question<About, Result>,
): IteratorResult<unknown, Result> | undefined {
  if (deskOf(env).lines.has(lineOf(question))) {
    return undefined;
  }
  const quick = { ms: QUICK_MS_MAX, count: QUICK_STEPS_MAX };
  const toTheEnd = { ms: Number.POSITIVE_INFINITY };
  const bounds = env.side === null ? toTheEnd : quick;
  return readTogether(env.db, () => slice(question.ask(env, question.about), bounds));
}

/** What the other thread is told of a question. */
interface Crossing {
  envName: Env;
  kind: string;
  about: unknown;
  now: UnixMs;
  wallNow: UnixMs;
}

async function workOut<About, Result>(
  env: Environment,
  question: Question<About, Result>,
): Promise<Result> {
  const [state, at] = [stateIn(env), env.clock.now()];
  const answer = await askSide(env, question);
  keep(env, question, { state, at, answer });
  return answer;
}

async function askSide<About, Result>(
  env: Environment,
  { teamId, kind, about, signal }: Question<About, Result>,
): Promise<Result> {
  if (env.side === null) {
    throw new Error("a database in memory is asked at once");
  }
  const [now, wallNow] = [env.clock.now(), env.wall.now()];
  const crossing: Crossing = { envName: env.name, kind, about, now, wallNow };
  try {
    return (await env.side.ask(crossing, { teamId, signal })) as Result;
  } catch (error) {
    noteDamage(env.db.raw, error);
    throw error;
  }
}

/** What the other thread needs of the environments: their files, and what decides on emails. */
export interface ReadingSetup {
  paths: Readonly<Record<Env, string>>;
  publicUrl: string | null;
  plans: PlanLimits;
  licenceKeys: readonly string[];
}

/**
 * On the other thread: answers questions on the files, each in a transaction of its own. The links of emails
 * are signed with a key of its own, since a forecast only wants to know how long they are.
 */
export function reading(
  { paths, ...shared }: ReadingSetup,
  answers: Readonly<Record<string, Answering<never, unknown>>>,
  stage: Environment["stage"],
) {
  const vault = createVault(crypto.getRandomValues(new Uint8Array(MASTER_KEY_BYTES)));
  return (question: unknown): { steps: Steps<unknown>; release: () => void } => {
    const { envName, kind, about, now, wallNow } = question as Crossing;
    const own = freeze(paths[envName]);
    const live = envName === "live" ? own : freeze(paths.live);
    const release = () => {
      for (const frozen of new Set([own, live])) {
        frozen.release();
      }
    };
    const env = {
      ...{ ...shared, vault, stage, name: envName, db: own.db, people: live.db },
      clock: { now: () => now },
      wall: { now: () => wallNow },
      // Reads want no more; what else they asked for would not be there.
    } as unknown as Environment;
    const answering = answers[kind] as Answering<unknown, unknown> | undefined;
    if (answering === undefined) {
      release();
      throw new Error(`nobody answers a question of the kind "${kind}"`);
    }
    return { steps: answering(env, about), release };
  };
}

/** One after the other. */
async function inLine<About, Result>(
  env: Environment,
  question: Question<About, Result>,
  work: () => Promise<Result>,
): Promise<Result> {
  const { lines } = deskOf(env);
  const key = lineOf(question);
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
    if (question.signal?.aborted === true) {
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

function lineOf({ teamId, kind }: Pick<Question<never, unknown>, "teamId" | "kind">): string {
  return `${teamId} ${kind}`;
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

type Asked = Pick<Question<unknown, unknown>, "teamId" | "kind" | "about">;

function keyOf({ teamId, kind, about }: Asked): string {
  return `${teamId} ${kind} ${JSON.stringify(about)}`;
}

function cachedResult<Result>(env: Environment, question: Asked): { answer: Result } | undefined {
  const kept = deskOf(env).kept.get(keyOf(question));
  if (kept === undefined || kept.state !== stateIn(env)) {
    return undefined;
  }
  const age = env.clock.now() - kept.at;
  return age >= 0 && age <= KEPT_MS_MAX ? { answer: kept.answer as Result } : undefined;
}

function keep(env: Environment, question: Asked, kept: Kept): void {
  const desk = deskOf(env);
  if (desk.kept.size >= KEPT_MAX) {
    desk.kept.clear();
  }
  desk.kept.set(keyOf(question), kept);
}
