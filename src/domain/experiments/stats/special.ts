/**
 * Special functions beside those of the packages: normal tails and quantiles to the last digits, and
 * two differences that would cancel if they were written as they are said.
 */

import erfc from "@stdlib/math-base-special-erfc";
import gammaln from "@stdlib/math-base-special-gammaln";
import quantile from "@stdlib/stats-base-dists-normal-quantile";

/** P(|Z| >= |z|) of a standard normal Z: an upper tail, right down to 1e-308. */
export function normalTwoSided(z: number): number {
  return erfc(Math.abs(z) / Math.SQRT2);
}

/** P(Z >= z): the same of one side. */
export function normalAbove(z: number): number {
  return erfc(z / Math.SQRT2) / 2;
}

/** Below, the package's quantile loses its digits, and from 1e-17 on it is infinite. */
const QUANTILE_FROM = 1e-8;
/** Newton's method doubles the digits a step; there are four to begin with. */
const NEWTON_STEPS = 3;

/** The z with P(Z >= z) = `tail`, 0 < tail < 1, to fifteen digits. */
export function normalUpperQuantile(tail: number): number {
  if (tail > 0.5) {
    return -normalUpperQuantile(1 - tail);
  }
  const twice = -2 * Math.log(tail);
  let z =
    tail >= QUANTILE_FROM
      ? -quantile(tail, 0, 1)
      : Math.sqrt(twice - Math.log(2 * Math.PI * twice));
  for (let step = 0; step < NEWTON_STEPS; step += 1) {
    const own = erfc(z / Math.SQRT2) / 2;
    if (own === 0) {
      break;
    }
    // In logarithms, where the tail is nearly a parabola.
    z += Math.log(own / tail) * own * Math.sqrt(2 * Math.PI) * Math.exp((z * z) / 2);
  }
  return z;
}

/** Inside, the series of the inverse hyperbolic tangent has converged after its thirteen terms. */
const SERIES_FROM = -0.35;
const SERIES_TO = 0.5;
const SERIES_TERMS_MAX = 13;

/**
 * ln(1 + x) − x for x > −1, in full precision also where the two are nearly equal: with r = x/(2 + x),
 * ln(1 + x) = 2(r + r³/3 + r⁵/5 + …) and x − 2r = rx. `whole` is 1 + x, where the caller knows more of its
 * digits than x has near −1.
 */
export function log1pMinus(x: number, whole?: number): number {
  if (x < SERIES_FROM || x > SERIES_TO) {
    return (whole === undefined ? Math.log1p(x) : Math.log(whole)) - x;
  }
  const r = x / (2 + x);
  const square = r * r;
  let series = 0;
  for (let term = SERIES_TERMS_MAX; term > 0; term -= 1) {
    series = square * (1 / (2 * term + 1) + series);
  }
  return r * (2 * series - x);
}

/**
 * (1 + u) ln(1 + u) − u for u >= −1: what a count at (1 + u) times its expectation adds to a divergence.
 * At −1, no count at all, it is 1.
 */
export function divergence(u: number): number {
  return u <= -1 ? 1 : (1 + u) * log1pMinus(u) + u * u;
}

const HALF_LOG_2PI = Math.log(2 * Math.PI) / 2;
/** From here on eight terms of Stirling's series leave less than 1e-17. */
const STIRLING_FROM = 10;

/** Stirling's remainder: ln Γ(z) − ((z − ½) ln z − z + ½ ln 2π) for z > 0. */
export function stirlingRemainder(z: number): number {
  if (z < STIRLING_FROM) {
    return gammaln(z) - ((z - 0.5) * Math.log(z) - z + HALF_LOG_2PI);
  }
  const w = 1 / (z * z);
  const tail = 1 / 1188 - w * (691 / 360360 - w * (1 / 156 - (w * 3617) / 122400));
  return (1 / 12 - w * (1 / 360 - w * (1 / 1260 - w * (1 / 1680 - w * tail)))) / z;
}
