/**
 * Guarantees of a bandit under rates that move with the days: equal variants stay equal however the rate
 * moves, and a doubled rate is still found. Trials are drawn here, and read by the product's own analysis.
 */

import { describe, expect, test } from "bun:test";
import { isSignificant } from "#domain/experiments/experiment-pairs.ts";
import { type BanditPlan, playBandit } from "../../../support/trials/bandit.ts";

const PLAN: BanditPlan = { days: 20, leadsPerDay: 105, rate: () => 0.04, ratios: [1, 1] };
const RISES = (day: number) => 0.04 + (0.12 * day) / 19;

const TRIALS = 32;
const playAll = (plan: Partial<BanditPlan>) =>
  Array.from({ length: TRIALS }, (_, seed) => playBandit(seed + 1, { ...PLAN, ...plan }));

describe("of two equal variants under Thompson sampling at most two in 32 win where the rate", () => {
  test.each([
    ["rises", RISES],
    ["falls", (day: number) => 0.16 - (0.12 * day) / 19],
    ["steps up", (day: number) => (day < 10 ? 0.02 : 0.08)],
    ["follows the weekday", (day: number) => (day % 7 < 5 ? 0.08 : 0.02)],
  ])("%s", (_name, rate) => {
    const readings = playAll({ rate }).map(({ last }) => last);
    const won = readings.filter(({ winner }) => winner !== null);
    expect(won.length).toBeLessThanOrEqual(2);
    // Whoever wins is shown by the p-value too.
    expect(won.every(({ pairs }) => pairs.every(isSignificant))).toBe(true);
  });
});

test("a rate of twice as much is found in every second bandit", () => {
  const readings = playAll({ ratios: [1, 2] }).map(({ last }) => last);
  const found = readings.filter(({ winner }) => winner === 1);
  expect(found.length).toBeGreaterThanOrEqual(TRIALS / 2);
  expect(readings.filter(({ winner }) => winner === 0)).toEqual([]);
});

test("a rate that rises moves the plain ratio, and not the one that is told", () => {
  const trials = playAll({ rate: RISES, ratios: [1, 1.5] });
  const middle = (ratios: number[]) => ratios.toSorted((a, b) => a - b)[TRIALS / 2] ?? 0;
  const plain = trials.map(({ counts: [a, b] }) => {
    return ((b?.replies ?? 0) / (b?.sent ?? 0)) * ((a?.sent ?? 0) / (a?.replies ?? 0));
  });
  const told = trials.map(({ last: { pairs } }) => pairs[0]?.ratio ?? 0);
  expect(middle(plain)).toBeGreaterThan(1.65);
  expect(middle(told)).toBeWithin(1.4, 1.6);
  const holding = trials.filter(({ last: { pairs } }) => {
    const { ratioLow, ratioHigh } = pairs[0] ?? {};
    return (ratioLow ?? 0) <= 1.5 && 1.5 <= (ratioHigh ?? Number.POSITIVE_INFINITY);
  });
  expect(holding.length).toBeGreaterThanOrEqual(28);
});
