/** Guarantees of experiments as the engine runs them: who is shown what, what counts, and how they end. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { DAY_MS, HOUR_MS } from "#domain/time.ts";
import { wrongTallies } from "#store/sending/exposures.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import {
  type MadeExperiment,
  makeExperiment,
  personOf,
  resultsOf,
  setPeople,
} from "../../support/experiments.ts";

const NEGATIVE_REPLIES = readFileSync("migrations/0034_negative_replies.sql", "utf8");

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp({ seed: 11 });
  await setPeople(app, {});
});
afterEach(async () => {
  const wrong = wrongTallies(app.environments.test.db, app.team.id);
  await app.close();
  expect(wrong).toBe(0);
});

/** Subject of the email that was captured for each recipient. */
async function subjects(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let after: string | null = ""; after !== null; ) {
    const path: string = `/sandbox/messages?limit=100${after === "" ? "" : `&after=${after}`}`;
    const { body } = await app.call("GET", path);
    for (const { recipient, subject } of body.data) {
      found.set(recipient, subject);
    }
    after = body.next_cursor;
  }
  return found;
}

const sentTo = (found: Map<string, string>, subject: string) =>
  [...found.values()].filter((one) => one === subject).length;

async function leadIds(campaignId: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let offset = 0, more = true; more; offset += 100) {
    const path = `/campaigns/${campaignId}/leads?limit=100&offset=${offset}`;
    const { body } = await app.call("GET", path);
    for (const { email, lead_id } of body.data) {
      found.set(email, lead_id);
    }
    more = body.hasMore;
  }
  return found;
}

/** The place of the variant that a lead was sent. */
async function variantOfLead({ campaignId, variants }: MadeExperiment, leadId: string) {
  const { data } = (await app.call("GET", `/campaigns/${campaignId}/leads?limit=100`)).body;
  const own = data.find((one: { lead_id: string }) => one.lead_id === leadId);
  return variants.findIndex(({ id }) => id === own.assignments[0].variant_id);
}

async function variantsOf(id: string) {
  return (await app.call("GET", `/experiments/${id}`)).body.variants;
}

describe("assignment", () => {
  test("is the hash of experiment and lead against the shares, and the email says it", async () => {
    const variants = [
      { name: "A", weight: 3 },
      { name: "B", weight: 1, config: { subject: "B!" } },
    ];
    const made = await makeExperiment(app, { leads: 200, variants });
    await app.advance(5 * DAY_MS);

    const [found, ids] = [await subjects(), await leadIds(made.campaignId)];
    expect(found.size).toBe(200);
    for (const [email, leadId] of ids) {
      const hash = createHash("sha256").update(`${made.id}:${leadId}`).digest();
      const u = Number(hash.readBigUInt64BE() >> 11n) / 2 ** 53;
      expect(found.get(email)).toBe(u < 0.75 ? "A word" : "B!");
    }
    const [a, b] = await variantsOf(made.id);
    expect([a.emails_sent, b.emails_sent]).toEqual([sentTo(found, "A word"), sentTo(found, "B!")]);
  });

  test("its first email starts the clock", async () => {
    const made = await makeExperiment(app, { leads: 20, starts: false });
    await app.advance(10 * DAY_MS);
    const path = `/experiments/${made.id}`;
    expect((await resultsOf(app, made.id)).experiment).toMatchObject({
      days_elapsed: 0,
      days_remaining: 14,
    });
    await app.call("POST", `/campaigns/${made.campaignId}/start`);
    await app.advance(2 * DAY_MS);
    const { started_at, ends_at, created_at } = (await app.call("GET", path)).body;
    const first = (await app.call("GET", "/sandbox/messages?limit=100")).body.data.at(-1);
    expect(started_at).toBe(first.sent_at);
    expect(Date.parse(started_at) - Date.parse(created_at)).toBeGreaterThan(9 * DAY_MS);
    expect(Date.parse(ends_at) - Date.parse(started_at)).toBe(14 * DAY_MS);
  });

  test("a pause assigns nobody and stops the clock; its leads get the step as it is", async () => {
    const variants = [
      { name: "A", config: { subject: "One" } },
      { name: "B", config: { subject: "Two" } },
    ];
    const made = await makeExperiment(app, { leads: 120, perDay: 30, variants });
    await app.advance(36 * HOUR_MS);
    await app.call("POST", `/experiments/${made.id}/pause`);
    const before = await subjects();
    const { ends_at } = (await app.call("GET", `/experiments/${made.id}`)).body;
    await app.advance(36 * HOUR_MS);
    const during = await subjects();
    expect(sentTo(before, "A word")).toBe(0);
    expect(sentTo(during, "A word")).toBe(during.size - before.size);
    expect(during.size).toBeGreaterThan(before.size);

    const resumed = (await app.call("POST", `/experiments/${made.id}/resume`)).body;
    expect(Date.parse(resumed.ends_at) - Date.parse(ends_at)).toBe(36 * HOUR_MS);
    await app.advance(5 * DAY_MS);
    const after = await subjects();
    const [a, b] = await variantsOf(made.id);
    expect(sentTo(after, "A word")).toBe(during.size - before.size);
    expect(a.emails_sent + b.emails_sent).toBe(120 - (during.size - before.size));
  });

  test("an email that is tried again keeps its variant, and counts once", async () => {
    await app.call("PATCH", "/sandbox/settings", { faults: { smtp421: 0.4 } });
    const made = await makeExperiment(app, { leads: 60, perDay: 60 });
    await app.advance(6 * DAY_MS);
    const found = await subjects();
    const [a, b] = await variantsOf(made.id);
    expect([a.emails_sent, b.emails_sent]).toEqual([
      sentTo(found, "A word"),
      sentTo(found, "Another word"),
    ]);
    expect(a.emails_sent + b.emails_sent).toBe(found.size);
  });

  test("an email that was certainly not sent is no exposure", async () => {
    await app.call("PATCH", "/sandbox/settings", { faults: { smtp550: 1 } });
    const made = await makeExperiment(app, { leads: 30, perDay: 30 });
    await app.advance(3 * DAY_MS);
    const [a, b] = await variantsOf(made.id);
    expect([a.emails_sent, b.emails_sent, a.bounced, b.bounced]).toEqual([0, 0, 0, 0]);
    const { experiment, recommendation_code } = await resultsOf(app, made.id);
    expect([experiment.days_elapsed, recommendation_code]).toEqual([0, "no_data"]);
  });

  test("an email in doubt counts when a person says that it was sent", async () => {
    await app.call("PATCH", "/sandbox/settings", { faults: { cut: 1 } });
    const made = await makeExperiment(app, { leads: 8, perDay: 8 });
    await app.advance(DAY_MS);
    const sum = async () =>
      (await variantsOf(made.id)).reduce(
        (n: number, v: { emails_sent: number }) => n + v.emails_sent,
        0,
      );
    expect(await sum()).toBe(0);
    const leads = (await app.call("GET", `/campaigns/${made.campaignId}/leads`)).body.data;
    const held = leads.filter((one: { hold_reason: string }) => one.hold_reason === "unknown_send");
    expect(held.length).toBeGreaterThan(1);
    const decide = (id: string, action: string) =>
      app.call("POST", `/campaigns/${made.campaignId}/leads/${id}/resolve`, { action });
    expect((await decide(held[0].id, "treat_as_sent")).status).toBe(200);
    expect(await sum()).toBe(1);

    await app.call("PATCH", "/sandbox/settings", { faults: { cut: 0 } });
    expect((await decide(held[1].id, "send_again")).status).toBe(200);
    await app.advance(DAY_MS);
    expect(await sum()).toBe(2);
  });
});

describe("what counts", () => {
  /** Ten leads who have been written to; `reply` plays an answer of the first. */
  async function ten(fields: object = {}): Promise<MadeExperiment> {
    const made = await makeExperiment(app, { leads: 10, perDay: 10, fields });
    await app.advance(DAY_MS);
    return made;
  }
  const play = (kind: string, nth: number) => inject(personOf("spring", nth), kind);
  async function inject(email: string, kind: string) {
    const { body } = await app.call("GET", `/leads?email=${encodeURIComponent(email)}`);
    await app.call("POST", "/sandbox/inject", { kind, lead_id: body.data[0].id });
    await app.advance(HOUR_MS);
  }
  async function sums(id: string) {
    const found = await variantsOf(id);
    const sum = (name: string) =>
      found.reduce((n: number, one: Record<string, number>) => n + (one[name] ?? 0), 0);
    return {
      sent: sum("emails_sent"),
      replies: sum("replies"),
      interested: sum("interested"),
      negativeReplies: sum("negative_replies"),
      bounced: sum("bounced"),
      optedOut: sum("opted_out"),
      successes: sum("successes"),
      failures: sum("failures"),
    };
  }
  const LIVE = {
    sent: 10,
    replies: 0,
    interested: 0,
    negativeReplies: 0,
    bounced: 0,
    optedOut: 0,
    successes: 0,
    failures: 0,
  };

  test("answers by people, at once; automatic ones never", async () => {
    const made = await ten();
    await play("auto_reply", 0);
    expect(await sums(made.id)).toEqual(LIVE);
    await play("reply", 1);
    await play("reply", 1);
    expect(await sums(made.id)).toEqual({ ...LIVE, replies: 1 });
    await play("interested", 2);
    expect(await sums(made.id)).toEqual({ ...LIVE, replies: 2, interested: 1 });
    await play("bounce", 3);
    expect(await sums(made.id)).toEqual({ ...LIVE, replies: 2, interested: 1, bounced: 1 });
    const { quality } = await resultsOf(app, made.id);
    expect(quality.pending).toBe(10);
  });

  test("a lead is measured when its window closes, and a reply inside it counts whenever it is read", async () => {
    const made = await ten({ attribution_window_days: 2 });
    await play("reply", 1);
    await app.advance(2 * DAY_MS);
    expect(await sums(made.id)).toMatchObject({ successes: 1, failures: 9 });
    await play("reply", 2);
    expect(await sums(made.id)).toMatchObject({ replies: 2, successes: 1, failures: 9 });
  });

  test("a window of no days is open for ever, and measures at once", async () => {
    const made = await ten({ attribution_window_days: 0 });
    expect(await sums(made.id)).toMatchObject({ successes: 0, failures: 10 });
    await app.advance(6 * DAY_MS);
    await play("reply", 1);
    expect(await sums(made.id)).toMatchObject({ successes: 1, failures: 9 });
  });

  test("an email that is relabelled counts as what it is", async () => {
    const made = await ten({ attribution_window_days: 1 });
    await play("reply", 1);
    await app.advance(DAY_MS);
    expect(await sums(made.id)).toMatchObject({ replies: 1, successes: 1, failures: 9 });
    const [thread] = (await app.call("GET", "/inbox/threads")).body.data;
    await app.call("PATCH", `/inbox/threads/${thread.id}`, { kind: "auto_reply" });
    expect(await sums(made.id)).toMatchObject({ replies: 0, successes: 0, failures: 10 });
    await app.call("PATCH", `/inbox/threads/${thread.id}`, { kind: "reply" });
    expect(await sums(made.id)).toMatchObject({ replies: 1, successes: 1, failures: 9 });
  });

  test("who opts out or complains counts, until that is taken back", async () => {
    const made = await ten();
    await play("unsubscribe", 1);
    expect(await sums(made.id)).toEqual({ ...LIVE, optedOut: 1 });
    await play("complaint", 2);
    expect(await sums(made.id)).toEqual({ ...LIVE, optedOut: 2 });
    const { data } = (await app.call("GET", "/inbox/threads")).body;
    const { id } = data.find(({ kind }: { kind: string }) => kind === "unsubscribe");
    expect((await app.call("PATCH", `/inbox/threads/${id}`, { kind: "reply" })).status).toBe(200);
    expect(await sums(made.id)).toEqual({ ...LIVE, replies: 1, optedOut: 1 });
  });

  test("a negative reply counts once for its lead, as a person judges it, after the end too", async () => {
    const made = await ten({ attribution_window_days: 1 });
    await play("reply", 1);
    await play("reply", 1);
    const [thread] = (await app.call("GET", "/inbox/threads")).body.data;
    const judge = (change: object) => app.call("PATCH", `/inbox/threads/${thread.id}`, change);
    const counted = async () => {
      const found = await variantsOf(made.id);
      return found.map((one: { negative_replies: number }) => one.negative_replies);
    };
    const { body } = await app.call("GET", `/leads?email=${personOf("spring", 1)}`);
    const place = (await variantOfLead(made, body.data[0].id)) ?? -1;
    const once = [0, 1].map((at) => Number(at === place));
    await judge({ interest: null });
    expect(await counted()).toEqual([0, 0]);
    await judge({ interest: "not_interested" });
    expect(await counted()).toEqual(once);
    await judge({ interest: "interested" });
    expect(await counted()).toEqual([0, 0]);
    await judge({ interest: "not_interested" });
    expect(await counted()).toEqual(once);
    await judge({ kind: "auto_reply" });
    expect(await counted()).toEqual([0, 0]);
    await judge({ kind: "reply" });
    await judge({ interest: "not_interested" });
    expect(await counted()).toEqual(once);
    await app.call("POST", `/experiments/${made.id}/complete`, { winner_variant_id: null });
    await judge({ interest: "neutral" });
    expect(await counted()).toEqual([0, 0]);
    await judge({ interest: "not_interested" });
    expect(await counted()).toEqual(once);
    const { variants } = await resultsOf(app, made.id);
    const { emails_sent, negative_reply_rate } = variants[place];
    expect(negative_reply_rate).toBeCloseTo(1 / emails_sent, 12);
  });

  test("an upgrade counts the negative replies that came before it", async () => {
    const made = await ten();
    for (const nth of [1, 2, 3]) {
      await play("reply", nth);
    }
    const { data } = (await app.call("GET", "/inbox/threads")).body;
    for (const { id } of data.slice(1)) {
      await app.call("PATCH", `/inbox/threads/${id}`, { interest: "not_interested" });
    }
    const before = await sums(made.id);
    const { db } = app.environments.test;
    const [, , ...counting] = NEGATIVE_REPLIES.split("--> statement-breakpoint");
    for (const statement of [
      "update exposures set declined = 0",
      "update experiment_tallies set negative_replies = 0",
      ...counting,
    ]) {
      db.raw.run(statement);
    }
    expect(before.negativeReplies).toBe(2);
    expect(await sums(made.id)).toEqual(before);
  });

  test("interest that is set later counts for a reply that came in time", async () => {
    const made = await ten({ attribution_window_days: 1, primary_metric: "interested_rate" });
    await play("reply", 1);
    await app.advance(2 * DAY_MS);
    expect(await sums(made.id)).toMatchObject({ interested: 0, successes: 0, failures: 10 });
    const [thread] = (await app.call("GET", "/inbox/threads")).body.data;
    await app.call("PATCH", `/inbox/threads/${thread.id}`, { interest: "meeting" });
    expect(await sums(made.id)).toMatchObject({ interested: 1, successes: 1, failures: 9 });
    await app.call("PATCH", `/inbox/threads/${thread.id}`, { interest: "not_interested" });
    expect(await sums(made.id)).toMatchObject({ interested: 0, successes: 0, failures: 10 });
  });

  test("a bounce that was none is taken back", async () => {
    const made = await ten({ primary_metric: "bounce_rate", attribution_window_days: 1 });
    await play("bounce", 1);
    await app.advance(DAY_MS);
    expect(await sums(made.id)).toMatchObject({ bounced: 1, successes: 9, failures: 1 });
    const [thread] = (await app.call("GET", "/inbox/threads")).body.data;
    await app.call("PATCH", `/inbox/threads/${thread.id}`, { kind: "reply" });
    expect(await sums(made.id)).toMatchObject({ bounced: 0, successes: 10, failures: 0 });
  });

  test("a person who is erased has never been there", async () => {
    const made = await ten({ attribution_window_days: 1 });
    await play("reply", 1);
    await app.advance(DAY_MS);
    const email = encodeURIComponent(personOf("spring", 1));
    const [lead] = (await app.call("GET", `/leads?email=${email}`)).body.data;
    expect((await app.call("DELETE", `/leads/${lead.id}`)).status).toBe(204);
    expect(await sums(made.id)).toEqual({ ...LIVE, sent: 9, failures: 9 });
  });
});

test("who is held for a hole in a variant is written to once the variant is gone", async () => {
  const variants = [
    { name: "A", config: { body: "How is {{city}}?" } },
    { name: "B", config: { body: "How is {{town}}?" } },
  ];
  const made = await makeExperiment(app, { leads: 6, perDay: 6, variants });
  await app.advance(2 * DAY_MS);
  const held = async () => {
    const { data } = (await app.call("GET", `/campaigns/${made.campaignId}/leads`)).body;
    return data.filter((one: { hold_reason: string | null }) => one.hold_reason !== null).length;
  };
  expect([await held(), (await subjects()).size]).toEqual([6, 0]);
  await app.call("POST", `/experiments/${made.id}/cancel`);
  await app.advance(DAY_MS);
  expect([await held(), (await subjects()).size]).toEqual([0, 6]);
});

test("a forecast names the leads that a variant will hold", async () => {
  const variants = [
    { name: "A", config: { body: "How is {{city}}?" } },
    { name: "B", config: { body: "How are you?" } },
  ];
  const made = await makeExperiment(app, { leads: 40, perDay: 40, variants });
  const { body } = await app.call("GET", `/campaigns/${made.campaignId}/forecast?days=3`);
  await app.advance(3 * DAY_MS);
  expect((await subjects()).size).toBeWithin(10, 31);
  expect(body.total).toBe((await subjects()).size);
});
