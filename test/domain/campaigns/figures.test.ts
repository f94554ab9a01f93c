/** Sums by local day: every instant on one day and in one hour, whatever the clocks do. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  daysBetween,
  FIGURE_DAYS_MAX,
  figuresOf,
  SLOT_MS,
  slotOf,
} from "#domain/campaigns/figures.ts";
import { localDay, localHour } from "#domain/campaigns/local-day.ts";
import { unixMs } from "#domain/time.ts";

const at = (iso: string) => unixMs(Date.parse(iso));

describe("figures", () => {
  test("days of a zone follow each other, also where the clocks change", () => {
    const days = daysBetween("Europe/Berlin", "2026-03-28", "2026-03-30");
    expect(days.map(({ date, from, to }) => [date, (to - from) / 3_600_000])).toEqual([
      ["2026-03-28", 24],
      ["2026-03-29", 23],
      ["2026-03-30", 24],
    ]);
    expect(daysBetween("UTC", "2020-01-01", "2026-01-01")).toHaveLength(FIGURE_DAYS_MAX);
  });

  test("a reply at 9 in Kathmandu is one of the hour from 9 there, and of no other day", () => {
    const days = daysBetween("Asia/Kathmandu", "2026-03-02", "2026-03-02");
    const { totals, heat } = figuresOf(days, [
      { at: at("2026-03-02T03:15:00Z"), replied: 2 },
      { at: at("2026-03-01T18:00:00Z"), replied: 5 },
      { at: at("2026-03-02T18:15:00Z"), replied: 7 },
    ]);
    expect(totals.replied).toBe(2);
    expect(heat[0]?.[9]).toBe(2);
  });

  test("what is taken back on a day that has nothing leaves nothing, not less", () => {
    const days = daysBetween("UTC", "2026-03-02", "2026-03-03");
    const { totals } = figuresOf(days, [
      { at: at("2026-03-02T10:00:00Z"), unsubscribed: -1 },
      { at: at("2026-03-03T10:00:00Z"), unsubscribed: 1 },
    ]);
    expect(totals.unsubscribed).toBe(1);
  });

  test("a slot lies in one local day and one local hour of any zone", () => {
    const zones = [
      "UTC",
      "Asia/Kolkata",
      "Australia/Lord_Howe",
      "Pacific/Chatham",
      "America/St_Johns",
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: at("2020-01-01T00:00:00Z"), max: at("2035-01-01T00:00:00Z") }),
        (zone, ms) => {
          const first = unixMs(slotOf(unixMs(ms)) * SLOT_MS);
          const last = unixMs(first + SLOT_MS - 1);
          expect(localDay(zone, first).date).toBe(localDay(zone, last).date);
          expect(localHour(zone, first).key).toBe(localHour(zone, last).key);
        },
      ),
    );
  });
});
