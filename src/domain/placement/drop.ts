/**
 * Whether the share of test emails in the inbox has fallen, as an e-process: the capital of somebody who bets
 * against "it never fell". Where it never did, that capital ever reaches 20 in one of 20 series at most,
 * however often it is read (Ville's inequality). A run is one bet: its emails share a text and a minute.
 *
 * Each change after a run k, and each level, has two bets: the runs up to k lie above that level on average,
 * and the later ones below it. If the share never fell, at least one level makes neither bet a good one. Its
 * product bounds the least product of all levels, so that the sum over k of those is an e-process.
 *
 * Source: Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting" (JRSS B, 2024)
 * for the bets; how they are put together is ours (`docs/adr/placement.md`).
 */

import type { UnixMs } from "#domain/time.ts";

/** What one run found at one provider, of at least one test. */
export interface RunShare {
  at: UnixMs;
  inbox: number;
  total: number;
}

export interface Drop {
  e: number;
  /** The change that the bets gain most by: the number of runs before it, and by what they multiply. */
  before: number;
  gain: number;
}

/** At this e-value a drop is told. */
export const DROP_E = 20;

/** Parts of its capital that a bet stakes on a run; half of it each. */
const STAKES = [0.5, 0.9] as const;
/** Intervals of levels, finer towards 0 and 1. A bet takes the end of an interval that is worse for it. */
const INTERVALS = 100;
const LEVELS = Array.from(
  { length: INTERVALS + 1 },
  (_, nth) => Math.sin((Math.PI * nth) / (2 * INTERVALS)) ** 2,
);
/** Of the bets on the runs before a change, what begins with the first run; the rest joins by and by. */
const FROM_FIRST = 0.75;
/** More than this isn't counted, so that every number stays finite; less capital claims less. */
const CAPITAL_MAX = 1e100;
/** Changes among as many first runs share half of the stake. */
const HALF_BY = 52;

/** What is staked on changes after run `nth`, counted from 1, or a later one. */
function unstaked(nth: number): number {
  return HALF_BY / (HALF_BY + nth - 1);
}

/** The oldest run comes first. */
export function dropOf(runs: readonly Pick<RunShare, "inbox" | "total">[]): Drop {
  const shares = runs.map(({ inbox, total }) => inbox / total);
  const above = betsAbove(shares);
  const below = new Float64Array(INTERVALS * STAKES.length).fill(1 / STAKES.length);
  let best = { product: 0, before: shares.length, gain: 0 };
  // Changes that are still to come have bets on the runs before them already.
  const least = Math.min(...above.subarray(shares.length * INTERVALS));
  let e = unstaked(Math.max(1, shares.length)) * least;
  for (let k = shares.length - 1; k >= 1; k -= 1) {
    const gain = leastProduct(above, below, shares, k);
    const product = (unstaked(k) - unstaked(k + 1)) * gain;
    best = product > best.product ? { product, before: k, gain } : best;
    e += product;
  }
  return { e, before: best.before, gain: best.gain };
}

/** Over all levels, for a change after `k` runs; `below` has bet on all but the first of the later ones. */
function leastProduct(
  above: Float64Array,
  below: Float64Array,
  shares: readonly number[],
  k: number,
): number {
  const share = shares[k] ?? 0;
  let least = Number.POSITIVE_INFINITY;
  for (let cell = 0; cell < INTERVALS; cell += 1) {
    const level = LEVELS[cell] ?? 0;
    const gain = (level - share) / (1 - level);
    let capital = 0;
    for (let nth = 0; nth < STAKES.length; nth += 1) {
      const at = cell * STAKES.length + nth;
      const grown = (below[at] ?? 0) * (1 + (STAKES[nth] ?? 0) * gain);
      below[at] = Math.min(CAPITAL_MAX, grown);
      capital += below[at] ?? 0;
    }
    least = Math.min(least, capital * (above[k * INTERVALS + cell] ?? 0));
  }
  return least;
}

/**
 * By number of runs, the capital of the bets that these lie above a level, for each interval of levels. Some
 * join later, for a share that had risen before it fell.
 */
function betsAbove(shares: readonly number[]): Float64Array {
  const bets = new Float64Array(INTERVALS * STAKES.length);
  const capital = new Float64Array((shares.length + 1) * INTERVALS).fill(1);
  shares.forEach((share, run) => {
    const cash = (1 - FROM_FIRST) * unstaked(run + 1);
    const joins = run === 0 ? FROM_FIRST : (1 - FROM_FIRST) * unstaked(run) - cash;
    for (let cell = 0; cell < INTERVALS; cell += 1) {
      const level = LEVELS[cell + 1] ?? 1;
      let sum = cash;
      for (let nth = 0; nth < STAKES.length; nth += 1) {
        const at = cell * STAKES.length + nth;
        const placed = (bets[at] ?? 0) + joins / STAKES.length;
        const grown = placed * (1 + ((STAKES[nth] ?? 0) * (share - level)) / level);
        bets[at] = Math.min(CAPITAL_MAX, grown);
        sum += bets[at] ?? 0;
      }
      capital[(run + 1) * INTERVALS + cell] = sum;
    }
  });
  return capital;
}
