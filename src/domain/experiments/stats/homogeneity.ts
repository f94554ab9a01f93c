/**
 * Is the ratio of two variants the same in every segment of the leads? Given a segment's events, those of B are a
 * part of them that follows from the ratio of all segments; how far each is from it adds up to a chi-square.
 *
 * Source: Mantel and Haenszel 1959 for the common ratio (of rates: Tarone 1981); the rest is ours.
 */

import gammainc from "@stdlib/math-base-special-gammainc";
import { checkList, checkRecord } from "./argument.ts";
import { checkPair, type Pair } from "./two-proportion.ts";

/** Events that either variant has to expect in a segment, so that the chi-square holds. */
const EXPECTED_MIN = 5;
const STRATA_MAX = 1000;

export interface Homogeneity {
  chi2: number;
  /** Segments that have enough events, less one; 0 where there is nothing to compare. */
  df: number;
  pValue: number;
  /** B's rate over A's, within segments; null where nothing came of either. */
  ratio: number | null;
  /** Places of the segments that were compared. */
  compared: number[];
}

/** To be read once. */
export function homogeneity({ strata }: { strata: readonly Pair[] }): Homogeneity {
  checkList("strata", strata, { min: 1, max: STRATA_MAX });
  for (const [index, stratum] of strata.entries()) {
    checkRecord(`strata[${index}]`, stratum);
    checkPair(stratum, `strata[${index}].`);
  }
  const ratio = commonRatio(strata);
  const compared = strata.flatMap((pair, place) => {
    const { expected, others } = expectedIn(pair, ratio ?? 0);
    return Math.min(expected, others) >= EXPECTED_MIN ? [place] : [];
  });
  const df = Math.max(0, compared.length - 1);
  const chi2 = df === 0 ? 0 : compared.reduce((sum, at) => sum + distance(strata[at], ratio), 0);
  const pValue = df === 0 ? 1 : gammainc(chi2 / 2, df / 2, true, true);
  return { chi2, df, pValue, ratio, compared };
}

function commonRatio(strata: readonly Pair[]): number | null {
  let [ofA, ofB] = [0, 0];
  for (const { xA, nA, xB, nB } of strata) {
    const trials = Math.max(1, nA + nB);
    ofA += (xA * nB) / trials;
    ofB += (xB * nA) / trials;
  }
  return ofA === 0 || ofB === 0 ? null : ofB / ofA;
}

/** B's events among a segment's where its rate is `ratio` times A's, and A's. */
function expectedIn({ xA, nA, xB, nB }: Pair, ratio: number) {
  const events = xA + xB;
  const share = nA + nB === 0 ? 0 : (nB * ratio) / (nB * ratio + nA || 1);
  return { expected: events * share, others: events * (1 - share) };
}

function distance(pair: Pair | undefined, ratio: number | null): number {
  if (pair === undefined || ratio === null) {
    return 0;
  }
  const { xA, nA, xB, nB } = pair;
  const { expected, others } = expectedIn(pair, ratio);
  const trials = nA + nB;
  const events = xA + xB;
  const variance = ((expected * others) / events) * ((trials - events) / (trials - 1));
  return variance > 0 ? (xB - expected) ** 2 / variance : 0;
}
