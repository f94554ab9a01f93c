/**
 * Guarantees of `domain/experiments/stats/bayes.ts`: the integrals are right to the last digits wherever exact fractions
 * can be had, right to ten at a million counts, and never NaN.
 */

import { describe, expect, test } from "bun:test";
import betainc from "@stdlib/math-base-special-betainc";
import fc from "fast-check";
import { ArgumentError } from "#domain/experiments/stats/argument.ts";
import {
  type Arms,
  canRead,
  convergence,
  convergenceOf,
  expectedLoss,
  pBest,
  posterior,
  probBBeatsA,
  valueRemaining,
} from "#domain/experiments/stats/bayes.ts";
import { exactPosterior } from "../../../support/exact-beta.ts";

/** Counts of arms; small, large, and far apart. */
const anyArms = (max: number, armsMax = 10): fc.Arbitrary<Arms> =>
  fc
    .array(fc.tuple(fc.oneof(fc.nat(9), fc.nat(max)), fc.oneof(fc.nat(9), fc.nat(max))), {
      minLength: 2,
      maxLength: armsMax,
    })
    .map((counts) => ({
      successes: counts.map(([successes]) => successes),
      failures: counts.map(([, failures]) => failures),
    }));

describe("posterior", () => {
  test("is the exact fraction, to twelve digits, for small counts", () => {
    fc.assert(
      fc.property(anyArms(60, 4), (arms) => {
        const exact = exactPosterior(arms);
        const { pBest: p, loss } = posterior(arms);
        for (const [arm, fraction] of exact.pBest.entries()) {
          expectNear(p[arm], fraction.toNumber(), 1e-12);
          expectNear(loss[arm], exact.loss[arm]?.toNumber() ?? Number.NaN, 1e-11);
        }
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    [[0, 200], [200, 0], 1e-8],
    [[20, 120], [480, 380], 1e-12],
    [[0, 300], [1000, 700], 1e-12],
    [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [30, 31, 32, 33, 34, 35, 36, 37, 38, 39], 1e-13],
    [[400, 0, 7], [0, 3, 0], 1e-12],
  ])("keeps its digits for an arm without hope: %j of %j", (successes, failures, relative) => {
    const exact = exactPosterior({ successes, failures });
    const { pBest: p, loss } = posterior({ successes, failures });
    for (const [arm, fraction] of exact.pBest.entries()) {
      expectNear(p[arm], fraction.toNumber(), relative);
      expectNear(loss[arm], exact.loss[arm]?.toNumber() ?? Number.NaN, 10 * relative);
    }
  });

  test.each([
    [
      [30_000, 30_400],
      [970_000, 969_600],
    ],
    [
      [1_000_000, 1_000_000],
      [2, 0],
    ],
    [
      [0, 1],
      [1_000_000, 1_000_000],
    ],
    [
      [500_000, 500_300, 499_000],
      [500_000, 499_700, 501_000],
    ],
    [
      [40, 500, 4],
      [960, 9500, 96],
    ],
    [Array.from({ length: 10 }, (_, arm) => 30_000 + 60 * arm), Array(10).fill(970_000)],
  ])(
    "agrees at large counts with the package's distribution functions: %j of %j",
    (successes, failures) => {
      const { pBest: p } = posterior({ successes, failures });
      for (const [arm, expected] of trapezoid({ successes, failures }).entries()) {
        expect(Math.abs((p[arm] ?? Number.NaN) - expected)).toBeLessThan(1e-9);
      }
    },
  );

  test("sums to 1, has no loss below 0, and turns with the arms", () => {
    fc.assert(
      fc.property(anyArms(1_000_000), (arms) => {
        const { pBest: p, loss, leader } = posterior(arms);
        expect(Math.abs(p.reduce((sum, value) => sum + value, 0) - 1)).toBeLessThan(1e-12);
        expect([...p, ...loss].every((value) => value >= 0 && value <= 1)).toBe(true);
        expect(Math.max(...p) - (p[leader] ?? 0)).toBeLessThan(1e-11);
        const turned = posterior({
          successes: arms.successes.toReversed(),
          failures: arms.failures.toReversed(),
        });
        for (const [arm, value] of turned.pBest.toReversed().entries()) {
          expect(Math.abs(value - (p[arm] ?? Number.NaN))).toBeLessThan(1e-10);
        }
      }),
      { numRuns: 60 },
    );
  });

  test("a loss is what E[max] has over the mean: losses differ as means do", () => {
    fc.assert(
      fc.property(anyArms(100_000, 5), (arms) => {
        const { loss } = expectedLoss(arms);
        const means = arms.successes.map((s, arm) => (1 + s) / (2 + s + (arms.failures[arm] ?? 0)));
        for (const [arm, mean] of means.entries()) {
          const apart = mean + (loss[arm] ?? Number.NaN) - (means[0] ?? 0) - (loss[0] ?? 0);
          expect(Math.abs(apart)).toBeLessThan(1e-11);
        }
      }),
      { numRuns: 60 },
    );
  });

  test("grows for an arm with its successes", () => {
    const chances = [0, 1, 5, 20, 40, 80, 200].map((successes) => {
      return pBest({ successes: [40, successes, 30], failures: [960, 960, 960] }).p[1] ?? 0;
    });
    expect(chances).toEqual(chances.toSorted((a, b) => a - b));
  });

  test("takes fractions, as delay-weighted counts are", () => {
    const at = (trials: number) =>
      pBest({ successes: [3, 8], failures: [97, trials - 8] }).p[1] ?? 0;
    expect(at(100.5)).toBeLessThan(at(100));
    expect(at(100.5)).toBeGreaterThan(at(101));
    const { p } = pBest({ successes: [0.3, 0.6], failures: [0.2, 0.1] });
    expect(Math.abs((p[0] ?? 0) + (p[1] ?? 0) - 1)).toBeLessThan(1e-12);
  });

  test("of equal arms calls the first one leader, with equal chances", () => {
    const { pBest: p, leader } = posterior({ successes: [9, 9, 9], failures: [200, 200, 200] });
    expect(leader).toBe(0);
    for (const value of p) {
      expectNear(value, 1 / 3, 1e-14);
    }
  });
});

describe("probBBeatsA", () => {
  test("and its reverse are 1", () => {
    const amount = fc.oneof(fc.nat(20), fc.nat(1_000_000));
    fc.assert(
      fc.property(amount, amount, amount, amount, (sA, fA, sB, fB) => {
        const own = probBBeatsA({ sA, fA, sB, fB }).p;
        expect(own + probBBeatsA({ sA: sB, fA: fB, sB: sA, fB: fA }).p).toBeCloseTo(1, 12);
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    [30, 970, 45, 955],
    [0, 0, 3, 97],
    [400, 9600, 520, 9480],
    [49_000, 951_000, 50_000, 950_000],
    [50_200, 949_800, 50_000, 950_000],
  ])("is Miller's sum at %d/%d and %d/%d", (sA, fA, sB, fB) => {
    expectNear(probBBeatsA({ sA, fA, sB, fB }).p, millersSum(sA, fA, sB, fB), 1e-9);
  });
});

describe("valueRemaining", () => {
  test("is where the chance of the others to stay below (1 + v) times the leader is the quantile", () => {
    // Of two flat posteriors, P(θ_2 <= (1 + v) θ_1) = 1 − 1/(2(1 + v)).
    const flat = valueRemaining({ successes: [0, 0], failures: [0, 0], quantile: 0.95 });
    expect(flat.leader).toBe(0);
    expectNear(flat.valueRemaining, 9, 1e-11);
  });

  test("is 0 once the leader is as likely the best as that, and not before", () => {
    fc.assert(
      fc.property(anyArms(100_000, 6), fc.constantFrom(0.5, 0.8, 0.95, 0.99), (arms, quantile) => {
        const { pBest: p, leader, valueRemaining: remaining } = posterior(arms);
        const value = remaining(quantile);
        expect(value >= 0 && Number.isFinite(value)).toBe(true);
        const chance = p[leader] ?? 0;
        // Two equal arms have one half but for the last digit.
        if (Math.abs(chance - quantile) > 1e-12) {
          expect(value === 0).toBe(chance >= quantile);
        }
        expect(remaining(0.999)).toBeGreaterThanOrEqual(value);
      }),
      { numRuns: 100 },
    );
  });

  test("shrinks as the same rates are measured better", () => {
    const values = [1, 10, 100, 1000].map((times) => {
      const counts = { successes: [30 * times, 33 * times], failures: [970 * times, 967 * times] };
      return valueRemaining(counts).valueRemaining;
    });
    expect(values).toEqual(values.toSorted((a, b) => b - a));
    expect(values.at(-1)).toBe(0);
  });
});

describe("convergence", () => {
  test("is 0 without a difference, 1 when decided, for any number of variants", () => {
    expect(convergence({ successes: [0, 0, 0], failures: [0, 0, 0] }).convergence).toBeCloseTo(
      0,
      14,
    );
    expect(convergenceOf([1, 0, 0, 0])).toBe(1);
    expect(convergenceOf([0.25, 0.25, 0.25, 0.25])).toBe(0);
    expect(convergenceOf([0.95, 0.05])).toBeCloseTo(0.714, 3);
    expect(convergenceOf([1])).toBe(1);
  });
});

test("canRead waits for every arm", () => {
  expect(canRead({ successes: [1, 0], failures: [9, 9] })).toBe(false);
  expect(canRead({ successes: [1, 1], failures: [9, 9] })).toBe(true);
  expect(canRead({ successes: [0, 1], failures: [1, 0] }, 1)).toBe(true);
});

test.each<[name: string, call: () => unknown, argument: string]>([
  ["no arm", () => pBest({ successes: [], failures: [] }), "successes"],
  ["too many arms", () => pBest({ successes: Array(33).fill(1), failures: [1] }), "successes"],
  ["lists of two lengths", () => pBest({ successes: [1, 2], failures: [1] }), "failures"],
  [
    "a negative count",
    () => expectedLoss({ successes: [1, -1], failures: [1, 1] }),
    "successes[1]",
  ],
  ["no number", () => convergence({ successes: [1, 1], failures: [1, Number.NaN] }), "failures[1]"],
  ["a count beyond all lists", () => probBBeatsA({ sA: 1e10, fA: 0, sB: 0, fB: 0 }), "sA"],
  [
    "a quantile of 1",
    () => valueRemaining({ successes: [1], failures: [1], quantile: 1 }),
    "quantile",
  ],
])("%s is refused by name", (_name, call, argument) => {
  expect(call).toThrow(ArgumentError);
  expect(call).toThrow(expect.objectContaining({ argument }));
});

/**
 * P(best) by the trapezoid rule, which converges fast for what vanishes at both ends, in steps of a sixteenth of
 * each arm's sd, with the package's distribution functions: another rule and other functions than ours.
 */
function trapezoid({ successes, failures }: Arms): number[] {
  const STEPS = 1280;
  return successes.map((s, arm) => {
    const f = failures[arm] ?? 0;
    const mean = (1 + s) / (2 + s + f);
    // In the log odds, where a skewed Beta is nearly normal.
    const [centre, sd] = [Math.log(mean / (1 - mean)), Math.sqrt(1 / (1 + s) + 1 / (1 + f))];
    let mass = 0;
    let best = 0;
    for (let step = 0; step <= STEPS; step += 1) {
      const t = centre + sd * 80 * (step / STEPS - 0.5);
      const x = 1 / (1 + Math.exp(-t));
      const y = 1 / (1 + Math.exp(t));
      const log = (1 + s) * Math.log(x / mean) + (1 + f) * Math.log(y / (1 - mean));
      const density = Math.exp(log);
      mass += density;
      best += successes.reduce((product, other, index) => {
        return index === arm
          ? product
          : product * betainc(x, 1 + other, 1 + (failures[index] ?? 0));
      }, density);
    }
    return best / mass;
  });
}

/** Σ over i <= sB of B(1 + sA + i, 2 + fA + fB)/((1 + fB + i) B(1 + i, 1 + fB) B(1 + sA, 1 + fA)), by ratios. */
function millersSum(sA: number, fA: number, sB: number, fB: number): number {
  let log = 0;
  for (let k = 1; k <= fB + 1; k += 1) {
    log += Math.log((fA + k) / (1 + sA + fA + k));
  }
  let sum = 0;
  for (let i = 0; i <= sB; i += 1) {
    sum += Math.exp(log);
    log += Math.log(((1 + sA + i) * (1 + fB + i)) / ((3 + sA + fA + fB + i) * (i + 1)));
  }
  return sum;
}

function expectNear(got: number | undefined, expected: number, relative: number): void {
  expect(Math.abs((got ?? Number.NaN) - expected)).toBeLessThanOrEqual(
    relative * Math.abs(expected),
  );
}
