/** The contract of `/experiments`, through HTTP: changing, moving, completing and planning them. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { DAY_MS } from "#domain/time.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { makeCampaign } from "../../support/campaigns.ts";
import { makeExperiment, setPeople, TWO_VARIANTS } from "../../support/experiments.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const NAMES = [{ name: "A" }, { name: "B" }];

/** An experiment on a draft campaign of one step. */
async function create(fields: object) {
  const { id } = await makeCampaign(app);
  const body = { campaign_id: id, name: "Spring", variants: NAMES, ...fields };
  return app.call("POST", "/experiments", body);
}

describe("PATCH /experiments/{id}", () => {
  test("200: everything may change before the first email; {} changes nothing", async () => {
    const { body: made } = await create({});
    const path = `/experiments/${made.id}`;
    const before = await app.call("GET", path);
    expect((await app.call("PATCH", path, {})).body).toEqual(before.body);

    const change = {
      name: "Summer",
      primary_metric: "bounce_rate",
      optimization_mode: "auto_winner",
      duration_days: 7,
      attribution_window_days: 3,
      early_stopping: false,
      auto_drop: true,
      guardrails: [{ metric: "opt_outs", max_rate: 0.02 }],
      variants: [
        { name: "C", weight: 2 },
        { ...before.body.variants[1], name: "B2" },
      ],
    };
    const { status, body } = await app.call("PATCH", path, change);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: "Summer",
      primary_metric: "bounce_rate",
      duration_days: 7,
      guardrails: [{ metric: "opt_outs", max_rate: 0.02 }],
      ends_at: "2026-03-09T15:00:00.000Z",
    });
    expect(body.variants.map(({ name }: { name: string }) => name)).toEqual(["C", "B2"]);
    expect(body.variants[1].id).toBe(before.body.variants[1].id);
    expect(Object.values(body.allocation)).toEqual(
      [0.666667, 0.333333].map((n) => expect.closeTo(n, 5)),
    );
  });

  test("200: what was read may be sent back whole", async () => {
    const { body: made } = await create({});
    const path = `/experiments/${made.id}`;
    const { body, headers } = await app.call("GET", path);
    const again = await app.call("PATCH", path, body);
    expect([again.status, again.body]).toEqual([200, body]);
    expect(again.headers.get("etag")).toBe(headers.get("etag"));
  });

  test("200: the status moves it", async () => {
    const { body: made } = await create({});
    const path = `/experiments/${made.id}`;
    expect((await app.call("PATCH", path, { status: "paused" })).body.status).toBe("paused");
    expect((await app.call("PATCH", path, { status: "running" })).body.status).toBe("running");
    const evaluating = await app.call("PATCH", path, { status: "evaluating" });
    expect([evaluating.status, evaluating.body.field]).toEqual([409, "status"]);
    expect((await app.call("PATCH", path, { status: "cancelled" })).body.status).toBe("cancelled");
    expect((await app.call("PATCH", path, { status: "running" })).status).toBe(409);
  });

  test("412: a stale If-Match", async () => {
    const { body: made } = await create({});
    const path = `/experiments/${made.id}`;
    const etag = (await app.call("GET", path)).headers.get("etag") ?? "";
    const headers = { "If-Match": etag };
    expect((await app.call("PATCH", path, { name: "x" }, { headers })).status).toBe(200);
    expect((await app.call("PATCH", path, { name: "y" }, { headers })).status).toBe(412);
  });

  test.each([
    ["another campaign", { campaign_id: "0190a0a0-0000-7000-8000-000000000000" }, "campaign_id"],
    [
      "a variant of another experiment",
      { variants: [{ id: "0190a0a0-0000-7000-8000-000000000000", name: "A" }, { name: "B" }] },
      "variants.0.id",
    ],
    ["one variant alone", { variants: [{ name: "A" }] }, "variants"],
    ["a step that does not exist", { step_position: 9 }, "step_position"],
    ["an unknown field", { metric: "x" }, "metric"],
  ])("422: %s", async (_name, change, field) => {
    const { body: made } = await create({});
    const { status, body } = await app.call("PATCH", `/experiments/${made.id}`, change);
    expect([status, body.field]).toEqual([422, field]);
  });
});

describe("moves", () => {
  test("pause, resume, cancel, and what they are refused from", async () => {
    const { body: made } = await create({});
    const move = (verb: string) => app.call("POST", `/experiments/${made.id}/${verb}`);

    expect((await move("resume")).body).toMatchObject({ type: "conflict", field: "status" });
    expect((await move("pause")).body.status).toBe("paused");
    expect((await move("pause")).status).toBe(409);
    expect((await move("resume")).body.status).toBe("running");
    expect((await move("cancel")).body).toMatchObject({ status: "cancelled", completed_at: null });
    for (const verb of ["pause", "resume", "cancel"]) {
      expect([verb, (await move(verb)).status]).toEqual([verb, 409]);
    }
    const results = (await app.call("GET", `/experiments/${made.id}/results`)).body;
    expect(results.recommendation_code).toBe("cancelled");
  });

  test("409: a paused one keeps its step", async () => {
    const { body: made } = await create({});
    const body = { campaign_id: made.campaign_id, name: "Next", variants: NAMES };
    await app.call("POST", `/experiments/${made.id}/pause`);
    expect((await app.call("POST", "/experiments", body)).status).toBe(409);
  });

  test("complete with a winner, once, and send it to everyone", async () => {
    const { body: made } = await create({ variants: TWO_VARIANTS });
    const path = `/experiments/${made.id}`;
    const [a, b] = (await app.call("GET", path)).body.variants;
    expect((await app.call("POST", `${path}/apply-winner`)).status).toBe(409);

    const wrong = { winner_variant_id: made.id };
    const refused = await app.call("POST", `${path}/complete`, wrong);
    expect([refused.status, refused.body.field]).toEqual([422, "winner_variant_id"]);

    const done = await app.call("POST", `${path}/complete`, { winner_variant_id: b.id });
    expect(done.status).toBe(200);
    expect(done.body).toMatchObject({ status: "completed", winner_variant_id: b.id });
    expect(done.body.completed_at).not.toBeNull();
    const again = await app.call("POST", `${path}/complete`, { winner_variant_id: a.id });
    expect(again.body).toMatchObject({ status: 409, type: "conflict", field: "status" });

    const results = (await app.call("GET", `${path}/results`)).body;
    expect(results).toMatchObject({ winner: "B", recommendation_code: "chosen_by_hand" });

    const applied = await app.call("POST", `${path}/apply-winner`);
    expect(applied.status).toBe(200);
    expect(applied.body.winner_applied_at).not.toBeNull();
    const steps = (await app.call("GET", `/campaigns/${made.campaign_id}/steps`)).body.data;
    expect(steps[0]).toMatchObject(b.config);
  });

  test("complete without a winner, and then there is none to send", async () => {
    const { body: made } = await create({});
    const path = `/experiments/${made.id}`;
    const done = await app.call("POST", `${path}/complete`, { winner_variant_id: null });
    expect(done.body).toMatchObject({ status: "completed", winner_variant_id: null });
    const refused = await app.call("POST", `${path}/apply-winner`);
    expect(refused.body).toMatchObject({ status: 409, field: "winner_variant_id" });
  });

  test.each([[undefined], [null]])("complete for what the test says so far: %p", async (body) => {
    const { body: made } = await create({});
    const done = await app.call("POST", `/experiments/${made.id}/complete`, body);
    expect(done.body).toMatchObject({ status: "completed", winner_variant_id: null });
  });

  test.each([[false], [0], [[]]])("422: a body of %j is not one left out", async (wrong) => {
    const { body: made } = await create({});
    const refused = await app.call("POST", `/experiments/${made.id}/complete`, wrong);
    expect([refused.status, refused.body.message]).toEqual([422, "must be an object"]);
  });

  test("a draft campaign takes its experiments along when it is deleted", async () => {
    const { body: made } = await create({});
    expect((await app.call("DELETE", `/campaigns/${made.campaign_id}`)).status).toBe(204);
    expect((await app.call("GET", `/experiments/${made.id}`)).status).toBe(404);
  });
});

describe("once leads have been written to", () => {
  test("what is compared stays, names and the end may change", async () => {
    const own = await createTestApp({ seed: 4 });
    await setPeople(own, {});
    const made = await makeExperiment(own, { leads: 40 });
    await own.advance(2 * DAY_MS);
    const path = `/experiments/${made.id}`;
    const { body } = await own.call("GET", path);
    expect(body.variants[0].emails_sent).toBeGreaterThan(0);

    for (const [change, field] of [
      [{ variants: [...body.variants, { name: "C" }] }, "variants"],
      [{ variants: [body.variants[0], { ...body.variants[1], weight: 2 }] }, "variants"],
      [{ variants: [body.variants[0], { ...body.variants[1], config: {} }] }, "variants"],
      [{ primary_metric: "interested_rate" }, "primary_metric"],
      [{ optimization_mode: "thompson_sampling" }, "optimization_mode"],
      [{ attribution_window_days: 1 }, "attribution_window_days"],
    ] as const) {
      const refused = await own.call("PATCH", path, change);
      expect([refused.status, refused.body.field]).toEqual([409, field]);
    }
    expect((await own.call("GET", path)).body).toEqual(body);

    const [a, b] = body.variants;
    const renamed = await own.call("PATCH", path, {
      variants: [a, { ...b, name: "Other" }],
      duration_days: 21,
    });
    expect(renamed.status).toBe(200);
    expect(renamed.body.variants[1]).toEqual({ ...b, name: "Other" });
    expect(Date.parse(renamed.body.ends_at) - Date.parse(body.ends_at)).toBe(7 * DAY_MS);
    const { warnings } = (await own.call("GET", `${path}/results`)).body;
    expect(warnings.map(({ code }: { code: string }) => code)).toContain("replanned");
    await own.close();
  });
});

describe("GET /experiments/plan", () => {
  test("200: what a list of leads can show", async () => {
    const path = "/experiments/plan?leads=2000&leads_per_day=100&baseline=0.04";
    const { status, body } = await app.call("GET", path);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      leads: 2000,
      leads_by_end: 1400,
      leads_per_variant: 700,
      can_answer: true,
      test_and_roll: { leads_per_variant: 217 },
    });
    expect(body.minimum_detectable_ratio).toBeGreaterThan(1.5);
    expect(body.sizes.map(({ ratio }: { ratio: number }) => ratio)).toEqual([1.2, 1.5, 2, 3]);
    expect(body.recommendation).toBe("1,400 leads by the end can show a 1.9x difference.");
    const small = (await app.call("GET", "/experiments/plan?leads=200")).body;
    expect(small.can_answer).toBe(false);
    expect(small.recommendation).toContain("can only show");
    const none = (await app.call("GET", "/experiments/plan?leads=0")).body;
    expect(none).toMatchObject({ can_answer: false, minimum_detectable_ratio: null });
  });

  test("200: of a campaign, its own leads and pace", async () => {
    const { id } = await makeCampaign(app);
    const leads = Array.from({ length: 30 }, (_, n) => ({ email: `plan${n}@example.com` }));
    await app.call("POST", `/campaigns/${id}/leads`, { leads });
    const { body } = await app.call("GET", `/experiments/plan?campaign_id=${id}&variants=3`);
    expect(body).toMatchObject({
      leads: 30,
      leads_per_day: 50,
      leads_per_variant: 10,
      variants: 3,
    });
  });

  test.each([
    ["nothing to plan for", "", "leads"],
    ["an unknown campaign", "?campaign_id=0190a0a0-0000-7000-8000-000000000000", "campaign_id"],
    ["a baseline of everybody", "?leads=10&baseline=1", "baseline"],
    ["a baseline that is no number", "?leads=10&baseline=much", "baseline"],
    ["one variant", "?leads=10&variants=1", "variants"],
    ["fewer than no leads", "?leads=-1", "leads"],
  ])("422: %s", async (_name, query, field) => {
    const { status, body } = await app.call("GET", `/experiments/plan${query}`);
    expect([status, body.field]).toEqual([422, field]);
  });
});

describe("guardrails", () => {
  const BOTH = [
    { metric: "opt_outs", max_rate: 0.02 },
    { metric: "bounces", max_ratio: 1.5 },
  ];

  test("201 and 200: are shown as they were set, and none are set unless asked for", async () => {
    expect((await create({})).body.guardrails).toEqual([]);
    const { status, body } = await create({ guardrails: BOTH });
    expect([status, body.guardrails]).toEqual([201, BOTH]);
    const path = `/experiments/${body.id}`;
    expect((await app.call("GET", path)).body.guardrails).toEqual(BOTH);
    const cleared = await app.call("PATCH", path, { guardrails: [] });
    expect([cleared.status, cleared.body.guardrails]).toEqual([200, []]);
  });

  test.each([
    ["guardrails.0.metric", [{ metric: "opens", max_rate: 0.02 }]],
    ["guardrails.0", [{ metric: "opt_outs" }]],
    ["guardrails.1", [BOTH[0], { metric: "opt_outs", max_rate: 0.01, max_ratio: 2 }]],
    ["guardrails.1.metric", [BOTH[0], BOTH[0]]],
    ["guardrails.0.max_rate", [{ metric: "bounces", max_rate: 0.06 }]],
    ["guardrails.0.max_rate", [{ metric: "opt_outs", max_rate: 0 }]],
    ["guardrails.0.max_ratio", [{ metric: "opt_outs", max_ratio: 0.5 }]],
  ])("422: %s", async (field, guardrails) => {
    const { body: made } = await create({});
    for (const { status, body } of [
      await create({ guardrails }),
      await app.call("PATCH", `/experiments/${made.id}`, { guardrails }),
    ]) {
      expect([status, body.type, body.field]).toEqual([422, "validation_error", field]);
    }
  });
});
