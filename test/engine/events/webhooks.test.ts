/**
 * Guarantees of deliveries over time: nothing is lost, nothing is sent without end, and an endpoint that
 * is down gets everything once it is back.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { DAY_MS, HOUR_MS, MINUTE_MS, plus, SECOND_MS } from "#domain/time.ts";
import type { HttpOutcome } from "#platform/ports/http.ts";
import { emit } from "#usecases/events/record.ts";
import { answered, deliverDue, OK, type ScriptedHttp, type Sent } from "../../support/webhooks.ts";
import type { LiveApp } from "../support.ts";
import { DOWN, urlOf, type WebhookStage, webhookStage } from "./webhooks-support.ts";

let stage: WebhookStage;
let live: LiveApp;
let http: ScriptedHttp;
beforeEach(async () => {
  stage = await webhookStage();
  ({ live, http } = stage);
});
afterEach(() => live.app.close());

const seqs = (sent: readonly Sent[]) => sent.map(({ event }) => event.seq);

describe("an event", () => {
  test("is sent once to each webhook that wants it, in order, and to nobody else's", async () => {
    const other = await live.app.addTeam("Other");
    await live.app.live("POST", "/webhooks", { url: urlOf("theirs") }, { key: other.keys.live });
    await stage.add("all", ["*"]);
    await stage.add("family", ["suppression.*"]);
    await stage.add("none", ["email.sent"]);
    await stage.cause(20);
    await live.run(SECOND_MS);
    expect(stage.sentTo("theirs").concat(stage.sentTo("none"))).toEqual([]);
    for (const name of ["all", "family"]) {
      const order = seqs(stage.sentTo(name));
      expect(order).toHaveLength(20);
      expect(order).toEqual(order.toSorted((a, b) => a - b));
    }
    expect(stage.promises()).toEqual({ missing: 0, stranded: 0 });
  });

  test("whose transaction fails is told to nobody", async () => {
    await stage.add();
    const failing = live.env.commit(() => {
      emit(live.env, live.app.team.id, "account.recovered", {
        account_id: live.app.team.id,
        email: "x",
      });
      throw new Error("undone");
    });
    expect(failing).rejects.toThrow("undone");
    await failing.catch(() => undefined);
    await live.run(DAY_MS);
    expect(http.sent).toEqual([]);
  });

  test("costs one look into an index where nobody has a webhook", async () => {
    await stage.cause(3);
    const { raw } = live.env.db;
    expect(raw.query("select count(*) n from deliveries").get()).toEqual({ n: 0 });
    const plan = raw
      .query<{ detail: string }, []>(
        "explain query plan select id from webhooks where team_id = x'00' and active = 1",
      )
      .all();
    expect(plan.map(({ detail }) => detail).join()).toContain("USING INDEX webhooks_team");
  });
});

describe("a delivery that fails", () => {
  test("is tried ten times over more than three days, and then has failed", async () => {
    const { id } = await stage.add();
    http.answer = () => answered(500);
    const at: number[] = [];
    http.answer = () => {
      at.push(live.app.wall.now());
      return answered(500);
    };
    await stage.cause(1);
    await live.run(5 * DAY_MS);
    expect(at).toHaveLength(10);
    const waits = at.slice(1).map((time, index) => time - (at[index] ?? 0));
    const planned = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
    for (const [index, seconds] of planned.entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(seconds * SECOND_MS);
      expect(waits[index]).toBeLessThanOrEqual(seconds * SECOND_MS * 1.1 + 1);
    }
    expect(await stage.statuses(id)).toEqual({ pending: 0, succeeded: 0, failed: 1 });
    expect(new Set(http.sent.map(({ body }) => body)).size).toBe(1);
    expect(new Set(http.sent.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(http.sent.map(({ headers }) => headers["webhook-signature"])).size).toBe(10);
    expect(stage.promises()).toEqual({ missing: 0, stranded: 0 });
  });

  test.each<[string, HttpOutcome, string]>([
    ["a redirect", answered(302), "status"],
    ["an error of theirs", answered(404), "status"],
    ["a private address", { kind: "failed", reason: "address_not_allowed" }, "address_not_allowed"],
    ["no time", { kind: "failed", reason: "timeout" }, "timeout"],
    ["a wrong certificate", { kind: "failed", reason: "tls" }, "tls"],
  ])("%s is a failure, told coarsely, and is tried again", async (_name, outcome, error) => {
    const { id } = await stage.add();
    let tries = 0;
    http.answer = () => {
      tries += 1;
      return tries === 1 ? outcome : OK;
    };
    await stage.cause(1);
    await live.run(SECOND_MS);
    const { data } = (await live.call("GET", `/webhooks/${id}/deliveries`)).body;
    expect(data[0]).toMatchObject({ status: "pending", last_error: error });
    await live.run(10 * SECOND_MS);
    expect(await stage.statuses(id)).toEqual({ pending: 0, succeeded: 1, failed: 0 });
    expect(await stage.webhook(id)).toMatchObject({ consecutive_failures: 0, failing_since: null });
  });

  test("waits as long as Retry-After asks, and a day at most", async () => {
    await stage.add();
    const at: number[] = [];
    const asked = ["3600", "99999999"];
    http.answer = () => {
      at.push(live.app.wall.now());
      return answered(429, asked[at.length - 1] ?? null);
    };
    await stage.cause(1);
    await live.run(2 * DAY_MS);
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBe(HOUR_MS);
    expect((at[2] ?? 0) - (at[1] ?? 0)).toBe(DAY_MS);
  });

  test("a bug, or a secret that cannot be opened, is a failed try and no endless loop", async () => {
    const { id } = await stage.add();
    live.env.db.raw.run("update webhooks set secret = 'v1.x.y.z'");
    await stage.cause(1);
    await deliverDue(live.env);
    const rows = live.env.db.raw;
    expect(rows.query("select last_error, attempts from deliveries").get()).toEqual({
      last_error: "internal",
      attempts: 1,
    });
    expect(http.sent).toEqual([]);
    expect(id).toBeString();
  });
});

describe("an endpoint that is down", () => {
  test("for three days gets everything, once each, as soon as it is back", async () => {
    const { id } = await stage.add();
    const back = plus(live.app.wall.now(), 3 * DAY_MS);
    http.answer = () => (live.app.wall.now() < back ? DOWN : OK);
    for (let hour = 0; hour < 72; hour += 1) {
      await stage.cause(5);
      await live.run(HOUR_MS);
    }
    expect((await stage.statuses(id)).succeeded).toBe(0);
    await live.run(DAY_MS);
    expect(await stage.statuses(id)).toEqual({ pending: 0, succeeded: 360, failed: 0 });
    const delivered = http.sent.slice(-360).map(({ event }) => event.seq);
    expect(new Set(delivered).size).toBe(360);
    expect(stage.promises()).toEqual({ missing: 0, stranded: 0 });
  });

  test("is only probed after ten failures, one request at a time, every five minutes at last", async () => {
    const { id } = await stage.add();
    http.answer = () => DOWN;
    await stage.cause(500);
    await live.run(SECOND_MS);
    expect(http.sent.length).toBeLessThanOrEqual(12);
    const before = http.sent.length;
    await live.run(10 * MINUTE_MS);
    expect(http.sent.length - before).toBeLessThanOrEqual(10);
    const hourly = http.sent.length;
    await live.run(HOUR_MS);
    expect(http.sent.length - hourly).toBeLessThanOrEqual(13);
    http.answer = () => OK;
    await live.run(10 * MINUTE_MS);
    expect((await stage.statuses(id)).succeeded).toBeGreaterThan(480);
    await live.run(2 * DAY_MS);
    expect(await stage.statuses(id)).toEqual({ pending: 0, succeeded: 500, failed: 0 });
  });

  test("for five days is turned off, which the others are told", async () => {
    const { id } = await stage.add();
    await stage.add("watcher", ["webhook.disabled"]);
    http.answer = ({ url }) => (url === urlOf("hooks") ? DOWN : OK);
    for (let day = 0; day < 6; day += 1) {
      await stage.cause(3);
      await live.run(DAY_MS);
    }
    expect(await stage.webhook(id)).toMatchObject({ active: false, disabled_reason: "failing" });
    expect(stage.sentTo("watcher").map(({ event }) => event.data)).toMatchObject([
      { webhook_id: id, reason: "failing", last_error: "refused", last_status: null },
    ]);
    const before = stage.sentTo("hooks").length;
    await stage.cause(3);
    await live.run(5 * DAY_MS);
    expect(stage.sentTo("hooks").length).toBe(before);
  });

  test("and turned on again by a person gets what waited, not what it was not subscribed to", async () => {
    const { id } = await stage.add();
    http.answer = () => DOWN;
    await stage.cause(2);
    await live.run(MINUTE_MS);
    await live.call("PATCH", `/webhooks/${id}`, { active: false });
    await stage.cause(3);
    await live.run(HOUR_MS);
    http.answer = () => OK;
    http.sent.length = 0;
    await live.call("PATCH", `/webhooks/${id}`, { active: true });
    await live.run(MINUTE_MS);
    expect(new Set(seqs(http.sent)).size).toBe(2);
    expect(await stage.webhook(id)).toMatchObject({
      consecutive_failures: 0,
      disabled_reason: null,
    });
    expect(stage.promises()).toEqual({ missing: 0, stranded: 0 });
  });
});

test("410 turns an endpoint off at once, and what it refused has failed", async () => {
  const { id } = await stage.add();
  http.answer = () => answered(410);
  await stage.cause(1);
  await live.run(SECOND_MS);
  expect(await stage.webhook(id)).toMatchObject({ active: false, disabled_reason: "gone" });
  expect(await stage.statuses(id)).toEqual({ pending: 0, succeeded: 0, failed: 1 });
  expect(live.events()).toContain("webhook.disabled");
});

test("both secrets sign while one is rotated, and afterwards the new one alone", async () => {
  live.app.wall.set(Date.now() as Parameters<typeof live.app.wall.set>[0]);
  const { id, secret } = await stage.add();
  const rotated = await live.call("POST", `/webhooks/${id}/rotate-secret`, { overlap_seconds: 60 });
  await stage.cause(1);
  await live.run(SECOND_MS);
  await live.run(2 * MINUTE_MS);
  await stage.cause(1);
  await live.run(SECOND_MS);
  const [during, after] = http.sent;
  const believes = (key: string, sent: Sent | undefined) => {
    try {
      new Webhook(key).verify(sent?.body ?? "", sent?.headers ?? {});
      return true;
    } catch {
      return false;
    }
  };
  expect([believes(secret, during), believes(rotated.body.secret, during)]).toEqual([true, true]);
  expect([believes(secret, after), believes(rotated.body.secret, after)]).toEqual([false, true]);
});
