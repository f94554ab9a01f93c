/** Guarantees of `domain/campaigns/schedule.ts`: follow-ups at the same hour on the wall, retries that end. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { followUpDueAt, type Retry, retryAt } from "#domain/campaigns/schedule.ts";
import { openStretch, type SendWindow, WEEKDAYS } from "#domain/campaigns/window.ts";
import { HOUR_MS, MINUTE_MS, plus, unixMs } from "#domain/time.ts";
import { anyMoment, anyZone, at, wallClock } from "../../support/zones.ts";

const OFFICE: SendWindow = {
  timezone: "America/New_York",
  days: ["monday", "tuesday", "wednesday", "thursday", "friday"],
  startHour: 9,
  endHour: 17,
  skipHolidays: [],
};
const ALWAYS: SendWindow = { ...OFFICE, days: WEEKDAYS, startHour: 0, endHour: 24 };

describe("followUpDueAt", () => {
  test.each([
    ["the same hour days later", null, "2026-03-02T10:15-05:00", 3, "2026-03-05T10:15-05:00"],
    ["no wait: at once", null, "2026-03-02T10:15-05:00", 0, "2026-03-02T10:15-05:00"],
    ["no wait, but closed by then", null, "2026-03-02T17:00-05:00", 0, "2026-03-03T09:00-05:00"],
    [
      "weekends count, but nothing is sent",
      null,
      "2026-03-05T10:15-05:00",
      2,
      "2026-03-09T09:00-04:00",
    ],
    [
      "the hour on the wall outlasts summer time",
      null,
      "2026-03-06T10:15-05:00",
      3,
      "2026-03-09T10:15-04:00",
    ],
    ["the lead's wall", "Asia/Tokyo", "2026-03-02T10:15-05:00", 1, "2026-03-04T09:00+09:00"],
    [
      "the lead's own change of clocks",
      "Europe/Berlin",
      "2026-03-27T10:15+01:00",
      3,
      "2026-03-30T10:15+02:00",
    ],
  ])("%s", (_name, zone, sentAt, days, dueAt) => {
    expect(followUpDueAt(OFFICE, zone, at(sentAt), { waitDays: days, waitMinutes: 0 })).toBe(
      at(dueAt),
    );
  });

  test.each([
    [
      "a time that is skipped, after the gap",
      "2026-03-07T02:30-05:00",
      1,
      "2026-03-08T03:30-04:00",
    ],
    ["a time that is repeated, the first", "2026-10-31T01:30-04:00", 1, "2026-11-01T01:30-04:00"],
  ])("%s", (_name, sentAt, days, dueAt) => {
    expect(followUpDueAt(ALWAYS, null, at(sentAt), { waitDays: days, waitMinutes: 0 })).toBe(
      at(dueAt),
    );
  });

  test("is in the window, never early, and on time wherever the window allows", () => {
    fc.assert(
      fc.property(
        anyZone(),
        anyMoment(),
        fc.integer({ min: 0, max: 365 }),
        fc.boolean(),
        fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 1439 })),
        (zone, sentAt, days, always, minutes) => {
          const window = { ...(always ? ALWAYS : OFFICE), timezone: zone };
          const wait = { waitDays: days, waitMinutes: minutes };
          const dueAt = followUpDueAt(window, null, sentAt, wait);
          const wanted = wallClock(zone, sentAt).add({ days }).add({ minutes });
          expect(dueAt).toBeGreaterThanOrEqual(wanted.epochMilliseconds);
          expect(openStretch(window, null, dueAt)).not.toBeNull();
          if (openStretch(window, null, unixMs(wanted.epochMilliseconds)) !== null) {
            expect(dueAt as number).toBe(wanted.epochMilliseconds);
          }
        },
      ),
    );
  });
});

/**
 * Source: help.instantly.ai/en/articles/7916860 "Time to Wait Between Steps": minutes and hours count in real time from
 * the email before, and what ends outside the schedule is sent when it next opens. Its two examples come first.
 */
describe("a wait in minutes", () => {
  const berlin = { ...OFFICE, timezone: "Europe/Berlin", skipHolidays: ["DE"] };
  test.each([
    [
      "two days from a Friday: Monday",
      OFFICE,
      "2026-03-06T10:00-05:00",
      2,
      0,
      "2026-03-09T09:00-04:00",
    ],
    [
      "two hours from four: the next day",
      OFFICE,
      "2026-03-02T16:00-05:00",
      0,
      120,
      "2026-03-03T09:00-05:00",
    ],
    ["half an hour", OFFICE, "2026-03-02T10:00-05:00", 0, 30, "2026-03-02T10:30-05:00"],
    ["a day and a half", OFFICE, "2026-03-02T10:00-05:00", 1, 90, "2026-03-03T11:30-05:00"],
    [
      "the minute in which it closes is outside",
      OFFICE,
      "2026-03-02T16:30-05:00",
      0,
      30,
      "2026-03-03T09:00-05:00",
    ],
    ["into a weekend", OFFICE, "2026-03-06T16:59-05:00", 0, 1439, "2026-03-09T09:00-04:00"],
    [
      "real minutes, where an hour is skipped",
      ALWAYS,
      "2026-03-08T01:30-05:00",
      0,
      60,
      "2026-03-08T03:30-04:00",
    ],
    [
      "real minutes, where an hour comes twice",
      ALWAYS,
      "2026-11-01T01:30-04:00",
      0,
      60,
      "2026-11-01T01:30-05:00",
    ],
    [
      "days by the wall, then minutes",
      ALWAYS,
      "2026-03-07T01:45-05:00",
      1,
      30,
      "2026-03-08T03:15-04:00",
    ],
    ["not on a public holiday", berlin, "2026-04-02T16:30+02:00", 0, 60, "2026-04-07T09:00+02:00"],
  ])("%s", (_name, window, sentAt, waitDays, waitMinutes, dueAt) => {
    expect(followUpDueAt(window, null, at(sentAt), { waitDays, waitMinutes })).toBe(at(dueAt));
  });

  test("is what counting one minute after the other comes to", () => {
    fc.assert(
      fc.property(
        anyZone(),
        anyMoment(),
        fc.integer({ min: 0, max: 1439 }),
        (timezone, sentAt, waitMinutes) => {
          const window = { ...OFFICE, timezone, endHour: 20 };
          const isOpen = (moment: number) => {
            const wall = wallClock(timezone, unixMs(moment));
            return wall.dayOfWeek <= 5 && wall.hour >= 9 && wall.hour < 20;
          };
          let moment = sentAt + waitMinutes * MINUTE_MS;
          while (!isOpen(moment)) {
            // Windows open on a whole minute, in every zone.
            moment = Math.floor(moment / MINUTE_MS) * MINUTE_MS + MINUTE_MS;
          }
          const wait = { waitDays: 0, waitMinutes };
          expect(followUpDueAt(window, null, sentAt, wait) as number).toBe(moment);
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe("retryAt", () => {
  const failedAt = at("2026-03-02T10:00-05:00");
  const retry = (change: Partial<Retry>): Retry => {
    const first = { messageId: "m", attempt: 1, firstAttemptAt: failedAt, failedAt };
    return { ...first, window: ALWAYS, zone: null, ...change };
  };

  test.each([
    [1, 5],
    [2, 15],
    [3, 45],
    [4, 120],
    [5, 360],
  ])("after try %d waits %d minutes, a fifth more or less", (attempt, minutes) => {
    const waits = Array.from({ length: 500 }, (_, n) => {
      const next = retryAt(retry({ attempt, messageId: `message ${n}` }));
      return ((next ?? 0) - failedAt) / (minutes * MINUTE_MS);
    });
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(0.8);
    expect(Math.min(...waits)).toBeLessThan(0.82);
    expect(Math.max(...waits)).toBeLessThan(1.2);
    expect(Math.max(...waits)).toBeGreaterThan(1.18);
  });

  test("gives up after five retries", () => {
    expect(retryAt(retry({ attempt: 5 }))).not.toBeNull();
    expect(retryAt(retry({ attempt: 6 }))).toBeNull();
  });

  test("gives up 48 hours after the first try", () => {
    const early = plus(failedAt, -48 * HOUR_MS);
    expect(retryAt(retry({ firstAttemptAt: plus(early, 6.1 * MINUTE_MS) }))).not.toBeNull();
    expect(retryAt(retry({ firstAttemptAt: plus(early, 3.9 * MINUTE_MS) }))).toBeNull();
    const next = retryAt(retry({})) ?? failedAt;
    const last = plus(next, -48 * HOUR_MS);
    expect(retryAt(retry({ firstAttemptAt: last }))).toBe(next);
    expect(retryAt(retry({ firstAttemptAt: plus(last, -1) }))).toBeNull();
  });

  test("moves into the window, over a weekend too", () => {
    const friday = at("2026-03-06T16:58-05:00");
    const next = retryAt(retry({ window: OFFICE, failedAt: friday, firstAttemptAt: friday }));
    expect(next).toBe(at("2026-03-09T09:00-04:00"));
    const later = retryAt(retry({ window: OFFICE, zone: "Asia/Tokyo" }));
    expect(later).toBe(at("2026-03-03T09:00+09:00"));
  });

  test("is the same for the same message and try, and differs between messages", () => {
    expect(retryAt(retry({}))).toBe(retryAt(retry({})));
    const all = ["a", "b", "c"].map((messageId) => retryAt(retry({ messageId })));
    expect(new Set(all).size).toBe(3);
  });
});
