/** Guarantees of `domain/experiments/stats/special.ts` and `quadrature.ts`: full precision where the plain forms cancel. */

import { describe, expect, test } from "bun:test";
import gammaln from "@stdlib/math-base-special-gammaln";
import fc from "fast-check";
import { gaussLegendre, runningWeights } from "#domain/experiments/stats/quadrature.ts";
import {
  divergence,
  log1pMinus,
  normalTwoSided,
  normalUpperQuantile,
  stirlingRemainder,
} from "#domain/experiments/stats/special.ts";
import { Fraction, ONE, ZERO } from "../../../support/fraction.ts";

/** ln(1 + x) − x by its series in exact fractions, |x| at most a half. */
function exactLog1pMinus(top: number, bottom: number): number {
  const x = new Fraction(top, bottom);
  let power = x;
  let sum = ZERO;
  for (let n = 2; n <= 70; n += 1) {
    power = power.times(new Fraction(-top, bottom));
    sum = sum.plus(power.over(new Fraction(n)));
  }
  return sum.toNumber();
}

describe("log1pMinus and divergence", () => {
  test.each([1, -1, 3, -3, 100, -100, 333, -333, 349, -349, 351, -351, 499, 500])(
    "at %d/1000 are the exact series",
    (top) => {
      // A power of two below, so that x is a double.
      const [numerator, denominator] = [top, 1024];
      const exact = exactLog1pMinus(numerator, denominator);
      const x = numerator / denominator;
      expect(Math.abs(log1pMinus(x) / exact - 1)).toBeLessThan(3e-15);
      const whole = (1 + x) * exact + x * x;
      expect(Math.abs(divergence(x) / whole - 1)).toBeLessThan(1e-14);
    },
  );

  test("at 1e-9, where the plain form has no digit left, are −x²/2 and x²/2", () => {
    expect(log1pMinus(1e-9) / -5e-19).toBeCloseTo(1, 8);
    expect(divergence(1e-9) / 5e-19).toBeCloseTo(1, 8);
    expect(divergence(-1)).toBe(1);
    expect(divergence(0)).toBe(0);
  });
});

describe("The normal distribution", () => {
  test("its quantile is the inverse of its upper tail, from 1e-300 to nearly 1", () => {
    const exponent = fc.double({ min: -300, max: -0.31, noNaN: true });
    fc.assert(
      fc.property(exponent, (power) => {
        const tail = 10 ** power;
        const back = normalTwoSided(normalUpperQuantile(tail)) / 2;
        expect(Math.abs(back / tail - 1)).toBeLessThan(1e-11);
        expect(normalUpperQuantile(1 - 2 ** -30)).toBeCloseTo(-normalUpperQuantile(2 ** -30), 12);
      }),
    );
    expect(normalUpperQuantile(0.025)).toBeCloseTo(1.959963984540054, 14);
    expect(normalUpperQuantile(0.5)).toBe(0);
  });
});

test("Stirling's remainder is that of the package, and goes on where it has no digits", () => {
  for (const z of [1e-3, 0.5, 1, 5, 9.99, 10, 10.01, 50]) {
    const plain = gammaln(z) - ((z - 0.5) * Math.log(z) - z + Math.log(2 * Math.PI) / 2);
    expect(Math.abs(stirlingRemainder(z) - plain)).toBeLessThan(1e-13);
  }
  expect(Math.abs(stirlingRemainder(1e9) * 12e9 - 1)).toBeLessThan(1e-15);
});

describe("A Gauss-Legendre rule", () => {
  const rule = gaussLegendre(20);

  test("integrates polynomials up to degree 39 exactly", () => {
    for (let degree = 0; degree <= 39; degree += 1) {
      const sum = rule.nodes.reduce((total, x, node) => {
        return total + (rule.weights[node] ?? 0) * x ** degree;
      }, 0);
      expect(Math.abs(sum - (degree % 2 === 0 ? 2 / (degree + 1) : 0))).toBeLessThan(1e-14);
    }
  });

  test("integrates polynomials up to degree 19 to each of its nodes", () => {
    const weights = runningWeights(rule);
    for (let degree = 0; degree <= 19; degree += 1) {
      for (const [row, node] of rule.nodes.entries()) {
        const sum = rule.nodes.reduce((total, x, column) => {
          return total + (weights[row * 20 + column] ?? 0) * x ** degree;
        }, 0);
        const exact = (node ** (degree + 1) - (-1) ** (degree + 1)) / (degree + 1);
        expect(Math.abs(sum - exact)).toBeLessThan(1e-14);
      }
    }
  });
});

test("The fractions of these tests are exact, and near doubles", () => {
  expect(new Fraction(1, 3).plus(new Fraction(1, 6)).toNumber()).toBe(0.5);
  expect(ONE.minus(new Fraction(1, 10)).toNumber()).toBe(0.9);
  expect(new Fraction(-1, 3).times(new Fraction(3)).toNumber()).toBe(-1);
  expect(new Fraction(1n, 10n ** 300n).toNumber()).toBe(1e-300);
});
