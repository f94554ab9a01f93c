/** What holds for every request, whatever its path: `spec` §1. Kept answers and limits have their own files. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { BODY_BYTES_MAX, BODY_DEPTH_MAX } from "#api/plugins/body.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { makeCampaign } from "../support/campaigns.ts";

const DATA_POLICY = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'";
const UNKNOWN = "00000000-0000-7000-8000-00000000dead";
const BASE = "http://localhost/api/v1";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

const JSON_TYPE = { "Content-Type": "application/json" };
const send = (method: string, path: string, body: BodyInit | null, headers: object = JSON_TYPE) =>
  app.fetch(
    new Request(`${BASE}${path}`, {
      method,
      headers: { Authorization: `Bearer ${app.keys.test}`, ...headers },
      body,
    }),
  );

async function refusal(response: Response) {
  const text = await response.text();
  const body = JSON.parse(text);
  expect(text).toStartWith(
    JSON.stringify({
      type: body.type,
      message: body.message,
      field: body.field,
      status: body.status,
    }).slice(0, -1),
  );
  expect(Object.keys(body).slice(4)).toEqual(["errors", "docs_url"]);
  expect(body.errors[0]).toMatchObject({ field: body.field, message: body.message });
  expect(body.status).toBe(response.status);
  expect(body.message.length).toBeGreaterThan(5);
  expect(response.headers.get("content-type")).toStartWith("application/json");
  expect(response.headers.get("x-request-id")).toMatch(/^req_[0-9a-f]{32}$/);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  expect(response.headers.get("content-security-policy")).toBe(DATA_POLICY);
  return { ...body, headers: response.headers };
}

describe("every refusal has one shape", () => {
  const cases: [string, string, string, string | null, object, number, string][] = [
    ["no key", "GET", "/campaigns", null, { Authorization: "" }, 401, "authentication_error"],
    ["no such path", "GET", "/nothing", null, {}, 404, "not_found"],
    ["no such id", "GET", `/campaigns/${UNKNOWN}`, null, {}, 404, "not_found"],
    ["no such method", "PUT", "/campaigns", "{}", JSON_TYPE, 405, "method_not_allowed"],
    [
      "no JSON",
      "POST",
      "/campaigns",
      "a=b",
      { "Content-Type": "text/plain" },
      415,
      "unsupported_media_type",
    ],
    ["broken JSON", "POST", "/campaigns", "{", JSON_TYPE, 400, "invalid_request"],
    ["no body", "POST", "/campaigns", null, {}, 400, "invalid_request"],
    ["a wrong body", "POST", "/campaigns", "{}", JSON_TYPE, 422, "validation_error"],
    ["a wrong query", "GET", "/campaigns?limit=0", null, {}, 422, "validation_error"],
    ["a wrong id", "GET", "/campaigns/7", null, {}, 422, "validation_error"],
  ];
  test.each(cases)("%s", async (_name, method, path, body, headers, status, type) => {
    expect(await refusal(await send(method, path, body, headers))).toMatchObject({ status, type });
  });

  test.each([
    ["limit=1&limit=2", "limit", "is used twice; use it once"],
    ["constructor=1", "constructor", expect.stringMatching(/^unknown parameter/)],
    ["__proto__=1", "__proto__", expect.stringMatching(/^unknown parameter/)],
  ])("a query of %s", async (query, field, message) => {
    const response = await send("GET", `/campaigns?${query}`, null, {});
    expect(await refusal(response)).toMatchObject({ status: 422, field, message });
  });

  test("409, 403 and 412 too", async () => {
    const { id } = await makeCampaign(app);
    expect((await refusal(await send("POST", `/campaigns/${id}/pause`, null, {}))).status).toBe(
      409,
    );
    const readOnly = await app.call("POST", "/keys", { name: "r", scopes: ["read"] });
    const headers = { Authorization: `Bearer ${readOnly.body.key}`, ...JSON_TYPE };
    expect((await refusal(await send("POST", "/campaigns", '{"name":"x"}', headers))).status).toBe(
      403,
    );
    const stale = { ...JSON_TYPE, "If-Match": '"old"' };
    expect((await refusal(await send("PATCH", `/campaigns/${id}`, "{}", stale))).status).toBe(412);
  });
});

describe("keys", () => {
  test.each([
    ["none", undefined],
    ["an empty one", ""],
    ["no scheme", "outrider_test_x"],
    ["another scheme", "Basic YTpi"],
    ["a malformed one", "Bearer outrider_test_x"],
    ["one that is far too long", `Bearer ${"x".repeat(5000)}`],
    ["two", "Bearer a, Bearer b"],
  ])("401 for %s, with the same words for all that are wrong", async (_name, value) => {
    const headers = value === undefined ? {} : { Authorization: value };
    const response = await app.fetch(new Request(`${BASE}/campaigns`, { headers }));
    const body = await refusal(response);
    expect(body).toMatchObject({ status: 401, type: "authentication_error", field: null });
    expect(body.headers.get("www-authenticate")).toBe('Bearer realm="outrider"');
  });

  test("the scheme is taken in any case", async () => {
    const headers = { Authorization: `bearer ${app.keys.test}` };
    expect((await app.fetch(new Request(`${BASE}/campaigns`, { headers }))).status).toBe(200);
  });

  test("without one every path answers 401, also where there is no route", async () => {
    for (const path of ["/nothing", "/campaigns", `/campaigns/${UNKNOWN}`, "", "/../campaigns"]) {
      expect((await app.call("GET", path, undefined, { key: null })).status).toBe(401);
    }
  });
});

describe("what is wrong first is said first", () => {
  const huge = `{"name":"${"x".repeat(BODY_BYTES_MAX)}"}`;
  const text = { "Content-Type": "text/plain" };
  const order: [string, string, string, string | null, object, number][] = [
    ["401 before 404", "GET", "/nothing", null, { Authorization: "x" }, 401],
    ["401 before 405", "PUT", "/campaigns", null, { Authorization: "x" }, 401],
    ["401 before 415", "POST", "/campaigns", "x", { ...text, Authorization: "x" }, 401],
    ["404 before 415", "POST", "/nothing", "x", text, 404],
    ["405 before 415", "PUT", "/campaigns", "x", text, 405],
    ["415 before 413", "POST", "/campaigns", huge, text, 415],
    ["415 before 400", "POST", "/campaigns", "{", text, 415],
    ["413 before 400", "POST", "/campaigns", `{${huge}`, JSON_TYPE, 413],
    ["413 before 422", "POST", "/campaigns", huge, JSON_TYPE, 413],
    ["400 before 422", "PATCH", "/campaigns/7", "{", JSON_TYPE, 400],
  ];
  test.each(order)("%s", async (_name, method, path, body, headers, status) => {
    expect((await refusal(await send(method, path, body, headers))).status).toBe(status);
  });

  test("a declared length that is too large is refused unread", async () => {
    const headers = { ...JSON_TYPE, "Content-Length": String(BODY_BYTES_MAX + 1) };
    expect((await refusal(await send("POST", "/campaigns", "{}", headers))).status).toBe(413);
  });

  test("a body of just the bound is read", async () => {
    const padding = " ".repeat(BODY_BYTES_MAX - '{"name":"x"}'.length);
    expect((await send("POST", "/campaigns", `{"name":"x"}${padding}`)).status).toBe(201);
  });
});

describe("bodies", () => {
  test.each([["application/json"], ["application/json; charset=utf-8"], ["APPLICATION/JSON"]])(
    "%s is JSON",
    async (type) => {
      expect(
        (await send("POST", "/campaigns", '{"name":"x"}', { "Content-Type": type })).status,
      ).toBe(201);
    },
  );

  test.each([
    [{}],
    [{ "Content-Type": "text/json" }],
    [{ "Content-Type": "application/merge-patch+json" }],
    [{ "Content-Type": "multipart/form-data; boundary=x" }],
    [{ "Content-Type": "application/x-www-form-urlencoded" }],
    [{ ...JSON_TYPE, "Content-Encoding": "gzip" }],
  ])("%p is not, for a POST", async (headers) => {
    const bytes = new TextEncoder().encode('{"name":"x"}');
    const { status, headers: answered } = await refusal(
      await send("POST", "/campaigns", bytes, headers),
    );
    expect(status).toBe(415);
    if (!("Content-Encoding" in headers)) {
      expect(answered.get("accept-post")).toBe("application/json");
    }
  });

  test("a merge patch may say that it is one", async () => {
    const { id } = await makeCampaign(app);
    const headers = { "Content-Type": "application/merge-patch+json" };
    expect((await send("PATCH", `/campaigns/${id}`, '{"name":"y"}', headers)).status).toBe(200);
  });

  test.each([
    ["cut off", '{"name":"x"'],
    ["with a comma too many", '{"name":"x",}'],
    ["two of them", '{"name":"x"}{"name":"y"}'],
    ["a comment", '{"name":"x"} // no'],
    ["not a number", '{"max_leads_per_day":NaN}'],
    ["a byte order mark inside", '{"name":\ufeff"x"}'],
  ])("JSON that is %s: 400", async (_name, text) => {
    expect((await refusal(await send("POST", "/campaigns", text))).type).toBe("invalid_request");
  });

  test("broken UTF-8: 400, never question marks", async () => {
    const bytes = new Uint8Array([...new TextEncoder().encode('{"name":"'), 0xff, 0x22, 0x7d]);
    expect((await refusal(await send("POST", "/campaigns", bytes))).status).toBe(400);
  });

  test.each(["[]", "null", "7", '"x"', "true", '[{"name":"x"}]'])(
    "%s is no record: 422",
    async (text) => {
      const { status, type } = await refusal(await send("POST", "/campaigns", text));
      expect([status, type]).toEqual([422, "validation_error"]);
    },
  );

  test("an unknown field is named before anything else, at any depth", async () => {
    const first = '{"max_leads_per_day":"x","colour":"red"}';
    expect((await refusal(await send("POST", "/campaigns", first))).field).toBe("colour");
    const deep = '{"name":"x","send_window":{"timezone":7,"days":[],"minute":1}}';
    expect((await refusal(await send("POST", "/campaigns", deep))).field).toBe(
      "send_window.minute",
    );
  });

  test.each(["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", ""])(
    "%p is an unknown field like any other, and changes nobody",
    async (name) => {
      const text = `{"name":"x","${name}":{"status":"active","polluted":true}}`;
      expect((await refusal(await send("POST", "/campaigns", text))).field).toBe(name);
      expect("polluted" in {}).toBe(false);
      const fine = await app.call("POST", "/campaigns", { name: "x" });
      expect(fine.body.status).toBe("draft");
    },
  );

  test("an abyss of brackets is refused, not fallen into", async () => {
    const depth = 200_000;
    for (const text of [
      `{"name":${"[".repeat(depth)}${"]".repeat(depth)}}`,
      `${'{"name":'.repeat(depth)}1${"}".repeat(depth)}`,
      `${"[".repeat(depth)}`,
    ]) {
      expect((await refusal(await send("POST", "/campaigns", text))).status).toBe(400);
    }
    expect((await app.call("GET", "/campaigns")).status).toBe(200);
  });

  test("brackets in a text are no depth, also behind escaped quotes", async () => {
    const name = `${'\\"['.repeat(40)}\\\\`;
    const { status, body } = await app.call("POST", "/campaigns", `{"name":"${name}"}`);
    expect([status, body.name]).toEqual([201, `${'"['.repeat(40)}\\`]);
    const deepest = `{"name":${"[".repeat(BODY_DEPTH_MAX - 1)}${"]".repeat(BODY_DEPTH_MAX - 1)}}`;
    expect((await refusal(await send("POST", "/campaigns", deepest))).status).toBe(422);
    expect((await refusal(await send("POST", "/campaigns", `[${deepest}]`))).status).toBe(400);
  });

  test("of operations that take none: nothing or {} is fine, anything said is refused", async () => {
    const path = async () => `/campaigns/${(await makeCampaign(app)).id}/archive`;
    expect((await send("POST", await path(), null, {})).status).toBe(200);
    expect((await send("POST", await path(), "{}")).status).toBe(200);
    expect((await refusal(await send("POST", await path(), '{"until":1}'))).field).toBe("until");
    expect((await refusal(await send("POST", await path(), "[1]"))).status).toBe(422);
    expect((await refusal(await send("POST", await path(), "{"))).status).toBe(400);
  });
});

describe("query strings", () => {
  test.each([
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    ["limit=-1", "limit"],
    ["limit=", "limit"],
    ["limit=1.5", "limit"],
    ["limit=1e1", "limit"],
    ["limit=0x10", "limit"],
    ["limit=%20", "limit"],
    ["limit=ten", "limit"],
    ["limit=99999999999999999999", "limit"],
    ["offset=-1", "offset"],
    ["offset=9007199254740993", "offset"],
    ["limit=5&limit=6", "limit"],
    ["limit=5&limit=5", "limit"],
    ["limits=5", "limits"],
    ["Limit=5", "Limit"],
    ["__proto__=1", "__proto__"],
    ["constructor=1", "constructor"],
    ["limit[]=5", "limit[]"],
  ])("%s: 422 naming it", async (query, field) => {
    const { status, field: named } = await refusal(
      await send("GET", `/campaigns?${query}`, null, {}),
    );
    expect([status, named]).toEqual([422, field]);
  });

  test.each(["limit=1", "limit=100", "offset=0", "limit=01", "offset=9007199254740991", ""])(
    "%p is fine",
    async (query) => {
      expect((await send("GET", `/campaigns?${query}`, null, {})).status).toBe(200);
    },
  );
});

describe("methods", () => {
  test("405 names what the path takes", async () => {
    const { headers, type } = await refusal(await send("DELETE", "/campaigns", null, {}));
    expect([type, headers.get("allow")]).toEqual([
      "method_not_allowed",
      "GET, HEAD, OPTIONS, POST",
    ]);
  });

  test("OPTIONS answers the same without a body, to those who have a key", async () => {
    const { id } = await makeCampaign(app);
    const response = await send("OPTIONS", `/campaigns/${id}`, null, {});
    expect([response.status, await response.text()]).toEqual([204, ""]);
    expect(response.headers.get("allow")).toBe("DELETE, GET, HEAD, OPTIONS, PATCH");
    expect((await app.call("OPTIONS", "/campaigns", undefined, { key: null })).status).toBe(401);
    expect((await send("OPTIONS", "/nothing", null, {})).status).toBe(404);
  });

  test("HEAD answers as GET does, without the body", async () => {
    const { id } = await makeCampaign(app);
    for (const path of ["/campaigns", `/campaigns/${id}`, `/campaigns/${UNKNOWN}`]) {
      const [head, get] = [await send("HEAD", path, null, {}), await send("GET", path, null, {})];
      expect(head.status).toBe(get.status);
      expect(head.headers.get("etag")).toBe(get.headers.get("etag"));
      expect(await head.text()).toBe("");
    }
  });

  test("a method that nobody has heard of is one that is not allowed", async () => {
    expect((await refusal(await send("PURGE", "/campaigns", null, {}))).status).toBe(405);
  });

  test.each(["/campaigns/", "//campaigns", "/Campaigns", "/campaigns/x/y/z/w", "/campaigns%2f"])(
    "%s is another path: 404",
    async (path) => {
      expect((await refusal(await send("GET", path, null, {}))).status).toBe(404);
    },
  );
});

describe("request ids", () => {
  test("are made, or taken over where they are plain", async () => {
    const id = async (given: string) =>
      (await send("GET", "/campaigns", null, { "X-Request-Id": given })).headers.get(
        "x-request-id",
      );
    expect(await id("trace-1234.A_b")).toBe("trace-1234.A_b");
    for (const bad of ["short", "x".repeat(65), "with space", "a<script>alert"]) {
      expect(await id(bad)).toMatch(/^req_[0-9a-f]{32}$/);
    }
  });
});
