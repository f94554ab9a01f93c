/**
 * Where a rate lies: intervals at a fixed horizon, for experiments that are over. While one runs, show
 * those of `group-sequential.ts` and `sequential.ts`, which hold whenever they are read.
 *
 * Source: Wilson 1927; Newcombe 1998, method 10.
 */

import { checkAmount, checkCount, checkInside } from "./argument.ts";
import {
  type Beta,
  betaOf,
  curveOf,
  cutsOf,
  edgesOf,
  gridOf,
  logDensity,
  massBetween,
} from "./beta-grid.ts";
import { normalUpperQuantile } from "./special.ts";
import type { Pair } from "./two-proportion.ts";

export interface Interval {
  lower: number;
  upper: number;
}

const LEVEL = 0.95;
const STEPS_MAX = 100;

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

/**
 * The same for fractional counts, of a normal quantile. The lower bound comes from the product of the two,
 * x²/(n(n + z²)), so that no difference is taken.
 */
export function scoreInterval(x: number, n: number, z: number): Interval {
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

export interface RatioReading {
  /** p_b / p_a; null where a has no success. */
  ratio: number | null;
  low: number;
  /** Null: no bound. */
  high: number | null;
}

/**
 * The rates with `tail` of the mass below the one, and above the other, `tail` below a half: the gap between two
 * nodes of the grid that holds each, and Newton's method inside of it.
 */
function centralInterval(beta: Beta, tail: number): { lower: number; upper: number } {
  const { nodes, ...grid } = gridOf(edgesOf(cutsOf(beta)));
  const { below, above, total } = curveOf(beta, { nodes, ...grid });
  const last = nodes.length - 1;
  const after = below.findIndex((mass) => mass >= tail);
  const before = above.findLastIndex((mass) => mass >= tail);
  const least = { at: nodes[after - 1] ?? 0, mass: below[after - 1] ?? 0 };
  const most = { at: before === last ? 1 : (nodes[before + 1] ?? 1), mass: above[before + 1] ?? 0 };
  return {
    lower: inGap(beta, least.at, nodes[after] ?? 1, (tail - least.mass) * total),
    upper: inGap(beta, most.at, nodes[before] ?? 0, (tail - most.mass) * total),
  };
}

/** Where, on the way from `from` to `to`, the mass behind is `mass`; `to` may lie on either side. */
function inGap(beta: Beta, from: number, to: number, mass: number): number {
  let [near, far] = [from, to];
  let x = (from + to) / 2;
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const missing = mass - Math.abs(massBetween(beta, from, x));
    if (missing > 0) {
      near = x;
    } else {
      far = x;
    }
    const change = (missing / Math.exp(logDensity(beta, x))) * Math.sign(to - from);
    const next = x + change;
    const isInside = (next - near) * (next - far) < 0;
    const before = x;
    x = isInside ? next : (near + far) / 2;
    if (Math.abs(x - before) <= Number.EPSILON * Math.min(x, before)) {
      break;
    }
  }
  return x;
}

/**
 * How many times a's rate b's is, by the method of variance estimates recovery (Donner and Zou 2012) on Wilson
 * limits. Both arms need trials.
 */
export function ratioInterval({
  xA,
  nA,
  xB,
  nB,
  level = LEVEL,
}: Pair & { level?: number }): RatioReading {
  checkCount("nA", nA, 1);
  checkCount("nB", nB, 1);
  checkCount("xA", xA, 0, nA);
  checkCount("xB", xB, 0, nB);
  const [pA, pB] = [xA / nA, xB / nB];
  const a = wilson({ x: xA, n: nA, level });
  const b = wilson({ x: xB, n: nB, level });
  const product = pA * pB;
  // l (2p − l) of one arm and u (2p − u) of the other, as both bounds need them.
  const [lowA, highA] = [a.lower * (2 * pA - a.lower), a.upper * (2 * pA - a.upper)];
  const [lowB, highB] = [b.lower * (2 * pB - b.lower), b.upper * (2 * pB - b.upper)];
  const below = (product - root(product, lowB * highA)) / highA;
  const above = (product + root(product, highB * lowA)) / lowA;
  return {
    ratio: xA === 0 ? null : pB / pA,
    low: xB === 0 ? 0 : Math.max(0, below),
    high: xA === 0 || !Number.isFinite(above) ? null : above,
  };
}

function root(product: number, crossed: number): number {
  return Math.sqrt(Math.max(0, product ** 2 - crossed));
}
