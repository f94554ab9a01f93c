/**
 * How often an experiment that is read daily is wrong, how often it finds the best, and how soon: by counts
 * alone, with replies up to a week late. The limits leave the play that trials with other seeds had; seeds are fixed.
 */

import { describe, expect, test } from "bun:test";
import { wilson } from "#domain/experiments/stats/intervals.ts";
import { playKind } from "../../support/trials/counted.ts";
import { WITH_BEST, WITHOUT_BEST } from "../../support/trials/kinds.ts";

const EXPERIMENTS = process.env["OUTRIDER_TEST_TIER"] === "full" ? 300 : 40;
const ALPHA = 0.05;
/** Of all the experiments, the wrong ones that may be. */
const WRONG_MAX = 0.02;
/** Of the days to a verdict. */
const DAYS_SD = 7;
const TRIALS_MS_MAX = 600_000;

describe("A winner is false in 5 of 100 experiments at most:", () => {
  test.each(Object.entries(WITHOUT_BEST))(
    "%s",
    (_name, kind) => {
      const { won } = playKind(kind, EXPERIMENTS);
      expect(wilson({ x: won, n: EXPERIMENTS }).lower).toBeLessThanOrEqual(ALPHA);
    },
    TRIALS_MS_MAX,
  );
});

describe("The best is found, and soon:", () => {
  test.each(Object.entries(WITH_BEST))(
    "%s",
    (_name, { found, daysMax, ...kind }) => {
      const { best, won, days } = playKind(kind, EXPERIMENTS);
      expect(wilson({ x: best, n: EXPERIMENTS }).upper).toBeGreaterThanOrEqual(found);
      expect(days - (2 * DAYS_SD) / Math.sqrt(EXPERIMENTS)).toBeLessThanOrEqual(daysMax);
      expect(won - best).toBeLessThanOrEqual(EXPERIMENTS * WRONG_MAX);
    },
    TRIALS_MS_MAX,
  );
});
