/** The only file that reads the time. An environment is handed two of these: `clock` and `wall`. */

import { type UnixMs, unixMs } from "#domain/time.ts";

export interface Clock {
  now(): UnixMs;
}

export const systemClock: Clock = { now: () => unixMs(Date.now()) };

/** For packages that take nothing else. */
export function toDate(at: UnixMs): Date {
  return new Date(at);
}

/** Starts now; what it returns tells the milliseconds since, which no change of the clock moves. */
export function stopwatch(): () => number {
  const begunAt = performance.now();
  return () => performance.now() - begunAt;
}
