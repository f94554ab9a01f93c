/** The HTTP contract of `/placement/runs` and `/placement/schedules`, in the sandbox. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { HOUR_MS, MINUTE_MS } from "#domain/time.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addAccount, makeCampaign } from "../../support/campaigns.ts";

let app: TestApp;
let account: string;
beforeEach(async () => {
  app = await createTestApp();
  account = (await addAccount(app)).id;
});
afterEach(() => app.close());

const UNKNOWN = "00000000-0000-7000-8000-00000000dead";
const addSeed = async (email: string): Promise<string> =>
  (await app.call("POST", "/placement/seeds", { email })).body.id;
const begin = (body: object = {}) => app.call("POST", "/placement/runs", body);
const read = async (id: string) => (await app.call("GET", `/placement/runs/${id}`)).body;
const EMAILS = ["a@gmail.com", "b@outlook.com", "c@yahoo.com"];

describe("POST /placement/runs", () => {
  test("201: with nothing said every account writes to every seed; GET has the seed's whole shape", async () => {
    const other = (await addAccount(app, "bob@sender.example")).id;
    for (const email of EMAILS) {
      await addSeed(email);
    }
    const { status, body, headers } = await begin();
    expect(status).toBe(201);
    expect(headers.get("location")).toBe(`/api/v1/placement/runs/${body.id}`);
    expect(body).toMatchObject({
      ...{ trigger_type: "manual", status: "pending", total_tests: 6, pending_count: 6 },
      ...{ started_at: null, completed_at: null, by_provider: {}, inbox_rate: 0 },
    });
    await app.advance(MINUTE_MS);
    expect((await read(body.id)).status).toBe("running");
    await app.advance(2 * HOUR_MS);

    const run = await read(body.id);
    expect(run).toMatchObject({
      ...{ id: body.id, trigger_type: "manual", status: "completed", total_tests: 6 },
      ...{ started_at: "2026-03-02T15:00:00.000Z", completed_at: expect.any(String) },
    });
    const { inbox_count, spam_count, promotions_count, not_delivered_count } = run;
    expect(inbox_count + spam_count + promotions_count + not_delivered_count).toBe(6);
    expect(run.inbox_rate).toBe(inbox_count / 6);
    expect(Object.keys(run.by_provider)).toEqual(["google", "microsoft", "yahoo"]);
    expect(run.by_provider.google.total).toBe(2);
    expect(run.results).toHaveLength(6);
    expect(new Set(run.results.map((one: { account_id: string }) => one.account_id))).toEqual(
      new Set([account, other]),
    );
    expect(run.results[0]).toMatchObject({
      account_email: "ann@sender.example",
      seed_email: "a@gmail.com",
      seed_provider: "google",
      placement: expect.stringMatching(/^(inbox|spam|promotions)$/),
      latency_ms: expect.any(Number),
      tested_at: expect.stringMatching(/Z$/),
      ...{ spf: "pass", dkim: "pass", dmarc: "pass" },
    });
  });

  test("201: some accounts and seeds, and a step's words for a made-up person", async () => {
    await addAccount(app, "bob@sender.example");
    const [seed] = [await addSeed(EMAILS[0] ?? ""), await addSeed(EMAILS[1] ?? "")];
    const { id: campaign, steps } = await makeCampaign(app, [
      { type: "task", subject: "Call" },
      { type: "email", subject: "For {{company}} in {{industry}}", body: "Hi {{first_name}}" },
      { type: "email", body: "And again" },
    ]);
    const body = { account_ids: [account], seed_ids: [seed], campaign_id: campaign };
    const first = await begin({ ...body, trigger_type: "manual" });
    expect(first.body).toMatchObject({ total_tests: 1, campaign_id: campaign, step_id: steps[1] });
    const second = await begin({ ...body, step_id: steps[2] });
    expect(second.status).toBe(201);
    await app.advance(HOUR_MS);
    const { data } = (await app.call("GET", "/sandbox/messages?recipient=a@gmail.com")).body;
    expect(data.map(({ subject }: { subject: string }) => subject).toSorted()).toEqual([
      "For Northfield in industry",
      "Re: For Northfield in industry",
    ]);
    expect((await app.call("GET", `/campaigns/${campaign}`)).body.stats?.sent ?? 0).toBe(0);
  });

  test("422: without accounts or seeds it says which", async () => {
    expect(await begin()).toMatchObject({ status: 422, body: { field: "seed_ids" } });
    const seed = await addSeed("a@gmail.com");
    await app.call("PATCH", `/placement/seeds/${seed}`, { status: "paused" });
    expect(await begin()).toMatchObject({ status: 422, body: { field: "seed_ids" } });
    expect((await begin({ seed_ids: [seed] })).status).toBe(201);
    await app.call("PATCH", `/accounts/${account}`, { status: "paused" });
    expect(await begin({ seed_ids: [seed] })).toMatchObject({
      status: 422,
      body: { field: "account_ids" },
    });
    expect(await begin({ seed_ids: [seed], account_ids: [account] })).toMatchObject({
      status: 422,
      body: { field: "account_ids.0", message: expect.stringContaining("paused") },
    });
  });

  test("422: every seed refuses its login", async () => {
    const seed = await addSeed("a@gmail.com");
    await app.call("PATCH", "/sandbox/settings", { faults: { auth_failures: [seed] } });
    await app.call("POST", `/placement/seeds/${seed}/test`);
    expect(await begin()).toMatchObject({ status: 422, body: { field: "seed_ids" } });
  });

  test.each([
    ["another's account", { account_ids: [UNKNOWN] }, "account_ids.0"],
    ["another's seed", { seed_ids: [UNKNOWN] }, "seed_ids.0"],
    ["another's campaign", { campaign_id: UNKNOWN }, "campaign_id"],
    ["a step without its campaign", { step_id: UNKNOWN }, "campaign_id"],
    ["a trigger that is not a person's", { trigger_type: "health" }, "trigger_type"],
    ["an unknown field", { seeds: [] }, "seeds"],
    ["no id", { seed_ids: ["x"] }, "seed_ids.0"],
  ])("422: %s", async (_name, body, field) => {
    await addSeed("a@gmail.com");
    expect(await begin(body)).toMatchObject({ status: 422, body: { field } });
    expect((await app.call("GET", "/placement/runs")).body.total).toBe(0);
  });

  test("422: a step that cannot be tested", async () => {
    await addSeed("a@gmail.com");
    const { id, steps } = await makeCampaign(app, [
      { type: "task", subject: "Call" },
      { type: "email", subject: "Broken {{", body: "x" },
      { type: "email", subject: "Empty", body: null },
    ]);
    for (const [body, field] of [
      [{ step_id: steps[0] }, "step_id"],
      [{ position: 9 }, "position"],
      [{ step_id: UNKNOWN }, "step_id"],
      [{ step_id: steps[1], position: 2 }, "position"],
      [{ step_id: steps[1] }, "step_id"],
      [{ step_id: steps[2] }, "step_id"],
    ] as const) {
      const answer = await begin({ campaign_id: id, ...body });
      expect(answer).toMatchObject({ status: 422, body: { field } });
    }
  });
});

describe("GET /placement/runs", () => {
  test("200: newest first, by status and trigger, without the results", async () => {
    await addSeed("a@gmail.com");
    const first = (await begin()).body.id;
    await app.advance(HOUR_MS);
    const second = (await begin()).body.id;
    const { body } = await app.call("GET", "/placement/runs?limit=1");
    expect(body).toMatchObject({ total: 2, hasMore: true, data: [{ id: second }] });
    expect(body.data[0].results).toBeUndefined();
    const done = await app.call("GET", "/placement/runs?status=completed&trigger_type=manual");
    expect(done.body).toMatchObject({ total: 1, data: [{ id: first }] });
    expect((await app.call("GET", "/placement/runs?status=x")).status).toBe(422);
    expect((await app.call("GET", `/placement/runs/${UNKNOWN}`)).status).toBe(404);
    expect((await app.live("GET", `/placement/runs/${first}`)).status).toBe(404);
    expect((await app.call("POST", `/placement/runs/${UNKNOWN}/cancel`)).status).toBe(404);
  });
});

describe("POST /sandbox/inject with a placement", () => {
  const inject = (body: object) =>
    app.call("POST", "/sandbox/inject", { kind: "placement", ...body });

  test.each(["inbox", "spam", "promotions", "not_delivered"])(
    "200: the email of a test ends as %s",
    async (placement) => {
      const seed = await addSeed("a@gmail.com");
      const run_id = (await begin()).body.id;
      const answer = await inject({ run_id, seed_id: seed, placement });
      expect(answer).toMatchObject({ status: 200, body: { account_id: account, answers: null } });
      await app.advance(HOUR_MS / 2);
      const run = await read(run_id);
      expect(run.status).toBe("completed");
      expect(run.results[0].placement).toBe(placement);
      expect((await inject({ run_id, seed_id: seed, placement })).status).toBe(
        placement === "not_delivered" ? 200 : 409,
      );
    },
  );

  test("200: an email that was lost turns up, and corrects the run", async () => {
    const seed = await addSeed("a@gmail.com");
    const run_id = (await begin()).body.id;
    await inject({ run_id, seed_id: seed, placement: "not_delivered" });
    await app.advance(HOUR_MS / 2);
    expect(await read(run_id)).toMatchObject({ status: "completed", not_delivered_count: 1 });
    await inject({ run_id, seed_id: seed, placement: "spam" });
    await app.advance(MINUTE_MS);
    expect(await read(run_id)).toMatchObject({ not_delivered_count: 0, spam_count: 1 });
  });

  test("422 and 404: what is meant must be one test", async () => {
    const seed = await addSeed("a@gmail.com");
    const run_id = (await begin()).body.id;
    await addAccount(app, "bob@sender.example");
    const both = (await begin()).body.id;
    const placement = "spam";
    for (const [body, status, field] of [
      [{ seed_id: seed, placement }, 422, "run_id"],
      [{ run_id, placement }, 422, "seed_id"],
      [{ run_id, seed_id: seed }, 422, "placement"],
      [{ run_id, seed_id: seed, placement, text: "x" }, 422, "text"],
      [{ run_id: both, seed_id: seed, placement }, 422, "account_id"],
      [{ run_id: UNKNOWN, seed_id: seed, placement }, 404, null],
      [{ kind: "reply", run_id, account_id: account }, 422, "run_id"],
    ] as const) {
      expect(await inject(body)).toMatchObject({ status, body: { field } });
    }
    const one = await inject({ run_id: both, seed_id: seed, account_id: account, placement });
    expect(one.status).toBe(200);
  });
});

describe("/placement/schedules", () => {
  const path = "/placement/schedules";

  test("201, 200, 204: made, read, changed, deleted", async () => {
    const made = await app.call("POST", path, {});
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      ...{ account_ids: [], seed_ids: [], campaign_id: null, step_id: null, active: true },
      ...{ weekday: "monday", hour: 6, timezone: "UTC", last_run_id: null, last_error: null },
      next_run_at: "2026-03-09T06:00:00.000Z",
    });
    const own = `${path}/${made.body.id}`;
    expect((await app.call("PATCH", own, made.body)).body).toEqual(made.body);
    const { id: campaign, steps } = await makeCampaign(app);
    const change = {
      ...{ campaign_id: campaign, step_id: steps[0], account_ids: [account] },
      ...{ timezone: "America/New_York", hour: 0, weekday: "tuesday" },
    };
    const changed = await app.call("PATCH", own, change);
    expect(changed.body).toMatchObject({ ...change, next_run_at: "2026-03-03T05:00:00.000Z" });
    expect((await app.call("PATCH", own, { active: false })).body.next_run_at).toBeNull();
    expect((await app.call("GET", path)).body.total).toBe(1);
    expect((await app.call("DELETE", own)).status).toBe(204);
    expect((await app.call("GET", own)).status).toBe(404);
  });

  test.each([
    [{ weekday: "someday" }, "weekday"],
    [{ hour: 24 }, "hour"],
    [{ timezone: "Mars/Olympus" }, "timezone"],
    [{ account_ids: [UNKNOWN] }, "account_ids.0"],
    [{ seed_ids: [UNKNOWN] }, "seed_ids.0"],
    [{ campaign_id: UNKNOWN }, "campaign_id"],
    [{ step_id: UNKNOWN }, "campaign_id"],
  ])("422: %j", async (body, field) => {
    expect(await app.call("POST", path, body)).toMatchObject({ status: 422, body: { field } });
  });

  test("what it names may go: it does without, and stops with its last", async () => {
    const [one, two] = [await addSeed("a@gmail.com"), await addSeed("b@gmail.com")];
    const body = { seed_ids: [one, two], account_ids: [account] };
    const { id } = (await app.call("POST", path, body)).body;
    await app.call("DELETE", `/placement/seeds/${one}`);
    const left = await app.call("GET", `${path}/${id}`);
    expect(left.body).toMatchObject({ seed_ids: [two], active: true });
    await app.call("DELETE", `/accounts/${account}`);
    expect((await app.call("GET", `${path}/${id}`)).body).toMatchObject({
      ...{ active: false, next_run_at: null, last_error: "its last account was deleted" },
    });
  });
});
