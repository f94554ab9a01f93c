/**
 * A worker whose pieces of work wait for servers: they are done side by side, each in a slot, and no team's hold up
 * another's. What is under way is remembered here alone; after a crash it is still due.
 */

import { stackOf } from "#domain/thrown.ts";
import { earlier, isAhead, isDue, plus, SECOND_MS, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { createShares, type Owner, type SharesMax } from "#platform/shares.ts";
import { StoreClosing } from "#store/sqlite/commit.ts";
import type { Db } from "#store/sqlite/database.ts";
import type { Passed } from "#store/sqlite/earliest.ts";
import type { Worker } from "./worker.ts";

/** Nothing was found beside teams whose share is used up: their queues are not walked again before. */
const LOOK_AGAIN_MS = SECOND_MS;
/** After a bug of ours in one piece of work, so that it does not fail thousands of times a second. */
const REST_MS = 5 * SECOND_MS;

export interface Work<Piece> {
  name: string;
  max: SharesMax;
  /** When the first piece is due, whether it is under way or not. */
  nextAt(db: Db): UnixMs | undefined;
  /** What is due but for what is passed over, the one that has waited longest first. */
  due(db: Db, look: { now: UnixMs; limit: number; passed: Passed }): readonly Piece[];
  /** Done, it is due no more, or later. */
  run(piece: Piece, now: UnixMs): Promise<unknown>;
}

/** A piece's `id` is under way once at a time. */
export function sideBySide<Piece extends Owner & { id: string }>(
  env: Environment,
  work: Work<Piece>,
): Worker {
  const shares = createShares(work.max);
  const underWay = new Map<string, Promise<void>>();
  const resting = new Map<string, UnixMs>();
  let foundNone: { beside: string; until: UnixMs } | undefined;

  const runSafely = async (piece: Piece, now: UnixMs): Promise<void> => {
    try {
      await work.run(piece, now);
    } catch (error) {
      if (!(error instanceof StoreClosing)) {
        const cause = stackOf(error);
        env.log.error("a worker failed", { worker: work.name, env: env.name, id: piece.id, cause });
      }
      resting.set(piece.id, plus(env.clock.now(), REST_MS));
    }
  };

  const start = (piece: Piece, now: UnixMs, release: () => void): void => {
    const done = runSafely(piece, now).then(() => {
      underWay.delete(piece.id);
      release();
      env.wake();
    });
    underWay.set(piece.id, done);
  };

  const rested = (now: UnixMs): readonly string[] => {
    for (const [id, until] of resting) {
      if (!isAhead(until, now, REST_MS)) {
        resting.delete(id);
      }
    }
    return [...resting.keys()];
  };

  const startDue = (now: UnixMs): boolean => {
    const passed = { teams: shares.full().teams, ids: [...underWay.keys(), ...rested(now)] };
    let isStarted = false;
    for (const piece of work.due(env.db, { now, limit: work.max.all, passed })) {
      const release = shares.take(piece);
      if (release !== undefined) {
        start(piece, now, release);
        isStarted = true;
      }
    }
    return isStarted;
  };

  const step = async (now: UnixMs): Promise<UnixMs | undefined> => {
    const next = work.nextAt(env.db);
    if (!isDue(next, now)) {
      return next;
    }
    if (shares.room() <= 0) {
      // Whatever ends wakes it.
      return undefined;
    }
    const beside = shares.full().teams.join();
    const isKnown = beside !== "" && foundNone?.beside === beside;
    if (isKnown && isAhead(foundNone?.until, now, LOOK_AGAIN_MS)) {
      return foundNone?.until;
    }
    if (startDue(now)) {
      return now;
    }
    const until = plus(now, LOOK_AGAIN_MS);
    foundNone = { beside, until };
    return [...resting.values()].reduce(earlier, underWay.size > 0 ? until : undefined);
  };

  return {
    name: work.name,
    step,
    settled: async () => {
      while (underWay.size > 0) {
        await Promise.all(underWay.values());
      }
    },
  };
}
