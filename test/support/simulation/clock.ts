/** The clock of a simulation: it is paused until it is moved, and goes back only when it is set. */

import { type UnixMs, unixMs } from "#domain/time.ts";

export interface MovingClock {
  now(): UnixMs;
  /** Leaves it alone where it is later already. */
  advanceTo(at: UnixMs): void;
  /** As a hand or NTP sets it, by so many milliseconds, forward or back. */
  set(ms: number): void;
  /** The latest instant that it ever was set back from. */
  setBackFrom(): UnixMs | undefined;
}

export function createMovingClock(start: UnixMs): MovingClock {
  let now = start;
  let from: UnixMs | undefined;
  return {
    now: () => now,
    advanceTo: (at) => {
      now = unixMs(Math.max(now, at));
    },
    set: (ms) => {
      if (ms < 0) {
        from = unixMs(Math.max(from ?? now, now));
      }
      now = unixMs(now + ms);
    },
    setBackFrom: () => from,
  };
}
