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
 * Together: a window is open exactly while the clock on the wall shows one of its hours. On a public holiday
 * of a country that it names it stays closed: for a lead in one of these countries, by its time zone, on the
 * holidays of that country, and for every other lead on those of all of them.
 *
 * Source: the fields are the seed's `send_window`. The rules are ours, because of how messages
 * are sent the seed says "not shown".
 */

import { invalid, together } from "#domain/problem.ts";
import { HOUR_MS, type UnixMs, unixMs } from "#domain/time.ts";
import { readTimezone } from "#domain/timezone.ts";
import { hasHolidays, isHoliday, isZoneOf } from "./holidays.ts";
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
  /** Countries on whose public holidays it stays closed, by their ISO 3166 codes; none twice. */
  skipHolidays: readonly string[];
}

/** A stretch of real time, `[from, to)`. */
export interface Stretch {
  from: UnixMs;
  to: UnixMs;
}

/**
 * Days to look ahead. Seven reach the same weekday again; seven more get past a week in which that
 * weekday's only opening fell into a gap, or the zone left out the date. The holidays of many countries can
 * close a weekday for half a year.
 */
const LOOKAHEAD_DAYS_MAX = 14;
const LOOKAHEAD_HOLIDAYS_DAYS_MAX = 800;

/** Countries whose holidays a window skips: the more, the fewer days are left. */
export const SKIP_HOLIDAYS_MAX = 10;

/** Throws a `validation_error` that names the fields `window` cannot work with. */
export function checkWindow(window: SendWindow): void {
  together(
    () => readTimezone(window.timezone, "send_window.timezone"),
    () => checkDays(window),
    () => checkHours(window),
    () => checkHolidays(window),
  );
}

function checkHolidays({ skipHolidays }: SendWindow): void {
  for (const [index, country] of skipHolidays.entries()) {
    if (!hasHolidays(country)) {
      throw invalid(
        `send_window.skip_holidays.${index}`,
        /^[A-Z]{2}$/.test(country)
          ? `no public holidays are known for ${country}; leave it out`
          : "must be an ISO 3166 country code in capitals, for example DE",
      );
    }
    if (skipHolidays.indexOf(country) !== index) {
      throw invalid(`send_window.skip_holidays.${index}`, `${country} is listed twice`);
    }
  }
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

/** `window` as a lead has it whose own zone is `zone`, null where it has none. */
export function windowFor(window: SendWindow, zone: string | null): SendWindow {
  if (zone === null) {
    return window;
  }
  const { skipHolidays: all } = window;
  const own = all.length > 1 ? all.find((country) => isZoneOf(zone, country)) : undefined;
  return { ...window, timezone: zone, skipHolidays: own === undefined ? all : [own] };
}

/** The opening that contains `at`, whole, or null where the window is closed then. */
export function openStretch(window: SendWindow, zone: string | null, at: UnixMs): Stretch | null {
  const own = windowFor(window, zone);
  const stretches = stretchesOf(own, localDay(own.timezone, at));
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
  const own = windowFor(window, zone);
  const most = own.skipHolidays.length === 0 ? LOOKAHEAD_DAYS_MAX : LOOKAHEAD_HOLIDAYS_DAYS_MAX;
  let day = localDay(own.timezone, from);
  for (let ahead = 0; ahead <= most; ahead += 1) {
    for (const stretch of stretchesOf(own, day)) {
      if (stretch.to > from) {
        return { at: unixMs(Math.max(from, stretch.from)), stretch };
      }
    }
    day = localDay(own.timezone, day.to);
  }
  throw new Error(`no opening in ${most} days: ${JSON.stringify(window)} ${zone}`);
}

/**
 * Milliseconds of `[from, to)` in which at least one of `windows` is open, each in its own zone, to leads of
 * some country: a holiday that not all of a window's countries have is no day off for all of its leads.
 */
export function openMs(windows: readonly SendWindow[], from: UnixMs, to: UnixMs): number {
  const stretches: Stretch[] = [];
  for (const window of windows) {
    let day = localDay(window.timezone, from);
    while (day.from < to) {
      if (!isOffForAll(window, day)) {
        stretches.push(...hoursOf(window, day));
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

function isOffForAll({ skipHolidays }: SendWindow, { date }: LocalDay): boolean {
  return skipHolidays.length > 0 && skipHolidays.every((country) => isHoliday(country, date));
}

function stretchesOf(window: SendWindow, day: LocalDay): Stretch[] {
  const isOff = window.skipHolidays.some((country) => isHoliday(country, day.date));
  return isOff ? [] : hoursOf(window, day);
}

/**
 * The openings of a local day in order: none, or one; two where clocks go back by less or more than an
 * hour and show the end of the window again after an hour outside it.
 */
function hoursOf(window: SendWindow, day: LocalDay): Stretch[] {
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
