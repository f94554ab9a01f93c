/**
 * What a winner's lift is to be expected at, rather than measured: winners are measured too well, because they were
 * selected for it.
 *
 * Source: ours, argued in `docs/adr/experiments.md`.
 */

import { expectedLift, type LogLift } from "#domain/experiments/stats/shrinkage.ts";
import { commonEpochs, eventsOf, type Figures, sumOver } from "./experiment-figures.ts";
import type { PairReading } from "./experiment-pairs.ts";
import { asRatio } from "./experiment-words.ts";
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

/** Of the winner against the rival that it beats the least; null where that is unknown. */
export function tellExpected(pairs: readonly PairReading[], winner: number): string | null {
  const own = pairs.flatMap(({ a, b, ratio, expected = null }) => {
    if ((a !== winner && b !== winner) || ratio === null || expected === null) {
      return [];
    }
    return a === winner
      ? [{ measured: 1 / ratio, expected: 1 / expected }]
      : [{ measured: ratio, expected }];
  });
  const least = own.toSorted(
    (one, other) => Math.abs(Math.log(one.measured)) - Math.abs(Math.log(other.measured)),
  )[0];
  return least === undefined
    ? null
    : `expect about ${asRatio(least.expected)}x rather than the measured ${asRatio(least.measured)}x`;
}
