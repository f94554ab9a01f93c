/** Figures of experiments as a sentence holds them. */

import { toIso, type UnixMs } from "#domain/time.ts";
import type { PrimaryMetric } from "./experiment.ts";
import type { PairReading } from "./experiment-pairs.ts";

export type Params = Readonly<Record<string, string | number | null | readonly string[]>>;

export const METRIC_EVENTS: Readonly<Record<PrimaryMetric, string>> = {
  reply_rate: "replies",
  interested_rate: "interested replies",
  bounce_rate: "bounces",
};

const PERCENT_MOST = 99.9;

/** One decimal at most; never 100 for what is not certain. */
export function asPercent(share: number): string {
  const percent = Number((share * 100).toFixed(1));
  return String(share < 1 ? Math.min(PERCENT_MOST, percent) : percent);
}

/** Two decimals at most, one from 10 on. */
export function asRatio(ratio: number): string {
  return String(Number(ratio.toFixed(ratio < 10 ? 2 : 1)));
}

const ONE_PERCENT = 0.01;

/** A ratio of rates as what it changes: `+381%`, `−2%`; one decimal below 1 %, so that no change is told as none. */
export function asChange(ratio: number): string {
  const change = ratio - 1;
  const digits = change !== 0 && Math.abs(change) < ONE_PERCENT ? 1 : 0;
  const percent = Math.abs(change * 100).toFixed(digits);
  return `${change > 0 ? "+" : change < 0 ? "−" : ""}${asCount(Number(percent), digits)}%`;
}

export function asCount(count: number, digits = 0): string {
  return count.toLocaleString("en-US", { minimumFractionDigits: digits });
}

export function plural(count: number, one: string): string {
  return `${asCount(count)} ${one}${count === 1 ? "" : "s"}`;
}

/** An expected loss as events of 1,000 leads. */
export function asLoss(loss: number): string {
  const lost = loss * 1000;
  return lost < 0.1 ? "less than 0.1" : `about ${Number(lost.toFixed(lost < 10 ? 1 : 0))}`;
}

/** In UTC, `2026-03-01`. */
export function dateOf(at: UnixMs): string {
  return toIso(at).slice(0, 10);
}

/** `A, B and C`. */
export function listed(names: readonly string[]): string {
  return names.length < 2
    ? (names[0] ?? "")
    : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** How many times the events of `rivals` the winner has, at least and at most (null: no bound). */
export function ratioOver(
  pairs: readonly PairReading[],
  winner: number,
  rivals: readonly number[],
): { low: number; high: number | null; confidence: number } {
  const own = pairs.filter(
    ({ a, b }) => (a === winner && rivals.includes(b)) || (b === winner && rivals.includes(a)),
  );
  const bounds = own.map((pair) => boundsOf(pair, winner));
  const high = Math.max(0, ...bounds.map((bound) => bound.high));
  return {
    low: bounds.length === 0 ? 0 : Math.min(...bounds.map((bound) => bound.low)),
    high: Number.isFinite(high) ? high : null,
    confidence: 1 - Math.max(0, ...own.map(({ pValue }) => pValue)),
  };
}

/** Of the winner's rate over the other's. */
function boundsOf({ a, ratioLow, ratioHigh }: PairReading, winner: number) {
  const [low, high] = [ratioLow ?? 0, ratioHigh ?? Number.POSITIVE_INFINITY];
  return a === winner ? { low: inverse(high), high: inverse(low) } : { low, high };
}

function inverse(ratio: number): number {
  return ratio === 0 ? Number.POSITIVE_INFINITY : 1 / ratio;
}
