/** The contract of `/experiments`, through HTTP: creating and reading them, and every refusal. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { DAY_MS } from "#domain/time.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { EMAIL_STEP, makeCampaign } from "../../support/campaigns.ts";
import { makeExperiment } from "../../support/experiments.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** A draft campaign of one step. */
const campaign = async () => (await makeCampaign(app)).id;
const NAMES = [{ name: "A" }, { name: "B" }];

async function create(fields: object) {
  const campaignId = await campaign();
  return app.call("POST", "/experiments", {
    campaign_id: campaignId,
    name: "Spring",
    variants: NAMES,
    ...fields,
  });
}

describe("POST /experiments", () => {
  test("201: campaign, name and names of variants are enough; the rest takes its defaults", async () => {
    const campaignId = await campaign();
    const { status, body, headers } = await app.call("POST", "/experiments", {
      campaign_id: campaignId,
      name: "Spring",
      variants: NAMES,
    });

    expect(status).toBe(201);
    expect(headers.get("location")).toBe(`/api/v1/experiments/${body.id}`);
    expect(body).toEqual({
      id: expect.any(String),
      team_id: app.team.id,
      campaign_id: campaignId,
      name: "Spring",
      status: "running",
      primary_metric: "reply_rate",
      optimization_mode: "fixed_split",
      duration_days: 14,
      attribution_window_days: 7,
      early_stopping: true,
      auto_drop: false,
      guardrails: [],
      step_position: 1,
      test_leads: null,
      started_at: "2026-03-02T15:00:00.000Z",
      ends_at: "2026-03-16T15:00:00.000Z",
      completed_at: null,
      winner_variant_id: null,
      winner_applied_at: null,
      created_at: "2026-03-02T15:00:00.000Z",
      updated_at: "2026-03-02T15:00:00.000Z",
    });
  });

  test("201: everything that can be set", async () => {
    const fields = {
      primary_metric: "interested_rate",
      optimization_mode: "thompson_sampling",
      duration_days: 30,
      attribution_window_days: 0,
      early_stopping: false,
      auto_drop: true,
      step_position: 1,
    };
    const { status, body } = await create({
      ...fields,
      variants: [
        { name: "A", weight: 3, config: { subject: "One", note: { any: ["thing"] } } },
        { name: "B", weight: 1 },
      ],
    });
    expect(status).toBe(201);
    expect(body).toMatchObject(fields);
    const detail = (await app.call("GET", `/experiments/${body.id}`)).body;
    expect(detail.variants).toMatchObject([
      {
        name: "A",
        weight: 3,
        config: { subject: "One", note: { any: ["thing"] } },
        emails_sent: 0,
      },
      { name: "B", weight: 1, config: {} },
    ]);
    expect(Object.values(detail.allocation)).toEqual([0.75, 0.25]);
  });

  test("201: without a step yet, when none is asked for", async () => {
    const { id } = await makeCampaign(app, []);
    const body = { campaign_id: id, name: "Early", variants: NAMES };
    expect((await app.call("POST", "/experiments", body)).status).toBe(201);
  });

  const LONG = "x".repeat(256);
  test.each([
    ["no campaign", { campaign_id: undefined }, "campaign_id"],
    ["an unknown campaign", { campaign_id: "0190a0a0-0000-7000-8000-000000000000" }, "campaign_id"],
    ["no name", { name: undefined }, "name"],
    ["an empty name", { name: "" }, "name"],
    ["no variants", { variants: undefined }, "variants"],
    ["one variant", { variants: [{ name: "A" }] }, "variants"],
    [
      "eleven variants",
      { variants: Array.from({ length: 11 }, (_, n) => ({ name: `V${n}` })) },
      "variants",
    ],
    [
      "thousands of variants",
      { variants: Array.from({ length: 5000 }, (_, n) => ({ name: `V${n}` })) },
      "variants",
    ],
    ["a variant without a name", { variants: [{ name: "A" }, {}] }, "variants.1.name"],
    ["an empty name of a variant", { variants: [{ name: "A" }, { name: "" }] }, "variants.1.name"],
    ["a long name of a variant", { variants: [{ name: "A" }, { name: LONG }] }, "variants.1.name"],
    ["two variants of one name", { variants: [{ name: "A" }, { name: "A" }] }, "variants.1.name"],
    ["a weight of 0", { variants: [{ name: "A" }, { name: "B", weight: 0 }] }, "variants.1.weight"],
    [
      "a weight below 0",
      { variants: [{ name: "A", weight: -1 }, { name: "B" }] },
      "variants.0.weight",
    ],
    [
      "a weight that is a text",
      { variants: [{ name: "A", weight: "1" }, { name: "B" }] },
      "variants.0.weight",
    ],
    [
      "a subject misspelt",
      { variants: [{ name: "A" }, { name: "B", config: { subjetc: "x" } }] },
      "variants.1.config.subjetc",
    ],
    [
      "a step's wait",
      { variants: [{ name: "A" }, { name: "B", config: { wait_days: 1 } }] },
      "variants.1.config.wait_days",
    ],
    [
      "a config that is a list",
      { variants: [{ name: "A" }, { name: "B", config: ["x"] }] },
      "variants.1.config",
    ],
    [
      "a template that does not parse",
      { variants: [{ name: "A" }, { name: "B", config: { body: "{% if %}" } }] },
      "variants.1.config.body",
    ],
    ["a step that does not exist", { step_position: 2 }, "step_position"],
    ["a step before the first", { step_position: 0 }, "step_position"],
    ["an unknown metric", { primary_metric: "open_rate" }, "primary_metric"],
    [
      "a test-and-roll of uneven weights",
      {
        optimization_mode: "test_and_roll",
        variants: [{ name: "A" }, { name: "B", weight: 2 }],
      },
      "variants.1.weight",
    ],
    ["an unknown mode", { optimization_mode: "magic" }, "optimization_mode"],
    ["no days", { duration_days: 0 }, "duration_days"],
    ["more than a year", { duration_days: 366 }, "duration_days"],
    ["a window of months", { attribution_window_days: 31 }, "attribution_window_days"],
    ["an unknown field", { duration: 3 }, "duration"],
  ])("422: %s is named, and nothing is stored", async (_name, change, field) => {
    const before = (await app.call("GET", "/experiments")).body.length;
    const { status, body } = await create(change);

    expect(status).toBe(422);
    expect(body).toMatchObject({ type: "validation_error", field, status: 422 });
    expect((await app.call("GET", "/experiments")).body).toHaveLength(before);
  });

  test("422: an infinite weight, as JSON can hold one", async () => {
    const id = await campaign();
    const text = `{"campaign_id":"${id}","name":"x","variants":[{"name":"A","weight":1e999},{"name":"B"}]}`;
    const { status, body } = await app.call("POST", "/experiments", text);
    expect([status, body.field]).toEqual([422, "variants.0.weight"]);
  });

  test("422: a task has nothing to vary", async () => {
    const { id } = await makeCampaign(app, [{ type: "task", subject: "Call" }, EMAIL_STEP]);
    const body = { campaign_id: id, name: "Task", variants: NAMES };
    const refused = await app.call("POST", "/experiments", body);
    expect([refused.status, refused.body.field]).toEqual([422, "step_position"]);
  });

  test("422: a test-and-roll of a follow-up, which no lead waits for", async () => {
    const { id } = await makeCampaign(app, [EMAIL_STEP, { ...EMAIL_STEP, subject: "Again" }]);
    const second = { campaign_id: id, name: "x", variants: NAMES, step_position: 2 };
    const fields = { optimization_mode: "test_and_roll" };
    const refused = await app.call("POST", "/experiments", { ...second, ...fields });
    expect([refused.status, refused.body.field]).toEqual([422, "step_position"]);
    const { body: made } = await app.call("POST", "/experiments", second);
    const changed = await app.call("PATCH", `/experiments/${made.id}`, fields);
    expect([changed.status, changed.body.field]).toEqual([422, "step_position"]);
  });

  test("409: a second one on the same step; another step is free", async () => {
    const { id } = await makeCampaign(app, [EMAIL_STEP, { ...EMAIL_STEP, subject: "Again" }]);
    const body = { campaign_id: id, name: "First", variants: NAMES };
    const first = await app.call("POST", "/experiments", body);
    expect(first.status).toBe(201);

    const second = await app.call("POST", "/experiments", { ...body, name: "Second" });
    expect(second.status).toBe(409);
    expect(second.body).toMatchObject({ type: "conflict", field: "step_position" });
    expect(second.body.message).toContain("First");
    expect((await app.call("POST", "/experiments", { ...body, step_position: 2 })).status).toBe(
      201,
    );

    await app.call("POST", `/experiments/${first.body.id}/cancel`);
    expect((await app.call("POST", "/experiments", { ...body, name: "Second" })).status).toBe(201);
  });

  test("the same request with an Idempotency-Key makes one", async () => {
    const body = { campaign_id: await campaign(), name: "Once", variants: NAMES };
    const headers = { "Idempotency-Key": "experiment-1" };
    const first = await app.call("POST", "/experiments", body, { headers });
    const again = await app.call("POST", "/experiments", body, { headers });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
  });
});

describe("GET /experiments", () => {
  test("200: a bare array of base fields, newest first, by campaign and status", async () => {
    const { body: older } = await create({ name: "Older" });
    const { body: newer } = await create({ name: "Newer" });
    const all = (await app.call("GET", "/experiments")).body;

    expect(Array.isArray(all)).toBe(true);
    expect(all.slice(0, 2).map(({ id }: { id: string }) => id)).toEqual([newer.id, older.id]);
    expect(all[0]).toEqual(newer);
    expect(all[0].variants).toBeUndefined();

    const ofCampaign = await app.call("GET", `/experiments?campaign_id=${older.campaign_id}`);
    expect(ofCampaign.body).toEqual([older]);
    await app.call("POST", `/experiments/${older.id}/pause`);
    const paused = await app.call("GET", "/experiments?status=paused&limit=1");
    expect(paused.body.map(({ id }: { id: string }) => id)).toEqual([older.id]);
    expect((await app.call("GET", "/experiments?limit=1&offset=1")).body[0].id).toBe(older.id);
    expect((await app.call("GET", "/experiments?offset=1")).body[0].id).toBe(older.id);
  });

  test("404: another team's, in every operation on one", async () => {
    const { body } = await create({});
    const { keys } = await app.addTeam("Others");
    const key = keys.test;
    for (const [method, path] of [
      ["GET", ""],
      ["GET", "/results"],
      ["PATCH", ""],
      ["POST", "/pause"],
      ["POST", "/resume"],
      ["POST", "/cancel"],
      ["POST", "/complete"],
      ["POST", "/apply-winner"],
      ["POST", "/share"],
      ["DELETE", "/share"],
    ] as const) {
      const given = method === "PATCH" || path === "/complete" ? {} : undefined;
      const answer = await app.call(method, `/experiments/${body.id}${path}`, given, { key });
      expect([path, answer.status]).toEqual([path, 404]);
    }
    expect((await app.call("GET", "/experiments", undefined, { key })).body).toEqual([]);
    expect((await app.live("GET", `/experiments/${body.id}`)).status).toBe(404);
  });
});

describe("GET /experiments/{id}", () => {
  test("200: what the seed names, before anything is sent", async () => {
    const { body: made } = await create({});
    const { status, body } = await app.call("GET", `/experiments/${made.id}`);
    const [a, b] = body.variants.map(({ id }: { id: string }) => id);

    expect(status).toBe(200);
    expect(body).toEqual({
      ...made,
      variants: ["A", "B"].map((name) => ({
        id: expect.any(String),
        experiment_id: made.id,
        name,
        config: {},
        weight: 1,
        emails_sent: 0,
        replies: 0,
        interested: 0,
        negative_replies: 0,
        bounced: 0,
        opted_out: 0,
        successes: 0,
        failures: 0,
        contents: [],
        out_reason: null,
        is_active: true,
        created_at: made.created_at,
      })),
      win_probabilities: { [a]: 0.5, [b]: 0.5 },
      allocation: { [a]: 0.5, [b]: 0.5 },
      convergence: 0,
      share: null,
    });
  });
});

describe("GET /experiments/{id}/results", () => {
  test("200: before anything is sent it says so", async () => {
    const { body: made } = await create({});
    const { status, body } = await app.call("GET", `/experiments/${made.id}/results`);

    expect(status).toBe(200);
    expect(body.experiment).toEqual({
      id: made.id,
      name: "Spring",
      status: "running",
      primary_metric: "reply_rate",
      days_elapsed: 0,
      days_remaining: 14,
    });
    expect(body.variants[0]).toMatchObject({ reply_rate: 0, interested_rate: 0, bounce_rate: 0 });
    expect(body.significance).toMatchObject([
      {
        variant_a: "A",
        variant_b: "B",
        significant: false,
        p_value: 1,
        confidence: 0,
        p_value_fixed: null,
        lift_ratio: null,
      },
    ]);
    expect(body.winner).toBeNull();
    expect(body.recommendation).toBe("No emails have been sent in this experiment yet.");
    expect(body).toMatchObject({ recommendation_code: "no_data", is_final: false, warnings: [] });
    expect(body.quality).toMatchObject({ srm_detected: false, pending: 0, eliminated: [] });
  });

  test("200 and 422: what a reply costs, in leads and in money, and each segment", async () => {
    const made = await makeExperiment(app, { leads: 40, perDay: 40, name: "priced" });
    await app.call("PATCH", "/sandbox/settings", { rates: { reply: 1, interested: 1 } });
    await app.advance(2 * DAY_MS);
    const path = `/experiments/${made.id}/results`;
    const [plain] = (await app.call("GET", path)).body.variants;
    const { emails, emails_low, emails_high } = plain.per_reply;
    expect(emails).toBeCloseTo(plain.emails_sent / plain.replies, 9);
    expect(emails_low).toBeLessThanOrEqual(emails);
    expect(emails_high).toBeGreaterThan(emails);
    expect(plain.per_reply).toMatchObject({ cost: null, cost_low: null, cost_high: null });
    const [priced] = (await app.call("GET", `${path}?cost_per_lead=0.5`)).body.variants;
    expect(priced.per_interested).toEqual({
      ...plain.per_interested,
      cost: plain.per_interested.emails / 2,
      cost_low: plain.per_interested.emails_low / 2,
      cost_high: plain.per_interested.emails_high / 2,
    });
    const { segments, variants } = (await app.call("GET", `${path}?segment_by=mailbox`)).body;
    const leads = segments.segments.map((segment: { leads: number }) => segment.leads);
    const sent = variants.map((variant: { emails_sent: number }) => variant.emails_sent);
    const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);
    expect([segments.by, sum(leads), segments.sentence]).toEqual(["mailbox", sum(sent), null]);
    expect(segments.interactions).toMatchObject([
      { variant_a_id: made.variants[0]?.id, variant_b_id: made.variants[1]?.id },
    ]);
    const wrong = await app.call("GET", `${path}?segment_by=moon`);
    expect([wrong.status, wrong.body.field]).toEqual([422, "segment_by"]);
    const refused = await app.call("GET", `${path}?cost_per_lead=-1`);
    expect([refused.status, refused.body.field]).toEqual([422, "cost_per_lead"]);
  });

  test("200: every pair once, in the order of the variants", async () => {
    const names = ["A", "B", "C", "D"];
    const { body: made } = await create({ variants: names.map((name) => ({ name })) });
    const { body } = await app.call("GET", `/experiments/${made.id}/results`);
    const pairs = body.significance.map((pair: Record<string, string>) =>
      [pair["variant_a"], pair["variant_b"]].join(""),
    );
    expect(pairs).toEqual(["AB", "AC", "AD", "BC", "BD", "CD"]);
  });
});
