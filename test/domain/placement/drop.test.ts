/**
 * Guarantees of `domain/placement/drop.ts`: no way of choosing when to look makes the bet against "it never
 * fell" a good one where that is so. `test/contract/drop.py` works the same numbers out elsewhere, and
 * `docs/reports/placement.md` says how often and how soon a drop is told.
 */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { DROP_E, dropOf } from "#domain/placement/drop.ts";
import { readAllDrops, readDrop } from "#domain/placement/drop-reading.ts";
import { DAY_MS, unixMs } from "#domain/time.ts";
import { naivelyToldAt, playRun, toldAt } from "../../support/trials/placement.ts";

const runsOf = (...inbox: readonly number[]) => inbox.map((one) => ({ inbox: one, total: 4 }));
const START = unixMs(Date.UTC(2026, 0, 5, 6));
const weekly = (runs: readonly { inbox: number; total: number }[]) =>
  runs.map((run, nth) => ({ ...run, at: unixMs(START + nth * 7 * DAY_MS) }));

/**
 * The most that somebody can expect who looks after every run and stops when they like, of `length` runs
 * with `outcomes` each: the chance of a run's outcome may rise with what came before.
 */
function bestStop(
  outcomes: (nth: number) => readonly { inbox: number; total: number; chance: number }[],
  length: number,
  runs: readonly { inbox: number; total: number }[] = [],
): number {
  const now = dropOf(runs).e;
  if (runs.length === length) {
    return now;
  }
  const later = outcomes(runs.length).reduce((sum, { chance, ...run }) => {
    return chance === 0 ? sum : sum + chance * bestStop(outcomes, length, [...runs, run]);
  }, 0);
  return Math.max(now, later);
}

const oneEmail = (rate: number) => [
  { inbox: 1, total: 1, chance: rate },
  { inbox: 0, total: 1, chance: 1 - rate },
];

describe("without a drop", () => {
  test.each([0, 0.03, 0.2, 0.5, 0.8, 0.9, 0.97, 1])(
    "nobody gains by choosing when to look: one email a run, %p of them in the inbox",
    (rate) => {
      expect(bestStop(() => oneEmail(rate), 10)).toBeLessThanOrEqual(1 + 1e-12);
    },
  );

  test("nobody gains where emails of one run go together, or runs have different sizes", () => {
    const together = [
      { inbox: 3, total: 3, chance: 0.7 },
      { inbox: 1, total: 3, chance: 0.2 },
      { inbox: 0, total: 3, chance: 0.1 },
    ];
    const alone = oneEmail(0.7 + 0.2 / 3);
    const sizes = (nth: number) => (nth % 2 === 0 ? together : alone);
    expect(bestStop(sizes, 7)).toBeLessThanOrEqual(1 + 1e-12);
  });

  test("nobody gains where the share rises", () => {
    const rises = (nth: number) => oneEmail([0.1, 0.3, 0.3, 0.8, 0.8, 0.8, 0.9, 1][nth] ?? 1);
    expect(bestStop(rises, 8)).toBeLessThanOrEqual(1 + 1e-12);
  });

  test("a drop that is none is rare over a year, and common where each run is tested anew", () => {
    const told = { ours: 0, naive: 0 };
    for (let series = 0; series < 200; series += 1) {
      const plan = { seeds: 4, correlation: 0.1 };
      const runs = Array.from({ length: 52 }, (_, nth) => playRun(plan, 0.9, series, nth));
      told.ours += toldAt(runs) === undefined ? 0 : 1;
      told.naive += naivelyToldAt(runs) === undefined ? 0 : 1;
    }
    expect(told.ours).toBeLessThanOrEqual(10);
    expect(told.naive).toBeGreaterThan(60);
  });
});

describe("a drop", () => {
  test("from all to few is told within a quarter of a year, and sooner after a longer time", () => {
    const after = (before: number) => {
      const runs = runsOf(...Array<number>(before).fill(4), ...Array<number>(12).fill(1));
      return (toldAt(runs, before + 1) ?? Number.POSITIVE_INFINITY) - before;
    };
    expect(after(12)).toBe(6);
    expect(after(52)).toBe(3);
  });

  test("is dated to its first run", () => {
    const runs = runsOf(...Array<number>(12).fill(4), ...Array<number>(8).fill(1));
    expect(dropOf(runs)).toMatchObject({ before: 12, e: expect.any(Number) });
    expect(dropOf(runs).e).toBeGreaterThan(DROP_E);
  });

  test("is found after the share had risen from lower than it is now", () => {
    const runs = runsOf(
      ...[1, 2, 1, 2, 1, 1, 2, 1],
      ...Array<number>(26).fill(4),
      ...Array<number>(12).fill(2),
    );
    expect(dropOf(runs).e).toBeGreaterThan(DROP_E);
    expect(dropOf(runs).before).toBe(34);
  });

  test("is no longer told once emails arrive as before for long", () => {
    const fell = [...Array<number>(26).fill(4), ...Array<number>(5).fill(0)];
    expect(dropOf(runsOf(...fell)).e).toBeGreaterThan(DROP_E);
    expect(dropOf(runsOf(...fell, ...Array<number>(60).fill(4))).e).toBeLessThan(DROP_E);
  });
});

test("whatever the runs, the e-value is a finite number of 0 or more", () => {
  const run = fc.tuple(fc.nat(200), fc.nat(200));
  fc.assert(
    fc.property(fc.array(run, { maxLength: 60 }), (counts) => {
      const runs = counts.map(([inbox, missed]) => ({ inbox, total: Math.max(1, inbox + missed) }));
      const { e, before } = dropOf(runs);
      expect(e).toBeGreaterThanOrEqual(0);
      expect(Number.isFinite(e)).toBe(true);
      expect(before).toBeLessThanOrEqual(runs.length);
    }),
  );
  const extreme = runsOf(...Array<number>(1_500).fill(4), ...Array<number>(1_500).fill(0));
  expect(Number.isFinite(dropOf(extreme).e)).toBe(true);
});

describe("the sentence", () => {
  test.each<[number[], string, string]>([
    [[3], "too_few", "3 of 4 in the inbox; a drop can be seen from the second run on."],
    [[4, 4, 3], "steady", "11 of 12 in the inbox, and no sign of a drop."],
    [[1, 2, 3], "steady", "6 of 12 in the inbox, and no sign of a drop."],
    [
      [...Array<number>(10).fill(4), 1, 0, 1],
      "unclear",
      "40 of 40 in the inbox before, 2 of 12 since March 16, 2026. This could be chance (e = 2.6; a drop is reported from 20).",
    ],
    [
      [...Array<number>(12).fill(4), ...Array<number>(6).fill(1)],
      "drop",
      "48 of 48 in the inbox before, 6 of 24 since March 30, 2026. A drop: chance alone gets this far in at most 1 of 31 series (e = 31).",
    ],
  ])("%j: %s", (inbox, verdict, message) => {
    const reading = readDrop(weekly(runsOf(...inbox)), "Europe/Berlin");
    expect(reading).toMatchObject({ verdict, message });
  });

  test("of a whole mailbox counts how many providers could have shown a drop", () => {
    const fell = (after: number) =>
      readDrop(
        weekly(runsOf(...Array<number>(12).fill(4), ...Array<number>(after).fill(1))),
        "UTC",
      );
    const still = readDrop(weekly(runsOf(4, 4, 4)), "UTC");
    const all = (after: number) =>
      readAllDrops([
        { provider: "google", reading: fell(after) },
        { provider: "yahoo", reading: still },
      ]);
    expect(all(6)).toMatchObject({
      verdict: "unclear",
      message:
        "A drop at Google; as one of 6 providers that are looked at, it could still be chance (e = 6.1).",
    });
    expect(all(6).eValue).toBeCloseTo((fell(6).eValue + still.eValue + 4) / 6, 10);
    expect(all(10)).toMatchObject({
      verdict: "drop",
      message: expect.stringMatching(/^A drop at Google, even though 6 providers/),
    });
    expect(readAllDrops([])).toMatchObject({ verdict: "too_few", eValue: 1 });
    expect(readAllDrops([{ provider: "google", reading: still }])).toMatchObject({
      verdict: "steady",
      message: "No provider shows a sign of a drop.",
    });
  });
});
