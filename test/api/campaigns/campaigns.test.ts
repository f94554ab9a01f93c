/** The HTTP contract of `/campaigns`: records. Their moves are in `campaign-states.test.ts`. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { MINUTE_MS } from "#domain/time.ts";
import { createTestApp, START, type TestApp } from "../../support/app.ts";
import { addAccount } from "../../support/campaigns.ts";

const UNKNOWN = "00000000-0000-7000-8000-00000000dead";
const CREATED = "2026-03-02T15:00:00.000Z";
const WEEK = ["monday", "tuesday", "wednesday", "thursday", "friday"];

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
  app.environments.clock.setSpeed(0);
});
afterEach(() => app.close());

const create = async (body: object = {}) =>
  (await app.call("POST", "/campaigns", { name: "Spring", ...body })).body;
const patch = (id: string, body: unknown, headers: Record<string, string> = {}) =>
  app.call("PATCH", `/campaigns/${id}`, body, { headers });
const read = async (id: string) => (await app.call("GET", `/campaigns/${id}`)).body;
const window = (change: object) => ({ send_window: change });
const audited = () =>
  app.environments.test.db.raw
    .query<{ action: string; before: string | null; after: string | null }, []>(
      "SELECT action, before, after FROM audit WHERE action LIKE 'campaign.%' ORDER BY seq",
    )
    .all();

describe("POST /campaigns", () => {
  test("201: a name is enough; the rest takes its defaults", async () => {
    const { status, body, headers } = await app.call("POST", "/campaigns", { name: "Spring" });
    expect(status).toBe(201);
    expect(headers.get("location")).toBe(`/api/v1/campaigns/${body.id}`);
    expect(body).toEqual({
      id: body.id,
      team_id: app.team.id,
      name: "Spring",
      status: "draft",
      status_reason: null,
      notes: null,
      stop_on_reply: true,
      stop_on_auto_reply: false,
      max_leads_per_day: 50,
      daily_limit: null,
      priority: "follow_ups",
      max_per_domain_per_day: null,
      stop_company_on_reply: false,
      evergreen: true,
      rules: [],
      account_ids: [],
      send_window: { timezone: "UTC", days: WEEK, start_hour: 9, end_hour: 17, skip_holidays: [] },
      tracking: { opens: false, clicks: false },
      on_hold: {
        total: 0,
        missing_variable: 0,
        unknown_send: 0,
        task: 0,
        account_gone: 0,
        planning_failed: 0,
        invalid_address: 0,
        risky_address: 0,
      },
      risky_addresses: "send",
      provider_matching: "off",
      started_at: null,
      created_at: CREATED,
      updated_at: CREATED,
    });
    expect(audited().map(({ action }) => action)).toEqual(["campaign.create"]);
  });

  test("201: everything that may be set is", async () => {
    const { id } = await addAccount(app);
    const given = {
      name: "Ünïcode 名 🌱",
      notes: "Only founders.\nAnn handles the replies.",
      stop_on_reply: false,
      stop_on_auto_reply: true,
      max_leads_per_day: 10_000,
      daily_limit: 1,
      priority: "new_leads",
      max_per_domain_per_day: 3,
      stop_company_on_reply: true,
      evergreen: false,
      account_ids: [id],
      send_window: { timezone: "Asia/Kolkata", days: ["sunday"], start_hour: 0, end_hour: 24 },
      tracking: { opens: true, clicks: true },
    };
    expect(await create(given)).toMatchObject(given);
  });

  test("201: parts of a window and of tracking keep the rest of the defaults", async () => {
    const body = await create({ send_window: { end_hour: 12 }, tracking: { clicks: true } });
    expect(body.send_window).toMatchObject({
      timezone: "UTC",
      days: WEEK,
      start_hour: 9,
      end_hour: 12,
    });
    expect(body.tracking).toEqual({ opens: false, clicks: true });
  });

  const wrong: [string, unknown, string][] = [
    ["no name", {}, "name"],
    ["an empty name", { name: "" }, "name"],
    ["a long name", { name: "x".repeat(256) }, "name"],
    ["a name of two lines", { name: "a\nb" }, "name"],
    ["a name that is null", { name: null }, "name"],
    ["a name that is a number", { name: 7 }, "name"],
    [
      "an unknown zone",
      { name: "x", ...window({ timezone: "Mars/Olympus" }) },
      "send_window.timezone",
    ],
    ["an unknown day", { name: "x", ...window({ days: ["someday"] }) }, "send_window.days.0"],
    ["a day in capitals", { name: "x", ...window({ days: ["Monday"] }) }, "send_window.days.0"],
    ["no days", { name: "x", ...window({ days: [] }) }, "send_window.days"],
    ["a day twice", { name: "x", ...window({ days: ["monday", "monday"] }) }, "send_window.days"],
    ["an hour 24 to start", { name: "x", ...window({ start_hour: 24 }) }, "send_window.start_hour"],
    ["half an hour", { name: "x", ...window({ start_hour: 9.5 }) }, "send_window.start_hour"],
    ["an hour 25 to end", { name: "x", ...window({ end_hour: 25 }) }, "send_window.end_hour"],
    ["an end before the start", { name: "x", ...window({ end_hour: 9 }) }, "send_window.end_hour"],
    [
      "an end before its start",
      { name: "x", ...window({ start_hour: 17 }) },
      "send_window.end_hour",
    ],
    [
      "an unknown part of the window",
      { name: "x", ...window({ minute: 3 }) },
      "send_window.minute",
    ],
    ["no new leads", { name: "x", max_leads_per_day: 0 }, "max_leads_per_day"],
    ["too many new leads", { name: "x", max_leads_per_day: 10_001 }, "max_leads_per_day"],
    ["half a lead", { name: "x", max_leads_per_day: 1.5 }, "max_leads_per_day"],
    ["a number in words", { name: "x", max_leads_per_day: "50" }, "max_leads_per_day"],
    ["a daily limit of nothing", { name: "x", daily_limit: 0 }, "daily_limit"],
    ["notes that are too long", { name: "x", notes: "n".repeat(2001) }, "notes"],
    ["notes with a NUL", { name: "x", notes: "\0" }, "notes"],
    ["an unknown priority", { name: "x", priority: "oldest" }, "priority"],
    ["a truth in words", { name: "x", stop_on_reply: "true" }, "stop_on_reply"],
    ["an unknown account", { name: "x", account_ids: [UNKNOWN] }, "account_ids.0"],
    ["what is no id", { name: "x", account_ids: ["ann"] }, "account_ids.0"],
    ["an unknown field", { name: "x", colour: "red" }, "colour"],
    ["a misspelt field", { name: "x", stop_on_replies: true }, "stop_on_replies"],
    ["a status", { name: "x", status: "active" }, "status"],
    ["an id of one's own", { name: "x", id: UNKNOWN }, "id"],
    ["an unknown kind of tracking", { name: "x", tracking: { opened: true } }, "tracking.opened"],
  ];
  test.each(wrong)("422: %s is named, and nothing is stored", async (_name, input, field) => {
    const { status, body } = await app.call("POST", "/campaigns", input);
    expect(body).toMatchObject({ type: "validation_error", field, status: 422 });
    expect(status).toBe(422);
    expect((await app.call("GET", "/campaigns")).body.total).toBe(0);
  });

  test("422: another team's account, and one of the other environment", async () => {
    const other = await app.addTeam("Other");
    const body = { email: "x@other.example", provider: "smtp" };
    const theirs = await app.call("POST", "/accounts", body, { key: other.keys.test });
    const ours = await app.live("POST", "/accounts", { email: "a@b.example", provider: "google" });
    for (const { body: account } of [theirs, ours]) {
      const made = await app.call("POST", "/campaigns", { name: "x", account_ids: [account.id] });
      expect([made.status, made.body.field]).toEqual([422, "account_ids.0"]);
    }
  });
});

describe("GET /campaigns", () => {
  test("200: newest first, in pages", async () => {
    const made: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      made.unshift((await create({ name: `c${n}` })).id);
    }
    const page = async (query: string) => (await app.call("GET", `/campaigns${query}`)).body;
    const ids = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);
    expect(ids(await page(""))).toEqual(made);
    const second = await page("?limit=2&offset=2");
    expect(second).toMatchObject({ total: 5, limit: 2, offset: 2, hasMore: true });
    expect(ids(second)).toEqual(made.slice(2, 4));
    expect(await page("?limit=2&offset=4")).toMatchObject({ hasMore: false });
    expect(await page("?offset=99")).toEqual({
      data: [],
      total: 5,
      limit: 50,
      offset: 99,
      hasMore: false,
    });
  });

  test("200: of one status", async () => {
    const { id } = await create();
    await create();
    await app.call("POST", `/campaigns/${id}/archive`);
    const { body } = await app.call("GET", "/campaigns?status=archived&limit=1");
    expect(body).toMatchObject({ total: 1, hasMore: false, data: [{ id, status: "archived" }] });
    expect((await app.call("GET", "/campaigns?status=active")).body.data).toEqual([]);
  });

  test("422: a status that is none", async () => {
    const { status, body } = await app.call("GET", "/campaigns?status=running");
    expect([status, body.field]).toEqual([422, "status"]);
  });

  test("200: only the team's, only the environment's", async () => {
    await create();
    const other = await app.addTeam("Other");
    const seen = await app.call("GET", "/campaigns", undefined, { key: other.keys.test });
    expect(seen.body.total).toBe(0);
    expect((await app.live("GET", "/campaigns")).body.total).toBe(0);
  });
});

describe("GET /campaigns/{id}", () => {
  test("200: the record, whether it sends, and a tag; the id in either case", async () => {
    const made = await create();
    const { status, body, headers } = await app.call("GET", `/campaigns/${made.id.toUpperCase()}`);
    expect(status).toBe(200);
    expect(body).toEqual({ ...made, sending_status: "draft", next_send_at: null });
    expect(headers.get("etag")).toMatch(/^"[\w-]+"$/);
  });

  test("404: never was, another team's and the other environment's answer alike", async () => {
    const { id } = await create();
    const other = await app.addTeam("Other");
    const answers = [
      await app.call("GET", `/campaigns/${UNKNOWN}`),
      await app.call("GET", `/campaigns/${id}`, undefined, { key: other.keys.test }),
      await app.live("GET", `/campaigns/${id}`),
    ];
    for (const { status, body } of answers) {
      expect(status).toBe(404);
      expect(body).toEqual({
        type: "not_found",
        message: "no such campaign",
        field: null,
        status: 404,
        errors: [{ field: null, message: "no such campaign", did_you_mean: null }],
        docs_url: null,
      });
    }
  });

  test("422: what is no id", async () => {
    const { status, body } = await app.call("GET", "/campaigns/spring");
    expect([status, body.type, body.field]).toEqual([422, "validation_error", "id"]);
  });
});

describe("PATCH /campaigns/{id}", () => {
  test("200: what is given changes, what is absent stays", async () => {
    const made = await create({ daily_limit: 9 });
    app.wall.move(MINUTE_MS);
    await app.advance(MINUTE_MS);
    const { status, body } = await patch(made.id, { name: "Summer", evergreen: false });
    expect(status).toBe(200);
    const updated_at = body.updated_at;
    expect(body).toEqual({ ...made, name: "Summer", evergreen: false, updated_at });
    expect(Date.parse(updated_at)).toBeGreaterThan(START);
    expect((await read(made.id)).name).toBe("Summer");
    const change = audited().at(-1);
    expect(change).toMatchObject({ action: "campaign.patch" });
    expect(JSON.parse(change?.before ?? "")).toEqual({ name: "Spring", evergreen: true });
    expect(JSON.parse(change?.after ?? "")).toEqual({ name: "Summer", evergreen: false });
  });

  test.each([
    ["nothing", {}],
    ["what it has already", { name: "Spring", max_leads_per_day: 50 }],
    ["its own window", { send_window: { start_hour: 9 }, tracking: {} }],
    ["its own status", { status: "draft" }],
  ])("200: %s changes nothing, updated_at neither", async (_name, change) => {
    const made = await create();
    await app.advance(MINUTE_MS);
    const { status, body } = await patch(made.id, change);
    expect([status, body]).toEqual([200, made]);
    expect(audited()).toHaveLength(1);
  });

  test("200: a window and tracking are merged field by field", async () => {
    const made = await create({ tracking: { opens: true } });
    await patch(made.id, { send_window: { end_hour: 12 }, tracking: { clicks: true } });
    const { body } = await patch(made.id, { send_window: { timezone: "Europe/Berlin" } });
    expect(body.send_window).toEqual({
      ...made.send_window,
      end_hour: 12,
      timezone: "Europe/Berlin",
    });
    expect(body.tracking).toEqual({ opens: true, clicks: true });
  });

  test("422: the merged window is what is checked", async () => {
    const made = await create({ send_window: { start_hour: 12 } });
    const { status, body } = await patch(made.id, { send_window: { end_hour: 12 } });
    expect([status, body.field]).toEqual([422, "send_window.end_hour"]);
    expect((await patch(made.id, { send_window: { start_hour: 3, end_hour: 12 } })).status).toBe(
      200,
    );
  });

  test("200: null clears what may be null", async () => {
    const made = await create({ daily_limit: 9, max_per_domain_per_day: 2, notes: "Call Ann" });
    const nothing = { daily_limit: null, max_per_domain_per_day: null, notes: null };
    expect((await patch(made.id, nothing)).body).toMatchObject(nothing);
  });

  test.each([
    ["name", { name: null }, "name"],
    ["send_window", { send_window: null }, "send_window"],
    ["send_window.days", { send_window: { days: null } }, "send_window.days"],
    ["max_leads_per_day", { max_leads_per_day: null }, "max_leads_per_day"],
    ["account_ids", { account_ids: null }, "account_ids"],
    ["status", { status: null }, "status"],
  ])("422: null for %s, which cannot be null", async (_name, change, field) => {
    const made = await create();
    const { status, body } = await patch(made.id, change);
    expect([status, body.field]).toEqual([422, field]);
  });

  test("200: what was read may be sent back whole, with one change", async () => {
    const { id } = await create();
    const whole = await read(id);
    const { status, body } = await patch(id, { ...whole, name: "Summer", status_reason: "x" });
    expect([status, body.name]).toEqual([200, "Summer"]);
    const engine = {
      updated_at: "2020-01-01T00:00:00.000Z",
      sending_status: "sending",
      started_at: 7,
    };
    expect((await patch(id, engine)).body).toMatchObject({ started_at: null, name: "Summer" });
  });

  test.each(["id", "team_id", "created_at"])(
    "422: another %s is refused by name",
    async (field) => {
      const made = await create();
      const { status, body } = await patch(made.id, { name: "Summer", [field]: UNKNOWN });
      expect([status, body.field]).toEqual([422, field]);
      expect((await read(made.id)).name).toBe("Spring");
    },
  );

  test.each(["campaign_id", "lead_id", "colour", "__proto__", "constructor"])(
    "422: %s is no field of a campaign",
    async (field) => {
      const made = await create();
      const { status, body } = await patch(made.id, `{"${field}":{"x":1},"name":"Summer"}`, {
        "Content-Type": "application/json",
      });
      expect([status, body.field]).toEqual([422, field]);
      expect((await read(made.id)).name).toBe("Spring");
    },
  );

  test("account_ids: checked, made unique, and ids of accounts that are gone may stay", async () => {
    const [a, b] = [await addAccount(app, "a@x.example"), await addAccount(app, "b@x.example")];
    const made = await create({ account_ids: [a.id.toUpperCase(), b.id, a.id] });
    expect(made.account_ids).toEqual([a.id, b.id]);
    const gone = await app.call("DELETE", `/accounts/${a.id}`);
    expect(gone.status).toBeLessThan(500);
    const kept = (await read(made.id)).account_ids;
    expect((await patch(made.id, { account_ids: kept, name: "x" })).status).toBe(200);
    const { status, body } = await patch(made.id, { account_ids: [...kept, UNKNOWN] });
    expect([status, body.field]).toEqual([422, `account_ids.${kept.length}`]);
    expect((await patch(made.id, { account_ids: [] })).body.account_ids).toEqual([]);
  });

  test("404: another team's", async () => {
    const { id } = await create();
    const { keys } = await app.addTeam("Other");
    const answer = await app.call("PATCH", `/campaigns/${id}`, { name: "x" }, { key: keys.test });
    expect(answer.status).toBe(404);
  });
});
