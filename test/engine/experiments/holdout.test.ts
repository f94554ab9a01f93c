/** A winner held against the text that it replaced, with the means that are there: an experiment of unequal weights. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { DAY_MS } from "#domain/time.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { makeExperiment, resultsOf, setPeople } from "../../support/experiments.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp({ seed: 23 });
  await setPeople(app, { reply: 0.05 }, [{ contains: "second way", rates: { reply: 0.3 } }]);
});
afterEach(() => app.close());

test("a tenth of the leads gets the earlier text, which the winner's experiment still has", async () => {
  const made = await makeExperiment(app, { leads: 300, perDay: 300, fields: { duration_days: 1 } });
  await app.advance(2 * DAY_MS);
  const winner = { winner_variant_id: made.variants[1]?.id };
  await app.call("POST", `/experiments/${made.id}/complete`, winner);
  await app.call("POST", `/experiments/${made.id}/apply-winner`);
  const [before] = (await app.call("GET", `/experiments/${made.id}`)).body.variants;
  const { subject, body } = before.contents.at(-1);
  expect({ subject, body }).toEqual({ subject: "A word", body: "The first way to say it" });

  const held = await app.call("POST", "/experiments", {
    ...{ campaign_id: made.campaignId, name: "Is it still better?" },
    ...{ duration_days: 90, early_stopping: false },
    variants: [
      { name: "Winner", weight: 9 },
      { name: "Before", weight: 1, config: { subject, body } },
    ],
  });
  expect(held.status).toBe(201);
  const leads = Array.from({ length: 600 }, (_, nth) => ({
    email: `late${nth}@late-${nth}.example`,
  }));
  await app.call("POST", `/campaigns/${made.campaignId}/leads`, { leads });
  await app.advance(12 * DAY_MS);

  const results = await resultsOf(app, held.body.id);
  const [now, earlier] = results.variants;
  expect(now.emails_sent + earlier.emails_sent).toBe(600);
  expect(earlier.emails_sent).toBeWithin(35, 90);
  expect([now.contents.at(-1).body, earlier.contents.at(-1).body]).toEqual([
    "The second way to say it",
    "The first way to say it",
  ]);
  expect(results.quality.srm_detected).toBe(false);
  const [pair] = results.significance;
  expect(earlier.reply_rate).toBeLessThan(now.reply_rate);
  expect(pair.lift_ratio).toBeCloseTo(pair.rate_b / pair.rate_a, 9);
  expect(pair.lift_ratio).toBeWithin(pair.lift_ratio_low, pair.lift_ratio_high);
});
