/** Guarantees of `domain/experiments/stats/split-check.ts`: a planted split is caught, a sound one is left alone. */

import { describe, expect, test } from "bun:test";
import erfc from "@stdlib/math-base-special-erfc";
import fc from "fast-check";
import { ArgumentError } from "#domain/experiments/stats/argument.ts";
import { splitCheck, srmChi2, srmEprocess } from "#domain/experiments/stats/split-check.ts";
import { hash01 } from "#domain/random.ts";
import { Fraction, sumOf } from "../../../support/fraction.ts";

const counts = fc.array(fc.oneof(fc.nat(50), fc.nat(1_000_000)), { minLength: 2, maxLength: 10 });

describe("srmChi2", () => {
  test("is the exact sum, and its tail is the closed form for one and two degrees of freedom", () => {
    fc.assert(
      fc.property(counts, (observed) => {
        const weights = observed.map((_, index) => 1 + (index % 3));
        const total = observed.reduce((sum, count) => sum + count, 0);
        const weight = weights.reduce((sum, value) => sum + value, 0);
        const { chi2, df, pValue } = srmChi2({ observed, weights });
        const exact = sumOf(
          observed.map((count, index) => {
            const own = weights[index] ?? 0;
            const beyond = BigInt(count * weight - total * own);
            const bottom = BigInt(weight) * BigInt(Math.max(1, total)) * BigInt(own);
            return new Fraction(beyond * beyond, bottom);
          }),
        ).toNumber();
        expect(Math.abs(chi2 - exact)).toBeLessThanOrEqual(1e-12 * exact);
        const closed = df === 1 ? erfc(Math.sqrt(chi2 / 2)) : df === 2 ? Math.exp(-chi2 / 2) : null;
        if (closed !== null) {
          expect(Math.abs(pValue - closed)).toBeLessThanOrEqual(1e-9 * closed + 1e-305);
        }
      }),
    );
  });

  test("keeps its digits in the far tail, for any number of variants", () => {
    // Q(s + 1, x) = Q(s, x) + x^s e^-x / Γ(s + 1): all terms above 0.
    for (const df of [3, 4, 5, 6, 7, 8, 9]) {
      const observed = Array.from({ length: df + 1 }, (_, index) => (index === 0 ? 6000 : 5000));
      const { chi2, pValue } = srmChi2({ observed, weights: observed.map(() => 1) });
      const x = chi2 / 2;
      let s = df % 2 === 0 ? 1 : 0.5;
      let tail = df % 2 === 0 ? Math.exp(-x) : erfc(Math.sqrt(x));
      let term =
        df % 2 === 0 ? x * Math.exp(-x) : (Math.sqrt(x) * Math.exp(-x)) / (Math.sqrt(Math.PI) / 2);
      for (; s < df / 2; s += 1) {
        tail += term;
        term *= x / (s + 1);
      }
      expect(Math.abs(pValue - tail)).toBeLessThan(1e-11 * tail);
      expect(pValue).toBeLessThan(1e-20);
    }
  });

  test("of no leads, and of a perfect split, is 1", () => {
    expect(srmChi2({ observed: [0, 0], weights: [1, 3] })).toEqual({ chi2: 0, df: 1, pValue: 1 });
    expect(srmChi2({ observed: [100, 300], weights: [1, 3] }).pValue).toBe(1);
  });
});

describe("srmEprocess", () => {
  test("is a martingale: a lead by the split is not expected to change it", () => {
    const few = fc.array(fc.nat(100_000), { minLength: 2, maxLength: 10 });
    fc.assert(
      fc.property(few, fc.nat(3), (observed, skew) => {
        const weights = observed.map((_, index) => 1 + (index % (skew + 1)));
        const weight = weights.reduce((sum, value) => sum + value, 0);
        const now = srmEprocess({ observed, weights }).logE;
        const next = observed.reduce((sum, _, arm) => {
          const after = observed.map((count, index) => (index === arm ? count + 1 : count));
          const { logE } = srmEprocess({ observed: after, weights });
          return sum + ((weights[arm] ?? 0) / weight) * Math.exp(logE - now);
        }, 0);
        expect(Math.abs(next - 1)).toBeLessThan(1e-12 * Math.abs(now) + 1e-10);
      }),
    );
  });
});

describe("splitCheck", () => {
  /** A fair toss for each of 2,000 leads, counted after every hundred. */
  const readings = (seed: number): number[][] => {
    let inA = 0;
    return Array.from({ length: 2000 }, (_, lead) => {
      inA += hash01("split", seed, lead) < 0.5 ? 1 : 0;
      return [inA, lead + 1 - inA];
    }).filter((_, lead) => lead % 100 === 99);
  };

  test("finds 55 to 45 among 2,000 leads, and names who is off", () => {
    expect(splitCheck({ observed: [1100, 900], weights: [1, 1] })).toMatchObject({
      alarm: true,
      worst: 0,
    });
    const far = splitCheck({ observed: [340, 340, 200], weights: [1, 1, 1] });
    expect(far).toMatchObject({ alarm: true, worst: 2 });
  });

  test("leaves 1,000 sound splits alone, read after every 100 of 2,000 leads", () => {
    const alarmed = Array.from({ length: 1000 }, (_, seed) => {
      const seen = readings(seed);
      return seen.some((observed, index) => {
        const isFinal = index === seen.length - 1;
        return splitCheck({ observed, weights: [1, 1], isFinal }).alarm;
      });
    });
    expect(alarmed.filter(Boolean)).toHaveLength(0);
  });

  test("at the end also believes the chi-square, read once", () => {
    const split = { observed: [1087, 913], weights: [1, 1] };
    expect(splitCheck(split).alarm).toBe(false);
    expect(splitCheck({ ...split, isFinal: true }).alarm).toBe(true);
  });

  test("tells the p that it goes by: while leads are added never the chi-square's", () => {
    const split = { observed: [446, 354], weights: [1, 1] };
    const running = splitCheck(split);
    expect(running.pValue).toBeLessThan(0.005);
    expect(running).toMatchObject({ alarm: false, pDecisive: running.pAnytime });
    const final = splitCheck({ observed: [1200, 900], weights: [1, 1], isFinal: true });
    expect(final).toMatchObject({ alarm: true, pDecisive: Math.min(final.pValue, final.pAnytime) });
  });

  test("says nothing of a handful of leads", () => {
    const split = { weights: [1, 1], isFinal: true };
    expect(splitCheck({ ...split, observed: [15, 0] }).alarm).toBe(false);
    expect(splitCheck({ ...split, observed: [16, 0] }).alarm).toBe(true);
    expect(splitCheck({ ...split, observed: [0, 0] })).toEqual({
      pValue: 1,
      pAnytime: 1,
      pDecisive: 1,
      alarm: false,
      worst: null,
    });
  });

  test("works with weights as far apart as 1 and 1,000", () => {
    expect(splitCheck({ observed: [1000, 999_000], weights: [1, 1000] }).alarm).toBe(false);
    expect(splitCheck({ observed: [1300, 999_000], weights: [1, 1000] })).toMatchObject({
      alarm: true,
    });
  });
});

test.each<[name: string, call: () => unknown, argument: string]>([
  ["one variant", () => srmChi2({ observed: [1], weights: [1] }), "observed"],
  ["too few weights", () => srmChi2({ observed: [1, 2], weights: [1] }), "weights"],
  ["a weight of 0", () => splitCheck({ observed: [1, 2], weights: [1, 0] }), "weights[1]"],
  [
    "a weight out of sight",
    () => srmEprocess({ observed: [1, 2], weights: [1, 1e-12] }),
    "weights[1]",
  ],
  ["a negative count", () => srmEprocess({ observed: [1, -2], weights: [1, 1] }), "observed[1]"],
])("%s is refused by name", (_name, call, argument) => {
  expect(call).toThrow(ArgumentError);
  expect(call).toThrow(expect.objectContaining({ argument }));
});
