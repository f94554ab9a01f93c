/** The contract of `/sandbox/messages` and `/sandbox/inject`, through HTTP. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { HOUR_MS, plus, toIso } from "#domain/time.ts";
import { accountById, updateAccount } from "#store/mailboxes/accounts.ts";
import { insertMessage } from "#store/sending/messages.ts";
import { createTestApp, START, type TestApp } from "../../support/app.ts";
import { addAccount, inbox, NOBODY, send } from "./sandbox-support.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

describe("/sandbox/messages", () => {
  test("200: what was captured, newest first, by recipient and account, by cursor", async () => {
    const [ann, ben] = [await addAccount(app), await addAccount(app, "ben@acme.test")];
    const first = await send(app, ann, "ada@example.com");
    for (const to of ["bob@example.com", "bounce@sandbox.test"]) {
      await send(app, ben, to);
    }
    const { body } = await app.call("GET", "/sandbox/messages?limit=2");
    expect(body).toMatchObject({ total: 3, limit: 2, offset: 0, hasMore: true });
    expect(body.data.map((row: { recipient: string }) => row.recipient)).toEqual([
      "bounce@sandbox.test",
      "bob@example.com",
    ]);
    expect(body.data[0].verdict).toBe("bounced");
    const rest = (await app.call("GET", `/sandbox/messages?limit=2&after=${body.next_cursor}`))
      .body;
    expect(rest).toMatchObject({ hasMore: false, next_cursor: null });
    expect(rest.data).toEqual([
      {
        id: expect.any(String),
        team_id: app.team.id,
        account_id: ann,
        message_id: first.messageId,
        sender: "ann@acme.test",
        recipient: "ada@example.com",
        subject: "Your roof",
        verdict: "delivered",
        size: first.raw.byteLength,
        sent_at: toIso(START),
      },
    ]);
    const byAda = await app.call("GET", "/sandbox/messages?recipient=ADA@example.com");
    expect(byAda.body.total).toBe(1);
    expect((await app.call("GET", `/sandbox/messages?account_id=${ben}`)).body.total).toBe(2);
  });

  test("200: one message, read and raw", async () => {
    const sent = await send(app, await addAccount(app), "ada@example.com");
    const { id } = (await app.call("GET", "/sandbox/messages")).body.data[0];
    const { body } = await app.call("GET", `/sandbox/messages/${id}`);
    expect(body.text).toContain("may I ask you something?");
    expect(body.headers).toContainEqual({ name: "Subject", value: "Your roof" });
    expect(body.html).toBeNull();
    const raw = await app.call("GET", `/sandbox/messages/${id}/raw`);
    expect(raw.status).toBe(200);
    expect(raw.headers.get("content-type")).toBe("message/rfc822");
    expect(raw.headers.get("x-request-id")).not.toBeNull();
    expect(raw.text).toBe(Buffer.from(sent.raw).toString());
  });

  test("404: another team's message as one that never was", async () => {
    await send(app, await addAccount(app), "ada@example.com");
    const { id } = (await app.call("GET", "/sandbox/messages")).body.data[0];
    const { key } = { key: (await app.addTeam("Other")).keys.test };
    const others = await app.call("GET", `/sandbox/messages/${id}`, undefined, { key });
    const nobodys = await app.call("GET", `/sandbox/messages/${NOBODY}`);
    expect([others.status, nobodys.status]).toEqual([404, 404]);
    expect(others.body).toEqual(nobodys.body);
    expect((await app.call("GET", `/sandbox/messages/${id}/raw`, undefined, { key })).status).toBe(
      404,
    );
    expect((await app.call("GET", "/sandbox/messages", undefined, { key })).body.total).toBe(0);
  });

  test.each([
    ["/sandbox/messages?limit=0", "limit"],
    ["/sandbox/messages?after=nothing", "after"],
    ["/sandbox/messages?account_id=1", "account_id"],
    ["/sandbox/messages?to=x", "to"],
    ["/sandbox/messages/not-an-id", "id"],
  ])("422: %s names %s", async (path, field) => {
    const { call } = app;
    const { status, body } = await call("GET", path);
    expect([status, body.field]).toEqual([422, field]);
  });
});

describe("/sandbox/inject", () => {
  const KINDS = [
    ["reply", "Ada <ada@example.com>"],
    ["interested", "Ada"],
    ["auto_reply", "Ada"],
    ["bounce", "delivery-status"],
    ["soft_bounce", "delivery-status"],
    ["complaint", "feedback-report"],
    ["unsubscribe", "Ada"],
    ["block_bounce", "delivery-status"],
    ["delay", "delivery-status"],
    ["left_company", "Ada"],
  ] as const;

  test.each(KINDS)("200: %s arrives at once", async (kind) => {
    const account = await addAccount(app);
    const { messageId } = await send(app, account, "ada@example.com");
    const { status, body } = await app.call("POST", "/sandbox/inject", {
      kind,
      message_id: messageId,
    });
    expect(status).toBe(200);
    const { id } = (await app.call("GET", "/sandbox/messages")).body.data[0];
    expect(body).toEqual({ kind, account_id: account, answers: id, arrives_at: toIso(START) });
    const [mail] = await inbox(app, account);
    expect(mail?.date).toBe(START);
    const source = JSON.stringify([mail?.references, mail?.parts]);
    expect(source).toContain(messageId.slice(1, -1));
  });

  test("200: with words, a date and a sender of one's own", async () => {
    const account = await addAccount(app);
    const { messageId } = await send(app, account, "ada@example.com");
    const target = { message_id: messageId };
    await app.call("POST", "/sandbox/inject", {
      ...target,
      kind: "reply",
      text: "Not me, ask Charles.",
      from: "Charles@Example.com",
    });
    await app.call("POST", "/sandbox/inject", {
      ...target,
      kind: "auto_reply",
      returns_on: "2026-03-16",
    });
    const [reply, away] = await inbox(app, account);
    expect(reply?.from?.address).toBe("charles@example.com");
    expect(reply?.text).toStartWith("Not me, ask Charles.");
    expect(away?.text).toContain("16");
  });

  test("200: by captured id, by our message's id, by lead and by enrollment", async () => {
    const account = await addAccount(app);
    const { call, environments, team } = app;
    const campaign = (await call("POST", "/campaigns", { name: "Spring" })).body.id;
    const step = { type: "email", subject: "Hi", body: "Hello" };
    const stepId = (await call("POST", `/campaigns/${campaign}/steps`, step)).body.id;
    await call("POST", `/campaigns/${campaign}/leads`, { leads: [{ email: "ada@example.com" }] });
    const enrollment = (await call("GET", `/campaigns/${campaign}/leads`)).body.data[0];
    const early = { kind: "reply", lead_id: enrollment.lead_id };
    expect((await call("POST", "/sandbox/inject", early)).status).toBe(409);
    const { messageId } = await send(app, account, "ada@example.com");
    const ours = environments.test.ids.next(START);
    await environments.test.commit(() =>
      insertMessage(environments.test.db, {
        id: ours,
        teamId: team.id,
        campaignId: campaign,
        enrollmentId: enrollment.id,
        leadId: enrollment.lead_id,
        accountId: account,
        stepId,
        kind: "step",
        stepPosition: 1,
        stepRevision: 1,
        status: "sent",
        messageId,
        inReplyTo: null,
        references: [],
        recipient: "ada@example.com",
        subject: "Hi",
        text: "Hello",
        html: "",
        attempts: 1,
        claimedAt: START,
        dataAt: START,
        sentAt: START,
        response: null,
        code: 250,
        bouncedAt: null,
        repliedAt: null,
        reserved: [],
        copyDueAt: null,
        dueAt: null,
        providerId: null,
        recipientHash: null,
        sentAs: null,
        threadId: null,
        placementTestId: null,
      }),
    );
    const { id } = (await call("GET", "/sandbox/messages")).body.data[0];
    for (const target of [
      { message_id: id },
      { message_id: ours },
      { lead_id: enrollment.lead_id },
      { lead_id: enrollment.id },
      { enrollment_id: enrollment.id },
    ]) {
      const { status, body } = await call("POST", "/sandbox/inject", { kind: "reply", ...target });
      expect([status, body.answers]).toEqual([200, id]);
    }
  });

  test("200: a stranger writes to an account", async () => {
    const account = await addAccount(app);
    const { status, body } = await app.call("POST", "/sandbox/inject", {
      kind: "reply",
      account_id: account,
      from: "stranger@example.com",
      text: "Hello there\nWho are you?",
    });
    expect([status, body.answers]).toEqual([200, null]);
    const [mail] = await inbox(app, account);
    expect(mail).toMatchObject({ subject: "Hello there", inReplyTo: null, references: [] });
  });

  test("the mailbox is read at the next step", async () => {
    const account = await addAccount(app);
    const { db } = app.environments.test;
    const { messageId } = await send(app, account, "ada@example.com");
    await app.environments.test.commit(() => {
      const row = accountById(db, account);
      if (row !== undefined) {
        updateAccount(db, { ...row, pollAt: plus(START, HOUR_MS) });
      }
    });
    await app.call("POST", "/sandbox/inject", { kind: "reply", message_id: messageId });
    expect(accountById(db, account)?.pollAt).toBe(START);
  });

  test.each([
    ["no target", { kind: "reply" }, "lead_id"],
    ["two targets", { kind: "reply", lead_id: NOBODY, enrollment_id: NOBODY }, "lead_id"],
    ["an unknown kind", { kind: "shout", lead_id: NOBODY }, "kind"],
    [
      "a date that is none",
      { kind: "auto_reply", lead_id: NOBODY, returns_on: "2026-02-31" },
      "returns_on",
    ],
    ["a sender that is none", { kind: "reply", lead_id: NOBODY, from: "Ada Lovelace" }, "from"],
    [
      "a stranger without words",
      { kind: "reply", account_id: NOBODY, from: "a@b.example" },
      "text",
    ],
    ["a stranger's bounce", { kind: "bounce", account_id: NOBODY }, "kind"],
    ["a broken Message-ID", { kind: "reply", message_id: "<a b>" }, "message_id"],
  ])("422: %s", async (_name, body, field) => {
    const { call } = app;
    const refused = await call("POST", "/sandbox/inject", body);
    expect([refused.status, refused.body.field]).toEqual([422, field]);
  });

  test.each([["message_id"], ["enrollment_id"], ["lead_id"]])(
    "404: an unknown %s",
    async (name) => {
      const { call } = app;
      expect(
        (await call("POST", "/sandbox/inject", { kind: "reply", [name]: NOBODY })).status,
      ).toBe(404);
    },
  );

  test("404: another team's message", async () => {
    const { messageId } = await send(app, await addAccount(app), "ada@example.com");
    const { keys } = await app.addTeam("Other");
    const body = { kind: "reply", message_id: messageId };
    expect((await app.call("POST", "/sandbox/inject", body, { key: keys.test })).status).toBe(404);
  });
});
