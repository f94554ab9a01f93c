/**
 * Guarantees of `domain/campaigns/window.ts`. The tables pin the nights on which clocks change, where wall-clock
 * arithmetic goes wrong; the properties cover every other day against an oracle that only reads the
 * clock on the wall.
 */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { HOLIDAY_COUNTRIES } from "#domain/campaigns/holiday-countries.ts";
import { isHoliday } from "#domain/campaigns/holidays.ts";
import {
  checkWindow,
  nextOpening,
  openMs,
  openStretch,
  type SendWindow,
  WEEKDAYS,
} from "#domain/campaigns/window.ts";
import { Problem } from "#domain/problem.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, plus, type UnixMs } from "#domain/time.ts";
import { anyMoment, anyZone, at, wallClock } from "../../support/zones.ts";

const OFFICE: SendWindow = {
  timezone: "America/New_York",
  days: ["monday", "tuesday", "wednesday", "thursday", "friday"],
  startHour: 9,
  endHour: 17,
  skipHolidays: [],
};

/** Every day, in one zone. */
const daily = (timezone: string, startHour: number, endHour: number): SendWindow => {
  return { timezone, days: WEEKDAYS, startHour, endHour, skipHolidays: [] };
};
/** New York skips 02:00 to 03:00 on 8 March 2026 and repeats 01:00 to 02:00 on 1 November. */
const sunday = (startHour: number, endHour: number): SendWindow => {
  return { ...OFFICE, days: ["sunday"], startHour, endHour };
};

describe("nextOpening", () => {
  test.each([
    ["before opening", OFFICE, "2026-03-02T08:59-05:00", "2026-03-02T09:00-05:00"],
    ["at opening", OFFICE, "2026-03-02T09:00-05:00", "2026-03-02T09:00-05:00"],
    ["at closing, already outside", OFFICE, "2026-03-02T17:00-05:00", "2026-03-03T09:00-05:00"],
    [
      "just before closing",
      OFFICE,
      "2026-03-02T16:59:59.999-05:00",
      "2026-03-02T16:59:59.999-05:00",
    ],
    ["across a short weekend", OFFICE, "2026-03-06T17:00-05:00", "2026-03-09T09:00-04:00"],
    ["start in the gap", sunday(2, 4), "2026-03-08T00:00-05:00", "2026-03-08T03:00-04:00"],
    ["wholly in the gap", sunday(2, 3), "2026-03-08T00:00-05:00", "2026-03-15T02:00-04:00"],
    ["gap a week ahead", sunday(2, 3), "2026-03-01T03:00-05:00", "2026-03-15T02:00-04:00"],
    ["repeated hour, first", sunday(1, 2), "2026-11-01T00:00-04:00", "2026-11-01T01:00-04:00"],
    ["repeated hour, second", sunday(1, 2), "2026-11-01T01:30-05:00", "2026-11-01T01:30-05:00"],
  ])("New York, %s", (_name, window, from, expected) => {
    expect(nextOpening(window, null, at(from)).at).toBe(at(expected));
  });

  /** From the night before, the opening that a night of changing clocks has, or the next night's. */
  test.each([
    ["Europe/Berlin", 2, 3, "2026-03-28T12Z", "2026-03-30T02:00+02", "2026-03-30T03:00+02"],
    ["Europe/Berlin", 2, 3, "2026-10-24T12Z", "2026-10-25T02:00+02", "2026-10-25T03:00+01"],
    ["Europe/Berlin", 3, 5, "2026-10-24T12Z", "2026-10-25T03:00+01", "2026-10-25T05:00+01"],
    ["Australia/Lord_Howe", 2, 3, "2026-10-03T12Z", "2026-10-04T02:30+11", "2026-10-04T03:00+11"],
    [
      "Australia/Lord_Howe",
      1,
      2,
      "2026-04-04T12Z",
      "2026-04-05T01:00+11",
      "2026-04-05T02:00+10:30",
    ],
    ["Africa/Cairo", 0, 1, "2026-04-23T12Z", "2026-04-25T00:00+03", "2026-04-25T01:00+03"],
    ["Africa/Cairo", 0, 2, "2026-04-23T12Z", "2026-04-24T01:00+03", "2026-04-24T02:00+03"],
    ["Africa/Cairo", 23, 24, "2026-10-29T12Z", "2026-10-29T23:00+03", "2026-10-30T00:00+02"],
    ["America/Santiago", 0, 24, "2026-09-06T03Z", "2026-09-05T00:00-04", "2026-09-06T00:00-04"],
    ["America/Santiago", 0, 2, "2026-09-06T03:30Z", "2026-09-06T01:00-03", "2026-09-06T02:00-03"],
    ["America/Santiago", 23, 24, "2026-04-04T12Z", "2026-04-04T23:00-03", "2026-04-05T00:00-04"],
    ["America/Sao_Paulo", 0, 2, "2018-11-03T12Z", "2018-11-04T01:00-02", "2018-11-04T02:00-02"],
    ["America/Havana", 0, 1, "2026-10-31T12Z", "2026-11-01T00:00-04", "2026-11-01T01:00-05"],
    ["Pacific/Apia", 9, 17, "2011-12-30T09Z", "2011-12-31T09:00+14", "2011-12-31T17:00+14"],
    ["Pacific/Kwajalein", 9, 17, "1993-08-21T05Z", "1993-08-22T09:00+12", "1993-08-22T17:00+12"],
    ["Pacific/Chatham", 3, 5, "2026-09-26T00Z", "2026-09-27T03:45+13:45", "2026-09-27T05:00+13:45"],
    ["Pacific/Chatham", 2, 3, "2026-04-04T12Z", "2026-04-05T02:00+13:45", "2026-04-05T03:00+13:45"],
    [
      "Pacific/Chatham",
      2,
      3,
      "2026-04-04T13:50Z",
      "2026-04-05T02:45+12:45",
      "2026-04-05T03:00+12:45",
    ],
    ["Antarctica/Troll", 2, 4, "2026-03-28T12Z", "2026-03-29T03:00+02", "2026-03-29T04:00+02"],
    ["Africa/Casablanca", 2, 4, "2026-02-14T12Z", "2026-02-15T02:00+01", "2026-02-15T04:00+00"],
  ])("%s, %d to %d from %s", (zone, startHour, endHour, from, opens, closes) => {
    const window = daily(zone, startHour, endHour);
    const start = at(from.replace(/T(\d\d)Z$/, "T$1:00Z"));
    const opening = nextOpening(window, null, start);
    expect(opening.stretch).toEqual({ from: at(opens), to: at(closes) });
    expect(opening.at as number).toBe(Math.max(start, at(opens)));
  });

  test("a day of the week that the zone left out has no opening", () => {
    const friday: SendWindow = { ...daily("Pacific/Apia", 9, 17), days: ["friday"] };
    const opening = nextOpening(friday, null, at("2011-12-25T00:00Z"));
    expect(opening.at).toBe(at("2012-01-06T09:00+14:00"));
  });

  /** Labor Day in the United States, 7 September 2026; Good Friday in Germany, 3 April. */
  test.each([
    ["a lead without a zone of its own", null, "2026-09-07T10:00Z", "2026-09-08T09:00-04:00"],
    ["a lead in New York", "America/New_York", "2026-09-07T10:00Z", "2026-09-08T09:00-04:00"],
    ["a lead in Berlin", "Europe/Berlin", "2026-09-07T10:00Z", "2026-09-07T12:00+02:00"],
    ["a lead in Berlin", "Europe/Berlin", "2026-04-02T18:00Z", "2026-04-07T09:00+02:00"],
    ["a lead in Los Angeles", "America/Los_Angeles", "2026-04-03T20:00Z", "2026-04-03T13:00-07:00"],
    ["a lead elsewhere", "Asia/Tokyo", "2026-04-02T18:00Z", "2026-04-07T09:00+09:00"],
  ])("on a holiday stays closed to %s", (_name, zone, from, expected) => {
    const window = { ...OFFICE, skipHolidays: ["DE", "US"] };
    expect(nextOpening(window, zone, at(from)).at).toBe(at(expected));
    expect(openStretch(window, zone, at(from)) === null).toBe(at(from) !== at(expected));
  });

  test("opens again whatever ten countries it skips and whatever its one day", () => {
    const mondays = (country: string) =>
      known.filter((date) => isHoliday(country, date) && weekdayOf(date) === "monday").length;
    const known = Array.from({ length: 3650 }, (_, n) =>
      Temporal.PlainDate.from("2026-01-01").add({ days: n }).toString(),
    );
    const most = HOLIDAY_COUNTRIES.toSorted((a, b) => mondays(b) - mondays(a)).slice(0, 10);
    const window: SendWindow = { ...OFFICE, days: ["monday"], skipHolidays: most };
    for (const date of known) {
      const opening = nextOpening(window, null, at(`${date}T00:00Z`));
      expect(opening.at).toBeLessThan(at(`${date}T00:00Z`) + 200 * DAY_MS);
    }
  });

  test("the lead's zone replaces the campaign's", () => {
    const opening = nextOpening(OFFICE, "Asia/Tokyo", at("2026-03-02T12:00-05:00"));
    expect(opening.stretch).toEqual({
      from: at("2026-03-03T09:00+09:00"),
      to: at("2026-03-03T17:00+09:00"),
    });
  });

  test("is the first instant at which the wall clock shows an open hour", () => {
    fc.assert(
      fc.property(anyWindow(), anyMoment(), (window, from) => {
        const next = nextOpening(window, null, from);

        expect(next.at).toBeGreaterThanOrEqual(from);
        expect(next.at - from).toBeLessThan(15 * DAY_MS);
        expect(showsOpen(window, next.at)).toBe(true);
        expect(next.at > from && showsOpen(window, plus(next.at, -1))).toBe(false);
        for (let probe = from; probe < next.at; probe = plus(probe, 15 * MINUTE_MS)) {
          expect(showsOpen(window, probe)).toBe(false);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("openStretch", () => {
  test("is there exactly while the wall clock shows an open hour, and ends where that ends", () => {
    fc.assert(
      fc.property(anyWindow(), anyMoment(), (window, moment) => {
        const stretch = openStretch(window, null, moment);
        expect(stretch !== null).toBe(showsOpen(window, moment));
        if (stretch === null) {
          return;
        }
        expect(stretch.from <= moment && moment < stretch.to).toBe(true);
        const date = wallClock(window.timezone, moment).toPlainDate().toString();
        const sameDayOpen = (probe: UnixMs) =>
          showsOpen(window, probe) &&
          wallClock(window.timezone, probe).toPlainDate().toString() === date;
        expect(sameDayOpen(stretch.from)).toBe(true);
        expect(sameDayOpen(plus(stretch.to, -1))).toBe(true);
        expect(sameDayOpen(plus(stretch.from, -1))).toBe(false);
        expect(sameDayOpen(stretch.to)).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });

  test("a lead's zone decides which day of the week it is", () => {
    const mondays = { ...daily("UTC", 0, 24), days: ["monday"] as const };
    const moment = at("2026-03-01T22:00Z");
    expect(openStretch(mondays, null, moment)).toBeNull();
    expect(openStretch(mondays, "Europe/Athens", moment)?.from).toBe(moment);
  });
});

describe("openMs", () => {
  test.each([
    ["one window", [daily("UTC", 9, 17)], 8],
    ["the same twice", [daily("UTC", 9, 17), daily("UTC", 9, 17)], 8],
    ["apart", [daily("UTC", 1, 2), daily("UTC", 5, 6)], 2],
    ["touching", [daily("UTC", 1, 2), daily("UTC", 2, 4)], 3],
    ["one inside the other", [daily("UTC", 1, 20), daily("UTC", 5, 6)], 19],
    ["overlapping in other zones", [daily("UTC", 9, 17), daily("Asia/Tokyo", 9, 20)], 17],
    ["across the day's end", [daily("Asia/Tokyo", 0, 24)], 24],
    ["none", [], 0],
  ])("%s", (_name, windows, hours) => {
    const day = at("2026-03-03T00:00Z");
    expect(openMs(windows, day, plus(day, DAY_MS))).toBe(hours * HOUR_MS);
  });

  test("counts each quarter of an hour in which some window is open, once", () => {
    fc.assert(
      fc.property(
        fc.array(anyWindow(), { maxLength: 4 }),
        anyMoment(),
        fc.integer({ min: 0, max: 200 }),
        (windows, moment, quarters) => {
          const from = plus(moment, -(moment % (15 * MINUTE_MS)));
          let expected = 0;
          for (let n = 0; n < quarters; n += 1) {
            const probe = plus(from, n * 15 * MINUTE_MS);
            expected += windows.some((window) => showsOpen(window, probe)) ? 15 * MINUTE_MS : 0;
          }
          const to = plus(from, quarters * 15 * MINUTE_MS);
          expect(openMs(windows, from, to)).toBe(expected);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe("checkWindow", () => {
  test.each([
    ["an unknown zone", { ...OFFICE, timezone: "Mars/Olympus" }, "send_window.timezone"],
    ["an offset, which knows no summer", { ...OFFICE, timezone: "+02:00" }, "send_window.timezone"],
    ["no days", { ...OFFICE, days: [] }, "send_window.days"],
    ["a day twice", { ...OFFICE, days: ["monday", "friday", "monday"] }, "send_window.days.2"],
    ["a day that is none", { ...OFFICE, days: ["monday", "Friday"] }, "send_window.days.1"],
    ["a start before midnight", { ...OFFICE, startHour: -1 }, "send_window.start_hour"],
    ["a start after the last hour", { ...OFFICE, startHour: 24 }, "send_window.start_hour"],
    ["a start between hours", { ...OFFICE, startHour: 8.5 }, "send_window.start_hour"],
    ["an end before the start", { ...OFFICE, startHour: 17, endHour: 9 }, "send_window.end_hour"],
    ["an end at the start", { ...OFFICE, startHour: 9, endHour: 9 }, "send_window.end_hour"],
    ["an end past midnight", { ...OFFICE, endHour: 25 }, "send_window.end_hour"],
    ["an unknown country", { ...OFFICE, skipHolidays: ["XX"] }, "send_window.skip_holidays.0"],
    ["a country twice", { ...OFFICE, skipHolidays: ["DE", "DE"] }, "send_window.skip_holidays.1"],
    ["an end that is no number", { ...OFFICE, endHour: Number.NaN }, "send_window.end_hour"],
  ])("refuses %s", (_name, window, field) => {
    const check = () => checkWindow(window as SendWindow);
    expect(check).toThrow(Problem);
    expect(check).toThrow(expect.objectContaining({ field, type: "validation_error" }));
  });

  test.each([
    ["the usual", OFFICE],
    ["the whole week", daily("Europe/Berlin", 0, 24)],
    ["one hour", sunday(23, 24)],
  ])("accepts %s", (_name, window) => {
    expect(() => checkWindow(window)).not.toThrow();
  });
});

function showsOpen(window: SendWindow, moment: UnixMs): boolean {
  const wall = wallClock(window.timezone, moment);
  const weekday = WEEKDAYS[wall.dayOfWeek - 1];
  const isDay = weekday !== undefined && window.days.includes(weekday);
  return isDay && window.startHour <= wall.hour && wall.hour < window.endHour;
}

function anyWindow(): fc.Arbitrary<SendWindow> {
  return fc
    .record({
      timezone: anyZone(),
      days: fc.uniqueArray(fc.constantFrom(...WEEKDAYS), { minLength: 1 }),
      startHour: fc.integer({ min: 0, max: 23 }),
      lengthHours: fc.integer({ min: 1, max: 24 }),
    })
    .map(({ lengthHours, ...window }) => {
      const endHour = Math.min(24, window.startHour + lengthHours);
      return { ...window, endHour, skipHolidays: [] };
    });
}

function weekdayOf(date: string) {
  return WEEKDAYS[Temporal.PlainDate.from(date).dayOfWeek - 1];
}
