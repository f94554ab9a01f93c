/**
 * Guarantees of taking back: a relabelled email leaves nothing of what it did as what it was, whatever
 * else came back before and after it; what another email did stands.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#domain/time.ts";
import { enrollmentById } from "#store/leads/enrollments.ts";
import { resumeLifted } from "#usecases/inbox/undo.ts";
import { endSuppressed } from "#usecases/leads/suppressions.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import {
  comeBack,
  leadOf,
  statsOf,
  suppressionOf,
  threadOf,
  threadsOf,
  type Underway,
  underway,
} from "../../support/inbox.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

const BOB = "bob@client.example";

/** All that an email can change, as people see it. */
async function stateOf(at: Underway) {
  const { status, stop_reason, next_attempt_at, current_step, interest, hold_reason } =
    await leadOf(app, at);
  const lead = { status, stop_reason, next_attempt_at, current_step, interest, hold_reason };
  const { open, replied, auto_replied, bounced, unsubscribed, completed, failed, steps } =
    await statsOf(app, at);
  const counters = { open, replied, auto_replied, bounced, unsubscribed, completed, failed };
  return { lead, counters, steps, suppression: await suppressionOf(app, BOB) };
}

const mailsOf = async (id: string) =>
  (await threadOf(app, id)).messages.filter((one: { direction: string }) => one.direction === "in");
const relabel = (id: string, kind: string, more: object = {}) =>
  app.call("PATCH", `/messages/${id}`, { kind, ...more });

test("two notices of one bounce: while one of them stands, the address is not written to", async () => {
  const at = await underway(app);
  const id = at.leads[0]?.id ?? "";
  await comeBack(app, { kind: "bounce", enrollment_id: id });
  await comeBack(app, { kind: "bounce", enrollment_id: id });
  const [first, second] = await mailsOf(id);
  expect((await relabel(first.id, "notice")).status).toBe(200);
  expect(await suppressionOf(app, BOB)).toMatchObject({ suppressed: true, reason: "bounce" });
  expect(await leadOf(app, at)).toMatchObject({ status: "bounced" });
  expect((await relabel(second.id, "notice")).status).toBe(200);
  expect(await suppressionOf(app, BOB)).toMatchObject({ suppressed: false });
  expect(await leadOf(app, at)).toMatchObject({ status: "active" });
});

describe.each([
  ["reply", { kind: "reply" }, { status: "replied", stop_reason: "reply" }],
  ["interested", { kind: "interested" }, { status: "replied", interest: "interested" }],
  ["auto_reply", { kind: "auto_reply", returns_on: "2026-03-20" }, { status: "paused" }],
  ["bounce", { kind: "bounce" }, { status: "bounced", stop_reason: "bounce_hard" }],
  ["complaint", { kind: "complaint" }, { status: "unsubscribed", stop_reason: "complaint" }],
  ["unsubscribe", { kind: "unsubscribe", text: "Unsubscribe" }, { status: "unsubscribed" }],
])("%s", (_name, mail, expected) => {
  test("relabelled as none is undone: lead, counters, suppression; and the sequence goes on", async () => {
    const at = await underway(app);
    const before = await stateOf(at);
    const id = at.leads[0]?.id ?? "";

    await comeBack(app, { ...mail, enrollment_id: id });
    expect(await leadOf(app, at)).toMatchObject(expected);
    const [came] = await mailsOf(id);
    expect(came.effects.length).toBeGreaterThan(0);
    expect((await relabel(came.id, "notice")).status).toBe(200);

    expect(await stateOf(at)).toEqual(before);
    expect((await mailsOf(id))[0]).toMatchObject({
      kind: "notice",
      effects: [],
      found_kind: came.kind,
      labelled_by: expect.stringMatching(/^key:/),
    });
    await app.advance(4 * DAY_MS);
    expect((await statsOf(app, at)).sent).toBe(2);
  });
});

describe("a relabelled email does what it does as what it is", () => {
  test("an automatic answer that a person wrote stops the sequence and counts as a reply", async () => {
    const at = await underway(app);
    const id = at.leads[0]?.id ?? "";
    await comeBack(app, { kind: "auto_reply", enrollment_id: id });
    expect((await leadOf(app, at)).status).toBe("paused");
    await app.call("PATCH", `/inbox/threads/${id}`, { kind: "reply" });
    expect(await leadOf(app, at)).toMatchObject({ status: "replied", stop_reason: "reply" });
    expect(await statsOf(app, at)).toMatchObject({ replied: 1, auto_replied: 0 });
  });

  test.each([
    ["hard", "bounced", true],
    ["soft", "active", false],
    ["block", "active", false],
  ])("a reply that is a %s bounce", async (severity, status, suppressed) => {
    const at = await underway(app);
    const id = at.leads[0]?.id ?? "";
    await comeBack(app, { kind: "reply", enrollment_id: id });
    const [came] = await mailsOf(id);
    await relabel(came.id, "bounce", { severity });
    expect((await leadOf(app, at)).status).toBe(status);
    expect((await suppressionOf(app, BOB)).suppressed).toBe(suppressed);
    expect(await statsOf(app, at)).toMatchObject({
      replied: 0,
      bounced: status === "bounced" ? 1 : 0,
    });
  });

  test("a complaint that is a reply is one: nobody is suppressed", async () => {
    const at = await underway(app);
    const id = at.leads[0]?.id ?? "";
    await comeBack(app, { kind: "complaint", enrollment_id: id });
    await app.call("PATCH", `/inbox/threads/${id}`, { kind: "reply" });
    expect((await leadOf(app, at)).status).toBe("replied");
    expect((await suppressionOf(app, BOB)).suppressed).toBe(false);
  });

  test("colleagues who were stopped with it go on", async () => {
    const emails = [BOB, "cy@client.example", "di@other.example"];
    const at = await underway(app, emails, { stop_company_on_reply: true });
    const id = at.leads[0]?.id ?? "";
    await comeBack(app, { kind: "reply", enrollment_id: id });
    expect(await leadOf(app, at, 1)).toMatchObject({ stop_reason: "company_replied" });
    await app.call("PATCH", `/inbox/threads/${id}`, { kind: "auto_reply" });
    expect((await leadOf(app, at, 1)).status).toBe("active");
    expect((await leadOf(app, at, 2)).status).toBe("active");
    expect((await leadOf(app, at)).status).toBe("paused");
  });
});

describe("what else happened stands", () => {
  test("a reply taken back after an opt-out changes nothing, until that is taken back too", async () => {
    const at = await underway(app);
    const before = await stateOf(at);
    const id = at.leads[0]?.id ?? "";
    await comeBack(app, { kind: "reply", enrollment_id: id });
    await comeBack(app, { kind: "unsubscribe", text: "Unsubscribe", enrollment_id: id });
    const [reply, optOut] = await mailsOf(id);
    expect((await leadOf(app, at)).status).toBe("unsubscribed");
    await relabel(reply.id, "notice");
    expect((await leadOf(app, at)).status).toBe("unsubscribed");
    await relabel(optOut.id, "notice");
    expect(await stateOf(at)).toEqual(before);
  });

  test("a colleague who was stopped by two answers is not freed by taking back one", async () => {
    const emails = [BOB, "cy@client.example", "di@client.example"];
    const at = await underway(app, emails, { stop_company_on_reply: true });
    const [bob = "", cy = ""] = at.leads.map(({ id }) => id);
    await comeBack(app, { kind: "reply", enrollment_id: bob });
    await comeBack(app, { kind: "reply", enrollment_id: cy });
    await app.call("PATCH", `/inbox/threads/${bob}`, { kind: "auto_reply" });
    expect(await leadOf(app, at, 2)).toMatchObject({ stop_reason: "company_replied" });
    await app.call("PATCH", `/inbox/threads/${cy}`, { kind: "auto_reply" });
    expect((await leadOf(app, at, 2)).status).toBe("active");
  });

  test("of two opt-outs both have to be taken back", async () => {
    const at = await underway(app);
    const id = at.leads[0]?.id ?? "";
    await comeBack(app, { kind: "unsubscribe", text: "Unsubscribe", enrollment_id: id });
    await comeBack(app, { kind: "unsubscribe", text: "Remove me", enrollment_id: id });
    const [first, second] = await mailsOf(id);
    await relabel(first.id, "notice");
    expect((await suppressionOf(app, BOB)).suppressed).toBe(true);
    expect((await leadOf(app, at)).status).toBe("unsubscribed");
    await relabel(second.id, "notice");
    expect((await suppressionOf(app, BOB)).suppressed).toBe(false);
    expect((await leadOf(app, at)).status).toBe("active");
  });

  test("what a person has set by hand since stays", async () => {
    const at = await underway(app);
    const id = at.leads[0]?.id ?? "";
    await comeBack(app, { kind: "auto_reply", enrollment_id: id });
    const path = `/campaigns/${at.campaign}/leads/${id}`;
    await app.call("PATCH", path, { status: "completed" });
    await app.call("PATCH", `/inbox/threads/${id}`, { kind: "notice" });
    expect(await leadOf(app, at)).toMatchObject({ status: "completed", stop_reason: "manual" });
  });

  test("who was taken out of the campaign since stays out", async () => {
    const at = await underway(app);
    const id = at.leads[0]?.id ?? "";
    await comeBack(app, { kind: "reply", enrollment_id: id });
    await app.call("DELETE", `/campaigns/${at.campaign}/leads/${id}`);
    await app.call("PATCH", `/inbox/threads/${id}`, { kind: "notice" });
    expect(await leadOf(app, at)).toMatchObject({ status: "completed", stop_reason: "removed" });
  });

  test("a pause that is over is not gone back to", async () => {
    const at = await underway(app);
    const id = at.leads[0]?.id ?? "";
    await comeBack(app, { kind: "auto_reply", returns_on: "2026-03-06", enrollment_id: id });
    await app.advance(12 * DAY_MS);
    expect(await leadOf(app, at)).toMatchObject({ status: "completed" });
    await app.call("PATCH", `/inbox/threads/${id}`, { kind: "notice" });
    expect(await leadOf(app, at)).toMatchObject({ status: "completed" });
  });

  test("the third soft bounce in a row suppresses; taken back, the address may be written to", async () => {
    const at = await underway(app);
    const id = at.leads[0]?.id ?? "";
    const db = app.environments.test.db;
    db.raw.run("update leads set soft_bounces = 2");
    await comeBack(app, { kind: "soft_bounce", enrollment_id: id });
    expect(await leadOf(app, at)).toMatchObject({ status: "bounced", stop_reason: "bounce_soft" });
    await app.call("PATCH", `/inbox/threads/${id}`, { kind: "notice" });
    expect((await leadOf(app, at)).status).toBe("active");
    expect((await suppressionOf(app, BOB)).suppressed).toBe(false);
    const { n } = db.raw.query<{ n: number }, []>("select soft_bounces as n from leads").get() ?? {
      n: 0,
    };
    expect(n).toBe(2);
  });
});

describe("DELETE /suppressions/{id}", () => {
  const idOf = async () => (await app.call("GET", "/suppressions")).body.data[0].id;

  test("with a reason the sequence goes on from where it was", async () => {
    const at = await underway(app);
    await comeBack(app, { kind: "bounce", enrollment_id: at.leads[0]?.id });
    const path = `/suppressions/${await idOf()}?reason=${encodeURIComponent("misread by us")}`;
    expect((await app.call("DELETE", path)).status).toBe(204);
    expect((await leadOf(app, at)).status).toBe("active");
    await app.advance(4 * DAY_MS);
    expect((await statsOf(app, at)).sent).toBe(2);
  });

  test.each([
    ["", "unsubscribed"],
    ["?resume=true", "active"],
    ["?reason=x&resume=false", "unsubscribed"],
  ])("%s: %s", async (query, status) => {
    const at = await underway(app);
    await app.call("POST", "/suppressions", { email: BOB });
    expect((await leadOf(app, at)).status).toBe("unsubscribed");
    expect((await app.call("DELETE", `/suppressions/${await idOf()}${query}`)).status).toBe(204);
    expect((await leadOf(app, at)).status).toBe(status);
    expect((await suppressionOf(app, BOB)).suppressed).toBe(false);
  });

  test("a reply before it still stops the sequence", async () => {
    const at = await underway(app);
    await comeBack(app, { kind: "reply", enrollment_id: at.leads[0]?.id });
    await comeBack(app, {
      kind: "unsubscribe",
      text: "Unsubscribe",
      enrollment_id: at.leads[0]?.id,
    });
    await app.call("DELETE", `/suppressions/${await idOf()}?reason=asked+by+phone`);
    expect(await leadOf(app, at)).toMatchObject({ status: "replied", stop_reason: "reply" });
  });
});

describe("a domain lifted as a mistake", () => {
  const suppress = async () => {
    await app.call("POST", "/suppressions", { email: "@client.example", reason: "manual" });
    await app.advance(MINUTE_MS);
  };
  const lift = async (query: string) => {
    const { id } = (await app.call("GET", "/suppressions")).body.data[0];
    expect((await app.call("DELETE", `/suppressions/${id}${query}`)).status).toBe(204);
    await app.advance(MINUTE_MS);
  };
  const others = ["cid@client.example", "dan@client.example", "eve@other.example"];

  test("gives all its leads back, each from where it was, and no others", async () => {
    const at = await underway(app, [BOB, ...others]);
    const stands = async () => {
      const all = await Promise.all([0, 1, 2, 3].map((index) => leadOf(app, at, index)));
      return all.map(({ updated_at, ...rest }) => rest);
    };
    await comeBack(app, { kind: "reply", enrollment_id: at.leads[1]?.id });
    const before = await stands();
    await suppress();
    const statuses = (await stands()).map(({ status }) => status);
    expect(statuses).toEqual(["suppressed", "replied", "suppressed", "active"]);
    await lift("?reason=the+wrong+domain");
    expect(await stands()).toEqual(before);
    await app.advance(5 * DAY_MS);
    expect((await statsOf(app, at)).sent).toBe(7);
  });

  test("gives them back in slices, more than one pass of the upkeep takes", async () => {
    const env = app.environments.test;
    const emails = Array.from({ length: 5 }, (_, at) => `lead${at}@client.example`);
    const at = await underway(app, emails);
    await suppress();
    const { id } = (await app.call("GET", "/suppressions")).body.data[0];
    await app.call("DELETE", `/suppressions/${id}?reason=x`);
    const ended = async () => (await statsOf(app, at)).open;
    expect(await ended()).toBe(0);
    expect(await env.commit(() => resumeLifted(env, 2))).toBe(2);
    expect(await ended()).toBe(2);
    expect(await env.commit(() => resumeLifted(env, 2))).toBe(2);
    expect(await env.commit(() => resumeLifted(env, 2))).toBe(1);
    expect(await ended()).toBe(5);
  });

  test("without a reason leaves them ended", async () => {
    const at = await underway(app);
    await suppress();
    await lift("");
    expect(await leadOf(app, at)).toMatchObject({ status: "suppressed", stop_reason: "manual" });
  });

  test("releases whom the guard had stopped before the sweep came", async () => {
    const at = await underway(app);
    const env = app.environments.test;
    await app.call("POST", "/suppressions", { email: "@client.example", reason: "manual" });
    const row = enrollmentById(env.db, at.leads[0]?.id ?? "");
    await env.commit(() => row && endSuppressed(env, row, BOB));
    expect((await leadOf(app, at)).status).toBe("suppressed");
    await lift("?reason=x");
    expect((await leadOf(app, at)).status).toBe("active");
  });
});

test("whatever came back, taken back email by email in any order, leaves nothing behind", async () => {
  const KINDS = [
    "reply",
    "interested",
    "auto_reply",
    "bounce",
    "soft_bounce",
    "complaint",
    "unsubscribe",
    "block_bounce",
    "delay",
    "left_company",
  ];
  const LABELS = [
    "reply",
    "auto_reply",
    "bounce",
    "notice",
    "complaint",
    "unsubscribe",
    "unrelated",
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...KINDS), { minLength: 1, maxLength: 5 }),
      fc.array(fc.record({ mail: fc.nat(4), kind: fc.constantFrom(...LABELS) }), { maxLength: 6 }),
      fc.boolean(),
      fc.infiniteStream(fc.nat()),
      async (kinds, labels, stopOnReply, draws) => {
        const env = await createTestApp();
        app = env;
        const at = await underway(app, [BOB], { stop_on_reply: stopOnReply });
        const before = await stateOf(at);
        const id = at.leads[0]?.id ?? "";
        for (const kind of kinds) {
          const text = kind === "unsubscribe" ? { text: "Unsubscribe" } : {};
          await comeBack(app, { kind, enrollment_id: id, ...text });
        }
        const mails = await mailsOf(id);
        for (const { mail, kind } of labels) {
          await relabel(mails[mail % mails.length].id, kind);
        }
        const order = mails
          .map((mail: { id: string }) => ({ mail, draw: draws.next().value ?? 0 }))
          .sort((a: { draw: number }, b: { draw: number }) => a.draw - b.draw);
        for (const { mail } of order) {
          await relabel(mail.id, "notice");
        }
        const after = await stateOf(at);
        await env.close();
        expect(after).toEqual(before);
      },
    ),
    { numRuns: 40 },
  );
  app = await createTestApp();
}, 60_000);

test("undoing in the middle of the night of a follow-up does not lose the email under way", async () => {
  const at = await underway(app);
  const id = at.leads[0]?.id ?? "";
  await comeBack(app, { kind: "reply", enrollment_id: id });
  await app.advance(6 * DAY_MS);
  expect((await threadsOf(app)).length).toBe(1);
  await app.call("PATCH", `/inbox/threads/${id}`, { kind: "notice" });
  await app.advance(HOUR_MS);
  expect((await statsOf(app, at)).sent).toBe(2);
  expect((await leadOf(app, at)).status).toBe("completed");
});
