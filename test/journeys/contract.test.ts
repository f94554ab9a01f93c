/**
 * The interface, call by call, against the compiled executable: what each operation answers when all is
 * well, and each error of the table of statuses. In both environments, since they share code and no data.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { outrider, type Server, startServer } from "../support/executable.ts";
import {
  deviations,
  expectProblem,
  type Fixture,
  makeFixture,
  OPERATIONS,
  type Operation,
  pathOf,
  titleOf,
} from "./operations.ts";
import { type Call, caller, done, type Reply } from "./support.ts";

const ENVS = ["live", "test"] as const;
const OTHER = { live: "test", test: "live" } as const;
const NOBODY = "0190a5b2-0000-7000-8000-000000000000";
const BODY_BYTES_MAX = 8 * 1024 * 1024;
const START_MS_MAX = 60_000;

interface Side {
  call: Call;
  key: string;
  own: Fixture;
  /** Of another team in the same environment. */
  foreign: Fixture;
}

let server: Server;
const sides = {} as Record<(typeof ENVS)[number], Side>;

beforeAll(async () => {
  server = await startServer({
    env: { OUTRIDER_RATE_LIMIT: "0", OUTRIDER_AUTH_FAILURES: "0" },
  });
  // The first key makes the first team.
  const keys = { live: await server.createKey("live"), test: await server.createKey("test") };
  const made = await outrider([
    "teams",
    "create",
    "--data",
    server.data,
    "--name",
    "Rival",
    "--json",
  ]);
  const rival = JSON.parse(made.out).id;
  for (const envName of ENVS) {
    const { key } = keys[envName];
    const call = caller(server, key);
    const other = caller(server, await makeKey(envName, "--team", rival));
    sides[envName] = { call, key, own: await makeFixture(call), foreign: await makeFixture(other) };
  }
}, START_MS_MAX);
afterAll(() => server[Symbol.asyncDispose]());

async function makeKey(envName: string, ...more: string[]): Promise<string> {
  const args = ["keys", "create", "--data", server.data, "--name", "x", "--env", envName, "--json"];
  return JSON.parse((await outrider([...args, ...more])).out).key;
}

function send(call: Call, operation: Operation, fixture: Fixture, body?: unknown): Promise<Reply> {
  return call(operation.method, pathOf(operation, fixture), body ?? operation.body?.());
}

const named = (operations: readonly Operation[]) =>
  operations.map((operation) => [titleOf(operation), operation] as const);
const ALL = named(OPERATIONS);
const WRITES = named(OPERATIONS.filter(({ body }) => body !== undefined));
const PATCHES = named(OPERATIONS.filter(({ method }) => method === "PATCH"));
const POSTS = named(OPERATIONS.filter(({ method }) => method === "POST"));
const BY_ID = named(OPERATIONS.filter(({ path }) => path.includes(":")));

describe.each(ENVS)("%s:", (envName) => {
  const side = () => sides[envName];
  /** Those that can be tried in this environment. */
  const here = (all: typeof ALL) => all.filter(([, { only = envName }]) => only === envName);

  describe("2xx", () => {
    test.each(here(ALL))("%s answers what the interface says", async (_name, operation) => {
      const reply = await send(side().call, operation, side().own);
      expect(reply.status).toBe(operation.status);
      expect(deviations(reply.body, operation.fields)).toEqual([]);
      if (operation.item !== undefined) {
        expect(reply.body.data.length).toBeGreaterThan(0);
        expect(deviations(reply.body.data[0], operation.item)).toEqual([]);
      }
      if (operation.status === 201) {
        expect(reply.headers.get("location")).toEndWith(`/${reply.body.id}`);
      }
    });

    test.each(here(PATCHES))(
      "%s with {} changes nothing, not even the time",
      async (_name, operation) => {
        const [first, second] = [
          await send(side().call, operation, side().own, {}),
          await send(side().call, operation, side().own, {}),
        ];
        expect(first.status).toBe(200);
        expect(second.text).toBe(first.text);
      },
    );

    test.each(here(PATCHES))("%s takes back what was read", async (_name, operation) => {
      const read = await send(side().call, operation, side().own, {});
      const again = await send(side().call, operation, side().own, read.body);
      expect({ status: again.status, text: again.text }).toEqual({ status: 200, text: read.text });
    });

    test.each(here(POSTS))("%s under an Idempotency-Key is done once", async (_name, operation) => {
      const { call, own } = side();
      const headers = { "Idempotency-Key": crypto.randomUUID() };
      const body = operation.body?.();
      const [first, again] = [
        await call("POST", pathOf(operation, own), body, { headers }),
        await call("POST", pathOf(operation, own), body, { headers }),
      ];
      expect(again.status).toBe(first.status);
      expect(again.text).toBe(first.text);
      expect(again.headers.get("idempotent-replayed")).toBe("true");
      const other = await call("POST", pathOf(operation, own), { ...body, x: 1 }, { headers });
      expect(other.status).toBe(422);
    });

    test("a key of the other environment is made by live alone", async () => {
      const reply = await side().call("POST", "/keys", { name: "x", env: OTHER[envName] });
      if (envName === "live") {
        expect(reply.body).toMatchObject({ env: "test", key: expect.stringMatching(/_test_/) });
      } else {
        expectProblem(reply, 403, "permission_error", "env");
      }
    });
  });

  describe("400", () => {
    test.each(here(WRITES))("%s: a body that is not JSON", async (_name, operation) => {
      for (const body of ["{", "", "\u0000", '{"name": undefined}']) {
        const reply = await send(side().call, operation, side().own, body);
        expectProblem(reply, 400, "invalid_request");
      }
    });
  });

  describe("401", () => {
    test.each(here(ALL))("%s: no key, and keys that are none", async (_name, operation) => {
      const { key, own } = side();
      const keys = [undefined, "x", key.slice(0, -1), key.toUpperCase(), `${key}0`];
      for (const wrong of [...keys, key.replace(`_${envName}_`, `_${OTHER[envName]}_`)]) {
        const reply = await send(caller(server, wrong), operation, own);
        expectProblem(reply, 401, "authentication_error");
        expect(reply.headers.get("www-authenticate")).toStartWith("Bearer");
      }
    });
  });

  describe("403", () => {
    test.each(here(ALL))("%s: a key without the scope", async (_name, operation) => {
      const scopes = operation.method === "GET" ? "suppressions:read" : "read,sandbox:write";
      const key = await makeKey(envName, "--scopes", scopes);
      const reply = await send(caller(server, key), operation, side().own);
      expectProblem(reply, 403, "permission_error");
    });
  });

  describe("404", () => {
    test.each(here(BY_ID))(
      "%s: another team's, another environment's and no id are one answer",
      async (_n, op) => {
        const { call, own, foreign } = side();
        const elsewhere = sides[OTHER[envName]].own;
        const names = [...op.path.matchAll(/:(\w+)/g)].map(([, name]) => name as keyof Fixture);
        for (const name of names) {
          const replies = await Promise.all(
            [NOBODY, foreign[name], elsewhere[name]].map((id) =>
              send(call, op, { ...own, [name]: id }),
            ),
          );
          for (const reply of replies) {
            expectProblem(reply, 404, "not_found");
            expect(reply.text).toBe(replies[0]?.text ?? "");
          }
        }
      },
    );

    test("a route that is not there", async () => {
      for (const path of ["/campaign", "/campaigns/", "/campaigns/x/y/z", "", "/"]) {
        expectProblem(await side().call("GET", path), 404, "not_found");
      }
    });
  });

  describe("405", () => {
    test.each(here(ALL))(
      "%s: other methods, with those that are allowed",
      async (_name, operation) => {
        const reply = await side().call("PUT", pathOf(operation, side().own), {});
        expectProblem(reply, 405, "method_not_allowed");
        expect(reply.headers.get("allow")?.split(", ")).toContain(operation.method);
      },
    );

    test.each(here(ALL))(
      "%s: OPTIONS says the same and HEAD is GET without its body",
      async (_n, operation) => {
        const path = pathOf(operation, side().own);
        const options = await side().call("OPTIONS", path);
        expect([options.status, options.text]).toEqual([204, ""]);
        const allowed = options.headers.get("allow")?.split(", ") ?? [];
        expect(allowed).toContain(operation.method);
        const head = await side().call("HEAD", path);
        expect([head.status, head.text]).toEqual([allowed.includes("GET") ? 200 : 405, ""]);
      },
    );
  });

  describe("409", () => {
    test("an account of the same address", async () => {
      const account = { email: "twice@acme.test", provider: "google" };
      await done(side().call("POST", "/accounts", account));
      const reply = await side().call("POST", "/accounts", {
        ...account,
        email: "TWICE@acme.test",
      });
      expectProblem(reply, 409, "conflict", "email");
    });

    test("states that only the engine sets, and moves that there are not", async () => {
      const { call, own } = side();
      const lead = `/campaigns/${own.campaignId}/leads/${own.leadId}`;
      for (const status of ["replied", "bounced", "pending", "suppressed"]) {
        const reply = await call("PATCH", lead, { status });
        expect([status, reply.status, reply.body.field]).toEqual([
          ...(status === "pending" ? [status, 200, undefined] : [status, 409, "status"]),
        ]);
      }
      expectProblem(
        await call("PATCH", `/accounts/${own.accountId}`, { status: "error" }),
        ...([409, "conflict", "status"] as const),
      );
      expectProblem(
        await call("PATCH", `/campaigns/${own.campaignId}`, { status: "completed" }),
        ...([409, "conflict", "status"] as const),
      );
    });
  });

  describe("412", () => {
    test.each(here(PATCHES))("%s: somebody else was faster", async (_name, operation) => {
      const { call, own } = side();
      const path = pathOf(operation, own);
      const read = await call("PATCH", path, {});
      const headers = { "If-Match": read.headers.get("etag") ?? "" };
      expect(headers["If-Match"]).toMatch(/^"/);
      const change = operation.body?.() ?? {};
      const body = "interest" in change ? { interest: "meeting" } : change;
      expect((await call("PATCH", path, body, { headers })).status).toBe(200);
      const reply = await call("PATCH", path, operation.body?.(), { headers });
      expectProblem(reply, 412, "precondition_failed");
    });
  });

  describe("413", () => {
    test.each(here(WRITES))(
      "%s: a body above the bound, declared or not",
      async (_name, operation) => {
        const body = `{"name":"${"x".repeat(BODY_BYTES_MAX)}"}`;
        expectProblem(
          await send(side().call, operation, side().own, body),
          ...([413, "payload_too_large"] as const),
        );
      },
    );
  });

  describe("415", () => {
    test.each(here(WRITES))("%s: anything but JSON", async (_name, operation) => {
      const { call, own } = side();
      const types = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""];
      for (const type of types) {
        const headers = { "Content-Type": type };
        const text = JSON.stringify(operation.body?.());
        const reply = await call(operation.method, pathOf(operation, own), text, { headers });
        expectProblem(reply, 415, "unsupported_media_type");
      }
      const headers = { "Content-Encoding": "gzip" };
      const reply = await call(operation.method, pathOf(operation, own), "{}", { headers });
      expectProblem(reply, 415, "unsupported_media_type");
    });
  });

  describe("422", () => {
    test.each(here(WRITES))("%s: an unknown field is named", async (_name, operation) => {
      const body = { ...operation.body?.(), nmae: "x" };
      const reply = await send(side().call, operation, side().own, body);
      expectProblem(reply, 422, "validation_error", "nmae");
    });

    test.each(here(WRITES))("%s: a body of another form", async (_name, operation) => {
      for (const body of ["[]", "null", "1", '"x"', "true"]) {
        const reply = await send(side().call, operation, side().own, body);
        expectProblem(reply, 422, "validation_error");
      }
    });

    test.each(here(BY_ID))(
      "%s: an id that is none is named as in the path",
      async (_name, operation) => {
        const path = operation.path.replace(
          /:campaignId|:accountId|:runId|:webhookId/,
          "undefined",
        );
        const rest = path.replace(/:(\w+)/g, (_, name: keyof Fixture) => side().own[name]);
        const reply = await side().call(operation.method, rest, operation.body?.());
        expectProblem(reply, 422, "validation_error", "id");
      },
    );

    test.each([
      ["POST", "/campaigns", {}, "name"],
      ["POST", "/campaigns", { name: "" }, "name"],
      ["POST", "/campaigns", { name: 7 }, "name"],
      ["POST", "/campaigns", { name: "x", max_leads_per_day: "9" }, "max_leads_per_day"],
      ["POST", "/campaigns", { name: "x", max_leads_per_day: 10_001 }, "max_leads_per_day"],
      [
        "POST",
        "/campaigns",
        { name: "x", send_window: { timezone: "Mars" } },
        "send_window.timezone",
      ],
      ["POST", "/campaigns", { name: "x", send_window: { days: [] } }, "send_window.days"],
      [
        "POST",
        "/campaigns",
        { name: "x", send_window: { days: ["Monday"] } },
        "send_window.days.0",
      ],
      ["POST", "/campaigns", { name: "x", send_window: { end_hour: 25 } }, "send_window.end_hour"],
      ["POST", "/campaigns", { name: "a\r\nb" }, "name"],
      ["GET", "/campaigns?limit=0", undefined, "limit"],
      ["GET", "/campaigns?limit=101", undefined, "limit"],
      ["GET", "/campaigns?limit=ten", undefined, "limit"],
      ["GET", "/campaigns?offset=-1", undefined, "offset"],
      ["GET", "/campaigns?page=2", undefined, "page"],
      ["POST", "/accounts", { email: "x@y.z" }, "provider"],
      ["POST", "/accounts", { email: "x@y.z", provider: "aol" }, "provider"],
      ["POST", "/accounts", { email: "no address", provider: "google" }, "email"],
      [
        "POST",
        "/accounts",
        { email: "x@y.zz", provider: "smtp", daily_limit: 2001 },
        "daily_limit",
      ],
      ["POST", "/suppressions", { email: "no address" }, "email"],
      ["POST", "/suppressions", { email: "x@y.zz", reason: "because" }, "reason"],
      ["POST", "/keys", {}, "name"],
      ["POST", "/keys", { name: "x", scopes: ["everything"] }, "scopes.0"],
      ["POST", "/campaigns/:campaignId/steps", {}, "type"],
      ["POST", "/campaigns/:campaignId/steps", { type: "fax" }, "type"],
      ["POST", "/campaigns/:campaignId/steps", { type: "email", subject: "a\nb" }, "subject"],
      ["POST", "/campaigns/:campaignId/steps", { type: "email", wait_days: 366 }, "wait_days"],
      ["POST", "/campaigns/:campaignId/leads", {}, "leads"],
      ["POST", "/campaigns/:campaignId/leads", { leads: [{}] }, "leads.0.email"],
      ["POST", "/campaigns/:campaignId/leads", { leads: [{ email: 7 }] }, "leads.0.email"],
      ["POST", "/campaigns/:campaignId/leads", { leads: tooMany() }, "leads"],
      ["PATCH", "/campaigns/:campaignId", { id: NOBODY }, "id"],
      ["PATCH", "/campaigns/:campaignId", { name: null }, "name"],
      ["PATCH", "/campaigns/:campaignId/leads/:leadId", { status: "gone" }, "status"],
      [
        "PATCH",
        "/campaigns/:campaignId/leads/:leadId",
        { next_attempt_at: "soon" },
        "next_attempt_at",
      ],
    ] as const)("%s %s %j names %s", async (method, path, body, field) => {
      const operation = { method, path, status: 200, fields: {} } as const;
      const reply = await side().call(method, pathOf(operation, side().own), body);
      expectProblem(reply, 422, "validation_error", field);
    });

    test("a malformed address in an import is one row of errors, and the rest is imported", async () => {
      const leads = ["good@acme.test", "no address", "a@b@c", "", "x\r\nBcc: y@z.test"];
      const body = { leads: leads.map((email) => ({ email: `${email}` })) };
      const path = `/campaigns/${side().own.campaignId}/leads`;
      const result = await done(side().call("POST", path, body));
      expect(result).toMatchObject({ imported: 1, skipped: 0 });
      expect(result.errors).toHaveLength(4);
    });
  });
});

function tooMany() {
  return Array.from({ length: 10_001 }, (_, n) => ({ email: `u${n}@acme.test` }));
}
