/** Guarantees of the delivery worker: no endpoint holds up another, and what is kept stays bounded. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, plus, SECOND_MS } from "#domain/time.ts";
import { webhooksWorker } from "#engine/webhooks.ts";
import { deliverDue, OK, type ScriptedHttp, type Sent } from "../../support/webhooks.ts";
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

describe("requests at once", () => {
  /** Steps a worker while nothing is answered; returns how many are under way to each endpoint. */
  const hold = async (names: readonly string[], answer?: (sent: Sent) => boolean) => {
    const open: (() => void)[] = [];
    const counts = new Map(names.map((name) => [urlOf(name), 0]));
    http.answer = (sent) => {
      if (answer?.(sent) === true) {
        return OK;
      }
      counts.set(sent.url, (counts.get(sent.url) ?? 0) + 1);
      return new Promise((resolve) => open.push(() => resolve(OK)));
    };
    const worker = webhooksWorker(live.env);
    for (let n = 0; n < 100; n += 1) {
      await worker.step(live.env.wall.now());
      await live.env.commit(() => undefined);
    }
    const end = async () => {
      http.answer = () => OK;
      for (const release of open) {
        release();
      }
      await worker.settled?.();
    };
    return { counts: [...counts.values()], end };
  };

  test("are two to one endpoint", async () => {
    await stage.add();
    await stage.cause(10);
    const { counts, end } = await hold(["hooks"]);
    expect(counts).toEqual([2]);
    await end();
  });

  test("are 24 of 32 for one team", async () => {
    const names = Array.from({ length: 16 }, (_, n) => `h${n}`);
    for (const name of names) {
      await stage.add(name);
    }
    await stage.cause(5);
    const { counts, end } = await hold(names);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(24);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(1);
    await end();
  });

  test("of one team leave room for another's, which are sent while they hang", async () => {
    const names = Array.from({ length: 16 }, (_, n) => `h${n}`);
    for (const name of names) {
      await stage.add(name);
    }
    await stage.cause(5);
    const { keys } = await live.app.addTeam("Globex");
    const asOther = (path: string, body: object) =>
      live.call("POST", path, body, { key: keys.live });
    await asOther("/webhooks", { url: urlOf("other"), events: ["suppression.created"] });
    for (let n = 0; n < 10; n += 1) {
      await asOther("/suppressions", { email: `a${n}@x.example` });
    }
    const { counts, end } = await hold(names, ({ url }) => url === urlOf("other"));
    const hanging = counts.reduce((sum, count) => sum + count, 0);
    expect([hanging, stage.sentTo("other").length]).toEqual([24, 10]);
    await end();
  });

  test("to endpoints in trouble are half of all at most: the others go on", async () => {
    const names = Array.from({ length: 16 }, (_, n) => `bad${n}`);
    for (const name of names) {
      await stage.add(name);
    }
    http.answer = () => DOWN;
    await stage.cause(1);
    await deliverDue(live.env);
    await stage.add("good");
    live.app.wall.move(10 * SECOND_MS);
    await stage.cause(20);
    const { counts, end } = await hold(names, ({ url }) => url === urlOf("good"));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(12);
    expect(stage.sentTo("good").length).toBe(20);
    await end();
  });

  test("one black hole with a long queue delays nobody", async () => {
    await stage.add("hole");
    await stage.cause(1000);
    const names = Array.from({ length: 5 }, (_, n) => `good${n}`);
    for (const name of names) {
      await stage.add(name);
    }
    await stage.cause(50);
    const { end } = await hold(["hole"], ({ url }) => url !== urlOf("hole"));
    for (const name of names) {
      expect(stage.sentTo(name).length).toBe(50);
    }
    await end();
  });
});

test("what could not be recorded is sent again, after a pause", async () => {
  const { id } = await stage.add();
  await stage.cause(1);
  const worker = webhooksWorker({
    ...live.env,
    commit: () => Promise.reject(new Error("the disk is full")),
  });
  await worker.step(live.env.wall.now());
  await worker.settled?.();
  expect(http.sent).toHaveLength(1);
  const next = await worker.step(live.env.wall.now());
  expect(next).toBe(plus(live.env.wall.now(), 5 * SECOND_MS));
  expect(http.sent).toHaveLength(1);
  await deliverDue(live.env);
  expect(http.sent).toHaveLength(2);
  expect(http.sent[0]?.body).toBe(http.sent[1]?.body ?? "");
  expect((await stage.statuses(id)).succeeded).toBe(1);
});

test("replaying without end keeps fifty attempts", async () => {
  const { id } = await stage.add();
  await stage.cause(1);
  await deliverDue(live.env);
  const [delivery] = (await live.call("GET", `/webhooks/${id}/deliveries`)).body.data;
  for (let n = 0; n < 60; n += 1) {
    await live.call("POST", `/webhooks/${id}/deliveries/${delivery.id}/replay`);
    await deliverDue(live.env);
  }
  const { body } = await live.call("GET", `/webhooks/${id}/deliveries/${delivery.id}`);
  expect(body.attempt_count).toBe(61);
  expect(body.attempts.map(({ number }: { number: number }) => number)).toEqual(
    Array.from({ length: 50 }, (_, n) => n + 12),
  );
});

describe("upkeep", () => {
  test("forgets events after thirty days with their deliveries, but not what is still awaited", async () => {
    const { id } = await stage.add();
    await stage.cause(10);
    await live.run(DAY_MS);
    http.answer = () => DOWN;
    await stage.cause(1);
    await live.run(31 * DAY_MS);
    const { raw } = live.env.db;
    const kept = raw.query("select type from events").all();
    expect(kept).toEqual([]);
    expect(raw.query("select count(*) n from deliveries").get()).toEqual({ n: 0 });
    expect(raw.query("select count(*) n from attempts").get()).toEqual({ n: 0 });
    expect(id).toBeString();
  });

  test("the promises of deliveries are found broken where they are", async () => {
    await stage.add();
    await stage.cause(3);
    const { raw } = live.env.db;
    raw.run("delete from deliveries where event_seq = (select min(event_seq) from deliveries)");
    raw.run("update deliveries set due_at = null where event_seq = (select max(seq) from events)");
    expect(stage.promises()).toEqual({ missing: 1, stranded: 1 });
  });
});
