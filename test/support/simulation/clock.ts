/** The clock of a simulation: it stands still until it is moved, and never goes back. */

import { type UnixMs, unixMs } from "#domain/time.ts";

export interface MovingClock {
  now(): UnixMs;
  advanceTo(at: UnixMs): void;
}

export function createMovingClock(start: UnixMs): MovingClock {
  let now = start;
  return {
    now: () => now,
    advanceTo: (at) => {
      now = unixMs(Math.max(now, at));
    },
  };
}
