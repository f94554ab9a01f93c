/**
 * Was the list split as planned? If not, something decided with the dice who gets what (a mailbox that was
 * paused, a provider that deferred), and no verdict about the variants can be trusted.
 *
 * Source: Pearson's chi-square; its alarm is ours, for the field's 0.001 calls one sound split in a
 * thousand off; the Dirichlet mixture is that of `sequential.ts`, and may be read daily.
 */

import gammainc from "@stdlib/math-base-special-gammainc";
import { checkAmount, checkList, checkPositive, checkWeights } from "./argument.ts";
import { type Evidence, evidence, logDirichletMixture } from "./sequential.ts";

export const SRM_ALARM_P = 0.0001;
export const SRM_ALARM_ANYTIME_P = 0.01;
/** Leads for each variant below which nothing is said. */
export const SRM_LEADS_MIN = 8;

const CONCENTRATION = 1000;
const CONCENTRATION_MAX = 1e6;
const VARIANTS_MAX = 1000;

/** Leads exposed to each variant, and the weights of the split, or the counts that were expected. */
export interface Split {
  readonly observed: readonly number[];
  readonly weights: readonly number[];
}

export interface ChiSquareTest {
  chi2: number;
  df: number;
  pValue: number;
}

/** Pearson's chi-square against the split. */
export function srmChi2(split: Split): ChiSquareTest {
  checkSplit(split);
  const { observed, weights } = split;
  const total = sumOf(observed);
  const weight = sumOf(weights);
  const df = observed.length - 1;
  if (total === 0) {
    return { chi2: 0, df, pValue: 1 };
  }
  const chi2 = sumOf(
    observed.map((count, index) => {
      const share = weights[index] ?? 0;
      const beyond = (count * weight - total * share) / weight;
      return (beyond * beyond) / ((total * share) / weight);
    }),
  );
  return { chi2, df, pValue: chi2 === 0 ? 1 : gammainc(chi2 / 2, df / 2, true, true) };
}

/** Evidence against the split that may be read daily. `concentration` is 1,000 by default. */
export function srmEprocess({
  concentration = CONCENTRATION,
  ...split
}: Split & { concentration?: number }): Evidence {
  checkSplit(split);
  checkPositive("concentration", concentration, CONCENTRATION_MAX);
  return evidence(logDirichletMixture(split.observed, split.weights, concentration));
}

export interface SplitCheck {
  /** Of the chi-square. */
  pValue: number;
  pAnytime: number;
  /** The one that the alarm goes by: where both count, the one that is nearer to it. */
  pDecisive: number;
  /** Verdicts are blocked. Never with fewer leads than {@link SRM_LEADS_MIN} for each variant. */
  alarm: boolean;
  /** Index of the variant furthest from its share, in standard errors; null where all are on it. */
  worst: number | null;
}

/**
 * Whether the split is off. While leads are added it is read off the e-process, which may be looked at every
 * day; the chi-square counts `isFinal` only, for at daily readings it would call one sound split in a hundred
 * off.
 */
export function splitCheck({
  isFinal = false,
  ...split
}: Split & { isFinal?: boolean }): SplitCheck {
  const { pValue } = srmChi2(split);
  const { pAnytime } = srmEprocess(split);
  const isEnough = sumOf(split.observed) >= SRM_LEADS_MIN * split.observed.length;
  const isOff = pAnytime <= SRM_ALARM_ANYTIME_P || (isFinal && pValue < SRM_ALARM_P);
  const isByChiSquare = isFinal && pValue / SRM_ALARM_P < pAnytime / SRM_ALARM_ANYTIME_P;
  const pDecisive = isByChiSquare ? pValue : pAnytime;
  return { pValue, pAnytime, pDecisive, alarm: isEnough && isOff, worst: worstOf(split) };
}

function worstOf({ observed, weights }: Split): number | null {
  const total = sumOf(observed);
  const weight = sumOf(weights);
  let worst: number | null = null;
  let most = 0;
  for (const [index, count] of observed.entries()) {
    const share = (weights[index] ?? 0) / weight;
    const distance = Math.abs(count - total * share) / Math.sqrt(total * share * (1 - share));
    if (distance > most) {
      worst = index;
      most = distance;
    }
  }
  return worst;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function checkSplit({ observed, weights }: Split): void {
  checkList("observed", observed, { min: 2, max: VARIANTS_MAX });
  for (const [index, count] of observed.entries()) {
    checkAmount(`observed[${index}]`, count);
  }
  checkWeights("weights", weights, observed.length);
}
