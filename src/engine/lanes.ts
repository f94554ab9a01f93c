/** Every timer of the product, on one page. */

import { DAY_MS, earlier, isAhead, isDue, plus, SECOND_MS, type UnixMs } from "#domain/time.ts";
import { nextHealthAt } from "#store/campaigns/health.ts";
import { nextDkimAt } from "#store/mailboxes/accounts.ts";
import { nextTouchAt } from "#store/sending/tracking.ts";
import type { Db } from "#store/sqlite/database.ts";
import { forgetHealth } from "#usecases/campaigns/health.ts";
import { followChanges } from "#usecases/leads/search.ts";
import { lookForKeys } from "#usecases/mailboxes/dkim.ts";
import { turnHealth } from "#usecases/placement/health-turns.ts";
import { judgeTouches } from "#usecases/sending/tracking.ts";
import type { World } from "#world.ts";
import { experimentsLane } from "./experiments.ts";
import { inboxLane } from "./inbox.ts";
import { backupsLane, type Installation, keysLane } from "./installation.ts";
import type { Lane } from "./lane.ts";
import { placementLane } from "./placement.ts";
import { reconcileLane } from "./reconcile.ts";
import { sendLane } from "./send.ts";
import { upkeepLane } from "./upkeep.ts";
import { webhooksLane } from "./webhooks.ts";

/** Of one transaction. */
const MAILBOXES_JUDGED_MAX = 200;
const TOUCHES_JUDGED_MAX = 500;
const FORGET_HEALTH_EVERY_MS = DAY_MS;
/** Shorter than the time after which servers and proxies drop a silent connection. */
const BEAT_MS = 15 * SECOND_MS;

/** In the order in which they are stepped at one instant: what came back stops what would go out. */
export function createLanes(world: World, { backups, keys }: Installation = {}): Lane[] {
  return [
    ...(keys === undefined ? [] : [keysLane(world, keys)]),
    ...(backups === undefined ? [] : [backupsLane(world, backups)]),
    inboxLane(world),
    reconcileLane(world),
    upkeepLane(world),
    { name: "search", step: (now) => followChanges(world, now) },
    healthLane(world),
    signingLane(world),
    experimentsLane(world),
    placementLane(world),
    sendLane(world),
    trackingLane(world),
    webhooksLane(world),
    feedLane(world),
  ];
}

/** Sees when the keys of new signatures have been published, so that they are used. */
export function signingLane(world: World): Lane {
  return inBatches(world, "signing", nextDkimAt, (now) => lookForKeys(world, now));
}

/** Judges who opened and clicked, once it can be told from a machine. */
function trackingLane(world: World): Lane {
  return inBatches(world, "tracking", nextTouchAt, (now) =>
    world.commit(() => judgeTouches(world, now, TOUCHES_JUDGED_MAX)),
  );
}

/** Scores that time changes at a mailbox's midnight, and pauses that are over. */
function healthLane(world: World): Lane {
  const turns = inBatches(world, "health", nextHealthAt, (now) =>
    world.commit(() => turnHealth(world, now, MAILBOXES_JUDGED_MAX)),
  );
  let forgetAt: UnixMs | undefined;
  const step: Lane["step"] = async (now) => {
    const next = await turns.step(now);
    if (!isAhead(forgetAt, now, FORGET_HEALTH_EVERY_MS)) {
      await world.commit(() => forgetHealth(world, now));
      forgetAt = plus(now, FORGET_HEALTH_EVERY_MS);
    }
    return earlier(forgetAt, next);
  };
  return { ...turns, step };
}

/** `take` takes the next batch of what is due, and moves `nextAt` on by that. */
function inBatches(
  world: World,
  name: string,
  nextAt: (db: Db) => UnixMs | undefined,
  take: (now: UnixMs) => Promise<unknown>,
): Lane {
  const step: Lane["step"] = async (now) => {
    if (isDue(nextAt(world.db), now)) {
      await take(now);
    }
    return nextAt(world.db);
  };
  return { name, step };
}

/** Lets whoever waits for events hear now and then that the line still stands. */
function feedLane(world: World): Lane {
  return {
    name: "feed",
    time: "wall",
    step: (now) => {
      world.feed.beat();
      return Promise.resolve(world.feed.listeners === 0 ? undefined : plus(now, BEAT_MS));
    },
  };
}
