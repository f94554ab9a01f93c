/** Guarantees of `domain/campaigns/holidays.ts`: its table is what governments announce, and others compute. */

import { describe, expect, test } from "bun:test";
import { HOLIDAY_COUNTRIES } from "#domain/campaigns/holiday-countries.ts";
import table from "#domain/campaigns/holidays.json" with { type: "json" };
import { hasHolidays, isHoliday, isZoneOf } from "#domain/campaigns/holidays.ts";
import { PUBLIC_HOLIDAYS } from "../../support/public-holidays.ts";

const announced = Object.entries(PUBLIC_HOLIDAYS).flatMap(([country, years]) =>
  Object.entries(years).map(([year, days]): [string, string, string] => [country, year, days]),
);

/** Every date of a year on which the country is off. */
function known(country: string, year: string): string[] {
  const first = Temporal.PlainDate.from(`${year}-01-01`);
  return Array.from({ length: first.daysInYear }, (_, day) => first.add({ days: day }).toString())
    .filter((date) => isHoliday(country, date))
    .map((date) => date.slice(5));
}

const isWeekend = (date: string) => Temporal.PlainDate.from(date).dayOfWeek > 5;

describe("public holidays", () => {
  test.each(announced)("of %s in %s are those announced", (country, year, days) => {
    // One that falls on a weekend may be told as its day off alone.
    const found = known(country, year).filter(
      (day) => days.split(" ").includes(day) || !isWeekend(`${year}-${day}`),
    );
    expect(found).toEqual(days.split(" "));
  });

  test("of the countries that can be chosen are known, and of no others", () => {
    expect([...HOLIDAY_COUNTRIES]).toEqual(Object.keys(table.countries).toSorted());
    expect(["UK", "EU", "XX", "de", "", "constructor", "__proto__"].filter(hasHolidays)).toEqual(
      [],
    );
  });

  test("reach five years beyond this build", () => {
    const { year } = Temporal.Now.plainDateISO();
    expect(table.lastYear).toBeGreaterThanOrEqual(year + 5);
    for (const country of HOLIDAY_COUNTRIES) {
      const dates = Array.from({ length: 5 }, (_, n) =>
        known(country, String(table.firstYear + n)),
      );
      expect({ country, without: dates.filter(({ length }) => length === 0) }).toEqual({
        country,
        without: [],
      });
    }
  });

  test("before and after the table there are none", () => {
    expect(known("DE", String(table.firstYear - 1))).toEqual([]);
    expect(known("DE", String(table.lastYear + 1))).toEqual([]);
    expect(known("DE", String(table.lastYear))).toContain("12-25");
  });
});

test.each([
  ["Europe/Berlin", "DE", true],
  ["Europe/Paris", "DE", false],
  ["America/New_York", "US", true],
  ["US/Eastern", "US", true],
  ["Asia/Kolkata", "IN", true],
  ["Asia/Calcutta", "IN", true],
  ["Europe/London", "GB", true],
  ["UTC", "GB", false],
])("%s is a time zone of %s: %p", (zone, country, is) => {
  expect(isZoneOf(zone, country)).toBe(is);
});
