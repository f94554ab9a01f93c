/** `Idempotency-Key`: a request that is repeated is answered as the first was, and done once. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS } from "#domain/time.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { makeCampaign } from "../support/campaigns.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

const headers = (key = "one") => ({ headers: { "Idempotency-Key": key } });
const create = (body: unknown = { name: "Spring" }, key = "one") =>
  app.call("POST", "/campaigns", body, headers(key));
/** Of requests at once, of which one meets another under way. */
const TRIES = 50;
const total = async (path = "/campaigns") => (await app.call("GET", path)).body.total;

describe("the same request again", () => {
  test("is answered with the same status, body and Location, and does nothing", async () => {
    const first = await create();
    const again = await create();
    expect(again.status).toBe(201);
    expect(again.text).toBe(first.text);
    expect(again.headers.get("location")).toBe(first.headers.get("location"));
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
    expect(await total()).toBe(1);
  });

  test("without the header is done again", async () => {
    await create();
    await app.call("POST", "/campaigns", { name: "Spring" });
    expect(await total()).toBe(2);
  });

  test("gets the first answer though the record has changed since", async () => {
    const first = await create();
    await app.call("PATCH", `/campaigns/${first.body.id}`, { name: "Summer" });
    expect((await create()).body.name).toBe("Spring");
    await app.call("DELETE", `/campaigns/${first.body.id}`);
    expect((await create()).text).toBe(first.text);
  });

  test("of an action is done once", async () => {
    const { id } = await makeCampaign(app);
    const archive = () => app.call("POST", `/campaigns/${id}/archive`, undefined, headers());
    const first = await archive();
    await app.call("PATCH", `/campaigns/${id}`, { status: "paused" });
    const again = await archive();
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect((await app.call("GET", `/campaigns/${id}`)).body.status).toBe("paused");
  });

  test("of an import imports once, and says so twice", async () => {
    const { id } = await makeCampaign(app);
    const body = { leads: [{ email: "a@x.example" }, { email: "b@x.example" }] };
    const run = () => app.call("POST", `/campaigns/${id}/leads`, body, headers());
    const first = await run();
    expect(first.body.imported).toBe(2);
    expect((await run()).text).toBe(first.text);
    expect(await total("/leads")).toBe(2);
  });

  test("of one that found its record there keeps the 200", async () => {
    const suppress = () =>
      app.call("POST", "/suppressions", { email: "a@x.example" }, headers("two"));
    await app.call("POST", "/suppressions", { email: "a@x.example" });
    const first = await suppress();
    const again = await suppress();
    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
    expect(again.headers.get("location")).toBe(first.headers.get("location"));
  });

  test("may put its key in quotes", async () => {
    const first = await create();
    expect((await create(undefined, '"one"')).text).toBe(first.text);
  });
});

describe("another request under the same key", () => {
  test.each([
    ["body", () => create({ name: "Summer" })],
    ["spelling of the body", () => create('{ "name": "Spring" }')],
    ["path", () => app.call("POST", "/keys", { name: "Spring" }, headers())],
  ])("with another %s: 422", async (_name, other) => {
    await create();
    const { status, body } = await other();
    expect([status, body.field]).toEqual([422, "Idempotency-Key"]);
    expect([await total(), await total("/keys")]).toEqual([1, 1]);
  });

  test("with another query: 422", async () => {
    const { id } = (await app.call("POST", "/keys", { name: "ci" })).body;
    const rotate = (query: string) =>
      app.call("POST", `/keys/${id}/rotate${query}`, undefined, headers());
    expect((await rotate("")).status).toBe(201);
    const { status, body } = await rotate("?env=test");
    expect([status, body.field]).toEqual([422, "Idempotency-Key"]);
  });

  test("of another team or environment is another key", async () => {
    const first = await create();
    const other = await app.addTeam("Other");
    const theirs = await app.call(
      "POST",
      "/campaigns",
      { name: "Spring" },
      { ...headers(), key: other.keys.test },
    );
    const live = await app.live("POST", "/campaigns", { name: "Spring" }, headers());
    expect([theirs.status, live.status]).toEqual([201, 201]);
    expect(new Set([first, theirs, live].map(({ body }) => body.id)).size).toBe(3);
  });

  test("another API key of the same team gets the first answer", async () => {
    const first = await create();
    const { key } = (await app.call("POST", "/keys", { name: "second" })).body;
    const again = await app.call("POST", "/campaigns", { name: "Spring" }, { ...headers(), key });
    expect(again.text).toBe(first.text);
  });
});

describe("what is kept", () => {
  test("while the first is under way the second is told to wait: 409", async () => {
    const told = new Set<number>();
    // Those that come late in a turn of the event loop get one of their own, in which the first may have ended.
    for (let tries = 1; tries <= TRIES && !told.has(409); tries += 1) {
      const same = () => create({ name: "A" }, `key-of-try-${tries}`);
      const answers = await Promise.all([same(), same(), same()]);
      const made = answers.filter(({ status }) => status === 201);
      const refused = answers.filter(({ status }) => status === 409);
      expect(made.length + refused.length).toBe(3);
      expect(new Set(made.map(({ text }) => text)).size).toBe(1);
      for (const { body, headers, status } of refused) {
        told.add(status);
        expect(body).toMatchObject({ type: "conflict", field: "Idempotency-Key" });
        expect(headers.get("retry-after")).toBe("1");
      }
      expect(await total()).toBe(tries);
      expect((await same()).status).toBe(201);
    }
    expect(told.has(409)).toBe(true);
  });

  test("is kept for 24 hours of the wall clock", async () => {
    const first = await create();
    await app.advance(3 * DAY_MS);
    app.wall.move(DAY_MS - 1);
    expect((await create()).text).toBe(first.text);
    app.wall.move(1);
    expect((await create()).body.id).not.toBe(first.body.id);
    app.wall.move(HOUR_MS);
    expect((await create()).headers.get("idempotent-replayed")).toBe("true");
    expect(await total()).toBe(2);
  });

  test("no refusal: what was wrong may be fixed under the same key", async () => {
    expect((await create({ name: "" })).status).toBe(422);
    expect(
      (await create({ name: "x", account_ids: ["00000000-0000-7000-8000-00000000dead"] })).status,
    ).toBe(422);
    expect((await create()).status).toBe(201);
    const { id } = await makeCampaign(app);
    const start = () => app.call("POST", `/campaigns/${id}/pause`, undefined, headers("two"));
    expect((await start()).status).toBe(409);
    await app.call("PATCH", `/campaigns/${id}`, { status: "archived" });
    expect((await start()).status).toBe(409);
  });

  test("a key that was minted, whole, and sealed", async () => {
    const mint = () => app.call("POST", "/keys", { name: "ci" }, headers());
    const first = await mint();
    const again = await mint();
    expect(again.body.key).toBe(first.body.key);
    expect(await total("/keys")).toBe(2);
    const dump = app.environments.test.db.raw.serialize().toString("latin1");
    expect(dump).not.toContain(first.body.key.slice(-16));
  });

  test("nothing of a mailbox's password, in any form that can be guessed", async () => {
    const body = { email: "a@x.example", provider: "google", smtp: { password: "hunter2hunter2" } };
    const first = await app.live("POST", "/accounts", body, headers());
    expect(first.status).toBe(201);
    const dump = app.environments.live.db.raw.serialize().toString("latin1");
    expect(dump).not.toContain("hunter2");
    const other = { ...body, smtp: { password: "hunter3hunter3" } };
    expect((await app.live("POST", "/accounts", other, headers())).status).toBe(422);
  });

  test("only with what it did: a write that fails keeps no answer", async () => {
    const { raw } = app.environments.test.db;
    raw.run("CREATE TRIGGER no BEFORE INSERT ON campaigns BEGIN SELECT RAISE(ABORT, 'no'); END");
    expect((await create()).status).toBe(500);
    raw.run("DROP TRIGGER no");
    expect((await create()).headers.get("idempotent-replayed")).toBeNull();
    expect(await total()).toBe(1);
  });
});

describe("the key itself", () => {
  test.each([
    ["empty", ""],
    ["256 characters", "x".repeat(256)],
    ["a space inside", "a b"],
    ["no ASCII", "é"],
  ])("%s: 422", async (_name, key) => {
    const { status, body } = await create(undefined, key);
    expect([status, body.field]).toEqual([422, "Idempotency-Key"]);
    expect(body.message).toContain("without spaces");
    expect(await total()).toBe(0);
  });

  test("255 printable characters are fine", async () => {
    expect((await create(undefined, `~!${"x".repeat(253)}`)).status).toBe(201);
  });

  test("means nothing to a PATCH or a DELETE", async () => {
    const { id } = await makeCampaign(app);
    const patch = (name: string) => app.call("PATCH", `/campaigns/${id}`, { name }, headers());
    await patch("a");
    expect((await patch("b")).body.name).toBe("b");
  });
});
