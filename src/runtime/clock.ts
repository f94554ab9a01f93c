/** The only file that reads the time. A world is handed two of these: `clock` and `wall`. */

import { type UnixMs, unixMs } from "#domain/time.ts";

export interface Clock {
  now(): UnixMs;
}

export const systemClock: Clock = { now: () => unixMs(Date.now()) };
