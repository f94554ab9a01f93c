/** The HTTP contract of `/webhooks`. What becomes of deliveries over time is in `test/engine/webhooks.test.ts`. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { HOUR_MS, MINUTE_MS } from "#domain/time.ts";
import { WEBHOOKS_MAX } from "#usecases/events/webhooks.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { answered, deliverDue, type ScriptedHttp, scriptedHttp } from "../../support/webhooks.ts";

let app: TestApp;
let http: ScriptedHttp;
beforeEach(async () => {
  http = scriptedHttp();
  app = await createTestApp({ http });
});
afterEach(() => app.close());

const UNKNOWN = "00000000-0000-7000-8000-00000000dead";
const URL_OF = "https://hooks.example.com/outrider";
const create = async (body: object = {}) =>
  (await app.call("POST", "/webhooks", { url: URL_OF, ...body })).body;
const suppress = (email: string) => app.call("POST", "/suppressions", { email });
const keyWith = async (...scopes: string[]) =>
  (await app.call("POST", "/keys", { name: "limited", scopes })).body.key as string;
const deliver = () => deliverDue(app.environments.test);

describe("POST /webhooks", () => {
  test("201: a URL is enough; it is notified of everything and signs with a secret of its own", async () => {
    const { status, body, headers } = await app.call("POST", "/webhooks", { url: URL_OF });
    expect(status).toBe(201);
    expect(headers.get("location")).toBe(`/api/v1/webhooks/${body.id}`);
    expect(body).toEqual({
      id: body.id,
      team_id: app.team.id,
      url: URL_OF,
      name: null,
      events: ["*"],
      campaign_ids: null,
      include: [],
      headers: {},
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      previous_secret_expires_at: null,
      active: true,
      disabled_reason: null,
      disabled_at: null,
      consecutive_failures: 0,
      failing_since: null,
      created_at: "2026-03-02T15:00:00.000Z",
      updated_at: "2026-03-02T15:00:00.000Z",
    });
    expect((await app.call("GET", `/webhooks/${body.id}`)).body).toEqual(body);
  });

  test("201: with all that may be said", async () => {
    const secret = `whsec_${Buffer.alloc(24, 1).toString("base64")}`;
    const events = ["email.sent", "reply.*"];
    const { status, body } = await app.call("POST", "/webhooks", {
      url: URL_OF,
      events,
      secret,
      active: false,
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ events, secret, active: false });
  });

  test.each<[string, object, string]>([
    ["no URL", { url: undefined }, "url"],
    ["an empty URL", { url: "" }, "url"],
    ["an unknown kind", { events: ["email.sent", "email.snet"] }, "events.1"],
    ["an unknown family", { events: ["mail.*"] }, "events.0"],
    ["no kinds", { events: [] }, "events"],
    ["a kind twice", { events: ["email.sent", "email.sent"] }, "events"],
    ["more kinds than there may be", { events: new Array(101).fill("email.sent") }, "events"],
    ["a kind that is no text", { events: [7] }, "events.0"],
    ["a secret that is too short", { secret: "whsec_AAAA" }, "secret"],
    ["a secret of another kind", { secret: "x".repeat(50) }, "secret"],
    ["an unknown field", { header: "x" }, "header"],
    ["active that is no boolean", { active: "yes" }, "active"],
  ])("422: %s is named, and nothing is stored", async (_name, change, field) => {
    const { status, body } = await app.call("POST", "/webhooks", { url: URL_OF, ...change });
    expect({ status, field: body.field, type: body.type }).toEqual({
      status: 422,
      field,
      type: "validation_error",
    });
    expect((await app.call("GET", "/webhooks")).body.total).toBe(0);
  });

  test("409: not more than twenty, in each environment", async () => {
    for (let n = 0; n < WEBHOOKS_MAX; n += 1) {
      await create({ url: `${URL_OF}/${n}` });
    }
    const { status, body } = await app.call("POST", "/webhooks", { url: URL_OF });
    expect({ status, type: body.type }).toEqual({ status: 409, type: "conflict" });
    expect((await app.live("POST", "/webhooks", { url: URL_OF })).status).toBe(201);
    const { data } = (await app.call("GET", "/webhooks")).body;
    await app.call("DELETE", `/webhooks/${data[3].id}`);
    expect((await app.call("POST", "/webhooks", { url: URL_OF })).status).toBe(201);
  });

  test("a repeat with the same Idempotency-Key makes no second one", async () => {
    const options = { headers: { "Idempotency-Key": "once" } };
    const first = await app.call("POST", "/webhooks", { url: URL_OF }, options);
    const second = await app.call("POST", "/webhooks", { url: URL_OF }, options);
    expect(second.body).toEqual(first.body);
    expect((await app.call("GET", "/webhooks")).body.total).toBe(1);
  });
});

describe("what a URL may be", () => {
  test.each([
    "http://example.com/",
    "https://ann:secret@example.com/",
    "https://example.com/#part",
    "https://127.0.0.1/",
    "https://2130706433/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::1]/",
    "https://169.254.169.254/latest",
    "https://10.0.0.1/",
    "https://localhost/",
    "https://router/",
    "ftp://example.com/",
    "not a url",
  ])("422: %s, in POST and in PATCH", async (url) => {
    const real = await createTestApp();
    const posted = await real.call("POST", "/webhooks", { url });
    expect({ status: posted.status, field: posted.body.field }).toEqual({
      status: 422,
      field: "url",
    });
    const { id } = (await real.call("POST", "/webhooks", { url: URL_OF })).body;
    const patched = await real.call("PATCH", `/webhooks/${id}`, { url });
    expect({ status: patched.status, field: patched.body.field }).toEqual({
      status: 422,
      field: "url",
    });
    await real.close();
  });
});

describe("the secret", () => {
  test("is whole for who may write webhooks, and masked for who may only read them", async () => {
    const { id, secret } = await create();
    const reader = await keyWith("webhooks:read");
    const writer = await keyWith("webhooks:write");
    const seen = async (key: string) => {
      const one = await app.call("GET", `/webhooks/${id}`, undefined, { key });
      const all = await app.call("GET", "/webhooks", undefined, { key });
      return [one.body.secret, all.body.data[0].secret];
    };
    expect(await seen(writer)).toEqual([secret, secret]);
    const masked = `whsec_…${secret.slice(-4)}`;
    expect(await seen(reader)).toEqual([masked, masked]);
  });

  test("is nowhere in the file, nor in the audit", async () => {
    const { id, secret } = await create();
    const { body } = await app.call("POST", `/webhooks/${id}/rotate-secret`);
    const other = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;
    await app.call("PATCH", `/webhooks/${id}`, { secret: other });
    const file = Buffer.from(app.environments.test.db.raw.serialize());
    for (const text of [secret, body.secret, other]) {
      expect(file.includes(text.slice("whsec_".length))).toBe(false);
    }
  });

  test("rotated: a new one, both valid for a day or as long as was asked", async () => {
    const { id, secret } = await create();
    const { status, body } = await app.call("POST", `/webhooks/${id}/rotate-secret`);
    expect(status).toBe(200);
    expect(body.secret).not.toBe(secret);
    expect(body.previous_secret_expires_at).toBe("2026-03-03T15:00:00.000Z");
    const again = await app.call("POST", `/webhooks/${id}/rotate-secret`, { overlap_seconds: 0 });
    expect(again.body.previous_secret_expires_at).toBeNull();
    const wrong = await app.call("POST", `/webhooks/${id}/rotate-secret`, {
      overlap_seconds: 604_801,
    });
    expect({ status: wrong.status, field: wrong.body.field }).toEqual({
      status: 422,
      field: "overlap_seconds",
    });
  });
});

describe("PATCH /webhooks/{id}", () => {
  test("200: changes what is given; {} and the record as it was read change nothing", async () => {
    const made = await create();
    app.wall.move(MINUTE_MS);
    const unchanged = await app.call("PATCH", `/webhooks/${made.id}`, {});
    expect(unchanged.body).toEqual(made);
    expect((await app.call("PATCH", `/webhooks/${made.id}`, made)).body).toEqual(made);
    const patched = await app.call("PATCH", `/webhooks/${made.id}`, { events: ["lead.*"] });
    expect(patched.status).toBe(200);
    expect(patched.body).toMatchObject({ url: URL_OF, events: ["lead.*"], secret: made.secret });
    expect(patched.body.updated_at).not.toBe(made.updated_at);
  });

  test.each<[string, object, string]>([
    ["an unknown kind", { events: ["x"] }, "events.0"],
    ["null", { url: null }, "url"],
    ["another id", { id: UNKNOWN }, "id"],
    ["another team", { team_id: UNKNOWN }, "team_id"],
    ["a masked secret", { secret: "whsec_…abcd" }, "secret"],
    ["an unknown field", { title: "x" }, "title"],
  ])("422: %s", async (_name, change, field) => {
    const { id } = await create();
    const { status, body } = await app.call("PATCH", `/webhooks/${id}`, change);
    expect({ status, field: body.field }).toEqual({ status: 422, field });
  });

  test("412: a stale If-Match changes nothing", async () => {
    const { id } = await create();
    const { headers } = await app.call("GET", `/webhooks/${id}`);
    const etag = { "If-Match": headers.get("etag") ?? "" };
    const change = { events: ["lead.*"] };
    expect((await app.call("PATCH", `/webhooks/${id}`, change, { headers: etag })).status).toBe(
      200,
    );
    expect(
      (await app.call("PATCH", `/webhooks/${id}`, { active: false }, { headers: etag })).status,
    ).toBe(412);
  });
});

describe("a webhook of nobody's", () => {
  const CALLS: [string, string, object | undefined][] = [
    ["GET", "", undefined],
    ["PATCH", "", {}],
    ["DELETE", "", undefined],
    ["POST", "/test", undefined],
    ["POST", "/rotate-secret", {}],
    ["POST", "/replay", {}],
    ["GET", "/deliveries", undefined],
    ["GET", `/deliveries/${UNKNOWN}`, undefined],
    ["POST", `/deliveries/${UNKNOWN}/replay`, undefined],
  ];

  test.each(CALLS)(
    "404: %s %s, unknown, another team's or the other environment's",
    async (method, path, body) => {
      const other = await app.addTeam("Other");
      const theirs = await app.call("POST", "/webhooks", { url: URL_OF }, { key: other.keys.test });
      const live = await app.live("POST", "/webhooks", { url: URL_OF });
      for (const id of [UNKNOWN, theirs.body.id, live.body.id]) {
        const answer = await app.call(method, `/webhooks/${id}${path}`, body);
        expect({ status: answer.status, message: answer.body.message }).toEqual({
          status: 404,
          message: "no such webhook",
        });
      }
    },
  );

  test("404: another webhook's delivery", async () => {
    const [mine, other] = [await create(), await create()];
    await suppress("a@example.com");
    const { data } = (await app.call("GET", `/webhooks/${other.id}/deliveries`)).body;
    const path = `/webhooks/${mine.id}/deliveries/${data[0].id}`;
    expect((await app.call("GET", path)).status).toBe(404);
  });
});

describe("DELETE /webhooks/{id}", () => {
  test("204 with an empty body: nothing is sent any more, and its deliveries go once it is purged", async () => {
    const { id } = await create();
    await suppress("a@example.com");
    const { status, text } = await app.call("DELETE", `/webhooks/${id}`);
    expect({ status, text }).toEqual({ status: 204, text: "" });
    expect((await app.call("GET", `/webhooks/${id}`)).status).toBe(404);
    expect((await app.call("DELETE", `/webhooks/${id}`)).status).toBe(404);
    expect((await app.call("GET", "/webhooks")).body.total).toBe(0);
    await deliver();
    expect(http.sent).toEqual([]);
    await app.advance(HOUR_MS);
    const rows = app.environments.test.db.raw;
    expect(rows.query("select count(*) n from deliveries").get()).toEqual({ n: 1 });
    const [gone] = (await app.call("GET", "/deleted")).body.data;
    expect((await app.call("DELETE", `/deleted/${gone.id}`)).status).toBe(204);
    await app.advance(HOUR_MS);
    expect(rows.query("select count(*) n from deliveries").get()).toEqual({ n: 0 });
    expect(rows.query("select count(*) n from webhooks").get()).toEqual({ n: 0 });
  });
});

describe("POST /webhooks/{id}/test", () => {
  test("200: sends a test to this webhook alone, and says what came of it", async () => {
    const { id } = await create({ events: ["email.sent"], active: false });
    await create({ url: `${URL_OF}/other` });
    const { status, body } = await app.call("POST", `/webhooks/${id}/test`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      webhook_id: id,
      event_type: "webhook.test",
      status: "succeeded",
      attempt_count: 1,
      last_status: 200,
      last_error: null,
      payload: { type: "webhook.test", env: "test", data: { webhook_id: id } },
    });
    expect(body.attempts).toHaveLength(1);
    await deliver();
    expect(http.sent.map(({ url }) => url)).toEqual([URL_OF]);
  });

  test("200: a failure is told, is not tried again, and does not count against the webhook", async () => {
    const { id } = await create();
    http.answer = () => answered(500);
    const { status, body } = await app.call("POST", `/webhooks/${id}/test`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: "failed", last_status: 500, last_error: "status" });
    app.wall.move(HOUR_MS);
    await deliver();
    expect(http.sent).toHaveLength(1);
    expect((await app.call("GET", `/webhooks/${id}`)).body.consecutive_failures).toBe(0);
  });
});
