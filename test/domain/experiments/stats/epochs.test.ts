/** Guarantees of `domain/experiments/stats/epochs.ts`: a rate that moves with the allocation makes no difference of arms. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ArgumentError } from "#domain/experiments/stats/argument.ts";
import { type EpochCounts, epochTest, equivalentCounts } from "#domain/experiments/stats/epochs.ts";
import { normalTwoSided } from "#domain/experiments/stats/special.ts";

/** The same rate for both in each epoch; the second arm gets most of the better one. */
const SIMPSON: EpochCounts[] = [
  { trials: [900, 100], events: [18, 2] },
  { trials: [100, 900], events: [8, 72] },
];

const anyEpoch = fc
  .tuple(fc.nat(500), fc.nat(500), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([a, b, rate]): EpochCounts => {
    return { trials: [a, b], events: [Math.floor(a * rate), Math.floor(b * rate ** 2)] };
  });

describe("equivalentCounts", () => {
  test("are the counts of a single epoch", () => {
    const epoch = { trials: [120, 80, 0], events: [7, 3, 0] };
    expect(equivalentCounts({ epochs: [epoch] })).toEqual(epoch as never);
  });

  test("of arms that are alike in every epoch have one rate, and the evidence that was there", () => {
    const { events, trials } = equivalentCounts({ epochs: SIMPSON });
    const rates = events.map((count, arm) => count / (trials[arm] ?? 0));
    expect(rates[0]).toBeCloseTo(rates[1] ?? 0, 9);
    // The replies of each epoch times p q, over all of them times p q of the sums.
    const within = 20 * 0.1 * 0.9 + 80 * 0.1 * 0.9;
    const share = (20 * 0.1 + 80 * 0.9) / 100;
    const worth = within / (100 * share * (1 - share));
    expect(events[0]).toBeCloseTo(26 * worth, 9);
    expect(events[1]).toBeCloseTo(74 * worth, 9);
  });

  test("keep the ratio of rates that all epochs have in common", () => {
    const epochs = [
      { trials: [1000, 100], events: [20, 4] },
      { trials: [200, 1000], events: [16, 160] },
      { trials: [500, 500], events: [5, 10] },
    ];
    const { events, trials } = equivalentCounts({ epochs });
    const [a = 0, b = 0] = events.map((count, arm) => count / (trials[arm] ?? 1));
    expect(b / a).toBeCloseTo(2, 6);
  });

  test("never claim more than was counted, nor less than nothing", () => {
    fc.assert(
      fc.property(fc.array(anyEpoch, { minLength: 1, maxLength: 12 }), (epochs) => {
        const { events, trials } = equivalentCounts({ epochs });
        const sum = (arm: number) =>
          epochs.reduce((all, epoch) => all + (epoch.events[arm] ?? 0), 0);
        for (const [arm, count] of events.entries()) {
          expect(count).toBeWithin(0, sum(arm) + 1e-9);
          expect(trials[arm]).toBeGreaterThanOrEqual(count);
        }
      }),
    );
  });
});

describe("epochTest", () => {
  test("weighs a reply by the odds against its arm", () => {
    const epochs = [
      { allocA: 0.5, allocB: 0.5, repliesA: 12, repliesB: 20 },
      { allocA: 0.1, allocB: 0.9, repliesA: 2, repliesB: 30 },
    ];
    const [x, y] = [20 + 30 / 3, 12 + 2 * 3];
    const read = epochTest({ epochs });
    expect(read).toMatchObject({ isReadable: true, pValue: normalTwoSided(read.z) });
    expect(read.z).toBeCloseTo((x - y) / Math.sqrt(64), 12);
    expect(read.ratio).toBeCloseTo(x / y, 12);
  });

  test("has the ratio inside of its interval, and 1 outside of it when it rejects", () => {
    const share = fc.double({ min: 0.05, max: 0.95, noNaN: true });
    const epoch = fc.tuple(share, fc.nat(40), fc.nat(40)).map(([allocB, repliesA, repliesB]) => {
      return { allocA: 1 - allocB, allocB, repliesA, repliesB };
    });
    fc.assert(
      fc.property(fc.array(epoch, { maxLength: 12 }), (epochs) => {
        const { ratio, low, high, pValue } = epochTest({ epochs });
        expect(low).toBeLessThanOrEqual(ratio ?? Number.POSITIVE_INFINITY);
        expect(high ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(ratio ?? 0);
        const isInside = low <= 1 && (high === null || high >= 1);
        fc.pre(Math.abs(pValue - 0.05) > 1e-9);
        expect(isInside).toBe(pValue > 0.05);
      }),
    );
  });

  test("tells rates that no share has moved, and whose ratio it tests", () => {
    // 8 % for A and 4 % for B on the first day, half as much on the second, when B got most.
    const epochs = [
      { allocA: 0.5, allocB: 0.5, leads: 1_000, repliesA: 40, repliesB: 20 },
      { allocA: 0.1, allocB: 0.9, leads: 1_000, repliesA: 4, repliesB: 18 },
    ];
    const { rateA, rateB, ratio } = epochTest({ epochs });
    const [first, second] = [0.5, 0.3];
    expect(rateA).toBeCloseTo((0.08 * first + 0.04 * second) / (first + second), 12);
    expect(rateB).toBeCloseTo((0.04 * first + 0.02 * second) / (first + second), 12);
    expect(ratio).toBeCloseTo(0.5, 12);
  });

  test("says that few replies are too few, and nothing of none", () => {
    const few = [{ allocA: 0.9, allocB: 0.1, repliesA: 30, repliesB: 9 }];
    expect(epochTest({ epochs: few }).isReadable).toBe(false);
    const nothing = {
      ...{ isReadable: false, z: 0, pValue: 1 },
      ...{ rateA: null, rateB: null, ratio: null, low: 0, high: null },
    };
    expect(epochTest({ epochs: [] })).toEqual(nothing);
    const alone = [{ allocA: 0, allocB: 1, repliesA: 0, repliesB: 50 }];
    expect(epochTest({ epochs: alone })).toEqual(nothing);
  });
});

test.each<[name: string, call: () => unknown, argument: string]>([
  ["no epochs", () => equivalentCounts({ epochs: [] }), "epochs"],
  [
    "an arm too few",
    () => equivalentCounts({ epochs: [...SIMPSON, { trials: [1], events: [1] }] }),
    "epochs[2].trials",
  ],
  [
    "more events than trials",
    () => equivalentCounts({ epochs: [{ trials: [1], events: [2] }] }),
    "epochs[0].events[0]",
  ],
  [
    "no list",
    () => equivalentCounts({ epochs: [{ trials: 3, events: 1 }] as never }),
    "epochs[0].trials",
  ],
  ["a level of 1", () => epochTest({ epochs: [], level: 1 }), "level"],
])("%s is refused by name", (_name, call, argument) => {
  expect(call).toThrow(ArgumentError);
  expect(call).toThrow(expect.objectContaining({ argument }));
});
