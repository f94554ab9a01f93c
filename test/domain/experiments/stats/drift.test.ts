/**
 * Guarantees of a bandit under rates that move with the days: equal variants stay equal however the rate
 * moves, and a doubled rate is still found. Trials are drawn here, and read by the product's own analysis.
 */

import { describe, expect, test } from "bun:test";
import { type Allocation, pickVariant } from "#domain/experiments/experiment.ts";
import { nextShares } from "#domain/experiments/experiment-allocation.ts";
import type { Figures } from "#domain/experiments/experiment-figures.ts";
import { isSignificant } from "#domain/experiments/experiment-pairs.ts";
import { type Reading, readExperiment } from "#domain/experiments/experiment-reading.ts";
import { addCounts, type Counts, NO_COUNTS } from "#domain/experiments/exposure.ts";
import { figures, outlook } from "../../../support/figures.ts";

const WINDOW_DAYS = 7;

/** Uniform in [0, 1): mulberry32, so that each run draws the same. */
function diceOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Trial {
  days: number;
  leadsPerDay: number;
  /** The first variant's reply rate by day. */
  rate: (day: number) => number;
  /** Each variant's rate over the first one's. */
  ratios: readonly number[];
}

const TRIAL: Trial = { days: 20, leadsPerDay: 105, rate: () => 0.04, ratios: [1, 1] };

/** One bandit from its first day to its last reading. Replies come within seven days. */
function play(seed: number, { days, leadsPerDay, rate, ratios }: Trial): Reading {
  const dice = diceOf(seed);
  const allocations: Allocation[] = [];
  const sent: number[][] = [];
  const replies: { day: number; arm: number; arrivesAt: number }[] = [];
  const figuresAt = (now: number): Figures => {
    const epochs = allocations.map((allocation, day) => {
      const counts = ratios.map((_, arm): Counts => {
        const leads = sent[day]?.[arm] ?? 0;
        const come = replies.filter(
          (reply) => reply.day === day && reply.arm === arm && reply.arrivesAt <= now,
        ).length;
        const judged = now < day + WINDOW_DAYS ? {} : { successes: come, failures: leads - come };
        return { ...NO_COUNTS, sent: leads, replies: come, ...judged };
      });
      return { allocation, counts };
    });
    const sums = ratios.map((_, arm) =>
      epochs.reduce((sum, { counts }) => addCounts(sum, counts[arm] ?? NO_COUNTS), NO_COUNTS),
    );
    const isFinal = now >= days + WINDOW_DAYS;
    return figures(sums, { mode: "thompson_sampling", epochs, isFinal });
  };
  for (let day = 0; day < days; day += 1) {
    const allocation = day === 0 ? ratios.map(() => 1 / ratios.length) : nextShares(figuresAt(day));
    allocations.push(allocation);
    const today = ratios.map(() => 0);
    for (let lead = 0; lead < leadsPerDay; lead += 1) {
      const arm = pickVariant(allocation, dice());
      today[arm] = (today[arm] ?? 0) + 1;
      if (dice() < rate(day) * (ratios[arm] ?? 1)) {
        replies.push({ day, arm, arrivesAt: day + WINDOW_DAYS * dice() });
      }
    }
    sent.push(today);
  }
  return readExperiment(figuresAt(days + WINDOW_DAYS), outlook());
}

const TRIALS = 32;
const playAll = (trial: Partial<Trial>) =>
  Array.from({ length: TRIALS }, (_, seed) => play(seed + 1, { ...TRIAL, ...trial }));

describe("of two equal variants under Thompson sampling at most two in 32 win where the rate", () => {
  test.each([
    ["rises", (day: number) => 0.04 + (0.12 * day) / 19],
    ["falls", (day: number) => 0.16 - (0.12 * day) / 19],
    ["steps up", (day: number) => (day < 10 ? 0.02 : 0.08)],
    ["follows the weekday", (day: number) => (day % 7 < 5 ? 0.08 : 0.02)],
  ])("%s", (_name, rate) => {
    const readings = playAll({ rate });
    const won = readings.filter(({ winner }) => winner !== null);
    expect(won.length).toBeLessThanOrEqual(2);
    // Whoever wins is shown by the p-value too.
    expect(won.every(({ pairs }) => pairs.every(isSignificant))).toBe(true);
  });
});

test("a rate of twice as much is found in every second bandit", () => {
  const readings = playAll({ ratios: [1, 2] });
  const found = readings.filter(({ winner }) => winner === 1);
  expect(found.length).toBeGreaterThanOrEqual(TRIALS / 2);
  expect(readings.filter(({ winner }) => winner === 0)).toEqual([]);
});
