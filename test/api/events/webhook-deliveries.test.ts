/** The HTTP contract of what becomes of events: `/webhooks/{id}/deliveries`, replays, and real endpoints. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { HOUR_MS, MINUTE_MS } from "#domain/time.ts";
import { parseCidrs } from "#platform/http/guard.ts";
import { createHttp } from "#platform/http/http.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { tableDns } from "../../support/dns.ts";
import {
  answered,
  deliverDue,
  OK,
  type ScriptedHttp,
  scriptedHttp,
  startReceiver,
} from "../../support/webhooks.ts";

let app: TestApp;
let http: ScriptedHttp;
beforeEach(async () => {
  http = scriptedHttp();
  app = await createTestApp({ http });
});
afterEach(() => app.close());

const URL_OF = "https://hooks.example.com/outrider";
const create = async (body: object = {}) =>
  (await app.call("POST", "/webhooks", { url: URL_OF, ...body })).body;
const suppress = (email: string) => app.call("POST", "/suppressions", { email });
const deliver = () => deliverDue(app.environments.test);

describe("deliveries", () => {
  test("are listed, the newest event first, and read with what was sent and every attempt", async () => {
    const { id, secret } = await create();
    for (const name of ["a", "b", "c"]) {
      await suppress(`${name}@example.com`);
    }
    http.answer = ({ event }) => (event.seq % 2 === 0 ? answered(503, "60") : OK);
    await deliver();
    const { body } = await app.call("GET", `/webhooks/${id}/deliveries?limit=2`);
    expect(body).toMatchObject({ total: 3, limit: 2, offset: 0, hasMore: true });
    const rest = await app.call(
      "GET",
      `/webhooks/${id}/deliveries?limit=2&after=${body.next_cursor}`,
    );
    const all = [...body.data, ...rest.body.data];
    expect(all.map(({ seq }) => seq)).toEqual([...all.map(({ seq }) => seq)].sort((a, b) => b - a));
    expect(rest.body).toMatchObject({ hasMore: false, next_cursor: null });

    const waiting = all.find(({ status }) => status === "pending");
    const read = await app.call("GET", `/webhooks/${id}/deliveries/${waiting.id}`);
    expect(read.body).toMatchObject({
      ...waiting,
      last_status: 503,
      last_error: "status",
      ended_at: null,
      payload: { id: waiting.event_id, seq: waiting.seq, type: "suppression.created" },
      attempts: [{ number: 1, status: 503, error: "status", response: "" }],
    });
    const sent = http.sent.find(({ event }) => event.id === waiting.event_id);
    expect(JSON.parse(sent?.body ?? "")).toEqual(read.body.payload);
    expect(sent?.headers["webhook-id"]).toBe(waiting.event_id);
    expect(secret).toBeString();
  });

  test("are found by status and by kind", async () => {
    const { id } = await create();
    await suppress("a@example.com");
    http.answer = () => answered(410);
    await deliver();
    const of = async (query: string) =>
      (await app.call("GET", `/webhooks/${id}/deliveries?${query}`)).body.total;
    expect(await of("status=failed")).toBe(1);
    expect(await of("status=pending")).toBe(0);
    expect(await of("type=suppression.created")).toBe(1);
    expect(await of("type=email.sent")).toBe(0);
    for (const query of ["status=lost", "type=x", "after=abc", "limit=0", "page=2"]) {
      const { status } = await app.call("GET", `/webhooks/${id}/deliveries?${query}`);
      expect(status).toBe(422);
    }
  });
});

describe("replay", () => {
  test("one: the same body and id, signed anew", async () => {
    const { id, secret } = await create();
    await suppress("a@example.com");
    await deliver();
    const [delivery] = (await app.call("GET", `/webhooks/${id}/deliveries`)).body.data;
    app.wall.move(10 * MINUTE_MS);
    const { status, body } = await app.call(
      "POST",
      `/webhooks/${id}/deliveries/${delivery.id}/replay`,
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: "pending", ended_at: null, attempt_count: 1 });
    await deliver();
    const [first, second] = http.sent;
    expect(second?.body).toBe(first?.body ?? "");
    expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"] ?? "");
    expect(second?.headers["webhook-timestamp"]).not.toBe(first?.headers["webhook-timestamp"]);
    expect(secret).toBeString();
  });

  test("409: not while the webhook is off", async () => {
    const { id } = await create();
    await suppress("a@example.com");
    const [delivery] = (await app.call("GET", `/webhooks/${id}/deliveries`)).body.data;
    await app.call("PATCH", `/webhooks/${id}`, { active: false });
    const one = await app.call("POST", `/webhooks/${id}/deliveries/${delivery.id}/replay`);
    const range = await app.call("POST", `/webhooks/${id}/replay`, {});
    expect([one.status, range.status]).toEqual([409, 409]);
  });

  test("a range: what failed and what was never queued; everything where all is asked for", async () => {
    const { id } = await create();
    await suppress("a@example.com");
    await deliver();
    await app.call("PATCH", `/webhooks/${id}`, { active: false });
    await suppress("b@example.com");
    await app.call("PATCH", `/webhooks/${id}`, { active: true });
    await deliver();
    expect(http.sent).toHaveLength(1);

    const missed = await app.call("POST", `/webhooks/${id}/replay`, {});
    expect(missed.body).toMatchObject({ replayed: 1, hasMore: false });
    await deliver();
    expect(http.sent.map(({ event }) => event.data["email_hash"])).toHaveLength(2);

    const all = await app.call("POST", `/webhooks/${id}/replay`, { all: true });
    expect(all.body.replayed).toBe(2);
    await deliver();
    const [first, second, third, fourth] = http.sent.map(({ body }) => body);
    expect([third, fourth]).toEqual([first, second]);
  });

  test.each<[string, object, string]>([
    ["an instant that is none", { since: "yesterday" }, "since"],
    [
      "an end before the beginning",
      { since: "2026-03-02T15:00:00Z", until: "2026-03-02T15:00:00Z" },
      "until",
    ],
    ["an unknown kind", { types: ["x"] }, "types.0"],
    ["a number that is none", { after: -1 }, "after"],
    ["an unknown field", { limit: 5 }, "limit"],
  ])("422: %s", async (_name, body, field) => {
    const { id } = await create();
    const answer = await app.call("POST", `/webhooks/${id}/replay`, body);
    expect({ status: answer.status, field: answer.body.field }).toEqual({ status: 422, field });
  });

  test("a range is cut by instants, by seq and by kind", async () => {
    const { id } = await create();
    for (const name of ["a", "b", "c"]) {
      await suppress(`${name}@example.com`);
      await app.advance(HOUR_MS);
    }
    await deliver();
    const events = http.sent.map(({ event }) => event);
    const replay = async (body: object) =>
      (await app.call("POST", `/webhooks/${id}/replay`, { all: true, ...body })).body.replayed;
    expect(await replay({ since: "2026-03-02T16:00:00Z" })).toBe(2);
    expect(await replay({ until: "2026-03-02T16:00:00Z" })).toBe(1);
    expect(await replay({ since: "2026-03-02T16:00:00Z", until: "2026-03-02T17:00:00Z" })).toBe(1);
    expect(await replay({ after: events[1]?.seq })).toBe(1);
    expect(await replay({ types: ["email.sent"] })).toBe(0);
  });
});

describe("over real HTTP", () => {
  test("the test environment's events reach a real endpoint, which verifies them with the real library", async () => {
    const receiver = startReceiver();
    const real = await createTestApp({
      http: createHttp({ dns: tableDns({}), allowCidrs: parseCidrs("127.0.0.0/8") }),
    });
    // The library holds the time against the system's clock.
    real.wall.set(Date.now() as Parameters<typeof real.wall.set>[0]);
    const { body } = await real.call("POST", "/webhooks", { url: `${receiver.url}/in` });
    await real.call("POST", "/suppressions", { email: "a@example.com" });
    await deliverDue(real.environments.test);
    expect(receiver.received).toHaveLength(1);
    for (const { headers, body: text } of receiver.received) {
      const event = new Webhook(body.secret).verify(text, headers);
      expect(event).toMatchObject({ type: "suppression.created", env: "test" });
      expect(headers["content-type"]).toBe("application/json");
    }
    await real.close();
    await receiver.stop();
  });

  test("DELETE /sandbox keeps webhooks, and what they were still to be told goes", async () => {
    const { id } = await create();
    await suppress("a@example.com");
    expect((await app.call("DELETE", "/sandbox")).status).toBe(204);
    await deliver();
    expect(http.sent).toEqual([]);
    expect((await app.call("GET", `/webhooks/${id}/deliveries`)).body.total).toBe(0);
    await suppress("b@example.com");
    await deliver();
    expect(http.sent.map(({ url }) => url)).toEqual([URL_OF]);
  });
});
