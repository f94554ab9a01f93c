/** Guarantees of `domain/experiments/stats/sample-size.ts`: what is promised to be found is, as often as promised. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ArgumentError } from "#domain/experiments/stats/argument.ts";
import {
  daysToDecision,
  minimumDetectable,
  sampleSize,
  testAndRoll,
} from "#domain/experiments/stats/sample-size.ts";
import { twoProportionZ } from "#domain/experiments/stats/two-proportion.ts";

const rate = fc.double({ min: 0.001, max: 0.4, noNaN: true });

describe("sampleSize", () => {
  test("meets the published kind of table: 3 % against 4.5 % takes 2,689 leads a variant", () => {
    expect(sampleSize({ p1: 0.03, p2: 0.045 }).nPerVariant).toBe(2689);
    expect(sampleSize({ p1: 0.05, p2: 0.1 }).nPerVariant).toBe(465);
  });

  test("gives the power it says: enumerated over all outcomes, 80 % within 2 points", () => {
    for (const [p1, p2] of [
      [0.05, 0.1],
      [0.08, 0.16],
      [0.05, 0.15],
    ] as const) {
      const { nPerVariant: n } = sampleSize({ p1, p2 });
      const power = chanceOf(n, p1, (xA, chanceA) => {
        return chanceOf(n, p2, (xB, chanceB) => {
          const { pValue } = twoProportionZ({ xA, nA: n, xB, nB: n });
          return pValue <= 0.04 ? chanceA * chanceB : 0;
        });
      });
      expect(Math.abs(power - 0.8)).toBeLessThan(0.02);
    }
  });

  test("does not depend on which rate is named first, and grows with what is asked", () => {
    fc.assert(
      fc.property(rate, rate, (p1, p2) => {
        fc.pre(Math.abs(p1 - p2) > 1e-6);
        const { nRaw } = sampleSize({ p1, p2 });
        expect(Math.abs(sampleSize({ p1: p2, p2: p1 }).nRaw / nRaw - 1)).toBeLessThan(1e-12);
        expect(sampleSize({ p1, p2, power: 0.9 }).nRaw).toBeGreaterThan(nRaw);
        expect(sampleSize({ p1, p2, alpha: 0.01 }).nRaw).toBeGreaterThan(nRaw);
      }),
    );
  });
});

describe("minimumDetectable", () => {
  test("is the rate whose sample size those leads are", () => {
    const leads = fc.integer({ min: 20, max: 1_000_000 });
    fc.assert(
      fc.property(rate, leads, (baseline, nPerVariant) => {
        const { rate: found, ratio } = minimumDetectable({ baseline, nPerVariant });
        fc.pre(found !== null && found < 1);
        expect(ratio).toBeCloseTo((found ?? 0) / baseline, 12);
        const { nRaw } = sampleSize({ p1: baseline, p2: found ?? 0 });
        expect(Math.abs(nRaw / nPerVariant - 1)).toBeLessThan(1e-6);
      }),
    );
  });

  test("is null where not even every lead answering would show", () => {
    expect(minimumDetectable({ baseline: 0.04, nPerVariant: 0 })).toEqual({
      rate: null,
      ratio: null,
    });
    expect(minimumDetectable({ baseline: 0.9, nPerVariant: 20 })).toEqual({
      rate: null,
      ratio: null,
    });
  });
});

describe("daysToDecision", () => {
  test("counts the days of sending and the last window; without sending there is no such day", () => {
    const plan = { variants: 2, nPerVariant: 465, windowDays: 7 };
    expect(daysToDecision({ ...plan, dailyLeads: 100 })).toEqual({ days: 17 });
    expect(daysToDecision({ ...plan, dailyLeads: 930 })).toEqual({ days: 8 });
    expect(daysToDecision({ ...plan, dailyLeads: 0 })).toEqual({ days: null });
  });
});

describe("testAndRoll", () => {
  test("meets the formula as published", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_000 }), rate, (listSize, baseRate) => {
        const [s2, v] = [baseRate * (1 - baseRate), (0.3 * baseRate) ** 2];
        const n = (-3 * s2 + Math.sqrt(9 * s2 * s2 + 4 * listSize * s2 * v)) / (4 * v);
        expect(Math.abs(testAndRoll({ listSize, baseRate }).nRaw / n - 1)).toBeLessThan(1e-9);
      }),
    );
    expect(testAndRoll({ listSize: 10_000, baseRate: 0.04 }).nPerVariant).toBe(641);
  });

  test("never tests on more than a third of the list, nor on anyone of an empty one", () => {
    for (const listSize of [0, 1, 100, 1e6, 1e9]) {
      const { nRaw } = testAndRoll({ listSize, baseRate: 0.001, priorCv: 0.01 });
      expect(2 * nRaw).toBeLessThanOrEqual(listSize / 3);
    }
  });
});

test.each<[name: string, call: () => unknown, argument: string]>([
  ["a rate of 0", () => sampleSize({ p1: 0, p2: 0.1 }), "p1"],
  ["one rate twice", () => sampleSize({ p1: 0.1, p2: 0.1 }), "p2"],
  ["a rate in percent", () => sampleSize({ p1: 0.1, p2: 20 }), "p2"],
  ["a power below chance", () => sampleSize({ p1: 0.1, p2: 0.2, power: 0.02 }), "power"],
  ["half a lead", () => minimumDetectable({ baseline: 0.1, nPerVariant: 0.5 }), "nPerVariant"],
  [
    "a negative pace",
    () => daysToDecision({ variants: 2, nPerVariant: 1, dailyLeads: -1, windowDays: 7 }),
    "dailyLeads",
  ],
  [
    "a prior of no width",
    () => testAndRoll({ listSize: 10, baseRate: 0.1, priorCv: 0 }),
    "priorCv",
  ],
])("%s is refused by name", (_name, call, argument) => {
  expect(call).toThrow(ArgumentError);
  expect(call).toThrow(expect.objectContaining({ argument }));
});

/** The sum of `weigh` over the outcomes of a binomial, but for those rarer than 1e-9. */
function chanceOf(n: number, p: number, weigh: (x: number, chance: number) => number): number {
  let log = n * Math.log1p(-p);
  let sum = 0;
  for (let x = 0; x <= n; x += 1) {
    sum += log > Math.log(1e-9) ? weigh(x, Math.exp(log)) : 0;
    log += Math.log(((n - x) * p) / ((x + 1) * (1 - p)));
  }
  return sum;
}
