/**
 * A split that is off blocks every verdict. Somebody who knows the lots takes leads off the list before they
 * are written to, so that one variant gets 55 of 100 of the 2,000 that are left; the other is ten times as
 * good, and still nothing may be said.
 */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { DAY_MS } from "#domain/time.ts";
import { drawOf } from "#usecases/campaigns/exposures.ts";
import { deleteLead } from "#usecases/leads/leads.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { makeExperiment, resultsOf, setPeople, TWO_VARIANTS } from "../support/experiments.ts";

const TEST_MS_MAX = 600_000;
/** Those of A and of B who are written to. */
const [KEPT_A, KEPT_B] = [1_100, 900];
/** Enough that either variant has as many on the list. */
const LISTED = 2_300;

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp({ seed: 55 });
});
afterEach(() => app.close());

test(
  "55 of 100 among 2,000 leads is caught, blocks verdicts, and stays so after the end",
  async () => {
    const rates = { reply: 0.2 };
    const soon = { reply: { min_seconds: 60, max_seconds: 86_400 } };
    await setPeople(app, { reply: 0.02 }, [{ contains: "second way", rates }], soon);
    const made = await makeExperiment(app, {
      leads: LISTED,
      perDay: 500,
      variants: TWO_VARIANTS,
      fields: { duration_days: 7, attribution_window_days: 1 },
      starts: false,
    });
    await takeOff(made.id);
    await app.call("POST", `/campaigns/${made.campaignId}/start`);

    const daily = [];
    for (let day = 1; day <= 12; day += 1) {
      await app.advance(DAY_MS);
      const results = await resultsOf(app, made.id);
      daily.push(results);
      if (results.quality.srm_detected) {
        expect(results).toMatchObject({ winner: null, recommendation_code: "srm_detected" });
        expect(results.significance[0].significant).toBe(false);
        expect(results.quality.eliminated).toEqual([]);
      }
    }
    const last = daily.at(-1);
    expect(last.variants.map((variant: { emails_sent: number }) => variant.emails_sent)).toEqual([
      KEPT_A,
      KEPT_B,
    ]);
    // It is the split that holds the verdict back, not the figures.
    expect(last.significance[0].p_value).toBeLessThan(0.001);
    expect(last).toMatchObject({
      is_final: true,
      winner: null,
      recommendation_code: "srm_detected",
      quality: { srm_detected: true },
    });
    expect(daily.filter((results) => results.quality.srm_detected).length).toBeGreaterThan(1);
    const { body } = await app.call("GET", `/experiments/${made.id}`);
    expect(body).toMatchObject({ status: "completed", winner_variant_id: null });
  },
  TEST_MS_MAX,
);

/** Takes leads off the list until as many are left of each lot as are to be written to. */
async function takeOff(experimentId: string): Promise<void> {
  const env = app.environments.test;
  const left = { a: 0, b: 0 };
  const gone: string[] = [];
  for (const id of await everyLead()) {
    const side = drawOf(experimentId, id) < 0.5 ? "a" : "b";
    left[side] += 1;
    if (left[side] > (side === "a" ? KEPT_A : KEPT_B)) {
      gone.push(id);
    }
  }
  const caller = { teamId: app.team.id, actor: "operator", scopes: ["admin"] };
  await Promise.all(gone.map((id) => deleteLead(env, caller, id)));
}

async function everyLead(): Promise<string[]> {
  const ids: string[] = [];
  for (let offset = 0; ; offset += 100) {
    const { body } = await app.call("GET", `/leads?limit=100&offset=${offset}`);
    ids.push(...body.data.map(({ id }: { id: string }) => id));
    if (ids.length >= body.total || body.data.length === 0) {
      return ids;
    }
  }
}
