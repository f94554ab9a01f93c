/**
 * Guarantees of `domain/campaigns/local-day.ts`: days and hours tile time without a gap, and each is what a clock
 * on the wall of that zone shows.
 */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { localDay, localHour } from "#domain/campaigns/local-day.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, plus, type UnixMs } from "#domain/time.ts";
import { anyMoment, anyZone, at, wallClock } from "../../support/zones.ts";

describe("localDay", () => {
  test.each([
    ["New York, spring", "America/New_York", "2026-03-08T12:00-04:00", "2026-03-08", 23],
    ["New York, autumn", "America/New_York", "2026-11-01T12:00-05:00", "2026-11-01", 25],
    [
      "Lord Howe, half an hour",
      "Australia/Lord_Howe",
      "2026-04-05T12:00+10:30",
      "2026-04-05",
      24.5,
    ],
    [
      "Lord Howe, half an hour less",
      "Australia/Lord_Howe",
      "2026-10-04T12:00+11",
      "2026-10-04",
      23.5,
    ],
    ["Santiago has no midnight", "America/Santiago", "2026-09-06T12:00-03:00", "2026-09-06", 23],
    ["Cairo has no midnight", "Africa/Cairo", "2026-04-24T12:00+03:00", "2026-04-24", 23],
    ["Cairo has 23:00 twice", "Africa/Cairo", "2026-10-29T23:30+02:00", "2026-10-29", 25],
    ["Troll, two hours", "Antarctica/Troll", "2026-10-25T12:00+00:00", "2026-10-25", 26],
    [
      "Apia, before the date it skipped",
      "Pacific/Apia",
      "2011-12-29T12:00-10:00",
      "2011-12-29",
      24,
    ],
    ["UTC", "UTC", "2026-03-08T00:00Z", "2026-03-08", 24],
    ["a zone without summer time", "Asia/Tokyo", "2026-03-08T23:59:59.999+09", "2026-03-08", 24],
  ])("%s", (_name, zone, instant, date, hours) => {
    const day = localDay(zone, at(instant));
    expect(day).toMatchObject({ date });
    expect((day.to - day.from) / HOUR_MS).toBe(hours);
  });

  test("begins after the gap where midnight is skipped", () => {
    const { from } = localDay("Africa/Cairo", at("2026-04-24T12:00+03:00"));
    expect(from).toBe(at("2026-04-24T01:00+03:00"));
  });

  test("passes over a date that a zone left out", () => {
    const before = localDay("Pacific/Apia", at("2011-12-29T12:00-10:00"));
    expect(localDay("Pacific/Apia", before.to).date).toBe("2011-12-31");
  });

  test("is the date and weekday on the wall, and its ends are where the date changes", () => {
    fc.assert(
      fc.property(anyZone(), anyMoment(), (zone, moment) => {
        const day = localDay(zone, moment);
        const wall = wallClock(zone, moment);
        expect(day.date).toBe(wall.toPlainDate().toString());
        expect(day.weekday).toBe(wall.dayOfWeek);
        expect(day.from <= moment && moment < day.to).toBe(true);
        for (const inside of [day.from, plus(day.to, -1)]) {
          expect(wallClock(zone, inside).toPlainDate().toString()).toBe(day.date);
        }
        for (const outside of [plus(day.from, -1), day.to]) {
          expect(wallClock(zone, outside).toPlainDate().toString()).not.toBe(day.date);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test("refuses a zone that is none", () => {
    expect(() => localDay("Mars/Olympus", at("2026-01-01T00:00Z"))).toThrow(RangeError);
  });

  test("forgets, and answers the same again", () => {
    const zone = "Europe/Berlin";
    const dates = () =>
      Array.from({ length: 400 }, (_, n) =>
        localDay(zone, plus(at("2026-01-01T11:00Z"), n * DAY_MS)),
      );
    expect(dates()).toEqual(dates());
    expect(new Set(dates().map(({ date }) => date)).size).toBe(400);
  });
});

describe("localHour", () => {
  test.each([
    ["an hour", "Europe/Berlin", "2026-03-02T09:30+01:00", "2026-03-02T09", 60],
    [
      "a repeated hour, first time",
      "America/New_York",
      "2026-11-01T01:30-04:00",
      "2026-11-01T01",
      120,
    ],
    [
      "a repeated hour, second time",
      "America/New_York",
      "2026-11-01T01:30-05:00",
      "2026-11-01T01",
      120,
    ],
    ["after a repeated hour", "America/New_York", "2026-11-01T02:30-05:00", "2026-11-01T02", 60],
    ["half an hour twice", "Australia/Lord_Howe", "2026-04-05T01:45+10:30", "2026-04-05T01", 90],
    ["half an hour skipped", "Australia/Lord_Howe", "2026-10-04T02:45+11:00", "2026-10-04T02", 30],
    ["an hour's end after a gap", "Pacific/Chatham", "2026-09-27T03:50+13:45", "2026-09-27T03", 15],
    [
      "one of two hours shown twice",
      "Antarctica/Troll",
      "2026-10-25T01:30+02:00",
      "2026-10-25T01",
      60,
    ],
  ])("%s", (_name, zone, instant, key, minutes) => {
    const hour = localHour(zone, at(instant));
    expect(hour.key).toBe(key);
    expect((hour.to - hour.from) / MINUTE_MS).toBe(minutes);
  });

  test("is the hour on the wall, and its ends are where another is shown", () => {
    const keyOf = (zone: string, moment: UnixMs) => wallClock(zone, moment).toString().slice(0, 13);
    fc.assert(
      fc.property(anyZone(), anyMoment(), (zone, moment) => {
        const hour = localHour(zone, moment);
        expect(hour.key).toBe(keyOf(zone, moment));
        expect(hour.from <= moment && moment < hour.to).toBe(true);
        for (const inside of [hour.from, plus(hour.to, -1)]) {
          expect(keyOf(zone, inside)).toBe(hour.key);
        }
        for (const outside of [plus(hour.from, -1), hour.to]) {
          expect(keyOf(zone, outside)).not.toBe(hour.key);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
