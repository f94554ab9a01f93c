/** The contract of `/sandbox`, through HTTP. Sections follow paths. */

import { afterEach, describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS, plus, toIso } from "#domain/time.ts";
import { parseMail } from "#mail/parse.ts";
import { accountById, updateAccount } from "#store/accounts.ts";
import { insertMessage } from "#store/messages.ts";
import { KEPT_TABLES, listSandboxMessages } from "#store/sandbox.ts";
import { mailbox, mailsOf, message } from "../sandbox/support.ts";
import { createTestApp, START, type TestApp } from "../support/app.ts";

const opened: TestApp[] = [];

async function open(): Promise<TestApp> {
  const app = await createTestApp();
  opened.push(app);
  return app;
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((app) => app.close()));
});

const NOBODY = "019cae10-0000-7000-8000-00000000dead";

async function addAccount({ call }: TestApp, email = "ann@acme.test"): Promise<string> {
  const { body } = await call("POST", "/accounts", { email, provider: "sandbox" });
  return body.id;
}

/** Hands a message over as the engine does. */
async function send({ worlds }: TestApp, accountId: string, to: string, messageId?: string) {
  const envelope = message(to, messageId === undefined ? {} : { messageId });
  const account = mailbox(accountId, envelope.from);
  const outcome = await worlds.test.mail.send(account, envelope, () => Promise.resolve());
  expect(outcome.kind).toBe("accepted");
  return envelope;
}

/** What has come into an account's mailbox up to now. */
async function inbox({ worlds }: TestApp, accountId: string) {
  const read = await worlds.test.mail.poll(mailbox(accountId, "ann@acme.test"), "0.0");
  return await Promise.all(mailsOf(read).map(({ raw }) => parseMail(raw)));
}

describe("every path", () => {
  test.each([
    ["GET", "/sandbox/clock", undefined],
    ["POST", "/sandbox/clock", { advance: "1d" }],
    ["POST", "/sandbox/clock", { nonsense: true }],
    ["GET", "/sandbox/messages", undefined],
    ["GET", `/sandbox/messages/${NOBODY}`, undefined],
    ["GET", "/sandbox/messages/no-id", undefined],
    ["GET", `/sandbox/messages/${NOBODY}/raw`, undefined],
    ["POST", "/sandbox/inject", { kind: "reply" }],
    ["GET", "/sandbox/settings", undefined],
    ["PATCH", "/sandbox/settings", { seed: 1 }],
    ["DELETE", "/sandbox", undefined],
  ])("403 with a live key, 401 without one: %s %s", async (method, path, body) => {
    const app = await open();
    const refused = await app.live(method, path, body);
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({ type: "permission_error", field: null, status: 403 });
    expect(refused.body.message).toContain("test key");
    expect((await app.call(method, path, body, { key: null })).status).toBe(401);
  });

  test("403 where the key's scopes fall short", async () => {
    const { call } = await open();
    const { key } = (await call("POST", "/keys", { name: "r", scopes: ["sandbox:read"] })).body;
    const { key: writer } = (await call("POST", "/keys", { name: "w", scopes: ["write"] })).body;
    expect((await call("GET", "/sandbox/settings", undefined, { key })).status).toBe(200);
    expect((await call("PATCH", "/sandbox/settings", { seed: 2 }, { key })).status).toBe(403);
    expect((await call("PATCH", "/sandbox/settings", { seed: 2 }, { key: writer })).status).toBe(
      200,
    );
    const moved = await call("POST", "/sandbox/clock", { advance: "1d" }, { key: writer });
    expect(moved.status).toBe(403);
    expect(moved.body.message).toContain("admin");
  });
});

describe("/sandbox/clock", () => {
  test("200: starts at the system's time with speed 1", async () => {
    const { call } = await open();
    const { status, body } = await call("GET", "/sandbox/clock");
    expect(status).toBe(200);
    expect(body).toEqual({ now: toIso(START), speed: 1, advancing: false });
  });

  test.each([
    ["3d", 3 * DAY_MS],
    ["90m", 90 * MINUTE_MS],
    ["1h30m", 90 * MINUTE_MS],
    ["1s", 1000],
    ["366d", 366 * DAY_MS],
  ])("200: advance %s answers when it is done", async (advance, ms) => {
    const { call } = await open();
    const { status, body } = await call("POST", "/sandbox/clock", { advance });
    expect(status).toBe(200);
    expect(body).toEqual({ now: toIso(plus(START, ms)), speed: 1, advancing: false });
    expect((await call("GET", "/sandbox/clock")).body.now).toBe(body.now);
  });

  test("200: speed 0 stands still, speed n runs n seconds a second", async () => {
    const { call, wall } = await open();
    expect((await call("POST", "/sandbox/clock", { speed: 0 })).body.speed).toBe(0);
    wall.move(HOUR_MS);
    expect((await call("GET", "/sandbox/clock")).body.now).toBe(toIso(START));
    await call("POST", "/sandbox/clock", { speed: 3600 });
    wall.move(1000);
    expect((await call("GET", "/sandbox/clock")).body.now).toBe(toIso(plus(START, HOUR_MS)));
  });

  test("409: a second move while the first is under way; other requests are served", async () => {
    const { call } = await open();
    let isDone = false;
    const move = call("POST", "/sandbox/clock", { advance: "30d" }).finally(() => {
      isDone = true;
    });
    const seen: [boolean, number, number][] = [];
    while (!isDone) {
      const { advancing } = (await call("GET", "/sandbox/clock")).body;
      if (advancing) {
        const again = await call("POST", "/sandbox/clock", { advance: "1d" });
        const speed = await call("POST", "/sandbox/clock", { speed: 2 });
        seen.push([isDone, again.status, speed.status]);
        break;
      }
    }
    expect(seen).toEqual([[false, 409, 409]]);
    const { status, body } = await move;
    expect([status, body.now]).toEqual([200, toIso(plus(START, 30 * DAY_MS))]);
    expect((await call("POST", "/sandbox/clock", { advance: "1d" })).status).toBe(200);
  });

  test.each([
    ["nothing", {}, null],
    ["both", { advance: "1d", speed: 1 }, "speed"],
    ["no duration", { advance: "soon" }, "advance"],
    ["less than a second", { advance: "0s" }, "advance"],
    ["more than 366 days", { advance: "367d" }, "advance"],
    ["a number", { advance: 3 }, "advance"],
    ["a negative speed", { speed: -1 }, "speed"],
    ["too fast", { speed: 100_001 }, "speed"],
    ["an unknown field", { advance: "1d", to: "x" }, "to"],
  ])("422: %s, and the clock stays", async (_name, body, field) => {
    const { call } = await open();
    const refused = await call("POST", "/sandbox/clock", body);
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject({ type: "validation_error", field });
    expect((await call("GET", "/sandbox/clock")).body.now).toBe(toIso(START));
  });

  test("a repeat with the same Idempotency-Key moves it once", async () => {
    const { call } = await open();
    const headers = { "Idempotency-Key": "move-1" };
    const first = await call("POST", "/sandbox/clock", { advance: "1d" }, { headers });
    const again = await call("POST", "/sandbox/clock", { advance: "1d" }, { headers });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect((await call("GET", "/sandbox/clock")).body.now).toBe(toIso(plus(START, DAY_MS)));
  });
});

describe("/sandbox/messages", () => {
  test("200: what was captured, newest first, by recipient and account, by cursor", async () => {
    const app = await open();
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
    const app = await open();
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
    const app = await open();
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
    const { call } = await open();
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
  ] as const;

  test.each(KINDS)("200: %s arrives at once", async (kind) => {
    const app = await open();
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
    const app = await open();
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
    const app = await open();
    const account = await addAccount(app);
    const { call, worlds, team } = app;
    const campaign = (await call("POST", "/campaigns", { name: "Spring" })).body.id;
    const step = { type: "email", subject: "Hi", body: "Hello" };
    const stepId = (await call("POST", `/campaigns/${campaign}/steps`, step)).body.id;
    await call("POST", `/campaigns/${campaign}/leads`, { leads: [{ email: "ada@example.com" }] });
    const enrollment = (await call("GET", `/campaigns/${campaign}/leads`)).body.data[0];
    const early = { kind: "reply", lead_id: enrollment.lead_id };
    expect((await call("POST", "/sandbox/inject", early)).status).toBe(409);
    const { messageId } = await send(app, account, "ada@example.com");
    const ours = worlds.test.ids.next(START);
    await worlds.test.commit(() =>
      insertMessage(worlds.test.db, {
        id: ours,
        teamId: team.id,
        campaignId: campaign,
        enrollmentId: enrollment.id,
        leadId: enrollment.lead_id,
        accountId: account,
        stepId,
        stepPosition: 1,
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
    const app = await open();
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
    const app = await open();
    const account = await addAccount(app);
    const { db } = app.worlds.test;
    const { messageId } = await send(app, account, "ada@example.com");
    await app.worlds.test.commit(() => {
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
    const { call } = await open();
    const refused = await call("POST", "/sandbox/inject", body);
    expect([refused.status, refused.body.field]).toEqual([422, field]);
  });

  test.each([["message_id"], ["enrollment_id"], ["lead_id"]])(
    "404: an unknown %s",
    async (name) => {
      const { call } = await open();
      expect(
        (await call("POST", "/sandbox/inject", { kind: "reply", [name]: NOBODY })).status,
      ).toBe(404);
    },
  );

  test("404: another team's message", async () => {
    const app = await open();
    const { messageId } = await send(app, await addAccount(app), "ada@example.com");
    const { keys } = await app.addTeam("Other");
    const body = { kind: "reply", message_id: messageId };
    expect((await app.call("POST", "/sandbox/inject", body, { key: keys.test })).status).toBe(404);
  });
});

describe("/sandbox/settings", () => {
  test("200: defaults, then what was set, merged", async () => {
    const { call } = await open();
    const before = (await call("GET", "/sandbox/settings")).body;
    expect(before.seed).toBe(1);
    expect(Object.keys(before)).toEqual(["seed", "rates", "delays", "faults"]);
    const change = {
      rates: { reply: 1 },
      delays: { reply: { min_seconds: 1 } },
      faults: { cut: 0.5 },
    };
    const { status, body } = await call("PATCH", "/sandbox/settings", change);
    expect(status).toBe(200);
    expect(body).toEqual({
      seed: 1,
      rates: { ...before.rates, reply: 1 },
      delays: { ...before.delays, reply: { ...before.delays.reply, min_seconds: 1 } },
      faults: { ...before.faults, cut: 0.5 },
    });
    expect((await call("GET", "/sandbox/settings")).body).toEqual(body);
  });

  test("200: what was read may be sent back, and {} changes nothing", async () => {
    const { call } = await open();
    const { body, headers } = await call("GET", "/sandbox/settings");
    expect((await call("PATCH", "/sandbox/settings", body)).body).toEqual(body);
    const again = await call("PATCH", "/sandbox/settings", {});
    expect(again.headers.get("etag")).toBe(headers.get("etag"));
  });

  test("412: a stale If-Match", async () => {
    const { call } = await open();
    const etag = (await call("GET", "/sandbox/settings")).headers.get("etag") ?? "";
    const headers = { "If-Match": etag };
    expect((await call("PATCH", "/sandbox/settings", { seed: 2 }, { headers })).status).toBe(200);
    expect((await call("PATCH", "/sandbox/settings", { seed: 3 }, { headers })).status).toBe(412);
  });

  test("each team has its own", async () => {
    const app = await open();
    await app.call("PATCH", "/sandbox/settings", { seed: 2 });
    const { keys } = await app.addTeam("Other");
    const others = await app.call("GET", "/sandbox/settings", undefined, { key: keys.test });
    expect(others.body.seed).toBe(1);
  });

  test.each([
    ["a rate above 1", { rates: { reply: 1.1 } }, "rates.reply"],
    ["an unknown rate", { rates: { applause: 1 } }, "rates.applause"],
    [
      "a delay that runs backwards",
      { delays: { reply: { min_seconds: 9_000_000 } } },
      "delays.reply.max_seconds",
    ],
    ["a negative seed", { seed: -1 }, "seed"],
    ["a seed that is null", { seed: null }, "seed"],
    [
      "an account that is not the team's",
      { faults: { auth_failures: [NOBODY] } },
      "faults.auth_failures.0",
    ],
    ["an unknown field", { speed: 1 }, "speed"],
  ])("422: %s", async (_name, change, field) => {
    const { call } = await open();
    const before = (await call("GET", "/sandbox/settings")).body;
    const { status, body } = await call("PATCH", "/sandbox/settings", change);
    expect([status, body.field]).toEqual([422, field]);
    expect((await call("GET", "/sandbox/settings")).body).toEqual(before);
  });
});

describe("DELETE /sandbox", () => {
  test("204: removes the team's records in every table, and keeps team, keys and audit log", async () => {
    const app = await open();
    const { db } = app.worlds.test;
    const other = await app.addTeam("Other");
    for (const key of [app.keys.test, other.keys.test]) {
      const call = (method: string, path: string, body?: unknown) =>
        app.call(method, path, body, { key, headers: { "Idempotency-Key": `${method}:${path}` } });
      const { id: account } = (
        await call("POST", "/accounts", { email: "ann@acme.test", provider: "sandbox" })
      ).body;
      const campaign = (await call("POST", "/campaigns", { name: "Spring" })).body.id;
      await call("POST", `/campaigns/${campaign}/steps`, {
        type: "email",
        subject: "a",
        body: "b",
      });
      await call("POST", `/campaigns/${campaign}/leads`, { leads: [{ email: "ada@example.com" }] });
      await call("POST", "/suppressions", { email: "x@example.com" });
      await call("PATCH", "/sandbox/settings", { seed: 9 });
      await send(app, account, "reply@sandbox.test");
    }
    const before = tables(app, other.team.id);
    const { status, text } = await app.call("DELETE", "/sandbox");
    expect([status, text]).toEqual([204, ""]);
    const left = tables(app, app.team.id);
    expect(Object.keys(left).every((name) => KEPT_TABLES.includes(name))).toBe(true);
    expect(left["api_keys"]).toBe(1);
    expect(tables(app, other.team.id)).toEqual(before);
    expect(listSandboxMessages(db, other.team.id, { limit: 9, offset: 0 }).total).toBe(1);
    expect((await app.call("GET", "/campaigns")).body.total).toBe(0);
    expect((await app.call("GET", "/sandbox/settings")).body.seed).toBe(1);
    expect((await app.call("DELETE", "/sandbox")).status).toBe(204);
  });

  test("starts a simulation anew: the same seed plays the same again", async () => {
    const app = await open();
    const play = async () => {
      const account = await addAccount(app);
      await app.call("PATCH", "/sandbox/settings", { seed: 5, rates: { reply: 0.5 } });
      for (let index = 0; index < 20; index += 1) {
        await send(app, account, `p${index}@example.com`);
      }
      const { data } = (await app.call("GET", "/sandbox/messages")).body;
      await app.call("DELETE", "/sandbox");
      return data.map((row: { recipient: string; verdict: string }) => [
        row.recipient,
        row.verdict,
      ]);
    };
    expect(await play()).toEqual(await play());
  });
});

/** How many rows of the team each table holds, where it holds any. */
function tables({ worlds }: TestApp, teamId: string): Record<string, number> {
  const { raw } = worlds.test.db;
  const names = raw
    .query<{ name: string }, []>(
      "select t.name from sqlite_master t join pragma_table_info(t.name) c " +
        "where t.type = 'table' and c.name = 'team_id'",
    )
    .all();
  const team = Buffer.from(teamId.replaceAll("-", ""), "hex");
  const counts = names.map(({ name }): [string, number] => {
    const row = raw
      .query<{ n: number }, [Uint8Array]>(`select count(*) n from "${name}" where team_id = ?`)
      .get(team);
    return [name, row?.n ?? 0];
  });
  return Object.fromEntries(counts.filter(([, n]) => n > 0));
}
