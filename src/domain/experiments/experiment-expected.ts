/**
 * What a winner's lift is to be expected at, rather than measured: winners are measured too well, because they were
 * selected for it.
 *
 * Source: ours, argued in `docs/adr/experiments.md`.
 */

import { expectedLift, type LogLift } from "#domain/experiments/stats/shrinkage.ts";
import { commonEpochs, eventsOf, type Figures, sumOver } from "./experiment-figures.ts";
import { type PairReading, pairOf } from "./experiment-pairs.ts";
import { asChange } from "./experiment-words.ts";
import type { Counts } from "./exposure.ts";

/** Past experiments that are looked at, newest first. */
export const PAST_MAX = 40;

/** A measured log ratio by what has come of two variants; null where nothing came of one. */
export function logLiftOf(
  events: readonly [a: number, b: number],
  ratio: number | null,
): LogLift | null {
  const [a, b] = events;
  return a === 0 || b === 0 || ratio === null
    ? null
    : { log: Math.log(ratio), se: Math.sqrt(1 / a + 1 / b) };
}

/** Lifts of an experiment's variants over its first, for those that come after it. */
export function pastLiftsOf(
  metric: Figures["metric"],
  [first, ...others]: readonly Counts[],
): LogLift[] {
  if (first === undefined) {
    return [];
  }
  const x = eventsOf(metric, first);
  return others.flatMap((other) => {
    const y = eventsOf(metric, other);
    return logLiftOf([x, y], y / other.sent / (x / first.sent)) ?? [];
  });
}

/** b's rate over a's as it is to be expected; null where nothing came of one. */
export function expectedRatio(
  { metric, epochs }: Figures,
  { a, b, ratio }: PairReading,
  past: readonly LogLift[],
): number | null {
  const common = commonEpochs(epochs, a, b);
  const events = (arm: number) => sumOver(common, arm, (counts) => eventsOf(metric, counts));
  const lift = logLiftOf([events(a), events(b)], ratio);
  return lift === null ? null : expectedLift({ lift, past }).ratio;
}

/** Of the winner against the present text, as the key figure is; null where that is the winner or nothing is known. */
export function tellExpected(
  pairs: readonly PairReading[],
  winner: number,
  present: number,
): string | null {
  const { a, ratio = null, expected = null } = pairOf(pairs, winner, present) ?? {};
  if (winner === present || ratio === null || expected === null) {
    return null;
  }
  const told = (lift: number) => asChange(a === winner ? 1 / lift : lift);
  return `Expect about ${told(expected)} from now on rather than ${told(ratio)}`;
}
