/**
 * Guarantees of `domain/experiments/stats/two-proportion.ts`, held against exact fractions and full
 * enumeration: the regime test calls equal variants different in at most 5.5 % of all outcomes at a nominal 5
 * %, at the rates of email.
 */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ArgumentError } from "#domain/experiments/stats/argument.ts";
import {
  cmh,
  fisher,
  type Pair,
  raoScott,
  twoProportionTest,
  twoProportionZ,
} from "#domain/experiments/stats/two-proportion.ts";
import { choose, Fraction, sumOf } from "../../../support/fraction.ts";

const pair = (xA: number, nA: number, xB: number, nB: number): Pair => ({ xA, nA, xB, nB });
const swapped = ({ xA, nA, xB, nB }: Pair): Pair => pair(xB, nB, xA, nA);
const failures = ({ xA, nA, xB, nB }: Pair): Pair => pair(nA - xA, nA, nB - xB, nB);

/** Two-sided by likelihood, ties exact. */
function exactFisher({ xA, nA, xB, nB }: Pair): { pTwoSided: Fraction; midP: Fraction } {
  const successes = xA + xB;
  const ways = (k: number) => choose(nA, k) * choose(nB, successes - k);
  const seen = ways(xA);
  let unlikely = 0n;
  for (let k = Math.max(0, successes - nB); k <= Math.min(successes, nA); k += 1) {
    unlikely += ways(k) <= seen ? ways(k) : 0n;
  }
  const all = choose(nA + nB, successes);
  return {
    pTwoSided: new Fraction(unlikely, all),
    midP: new Fraction(2n * unlikely - seen, 2n * all),
  };
}

const anyPair = (max: number): fc.Arbitrary<Pair> =>
  fc
    .tuple(fc.nat(max), fc.nat(max), fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(100))
    .map(([nA, nB, share, percent]) =>
      pair(Math.round(nA * share), nA, Math.round((nB * percent) / 100), nB),
    );

describe("fisher", () => {
  test("is the exact enumeration, to thirteen digits, for small counts", () => {
    fc.assert(
      fc.property(anyPair(120), (counts) => {
        const exact = exactFisher(counts);
        const { pTwoSided, midP } = fisher(counts);
        expectNear(pTwoSided, exact.pTwoSided.toNumber(), 1e-13);
        expectNear(midP, exact.midP.toNumber(), 1e-13);
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    [pair(0, 300, 300, 300)],
    [pair(2, 500, 480, 500)],
    [pair(900, 900, 3, 700)],
    [pair(1, 1000, 40, 60)],
  ])("keeps its digits in the far tail: %j", (counts) => {
    expectNear(fisher(counts).pTwoSided, exactFisher(counts).pTwoSided.toNumber(), 1e-11);
  });

  test("answers at a billion leads, and says 0 only below the least double", () => {
    expect(fisher(pair(5e8, 1e9, 5e8, 1e9)).pTwoSided).toBe(1);
    expect(fisher(pair(0, 1e9, 1e9, 1e9)).pTwoSided).toBe(0);
    const { pTwoSided } = fisher(pair(1e5, 1e6, 1.16e5, 1e6));
    expect(pTwoSided).toBeGreaterThan(1e-300);
    expect(pTwoSided).toBeLessThan(1e-280);
  });
});

describe("The two-proportion tests", () => {
  test("do not depend on which arm is called A, nor on what is called a success", () => {
    fc.assert(
      fc.property(anyPair(3000), (counts) => {
        const { pValue, test: used, minExpected } = twoProportionTest(counts);
        for (const other of [swapped(counts), failures(counts)]) {
          const turned = twoProportionTest(other);
          expect(turned.test).toBe(used);
          expectNear(turned.pValue, pValue, 1e-10);
          expectNear(turned.minExpected, minExpected, 1e-12);
        }
        expect(twoProportionZ(swapped(counts)).z).toBeCloseTo(-twoProportionZ(counts).z, 12);
      }),
    );
  });

  test("give a p-value, whatever the counts", () => {
    fc.assert(
      fc.property(anyPair(1e6), (counts) => {
        const { midP, pTwoSided } = fisher(counts);
        for (const p of [twoProportionTest(counts).pValue, midP, pTwoSided]) {
          expect(p).toBeGreaterThanOrEqual(0);
          expect(p).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  test("grow surer as B moves away from A", () => {
    let before = 1;
    for (let xB = 50; xB <= 600; xB += 10) {
      const { pValue } = twoProportionZ(pair(50, 1000, xB, 1000));
      expect(pValue).toBeLessThanOrEqual(before);
      before = pValue;
    }
    expect(before).toBeGreaterThan(0);
  });

  test("take the tail from above: 37 standard errors are no 0", () => {
    expectNear(twoProportionZ(pair(0, 1e6, 1300, 1e6)).pValue, 7.404094889940079e-285, 1e-12);
  });

  test("use the normal form from five expected in each cell on, Fisher's below", () => {
    expect(twoProportionTest(pair(4, 200, 6, 200))).toMatchObject({
      test: "pooled_z",
      minExpected: 5,
    });
    expect(twoProportionTest(pair(3, 200, 6, 200)).test).toBe("fisher_mid_p");
  });

  test.each([
    ["no success", pair(0, 50, 0, 60)],
    ["no failure", pair(50, 50, 60, 60)],
    ["an empty arm", pair(0, 0, 3, 60)],
    ["nothing at all", pair(0, 0, 0, 0)],
  ])("have nothing to say about %s", (_name, counts) => {
    expect(twoProportionTest(counts)).toMatchObject({ test: "degenerate", pValue: 1 });
    expect(twoProportionZ(counts)).toEqual({ z: 0, pValue: 1 });
  });
});

/** P(test rejects) when both arms answer at `rate`, over every outcome. */
function trueSize(nA: number, nB: number, rate: number): number {
  const [a, b] = [outcomes(nA, rate), outcomes(nB, rate)];
  let size = 0;
  for (const [xA, chanceA] of a) {
    for (const [xB, chanceB] of b) {
      if (twoProportionTest(pair(xA, nA, xB, nB)).pValue <= 0.05) {
        size += chanceA * chanceB;
      }
    }
  }
  return size;
}

/** Outcomes of a binomial with their chances; those that together have less than 1e-9 are left out. */
function outcomes(n: number, rate: number): [x: number, chance: number][] {
  const all: [number, number][] = [];
  let log = n * Math.log1p(-rate);
  for (let x = 0; x <= n; x += 1) {
    if (log > Math.log(1e-13)) {
      all.push([x, Math.exp(log)]);
    }
    log += Math.log(((n - x) * rate) / ((x + 1) * (1 - rate)));
  }
  return all;
}

describe("The true size of the regime test", () => {
  const sizes = [
    [50, 50],
    [100, 100],
    [300, 300],
    [1000, 1000],
    [900, 100],
    [100, 300],
    [40, 60],
  ] as const;
  test.each(sizes)("at %d and %d leads is at most 5.5 %, at rates up to 20 %", (nA, nB) => {
    const found = [0.005, 0.01, 0.02, 0.03, 0.05, 0.08, 0.12, 0.15, 0.2].map((rate) => {
      return trueSize(nA, nB, rate);
    });
    expect(Math.max(...found)).toBeLessThanOrEqual(0.055);
  });
});

describe("cmh", () => {
  const anyStrata = fc.array(anyPair(400), { minLength: 1, maxLength: 8 });

  test("of one stratum is the z test with N − 1 for N", () => {
    const counts = pair(12, 300, 22, 310);
    const { z } = cmh({ strata: [counts] });
    expectNear(z, twoProportionZ(counts).z * Math.sqrt(609 / 610), 1e-14);
  });

  test("is the exact fraction, and turns its sign with the arms", () => {
    fc.assert(
      fc.property(anyStrata, (strata) => {
        const { z } = cmh({ strata });
        expect(cmh({ strata: strata.map(swapped) }).z).toBeCloseTo(-z, 12);
        const used = strata.filter(({ nA, nB }) => nA + nB > 1);
        const top = sumOf(
          used.map(({ xA, nA, xB, nB }) => new Fraction(xB * nA - xA * nB, nA + nB)),
        );
        const variance = sumOf(
          used.map(({ xA, nA, xB, nB }) => {
            const [all, s] = [BigInt(nA + nB), BigInt(xA + xB)];
            return new Fraction(BigInt(nA) * BigInt(nB) * s * (all - s), all * all * (all - 1n));
          }),
        );
        const squared = variance.top === 0n ? 0 : top.times(top).over(variance).toNumber();
        expect(Math.abs(z * z - squared)).toBeLessThanOrEqual(1e-12 * Math.max(1, squared));
      }),
    );
  });

  test("is not taken in by strata that differ: what looks like a difference is none within them", () => {
    const strata = [pair(8, 800, 2, 200), pair(20, 200, 80, 800)];
    expect(twoProportionZ(pair(28, 1000, 82, 1000)).pValue).toBeLessThan(1e-6);
    expect(cmh({ strata }).pValue).toBe(1);
  });
});

describe("raoScott", () => {
  const ones = (x: number, n: number) =>
    Array.from({ length: n }, (_, index): [number, number] => [index < x ? 1 : 0, 1]);

  test("of companies that answer as one counts companies, not leads", () => {
    const clusters = (x: number, n: number) =>
      Array.from({ length: n }, (_, index): [number, number] => (index < x ? [5, 5] : [0, 5]));
    const { deffA, z } = raoScott({ clustersA: clusters(10, 100), clustersB: clusters(20, 100) });
    expectNear(deffA, 5 * (100 / 99), 1e-12);
    expect(z).toBeCloseTo(twoProportionZ(pair(10, 99, 20, 99)).z, 1);
  });

  test("of leads of different companies is nearly the pooled z", () => {
    const { z, deffA } = raoScott({ clustersA: ones(10, 500), clustersB: ones(20, 500) });
    expectNear(deffA, 500 / 499, 1e-12);
    expectNear(z, twoProportionZ(pair(10, 500, 20, 500)).z, 0.002);
  });

  test("of no or one company has no design effect", () => {
    const { deffA, deffB, pValue } = raoScott({ clustersA: [], clustersB: [[2, 3]] });
    expect({ deffA, deffB, pValue }).toEqual({ deffA: 1, deffB: 1, pValue: 1 });
  });
});

test.each<[name: string, call: () => unknown, argument: string]>([
  ["more successes than trials", () => twoProportionTest(pair(3, 2, 0, 5)), "xA"],
  ["a negative count", () => twoProportionTest(pair(0, 2, -1, 5)), "xB"],
  ["a fraction for Fisher", () => fisher(pair(1, 2, 0.5, 5)), "xB"],
  ["what is no number", () => twoProportionZ(pair(0, Number.NaN, 0, 1)), "nA"],
  ["no strata", () => cmh({ strata: [] }), "strata"],
  ["a bad stratum", () => cmh({ strata: [pair(1, 2, 1, 2), pair(1, 2, 3, 2)] }), "strata[1].xB"],
  ["a bad company", () => raoScott({ clustersA: [[2, 1]], clustersB: [] }), "clustersA[0][0]"],
])("%s is refused by name", (_name, call, argument) => {
  expect(call).toThrow(ArgumentError);
  expect(call).toThrow(RangeError);
  expect(call).toThrow(expect.objectContaining({ argument }));
});

function expectNear(got: number, expected: number, relative: number): void {
  expect(Math.abs(got - expected)).toBeLessThanOrEqual(relative * Math.abs(expected));
}
