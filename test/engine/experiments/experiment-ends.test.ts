/** How experiments end by themselves: decided early, at their end, or with a variant taken out. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Env } from "#domain/team/api-key.ts";
import { DAY_MS, HOUR_MS } from "#domain/time.ts";
import { readEvents } from "#store/events/events.ts";
import { wrongTallies } from "#store/sending/exposures.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { makeExperiment, resultsOf, setPeople } from "../../support/experiments.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp({ seed: 12 });
});
afterEach(async () => {
  const wrong = wrongTallies(app.environments.test.db, app.team.id);
  await app.close();
  expect(wrong).toBe(0);
});

const BETTER = "The second way to say it";
const SOON = { reply: { min_seconds: 600, max_seconds: 86_400 } };

const eventsOf = (type: string) =>
  readEvents(app.environments.test.db, app.team.id, { after: 0, limit: 100_000 }).filter(
    (event) => event.type === type,
  );

const read = async (id: string) => (await app.call("GET", `/experiments/${id}`)).body;

describe("a fixed split", () => {
  test("that is decided completes early, not before a week, and freezes its verdict", async () => {
    await setPeople(app, { reply: 0.03 }, [{ contains: BETTER, rates: { reply: 0.3 } }], SOON);
    const made = await makeExperiment(app, { leads: 300 });
    await app.advance(6 * DAY_MS);
    const running = await resultsOf(app, made.id);
    expect(running.experiment.status).toBe("running");
    expect(running.significance[0]).toMatchObject({ significant: true, p_value_fixed: null });

    await app.advance(4 * DAY_MS);
    const results = await resultsOf(app, made.id);
    const experiment = await read(made.id);
    expect(experiment.status).toBe("completed");
    const ran = Date.parse(experiment.completed_at) - Date.parse(experiment.started_at);
    expect(ran / DAY_MS).toBeWithin(7, 8.01);
    expect(experiment.winner_variant_id).toBe(made.variants[1]?.id);
    expect(results).toMatchObject({
      winner: "B",
      recommendation_code: "winner_found",
      is_final: false,
    });
    expect(results.recommendation).toMatch(/^B wins: it gets more replies/);
    expect(results.warnings.map(({ code }: { code: string }) => code)).toEqual(["winners_curse"]);
    expect(eventsOf("experiment.completed").map(({ data }) => data)).toMatchObject([
      { experiment_id: made.id, winner: "B", recommendation_code: "winner_found" },
    ]);

    await app.advance(10 * DAY_MS);
    const later = await resultsOf(app, made.id);
    expect({ ...later, variants: [] }).toEqual({ ...results, variants: [] });
    expect(later.experiment.days_elapsed).toBe(7);
  });

  test("is left alone where early stopping is off, and read once at its end", async () => {
    await setPeople(app, { reply: 0.03 }, [{ contains: BETTER, rates: { reply: 0.3 } }], SOON);
    const made = await makeExperiment(app, { leads: 300, fields: { early_stopping: false } });
    await app.advance(13 * DAY_MS);
    expect((await resultsOf(app, made.id)).experiment.status).toBe("running");
    await app.advance(2 * DAY_MS);
    const results = await resultsOf(app, made.id);
    expect(results).toMatchObject({
      winner: "B",
      is_final: true,
      recommendation_code: "winner_found",
    });
    const [pair] = results.significance;
    expect(pair).toMatchObject({ test: "pooled_z", significant: true, better: "B" });
    expect(pair.p_value).toBeCloseTo(
      Math.min(5 * pair.p_value_anytime, 1.25 * pair.p_value_fixed),
      12,
    );
    expect(pair.lift_ratio_low).toBeGreaterThan(1);
  });

  test("waits after its end for the last replies, and assigns nobody meanwhile", async () => {
    await setPeople(app, { reply: 0.2 });
    const made = await makeExperiment(app, {
      leads: 200,
      perDay: 20,
      fields: { duration_days: 3 },
    });
    await app.advance(4 * DAY_MS);
    const evaluating = await resultsOf(app, made.id);
    expect(evaluating).toMatchObject({ recommendation_code: "evaluating", winner: null });
    expect(evaluating.experiment.status).toBe("evaluating");
    const sent = (one: typeof evaluating) =>
      one.variants.reduce((n: number, v: { emails_sent: number }) => n + v.emails_sent, 0);
    expect(evaluating.quality.pending).toBe(sent(evaluating));

    await app.advance(8 * DAY_MS);
    const done = await resultsOf(app, made.id);
    expect(done.experiment.status).toBe("completed");
    expect(sent(done)).toBe(sent(evaluating));
    expect(done).toMatchObject({ is_final: true, quality: { pending: 0 } });
    for (const { emails_sent, successes, failures } of done.variants) {
      expect(successes + failures).toBe(emails_sent);
    }
  });

  test("with auto_winner writes the winner into the step, and every new lead gets it", async () => {
    await setPeople(app, { reply: 0.03 }, [{ contains: BETTER, rates: { reply: 0.35 } }], SOON);
    const made = await makeExperiment(app, {
      leads: 400,
      perDay: 30,
      fields: { optimization_mode: "auto_winner" },
    });
    await app.advance(9 * DAY_MS);
    const experiment = await read(made.id);
    expect(experiment).toMatchObject({
      status: "completed",
      winner_variant_id: made.variants[1]?.id,
    });
    expect(experiment.winner_applied_at).not.toBeNull();
    const [step] = (await app.call("GET", `/campaigns/${made.campaignId}/steps`)).body.data;
    expect(step).toMatchObject({ subject: "Another word", body: BETTER });
    await app.advance(2 * DAY_MS);
    const { body } = await app.call("GET", "/sandbox/messages?limit=20");
    const words = body.data.map(({ subject }: { subject: string }) => subject);
    expect(new Set(words)).toEqual(new Set(["Another word"]));
  });
});

describe("a bandit", () => {
  test("shifts leads to what is answered, keeps a floor, and names its winner at the end", async () => {
    await setPeople(app, { reply: 0.03 }, [{ contains: BETTER, rates: { reply: 0.3 } }], SOON);
    const made = await makeExperiment(app, {
      leads: 600,
      perDay: 60,
      fields: {
        optimization_mode: "thompson_sampling",
        duration_days: 10,
        attribution_window_days: 2,
      },
    });
    await app.advance(9 * DAY_MS);
    const [a, b] = made.variants.map(({ id }) => id) as [string, string];
    const { allocation, status } = await read(made.id);
    expect(status).toBe("running");
    expect(allocation[b]).toBeGreaterThan(0.85);
    expect(allocation[a]).toBeGreaterThanOrEqual(0.0999);
    const running = await resultsOf(app, made.id);
    expect(running.recommendation_code).toBe("bandit_converging");
    expect(running.winner).toBeNull();
    expect(running.quality.srm_detected).toBe(false);

    await app.advance(5 * DAY_MS);
    const done = await resultsOf(app, made.id);
    expect(done).toMatchObject({ winner: "B", recommendation_code: "bandit_converged" });
    const [pair] = done.significance;
    expect(pair).toMatchObject({ test: "epoch_z", significant: true, better: "B" });
    // But for the last digit.
    expect(pair.p_value).toBeLessThanOrEqual(1.25 * pair.p_value_fixed * (1 + 1e-12));
    expect(pair.lift_ratio_low).toBeGreaterThan(1);
    expect(pair.lift_expected).toBeWithin(1, pair.lift_ratio);
    const [first, second] = done.variants;
    expect(second.emails_sent).toBeGreaterThan(2 * first.emails_sent);
  });

  test("keeps the weights until every variant has been tried", async () => {
    await setPeople(app, { reply: 0.2 });
    const made = await makeExperiment(app, {
      leads: 90,
      perDay: 10,
      fields: { optimization_mode: "thompson_sampling" },
    });
    await app.advance(6 * DAY_MS);
    expect(Object.values((await read(made.id)).allocation)).toEqual([0.5, 0.5]);
  });
});

describe("a variant that bounces", () => {
  test("is taken out of the race, told of, and the others go on", async () => {
    await setPeople(app, { reply: 0.05 }, [{ contains: BETTER, rates: { soft_bounce: 0.3 } }]);
    const variants = [
      { name: "A" },
      { name: "B", config: { body: BETTER } },
      { name: "C", config: { subject: "Third" } },
    ];
    const made = await makeExperiment(app, { leads: 600, perDay: 100, variants });
    await app.advance(6 * DAY_MS);
    const { variants: found, allocation } = await read(made.id);
    expect(found[1].out_reason).toBe("guardrail");
    expect(found.map(({ out_reason }: { out_reason: string }) => out_reason)).toEqual([
      null,
      "guardrail",
      null,
    ]);
    expect(Object.values(allocation)).toEqual([0.5, 0, 0.5]);
    expect(found[1].emails_sent).toBeLessThan(0.6 * found[0].emails_sent);
    const results = await resultsOf(app, made.id);
    expect(results.recommendation_code).toBe("guardrail_breach");
    expect(results.recommendation).toMatch(/^B bounces at \d+(\.\d)?%, above the 5% limit\./);
    expect(results.quality).toMatchObject({
      srm_detected: false,
      guardrails: [{ variant_id: found[1].id }],
    });
    expect(eventsOf("experiment.variant_paused").map(({ data }) => data)).toMatchObject([
      { experiment_id: made.id, variant: "B", reason: "guardrail" },
    ]);
  });
});

test("a variant beyond a limit of the team's own is taken out of the race", async () => {
  await setPeople(app, { reply: 0.05, unsubscribe: 0.005 }, [
    { contains: BETTER, rates: { unsubscribe: 0.08 } },
  ]);
  const made = await makeExperiment(app, {
    leads: 600,
    perDay: 100,
    variants: [{ name: "A" }, { name: "B", config: { body: BETTER } }, { name: "C" }],
    fields: { guardrails: [{ metric: "opt_outs", max_rate: 0.02 }] },
  });
  await app.advance(6 * DAY_MS);
  const { variants } = await read(made.id);
  expect(variants.map((variant: { out_reason: string }) => variant.out_reason)).toEqual([
    null,
    "guardrail",
    null,
  ]);
  const results = await resultsOf(app, made.id);
  expect(results.recommendation_code).toBe("guardrail_breach");
  expect(results.recommendation).toMatch(
    /^B drives people away: .* opt out or complain, above your 2% limit\. It has been paused; check its content\.$/,
  );
  expect(results.quality.guardrails).toMatchObject([
    { variant_id: variants[1].id, reason: "limit", max_rate: 0.02, max_ratio: null },
  ]);
});

test("a restart in any state changes nothing", async () => {
  const directory = mkdtempSync(join(tmpdir(), "outrider-experiments-"));
  const paths = (name: string): Record<Env, string> => ({
    live: join(directory, `${name}-live.db`),
    test: join(directory, `${name}-test.db`),
  });
  try {
    const first = await createTestApp({ seed: 21, paths: paths("first") });
    await setPeople(first, { reply: 0.1, hard_bounce: 0.02 }, [
      { contains: BETTER, rates: { reply: 0.18 } },
    ]);
    await first.call("PATCH", "/sandbox/settings", { seed: 5 });
    const fields = { duration_days: 9, attribution_window_days: 4, early_stopping: false };
    const fixed = await makeExperiment(first, { leads: 260, perDay: 25, name: "fixed", fields });
    const bandit = await makeExperiment(first, {
      leads: 320,
      perDay: 30,
      name: "bandit",
      fields: { ...fields, optimization_mode: "thompson_sampling" },
    });
    const key = first.keys.test;
    await first.close();
    for (const file of Object.values(paths("first"))) {
      copyFileSync(file, file.replace("first", "second"));
    }
    /** Lives through `days`, ended and begun anew after every stretch of them. */
    const live = async (name: string, days: number, stretch: number) => {
      const seen: string[] = [];
      for (let lived = 0; lived < days; lived += stretch) {
        const again = await createTestApp({ seed: 100 + 2 * lived, paths: paths(name) });
        await again.advance(stretch * DAY_MS);
        if ((lived + stretch) % 4 === 0) {
          for (const { id } of [fixed, bandit]) {
            for (const path of [`/experiments/${id}`, `/experiments/${id}/results`]) {
              seen.push((await again.call("GET", path, undefined, { key })).text);
            }
          }
        }
        await again.close();
      }
      return seen;
    };
    const throughout = await live("first", 16, 4);
    const restarted = await live("second", 16, 0.5);
    const states = throughout.map(
      (text) => JSON.parse(text).status ?? JSON.parse(text).experiment.status,
    );
    expect(new Set(states)).toEqual(new Set(["running", "evaluating", "completed"]));
    expect(restarted).toEqual(throughout);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}, 240_000);

test("an hour of judging is one look, and every lead is measured by then", async () => {
  await setPeople(app, {});
  const made = await makeExperiment(app, {
    leads: 700,
    perDay: 700,
    fields: { attribution_window_days: 1 },
  });
  await app.advance(2 * DAY_MS + 13 * HOUR_MS);
  const { quality, variants } = await resultsOf(app, made.id);
  const sent = variants.reduce((n: number, v: { emails_sent: number }) => n + v.emails_sent, 0);
  expect([sent, quality.pending]).toEqual([700, 0]);
});
