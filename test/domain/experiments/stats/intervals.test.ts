/** Guarantees of `domain/experiments/stats/intervals.ts`: they contain what they estimate as often as they say. */

import { describe, expect, test } from "bun:test";
import betainc from "@stdlib/math-base-special-betainc";
import betaincinv from "@stdlib/math-base-special-betaincinv";
import fc from "fast-check";
import { ArgumentError } from "#domain/experiments/stats/argument.ts";
import { credibleInterval, newcombe, wilson } from "#domain/experiments/stats/intervals.ts";

const counts = (max: number) =>
  fc.tuple(fc.nat(max), fc.nat(max)).map(([a, b]) => ({ x: Math.min(a, b), n: Math.max(a, b) }));

describe("wilson", () => {
  test("contains the rate, within 0 and 1, and is exact at the ends", () => {
    fc.assert(
      fc.property(counts(1e6), ({ x, n }) => {
        const { lower, upper } = wilson({ x, n });
        expect(lower).toBeGreaterThanOrEqual(0);
        expect(upper).toBeLessThanOrEqual(1);
        expect(lower).toBeLessThanOrEqual(n === 0 ? 0 : x / n);
        expect(upper).toBeGreaterThanOrEqual(n === 0 ? 1 : x / n);
        expect(lower === 0).toBe(x === 0);
        expect(upper === 1).toBe(x === n);
      }),
    );
  });

  test("of failures is that of successes, turned around", () => {
    fc.assert(
      fc.property(counts(10_000), ({ x, n }) => {
        const [own, other] = [wilson({ x, n }), wilson({ x: n - x, n })];
        expect(own.lower).toBeCloseTo(1 - other.upper, 14);
      }),
    );
  });

  test("narrows with the level", () => {
    const widths = [0.999999, 0.99, 0.95, 0.8, 0.5, 0.01].map((level) => {
      const { lower, upper } = wilson({ x: 30, n: 1000, level });
      return upper - lower;
    });
    expect(widths).toEqual(widths.toSorted((a, b) => b - a));
  });

  test.each([20, 50, 200])(
    "of %d leads covers a rate in 95 % of outcomes, on average over rates",
    (n) => {
      const intervals = Array.from({ length: n + 1 }, (_, x) => wilson({ x, n }));
      const rates = Array.from({ length: 199 }, (_, index) => (index + 1) / 200);
      const coverage = rates.map((rate) => {
        let log = n * Math.log1p(-rate);
        let covered = 0;
        for (const [x, { lower, upper }] of intervals.entries()) {
          covered += lower <= rate && rate <= upper ? Math.exp(log) : 0;
          log += Math.log(((n - x) / (x + 1)) * (rate / (1 - rate)));
        }
        return covered;
      });
      const mean = coverage.reduce((sum, value) => sum + value, 0) / coverage.length;
      expect(mean).toBeGreaterThan(0.945);
      expect(mean).toBeLessThan(0.965);
      // Its known low spots lie beside 0 and 1.
      expect(Math.min(...coverage)).toBeGreaterThan(0.83);
    },
  );
});

describe("newcombe", () => {
  test("meets the published example: 56 of 70 against 48 of 80", () => {
    const { diff, lower, upper } = newcombe({ xA: 48, nA: 80, xB: 56, nB: 70 });
    expect(diff).toBeCloseTo(0.2, 15);
    expect(lower.toFixed(4)).toBe("0.0524");
    expect(upper.toFixed(4)).toBe("0.3339");
  });

  test("contains the difference and turns with the arms", () => {
    fc.assert(
      fc.property(counts(5000), counts(5000), (a, b) => {
        const own = newcombe({ xA: a.x, nA: a.n, xB: b.x, nB: b.n });
        const other = newcombe({ xA: b.x, nA: b.n, xB: a.x, nB: a.n });
        expect(own.lower).toBeLessThanOrEqual(own.diff);
        expect(own.upper).toBeGreaterThanOrEqual(own.diff);
        expect(own.lower).toBeCloseTo(-other.upper, 12);
      }),
    );
  });

  test("knows nothing of an empty arm", () => {
    expect(newcombe({ xA: 0, nA: 0, xB: 5, nB: 10 })).toEqual({ diff: 0, lower: -1, upper: 1 });
  });
});

describe("credibleInterval", () => {
  test("leaves half of the rest on either side, at any counts", () => {
    // Near 1 the bounds themselves have too few digits to tell: successes are the fewer.
    const amounts = fc
      .tuple(fc.oneof(fc.nat(20), fc.nat(1_000_000)), fc.nat(1_000_000))
      .map((pair) => pair.toSorted((a, b) => a - b) as [number, number]);
    fc.assert(
      fc.property(amounts, fc.constantFrom(0.5, 0.95, 0.999), ([s, f], level) => {
        const { lower, upper } = credibleInterval({ s, f, level });
        const tail = (1 - level) / 2;
        expect(Math.abs(betainc(lower, 1 + s, 1 + f) / tail - 1)).toBeLessThan(1e-8);
        expect(Math.abs(betainc(upper, 1 + s, 1 + f, true, true) / tail - 1)).toBeLessThan(1e-8);
      }),
      { numRuns: 200 },
    );
  });

  test("is the package's inverse, to its own ten digits, at any counts and into far tails", () => {
    const amount = fc.oneof(fc.nat(9), fc.nat(1_000_000));
    const level = fc.oneof(
      fc.double({ min: 0.001, max: 0.999, noNaN: true }),
      fc.integer({ min: 4, max: 14 }).map((digits) => 1 - 10 ** -digits),
    );
    fc.assert(
      fc.property(amount, amount, level, (s, f, within) => {
        const tail = (1 - within) / 2;
        const { lower, upper } = credibleInterval({ s, f, level: within });
        expect(Math.abs(lower / betaincinv(tail, 1 + s, 1 + f) - 1)).toBeLessThan(1e-10);
        expect(Math.abs(upper / betaincinv(tail, 1 + s, 1 + f, true) - 1)).toBeLessThan(1e-10);
      }),
      { numRuns: 200 },
    );
  });

  test("has fifteen digits where the tail has a closed form: one success", () => {
    // P(rate > x) = (1 − x)^n + n x (1 − x)^(n − 1) with n = 72,929, solved to 40 digits.
    const level = 0.1931700409240443;
    const { upper } = credibleInterval({ s: 1, f: 72_927, level });
    expect(Math.abs(upper / 0.000027555309256040525 - 1)).toBeLessThan(3e-15);
  });

  test("of nothing is that of a flat prior", () => {
    const { lower, upper } = credibleInterval({ s: 0, f: 0 });
    expect(lower).toBeCloseTo(0.025, 14);
    expect(upper).toBeCloseTo(0.975, 14);
  });
});

test.each<[name: string, call: () => unknown, argument: string]>([
  ["more successes than trials", () => wilson({ x: 2, n: 1 }), "x"],
  ["a level of 1", () => wilson({ x: 1, n: 2, level: 1 }), "level"],
  ["a level in percent", () => newcombe({ xA: 1, nA: 2, xB: 1, nB: 2, level: 95 }), "level"],
  ["a negative count", () => credibleInterval({ s: 1, f: -1 }), "f"],
  ["too large a count", () => credibleInterval({ s: 1e12, f: 1 }), "s"],
])("%s is refused by name", (_name, call, argument) => {
  expect(call).toThrow(ArgumentError);
  expect(call).toThrow(expect.objectContaining({ argument }));
});
