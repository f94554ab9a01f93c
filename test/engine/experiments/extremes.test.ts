/** Experiments at their edges: no leads, all leads in one variant, a million of them, and a clock set back. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { daysElapsed, daysRemaining } from "#domain/experiments/experiment.ts";
import { recommend } from "#domain/experiments/experiment-verdict.ts";
import { DAY_MS, plus, unixMs } from "#domain/time.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { makeExperiment, resultsOf, setPeople } from "../../support/experiments.ts";
import { arm, figures, MONDAY, verdict } from "../../support/figures.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp({ seed: 61 });
  await setPeople(app, { reply: 0.2 });
});
afterEach(() => app.close());

const MODES = ["fixed_split", "thompson_sampling", "auto_winner", "test_and_roll"] as const;

describe.each(MODES)("%s", (mode) => {
  test("without leads waits for the first, and says so", async () => {
    const fields = { optimization_mode: mode };
    const made = await makeExperiment(app, { leads: 0, starts: false, fields });
    await app.call("POST", `/campaigns/${made.campaignId}/start`);
    await app.advance(40 * DAY_MS);
    const results = await resultsOf(app, made.id);
    expect(results).toMatchObject({ recommendation_code: "no_data", winner: null });
    expect(results.experiment).toMatchObject({ status: "running", days_elapsed: 0 });
  });

  test("of a million leads each has a winner and figures that are numbers", () => {
    const million = [arm(1_000_000, 40_000), arm(1_000_000, 42_000)];
    const read = verdict(figures(million, { mode, isFinal: true }), { status: "completed" });
    expect(read.reading.winner).toBe(1);
    expect(recommend(read).sentence).toStartWith("B ");
    expect(JSON.stringify(read.reading)).not.toMatch(/NaN|Infinity/);
    const [one, other] = read.reading.winProbabilities;
    expect((one ?? 0) + (other ?? 0)).toBeCloseTo(1, 9);
  });
});

test("all leads in one variant show no difference, and no split that is off", async () => {
  const variants = [
    { name: "A", weight: 1_000_000 },
    { name: "B", weight: 0.001 },
  ];
  const made = await makeExperiment(app, { leads: 120, perDay: 60, variants });
  await app.advance(30 * DAY_MS);
  const results = await resultsOf(app, made.id);
  expect(results.variants.map((one: { emails_sent: number }) => one.emails_sent)).toEqual([120, 0]);
  expect(results).toMatchObject({ winner: null, experiment: { status: "completed" } });
  expect(results.quality.srm_detected).toBe(false);
  expect(results.significance[0].significant).toBe(false);
});

test("a clock that is set back to before the start has no days elapsed, and all of them left", () => {
  const times = {
    ...{ startedAt: MONDAY, firstSentAt: MONDAY, endsAt: plus(MONDAY, 14 * DAY_MS) },
    ...{ pausedAt: null, pausedMs: 0, closedAt: null },
  };
  const before = unixMs(MONDAY - DAY_MS);
  expect(daysElapsed(times, before)).toBe(0);
  expect(daysRemaining(times, before)).toBeGreaterThanOrEqual(14);
});
