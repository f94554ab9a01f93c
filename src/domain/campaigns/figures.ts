/**
 * What is counted of a team's email, by local day and by hour of the week. Counts are kept by the quarter
 * of an hour, of which every zone's days and hours are made.
 */

import { HOUR_MS, MINUTE_MS, type UnixMs, unixMs } from "#domain/time.ts";
import { type LocalDay, localDay } from "./local-day.ts";

export const SLOT_MS = 15 * MINUTE_MS;

/** Days that can be asked for at once. */
export const FIGURE_DAYS_MAX = 366;

export const COUNTED = [
  "sent",
  "contacted",
  "contactedReplied",
  "replied",
  "positive",
  "bounced",
  "unsubscribed",
  "opened",
  "clicked",
] as const;
export type Counted = (typeof COUNTED)[number];
export type Counts = Record<Counted, number>;

/** Quarters of an hour since 1970. */
export function slotOf(at: UnixMs): number {
  return Math.floor(at / SLOT_MS);
}

export interface Figures {
  totals: Counts;
  days: (Counts & { date: string })[];
  /** Replies by weekday, Monday first, and hour, 0 to 23. */
  heat: number[][];
}

/** The days of `zone` from one date to another, both included, and the real time that they take. */
export function daysBetween(zone: string, first: string, last: string): LocalDay[] {
  const start = Temporal.PlainDate.from(first).toZonedDateTime({ timeZone: zone });
  const days: LocalDay[] = [];
  for (let at = unixMs(start.epochMilliseconds); days.length < FIGURE_DAYS_MAX; ) {
    const day = localDay(zone, at);
    if (day.date > last) {
      break;
    }
    days.push(day);
    at = day.to;
  }
  return days;
}

/** Sums up what was counted at each instant; what lies outside `days` is left out. */
export function figuresOf(
  days: readonly LocalDay[],
  counted: readonly (Partial<Counts> & { at: UnixMs })[],
): Figures {
  const figures: Figures = {
    totals: nothing(),
    days: days.map(({ date }) => ({ date, ...nothing() })),
    heat: Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0)),
  };
  const inOrder = counted.toSorted((a, b) => a.at - b.at);
  let index = 0;
  for (const { at, ...counts } of inOrder) {
    while (index < days.length && (days[index]?.to ?? at) <= at) {
      index += 1;
    }
    const day = days[index];
    const sums = figures.days[index];
    if (day === undefined || sums === undefined || at < day.from) {
      continue;
    }
    add(sums, counts);
    const hours = figures.heat[day.weekday - 1];
    const hour = hourOf(day, at);
    if (hours !== undefined) {
      hours[hour] = (hours[hour] ?? 0) + (counts.replied ?? 0);
    }
  }
  return settled(figures);
}

function hourOf(day: LocalDay, at: UnixMs): number {
  const part = day.parts.find(({ from, to }) => from <= at && at < to);
  return part === undefined ? 0 : Math.floor((at - part.midnight) / HOUR_MS);
}

function nothing(): Counts {
  return Object.fromEntries(COUNTED.map((name) => [name, 0])) as Counts;
}

function add(sums: Counts, counts: Partial<Counts>): void {
  for (const name of COUNTED) {
    sums[name] += counts[name] ?? 0;
  }
}

/** What was taken back on another day than it was counted on leaves no day below nothing. */
function settled({ totals, days, heat }: Figures): Figures {
  for (const day of days) {
    for (const name of COUNTED) {
      day[name] = Math.max(0, day[name]);
    }
    add(totals, day);
  }
  return { totals, days, heat: heat.map((hours) => hours.map((count) => Math.max(0, count))) };
}
