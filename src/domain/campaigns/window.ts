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
 * Together: a window is open exactly while the clock on the wall shows one of its hours.
 *
 * Source: the fields are the seed's `send_window`. The rules are ours, because of how messages
 * are sent the seed says "not shown".
 */

import { invalid, together } from "#domain/problem.ts";
import { HOUR_MS, type UnixMs, unixMs } from "#domain/time.ts";
import { readTimezone } from "#domain/timezone.ts";
import { type LocalDay, localDay } from "./local-day.ts";

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
  /** At least one day, none twice; their order carries no meaning. */
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
 * weekday's only opening fell into a gap, or the zone left out the date.
 */
const LOOKAHEAD_DAYS_MAX = 14;

/** Throws a `validation_error` that names the fields `window` cannot work with. */
export function checkWindow(window: SendWindow): void {
  together(
    () => readTimezone(window.timezone, "send_window.timezone"),
    () => checkDays(window),
    () => checkHours(window),
  );
}

function checkDays(window: SendWindow): void {
  if (window.days.length === 0) {
    throw invalid("send_window.days", "must have at least one day");
  }
  for (const [index, day] of window.days.entries()) {
    if (!WEEKDAYS.includes(day)) {
      throw invalid(`send_window.days.${index}`, `must be one of ${WEEKDAYS.join(", ")}`);
    }
    if (window.days.indexOf(day) !== index) {
      throw invalid(`send_window.days.${index}`, `${day} is listed twice`);
    }
  }
}

function checkHours(window: SendWindow): void {
  if (!isHour(window.startHour) || window.startHour > 23) {
    throw invalid("send_window.start_hour", "must be a whole hour from 0 to 23");
  }
  if (!isHour(window.endHour) || window.endHour <= window.startHour) {
    throw invalid("send_window.end_hour", "must be a whole hour after start_hour, at most 24");
  }
}

function isHour(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= 24;
}

/** The opening that contains `at`, whole, or null where the window is closed then. */
export function openStretch(window: SendWindow, zone: string | null, at: UnixMs): Stretch | null {
  const stretches = stretchesOf(window, localDay(zone ?? window.timezone, at));
  return stretches.find(({ from, to }) => from <= at && at < to) ?? null;
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
    for (const stretch of stretchesOf(window, day)) {
      if (stretch.to > from) {
        return { at: unixMs(Math.max(from, stretch.from)), stretch };
      }
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
      stretches.push(...stretchesOf(window, day));
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

/**
 * The openings of a local day in order: none, or one; two where clocks go back by less or more than an
 * hour and show the end of the window again after an hour outside it.
 */
function stretchesOf(window: SendWindow, day: LocalDay): Stretch[] {
  const weekday = WEEKDAYS[day.weekday - 1];
  if (weekday === undefined || !window.days.includes(weekday)) {
    return [];
  }
  const stretches: Stretch[] = [];
  for (const part of day.parts) {
    const from = Math.max(part.from, part.midnight + window.startHour * HOUR_MS);
    const to = Math.min(part.to, part.midnight + window.endHour * HOUR_MS);
    const last = stretches.at(-1);
    if (from < to && last?.to === from) {
      last.to = unixMs(to);
    } else if (from < to) {
      stretches.push({ from: unixMs(from), to: unixMs(to) });
    }
  }
  return stretches;
}
