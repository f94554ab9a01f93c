/** The feed lane: lets whoever waits for events hear now and then that the line still stands. */

import { plus, SECOND_MS } from "#domain/time.ts";
import type { World } from "#world.ts";
import type { Lane } from "./lane.ts";

/** Shorter than the time after which servers and proxies drop a silent connection. */
const BEAT_MS = 15 * SECOND_MS;

export function feedLane(world: World): Lane {
  return {
    name: "feed",
    time: "wall",
    step: (now) => {
      world.feed.beat();
      return Promise.resolve(world.feed.listeners === 0 ? undefined : plus(now, BEAT_MS));
    },
    settled: () => Promise.resolve(),
  };
}
