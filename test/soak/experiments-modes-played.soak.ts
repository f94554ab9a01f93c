/**
 * Experiments in every mode, played through the whole program in numbers that no commit plays. The report is
 * `docs/reports/experiments-modes-played.md`. `OUTRIDER_TRIALS_KEPT` as in `experiments.soak.ts`.
 */

import { afterAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { OPTIMIZATION_MODES, type OptimizationMode } from "#domain/experiments/experiment.ts";
import { wilson } from "#domain/experiments/stats/intervals.ts";
import { keptIn } from "../support/kept.ts";
import { askOf, BEST, EXPERIMENTS, isAlike, LEADS, TRUTHS } from "../support/trials/modes.ts";
import type { Trial } from "../support/trials/play.ts";
import { plansOf, playAll } from "../support/trials/side-by-side.ts";

const KEPT = process.env["OUTRIDER_TRIALS_KEPT"];
const SOAK_MS_MAX = 172_800_000;
const REPORT = join(
  import.meta.dir,
  ...["..", "..", "docs", "reports"],
  "experiments-modes-played.md",
);
const ALPHA = 0.05;

/** By truth. */
const played = new Map<string, Record<OptimizationMode, Trial[]>>();

describe("soak of modes, played", () => {
  for (const [truth, ask] of Object.entries(TRUTHS)) {
    test(
      `every mode comes to its end: ${truth}`,
      async () => {
        const modes = {
          fixed_split: [],
          thompson_sampling: [],
          auto_winner: [],
          test_and_roll: [],
        };
        const trials: Record<OptimizationMode, Trial[]> = modes;
        for (const mode of OPTIMIZATION_MODES) {
          const plans = plansOf(askOf(truth, mode));
          trials[mode] = await playAll(plans, KEPT === undefined ? undefined : keptIn(KEPT));
        }
        played.set(truth, trials);
        const all = Object.values(trials).flat();
        expect(all).toHaveLength(OPTIMIZATION_MODES.length * (ask.experiments ?? EXPERIMENTS));
        expect(all.every(({ status }) => status === "completed")).toBe(true);
        if (!isAlike(ask)) {
          const [split, roll] = [trials.fixed_split, trials.test_and_roll].map(repliesOf);
          expect(roll).toBeGreaterThanOrEqual((split ?? 0) * REPLIES_MIN);
        }
      },
      SOAK_MS_MAX,
    );
  }

  test.each(OPTIMIZATION_MODES)("whoever wins is the best, but in 5 of 100: %s", (mode) => {
    const { wrong, experiments } = wrongIn(mode);
    expect(wilson({ x: wrong, n: experiments }).lower).toBeLessThanOrEqual(ALPHA);
  });

  afterAll(() => writeFileSync(REPORT, report()));
});

/** Of a fixed split's; what chance takes from so few. */
const REPLIES_MIN = 0.9;

const repliesOf = (trials: readonly Trial[]) =>
  trials.reduce((sum, { replied }) => sum + replied, 0);
const daysOf = (trials: readonly Trial[]) =>
  trials.reduce((sum, { days }) => sum + days, 0) / trials.length;

/** Winners that aren't the best, or where there is none. */
function wrongOf(truth: string, trials: readonly Trial[]): number {
  const none = isAlike(TRUTHS[truth] ?? { rates: [] });
  return trials.filter(({ winner }) => winner !== null && (none || winner !== BEST)).length;
}

function wrongIn(mode: OptimizationMode): { wrong: number; experiments: number } {
  const all = [...played].map(([truth, modes]) => ({ truth, trials: modes[mode] }));
  return {
    wrong: all.reduce((sum, { truth, trials }) => sum + wrongOf(truth, trials), 0),
    experiments: all.reduce((sum, { trials }) => sum + trials.length, 0),
  };
}

function cellOf(truth: string, mode: OptimizationMode, trials: Record<OptimizationMode, Trial[]>) {
  const own = trials[mode];
  const wrong = wrongOf(truth, own);
  const times = (repliesOf(own) / repliesOf(trials.fixed_split)).toFixed(2);
  const won = own.filter(({ winner }) => winner === BEST).length;
  const picked = own.filter(({ winner, picked: place }) => (winner ?? place) === BEST).length;
  const found = mode === "test_and_roll" ? `${picked}, ${won}` : String(won);
  return [
    ...(isAlike(TRUTHS[truth] ?? { rates: [] }) ? ["–"] : [found]),
    ...[String(wrong), times, daysOf(own).toFixed(1)],
  ].join(" · ");
}

function report(): string {
  const programs = new Set(
    [...played.values()].flatMap((modes) =>
      Object.values(modes).flatMap((trials) => trials.map(({ program }) => program)),
    ),
  );
  return `${[
    "# Modes of experiments, played",
    "",
    "Played through the whole program in every mode: leads imported, emails sent, replies and bounces read from",
    "mailboxes, each experiment read every day, and the campaign's other leads emailed with what came after it.",
    `In brackets how many in each mode. ${LEADS} leads for each variant over 14 days, replies up to seven days later,`,
    "1.6 % bounce, and one mailbox in four is answered three times as often as another. Played by",
    `${[...programs].sort().join(", ")}.`,
    "",
    "A cell tells how often the best variant won (of a test-and-roll: was picked, and won), how often another one did,",
    "the campaign's replies as a multiple of the fixed split's, and the days to the verdict. Until somebody wins,",
    "`auto_winner` plays the fixed split's games.",
    "",
    `| reply rates | ${OPTIMIZATION_MODES.map((mode) => `\`${mode}\``).join(" | ")} |`,
    `|---|${"---:|".repeat(OPTIMIZATION_MODES.length)}`,
    ...[...played].map(([truth, trials]) => {
      const cells = OPTIMIZATION_MODES.map((mode) => cellOf(truth, mode, trials));
      const name = `${truth} (${trials.fixed_split.length})`;
      return `| ${[name, ...cells].join(" | ")} |`;
    }),
    `| a wrong winner, in all | ${OPTIMIZATION_MODES.map(wrongIn).map(shareOf).join(" | ")} |`,
  ].join("\n")}\n`;
}

function shareOf({ wrong, experiments }: { wrong: number; experiments: number }): string {
  const { lower, upper } = wilson({ x: wrong, n: experiments });
  const percent = (rate: number) => `${(100 * rate).toFixed(1)} %`;
  return `${percent(wrong / experiments)} (${percent(lower)} to ${percent(upper)})`;
}
