/**
 * Guarantees of `POST /batch`: what single requests would do, to the byte of the database, and what they would
 * refuse, in the same words; all of it or nothing, once for a key.
 */

import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { apiRoutes } from "#api/resources.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addAccount, EMAIL_STEP, makeCampaign } from "../support/campaigns.ts";

let app: TestApp;
beforeEach(async () => {
  app = await opened();
});
afterEach(() => app.close());

/** With the first use of its key stored. */
async function opened(): Promise<TestApp> {
  const made = await createTestApp();
  await made.call("GET", "/campaigns");
  await made.environments.test.commit(() => undefined);
  return made;
}

interface Operation {
  method: string;
  path: string;
  body?: unknown;
  if_match?: string;
  ref?: string;
}

const ONE_ID = { headers: { "X-Request-Id": "the-same-for-all" } };
const batch = (operations: readonly Operation[], more: object = {}, options: object = ONE_ID) =>
  app.call("POST", "/batch", { operations, ...more }, options);
const names = async () =>
  (await app.call("GET", "/campaigns")).body.data.map(({ name }: { name: string }) => name);
const create = (name: unknown, ref?: string): Operation => {
  return { method: "POST", path: "/campaigns", body: { name }, ...(ref && { ref }) };
};

/** Every row of every table but the answers that are kept for repeated requests. */
function everything({ environments }: TestApp): bigint {
  const { raw } = environments.test.db;
  const tables = raw
    .query<{ name: string }, []>(
      "select name from sqlite_master where type = 'table' order by name",
    )
    .all()
    .filter(({ name }) => !/^(search_text|sqlite_|facts|idempotency)/.test(name));
  const rows = tables.map(({ name }) => [name, raw.query(`select * from "${name}"`).all()]);
  return Bun.hash.wyhash(JSON.stringify(rows));
}

describe("a campaign in one request", () => {
  const operations: Operation[] = [
    {
      ...{ method: "POST", path: "/accounts", ref: "box" },
      body: { email: "ann@sender.example", provider: "smtp" },
    },
    create("Spring", "spring"),
    {
      ...{ method: "PATCH", path: "/campaigns/{spring.id}" },
      body: { account_ids: ["{box.id}"], notes: "{spring.unknown} stays as it is" },
    },
    { method: "POST", path: "/campaigns/{spring.id}/steps", body: EMAIL_STEP, ref: "step" },
    {
      ...{ method: "PATCH", path: "/campaigns/{spring.id}/steps/{step.id}" },
      body: { subject: "Hi {{first_name}}" },
    },
    {
      ...{ method: "POST", path: "/campaigns/{spring.id}/leads" },
      body: { leads: [{ email: "bo@example.com", first_name: "Bo" }, { email: "no address" }] },
    },
    { method: "POST", path: "/suppressions", body: { email: "@example.org" }, ref: "none" },
    { method: "GET", path: "/suppressions/{none.id}" },
    { method: "POST", path: "/campaigns/{spring.id}/start" },
    create("Autumn", "autumn"),
    { method: "DELETE", path: "/campaigns/{autumn.id}" },
  ];

  test("200: does and answers what the requests one by one would", async () => {
    const made = await batch(operations);
    expect([made.status, made.body.failed]).toEqual([200, 0]);
    const { results } = made.body;
    const twin = await opened();
    try {
      const ids: Record<string, string> = {};
      for (const [at, { method, path, body, ref }] of operations.entries()) {
        const filled = (text: string) =>
          text.replace(/\{(\w+)\.id\}/g, (_all, name: string) => ids[name] ?? "");
        const asked = body === undefined ? undefined : JSON.parse(filled(JSON.stringify(body)));
        const single = await twin.call(method, filled(path), asked, ONE_ID);
        expect(results[at].status).toBe(single.status);
        expect(results[at].body).toEqual(single.text === "" ? null : single.body);
        expect(results[at].ref).toBe(ref ?? null);
        expect(results[at].headers.ETag ?? null).toBe(single.headers.get("etag"));
        expect(results[at].headers.Location ?? null).toBe(single.headers.get("location"));
        if (ref !== undefined) {
          ids[ref] = single.body.id;
        }
      }
      expect(everything(app)).toBe(everything(twin));
    } finally {
      await twin.close();
    }
  });

  test("with dry_run, answers the same and stores nothing", async () => {
    const before = everything(app);
    const tried = await app.call("POST", "/batch?dry_run=true", { operations }, ONE_ID);
    expect([tried.status, tried.headers.get("dry-run")]).toEqual([200, "true"]);
    expect(everything(app)).toBe(before);
    expect(tried.body.results.map(({ status }: { status: number }) => status)).toEqual([
      ...[201, 201, 200, 201, 200, 200, 201, 200, 200, 201, 204],
    ]);
  });

  test("repeated with its Idempotency-Key, is done once", async () => {
    const options = { headers: { "Idempotency-Key": "one" } };
    const first = await batch(operations, {}, options);
    const after = everything(app);
    const again = await batch(operations, {}, options);
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(everything(app)).toBe(after);
    expect((await batch(operations.slice(1), {}, options)).status).toBe(422);
  });
});

test("the batch of the API guide starts a campaign", async () => {
  const page = readFileSync(join(import.meta.dir, "../../docs/api.md"), "utf8");
  const [, shown = ""] = /```json batch\n(.+?)```/s.exec(page) ?? [];
  await addAccount(app);
  const { status, body } = await app.call("POST", "/batch", JSON.parse(shown));
  expect([status, body.results.length]).toEqual([200, 4]);
  expect(body.results[3].body.status).toBe("active");
});

describe("when one is refused", () => {
  test("all are undone, and the error names the operation and the field", async () => {
    const before = everything(app);
    const { status, body } = await batch([
      create("One"),
      { method: "POST", path: "/suppressions", body: { email: "nobody" } },
      create("Two"),
    ]);
    expect(status).toBe(422);
    expect([body.type, body.field]).toEqual(["validation_error", "operations.1.body.email"]);
    expect(body.errors[0].field).toBe("operations.1.body.email");
    expect(everything(app)).toBe(before);
  });

  test("with atomic false, it is undone alone, and what refers to it is refused", async () => {
    const { status, body } = await batch(
      [
        create("One"),
        create(7, "second"),
        { method: "POST", path: "/campaigns/{second.id}/archive" },
        create("Two"),
      ],
      { atomic: false },
    );
    expect([status, body.failed]).toEqual([200, 2]);
    expect(body.results.map((one: { status: number }) => one.status)).toEqual([201, 422, 422, 201]);
    expect(body.results[2].body.field).toBe("path");
    expect(await names()).toEqual(["Two", "One"]);
  });

  test("nothing is kept under its Idempotency-Key", async () => {
    const options = { headers: { "Idempotency-Key": "one" } };
    expect((await batch([create("One"), create(7)], {}, options)).status).toBe(422);
    expect((await batch([create("One")], {}, options)).status).toBe(200);
    expect(await names()).toEqual(["One"]);
  });
});

describe("refused as a single request is", () => {
  const UNKNOWN = "01952c6a-4000-7000-8000-000000000999";
  const operations: Operation[] = apiRoutes(undefined as never, {} as never)
    .routes.filter(({ hooks }) => "x-batch" in (hooks.detail ?? {}))
    .map(({ method, path }) => ({ method, path: path.slice("/api/v1".length) }));

  const filled = (path: string, id: string) => path.replace(/:\w+/g, id);
  const takesBody = ({ method }: Operation) => method === "POST" || method === "PATCH";
  const wrong: [string, (one: Operation) => Operation | null][] = [
    ["an unknown id", (one) => ({ ...one, path: filled(one.path, UNKNOWN) })],
    [
      "an unknown id, with a body",
      (one) => ({ ...one, path: filled(one.path, UNKNOWN), body: {} }),
    ],
    ["a malformed id", (one) => ({ ...one, path: filled(one.path, "%zz") })],
    ["a path that leads nowhere", (one) => ({ ...one, path: `${filled(one.path, UNKNOWN)}/no` })],
    ["another method", (one) => ({ ...one, path: filled(one.path, UNKNOWN), method: "DELETE" })],
    [
      "an unknown field",
      (one) => ({ ...one, path: filled(one.path, UNKNOWN), body: { nmae: "x", id: UNKNOWN } }),
    ],
    ["an unknown parameter", (one) => ({ ...one, path: `${filled(one.path, UNKNOWN)}?a=1&b=2` })],
    [
      "a body that is no object",
      (one) => (takesBody(one) ? { ...one, path: filled(one.path, UNKNOWN), body: [1] } : null),
    ],
    [
      "another version",
      (one) => ({ ...one, path: filled(one.path, UNKNOWN), if_match: '"old"', body: {} }),
    ],
  ];

  test("there are operations of every kind", () => {
    expect(operations.length).toBeGreaterThanOrEqual(50);
  });

  test.each(wrong)("%s, by every operation", async (_name, make) => {
    for (const one of operations) {
      const asked = make(one);
      if (asked === null || (asked.method === "GET" && asked.body !== undefined)) {
        continue;
      }
      const headers = asked.if_match === undefined ? {} : { "If-Match": asked.if_match };
      const single = await app.call(asked.method, asked.path, asked.body, { headers });
      const { body } = await batch([asked], { atomic: false });
      const [result] = body.results;
      const isLeftOut = String(result.body?.message).includes("can't be in a batch");
      if (!isLeftOut && single.status >= 400) {
        const what = `${asked.method} ${asked.path}`;
        expect([what, result.status, result.body]).toEqual([what, single.status, single.body]);
      }
    }
  });

  test("a key without the scope, by every operation", async () => {
    const made = await app.call("POST", "/keys", { name: "narrow", scopes: ["billing:read"] });
    const key = made.body.key;
    for (const { method, path } of operations) {
      const asked = { method, path: filled(path, UNKNOWN) };
      const single = await app.call(method, asked.path, undefined, { key });
      const inBatch = await app.call("POST", "/batch", { operations: [asked] }, { key });
      expect([single.status, inBatch.status]).toEqual([403, 403]);
      expect(inBatch.body).toEqual({
        ...single.body,
        field: "operations.0",
        errors: [{ ...single.body.errors[0], field: "operations.0" }],
      });
    }
  });

  test("an edit of another version, a transition that is not allowed, a start without steps", async () => {
    const { id } = await makeCampaign(app, []);
    await addAccount(app);
    const cases: Operation[] = [
      { method: "PATCH", path: `/campaigns/${id}`, body: { name: "x" }, if_match: '"old"' },
      { method: "POST", path: `/campaigns/${id}/pause` },
      { method: "POST", path: `/campaigns/${id}/start` },
      { method: "PATCH", path: `/campaigns/${id}`, body: { id: UNKNOWN, team_id: UNKNOWN } },
      {
        ...{ method: "PATCH", path: `/campaigns/${id}` },
        body: { send_window: { timezone: "Mars", days: [], start_hour: 9, end_hour: 7 } },
      },
    ];
    for (const asked of cases) {
      const headers = asked.if_match === undefined ? {} : { "If-Match": asked.if_match };
      const single = await app.call(asked.method, asked.path, asked.body, { headers });
      const { body } = await batch([asked], { atomic: false });
      expect(single.status).toBeGreaterThanOrEqual(400);
      expect([body.results[0].status, body.results[0].body]).toEqual([single.status, single.body]);
    }
  });
});

describe("422", () => {
  test.each<[string, Operation[], string, string]>([
    [
      "an operation that waits for the network",
      [{ method: "POST", path: "/webhooks/01952c6a-4000-7000-8000-000000000999/test", body: {} }],
      ...(["operations.0.path", "can't be in a batch"] as const),
    ],
    [
      "a batch in a batch",
      [{ method: "POST", path: "/batch", body: { operations: [] } }],
      ...(["operations.0.path", "can't be in a batch"] as const),
    ],
    [
      "a dry run of its own",
      [{ method: "POST", path: "/campaigns?dry_run=true", body: { name: "x" } }],
      ...(["operations.0.path", "whole batch"] as const),
    ],
    [
      "a reference to nothing",
      [create("x", "spring"), { method: "POST", path: "/campaigns/{sprng.id}/start" }],
      ...(["operations.1.path", "no operation"] as const),
    ],
    [
      "a reference to a later operation",
      [{ method: "POST", path: "/campaigns/{later.id}/start" }, create("x", "later")],
      ...(["operations.0.path", "earlier"] as const),
    ],
    [
      "a reference to what is no id",
      [
        create("x", "spring"),
        { method: "POST", path: "/campaigns", body: { name: "{spring.name}" } },
      ],
      ...(["operations.1.body.name", "names an id"] as const),
    ],
    [
      "two operations of one name",
      [create("x", "a"), create("y", "a")],
      ...(["operations.1.ref", "earlier"] as const),
    ],
    [
      "101 operations",
      Array.from({ length: 101 }, () => create("x")),
      ...(["operations", ""] as const),
    ],
    [
      "501 leads",
      [250, 251].map((length) => ({
        ...{ method: "POST", path: "/leads" },
        body: { leads: Array.from({ length }, (_, at) => ({ email: `l${at}@example.com` })) },
      })),
      ...(["operations.1.body.leads", "500"] as const),
    ],
  ])("%s, by name", async (_name, operations, field, words) => {
    const before = everything(app);
    const { status, body } = await batch(operations);
    expect([status, body.field]).toEqual([422, field]);
    expect(body.message).toContain(words);
    expect(everything(app)).toBe(before);
  });

  test("a name that is nearly that of an operation is suggested", async () => {
    const { body } = await batch([
      create("x", "spring"),
      { method: "POST", path: "/campaigns/{sprng.id}/start" },
    ]);
    expect(body.errors[0].did_you_mean).toBe("spring");
  });
});

test("413: more than a megabyte", async () => {
  const { status } = await batch([create("x"), create("y".repeat(1024 * 1024))]);
  expect(status).toBe(413);
});

test("counts against the rate limit as its operations would", async () => {
  await app.close();
  app = await createTestApp({ rateLimit: 10 });
  const three = await batch([create("1"), create("2"), create("3")]);
  expect([three.status, three.headers.get("ratelimit-remaining")]).toEqual([200, "7"]);
  const eight = await batch(Array.from({ length: 8 }, (_, at) => create(String(at))));
  expect([eight.status, eight.body.type]).toEqual([429, "rate_limit_exceeded"]);
  expect(await names()).toEqual(["3", "2", "1"]);
});

test("one that takes too long for a transaction is refused, and leaves nothing", async () => {
  const before = everything(app);
  let spent = 0;
  const usage = spyOn(process, "threadCpuUsage").mockImplementation(() => {
    spent += 30_000;
    return { user: spent, system: 0 };
  });
  const answer = await batch(Array.from({ length: 20 }, (_, n) => create(`Wave ${n}`)));
  usage.mockRestore();
  expect(answer.status).toBe(413);
  expect(answer.body).toMatchObject({ type: "payload_too_large", field: "operations" });
  expect(answer.body.message).toMatch(/of 20 operations were done in time, and all are undone/);
  expect(everything(app)).toBe(before);
  expect((await batch([create("Alone")])).status).toBe(200);
});

test.each(['"\u2028"', "a\u0000b", '"ü"', ""])("422: an If-Match of %j", async (if_match) => {
  const { status, body } = await batch([{ ...create("x"), if_match }]);
  expect([status, body.field]).toEqual([422, "operations.0.if_match"]);
});
