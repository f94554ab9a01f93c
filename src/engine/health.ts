/** The health lane: scores that time changes at a mailbox's midnight, and pauses that are over. */

import { DAY_MS, earlier, isAhead, isDue, plus, type UnixMs } from "#domain/time.ts";
import { nextHealthAt } from "#store/campaigns/health.ts";
import { forgetHealth } from "#usecases/campaigns/health.ts";
import { turnHealth } from "#usecases/placement/health-turns.ts";
import type { World } from "#world.ts";
import type { Lane } from "./lane.ts";

/** Mailboxes judged in one transaction. */
const JUDGED_MAX = 200;
const FORGET_EVERY_MS = DAY_MS;

export function healthLane(world: World): Lane {
  let forgetAt: UnixMs | undefined;
  return {
    name: "health",
    step: async (now) => {
      let due = nextHealthAt(world.db);
      if (isDue(due, now)) {
        await world.commit(() => turnHealth(world, now, JUDGED_MAX));
        due = nextHealthAt(world.db);
      }
      if (!isAhead(forgetAt, now, FORGET_EVERY_MS)) {
        await world.commit(() => forgetHealth(world, now));
        forgetAt = plus(now, FORGET_EVERY_MS);
        due = nextHealthAt(world.db);
      }
      return earlier(forgetAt, due);
    },
    settled: () => Promise.resolve(),
  };
}
