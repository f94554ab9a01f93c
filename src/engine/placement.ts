/**
 * The placement lane: begins scheduled runs, looks for test mails in the seed mailboxes, ends runs that
 * are as old as they may be, and asks whose servers a seed is behind. The mails themselves are the send
 * lane's. One connection a seed; a slow one holds up no other.
 */

import { stackOf } from "#domain/thrown.ts";
import { earlier, isAhead, isDue, MINUTE_MS, plus, type UnixMs, unixMs } from "#domain/time.ts";
import type { LookOutcome } from "#platform/ports/mail.ts";
import { nextRunDueAt, runsDue } from "#store/placement/placement-runs.ts";
import { nextScheduleAt, schedulesDue } from "#store/placement/placement-schedules.ts";
import { nextResolveAt, seedById, seedsToResolve } from "#store/placement/placement-seeds.ts";
import { nextLooks } from "#store/placement/placement-tests.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { SeedRow } from "#store/tables/placement.ts";
import { noteLook, soughtIn } from "#usecases/placement/placement-looks.ts";
import { isReconnected, noteProvider, providerOf } from "#usecases/placement/placement-probes.ts";
import { expireRun } from "#usecases/placement/placement-results.ts";
import { startScheduled } from "#usecases/placement/placement-schedules.ts";
import { lookIntoSeed } from "#usecases/placement/placement-seeds.ts";
import type { World } from "#world.ts";
import type { Lane } from "./lane.ts";

/** Seed mailboxes looked into at once; each is a connection. */
const LOOKS_MAX = 16;
/** Tests read to find the seeds that are due; one seed may have many. */
const LOOKS_SCANNED_MAX = 500;
const BATCH_MAX = 16;
/** After a bug of ours in one seed's look, so that it does not fail thousands of times a second. */
const REST_MS = 5 * MINUTE_MS;

export function placementLane(world: World): Lane {
  const underWay = new Map<Id, Promise<void>>();
  const resting = new Map<Id, UnixMs>();

  const start = (seedId: Id, now: UnixMs) => {
    const looking = lookInto(world, seedId, now).then((isRecorded) => {
      underWay.delete(seedId);
      if (!isRecorded) {
        resting.set(seedId, plus(now, REST_MS));
      }
      world.wake();
    });
    underWay.set(seedId, looking);
  };

  /** The tests that may be looked for, each not before its seed has rested. */
  const looks = (now: UnixMs): Waiting[] =>
    nextLooks(world.db, LOOKS_SCANNED_MAX)
      .filter(({ seedId }) => !underWay.has(seedId))
      .map(({ seedId, lookAt }) => {
        const rested = resting.get(seedId) ?? now;
        const isResting = isAhead(rested, now, REST_MS);
        return { seedId, lookAt: isResting ? unixMs(Math.max(rested, lookAt)) : lookAt };
      });

  const startDue = (waiting: readonly Waiting[], now: UnixMs): boolean => {
    const before = underWay.size;
    for (const { seedId, lookAt } of waiting) {
      if (lookAt <= now && underWay.size < LOOKS_MAX && !underWay.has(seedId)) {
        start(seedId, now);
      }
    }
    return underWay.size > before;
  };

  const step = async (now: UnixMs): Promise<UnixMs | undefined> => {
    const begun = await startRuns(world, now);
    const resolved = await resolve(world, now);
    const waiting = looks(now);
    const started = startDue(waiting, now);
    const expired = await expire(world, now);
    if (started || begun === BATCH_MAX || resolved === BATCH_MAX || expired === BATCH_MAX) {
      return now;
    }
    // Whoever is being looked into wakes the lane; only the others have to be waited for.
    const others = expired === 0 ? waiting : looks(now);
    return (underWay.size < LOOKS_MAX ? others : []).reduce<UnixMs | undefined>(
      (next, { lookAt }) => earlier(next, lookAt),
      nextOther(world),
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
  lookAt: UnixMs;
}

function nextOther({ db }: World): UnixMs | undefined {
  return earlier(nextScheduleAt(db), earlier(nextRunDueAt(db), nextResolveAt(db)));
}

/** Returns how many were due, as the next two do. */
async function startRuns(world: World, now: UnixMs): Promise<number> {
  if (!isDue(nextScheduleAt(world.db), now)) {
    return 0;
  }
  const due = schedulesDue(world.db, now, BATCH_MAX);
  for (const schedule of due) {
    await world.commit(() => startScheduled(world, schedule, now));
  }
  return due.length;
}

async function expire(world: World, now: UnixMs): Promise<number> {
  if (!isDue(nextRunDueAt(world.db), now)) {
    return 0;
  }
  const due = runsDue(world.db, now, BATCH_MAX);
  for (const run of due) {
    await world.commit(() => expireRun(world, run));
  }
  return due.length;
}

async function resolve(world: World, now: UnixMs): Promise<number> {
  if (!isDue(nextResolveAt(world.db), now)) {
    return 0;
  }
  const due = seedsToResolve(world.db, now, BATCH_MAX);
  await Promise.all(
    due.map(async (seed) => {
      const provider = await providerOf(world, seed);
      const found = provider === undefined ? { now } : { provider };
      await world.commit(() => noteProvider(world, seed.id, found));
    }),
  );
  return due.length;
}

/** Never rejects. False: a bug of ours kept it from being recorded. */
async function lookInto(world: World, seedId: Id, now: UnixMs): Promise<boolean> {
  const seed = seedById(world.db, seedId);
  const sought = soughtIn(world, seedId, now);
  if (seed === undefined || sought.length === 0) {
    return false;
  }
  let outcome: LookOutcome;
  try {
    const wanted = sought.map(({ messageId, token }) => ({ messageId, token }));
    outcome = await lookIntoSeed(world, seed, wanted);
  } catch (error) {
    complain(world, seed, error);
    outcome = { kind: "unreachable", reason: "internal error", login: false };
  }
  try {
    await world.commit(() => {
      const current = seedById(world.db, seedId);
      const isSame = current !== undefined && !isReconnected(seed, current);
      const heard = isSame ? outcome : CHANGED_MEANWHILE;
      noteLook(world, seedId, sought, heard, world.clock.now());
    });
    return true;
  } catch (error) {
    complain(world, seed, error);
    return false;
  }
}

const CHANGED_MEANWHILE: LookOutcome = {
  kind: "unreachable",
  reason: "the seed's server or secrets were changed meanwhile",
  login: false,
};

function complain(world: World, seed: SeedRow, error: unknown): void {
  const cause = stackOf(error);
  world.log.error("looking into a seed mailbox failed inside", { seed: seed.id, cause });
}
