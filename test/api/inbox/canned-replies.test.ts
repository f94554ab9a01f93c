/** The HTTP contract of `/canned-replies`, and what each says in a conversation. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { MINUTE_MS } from "#domain/time.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { comeBack, threadsOf, underway } from "../../support/inbox.ts";
import { NOBODY } from "../sandbox/sandbox-support.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

const PRICING = { name: "Pricing", body: "Hi {{ first_name }}, we start at {€10|ten euros}." };
const create = (body: object = PRICING) => app.call("POST", "/canned-replies", body);
const list = async (query = "") => (await app.call("GET", `/canned-replies${query}`)).body;

test("are created, listed by name, changed and deleted", async () => {
  const { status, body, headers } = await create();
  expect(status).toBe(201);
  expect(headers.get("location")).toBe(`/api/v1/canned-replies/${body.id}`);
  expect(body).toMatchObject({ team_id: app.team.id, ...PRICING });
  await create({ name: "agenda", body: "Tuesday at three?" });
  expect((await list()).data.map(({ name }: { name: string }) => name)).toEqual([
    "agenda",
    "Pricing",
  ]);
  const path = `/canned-replies/${body.id}`;
  const changed = await app.call("PATCH", path, { name: "Prices" });
  expect([changed.status, changed.body.name, changed.body.body]).toEqual([
    200,
    "Prices",
    PRICING.body,
  ]);
  expect((await app.call("GET", path)).body.name).toBe("Prices");
  expect((await app.call("DELETE", path)).status).toBe(204);
  expect((await app.call("GET", path)).status).toBe(404);
  expect(await list()).toMatchObject({ total: 1 });
});

describe("in a conversation", () => {
  async function thread() {
    const at = await underway(app);
    await app.advance(20 * MINUTE_MS);
    await comeBack(app, { kind: "reply", enrollment_id: at.leads[0]?.id, text: "How much?" });
    const [found] = await threadsOf(app);
    return { id: found.id as string, lead: found.lead_id as string };
  }

  test("merge fields are the lead's, and the same spintax is picked each time", async () => {
    const { id, lead } = await thread();
    await app.call("PATCH", `/leads/${lead}`, { first_name: "Bob" });
    await create();
    const [first] = (await list(`?thread_id=${id}`)).data;
    expect(first.text).toMatch(/^Hi Bob, we start at (€10|ten euros)\.$/);
    expect(first.missing).toEqual([]);
    expect((await list(`?thread_id=${id}`)).data).toEqual([first]);
  });

  test("what the lead lacks is named, and nothing is made up", async () => {
    const { id } = await thread();
    await create({ name: "City", body: "How is {{ city }}? {{ unsubscribe_url }}" });
    const [row] = (await list(`?thread_id=${id}`)).data;
    expect(row).toMatchObject({ text: null, missing: ["city", "unsubscribe_url"] });
  });

  test("422: one that the team does not have", async () => {
    await create();
    const { status, body } = await app.call("GET", `/canned-replies?thread_id=${NOBODY}`);
    expect([status, body.field]).toEqual([422, "thread_id"]);
  });
});

test("without a conversation nothing is filled in", async () => {
  await create();
  expect((await list()).data).toMatchObject([{ text: null, missing: [], body: PRICING.body }]);
});

describe("refused", () => {
  test.each([
    ["a body that is no template", { body: "Hi {{ first_name" }, 422, "body"],
    ["a blank body", { body: "  \n" }, 422, "body"],
    ["a blank name", { name: "  " }, 422, "name"],
    ["a body of 10,001 characters", { body: "a".repeat(10_001) }, 422, "body"],
    ["a number for a name", { name: 7 }, 422, "name"],
    ["an unknown field", { color: "red" }, 422, "color"],
    ["a name that is there", { name: "PRICING " }, 409, "name"],
  ])("%s", async (_, change, status, field) => {
    await create();
    const answer = await create({ ...PRICING, name: "Other", ...change });
    expect([answer.status, answer.body.field]).toEqual([status, field]);
    expect(await list()).toMatchObject({ total: 1 });
  });

  test("one too many", async () => {
    for (let nth = 0; nth < 100; nth += 1) {
      expect((await create({ ...PRICING, name: `No. ${nth}` })).status).toBe(201);
    }
    expect(await create()).toMatchObject({ status: 409, body: { type: "conflict" } });
  });

  test("another team's, as if it never was", async () => {
    const { body } = await create();
    const { keys } = await app.addTeam("Other");
    const path = `/canned-replies/${body.id}`;
    for (const [method, change] of [["GET"], ["PATCH", { name: "x" }], ["DELETE"]] as const) {
      expect((await app.call(method, path, change, { key: keys.test })).status).toBe(404);
    }
    expect((await create()).status).toBe(409);
    expect((await app.call("POST", "/canned-replies", PRICING, { key: keys.test })).status).toBe(
      201,
    );
  });
});
