/**
 * What to expect of a lift that was selected for being large. Log lifts of a team are taken to be normal around 0 with
 * an sd that its past experiments tell about; the measured one is drawn toward 0 by what it doesn't show for sure.
 * Selection and early stopping don't change that: they follow from the same counts.
 *
 * Source: Dawid 1994 for selection under a posterior; the prior is ours.
 */

import { checkInside, checkList, checkPositive, checkRecord } from "./argument.ts";

/** A measured log ratio of two rates, and its standard error. */
export interface LogLift {
  readonly log: number;
  readonly se: number;
}

/** Of the sd, where no experiment tells: half of all teams have more than 0.3, which is a typical lift of 1.35. */
const SD_MEDIAN = 0.3;
const SD_SPREAD = 0.7;
/** Grid of the sd, evenly spaced in its logarithm. */
const SDS = Array.from({ length: 41 }, (_, at) => 0.02 * 100 ** (at / 40));
/** Chance that an experiment is unlike the earlier ones, so that a clear win isn't taken for luck. */
const UNLIKE_P = 0.1;
const PAST_MAX = 1000;
const SE_MAX = 100;

/** `ratio`: as it is to be expected; on the side of 1 of the measured one, and nearer to 1. */
export function expectedLift({ lift, past }: { lift: LogLift; past: readonly LogLift[] }): {
  ratio: number;
} {
  checkList("past", past, { min: 0, max: PAST_MAX });
  for (const [index, one] of past.entries()) {
    checkRecord(`past[${index}]`, one);
    checkLift(`past[${index}]`, one);
  }
  checkRecord("lift", lift);
  checkLift("lift", lift);
  const alike = weightsOf(past);
  const unlike = weightsOf([]);
  let [weight, drawn] = [0, 0];
  for (const [at, sd] of SDS.entries()) {
    const prior = (1 - UNLIKE_P) * (alike[at] ?? 0) + UNLIKE_P * (unlike[at] ?? 0);
    const own = prior * Math.exp(logDensity(lift, sd));
    weight += own;
    drawn += (own * sd * sd) / (sd * sd + lift.se * lift.se);
  }
  return { ratio: weight === 0 ? Math.exp(lift.log) : Math.exp((lift.log * drawn) / weight) };
}

/** How likely each sd of the grid is, where these lifts are known. */
function weightsOf(past: readonly LogLift[]): number[] {
  const logs = SDS.map((sd) => {
    const away = Math.log(sd / SD_MEDIAN) / SD_SPREAD;
    return past.reduce((sum, one) => sum + logDensity(one, sd), -(away * away) / 2);
  });
  const most = Math.max(...logs);
  const weights = logs.map((log) => Math.exp(log - most));
  const all = weights.reduce((sum, one) => sum + one, 0);
  return weights.map((one) => one / all);
}

/** Of a measured lift where lifts have this sd, without the constant. */
function logDensity({ log, se }: LogLift, sd: number): number {
  const variance = sd * sd + se * se;
  return -Math.log(variance) / 2 - (log * log) / (2 * variance);
}

function checkLift(name: string, { log, se }: LogLift): void {
  checkInside(`${name}.log`, 1 / (1 + Math.exp(-log)));
  checkPositive(`${name}.se`, se, SE_MAX);
}
