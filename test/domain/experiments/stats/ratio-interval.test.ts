/** Guarantees of `domain/experiments/stats/intervals.ts`: it covers the truth as often as it says, at every edge. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ratioInterval } from "#domain/experiments/stats/intervals.ts";

/** Probability of each number of successes. */
function binomial(n: number, p: number): number[] {
  let chance = (1 - p) ** n;
  return Array.from({ length: n + 1 }, (_, x) => {
    const here = chance;
    chance *= ((n - x) / (x + 1)) * (p / (1 - p));
    return here;
  });
}

describe("ratioInterval", () => {
  test.each([
    [100, 100, 0.05, 0.1],
    [200, 200, 0.04, 0.04],
    [300, 300, 0.04, 0.08],
    [400, 100, 0.03, 0.06],
    [50, 50, 0.1, 0.3],
    [60, 60, 0.95, 0.99],
  ])("of %p and %p at %p and %p covers the truth in 95 of 100 outcomes", (nA, nB, pA, pB) => {
    const [chancesA, chancesB] = [binomial(nA, pA), binomial(nB, pB)];
    let covered = 0;
    for (const [xA, chanceA] of chancesA.entries()) {
      for (const [xB, chanceB] of chancesB.entries()) {
        const { low, high } = ratioInterval({ xA, nA, xB, nB });
        const truth = pB / pA;
        covered += low <= truth && truth <= (high ?? truth) ? chanceA * chanceB : 0;
      }
    }
    expect(covered).toBeWithin(0.94, 1);
  });

  test("holds its own ratio, is never negative, and turns over with its arms", () => {
    const any = fc.tuple(
      fc.integer({ min: 1, max: 2000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
    );
    fc.assert(
      fc.property(any, any, ([nA, a], [nB, b]) => {
        const [xA, xB] = [Math.round(nA * a), Math.round(nB * b)];
        const { ratio, low, high } = ratioInterval({ xA, nA, xB, nB });
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(low);
        expect(ratio ?? low).toBeGreaterThanOrEqual(low * (1 - 1e-9));
        expect(ratio ?? 0).toBeLessThanOrEqual((high ?? Number.POSITIVE_INFINITY) * (1 + 1e-9));
        if (xA > 0 && xB > 0) {
          const turned = ratioInterval({ xA: xB, nA: nB, xB: xA, nB: nA });
          expect(low * (turned.high ?? Number.POSITIVE_INFINITY)).toBeCloseTo(1, 6);
        }
      }),
    );
  });

  test("has no bound above where nothing came of the first, and none below where nothing came of both", () => {
    expect(ratioInterval({ xA: 0, nA: 100, xB: 5, nB: 100 })).toMatchObject({
      ratio: null,
      high: null,
    });
    expect(ratioInterval({ xA: 0, nA: 100, xB: 0, nB: 100 })).toEqual({
      ratio: null,
      low: 0,
      high: null,
    });
    expect(ratioInterval({ xA: 10, nA: 100, xB: 0, nB: 100 })).toMatchObject({ ratio: 0, low: 0 });
  });
});
