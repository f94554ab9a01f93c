/**
 * Do two variants differ? Tests at a fixed horizon, each to be read once.
 *
 * The regime test is the one to use: the pooled z without a correction where every cell expects five,
 * Fisher's mid-p below. At a nominal 5 % it calls equal variants different in at most 5.5 % of outcomes, at
 * rates up to a fifth (5.7 % at a half); unpooled and relative forms reach 13 to 36 % at the counts of cold
 * email. Stratified and clustered forms stand beside it.
 *
 * Source: pooled z and mid-p as in Campbell 2007 and Lydersen et al. 2009; Mantel and Haenszel 1959;
 * Rao and Scott 1992. The threshold is ours, by full enumeration (test/domain/stats).
 */

import { ArgumentError, checkAmount, checkCount, checkList, checkRecord } from "./argument.ts";
import { normalTwoSided } from "./special.ts";

/** Successes `x` of `n` trials in two arms. An arm may be empty. */
export interface Pair {
  readonly xA: number;
  readonly nA: number;
  readonly xB: number;
  readonly nB: number;
}

export interface ZTest {
  /** Above 0 where B has the higher rate; 0 where there is nothing to compare. */
  z: number;
  /** Two-sided. */
  pValue: number;
}

/** Smallest expected cell from which on the normal approximation holds. */
const EXPECTED_MIN = 5;
const STRATA_MAX = 100_000;
const CLUSTERS_MAX = 1_000_000;

/** The pooled z test without continuity correction. Fractional counts are taken. */
export function twoProportionZ(pair: Pair): ZTest {
  checkPair(pair, "", checkAmount);
  return pooledZ(pair);
}

function pooledZ({ xA, nA, xB, nB }: Pair): ZTest {
  const trials = nA + nB;
  const successes = xA + xB;
  const failures = nA - xA + (nB - xB);
  const variance = (successes / trials) * failures * nA * nB;
  if (!(variance > 0)) {
    return { z: 0, pValue: 1 };
  }
  const z = (xB * nA - xA * nB) / Math.sqrt(variance);
  return { z, pValue: normalTwoSided(z) };
}

export interface FisherTest {
  /** All tables that are as likely as the one seen, or less. */
  pTwoSided: number;
  /** The same less half of the probability of the one seen. */
  midP: number;
}

/** Two tables that should be equally likely differ by rounding; R allows as much. */
const TIE = 1 + 1e-7;
const RESCALE_AT = 1e250;
/** A term this small against the sum ends it: what follows falls at least as fast as a normal tail. */
const NEGLIGIBLE = 1e-22;

/** Fisher's exact test, two-sided by likelihood, and its mid-p. Counts are whole. */
export function fisher(pair: Pair): FisherTest {
  checkPair(pair);
  const sum = new TableSum();
  sum.walk(pair, 1);
  sum.walk(pair, -1);
  const observed = sum.threshold / sum.all;
  const pTwoSided = Math.min(1, sum.unlikely / sum.all);
  return { pTwoSided, midP: Math.max(0, pTwoSided - observed / 2) };
}

/**
 * Probabilities of the tables with the same margins, as multiples of the observed one's, which is
 * `threshold`: 1, until a sum grows so large that all are scaled down, to 0 where the observed one is less
 * likely than 1e-324.
 */
class TableSum {
  threshold = 1;
  all = 1;
  unlikely = 1;

  /** Adds the tables with more successes in A (`direction` 1) or fewer (−1) than the observed one. */
  walk({ xA, nA, xB, nB }: Pair, direction: 1 | -1): void {
    let term = this.threshold;
    let [inA, outA, inB, outB] =
      direction === 1 ? [xA, nA - xA, xB, nB - xB] : turn(xA, nA, xB, nB);
    while (outA > 0 && inB > 0) {
      const ratio = (outA / (inA + 1)) * (inB / (outB + 1));
      term *= ratio;
      this.all += term;
      if (term <= this.threshold * TIE) {
        this.unlikely += term;
        if (ratio < 1 && term < this.unlikely * NEGLIGIBLE) {
          return;
        }
      }
      if (term > RESCALE_AT) {
        term /= RESCALE_AT;
        this.all /= RESCALE_AT;
        this.unlikely /= RESCALE_AT;
        this.threshold /= RESCALE_AT;
      }
      if (this.threshold === 0) {
        return;
      }
      inA += 1;
      outA -= 1;
      inB -= 1;
      outB += 1;
    }
  }
}

/** The same table with failures for successes: fewer of the ones are more of the others. */
function turn(xA: number, nA: number, xB: number, nB: number): [number, number, number, number] {
  return [nA - xA, xA, nB - xB, xB];
}

export interface RegimeTest {
  test: "pooled_z" | "fisher_mid_p" | "degenerate";
  /** Two-sided. */
  pValue: number;
  /** The smallest expected cell; 0 where there are no trials. */
  minExpected: number;
}

/** The two-proportion test by regime. Counts are whole. */
export function twoProportionTest(pair: Pair): RegimeTest {
  checkPair(pair);
  const { xA, nA, xB, nB } = pair;
  const successes = xA + xB;
  const trials = nA + nB;
  const least = Math.min(successes, trials - successes) * Math.min(nA, nB);
  const minExpected = trials === 0 ? 0 : least / trials;
  if (least === 0) {
    return { test: "degenerate", pValue: 1, minExpected };
  }
  return minExpected >= EXPECTED_MIN
    ? { test: "pooled_z", pValue: pooledZ(pair).pValue, minExpected }
    : { test: "fisher_mid_p", pValue: fisher(pair).midP, minExpected };
}

/**
 * Cochran, Mantel and Haenszel over strata (mailbox, provider, week), without continuity correction:
 * compares within each and adds up. A stratum with one lead, or with one arm, says nothing and counts
 * nothing.
 */
export function cmh({ strata }: { strata: readonly Pair[] }): ZTest {
  checkList("strata", strata, { min: 1, max: STRATA_MAX });
  let difference = 0;
  let variance = 0;
  for (const [index, stratum] of strata.entries()) {
    checkRecord(`strata[${index}]`, stratum);
    checkPair(stratum, `strata[${index}].`);
    const { xA, nA, xB, nB } = stratum;
    const trials = nA + nB;
    if (trials < 2) {
      continue;
    }
    const successes = xA + xB;
    difference += (xB * nA - xA * nB) / trials;
    variance += ((nA * nB) / trials) * (successes / trials) * ((trials - successes) / (trials - 1));
  }
  if (!(variance > 0)) {
    return { z: 0, pValue: 1 };
  }
  const z = difference / Math.sqrt(variance);
  return { z, pValue: normalTwoSided(z) };
}

/** Successes and trials of one cluster: the leads of one company. */
export type Cluster = readonly [x: number, n: number];

export interface ClusteredTest extends ZTest {
  /** Design effects, at least 1: by how much fewer independent leads an arm has than leads. */
  deffA: number;
  deffB: number;
}

/** The pooled z on effective counts: successes and trials of each arm, divided by its design effect. */
export function raoScott(clusters: {
  clustersA: readonly Cluster[];
  clustersB: readonly Cluster[];
}): ClusteredTest {
  const a = clustered("clustersA", clusters.clustersA);
  const b = clustered("clustersB", clusters.clustersB);
  const effective = {
    xA: a.x / a.deff,
    nA: a.n / a.deff,
    xB: b.x / b.deff,
    nB: b.n / b.deff,
  };
  return { deffA: a.deff, deffB: b.deff, ...pooledZ(effective) };
}

function clustered(
  name: string,
  clusters: readonly Cluster[],
): { x: number; n: number; deff: number } {
  checkList(name, clusters, { min: 0, max: CLUSTERS_MAX });
  let x = 0;
  let n = 0;
  for (const [index, cluster] of clusters.entries()) {
    checkList(`${name}[${index}]`, cluster, { min: 2, max: 2 });
    checkCount(`${name}[${index}][1]`, cluster[1]);
    checkCount(`${name}[${index}][0]`, cluster[0], 0, cluster[1]);
    x += cluster[0];
    n += cluster[1];
  }
  const count = clusters.length;
  if (count < 2 || x === 0 || x === n) {
    return { x, n, deff: 1 };
  }
  const rate = x / n;
  const squares = clusters.reduce((sum, [own, of]) => sum + (own - of * rate) ** 2, 0);
  const variance = (count / (count - 1)) * (squares / (n * n));
  return { x, n, deff: Math.max(1, (variance * n) / (rate * (1 - rate))) };
}

export function checkPair(
  { xA, nA, xB, nB }: Pair,
  prefix = "",
  check: (argument: string, value: number) => void = checkCount,
): void {
  for (const [arm, x, n] of [
    ["A", xA, nA],
    ["B", xB, nB],
  ] as const) {
    check(`${prefix}n${arm}`, n);
    check(`${prefix}x${arm}`, x);
    if (x > n) {
      throw new ArgumentError(`${prefix}x${arm}`, `must be at most n${arm}`);
    }
  }
}
