/** Answering by hand, attaching, single messages and erasing, through HTTP. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#domain/time.ts";
import { parseMail } from "#mail/parse.ts";
import { readEvents } from "#store/events/events.ts";
import { accountById, updateAccount } from "#store/mailboxes/accounts.ts";
import { checkInvariants } from "#usecases/operations/invariants.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addAccount } from "../../support/campaigns.ts";
import {
  comeBack,
  leadOf,
  statsOf,
  suppressionOf,
  threadOf,
  threadsOf,
  underway,
} from "../../support/inbox.ts";
import { NOBODY } from "../sandbox/sandbox-support.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

const BOB = "bob@client.example";
const sentTo = async (email: string) =>
  (await app.call("GET", `/sandbox/messages?recipient=${email}`)).body.data;

/** A lead of ours writes to an account that never wrote to it. */
async function untracked(text = "Hello, who is this?") {
  const at = await underway(app);
  const other = await addAccount(app, "eve@sender.example");
  await app.advance(20 * MINUTE_MS);
  await comeBack(app, { kind: "reply", account_id: other.id, from: BOB, text });
  const [thread] = await threadsOf(app);
  return { at, thread, other };
}

describe("POST /inbox/threads/{id}/reply", () => {
  test("201: goes out at once, in the thread, outside the window, over every cap, and is counted", async () => {
    const at = await underway(app);
    const id = at.leads[0]?.id ?? "";
    await comeBack(app, { kind: "reply", enrollment_id: id, text: "How much?" });
    const closed = { timezone: "UTC", days: ["sunday"], start_hour: 3, end_hour: 4 };
    await app.call("PATCH", `/campaigns/${at.campaign}`, { send_window: closed });
    await app.call("PATCH", `/accounts/${at.account}`, {
      daily_limit: 0,
      hourly_limit: 0,
      min_gap_seconds: 3600,
    });
    const count = () =>
      app.environments.test.db.raw
        .query<{ n: number }, []>("select sum(count) as n from usage where kind = 'account_day'")
        .get()?.n ?? 0;
    const before = count();

    const { status, body, headers } = await app.call("POST", `/inbox/threads/${id}/reply`, {
      body: "Ten a month, {{first_name}}.\nShall we talk?",
    });

    expect(status).toBe(201);
    expect(headers.get("location")).toBe(`/api/v1/messages/${body.id}`);
    expect(body).toMatchObject({
      direction: "out",
      kind: "manual",
      status: "queued",
      to: BOB,
      subject: "Re: Offer",
    });
    await app.advance(0);
    const shown = (await app.call("GET", `/messages/${body.id}`)).body;
    expect(shown).toMatchObject({
      status: "sent",
      thread_id: id,
      campaign_id: at.campaign,
      step_position: null,
    });
    expect(count()).toBe(before + 1);
    const [captured] = await sentTo(BOB);
    const raw = await parseMail(
      Buffer.from((await app.call("GET", `/sandbox/messages/${captured.id}/raw`)).text),
    );
    const theirs = (await threadOf(app, id)).messages[1];
    const ours = (await threadOf(app, id)).messages[0];
    expect(raw).toMatchObject({ subject: "Re: Offer", inReplyTo: theirs.internet_message_id });
    expect(raw.references).toEqual([ours.internet_message_id, theirs.internet_message_id]);
    expect(raw.text).toContain("Ten a month, {{first_name}}.");
    expect(raw.headers.map(({ name }) => name)).not.toContain("list-unsubscribe");
    expect(await threadOf(app, id)).toMatchObject({ read: true, answered_at: expect.any(String) });
    expect(await statsOf(app, at)).toMatchObject({ sent: 1, replied: 1 });
    expect(await leadOf(app, at)).toMatchObject({ status: "replied", current_step: 1 });
  });

  test("an answer to it comes into the same thread; what follows in the sequence goes on after it", async () => {
    const at = await underway(app, [BOB], { stop_on_reply: false });
    const id = at.leads[0]?.id ?? "";
    await comeBack(app, { kind: "reply", enrollment_id: id });
    const { body } = await app.call("POST", `/inbox/threads/${id}/reply`, { body: "Sure." });
    await app.advance(MINUTE_MS);
    const back = await app.call("GET", `/messages/${body.id}`);
    await comeBack(app, {
      kind: "reply",
      message_id: back.body.internet_message_id,
      text: "Thanks!",
    });
    expect(await threadsOf(app)).toHaveLength(1);
    expect(await threadOf(app, id)).toMatchObject({ mails: 2, unread: 1, snippet: "Thanks!" });
    expect(await statsOf(app, at)).toMatchObject({ replied: 1 });
    await app.advance(4 * DAY_MS);
    const kinds = (await threadOf(app, id)).messages.map(({ kind }: { kind: string }) => kind);
    expect(kinds).toEqual(["step", "reply", "manual", "reply", "step"]);
    const invariants = checkInvariants(app.environments.test, app.team.id);
    expect(invariants.filter(({ holds }) => !holds)).toEqual([]);
  });

  test("nobody gets a subject that a program has written", async () => {
    const at = await underway(app, [BOB], { stop_on_reply: false });
    const id = at.leads[0]?.id ?? "";
    await comeBack(app, { kind: "auto_reply", enrollment_id: id, returns_on: "2026-03-04" });
    const path = `/inbox/threads/${id}/reply`;
    expect((await app.call("POST", path, { body: "Sure." })).body.subject).toBe("Re: Offer");
    const other = { body: "Sure.", subject: "Another matter" };
    expect((await app.call("POST", path, other)).body.subject).toBe("Another matter");
    await app.advance(6 * DAY_MS);
    const last = (await threadOf(app, id)).messages.at(-1);
    expect([last.kind, last.subject]).toEqual(["step", "Re: Offer"]);
  });

  test("from a paused mailbox too: a pause is for sequences", async () => {
    const at = await underway(app);
    const id = at.leads[0]?.id ?? "";
    await comeBack(app, { kind: "reply", enrollment_id: id });
    await app.call("PATCH", `/accounts/${at.account}`, { status: "paused" });
    const { body } = await app.call("POST", `/inbox/threads/${id}/reply`, { body: "Hi" });
    await app.advance(0);
    expect((await app.call("GET", `/messages/${body.id}`)).body.status).toBe("sent");
  });

  test("a repeat with the same Idempotency-Key sends one", async () => {
    const at = await underway(app);
    const id = at.leads[0]?.id ?? "";
    await comeBack(app, { kind: "reply", enrollment_id: id });
    const again = () =>
      app.call(
        "POST",
        `/inbox/threads/${id}/reply`,
        { body: "Hi" },
        { headers: { "Idempotency-Key": "k1" } },
      );
    const [first, second] = [await again(), await again()];
    expect(second.body.id).toBe(first.body.id);
    await app.advance(MINUTE_MS);
    expect(await sentTo(BOB)).toHaveLength(2);
  });

  test("line ends in a subject are refused, HTML is sent as it is", async () => {
    const at = await underway(app);
    const id = at.leads[0]?.id ?? "";
    await comeBack(app, { kind: "reply", enrollment_id: id });
    const path = `/inbox/threads/${id}/reply`;
    const split = await app.call("POST", path, { body: "x", subject: "a\r\nBcc: eve@x.example" });
    expect([split.status, split.body.field]).toEqual([422, "subject"]);
    await app.call("POST", path, { body: "<p>Dear <b>Bob</b></p>", subject: "New terms" });
    await app.advance(0);
    const [captured] = await sentTo(BOB);
    const detail = (await app.call("GET", `/sandbox/messages/${captured.id}`)).body;
    expect(detail).toMatchObject({
      subject: "New terms",
      html: expect.stringContaining("<b>Bob</b>"),
    });
    expect(detail.text).toContain("Dear Bob");
  });

  describe("409", () => {
    test.each([
      ["complaint", { kind: "complaint" }],
      ["unsubscribe", { kind: "unsubscribe", text: "Unsubscribe" }],
    ])("to somebody whose last word was a %s", async (_name, mail) => {
      const at = await underway(app);
      const id = at.leads[0]?.id ?? "";
      await comeBack(app, { ...mail, enrollment_id: id });
      const { status, body } = await app.call("POST", `/inbox/threads/${id}/reply`, {
        body: "But…",
      });
      expect([status, body.type]).toEqual([409, "conflict"]);
      expect(await sentTo(BOB)).toHaveLength(1);
    });

    test("not to who has opted out and then written again; to who has complained for good", async () => {
      const at = await underway(app, [BOB, "cy@other.example"]);
      const [bob, cy] = at.leads.map(({ id }) => id);
      await comeBack(app, { kind: "unsubscribe", text: "Unsubscribe", enrollment_id: bob });
      await comeBack(app, { kind: "complaint", enrollment_id: cy });
      await app.advance(HOUR_MS);
      for (const id of [bob, cy]) {
        await comeBack(app, { kind: "reply", enrollment_id: id, text: "One question though?" });
      }
      const answer = (id = "") => app.call("POST", `/inbox/threads/${id}/reply`, { body: "Yes?" });
      expect((await answer(bob)).status).toBe(201);
      expect((await answer(cy)).status).toBe(409);
      await app.advance(0);
      expect(await sentTo(BOB)).toHaveLength(2);
      expect((await suppressionOf(app, BOB)).suppressed).toBe(true);
    });

    test("from a mailbox that cannot send, or is gone", async () => {
      const at = await underway(app, [BOB, "cy@other.example"]);
      await addAccount(app, "eve@sender.example");
      const [bob] = at.leads.map(({ id }) => id);
      await comeBack(app, { kind: "reply", enrollment_id: bob });
      const path = `/inbox/threads/${bob}/reply`;
      const { db } = app.environments.test;
      await app.environments.test.commit(() => {
        const row = accountById(db, at.account);
        if (row !== undefined) {
          updateAccount(db, { ...row, status: "error", statusReason: "auth" });
        }
      });
      expect((await app.call("POST", path, { body: "Hi" })).status).toBe(409);
      expect((await app.call("DELETE", `/accounts/${at.account}`)).status).toBe(204);
      expect((await app.call("POST", path, { body: "Hi" })).status).toBe(409);
      expect((await threadOf(app, bob ?? "")).account_email).toBeNull();
    });
  });

  test.each([
    ["an empty body", { body: "" }, "body"],
    ["blanks", { body: " \n\t " }, "body"],
    ["tags around nothing", { body: "<p> </p>" }, "body"],
    ["no body", {}, "body"],
    ["too long a subject in bytes", { body: "x", subject: "ü".repeat(600) }, "subject"],
    ["an unknown field", { body: "x", cc: BOB }, "cc"],
  ])("422: %s", async (_name, input, field) => {
    const at = await underway(app);
    const id = at.leads[0]?.id ?? "";
    await comeBack(app, { kind: "reply", enrollment_id: id });
    const { status, body } = await app.call("POST", `/inbox/threads/${id}/reply`, input);
    expect([status, body.field]).toEqual([422, field]);
  });
});

describe("an untracked mail", () => {
  test("is shown, tells so, and changes no lead", async () => {
    const { at, thread, other } = await untracked();
    expect(thread).toMatchObject({
      enrollment_id: null,
      campaign_id: null,
      lead_id: at.leads[0]?.lead_id,
      account_id: other.id,
      kind: "reply",
    });
    expect((await leadOf(app, at)).status).toBe("active");
    const types = readEvents(app.environments.test.db, app.team.id, { after: 0, limit: 1000 }).map(
      ({ type }) => type,
    );
    expect(types).toContain("reply.untracked");
  });

  test("can be answered, and the conversation stays one", async () => {
    const { thread } = await untracked();
    const { body, status } = await app.call("POST", `/inbox/threads/${thread.id}/reply`, {
      body: "Ann here.",
    });
    expect([status, body.campaign_id]).toEqual([201, null]);
    await app.advance(MINUTE_MS);
    await comeBack(app, {
      kind: "reply",
      message_id: body.internet_message_id,
      text: "Ah, right.",
    });
    expect(await threadOf(app, thread.id)).toMatchObject({ mails: 2, enrollment: null });
  });

  test("attached to a lead takes effect, with all that was written since", async () => {
    const { at, thread } = await untracked("Please send me an offer.");
    await app.call("POST", `/inbox/threads/${thread.id}/reply`, { body: "Soon." });
    await app.advance(MINUTE_MS);
    const id = at.leads[0]?.id;
    const { status, body } = await app.call("POST", `/inbox/threads/${thread.id}/attach`, {
      enrollment_id: id,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, enrollment_id: id, campaign_id: at.campaign, mails: 1 });
    expect(await leadOf(app, at)).toMatchObject({ status: "replied", stop_reason: "reply" });
    expect(await statsOf(app, at)).toMatchObject({ replied: 1 });
    expect((await app.call("GET", `/inbox/threads/${thread.id}`)).status).toBe(404);
    const kinds = (await threadOf(app, id ?? "")).messages.map(
      ({ kind }: { kind: string }) => kind,
    );
    expect(kinds).toEqual(["step", "reply", "manual"]);
    await app.call("PATCH", `/inbox/threads/${id}`, { kind: "notice" });
    expect((await leadOf(app, at)).status).toBe("active");
    expect(await statsOf(app, at)).toMatchObject({ replied: 0 });
  });

  test("attached into a thread that there is becomes part of it", async () => {
    const { at, thread } = await untracked();
    const id = at.leads[0]?.id ?? "";
    await comeBack(app, { kind: "auto_reply", enrollment_id: id });
    await app.call("POST", `/inbox/threads/${thread.id}/attach`, { enrollment_id: id });
    expect(await threadOf(app, id)).toMatchObject({ mails: 2, kind: "reply" });
    expect(await threadsOf(app)).toHaveLength(1);
  });

  test("409: twice; 422: to what is no lead of a campaign", async () => {
    const { at, thread } = await untracked();
    const attach = (id: string, enrollment_id: string) =>
      app.call("POST", `/inbox/threads/${id}/attach`, { enrollment_id });
    const unknown = await attach(thread.id, NOBODY);
    expect([unknown.status, unknown.body.field]).toEqual([422, "enrollment_id"]);
    const id = at.leads[0]?.id ?? "";
    await attach(thread.id, id);
    expect((await attach(id, id)).status).toBe(409);
    expect((await attach(thread.id, id)).status).toBe(404);
  });
});

describe("/messages/{id}", () => {
  test("200: raw, as it came in and as it is handed over", async () => {
    const at = await underway(app);
    const id = at.leads[0]?.id ?? "";
    await comeBack(app, { kind: "reply", enrollment_id: id, text: "Grüße" });
    const [sent, came] = (await threadOf(app, id)).messages;
    const theirs = await app.call("GET", `/messages/${came.id}/raw`);
    expect(theirs.headers.get("content-type")).toBe("message/rfc822");
    expect((await parseMail(Buffer.from(theirs.text))).text).toContain("Grüße");
    const ours = await app.call("GET", `/messages/${sent.id}/raw`);
    const [captured] = await sentTo(BOB);
    expect(ours.text).toBe((await app.call("GET", `/sandbox/messages/${captured.id}/raw`)).text);
  });

  test("PATCH 200: read; 409: a message of ours has nothing to set; 422: what an email cannot be", async () => {
    const at = await underway(app);
    const id = at.leads[0]?.id ?? "";
    await comeBack(app, { kind: "reply", enrollment_id: id });
    const [sent, came] = (await threadOf(app, id)).messages;
    const path = `/messages/${came.id}`;
    expect((await app.call("PATCH", path, { read: true })).body.read).toBe(true);
    expect((await threadOf(app, id)).unread).toBe(0);
    expect((await app.call("PATCH", `/messages/${sent.id}`, sent)).status).toBe(200);
    expect((await app.call("PATCH", `/messages/${sent.id}`, { kind: "reply" })).status).toBe(409);
    expect((await app.call("PATCH", path, came)).status).toBe(200);
    for (const [body, field] of [
      [{ kind: "step" }, "kind"],
      [{ read: null }, "read"],
      [{ severity: "hard" }, "severity"],
      [{ severity: "very" }, "severity"],
    ] as const) {
      const refused = await app.call("PATCH", path, body);
      expect([refused.status, refused.body.field]).toEqual([422, field]);
    }
  });
});

describe("erasing the lead", () => {
  test("leaves nothing of the conversation, nor of one elsewhere; others' stay", async () => {
    const { at, thread } = await untracked("A secret of mine");
    const id = at.leads[0]?.id ?? "";
    await comeBack(app, { kind: "reply", enrollment_id: id, text: "Another secret" });
    await app.call("POST", `/inbox/threads/${thread.id}/reply`, { body: "Said in confidence" });
    await app.call("POST", `/inbox/threads/${id}/reply`, { body: "In confidence too" });
    await app.advance(MINUTE_MS);
    expect((await app.call("DELETE", `/leads/${at.leads[0]?.lead_id}`)).status).toBe(204);
    expect(await threadsOf(app)).toEqual([]);
    const { db } = app.environments.test;
    const tables = db.raw
      .query<{ name: string }, []>("select name from sqlite_schema where type = 'table'")
      .all()
      .map(({ name }) => name)
      .filter((name) => name !== "sandbox_mails");
    for (const name of tables) {
      const text = JSON.stringify(db.raw.query(`select * from "${name}"`).values());
      expect([name, /secret|confidence|bob@client/.exec(text)?.[0]]).toEqual([name, undefined]);
    }
  });

  test("takes what of theirs is still under way, which has no effect", async () => {
    const at = await underway(app);
    const id = at.leads[0]?.id ?? "";
    const [captured] = await sentTo(BOB);
    const raw = { kind: "unsubscribe", text: "Unsubscribe", message_id: captured.message_id };
    await app.call("POST", "/sandbox/inject", raw);
    await app.call("DELETE", `/leads/${at.leads[0]?.lead_id}`);
    await app.advance(HOUR_MS);
    expect(await threadsOf(app)).toEqual([]);
    expect((await app.call("GET", "/suppressions")).body.total).toBe(0);
    expect((await app.call("GET", `/inbox/threads/${id}`)).status).toBe(404);
  });
});
