/** A weekly schedule keeps its own wall clock. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { WEEKDAYS } from "#domain/campaigns/window.ts";
import { nextRunAt } from "#domain/placement/placement-schedule.ts";
import { DAY_MS, HOUR_MS, unixMs } from "#domain/time.ts";

const at = (iso: string) => unixMs(Temporal.Instant.from(iso).epochMilliseconds);
const sunday = (hour: number) =>
  ({ weekday: "sunday", hour, timezone: "America/New_York" }) as const;

describe("nextRunAt", () => {
  test.each([
    ["later the same day", 9, "2026-03-01T08:59-05:00", "2026-03-01T09:00-05:00"],
    ["at the hour itself: a week on", 9, "2026-03-01T09:00-05:00", "2026-03-08T09:00-04:00"],
    ["from another day", 9, "2026-03-03T12:00-05:00", "2026-03-08T09:00-04:00"],
    ["an hour that is skipped", 2, "2026-03-03T12:00-05:00", "2026-03-08T03:00-04:00"],
    ["an hour that is repeated: its first", 1, "2026-10-31T12:00-04:00", "2026-11-01T01:00-04:00"],
    ["between the two: a week on", 1, "2026-11-01T01:30-04:00", "2026-11-08T01:00-05:00"],
  ] as const)("%s", (_name, hour, after, expected) => {
    expect(nextRunAt(sunday(hour), at(after))).toBe(at(expected));
  });

  test("is always later, within a week and an hour, and shows the hour", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...WEEKDAYS),
        fc.integer({ min: 4, max: 23 }),
        fc.constantFrom("UTC", "Europe/Berlin", "Australia/Lord_Howe", "Asia/Kathmandu"),
        fc.integer({ min: at("2025-01-01T00:00Z"), max: at("2028-01-01T00:00Z") }),
        (weekday, hour, timezone, after) => {
          const next = nextRunAt({ weekday, hour, timezone }, unixMs(after));
          const local = Temporal.Instant.fromEpochMilliseconds(next).toZonedDateTimeISO(timezone);
          expect(next).toBeGreaterThan(after);
          expect(next - after).toBeLessThanOrEqual(7 * DAY_MS + HOUR_MS);
          expect([local.hour, local.minute]).toEqual([hour, 0]);
          expect(WEEKDAYS[local.dayOfWeek - 1]).toBe(weekday);
        },
      ),
    );
  });
});
