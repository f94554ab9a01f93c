/** The contract of `/inbox/threads` and `/messages`, through HTTP. Sections follow operations. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS } from "#domain/time.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import {
  comeBack,
  leadOf,
  quiet,
  statsOf,
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

describe("GET /inbox/threads", () => {
  test("200: what came back, newest first, each with its counters", async () => {
    const at = await underway(app, [BOB, "cy@other.example", "di@third.example"]);
    await comeBack(app, { kind: "reply", enrollment_id: at.leads[0]?.id });
    await app.advance(HOUR_MS);
    await comeBack(app, { kind: "auto_reply", enrollment_id: at.leads[1]?.id });
    const { status, body } = await app.call("GET", "/inbox/threads");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      total: 2,
      limit: 50,
      offset: 0,
      hasMore: false,
      next_cursor: null,
    });
    expect(body.data[1]).toEqual({
      id: at.leads[0]?.id,
      team_id: app.team.id,
      account_id: at.account,
      campaign_id: at.campaign,
      lead_id: at.leads[0]?.lead_id,
      enrollment_id: at.leads[0]?.id,
      from_address: BOB,
      from_name: expect.any(String),
      subject: "Re: Offer",
      snippet: expect.any(String),
      read: false,
      kind: "reply",
      interest: null,
      done: false,
      snoozed_until: null,
      assignee_id: null,
      folder: "questions",
      tags: [],
      mails: 1,
      unread: 1,
      last_mail_at: expect.stringMatching(/Z$/),
      answered_at: null,
      created_at: expect.stringMatching(/Z$/),
    });
    expect(body.data[0].kind).toBe("auto_reply");
  });

  test("200: filters, alone and together", async () => {
    const at = await underway(app, [BOB, "cy@other.example", "di@third.example"]);
    const [bob, cy, di] = at.leads.map(({ id }) => id);
    await comeBack(app, { kind: "interested", enrollment_id: bob });
    await comeBack(app, { kind: "auto_reply", enrollment_id: cy });
    await comeBack(app, { kind: "bounce", enrollment_id: di });
    await app.call("PATCH", `/inbox/threads/${cy}`, { read: true });
    const ids = async (query: string) =>
      (await threadsOf(app, query)).map(({ id }: { id: string }) => id).sort();
    expect(await ids("?kind=reply")).toEqual([bob]);
    expect(await ids("?kind=bounce")).toEqual([di]);
    expect(await ids("?interest=interested")).toEqual([bob]);
    expect(await ids("?unread=true")).toEqual([bob, di].sort());
    expect(await ids("?unread=false")).toEqual([cy]);
    expect(await ids(`?campaign_id=${at.campaign}`)).toEqual([bob, cy, di].sort());
    expect(await ids(`?account_id=${at.account}&unread=false`)).toEqual([cy]);
    expect(await ids(`?campaign_id=${NOBODY}`)).toEqual([]);
    expect(await ids("?folder=interested")).toEqual([bob]);
    expect(await ids("?folder=bounces&unread=true")).toEqual([di]);
    expect(await ids("?done=true")).toEqual([]);
  });

  test("200: done is out of its folder until another email comes, and back where it belongs when undone", async () => {
    const at = await underway(app, [BOB, "cy@other.example"]);
    const [bob, cy] = at.leads.map(({ id }) => id);
    await comeBack(app, { kind: "interested", enrollment_id: bob });
    await comeBack(app, { kind: "auto_reply", enrollment_id: cy });
    const counts = async () => {
      const { body } = await app.call("GET", "/inbox/folders");
      const some = body.data.filter(
        ({ conversations }: { conversations: number }) => conversations,
      );
      const named = some.map((one: { folder: string; conversations: number }) => [
        one.folder,
        one.conversations,
      ]);
      const all: Record<string, number> = { ...Object.fromEntries(named), unread: body.unread };
      return all;
    };
    expect(await counts()).toEqual({ interested: 1, out_of_office: 1, unread: 2 });
    const patch = (done: boolean) => app.call("PATCH", `/inbox/threads/${bob}`, { done });
    expect((await patch(true)).body).toMatchObject({ done: true, folder: "done", read: false });
    expect(await counts()).toEqual({ done: 1, out_of_office: 1, unread: 2 });
    expect((await threadsOf(app, "?done=false")).map(({ id }: { id: string }) => id)).toEqual([cy]);
    await app.call("PATCH", `/inbox/threads/${bob}`, { interest: "meeting" });
    expect(await threadOf(app, bob ?? "")).toMatchObject({ folder: "done", interest: "meeting" });
    expect((await patch(false)).body).toMatchObject({ done: false, folder: "meeting" });
    await patch(true);
    await app.advance(HOUR_MS);
    await comeBack(app, { kind: "reply", enrollment_id: bob });
    expect(await threadOf(app, bob ?? "")).toMatchObject({ done: false, folder: "meeting" });
  });

  test("200: pages by cursor show every thread once, also when a thread moves up", async () => {
    const emails = Array.from({ length: 7 }, (_, n) => `p${n}@d${n}.example`);
    const at = await underway(app, emails);
    for (const { id } of at.leads) {
      await comeBack(app, { kind: "reply", enrollment_id: id });
    }
    const seen: string[] = [];
    let query = "?limit=3";
    for (let pages = 0; pages < 3; pages += 1) {
      const { body } = await app.call("GET", `/inbox/threads${query}`);
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      query = `?limit=3&after=${body.next_cursor}`;
      expect(body.hasMore).toBe(pages < 2);
    }
    expect(seen).toEqual(at.leads.map(({ id }) => id).toReversed());
  });

  test.each([
    ["limit=0", "limit"],
    ["kind=own", "kind"],
    ["interest=maybe", "interest"],
    ["folder=trash", "folder"],
    ["done=1", "done"],
    ["unread=1", "unread"],
    ["after=nothing", "after"],
    ["campaign_id=1", "campaign_id"],
    ["status=open", "status"],
  ])("422: %s names %s", async (query, field) => {
    const { status, body } = await app.call("GET", `/inbox/threads?${query}`);
    expect([status, body.field]).toEqual([422, field]);
  });
});

describe("GET /inbox/threads/{id}", () => {
  test("200: both sides in order, with the evidence and the effects of each mail", async () => {
    const at = await underway(app);
    const id = at.leads[0]?.id ?? "";
    await comeBack(app, { kind: "auto_reply", enrollment_id: id, returns_on: "2026-03-10" });
    await app.advance(14 * DAY_MS);
    await comeBack(app, { kind: "interested", enrollment_id: id });
    const { body, headers } = await app.call("GET", `/inbox/threads/${id}`);
    const kinds = body.messages.map(({ kind }: { kind: string }) => kind);
    expect(kinds).toEqual(["step", "auto_reply", "step", "reply"]);
    expect(body.messages[1]).toMatchObject({
      direction: "in",
      returns_on: "2026-03-10",
      evidence: expect.stringContaining("auto-submitted"),
      matched_by: "message_id",
      answers: body.messages[0].id,
    });
    expect(body.messages[2]).toMatchObject({
      direction: "out",
      status: "sent",
      step_position: 2,
      to: BOB,
    });
    expect(body.messages[3].text).not.toContain(">");
    const types = body.messages[3].effects.map(({ type }: { type: string }) => type);
    expect(types).toEqual(["enrollment", "interest"]);
    expect(body.messages[3].effects[0]).toMatchObject({ before: "completed", after: "replied" });
    expect(body).toMatchObject({
      account_email: "ann@sender.example",
      lead: { email: BOB },
      enrollment: { status: "replied", campaign_name: "Spring", current_step: 2 },
      interest: "interested",
      kind: "reply",
      mails: 2,
    });
    expect(headers.get("etag")).toMatch(/^"/);
  });

  test("an automatic answer after a person's does not hide it", async () => {
    const at = await underway(app);
    const id = at.leads[0]?.id ?? "";
    await comeBack(app, { kind: "reply", enrollment_id: id, text: "Tell me more." });
    await app.advance(HOUR_MS);
    await comeBack(app, { kind: "auto_reply", enrollment_id: id });
    expect(await threadOf(app, id)).toMatchObject({
      kind: "reply",
      snippet: "Tell me more.",
      mails: 2,
    });
  });
});

describe("PATCH /inbox/threads/{id}", () => {
  test("200: read, unread, interest; the lead has the same interest", async () => {
    const at = await underway(app);
    const id = at.leads[0]?.id ?? "";
    const path = `/inbox/threads/${id}`;
    await comeBack(app, { kind: "reply", enrollment_id: id });
    expect((await app.call("PATCH", path, { read: true })).body).toMatchObject({
      read: true,
      unread: 0,
    });
    expect((await app.call("PATCH", path, { read: false })).body).toMatchObject({
      read: false,
      unread: 1,
    });
    expect((await app.call("PATCH", path, { interest: "meeting" })).body.interest).toBe("meeting");
    expect((await leadOf(app, at)).interest).toBe("meeting");
    const lead = `/campaigns/${at.campaign}/leads/${id}`;
    await app.call("PATCH", lead, { interest: null });
    expect((await threadOf(app, id)).interest).toBeNull();
  });

  test("200: the record as it was read changes nothing", async () => {
    const at = await underway(app);
    const id = at.leads[0]?.id ?? "";
    await comeBack(app, { kind: "interested", enrollment_id: id });
    const before = await threadOf(app, id);
    const { status, body } = await app.call("PATCH", `/inbox/threads/${id}`, before);
    expect(status).toBe(200);
    const { messages: _m, lead: _l, enrollment: _e, account_email: _a, ...record } = before;
    expect(body).toEqual(record);
    expect((await app.call("PATCH", `/inbox/threads/${id}`, {})).body).toEqual(record);
  });

  test("200: a kind is the whole thread's: until nothing in it outweighs it", async () => {
    const at = await underway(app);
    const id = at.leads[0]?.id ?? "";
    await comeBack(app, { kind: "reply", enrollment_id: id });
    await comeBack(app, { kind: "reply", enrollment_id: id });
    await comeBack(app, { kind: "auto_reply", enrollment_id: id });
    const { body } = await app.call("PATCH", `/inbox/threads/${id}`, { kind: "unrelated" });
    expect(body.kind).toBe("unrelated");
    expect((await leadOf(app, at)).status).toBe("active");
    expect(await statsOf(app, at)).toMatchObject({ replied: 0, auto_replied: 0 });
  });

  test("412: not over another's change; 409, 422: what cannot be", async () => {
    const at = await underway(app);
    const id = at.leads[0]?.id ?? "";
    const path = `/inbox/threads/${id}`;
    await comeBack(app, { kind: "reply", enrollment_id: id });
    const etag = (await app.call("GET", path)).headers.get("etag") ?? "";
    await app.call("PATCH", path, { read: true });
    const late = await app.call(
      "PATCH",
      path,
      { kind: "notice" },
      { headers: { "If-Match": etag } },
    );
    expect(late.status).toBe(412);
    for (const [body, field] of [
      [{ kind: "own" }, "kind"],
      [{ interest: "very" }, "interest"],
      [{ read: "yes" }, "read"],
      [{ status: "done" }, "status"],
      [{ team_id: NOBODY }, "team_id"],
    ] as const) {
      const refused = await app.call("PATCH", path, body);
      expect([refused.status, refused.body.field]).toEqual([422, field]);
    }
  });
});

describe("every operation", () => {
  const OPERATIONS = [
    ["GET", "/inbox/threads"],
    ["GET", `/inbox/threads/${NOBODY}`],
    ["PATCH", `/inbox/threads/${NOBODY}`],
    ["POST", `/inbox/threads/${NOBODY}/reply`],
    ["POST", `/inbox/threads/${NOBODY}/attach`],
    ["GET", `/messages/${NOBODY}`],
    ["PATCH", `/messages/${NOBODY}`],
    ["GET", `/messages/${NOBODY}/raw`],
  ] as const;
  const bodyOf = (method: string, path: string) =>
    method === "GET"
      ? undefined
      : path.endsWith("reply")
        ? { body: "x" }
        : path.endsWith("attach")
          ? { enrollment_id: NOBODY }
          : {};

  test.each(OPERATIONS)("401: %s %s", async (method, path) => {
    const refused = await app.call(method, path, bodyOf(method, path), { key: null });
    expect(refused.status).toBe(401);
  });

  test.each(OPERATIONS.slice(1))("404: %s %s", async (method, path) => {
    expect((await app.call(method, path, bodyOf(method, path))).status).toBe(404);
  });

  test("404: another team's and the other environment's; its list is empty", async () => {
    const at = await underway(app);
    const id = at.leads[0]?.id ?? "";
    await comeBack(app, { kind: "reply", enrollment_id: id });
    const [sent, came] = (await threadOf(app, id)).messages;
    const { keys } = await app.addTeam("Other");
    for (const [method, path] of OPERATIONS.slice(1)) {
      for (const one of path.startsWith("/messages") ? [sent.id, came.id] : [id]) {
        const own = path.replace(NOBODY, one);
        const body = bodyOf(method, own);
        expect((await app.call(method, own, body, { key: keys.test })).status).toBe(404);
        expect((await app.live(method, own, body)).status).toBe(404);
      }
    }
    expect(
      (await app.call("GET", "/inbox/threads", undefined, { key: keys.test })).body.total,
    ).toBe(0);
  });

  test("403: reading needs inbox:read, writing inbox:write", async () => {
    const { key } = (await app.call("POST", "/keys", { name: "r", scopes: ["inbox:read"] })).body;
    expect((await app.call("GET", "/inbox/threads", undefined, { key })).status).toBe(200);
    const path = `/inbox/threads/${NOBODY}`;
    expect((await app.call("PATCH", path, {}, { key })).status).toBe(403);
    expect((await app.call("GET", "/campaigns", undefined, { key })).status).toBe(403);
  });

  test("DELETE /sandbox leaves no conversation", async () => {
    const at = await underway(app);
    await comeBack(app, { kind: "bounce", enrollment_id: at.leads[0]?.id });
    await app.call("DELETE", "/sandbox");
    await quiet(app);
    const { db } = app.environments.test;
    for (const table of ["threads", "effects", "inbound_mails", "messages"]) {
      expect(db.raw.query<{ n: number }, []>(`select count(*) as n from ${table}`).get()?.n).toBe(
        0,
      );
    }
  });
});
