/**
 * Local days and hours of a zone as stretches of real time: a day is 23 to 25 hours long where clocks
 * change, an hour that is repeated is one stretch of two hours, and one that is skipped has no length.
 *
 * Days are remembered, because planning asks for the same few over and over.
 *
 * Source: Temporal's "compatible" mode decides what a skipped or repeated time means.
 */

import { DAY_MS, type UnixMs, unixMs } from "./time.ts";

export interface LocalDay {
  /** `2026-03-01`. */
  date: string;
  /** 1 is Monday, 7 is Sunday. */
  weekday: number;
  from: UnixMs;
  to: UnixMs;
  /** Instants at which hour 0, 1 … 24 begin; a repeated hour begins at its first time. */
  hours: readonly UnixMs[];
}

export interface LocalHour {
  /** `2026-03-01T09`; the same both times when it is repeated. */
  key: string;
  from: UnixMs;
  to: UnixMs;
}

const HOURS_A_DAY = 24;
/** Remembered (zone, UTC day) pairs; all are forgotten when there are more. */
const REMEMBERED_MAX = 20_000;

const remembered = new Map<string, Map<number, readonly LocalDay[]>>();
let rememberedCount = 0;

/** The local day of `zone` that contains `at`. Throws RangeError for an unknown zone. */
export function localDay(zone: string, at: UnixMs): LocalDay {
  for (const day of daysNear(zone, Math.floor(at / DAY_MS))) {
    if (day.from <= at && at < day.to) {
      return day;
    }
  }
  throw new Error(`no local day of ${zone} contains ${at}`);
}

/** The hour on the wall at `at`. */
export function localHour(zone: string, at: UnixMs): LocalHour {
  const day = localDay(zone, at);
  for (let hour = HOURS_A_DAY - 1; hour >= 0; hour -= 1) {
    const from = day.hours[hour];
    if (from !== undefined && from <= at) {
      const key = `${day.date}T${String(hour).padStart(2, "0")}`;
      return { key, from, to: day.hours[hour + 1] ?? day.to };
    }
  }
  throw new Error(`no local hour of ${zone} contains ${at}`);
}

/** The local days that touch a UTC day, in order. */
function daysNear(zone: string, utcDay: number): readonly LocalDay[] {
  let ofZone = remembered.get(zone);
  if (ofZone === undefined) {
    ofZone = new Map();
    remembered.set(zone, ofZone);
  }
  const known = ofZone.get(utcDay);
  if (known !== undefined) {
    return known;
  }
  if (rememberedCount >= REMEMBERED_MAX) {
    remembered.clear();
    rememberedCount = 0;
    return daysNear(zone, utcDay);
  }
  const days = buildDays(zone, utcDay * DAY_MS);
  ofZone.set(utcDay, days);
  rememberedCount += 1;
  return days;
}

function buildDays(zone: string, fromMs: number): LocalDay[] {
  const days: LocalDay[] = [];
  let day = buildDay(zone, unixMs(fromMs));
  while (day.from < fromMs + DAY_MS) {
    days.push(day);
    day = buildDay(zone, day.to);
  }
  return days;
}

function buildDay(zone: string, at: UnixMs): LocalDay {
  const start = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).startOfDay();
  const date = start.toPlainDate();
  const from = unixMs(start.epochMilliseconds);
  const to = dayAfter(zone, date, from);
  const hours = Array.from({ length: HOURS_A_DAY + 1 }, (_, hour) => {
    if (hour === HOURS_A_DAY) {
      return to;
    }
    const plainTime = new Temporal.PlainTime(hour);
    const begins = date.toZonedDateTime({ timeZone: zone, plainTime }).epochMilliseconds;
    return unixMs(Math.min(Math.max(begins, from), to));
  });
  return { date: date.toString(), weekday: date.dayOfWeek, from, to, hours };
}

/** The start of the next date that exists: where a whole day is skipped, the one after it. */
function dayAfter(zone: string, date: Temporal.PlainDate, from: UnixMs): UnixMs {
  for (let days = 1; days <= 2; days += 1) {
    const next = date.add({ days }).toZonedDateTime(zone).startOfDay().epochMilliseconds;
    if (next > from) {
      return unixMs(next);
    }
  }
  throw new Error(`${date.toString()} does not end in ${zone}`);
}
