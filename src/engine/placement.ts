/**
 * The placement worker: begins scheduled runs, looks for test emails in the seed mailboxes, and ends runs that
 * are as old as they may be. The emails themselves are the send worker's. One connection a seed; a slow one
 * holds up no other. Beside it, a worker asks whose servers a seed is behind.
 */

import { stackOf } from "#domain/thrown.ts";
import { earlier, isAhead, isDue, MINUTE_MS, plus, type UnixMs, unixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import type { LookOutcome } from "#platform/ports/mail.ts";
import { createShares } from "#platform/shares.ts";
import { nextRunDueAt, runsDue } from "#store/placement/placement-runs.ts";
import { nextScheduleAt, schedulesDue } from "#store/placement/placement-schedules.ts";
import { nextResolveAt, seedById, seedsToResolve } from "#store/placement/placement-seeds.ts";
import { nextLooks } from "#store/placement/placement-tests.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { SeedRow } from "#store/tables/placement.ts";
import { recordLook, soughtIn } from "#usecases/placement/placement-looks.ts";
import { isReconnected, providerOf, recordProvider } from "#usecases/placement/placement-probes.ts";
import { expireRun } from "#usecases/placement/placement-results.ts";
import { startScheduled } from "#usecases/placement/placement-schedules.ts";
import { lookIntoSeed } from "#usecases/placement/placement-seeds.ts";
import { sideBySide } from "./side-by-side.ts";
import type { Worker } from "./worker.ts";

/** Seed mailboxes looked into at once; each is a connection. Also those whose provider is asked for. */
const LOOKS_MAX = { all: 16 };
/** Tests read to find the seeds that are due; one seed may have many. */
const LOOKS_SCANNED_MAX = 500;
const BATCH_MAX = 16;
/** After a bug of ours in one seed's look, so that it does not fail thousands of times a second. */
const REST_MS = 5 * MINUTE_MS;

export function placementWorker(env: Environment): Worker {
  const underWay = new Map<Id, Promise<void>>();
  const resting = new Map<Id, UnixMs>();
  const shares = createShares(LOOKS_MAX);

  const start = (seedId: Id, now: UnixMs, release: () => void) => {
    const looking = lookInto(env, seedId, now).then((isRecorded) => {
      underWay.delete(seedId);
      release();
      if (!isRecorded) {
        resting.set(seedId, plus(now, REST_MS));
      }
      env.wake();
    });
    underWay.set(seedId, looking);
  };

  /** The tests that may be looked for, each not before its seed has rested. */
  const looks = (now: UnixMs): Waiting[] =>
    nextLooks(env.db, LOOKS_SCANNED_MAX, {
      teams: shares.full().teams,
      ids: [...underWay.keys()],
    }).map(({ seedId, teamId, lookAt }) => {
      const rested = resting.get(seedId) ?? now;
      const isResting = isAhead(rested, now, REST_MS);
      return { seedId, teamId, lookAt: isResting ? unixMs(Math.max(rested, lookAt)) : lookAt };
    });

  const startDue = (waiting: readonly Waiting[], now: UnixMs): boolean => {
    const before = underWay.size;
    for (const { seedId, teamId, lookAt } of waiting) {
      const isFree = lookAt <= now && !underWay.has(seedId);
      const release = isFree ? shares.take({ teamId }) : undefined;
      if (release !== undefined) {
        start(seedId, now, release);
      }
    }
    return underWay.size > before;
  };

  const step = async (now: UnixMs): Promise<UnixMs | undefined> => {
    const other = nextOther(env);
    const hasOther = isDue(other, now);
    const begun = hasOther ? await startRuns(env, now) : 0;
    const waiting = looks(now);
    const started = startDue(waiting, now);
    const expired = hasOther ? await expire(env, now) : 0;
    if (started || begun === BATCH_MAX || expired === BATCH_MAX) {
      return now;
    }
    // Whoever is being looked into wakes the worker; only the others have to be waited for.
    const others = expired === 0 ? waiting : looks(now);
    return (shares.room() > 0 ? others : []).reduce<UnixMs | undefined>(
      (next, { lookAt }) => earlier(next, lookAt),
      hasOther ? nextOther(env) : other,
    );
  };

  return {
    name: "placement",
    step,
    settled: async () => {
      while (underWay.size > 0) {
        await Promise.all(underWay.values());
      }
    },
  };
}

/** A test that may be looked for, and when. */
interface Waiting {
  seedId: Id;
  teamId: Id;
  lookAt: UnixMs;
}

function nextOther({ db }: Environment): UnixMs | undefined {
  return earlier(nextScheduleAt(db), nextRunDueAt(db));
}

/** Returns how many were due, as the next does. */
async function startRuns(env: Environment, now: UnixMs): Promise<number> {
  if (!isDue(nextScheduleAt(env.db), now)) {
    return 0;
  }
  const due = schedulesDue(env.db, now, BATCH_MAX);
  for (const schedule of due) {
    await env.commit(() => startScheduled(env, schedule, now));
  }
  return due.length;
}

async function expire(env: Environment, now: UnixMs): Promise<number> {
  if (!isDue(nextRunDueAt(env.db), now)) {
    return 0;
  }
  const due = runsDue(env.db, now, BATCH_MAX);
  for (const run of due) {
    await env.commit(() => expireRun(env, run));
  }
  return due.length;
}

/** Asks whose servers seeds are behind. */
export function seedsWorker(env: Environment): Worker {
  return sideBySide(env, {
    name: "seeds",
    max: LOOKS_MAX,
    nextAt: nextResolveAt,
    due: seedsToResolve,
    run: async (seed: SeedRow, now) => {
      const provider = await providerOf(env, seed);
      const found = provider === undefined ? { now } : { provider };
      await env.commit(() => recordProvider(env, seed.id, found));
    },
  });
}

/** Never rejects. False: a bug of ours kept it from being recorded. */
async function lookInto(env: Environment, seedId: Id, now: UnixMs): Promise<boolean> {
  const seed = seedById(env.db, seedId);
  const sought = soughtIn(env, seedId, now);
  if (seed === undefined || sought.length === 0) {
    return false;
  }
  let outcome: LookOutcome;
  try {
    const wanted = sought.map(({ messageId, token }) => ({ messageId, token }));
    outcome = await lookIntoSeed(env, seed, wanted);
  } catch (error) {
    complain(env, seed, error);
    outcome = { kind: "unreachable", reason: "internal error", login: false };
  }
  try {
    await env.commit(() => {
      const current = seedById(env.db, seedId);
      const isSame = current !== undefined && !isReconnected(seed, current);
      const heard = isSame ? outcome : CHANGED_MEANWHILE;
      recordLook(env, seedId, sought, heard, env.clock.now());
    });
    return true;
  } catch (error) {
    complain(env, seed, error);
    return false;
  }
}

const CHANGED_MEANWHILE: LookOutcome = {
  kind: "unreachable",
  reason: "the seed's server or secrets were changed meanwhile",
  login: false,
};

function complain(env: Environment, seed: SeedRow, error: unknown): void {
  const cause = stackOf(error);
  env.log.error("looking into a seed mailbox failed inside", { seed: seed.id, cause });
}
