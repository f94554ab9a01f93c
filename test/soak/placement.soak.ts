/**
 * How often a drop in placement is told that is none, and how soon one that is. The report is
 * `docs/reports/placement.md`.
 */

import { afterAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { wilson } from "#domain/experiments/stats/intervals.ts";
import { naivelyToldAt, playRun, toldAt } from "../support/trials/placement.ts";

const REPORT = join(import.meta.dir, ...["..", "..", "docs", "reports", "placement.md"]);
const SOAK_MS_MAX = 7_200_000;
const ALPHA = 0.05;
const SERIES = { weekly: 2_000, daily: 400, drop: 400 };
/** Runs after a drop that are waited for. */
const AFTER_MAX = 52;

const WEEKLY = [
  ...[0, 0.1, 0.3].map((correlation) => ({ correlation, rate: 0.9, seeds: 4 })),
  { correlation: 0.1, rate: 0.9, seeds: 1 },
  { correlation: 0.3, rate: 0.9, seeds: 10 },
  { correlation: 0.1, rate: 0.5, seeds: 4 },
  { correlation: 0.3, rate: 0.98, seeds: 4 },
];
const DAILY = [
  { correlation: 0, rate: 0.9, seeds: 4 },
  { correlation: 0.3, rate: 0.9, seeds: 4 },
];
const DROPS = [12, 26, 52].flatMap((before) =>
  [0, 0.1, 0.3].map((correlation) => ({ before, correlation, seeds: 4 })),
);
const falseAlarms: string[] = [];
const waits: string[] = [];

describe("soak of placement", () => {
  test.each([
    ...WEEKLY.map((plan) => ({ ...plan, runs: 52 })),
    ...DAILY.map((plan) => ({ ...plan, runs: 365 })),
  ])(
    "a drop is false in 5 of 100 years at most: $runs runs of $seeds, $rate in the inbox, $correlation",
    (plan) => {
      const { runs: length, rate, seeds, correlation } = plan;
      const n = length === 52 ? SERIES.weekly : SERIES.daily;
      const told = { ours: 0, naive: 0 };
      for (let series = 0; series < n; series += 1) {
        const runs = Array.from({ length }, (_, nth) => playRun(plan, rate, series, nth));
        told.ours += toldAt(runs) === undefined ? 0 : 1;
        told.naive += naivelyToldAt(runs) === undefined ? 0 : 1;
      }
      const cells = [told.ours, told.naive].map((x) => {
        const { lower, upper } = wilson({ x, n });
        return `${percent(x / n)} (${percent(lower)} to ${percent(upper)})`;
      });
      const first = [length === 52 ? "every week" : "every day", seeds, percent(rate), correlation];
      falseAlarms.push(`| ${[...first, n, ...cells].join(" | ")} |`);
      expect(wilson({ x: told.ours, n }).upper).toBeLessThanOrEqual(ALPHA);
    },
    SOAK_MS_MAX,
  );

  test.each(DROPS)(
    "a drop is told: $before runs before, $correlation",
    (plan) => {
      const { before, correlation } = plan;
      const cells = [0.5, 0.2].map((rate) => {
        const runs = Array.from({ length: SERIES.drop }, (_, series) => {
          const all = Array.from({ length: before + AFTER_MAX }, (_each, nth) =>
            playRun(plan, nth < before ? 0.9 : rate, series, nth),
          );
          return (toldAt(all, before + 1) ?? Number.POSITIVE_INFINITY) - before;
        }).toSorted((a, b) => a - b);
        return [0.5, 0.9].map((share) => runs[Math.floor(share * SERIES.drop)] ?? 0);
      });
      const shown = cells.flat().map((one) => (Number.isFinite(one) ? one : `over ${AFTER_MAX}`));
      waits.push(`| ${[before, correlation, ...shown].join(" | ")} |`);
      expect(cells[1]?.[0]).toBeLessThanOrEqual(AFTER_MAX / 4);
    },
    SOAK_MS_MAX,
  );

  afterAll(() => writeFileSync(REPORT, report()));
});

function report(): string {
  return `${[
    "# Drops in placement",
    "",
    "Runs of test emails from one mailbox to the seeds of one provider, played by their counts and read after every",
    "run. Two emails of one run are correlated as the table says (beta-binomial). A drop is told at e = 20. Beside it",
    "the naive way: Fisher's exact test of each run against all before it, at 5 %. Written by",
    "`test/soak/placement.soak.ts`.",
    "",
    "## No drop",
    "",
    "A year of runs with the same rate. Whatever is told is a false alarm. In brackets Wilson's 95 % interval.",
    "",
    "| runs | seeds | in the inbox | correlation | series | e-process | naive |",
    "|---|---:|---:|---:|---:|---:|---:|",
    ...falseAlarms,
    "",
    "## A drop from 90 %",
    "",
    `Four seeds; ${SERIES.drop} series a line. Runs after the drop until it is told, at most ${AFTER_MAX}: half of the series have it by`,
    "the median, and nine of ten by the other figure.",
    "",
    "| runs before | correlation | to 50 %, median | 9 of 10 | to 20 %, median | 9 of 10 |",
    "|---:|---:|---:|---:|---:|---:|",
    ...waits,
  ].join("\n")}\n`;
}

function percent(rate: number): string {
  return `${(100 * rate).toFixed(1)} %`;
}
