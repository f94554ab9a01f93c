/**
 * Who gets how many of the next leads. A bandit shifts volume to what is answered, and keeps a floor under
 * every arm, so that none is given up for good and the propensities of the analysis stay above 0.
 *
 * Source: Thompson 1933, and Russo's top-two form, both in closed form from P(best); the delay model of
 * Vernade, Cappé and Perchet 2017 (arXiv 1706.09186). Floor, burn-in and the default delays are ours.
 */

import { HOUR_MS } from "../time.ts";
import {
  ArgumentError,
  checkAmount,
  checkList,
  checkProbability,
  checkWeights,
} from "./argument.ts";
import { ARMS_MAX, type Arms, canRead, posterior } from "./bayes.ts";

/** How the leads to come are shared out. */
export const ALLOCATION_MODES = ["fixed_split", "thompson", "top_two"] as const;
export type AllocationMode = (typeof ALLOCATION_MODES)[number];

/** Share of all leads that is spread evenly, as a floor. */
export const EPSILON = 0.1;
/** (Effective) trials that every arm has before the allocation leaves the weights. */
export const BURN_IN_TRIALS = 50;
/** Of the top two, how often the best one itself is sent. */
export const TOP_TWO_BETA = 0.5;
const BUCKETS_MAX = 1_000_000;

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

/** The allocation from now on: by the weights until every arm has `trialsMin`, then as the mode says. */
export function nextAllocation({
  trialsMin = BURN_IN_TRIALS,
  ...rule
}: Arms & AllocationRule & { weights: readonly number[]; trialsMin?: number }): number[] {
  const mode = canRead(rule, trialsMin) ? rule.mode : "fixed_split";
  return allocation({ ...rule, mode }).allocation;
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

/** Replies that took `delayMs` from the send, among those inside the attribution window. */
export interface Delay {
  readonly delayMs: number;
  readonly count: number;
}

/** Share of the replies that have come by then, until a team's own are known: hours, share. */
const DEFAULT_DELAYS: readonly (readonly [hours: number, share: number])[] = [
  [0, 0],
  [1, 0.25],
  [4, 0.45],
  [24, 0.75],
  [48, 0.85],
  [72, 0.9],
  [168, 1],
];
/** Replies that the default curve is worth against measured ones. */
const DEFAULT_DELAYS_WORTH = 20;

/**
 * G: of the replies that will come inside of `windowMs`, the share that has come `ageMs` after the send.
 * The measured delays, shrunk to the default curve; 1 from the end of the window on.
 */
export function delayCurve(delays: readonly Delay[], windowMs: number): (ageMs: number) => number {
  checkAmountOfMs("windowMs", windowMs);
  checkList("delays", delays, { min: 0, max: BUCKETS_MAX });
  for (const [index, { delayMs, count }] of delays.entries()) {
    checkAmountOfMs(`delays[${index}].delayMs`, delayMs);
    checkAmount(`delays[${index}].count`, count);
  }
  const ascending = [...delays].sort((a, b) => a.delayMs - b.delayMs);
  let sum = 0;
  const steps = ascending.map(({ delayMs, count }) => {
    sum += count;
    return { delayMs, sum };
  });
  return (ageMs) => {
    if (ageMs >= windowMs) {
      return 1;
    }
    const usual = defaultShare(ageMs) / defaultShare(windowMs);
    const come = lastAtMost(steps, ageMs);
    return (come + DEFAULT_DELAYS_WORTH * usual) / (sum + DEFAULT_DELAYS_WORTH);
  };
}

function checkAmountOfMs(argument: string, value: number): void {
  if (!(Number.isFinite(value) && value >= 0)) {
    throw new ArgumentError(argument, "must be a number of milliseconds from 0 on");
  }
}

/** Straight between the points of the default curve. */
function defaultShare(ageMs: number): number {
  const hours = ageMs / HOUR_MS;
  let [fromHours, fromShare] = [0, 0];
  for (const [toHours, toShare] of DEFAULT_DELAYS) {
    if (hours < toHours) {
      const part = Math.max(0, hours - fromHours) / (toHours - fromHours);
      return fromShare + part * (toShare - fromShare);
    }
    [fromHours, fromShare] = [toHours, toShare];
  }
  return 1;
}

/** The sum at the last step not later than `ageMs`. */
function lastAtMost(steps: readonly { delayMs: number; sum: number }[], ageMs: number): number {
  let [from, to] = [0, steps.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((steps[middle]?.delayMs ?? 0) <= ageMs) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  return steps[from - 1]?.sum ?? 0;
}

/**
 * How many leads' worth of answers could have come so far: each sent lead counts as the share of replies
 * that come by its age. `leads` may be in buckets.
 */
export function effectiveTrials(
  leads: readonly { readonly ageMs: number; readonly count: number }[],
  curve: (ageMs: number) => number,
): number {
  return leads.reduce((sum, { ageMs, count }) => sum + count * curve(ageMs), 0);
}

/** One arm as {@link allocation} takes it: all replies so far against the effective trials. */
export function delayWeighted(
  successes: number,
  trials: number,
): { successes: number; failures: number } {
  return { successes, failures: Math.max(0, trials - successes) };
}
