/** The tracking lane: judges who opened and clicked, once it can be told from a machine. */

import { isDue, type UnixMs } from "#domain/time.ts";
import { nextTouchAt } from "#store/sending/tracking.ts";
import { judgeTouches } from "#usecases/sending/tracking.ts";
import type { World } from "#world.ts";
import type { Lane } from "./lane.ts";

/** Touches judged in one transaction. */
const JUDGED_MAX = 500;

export function trackingLane(world: World): Lane {
  return {
    name: "tracking",
    step: async (now): Promise<UnixMs | undefined> => {
      const first = nextTouchAt(world.db);
      if (!isDue(first, now)) {
        return first;
      }
      const judged = await world.commit(() => judgeTouches(world, now, JUDGED_MAX));
      return judged === JUDGED_MAX ? now : nextTouchAt(world.db);
    },
    settled: () => Promise.resolve(),
  };
}
