/**
 * Send windows: the hours of the week in which a campaign may send.
 *
 * A window is kept in the wall clock of one time zone, so its length in real time changes when
 * that zone changes its clocks. Three rules:
 *
 * - It is half-open, `[startHour, endHour)`: 9 to 17 admits 16:59:59.999 and not 17:00.
 * - An hour the clocks skip does not exist. A window that starts in the gap opens at the first
 *   instant after it; a window that lies wholly inside has no opening that day.
 * - An hour the clocks repeat exists twice, and the window is open in both.
 *
 * Source: the fields are the seed's `send_window`. The rules are ours, because of how messages
 * are sent the seed says "not shown"; gap and overlap follow Temporal's "compatible" mode.
 */

import { invalid } from "./problem.ts";
import { type UnixMs, unixMs } from "./time.ts";

/** Monday first, as ISO 8601 counts: `WEEKDAYS[dayOfWeek - 1]`. */
export const WEEKDAYS = [
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
] as const;
export type Weekday = (typeof WEEKDAYS)[number];

export interface SendWindow {
  /** IANA zone name, for example `Europe/Berlin`. */
  timezone: string;
  /** At least one day. Order and repeats carry no meaning. */
  days: readonly Weekday[];
  /** Local hour at which sending may start, 0 to 23. */
  startHour: number;
  /** Local hour by which sending has stopped, above `startHour` and at most 24. */
  endHour: number;
}

/** A stretch of real time, `[from, to)`. */
export interface Stretch {
  from: UnixMs;
  to: UnixMs;
}
