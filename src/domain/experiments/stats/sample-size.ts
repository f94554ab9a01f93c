/**
 * Can this list answer the question, and when? Sample sizes for the fixed test, the smallest effect that a
 * list can show, and what to do where it can show none: test on some, then send the leader to the rest.
 *
 * Source: the normal formula with the pooled variance under the null (Fleiss); Feit and Berman 2019
 * (arXiv 1811.00457) for test-and-roll. The prior's width of 0.3 of the rate is ours.
 */

import { ArgumentError, checkCount, checkInside, checkPositive } from "./argument.ts";
import { ALPHA, ALPHA_EARLY } from "./sequential.ts";
import { normalUpperQuantile } from "./special.ts";

/** What the fixed test may spend, of two variants and of many: a winner has to beat each rival. */
export const ALPHA_FIXED = ALPHA - ALPHA_EARLY;
export const POWER = 0.8;
const PRIOR_CV = 0.3;
const VARIANTS_MAX = 1000;

interface Errors {
  /** {@link ALPHA_FIXED} by default. */
  readonly alpha?: number;
  /** {@link POWER} by default. */
  readonly power?: number;
}

/**
 * The errors to plan by where the best of `variants` is to be found: the chance to miss any one of its
 * rivals is shared out among them, so it beats all of them with a power of at least {@link POWER}.
 */
export function errorsAmong(variants: number): { alpha: number; power: number } {
  checkCount("variants", variants, 2, VARIANTS_MAX);
  return { alpha: ALPHA_FIXED, power: 1 - (1 - POWER) / (variants - 1) };
}

export interface Size {
  nRaw: number;
  /** Leads for each variant, rounded up. */
  nPerVariant: number;
}

/** Leads a variant needs for the fixed test to tell `p1` from `p2`. */
export function sampleSize({
  p1,
  p2,
  alpha = ALPHA_FIXED,
  power = POWER,
}: { p1: number; p2: number } & Errors): Size {
  checkInside("p1", p1);
  checkInside("p2", p2);
  checkErrors(alpha, power);
  if (p1 === p2) {
    throw new ArgumentError("p2", "must differ from p1");
  }
  const nRaw = sizeFor(p1, p2, alpha, power);
  if (!Number.isFinite(nRaw)) {
    throw new ArgumentError("p2", "is too near to p1");
  }
  return rounded(nRaw);
}

function sizeFor(p1: number, p2: number, alpha: number, power: number): number {
  const mean = (p1 + p2) / 2;
  const underNull = normalUpperQuantile(alpha / 2) * Math.sqrt(2 * mean * (1 - mean));
  const underEffect = normalUpperQuantile(1 - power) * Math.sqrt(p1 * (1 - p1) + p2 * (1 - p2));
  return ((underNull + underEffect) / (p2 - p1)) ** 2;
}

export interface Detectable {
  /** The smallest rate above `baseline` that would be found; null where there is none below 1. */
  rate: number | null;
  /** `rate / baseline`. */
  ratio: number | null;
}

const BISECTIONS_MAX = 100;

/** The smallest effect that the fixed test finds with `nPerVariant` leads a variant. */
export function minimumDetectable({
  baseline,
  nPerVariant,
  alpha = ALPHA_FIXED,
  power = POWER,
}: { baseline: number; nPerVariant: number } & Errors): Detectable {
  checkInside("baseline", baseline);
  checkCount("nPerVariant", nPerVariant);
  checkErrors(alpha, power);
  const finds = (rate: number) => sizeFor(baseline, rate, alpha, power) <= nPerVariant;
  if (!finds(1)) {
    return { rate: null, ratio: null };
  }
  let missed = baseline;
  let found = 1;
  for (let round = 0; round < BISECTIONS_MAX; round += 1) {
    const middle = (missed + found) / 2;
    if (middle === missed || middle === found) {
      break;
    }
    if (finds(middle)) {
      found = middle;
    } else {
      missed = middle;
    }
  }
  return { rate: found, ratio: found / baseline };
}

/** Days until `variants` times `nPerVariant` leads are sent to and the last window is closed; null: never. */
export function daysToDecision({
  variants,
  nPerVariant,
  dailyLeads,
  windowDays,
}: {
  variants: number;
  nPerVariant: number;
  dailyLeads: number;
  windowDays: number;
}): { days: number | null } {
  checkCount("variants", variants, 1, VARIANTS_MAX);
  checkCount("nPerVariant", nPerVariant);
  checkCount("windowDays", windowDays);
  if (dailyLeads === 0) {
    return { days: null };
  }
  checkPositive("dailyLeads", dailyLeads);
  return { days: Math.ceil((variants * nPerVariant) / dailyLeads) + windowDays };
}

/**
 * Of a list of `listSize` leads and two variants, how many to test each on before the leader, significant
 * or not, gets the rest: what earns the most replies when a variant's rate is spread around `baseRate` with
 * the sd `priorCv` times it.
 */
export function testAndRoll({
  listSize,
  baseRate,
  priorCv = PRIOR_CV,
}: {
  listSize: number;
  baseRate: number;
  priorCv?: number;
}): Size {
  checkCount("listSize", listSize);
  checkInside("baseRate", baseRate);
  checkPositive("priorCv", priorCv, 100);
  const variance = baseRate * (1 - baseRate);
  const spread = (priorCv * baseRate) ** 2;
  const root = Math.sqrt(9 * variance * variance + 4 * listSize * variance * spread);
  return rounded((listSize * variance) / (3 * variance + root));
}

/** Leads to test each of `variants` on, of a list of `leads`: as {@link testAndRoll}, and never more than there are. */
export function testLeadsOf({
  leads,
  baseline,
  variants,
}: {
  leads: number;
  baseline: number;
  variants: number;
}): number {
  const { nPerVariant } = testAndRoll({ listSize: Math.max(1, leads), baseRate: baseline });
  return Math.min(nPerVariant, Math.floor(leads / variants));
}

function rounded(nRaw: number): Size {
  return { nRaw, nPerVariant: Math.ceil(nRaw) };
}

function checkErrors(alpha: number, power: number): void {
  checkInside("alpha", alpha);
  checkInside("power", power);
  if (power <= alpha / 2) {
    throw new ArgumentError("power", "must be above half of alpha");
  }
}
