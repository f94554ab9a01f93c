/** The demo's experiment, whose truth is known, is decided rightly whatever the seed, and says so. */

import { expect, test } from "bun:test";
import { isRight, playDemo } from "#cli/demo/demo-play.ts";
import { presentReport, reportText } from "#cli/demo/demo-report.ts";
import { createTestApp } from "../support/app.ts";

/** As many as the demo has by default. */
const LEADS = 2_000;
const SEEDS = process.env["OUTRIDER_TEST_TIER"] === "full" ? [2, 3, 4, 5] : [2];
const MONTH_MS_MAX = 600_000;

test.each(SEEDS)(
  "seed %d names the better variant, with the verdict printed",
  async (seed) => {
    const app = await createTestApp({ seed });
    const { test: env } = app.environments;
    const report = await playDemo(
      {
        environments: app.environments,
        advance: (to: number) => app.advance(to - env.clock.now()),
      },
      {
        seed,
        leads: LEADS,
        speed: 0,
        signal: new AbortController().signal,
        onProgress: () => undefined,
      },
    );
    await app.close();

    const { experiment } = report;
    expect(experiment).toMatchObject({ status: "completed", winner: experiment.better });
    expect(experiment.recommendation).toStartWith(`${experiment.better} wins: `);
    expect(reportText(report, false)).toContain(experiment.recommendation);
    expect(presentReport(report).experiment).toMatchObject({ right: true });
  },
  MONTH_MS_MAX,
);

test.each([
  { winner: "Promise", isWithheld: false, leads: LEADS, isOver: true, right: true },
  { winner: "Question", isWithheld: true, leads: LEADS, isOver: false, right: false },
  { winner: null, isWithheld: false, leads: LEADS, isOver: true, right: false },
  { winner: null, isWithheld: true, leads: LEADS, isOver: true, right: true },
  { winner: null, isWithheld: false, leads: LEADS, isOver: false, right: true },
  { winner: null, isWithheld: false, leads: 100, isOver: true, right: true },
])("$winner of $leads leads, withheld $isWithheld, over $isOver: right $right", (played) => {
  const { winner, isWithheld, leads, isOver, right } = played;
  expect(isRight({ winner, better: "Promise", isWithheld }, { leads, isOver })).toBe(right);
});
