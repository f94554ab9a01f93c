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

import { type LocalDay, localDay } from "./local-day.ts";
import { invalid } from "./problem.ts";
import { type UnixMs, unixMs } from "./time.ts";
import { readTimezone } from "./timezone.ts";

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

/**
 * Days to look ahead. Seven reach the same weekday again; seven more get past a week in which that
 * weekday's only opening fell into a gap, and one for a date that a zone left out.
 */
const LOOKAHEAD_DAYS_MAX = 15;

/** Throws a `validation_error` that names the first field `window` cannot work with. */
export function checkWindow(window: SendWindow): void {
  readTimezone(window.timezone, "send_window.timezone");
  if (window.days.length === 0) {
    throw invalid("send_window.days", "needs at least one day");
  }
  if (window.startHour < 0 || window.startHour > 23) {
    throw invalid("send_window.start_hour", "must be 0 to 23");
  }
  if (window.endHour <= window.startHour || window.endHour > 24) {
    throw invalid("send_window.end_hour", "must be above start_hour and at most 24");
  }
}

/** The opening that contains `at`, whole, or null where the window is closed then. */
export function openStretch(window: SendWindow, zone: string | null, at: UnixMs): Stretch | null {
  const stretch = stretchOf(window, localDay(zone ?? window.timezone, at));
  return stretch !== null && stretch.from <= at && at < stretch.to ? stretch : null;
}

export interface Opening {
  /** The earliest open instant at or after the one asked for. */
  at: UnixMs;
  /** The whole opening that it lies in. */
  stretch: Stretch;
}

/** The next open instant of `window` in `zone` (null: its own), `from` itself when it is open then. */
export function nextOpening(window: SendWindow, zone: string | null, from: UnixMs): Opening {
  const timezone = zone ?? window.timezone;
  let day = localDay(timezone, from);
  for (let ahead = 0; ahead <= LOOKAHEAD_DAYS_MAX; ahead += 1) {
    const stretch = stretchOf(window, day);
    if (stretch !== null && stretch.to > from) {
      return { at: unixMs(Math.max(from, stretch.from)), stretch };
    }
    day = localDay(timezone, day.to);
  }
  throw new Error(`no opening in ${LOOKAHEAD_DAYS_MAX} days: ${JSON.stringify(window)} ${zone}`);
}

/** Milliseconds of `[from, to)` in which at least one of `windows` is open, each in its own zone. */
export function openMs(windows: readonly SendWindow[], from: UnixMs, to: UnixMs): number {
  const stretches: Stretch[] = [];
  for (const window of windows) {
    let day = localDay(window.timezone, from);
    while (day.from < to) {
      const stretch = stretchOf(window, day);
      if (stretch !== null && stretch.to > from && stretch.from < to) {
        stretches.push(stretch);
      }
      day = localDay(window.timezone, day.to);
    }
  }
  stretches.sort((a, b) => a.from - b.from);
  let total = 0;
  let covered: number = from;
  for (const stretch of stretches) {
    const begins = Math.max(covered, stretch.from);
    const ends = Math.min(to, stretch.to);
    if (ends > begins) {
      total += ends - begins;
      covered = ends;
    }
  }
  return total;
}

/** The opening of a local day, or null on a day without one. */
function stretchOf(window: SendWindow, day: LocalDay): Stretch | null {
  const weekday = WEEKDAYS[day.weekday - 1];
  const from = day.hours[window.startHour];
  const to = day.hours[window.endHour];
  if (weekday === undefined || from === undefined || to === undefined || from >= to) {
    return null;
  }
  return window.days.includes(weekday) ? { from, to } : null;
}
