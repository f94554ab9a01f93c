/**
 * Verdicts are not false. Experiments whose variants are the same, through the real engine and store, with
 * mailboxes that are answered differently, replies up to a week late and bounces; each is read every day as
 * the API reads it, and called wrong as soon as one reading claims a difference. The rate of that must not
 * be shown to be above 5 %. Seeds are fixed.
 */

import { describe, expect, test } from "bun:test";
import { wilson } from "#domain/experiments/stats/intervals.ts";
import type { Trial } from "../support/trials/play.ts";
import { type Ask, plansOf, playAll } from "../support/trials/side-by-side.ts";

const IS_FULL = process.env["OUTRIDER_TEST_TIER"] === "full";
const ALPHA = 0.05;
/** Of a slow machine that does other work too: nothing here depends on how long it takes. */
const TRIALS_MS_MAX = 1_200_000;

const AA = { leadsPerArm: 300, durationDays: 7 };
const KINDS: (Ask & { name: string; quick: number })[] = [
  {
    name: "two variants",
    ...AA,
    seed: 1_000,
    experiments: 50,
    quick: 4,
    rates: [0.05, 0.05],
    mode: "fixed_split",
  },
  {
    name: "four variants",
    ...AA,
    seed: 2_000,
    experiments: 16,
    quick: 2,
    rates: [0.05, 0.05, 0.05, 0.05],
    mode: "fixed_split",
  },
  {
    name: "two variants under Thompson sampling",
    ...AA,
    seed: 3_000,
    experiments: 12,
    quick: 4,
    rates: [0.05, 0.05],
    mode: "thompson_sampling",
  },
];

describe("A verdict is false in 5 of 100 experiments at most:", () => {
  for (const { name, quick, ...ask } of KINDS) {
    const experiments = IS_FULL ? ask.experiments : quick;
    test(
      `${experiments} of ${name}`,
      async () => {
        const trials = await playAll(plansOf({ ...ask, experiments }));

        const claimed = trials.filter((trial) => trial.claimed).length;
        const { lower, upper } = wilson({ x: claimed, n: trials.length });
        console.info(
          `${name}: ${claimed} of ${trials.length} false, ${percent(lower)} to ${percent(upper)}`,
        );
        expect(trials.length).toBe(experiments);
        expect(lower).toBeLessThanOrEqual(ALPHA);
        expect(unusual(trials, ask.leadsPerArm * ask.rates.length)).toEqual([]);
        if (IS_FULL) {
          expect(trials.filter(({ alarm }) => alarm).length).toBeLessThanOrEqual(1);
        }
      },
      TRIALS_MS_MAX,
    );
  }
});

/** Trials that did not play as they should: not ended, somebody not written to, nothing came back. */
function unusual(trials: readonly Trial[], leads: number): Trial[] {
  return trials.filter(({ status, sent, replies, bounced }) => {
    return status !== "completed" || sent < leads * 0.95 || replies === 0 || bounced === 0;
  });
}

function percent(rate: number): string {
  return `${(100 * rate).toFixed(1)} %`;
}
