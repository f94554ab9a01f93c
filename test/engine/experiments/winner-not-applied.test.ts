/** A winner that nobody who is left could be sent isn't written into the step, and the result says why. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { DAY_MS } from "#domain/time.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import {
  type MadeExperiment,
  makeExperiment,
  resultsOf,
  setPeople,
} from "../../support/experiments.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp({ seed: 41 });
});
afterEach(() => app.close());

const VARIANTS = [{ name: "A" }, { name: "B", config: { body: "Great work at {{ company }}" } }];

/** Everyone with a company was emailed; those who are left have none. */
async function played(fields: object): Promise<MadeExperiment> {
  await setPeople(app, { reply: 0.05 }, [{ contains: "Great work", rates: { reply: 0.6 } }]);
  const made = await makeExperiment(app, {
    ...{ leads: 0, perDay: 200, variants: VARIANTS, fields, starts: false },
  });
  const path = `/campaigns/${made.campaignId}`;
  const add = (name: string, company?: string) =>
    app.call("POST", `${path}/leads`, {
      leads: Array.from({ length: 120 }, (_, nth) => {
        return { email: `${name}${nth}@${name}-${nth}.example`, ...(company && { company }) };
      }),
    });
  // Keeps the campaign from being completed.
  await app.call("POST", `${path}/steps`, { type: "email", body: "Again", wait_days: 30 });
  await add("first", "Acme");
  await app.call("POST", `${path}/start`);
  await app.advance(DAY_MS);
  expect((await app.call("POST", `${path}/pause`)).status).toBe(200);
  await add("second");
  return made;
}

async function checkNotApplied({ id, campaignId }: MadeExperiment): Promise<void> {
  const results = await resultsOf(app, id);
  expect([results.experiment.status, results.winner]).toEqual(["completed", "B"]);
  const warning = results.warnings.find(
    ({ code }: { code: string }) => code === "winner_not_applied",
  );
  expect(warning?.message).toMatch(/^B wasn't written into the step: .* has company/);
  expect(results.recommendation).not.toContain("Every new lead gets it");
  expect((await app.call("GET", `/experiments/${id}`)).body.winner_applied_at).toBeNull();
  const [step] = (await app.call("GET", `/campaigns/${campaignId}/steps`)).body.data;
  expect(step.body).toBe("The first way to say it");
}

test("at the end", async () => {
  const fields = { optimization_mode: "auto_winner", duration_days: 2, attribution_window_days: 1 };
  const made = await played(fields);
  await app.advance(5 * DAY_MS);
  await checkNotApplied(made);
  expect((await resultsOf(app, made.id)).recommendation).toContain(
    "It couldn't be written into the step.",
  );
});

test("when a person ends it", async () => {
  const made = await played({ optimization_mode: "auto_winner" });
  const body = { winner_variant_id: made.variants[1]?.id };
  expect((await app.call("POST", `/experiments/${made.id}/complete`, body)).status).toBe(200);
  await checkNotApplied(made);
});
