/**
 * Who gets how many of the next leads. A bandit shifts volume to what gets replies, and keeps a floor under
 * every arm, so that none is given up for good and the propensities of the analysis stay above 0.
 *
 * Source: Thompson 1933, and Russo's top-two form, both in closed form from P(best). The floor is ours: at
 * 0.2 a rate of twice as much is shown in three experiments of four, at 0.1 in half, for 1 reply in 75.
 */

import { ArgumentError, checkList, checkProbability, checkWeights } from "./argument.ts";
import { ARMS_MAX, type Arms, posterior } from "./bayes.ts";

/** How the leads to come are shared out. */
export const ALLOCATION_MODES = ["fixed_split", "thompson", "top_two"] as const;
export type AllocationMode = (typeof ALLOCATION_MODES)[number];

/** Share of all leads that is spread evenly, as a floor. */
export const EPSILON = 0.2;
/** Of the top two, how often the best one itself is sent. */
export const TOP_TWO_BETA = 0.5;

export interface AllocationRule {
  readonly mode: AllocationMode;
  /** {@link EPSILON} by default; of no account in a fixed split. */
  readonly epsilon?: number;
  /** Of top_two; {@link TOP_TWO_BETA} by default. */
  readonly beta?: number;
  /** Of a fixed split; equal by default. */
  readonly weights?: readonly number[];
}

/** The allocation that the counts, as they are, call for. Sums to 1. */
export function allocation({
  mode,
  epsilon = EPSILON,
  beta = TOP_TWO_BETA,
  weights,
  ...arms
}: Arms & AllocationRule): { allocation: number[] } {
  if (!ALLOCATION_MODES.includes(mode)) {
    throw new ArgumentError("mode", `must be one of ${ALLOCATION_MODES.join(", ")}`);
  }
  checkProbability("epsilon", epsilon);
  checkProbability("beta", beta);
  if (mode === "fixed_split") {
    return { allocation: fixedSplit(weights, arms) };
  }
  const best = posterior(arms).pBest;
  const shares = mode === "thompson" ? best : topTwo(best, beta);
  return { allocation: shares.map((share) => epsilon / shares.length + (1 - epsilon) * share) };
}

/** By weight; the counts only say how many arms there are. */
function fixedSplit(given: readonly number[] | undefined, { successes }: Arms): number[] {
  if (given === undefined) {
    checkList("successes", successes, { min: 1, max: ARMS_MAX });
  } else {
    checkList("weights", given, { min: 1, max: ARMS_MAX });
  }
  const weights = given ?? successes.map(() => 1);
  checkWeights("weights", weights, weights.length);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

/**
 * Half for the best, half for the best of the others, each weighed by how likely it is so: finds the best
 * sooner than Thompson does, and earns less meanwhile. With two arms it is half and half.
 */
function topTwo(best: readonly number[], beta: number): number[] {
  const others = best.map((_, arm) =>
    best.reduce((sum, p, other) => (other === arm ? sum : sum + p), 0),
  );
  return best.map((own, arm) => {
    const second = best.reduce((sum, p, other) => {
      return other === arm ? sum : sum + p * shareOfRest(own, others[other] ?? 0, best.length);
    }, 0);
    return beta * own + (1 - beta) * second;
  });
}

/** P(second | another is best); even where all of the others are out of sight. */
function shareOfRest(own: number, rest: number, arms: number): number {
  return rest > 0 ? own / rest : 1 / (arms - 1);
}

/**
 * `shares` as decimals of `places` that still sum to 1: each rounded, and what is over or missing is the
 * largest one's.
 */
export function roundShares(shares: readonly number[], places = 6): number[] {
  const unit = 10 ** places;
  const whole = shares.map((share) => Math.round(share * unit));
  const largest = shares.indexOf(Math.max(...shares));
  const over = whole.reduce((sum, share) => sum + share, -unit);
  return whole.map((share, arm) => (arm === largest ? share - over : share) / unit);
}
