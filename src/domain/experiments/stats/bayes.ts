/**
 * Which variant is best, how sure that is, and what choosing another would cost: Beta(1 + successes,
 * 1 + failures) posteriors, integrated on one grid. No dice: the same counts give the same digits.
 *
 * These are aids to decide by, not tests: stopped at P(best) >= 0.95 on any day, 37 % of experiments
 * without a difference would name a winner.
 */

import { ArgumentError, checkAmount, checkInside, checkList } from "./argument.ts";
import { betaOf, type Curve, curveOf, cutsOf, edgesOf, gridOf } from "./beta-grid.ts";
import { remainingValue } from "./value-remaining.ts";

/** Twice as many as an experiment may have, and a bound on the work. */
export const ARMS_MAX = 32;
/** P(best) that differ by less are equal: the first of them leads. */
const TIE = 1e-12;
/** Of the sum of P(best) from 1; anything above is a fault of the grid. */
const SUM_ERROR_MAX = 1e-9;

/** Adjudicated counts of the variants, in one order, or delay-weighted ones: fractions are taken. */
export interface Arms {
  readonly successes: readonly number[];
  readonly failures: readonly number[];
}

export interface Posterior {
  /** P(rate is the highest) of each arm; sums to 1. */
  pBest: number[];
  /** E[highest rate − own rate] of each arm: what sending it to everyone costs, a lead. */
  loss: number[];
  /** The arm with the greatest P(best), the first of equals. */
  leader: number;
  /**
   * By what fraction of the leader's rate the best of the others may still be above it, at `quantile`
   * (0.95): 0.1 means that, with 95 % probability, no other beats it by more than a tenth.
   */
  valueRemaining: (quantile?: number) => number;
}

/** All readings of the posteriors, from one pass over their grid. */
export function posterior(arms: Arms): Posterior {
  checkArms(arms);
  const betas = arms.successes.map((successes, arm) => betaOf(successes, arms.failures[arm] ?? 0));
  const grid = gridOf(edgesOf(betas.flatMap(cutsOf)));
  const curves = betas.map((beta) => curveOf(beta, grid));
  const { pBest, loss } = integrate(curves, grid.weights);
  const sum = pBest.reduce((total, p) => total + p, 0);
  if (!(Math.abs(sum - 1) <= SUM_ERROR_MAX)) {
    throw new Error(`P(best) sum to ${sum} for ${JSON.stringify(arms)}`);
  }
  const most = Math.max(...pBest);
  const leader = pBest.findIndex((p) => p >= most - TIE);
  return {
    pBest: pBest.map((p) => p / sum),
    loss,
    leader,
    valueRemaining: (quantile = 0.95) => {
      checkInside("quantile", quantile);
      const enough = (pBest[leader] ?? 0) >= quantile;
      const others = curves.filter((_, arm) => arm !== leader);
      const best = betas[leader];
      return enough || best === undefined ? 0 : remainingValue(best, others, grid, quantile);
    },
  };
}

/**
 * P(best) and expected loss of every arm: the integrals of f_i ∏F_j and of F_i (1 − ∏F_j) over the others j.
 * Walking the arms once from each end gives every product that leaves one out; 1 − ∏F is added up from upper
 * tails, never subtracted.
 */
function integrate(
  curves: readonly Curve[],
  weights: Float64Array,
): { pBest: number[]; loss: number[] } {
  const count = curves.length;
  const pBest = new Float64Array(count);
  const loss = new Float64Array(count);
  const allBefore = new Float64Array(count);
  const anyBefore = new Float64Array(count);
  for (let at = 0; at < weights.length; at += 1) {
    const weight = weights[at] ?? 0;
    let all = 1;
    let any = 0;
    for (const [arm, { below, above }] of curves.entries()) {
      allBefore[arm] = all;
      anyBefore[arm] = any;
      any += all * (above[at] ?? 0);
      all *= below[at] ?? 0;
    }
    all = 1;
    any = 0;
    for (let arm = count - 1; arm >= 0; arm -= 1) {
      const curve = curves[arm] as Curve;
      const before = allBefore[arm] ?? 0;
      const below = curve.below[at] ?? 0;
      pBest[arm] = (pBest[arm] ?? 0) + weight * (curve.density[at] ?? 0) * before * all;
      loss[arm] = (loss[arm] ?? 0) + weight * below * ((anyBefore[arm] ?? 0) + before * any);
      any += all * (curve.above[at] ?? 0);
      all *= below;
    }
  }
  return { pBest: [...pBest], loss: [...loss] };
}

/** P(rate is the highest) of each arm. */
export function pBest(arms: Arms): { p: number[] } {
  return { p: posterior(arms).pBest };
}

/** E[highest rate − own rate] of each arm. */
export function expectedLoss(arms: Arms): { loss: number[] } {
  return { loss: posterior(arms).loss };
}

/** Who leads, and what another could still be worth more: {@link Posterior.valueRemaining}. */
export function valueRemaining({ quantile, ...arms }: Arms & { quantile?: number }): {
  leader: number;
  valueRemaining: number;
} {
  const { leader, valueRemaining: remaining } = posterior(arms);
  return { leader, valueRemaining: remaining(quantile) };
}

/** P(rate of B > rate of A). */
export function probBBeatsA({
  sA,
  fA,
  sB,
  fB,
}: {
  sA: number;
  fA: number;
  sB: number;
  fB: number;
}): { p: number } {
  for (const [name, amount] of Object.entries({ sA, fA, sB, fB })) {
    checkAmount(name, amount);
  }
  return { p: posterior({ successes: [sA, sB], failures: [fA, fB] }).pBest[1] ?? 0 };
}

/** {@link convergenceOf} from counts. */
export function convergence(arms: Arms): { convergence: number } {
  return { convergence: convergenceOf(posterior(arms).pBest) };
}

/**
 * How much of the doubt about which variant is best is gone: 1 − H(P)/ln K. 0 is no idea and 1 is decided,
 * for any number of variants. A single one is decided.
 */
export function convergenceOf(probabilities: readonly number[]): number {
  if (probabilities.length < 2) {
    return 1;
  }
  const entropy = probabilities.reduce((sum, p) => (p > 0 ? sum - p * Math.log(p) : sum), 0);
  return Math.min(1, Math.max(0, 1 - entropy / Math.log(probabilities.length)));
}

/** Adjudicated leads of an arm below which its flat prior speaks louder than they do. */
export const READING_LEADS_MIN = 10;

/** Whether every arm has enough leads to be read. Where not, show 1/K, no convergence, and the weights. */
export function canRead({ successes, failures }: Arms, leadsMin = READING_LEADS_MIN): boolean {
  return successes.every((count, arm) => count + (failures[arm] ?? 0) >= leadsMin);
}

function checkArms({ successes, failures }: Arms): void {
  checkList("successes", successes, { min: 1, max: ARMS_MAX });
  checkList("failures", failures, { min: 1, max: ARMS_MAX });
  if (failures.length !== successes.length) {
    throw new ArgumentError("failures", "must be as many as successes");
  }
  for (const [arm, count] of successes.entries()) {
    checkAmount(`successes[${arm}]`, count);
    checkAmount(`failures[${arm}]`, failures[arm] ?? Number.NaN);
  }
}
