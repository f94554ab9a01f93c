/**
 * Local days and hours of a zone as stretches of real time. A day is as long as its clocks make it, 23
 * to 25 hours mostly; an hour that is repeated is one stretch of two hours with one name; an hour or a
 * whole date that is skipped has no instant.
 *
 * Nothing here guesses what a skipped or repeated time might mean: a day is kept in parts of constant
 * offset, in which wall-clock time is real time moved, and every question is answered part by part.
 *
 * Days are remembered, because planning asks for the same few over and over.
 */

import { DAY_MS, HOUR_MS, type UnixMs, unixMs } from "#domain/time.ts";

/** The part of a day, `[from, to)`, in which the zone keeps one offset. */
export interface DayPart {
  from: UnixMs;
  to: UnixMs;
  /** Where this part's clocks put hour 0 of the date; hour h is h hours later. May lie outside. */
  midnight: UnixMs;
}

export interface LocalDay {
  /** `2026-03-01`. */
  date: string;
  /** 1 is Monday, 7 is Sunday. */
  weekday: number;
  /** First instant of the date; no zone has set its clocks back past midnight since 2011. */
  from: UnixMs;
  to: UnixMs;
  /** At least one, in order. */
  parts: readonly DayPart[];
}

export interface LocalHour {
  /** `2026-03-01T09`; the same both times when it is repeated. */
  key: string;
  from: UnixMs;
  to: UnixMs;
}

/** Real time, `[from, to)`, in which a zone keeps one offset; unbounded where it always will. */
interface Span {
  from: number;
  to: number;
  offsetMs: number;
}

/** What is known of a zone. */
interface Calendar {
  zone: string;
  spans: Span[];
  /** By days since 1970-01-01 on the wall. */
  days: Map<number, LocalDay>;
  /** The one asked for last; mostly it is asked for again. */
  latest: LocalDay | undefined;
}

/** Bounds of what is remembered; what is over is forgotten whole and worked out anew. */
const ZONES_MAX = 1000;
const SPANS_MAX = 64;
const DAYS_MAX = 64;

/** No zone has been further from UTC. */
const OFFSET_MS_MAX = 16 * HOUR_MS;

const calendars = new Map<string, Calendar>();

/** The local day of `zone` that contains `at`. Throws RangeError for an unknown zone. */
export function localDay(zone: string, at: UnixMs): LocalDay {
  const calendar = calendarOf(zone);
  const { latest } = calendar;
  if (latest !== undefined && latest.from <= at && at < latest.to) {
    return latest;
  }
  const number = Math.floor((at + spanAt(calendar, at).offsetMs) / DAY_MS);
  let day = calendar.days.get(number);
  if (day === undefined) {
    if (calendar.days.size >= DAYS_MAX) {
      calendar.days.clear();
    }
    day = buildDay(calendar, number);
    calendar.days.set(number, day);
  }
  calendar.latest = day;
  return day;
}

/** The hour on the wall at `at`; the stretch ends where the wall shows another one. */
export function localHour(zone: string, at: UnixMs): LocalHour {
  const day = localDay(zone, at);
  const here = day.parts.find((part) => part.from <= at && at < part.to);
  if (here === undefined) {
    throw new Error(`no part of ${day.date} in ${zone} contains ${at}`);
  }
  const hour = Math.floor((at - here.midnight) / HOUR_MS);
  const stretch = hourIn(here, hour);
  for (const part of day.parts) {
    const more = hourIn(part, hour);
    if (more.from === stretch.to && more.to > stretch.to) {
      stretch.to = more.to;
    }
  }
  for (const part of day.parts.toReversed()) {
    const more = hourIn(part, hour);
    if (more.to === stretch.from && more.from < stretch.from) {
      stretch.from = more.from;
    }
  }
  return { key: `${day.date}T${String(hour).padStart(2, "0")}`, ...stretch };
}

/** Where a part shows `hour`; ends before it begins when it does not. */
function hourIn(part: DayPart, hour: number): { from: UnixMs; to: UnixMs } {
  const begins = part.midnight + hour * HOUR_MS;
  return {
    from: unixMs(Math.max(part.from, begins)),
    to: unixMs(Math.min(part.to, begins + HOUR_MS)),
  };
}

function calendarOf(zone: string): Calendar {
  let calendar = calendars.get(zone);
  if (calendar === undefined) {
    if (calendars.size >= ZONES_MAX) {
      calendars.clear();
    }
    calendar = { zone, spans: [], days: new Map(), latest: undefined };
    calendars.set(zone, calendar);
  }
  return calendar;
}

function spanAt(calendar: Calendar, at: number): Span {
  for (const span of calendar.spans) {
    if (span.from <= at && at < span.to) {
      return span;
    }
  }
  // "previous" is strictly before, and a change of clocks belongs to the time after it.
  const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(calendar.zone);
  const before = local.add({ milliseconds: 1 }).getTimeZoneTransition("previous");
  const span = {
    from: before?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    to: local.getTimeZoneTransition("next")?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offsetMs: local.offsetNanoseconds / 1_000_000,
  };
  if (calendar.spans.length >= SPANS_MAX) {
    calendar.spans = [];
  }
  calendar.spans.push(span);
  return span;
}

function buildDay(calendar: Calendar, number: number): LocalDay {
  const wallMidnight = number * DAY_MS;
  const parts: DayPart[] = [];
  const end = wallMidnight + DAY_MS + OFFSET_MS_MAX;
  for (let at = wallMidnight - OFFSET_MS_MAX; at < end; ) {
    const span = spanAt(calendar, at);
    const midnight = wallMidnight - span.offsetMs;
    const from = Math.max(span.from, midnight);
    const to = Math.min(span.to, midnight + DAY_MS);
    if (from < to) {
      parts.push({ from: unixMs(from), to: unixMs(to), midnight: unixMs(midnight) });
    }
    at = span.to;
  }
  const [first, last] = [parts[0], parts.at(-1)];
  if (first === undefined || last === undefined) {
    throw new Error(`day ${number} does not exist in ${calendar.zone}`);
  }
  const date = new Temporal.PlainDate(1970, 1, 1).add({ days: number });
  return { date: date.toString(), weekday: date.dayOfWeek, from: first.from, to: last.to, parts };
}
