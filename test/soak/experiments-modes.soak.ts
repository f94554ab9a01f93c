/**
 * False winners in every mode, whatever the reply rates do meanwhile, in numbers that no commit plays. The report is
 * `docs/reports/experiments-modes.md`.
 */

import { afterAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { wilson } from "#domain/experiments/stats/intervals.ts";
import { playBandit } from "../support/trials/bandit.ts";
import { playKind } from "../support/trials/counted.ts";
import { type Drift, factorOf } from "../support/trials/drift.ts";

const REPORT = join(import.meta.dir, ...["..", "..", "docs", "reports", "experiments-modes.md"]);
const SOAK_MS_MAX = 7_200_000;
const ALPHA = 0.05;
const EXPERIMENTS = { split: 4_000, roll: 4_000, bandit: 2_000 };
const RATE = 0.04;
const BANDIT = { days: 20, leadsPerDay: 105 };

const RATES: Readonly<Record<string, Drift | undefined>> = {
  "4 %": undefined,
  "from 4 % rising to 16 %": "rises",
  "from 16 % falling to 4 %": "falls",
  "4 %, from the middle on 16 %": "steps",
  "16 % on five days, 4 % on two": "weekday",
};

/** How many of two equal variants win, of as many experiments as {@link EXPERIMENTS} says. */
const MODES = {
  split: (drift: Drift | undefined) =>
    playKind(
      { rates: [RATE, RATE], leadsPerArm: 1_050, days: 21, ...(drift && { drift }) },
      EXPERIMENTS.split,
    ).won,
  roll: (drift: Drift | undefined) =>
    playKind(
      {
        ...{ rates: [RATE, RATE], leadsPerArm: 400, days: 7 },
        ...{ mode: "test_and_roll", earlyStopping: false },
        ...(drift && { drift }),
      },
      EXPERIMENTS.roll,
    ).won,
  bandit: (drift: Drift | undefined) => {
    const rate = (day: number) => RATE * factorOf(drift, day, BANDIT.days);
    const winners = Array.from({ length: EXPERIMENTS.bandit }, (_, nth) => {
      return playBandit(nth + 1, { ...BANDIT, rate, ratios: [1, 1] }).last.winner;
    });
    return winners.filter((winner) => winner !== null).length;
  },
} as const;
const rows = new Map<string, string[]>();

describe("soak of modes", () => {
  for (const [name, drift] of Object.entries(RATES)) {
    test.each(["split", "roll", "bandit"] as const)(
      `a winner is false in 5 of 100 at most: ${name}, %s`,
      (mode) => {
        const n = EXPERIMENTS[mode];
        const won = MODES[mode](drift);
        const { lower, upper } = wilson({ x: won, n });
        const cell = `${percent(won / n)} (${percent(lower)} to ${percent(upper)})`;
        rows.set(name, [...(rows.get(name) ?? []), cell]);
        expect(lower).toBeLessThanOrEqual(ALPHA);
      },
      SOAK_MS_MAX,
    );
  }

  afterAll(() => writeFileSync(REPORT, report()));
});

function report(): string {
  const [split, roll, bandit] = Object.values(EXPERIMENTS).map((n) => n.toLocaleString("en"));
  return `${[
    "# Modes of experiments",
    "",
    "Two variants with the same reply rate, played by counts; replies come within seven days. Whoever wins is a false",
    `winner. A fixed split (and \`auto_winner\`, which is read alike) of 1,050 leads each over 21 days, read every day`,
    `and ended as soon as it may end: ${split} a line. A \`test_and_roll\` that tests on 800 leads over 7 days: ${roll};`,
    "a leader that it only picks isn't a winner. A bandit of 2,100 leads over 20 days whose shares are set every day:",
    `${bandit}. In brackets Wilson's 95 % interval.`,
    "",
    "| reply rate | `fixed_split`, `auto_winner` | `test_and_roll` | `thompson_sampling` |",
    "|---|---:|---:|---:|",
    ...[...rows].map(([name, cells]) => `| ${[name, ...cells].join(" | ")} |`),
  ].join("\n")}\n`;
}

function percent(rate: number): string {
  return `${(100 * rate).toFixed(1)} %`;
}
