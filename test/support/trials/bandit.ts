/**
 * Bandits by their counts alone: shares are set anew each day as the product sets them, replies come within a week,
 * and each day is read as the product reads it.
 */

import { type Allocation, pickVariant } from "#domain/experiments/experiment.ts";
import { nextShares } from "#domain/experiments/experiment-allocation.ts";
import type { Figures } from "#domain/experiments/experiment-figures.ts";
import { type PairReading, readPairs } from "#domain/experiments/experiment-pairs.ts";
import { type Reading, readExperiment } from "#domain/experiments/experiment-reading.ts";
import { addCounts, type Counts, NO_COUNTS } from "#domain/experiments/exposure.ts";
import { figures, outlook } from "../figures.ts";

const WINDOW_DAYS = 7;

export interface BanditPlan {
  days: number;
  leadsPerDay: number;
  /** The first variant's reply rate by day. */
  rate: (day: number) => number;
  /** Each variant's rate over the first one's. */
  ratios: readonly number[];
}

export interface BanditTrial {
  last: Reading;
  /** The first pair at the end of each day, while leads are assigned. */
  daily: PairReading[];
  /** The counts at the end, by variant. */
  counts: Counts[];
}

/** Uniform in [0, 1): mulberry32, so that each run draws the same. */
export function diceOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function playBandit(seed: number, plan: BanditPlan): BanditTrial {
  const { days, leadsPerDay, rate, ratios } = plan;
  const dice = diceOf(seed);
  const played = new Played(ratios.length);
  const daily: PairReading[] = [];
  for (let day = 0; day < days; day += 1) {
    const allocation =
      day === 0 ? ratios.map(() => 1 / ratios.length) : nextShares(played.at(day, false));
    played.open(allocation);
    for (let lead = 0; lead < leadsPerDay; lead += 1) {
      const arm = pickVariant(allocation, dice());
      const replies = dice() < rate(day) * (ratios[arm] ?? 1);
      played.send(day, arm, replies ? day + WINDOW_DAYS * dice() : null);
    }
    daily.push(...readPairs(played.at(day + 1, false), null, 0).slice(0, 1));
  }
  const end = played.at(days + WINDOW_DAYS, true);
  const last = readExperiment(end, outlook());
  return { last, daily, counts: end.arms.map(({ counts }) => counts) };
}

class Played {
  readonly #arms: number;
  readonly #allocations: Allocation[] = [];
  readonly #sent: number[][] = [];
  readonly #replies: { day: number; arm: number; arrivesAt: number }[] = [];

  constructor(arms: number) {
    this.#arms = arms;
  }

  open(allocation: Allocation): void {
    this.#allocations.push(allocation);
    this.#sent.push(allocation.map(() => 0));
  }

  send(day: number, arm: number, arrivesAt: number | null): void {
    const today = this.#sent[day] ?? [];
    today[arm] = (today[arm] ?? 0) + 1;
    if (arrivesAt !== null) {
      this.#replies.push({ day, arm, arrivesAt });
    }
  }

  at(now: number, isFinal: boolean): Figures {
    const come = this.#allocations.map(() => Array.from({ length: this.#arms }, () => 0));
    for (const { day, arm, arrivesAt } of this.#replies) {
      const own = come[day];
      if (own !== undefined && arrivesAt <= now) {
        own[arm] = (own[arm] ?? 0) + 1;
      }
    }
    const epochs = this.#allocations.map((allocation, day) => ({
      allocation,
      counts: allocation.map((_, arm): Counts => {
        const sent = this.#sent[day]?.[arm] ?? 0;
        const replies = come[day]?.[arm] ?? 0;
        const isMeasured = now >= day + WINDOW_DAYS;
        const judged = isMeasured ? { successes: replies, failures: sent - replies } : {};
        return { ...NO_COUNTS, sent, replies, ...judged };
      }),
    }));
    const sums = Array.from({ length: this.#arms }, (_, arm) =>
      epochs.reduce((sum, { counts }) => addCounts(sum, counts[arm] ?? NO_COUNTS), NO_COUNTS),
    );
    return figures(sums, { mode: "thompson_sampling", epochs, isFinal });
  }
}
