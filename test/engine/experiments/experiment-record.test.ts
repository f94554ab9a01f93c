/** What stays of an experiment: what each variant said, what its last leads came to, and who could not be sent. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS } from "#domain/time.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { makeExperiment, resultsOf, setPeople, TWO_VARIANTS } from "../../support/experiments.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp({ seed: 12 });
});
afterEach(() => app.close());

const BETTER = "The second way to say it";
const SOON = { reply: { min_seconds: 600, max_seconds: 86_400 } };
const HOLE = [{ name: "A" }, { name: "B", config: { body: "Hello {{nosuchvar}}" } }];

interface Said {
  subject: string | null;
  body: string;
}

const said = async (id: string): Promise<Said[][]> =>
  (await resultsOf(app, id)).variants.map(({ contents }: { contents: Said[] }) =>
    contents.map(({ subject, body }) => ({ subject, body })),
  );

const launchCheck = async (campaignId: string) =>
  (await app.call("GET", `/campaigns/${campaignId}/launch-check`)).body;

describe("what a variant said", () => {
  test("is still there after the winner took its place", async () => {
    await setPeople(app, { reply: 0.03 }, [{ contains: BETTER, rates: { reply: 0.35 } }], SOON);
    const made = await makeExperiment(app, {
      leads: 300,
      fields: { optimization_mode: "auto_winner" },
    });
    expect(await said(made.id)).toEqual([[], []]);
    await app.advance(9 * DAY_MS);

    const { body: experiment } = await app.call("GET", `/experiments/${made.id}`);
    expect(experiment).toMatchObject({
      status: "completed",
      winner_variant_id: made.variants[1]?.id,
    });
    expect(experiment.winner_applied_at).not.toBeNull();
    expect(await said(made.id)).toEqual([
      [{ subject: "A word", body: "The first way to say it" }],
      [{ subject: "Another word", body: BETTER }],
    ]);
  });

  test("is kept with each rewriting of the step that somebody was sent", async () => {
    const made = await makeExperiment(app, {
      leads: 80,
      variants: [{ name: "A" }, { name: "B", config: { subject: "Another word" } }],
    });
    await app.advance(DAY_MS);
    const rewrite = (body: string) =>
      app.call("PATCH", `/campaigns/${made.campaignId}/steps/${made.stepId}`, { body });
    await rewrite("Nobody is sent this");
    await rewrite("Said anew");
    await app.advance(DAY_MS);
    expect(await said(made.id)).toEqual([
      [
        { subject: "A word", body: "The first way to say it" },
        { subject: "A word", body: "Said anew" },
      ],
      [
        { subject: "Another word", body: "The first way to say it" },
        { subject: "Another word", body: "Said anew" },
      ],
    ]);
  });
});

test("leads in flight at an early end are measured on, and the verdict stays", async () => {
  await setPeople(app, { reply: 0.2 }, [], SOON);
  const made = await makeExperiment(app, { leads: 120, perDay: 60 });
  await app.advance(2 * DAY_MS);
  await app.call("POST", `/experiments/${made.id}/complete`, {
    winner_variant_id: made.variants[0]?.id,
  });
  const early = await resultsOf(app, made.id);
  const sent = early.variants.reduce(
    (all: number, one: { emails_sent: number }) => all + one.emails_sent,
    0,
  );
  expect(sent).toBe(120);
  expect(early.quality).toMatchObject({ pending: 120, estimated_days_to_decision: 0 });
  expect(early.final_estimate).toMatchObject({ is_complete: false });
  expect(Object.values(early.final_estimate.at_verdict)).toEqual([
    { successes: 0, failures: 0 },
    { successes: 0, failures: 0 },
  ]);

  await app.advance(9 * DAY_MS);
  const late = await resultsOf(app, made.id);
  expect(late.quality.pending).toBe(0);
  expect(late.final_estimate.is_complete).toBe(true);
  for (const { id, successes, failures, emails_sent } of late.variants) {
    expect(successes + failures).toBe(emails_sent);
    expect(successes).toBeGreaterThan(0);
    const { rate, low, high } = late.final_estimate.success_rates[id];
    expect(rate).toBeCloseTo(successes / emails_sent, 12);
    expect(low < rate && rate < high).toBe(true);
  }
  const [lift] = late.final_estimate.lifts;
  const [a, b] = late.variants;
  expect(lift.lift_ratio).toBeCloseTo(
    b.successes / b.emails_sent / (a.successes / a.emails_sent),
    10,
  );
  const verdict = ["winner", "recommendation", "significance", "is_final"];
  const frozen = (results: object) =>
    Object.fromEntries(Object.entries(results).filter(([name]) => verdict.includes(name)));
  expect(frozen(late)).toEqual(frozen(early));
  expect(late.final_estimate.at_verdict).toEqual(early.final_estimate.at_verdict);
});

describe("a variant that cannot be sent", () => {
  test("is reported by the launch check, with what its own leads lack", async () => {
    const made = await makeExperiment(app, { leads: 80, variants: HOLE, starts: false });
    const { held_leads, warnings, ready } = await launchCheck(made.campaignId);
    expect(ready).toBe(true);
    expect(held_leads).toBeWithin(20, 60);
    const [warning] = warnings.filter(({ code }: { code: string }) => code === "variant_on_hold");
    expect(warning.message).toBe(
      `variant "B" of the experiment "spring" cannot be sent to ${held_leads} of its ` +
        `${held_leads} leads: they have no nosuchvar. Add it, or give it a fallback`,
    );
  });

  test("is an alarm while it runs", async () => {
    const made = await makeExperiment(app, { leads: 80, variants: HOLE });
    await app.advance(5 * DAY_MS);
    const { variants, warnings } = await resultsOf(app, made.id);
    const [a, b] = variants.map((one: { emails_sent: number }) => one.emails_sent);
    expect(b).toBe(0);
    expect(warnings).toEqual([
      {
        code: "variant_on_hold",
        message:
          `B hasn't been sent to anyone: ${80 - a} leads are on hold because they have no nosuchvar. Add it to the ` +
          "leads, or end the experiment and give the variant a fallback.",
      },
    ]);
  });

  test("is refused where its campaign runs already", async () => {
    const made = await makeExperiment(app, { leads: 200, perDay: 10 });
    await app.call("POST", `/experiments/${made.id}/cancel`);
    const create = (variants: readonly object[]) =>
      app.call("POST", "/experiments", { campaign_id: made.campaignId, name: "Next", variants });
    const refused = await create(HOLE);
    expect([refused.status, refused.body.field]).toEqual([422, "variants.1.config"]);
    expect(refused.body.message).toMatch(/none of the first 50 leads has nosuchvar/);

    const created = await create(TWO_VARIANTS);
    expect(created.status).toBe(201);
    const path = `/experiments/${created.body.id}`;
    const patched = await app.call("PATCH", path, { variants: HOLE });
    expect([patched.status, patched.body.field]).toEqual([422, "variants.1.config"]);
  });
});
