/**
 * Where a rate lies: intervals at a fixed horizon, for experiments that are over. While one runs, show
 * the ratio interval of `sequential.ts`, which holds whenever it is read.
 *
 * Source: Wilson 1927; Newcombe 1998, method 10.
 */

import { checkAmount, checkCount, checkInside } from "./argument.ts";
import { betaOf } from "./beta-grid.ts";
import { centralInterval } from "./beta-quantile.ts";
import { normalUpperQuantile } from "./special.ts";
import type { Pair } from "./two-proportion.ts";

export interface Interval {
  lower: number;
  upper: number;
}

const LEVEL = 0.95;

/** Wilson's score interval of `x` of `n`, whole numbers; 0 to 1 where nothing was tried. */
export function wilson({
  x,
  n,
  level = LEVEL,
}: {
  x: number;
  n: number;
  level?: number;
}): Interval {
  checkCount("n", n);
  checkCount("x", x, 0, n);
  checkInside("level", level);
  return scoreInterval(x, n, normalUpperQuantile((1 - level) / 2));
}

/** The lower bound comes from the product of the two, x²/(n(n + z²)), so that no difference is taken. */
function scoreInterval(x: number, n: number, z: number): Interval {
  if (n === 0) {
    return { lower: 0, upper: 1 };
  }
  const half = z * Math.sqrt((x * (n - x)) / n + (z * z) / 4);
  const upper = x === n ? 1 : (x + (z * z) / 2 + half) / (n + z * z);
  return { lower: (x * x) / (n * (n + z * z) * upper), upper };
}

export interface DifferenceInterval extends Interval {
  /** The rate of B less that of A. */
  diff: number;
}

/** Newcombe's interval of p_B − p_A from the two Wilson intervals. An empty arm leaves it as wide as can be. */
export function newcombe({
  xA,
  nA,
  xB,
  nB,
  level = LEVEL,
}: Pair & { level?: number }): DifferenceInterval {
  for (const [arm, x, n] of [
    ["A", xA, nA],
    ["B", xB, nB],
  ] as const) {
    checkCount(`n${arm}`, n);
    checkCount(`x${arm}`, x, 0, n);
  }
  checkInside("level", level);
  if (nA === 0 || nB === 0) {
    return { diff: 0, lower: -1, upper: 1 };
  }
  const z = normalUpperQuantile((1 - level) / 2);
  const a = scoreInterval(xA, nA, z);
  const b = scoreInterval(xB, nB, z);
  const [rateA, rateB] = [xA / nA, xB / nB];
  const diff = (xB * nA - xA * nB) / (nA * nB);
  return {
    diff,
    lower: Math.max(-1, diff - Math.hypot(rateB - b.lower, a.upper - rateA)),
    upper: Math.min(1, diff + Math.hypot(b.upper - rateB, rateA - a.lower)),
  };
}

/** The central interval of Beta(1 + s, 1 + f). Fractional counts are taken. */
export function credibleInterval({
  s,
  f,
  level = LEVEL,
}: {
  s: number;
  f: number;
  level?: number;
}): Interval {
  checkAmount("s", s);
  checkAmount("f", f);
  checkInside("level", level);
  return centralInterval(betaOf(s, f), (1 - level) / 2);
}
