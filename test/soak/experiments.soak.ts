/**
 * Experiments in numbers that no commit plays: false verdicts of sound ones, also where rates move with the
 * days, and how often a doubled rate is found, beside the test that is read only once, on the same figures.
 * The report is `docs/reports/experiments.md`; each of its lines says which commit played it, and a run
 * replaces the lines that it plays. `OUTRIDER_TRIALS` plays that share of them (1), and what was played is
 * kept in the directory `OUTRIDER_TRIALS_KEPT` where that is set: it takes hours, and goes on there.
 */

import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { wilson } from "#domain/experiments/stats/intervals.ts";
import { keptIn } from "../support/kept.ts";
import { DRIFTS } from "../support/trials/drift.ts";
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

/** Bandits whose rates move by a factor of four. */
const DRIFTING = {
  experiments: 32,
  rates: [0.04, 0.04],
  leadsPerArm: 400,
  durationDays: 20,
  mode: "thompson_sampling",
} as const;
/** Of 32. */
const FALSE_MAX = 2;
const MOVES = {
  rises: "rises from 4 % to 16 %",
  falls: "falls from 16 % to 4 %",
  steps: "4 %, then 16 % from the middle on",
  weekday: "16 % on five days, 4 % on two",
  joins: "4 %; from the middle on mailboxes at 16 % write too",
  ramps: "4 %, from new mailboxes",
} as const;

describe("soak of experiments", () => {
  for (const { name, ...ask } of ALIKE) {
    test(
      `a verdict is false in 5 of 100 at most: ${name}`,
      async () => {
        const trials = await played(ask);
        const claimed = trials.filter((trial) => trial.claimed);
        const { lower, upper } = note(name, trials, claimed.length, [
          String(trials.filter(({ alarm }) => alarm).length),
        ]);
        expect(trials.every(({ status }) => status === "completed")).toBe(true);
        expect(lower).toBeLessThanOrEqual(ALPHA);
        if (SHARE >= 1) {
          expect(upper).toBeLessThanOrEqual(UPPER_MAX);
        }
      },
      SOAK_MS_MAX,
    );
  }

  for (const [nth, drift] of DRIFTS.entries()) {
    test(
      `a bandit names at most two false winners of 32 where the rate moves: ${drift}`,
      async () => {
        const trials = await played({ ...DRIFTING, drift, seed: 50_000 + 100 * nth });
        const won = trials.filter(({ winner }) => winner !== null);
        const read = trials.filter(({ significant }) => significant);
        note(MOVES[drift], trials, won.length, [String(read.length)]);
        expect(trials.every(({ status }) => status === "completed")).toBe(true);
        expect(won.length).toBeLessThanOrEqual(FALSE_MAX);
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
      const power = [found, fixed].map(({ length }) => length / daily.length) as [number, number];
      note("two variants, 4 % and 8 %", daily, found.length, [
        percent(power[1]),
        meanDays(daily),
        String(daily.filter(({ winner }) => winner === 0).length),
      ]);
      expect(power[1] - power[0]).toBeLessThanOrEqual(LOST_MAX);
    },
    SOAK_MS_MAX,
  );

  test(
    "a doubled rate is found in every second bandit",
    async () => {
      const trials = await played({ ...DOUBLED, mode: "thompson_sampling", experiments: 32 });
      const found = trials.filter(({ winner }) => winner === 1).length;
      note("two variants under Thompson sampling, 4 % and 8 %", trials, found, [
        "–",
        meanDays(trials),
        String(trials.filter(({ winner }) => winner === 0).length),
      ]);
      expect(found).toBeGreaterThanOrEqual(trials.length / 2);
    },
    SOAK_MS_MAX,
  );

  afterAll(() => writeFileSync(REPORT, reportOf(lines)));
});

function played(ask: Ask): Promise<Trial[]> {
  return playAll(
    plansOf({ ...ask, experiments: Math.max(1, Math.round(ask.experiments * SHARE)) }),
    KEPT === undefined ? undefined : keptIn(KEPT),
  );
}

function meanDays(trials: readonly Trial[]): string {
  return (trials.reduce((sum, { days }) => sum + days, 0) / trials.length).toFixed(1);
}

/** The report's lines by their name: those of earlier runs, and over them what this one has played. */
const lines = new Map<string, string>(
  (existsSync(REPORT) ? readFileSync(REPORT, "utf8") : "").split("\n").flatMap((line) => {
    const [, name = ""] = line.split("|");
    return /^\| .*\d/.test(line) ? [[name.trim(), line] as const] : [];
  }),
);

/** Writes the line of `name`: `count` of its trials, `more` of what its table has further columns for. */
function note(name: string, trials: readonly Trial[], count: number, more: readonly string[]) {
  const { lower, upper } = wilson({ x: count, n: trials.length });
  const programs = [...new Set(trials.map(({ program }) => program))].join(", ");
  const cells = [
    name,
    String(trials.length),
    String(count),
    percent(count / trials.length),
    `${percent(lower)} to ${percent(upper)}`,
    ...more,
    programs,
  ];
  lines.set(name, `| ${cells.join(" | ")} |`);
  return { lower, upper };
}

function reportOf(played: ReadonlyMap<string, string>): string {
  const table = (head: readonly string[], names: readonly string[]) => [
    "",
    `| ${[...head, "played by"].join(" | ")} |`,
    `|---|${"---:|".repeat(head.length - 1)}---|`,
    ...names.flatMap((name) => played.get(name) ?? []),
  ];
  const rate = ["rate", "Wilson 95 %"];
  return `${[
    "# Experiments",
    "",
    "Played through the whole program: leads imported, emails sent, replies and bounces read from",
    "mailboxes, and each experiment read every day. Replies come up to seven days later, 1.6 % bounce,",
    "and one mailbox in four is answered three times as often as another. The last column is the commit of",
    "the program that played the line.",
    "",
    "## No difference",
    "",
    "1,050 leads a variant, sent over 20 days. An experiment is wrong as soon as one daily reading claims a",
    "difference.",
    ...table(
      ["variants", "experiments", "false", ...rate, "split called off"],
      ALIKE.map(({ name }) => name),
    ),
    "",
    "## No difference, and rates that move",
    "",
    "Two variants under Thompson sampling, 400 leads each, sent over 19 days. A winner at the end is false;",
    "significant is a p-value of at most 0.05 in any daily reading or the last.",
    ...table(
      ["reply rate of both", "experiments", "false winners", ...rate, "significant"],
      Object.values(MOVES),
    ),
    "",
    "## A doubled rate",
    "",
    "1,050 leads a variant. Beside it how often a test that is read once at the end finds it, of the same",
    "people, when the verdict came (the test at the end comes after 28 days), and how often the worse",
    "variant won.",
    ...table(
      ["variants", "experiments", "found", ...rate, "read once", "days", "worse won"],
      ["two variants, 4 % and 8 %", "two variants under Thompson sampling, 4 % and 8 %"],
    ),
  ].join("\n")}\n`;
}

function percent(rate: number): string {
  return `${(100 * rate).toFixed(1)} %`;
}
