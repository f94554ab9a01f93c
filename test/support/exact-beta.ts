/**
 * P(best) and expected loss of Beta(1 + s, 1 + f) posteriors as exact fractions, for whole counts.
 *
 * A distribution function is Σ C(n, k) x^k (1 − x)^(n − k) over k >= 1 + s with n = 1 + s + f; products of such
 * sums multiply like polynomials, and ∫ x^p (1 − x)^q is p! q!/(p + q + 1)!.
 */

import { choose, Fraction, factorial, sumOf } from "./fraction.ts";

export interface WholeArms {
  successes: readonly number[];
  failures: readonly number[];
}

export function exactPosterior(arms: WholeArms): { pBest: Fraction[]; loss: Fraction[] } {
  const indexes = [...arms.successes.keys()];
  const pBest = indexes.map((arm) => momentWhereBest(arms, arm, 0));
  const greatest = sumOf(indexes.map((arm) => momentWhereBest(arms, arm, 1)));
  const loss = indexes.map((arm) => greatest.minus(meanOf(arms, arm)));
  return { pBest, loss };
}

/** E[rate^power · 1(arm is best)]. */
function momentWhereBest({ successes, failures }: WholeArms, arm: number, power: 0 | 1): Fraction {
  let degree = 0;
  let coefficients = [1n];
  for (const [other, s] of successes.entries()) {
    if (other !== arm) {
      const n = 1 + s + (failures[other] ?? 0);
      const own = Array.from({ length: n + 1 }, (_, k) => (k > s ? choose(n, k) : 0n));
      coefficients = multiplied(coefficients, own);
      degree += n;
    }
  }
  const [s = 0, f = 0] = [successes[arm], failures[arm]];
  const scale = new Fraction(factorial(1 + s + f), factorial(s) * factorial(f));
  let sum = 0n;
  for (const [k, coefficient] of coefficients.entries()) {
    sum += coefficient * factorial(s + power + k) * factorial(f + degree - k);
  }
  return scale.times(new Fraction(sum, factorial(s + power + f + degree + 1)));
}

function meanOf({ successes, failures }: WholeArms, arm: number): Fraction {
  const [s = 0, f = 0] = [successes[arm], failures[arm]];
  return new Fraction(1 + s, 2 + s + f);
}

function multiplied(a: readonly bigint[], b: readonly bigint[]): bigint[] {
  const product = Array.from({ length: a.length + b.length - 1 }, () => 0n);
  for (const [i, x] of a.entries()) {
    for (const [j, y] of b.entries()) {
      if (x !== 0n && y !== 0n) {
        product[i + j] = (product[i + j] ?? 0n) + x * y;
      }
    }
  }
  return product;
}
