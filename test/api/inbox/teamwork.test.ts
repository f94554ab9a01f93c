/** The inbox as a team works on it: snoozed, assigned, noted, tagged, and many at once. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { HOUR_MS, MINUTE_MS } from "#domain/time.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { comeBack, threadOf, threadsOf, underway } from "../../support/inbox.ts";
import { firstPerson, invited, type Visitor } from "../../support/people.ts";
import { NOBODY } from "../sandbox/sandbox-support.ts";

let app: TestApp;
let ids: string[];
let leads: string[];
beforeEach(async () => {
  app = await createTestApp();
  const at = await underway(app, ["bob@client.example", "eve@client.example"]);
  await app.advance(20 * MINUTE_MS);
  leads = at.leads.map(({ id }) => id);
  for (const enrollment_id of leads) {
    await comeBack(app, { kind: "reply", enrollment_id, text: "How much is it?" });
  }
  ids = (await threadsOf(app)).map(({ id }: { id: string }) => id);
});
afterEach(() => app.close());

const patch = (id: string | undefined, body: object) =>
  app.call("PATCH", `/inbox/threads/${id}`, body);
const inHours = (hours: number) =>
  new Date(app.environments.test.clock.now() + hours * HOUR_MS).toISOString();
const shown = async (query: string) =>
  (await threadsOf(app, query)).map(({ id }: { id: string }) => id);

describe("a snoozed conversation", () => {
  test("is out of sight until its time, then back and unread", async () => {
    const [id, other] = ids;
    const until = inHours(5);
    await patch(id, { read: true });
    const { status, body } = await patch(id, { snoozed_until: until });
    expect([status, body.snoozed_until, body.folder, body.read]).toEqual([
      200,
      until,
      "snoozed",
      true,
    ]);
    expect(await shown("?done=false")).toEqual([other]);
    expect(await shown("?folder=snoozed")).toEqual([id]);
    await app.advance(5 * HOUR_MS - MINUTE_MS);
    expect((await threadOf(app, id ?? "")).folder).toBe("snoozed");
    await app.advance(MINUTE_MS);
    expect(await threadOf(app, id ?? "")).toMatchObject({
      folder: "interested",
      snoozed_until: null,
      read: false,
    });
    expect((await shown("?done=false")).toSorted()).toEqual(ids.toSorted());
  });

  test("is back as soon as somebody writes", async () => {
    const id = leads[0] ?? "";
    await patch(id, { snoozed_until: inHours(500) });
    await app.advance(HOUR_MS);
    await comeBack(app, { kind: "reply", enrollment_id: id, text: "Are you there?" });
    expect(await threadOf(app, id)).toMatchObject({ snoozed_until: null, read: false });
    expect((await shown("?done=false")).toSorted()).toEqual(ids.toSorted());
  });

  test("is done no more, and done ends it", async () => {
    const [id] = ids;
    await patch(id, { done: true });
    const snoozed = (await patch(id, { snoozed_until: inHours(1) })).body;
    expect([snoozed.done, snoozed.folder]).toEqual([false, "snoozed"]);
    const done = (await patch(id, { done: true })).body;
    expect([done.done, done.snoozed_until]).toEqual([true, null]);
    await app.advance(2 * HOUR_MS);
    expect((await threadOf(app, id ?? "")).folder).toBe("done");
  });

  test.each([
    ["a time that is past", () => ({ snoozed_until: inHours(-1) }), "snoozed_until"],
    ["after the year 2100", () => ({ snoozed_until: "2101-01-01T00:00:00Z" }), "snoozed_until"],
    ["with done", () => ({ snoozed_until: inHours(1), done: true }), "snoozed_until"],
    ["what is no time", () => ({ snoozed_until: "tomorrow" }), "snoozed_until"],
  ])("is refused: %s", async (_, body, field) => {
    const refused = await patch(ids[0], body());
    expect([refused.status, refused.body.field]).toEqual([422, field]);
  });
});

describe("with colleagues", () => {
  let ann: Visitor;
  let joe: Visitor;
  const me = async (who: Visitor) => (await who.ask("GET", "/console/session")).body.user.id;
  const there = (path: string) => `/test/api/v1${path}`;
  beforeEach(async () => {
    ann = await firstPerson(app);
    joe = await invited(app, ann, "member");
  });

  test("one is assigned to a member, who finds it", async () => {
    const [id] = ids;
    const joeId = await me(joe);
    const path = there(`/inbox/threads/${id}`);
    expect((await ann.ask("PATCH", path, { assignee_id: joeId })).body.assignee_id).toBe(joeId);
    expect(await shown(`?assignee_id=${joeId}`)).toEqual([id]);
    expect(await shown(`?assignee_id=${joeId.toUpperCase()}`)).toEqual([id]);
    const count = async (who: Visitor) =>
      (await who.ask("GET", there("/inbox/folders"))).body.assigned;
    expect([await count(joe), await count(ann)]).toEqual([1, 0]);
    expect((await patch(id, { done: true })).status).toBe(200);
    expect(await count(joe)).toBe(0);
    expect((await patch(id, { assignee_id: null })).body.assignee_id).toBeNull();
  });

  test("nobody from outside is assigned, nor mentioned", async () => {
    const refused = await patch(ids[0], { assignee_id: NOBODY });
    expect([refused.status, refused.body.field]).toEqual([422, "assignee_id"]);
    const note = await app.call("POST", `/inbox/threads/${ids[0]}/notes`, {
      body: "Look",
      mentions: [NOBODY],
    });
    expect([note.status, note.body.field]).toEqual([422, "mentions.0"]);
  });

  test("notes are read by all, found by whom they mention, deleted by who wrote them", async () => {
    const [id] = ids;
    const path = there(`/inbox/threads/${id}/notes`);
    const joeId = await me(joe);
    const body = "@Joe do you know them?\n\nشكراً 👍";
    const made = await ann.ask("POST", path, { body, mentions: [joeId, joeId] });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      thread_id: id,
      author: `user:${await me(ann)}`,
      author_name: "Ann",
      body,
      mentions: [joeId],
    });
    expect((await joe.ask("GET", path)).body.data).toEqual([made.body]);
    expect(await shown(`?mentions=${joeId}`)).toEqual([id]);
    expect(await shown(`?mentions=${joeId.toUpperCase()}`)).toEqual([id]);
    expect(await shown(`?mentions=${await me(ann)}`)).toEqual([]);
    expect((await joe.ask("DELETE", `${path}/${made.body.id}`)).status).toBe(403);
    expect((await ann.ask("DELETE", `${path}/${made.body.id}`)).status).toBe(204);
    expect((await ann.ask("DELETE", `${path}/${made.body.id}`)).status).toBe(404);
    expect((await joe.ask("GET", path)).body.data).toEqual([]);
  });

  test("the audit log knows that somebody noted, and nothing of what", async () => {
    await app.call("POST", `/inbox/threads/${ids[0]}/notes`, { body: "a secret of bob" });
    const { data } = (await app.call("GET", "/audit?limit=3")).body;
    expect(data[0].action).toBe("thread.note");
    expect(JSON.stringify(data)).not.toContain("secret");
  });
});

test("notes are refused without words, and go with their conversation", async () => {
  const path = `/inbox/threads/${leads[0]}/notes`;
  for (const body of ["", " \n ", "a".repeat(10_001)]) {
    const refused = await app.call("POST", path, { body });
    expect([refused.status, refused.body.field]).toEqual([422, "body"]);
  }
  const note = (await app.call("POST", path, { body: "Knows our founder" })).body;
  expect(
    (
      await app.call(
        "DELETE",
        `/inbox/threads/${ids.find((id) => id !== leads[0])}/notes/${note.id}`,
      )
    ).status,
  ).toBe(404);
  const { lead_id } = await threadOf(app, leads[0] ?? "");
  await app.call("POST", "/inbox/threads/tags", { ids: [leads[0]], add: ["hot"] });
  const count = (table: string) =>
    app.environments.test.db.raw
      .query<{ n: number }, []>(`select count(*) as n from ${table}`)
      .get()?.n;
  expect([count("thread_notes"), count("tags")]).toEqual([1, 1]);
  await app.call("DELETE", `/leads/${lead_id}`);
  await app.advance(MINUTE_MS);
  expect([count("thread_notes"), count("tags")]).toEqual([0, 0]);
});

test("tags stay with a conversation whose emails change, and filter the list", async () => {
  const [id] = ids;
  await app.call("POST", "/inbox/threads/tags", { ids: [id], add: ["Hot", "q4"] });
  await comeBack(app, { kind: "reply", enrollment_id: id, text: "And?" });
  expect((await threadOf(app, id ?? "")).tags).toEqual(["hot", "q4"]);
  expect(await shown("?tag=HOT")).toEqual([id]);
  expect(await shown("?filter=tag%3Dq4")).toEqual([id]);
  expect((await app.call("GET", "/inbox/threads/tags")).body.names).toEqual(["hot", "q4"]);
});

describe("many at once", () => {
  test("are changed and tagged together", async () => {
    const { status, body } = await app.call("POST", "/inbox/threads/bulk", {
      ids,
      change: { done: true, read: true, interest: "interested" },
      add_tags: ["hot"],
    });
    expect(status).toBe(200);
    expect(body.data.map((one: { id: string }) => one.id)).toEqual(ids);
    for (const one of body.data) {
      expect(one).toMatchObject({
        folder: "done",
        read: true,
        interest: "interested",
        tags: ["hot"],
      });
    }
    expect(await shown("?done=false")).toEqual([]);
  });

  test.each([
    ["an id of nobody", () => ({ ids: [...ids, NOBODY], change: { done: true } }), "ids.2"],
    [
      "a time that is past",
      () => ({ ids, change: { snoozed_until: inHours(-1) } }),
      "change.snoozed_until",
    ],
    ["who isn't a member", () => ({ ids, change: { assignee_id: NOBODY } }), "change.assignee_id"],
    ["what is no tag", () => ({ ids, change: { done: true }, add_tags: ["a,b"] }), "add_tags.0"],
  ])("are left as they were: %s", async (_, body, field) => {
    const refused = await app.call("POST", "/inbox/threads/bulk", body());
    expect([refused.status, refused.body.field]).toEqual([422, field]);
    expect((await shown("?done=false")).length).toBe(2);
  });
});
