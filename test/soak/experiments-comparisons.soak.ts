/**
 * What is told of differences in numbers that no commit plays: whether the ratios of bandits are those of the rates
 * that leads had, and their intervals hold. The report is `docs/reports/experiments-comparisons.md`.
 */

import { afterAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PairReading } from "#domain/experiments/experiment-pairs.ts";
import { type BanditPlan, type BanditTrial, playBandit } from "../support/trials/bandit.ts";

const BANDITS = 2_000;
const REPORT = join(
  import.meta.dir,
  ...["..", "..", "docs", "reports", "experiments-comparisons.md"],
);
const SOAK_MS_MAX = 7_200_000;
/** Off the true ratio, on the mean of its logarithm. */
const BIAS_MAX = 0.05;
const HOLDS_MIN = 0.94;
const EVER_MAX = 0.05;

const PLAN = { days: 20, leadsPerDay: 105 };
const RATES: Readonly<Record<string, BanditPlan["rate"]>> = {
  "4 %": () => 0.04,
  "from 4 % rising to 16 %": (day) => 0.04 + (0.12 * day) / 19,
  "from 16 % falling to 4 %": (day) => 0.16 - (0.12 * day) / 19,
  "4 %, from the middle on 16 %": (day) => (day < 10 ? 0.04 : 0.16),
  "16 % on five days, 4 % on two": (day) => (day % 7 < 5 ? 0.16 : 0.04),
};
const ratios: string[] = [];

describe("soak of bandits' ratios", () => {
  test.each(Object.keys(RATES).flatMap((name) => [1, 1.5].map((ratio) => [name, ratio] as const)))(
    "%s, times %p: the ratio is unbiased, and its interval holds",
    (name, ratio) => {
      const rate = RATES[name] ?? (() => 0);
      const trials = Array.from({ length: BANDITS }, (_, nth) =>
        playBandit(nth + 1, { ...PLAN, rate, ratios: [1, ratio] }),
      );
      const told = meanRatio(trials.map(({ last }) => last.pairs[0]?.ratio ?? null));
      const holds = part(trials, ({ last }) => last.pairs.every((pair) => isWithin(pair, ratio)));
      const ever = part(trials, ({ daily }) => !daily.every((pair) => isWithin(pair, ratio)));
      const cells = [name, String(ratio), meanRatio(trials.map(plainRatio)).toFixed(2)];
      cells.push(told.toFixed(2), percent(holds), percent(ever));
      ratios.push(`| ${cells.join(" | ")} |`);
      expect(Math.abs(Math.log(told / ratio))).toBeLessThanOrEqual(BIAS_MAX);
      expect(holds).toBeGreaterThanOrEqual(HOLDS_MIN);
      expect(ever).toBeLessThanOrEqual(EVER_MAX);
    },
    SOAK_MS_MAX,
  );

  afterAll(() => writeFileSync(REPORT, report()));
});

function isWithin({ ratioLow, ratioHigh }: PairReading, ratio: number): boolean {
  return (ratioLow ?? 0) <= ratio && ratio <= (ratioHigh ?? Number.POSITIVE_INFINITY);
}

function plainRatio({ counts: [a, b] }: BanditTrial): number | null {
  return a === undefined || b === undefined || a.replies === 0
    ? null
    : b.replies / b.sent / (a.replies / a.sent);
}

/** The geometric mean; of those without one, nothing can be said. */
function meanRatio(all: readonly (number | null)[]): number {
  const known = all.filter((ratio) => ratio !== null && ratio > 0) as number[];
  return Math.exp(known.reduce((sum, ratio) => sum + Math.log(ratio), 0) / known.length);
}

function part<Trial>(trials: readonly Trial[], is: (trial: Trial) => boolean): number {
  return trials.filter(is).length / trials.length;
}

function percent(rate: number): string {
  return `${(100 * rate).toFixed(1)} %`;
}

function report(): string {
  return `${[
    "# Comparisons of experiments",
    "",
    "Played by counts, as the product reads them; replies come within seven days.",
    "",
    "## The ratio of a bandit",
    "",
    `${BANDITS.toLocaleString("en")} bandits a line of two variants, 2,100 leads over 20 days. The plain ratio is that of`,
    "`reply_rate`, the other one is `lift_ratio`, each on the mean. The last two columns: how often the interval at the",
    "end holds the true ratio, and how often that of any day before did not.",
    "",
    "| reply rate of the first | true ratio | plain ratio | `lift_ratio` | holds at the end | ever left it out |",
    "|---|---:|---:|---:|---:|---:|",
    ...ratios,
  ].join("\n")}\n`;
}
