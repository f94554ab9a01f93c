/**
 * Public holidays by country: those of the whole country, with the days off for what falls on a weekend. Days
 * that only a region has off aren't known, nor what lies outside the years of the table.
 *
 * Source: `holidays.json`, which `.ci/public_holidays.py` writes.
 */

import table from "./holidays.json" with { type: "json" };

/** Looked at in functions alone, so that what needs none of it doesn't take it along. */
const countries = (): Readonly<Record<string, string>> => table.countries;

/** By country, its dates as `2026-12-25`; read from the table when a country is first asked for. */
const dates = new Map<string, ReadonlySet<string>>();

/** Two letters, as ISO 3166 has them. */
export function hasHolidays(country: string): boolean {
  return Object.hasOwn(countries(), country);
}

/** `date` as `2026-12-25`. */
export function isHoliday(country: string, date: string): boolean {
  let known = dates.get(country);
  if (known === undefined) {
    known = new Set(datesOf(countries()[country] ?? ""));
    dates.set(country, known);
  }
  return known.has(date);
}

/** Of `0101 0403|0101 0326`: month and day, the years in order. */
function datesOf(days: string): string[] {
  return days.split("|").flatMap((year, index) =>
    year
      .split(" ")
      .filter((day) => day !== "")
      .map((day) => `${table.firstYear + index}-${day.slice(0, 2)}-${day.slice(2)}`),
  );
}

/** Answers of {@link isZoneOf} that are remembered; then all is forgotten and asked anew. */
const ANSWERS_MAX = 10_000;
const answers = new Map<string, boolean>();

/** True where `zone` is a time zone of the country. */
export function isZoneOf(zone: string, country: string): boolean {
  const key = `${country} ${zone}`;
  let is = answers.get(key);
  if (is === undefined) {
    const epoch = Temporal.Instant.fromEpochMilliseconds(0);
    const own = epoch.toZonedDateTimeISO(zone);
    const zones = new Intl.Locale(`und-${country}`).getTimeZones() ?? [];
    // A zone has older names too, which are equal.
    is = zones.some((name) => epoch.toZonedDateTimeISO(name).equals(own));
    if (answers.size >= ANSWERS_MAX) {
      answers.clear();
    }
    answers.set(key, is);
  }
  return is;
}
