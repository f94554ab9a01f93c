/**
 * Experiments in numbers that no commit plays: false verdicts of 2,000 and 500 sound ones of 1,050 leads an
 * arm, and how often a doubled rate is found, beside the test that is read only once, on the same figures.
 * The report is `docs/reports/experiments.md`; `OUTRIDER_TRIALS` plays that share of them (1), and what was
 * played is kept in the directory `OUTRIDER_TRIALS_KEPT` where that is set: it takes hours, and goes on there.
 */

import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { wilson } from "#domain/stats/intervals.ts";
import { keptIn } from "../support/kept.ts";
import type { Trial } from "../support/trials/play.ts";
import { type Ask, plansOf, playAll } from "../support/trials/side-by-side.ts";

const SHARE = Number(process.env["OUTRIDER_TRIALS"] ?? 1);
const KEPT = process.env["OUTRIDER_TRIALS_KEPT"];
const SOAK_MS_MAX = 172_800_000;
const REPORT = join(import.meta.dir, "..", "..", "docs", "reports", "experiments.md");
const ALPHA = 0.05;
const UPPER_MAX = 0.055;
/** Points of power that may be lost against the fixed-horizon test. */
const LOST_MAX = 0.05;

const LARGE = { leadsPerArm: 1_050, durationDays: 21 };
const ALIKE: (Ask & { name: string })[] = [
  {
    name: "two variants",
    ...LARGE,
    seed: 10_000,
    experiments: 2_000,
    rates: [0.04, 0.04],
    mode: "fixed_split",
  },
  {
    name: "four variants",
    ...LARGE,
    seed: 20_000,
    experiments: 500,
    rates: [0.04, 0.04, 0.04, 0.04],
    mode: "fixed_split",
  },
  {
    name: "two variants under Thompson sampling",
    ...LARGE,
    seed: 30_000,
    experiments: 500,
    rates: [0.04, 0.04],
    mode: "thompson_sampling",
  },
];
const DOUBLED: Ask = {
  ...LARGE,
  seed: 40_000,
  experiments: 200,
  rates: [0.04, 0.08],
  mode: "fixed_split",
};

const lines: string[] = [];

describe("soak of experiments", () => {
  for (const { name, ...ask } of ALIKE) {
    test(
      `a verdict is false in 5 of 100 at most: ${name}`,
      async () => {
        const trials = await played(ask);
        const claimed = trials.filter((trial) => trial.claimed).length;
        const alarms = trials.filter(({ alarm }) => alarm).length;
        const { lower, upper } = wilson({ x: claimed, n: trials.length });
        lines.push(
          `| ${name} | ${trials.length} | ${claimed} | ${percent(claimed / trials.length)} | ` +
            `${percent(lower)} to ${percent(upper)} | ${alarms} |`,
        );
        expect(trials.every(({ status }) => status === "completed")).toBe(true);
        expect(lower).toBeLessThanOrEqual(ALPHA);
        if (SHARE >= 1) {
          expect(upper).toBeLessThanOrEqual(UPPER_MAX);
        }
      },
      SOAK_MS_MAX,
    );
  }

  test(
    "a doubled rate is found as often as by the test that is read once, but for 5 points",
    async () => {
      const held = await played({ ...DOUBLED, earlyStopping: false });
      const daily = await played(DOUBLED);
      const found = daily.filter(({ winner }) => winner === 1);
      const fixed = held.filter(({ pFixed }) => pFixed !== null && pFixed <= ALPHA);
      const days = daily.map((trial) => trial.days).reduce((sum, one) => sum + one, 0);
      const power = [found, fixed].map(({ length }) => length / daily.length) as [number, number];
      lines.push(
        "",
        `4 % against 8 %, ${daily.length} experiments: found in ${percent(power[0])}; by a test that is ` +
          `read once at the end, of the same people, in ${percent(power[1])}. The verdict came after ` +
          `${(days / daily.length).toFixed(1)} days in the mean; the test at the end comes after 28. ` +
          `The worse variant won ${daily.filter(({ winner }) => winner === 0).length} times.`,
      );
      expect(power[1] - power[0]).toBeLessThanOrEqual(LOST_MAX);
    },
    SOAK_MS_MAX,
  );

  afterAll(() => {
    const text = [
      "# Experiments",
      "",
      `Share of the whole soak that was played: ${SHARE}. 1,050 leads a variant, sent over 20 days; replies`,
      "come up to seven days later, 1.6 % bounce, one mailbox in four is answered three times as often as",
      "another. Each experiment is read every day, and is wrong as soon as one reading claims a difference.",
      ...(KEPT === undefined
        ? []
        : ["Some may have been played by earlier versions of the program."]),
      "",
      "| no difference | experiments | false | rate | Wilson 95 % | split called off |",
      "|---|---:|---:|---:|---:|---:|",
      ...lines,
    ];
    mkdirSync(join(REPORT, ".."), { recursive: true });
    writeFileSync(REPORT, `${text.join("\n")}\n`);
  });
});

function played(ask: Ask): Promise<Trial[]> {
  return playAll(
    plansOf({ ...ask, experiments: Math.max(1, Math.round(ask.experiments * SHARE)) }),
    KEPT === undefined ? undefined : keptIn(KEPT),
  );
}

function percent(rate: number): string {
  return `${(100 * rate).toFixed(1)} %`;
}
