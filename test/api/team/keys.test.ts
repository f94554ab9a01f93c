/** The HTTP contract of `/keys`: who may make which key, what is shown of it, and when it opens. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mintKey, readKey, SCOPES } from "#domain/team/api-key.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#domain/time.ts";
import { seededDice } from "#platform/dice.ts";
import { crc32, sha256 } from "#platform/secrets/crypto.ts";
import { createKey } from "#usecases/team/keys.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";

const UNKNOWN = "00000000-0000-7000-8000-00000000dead";
const CREATED = "2026-03-02T15:00:00.000Z";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

type Call = TestApp["call"];
const make = async (body: object = {}, call: Call = app.call) =>
  (await call("POST", "/keys", { name: "ci", ...body })).body;
const opens = async (key: string) =>
  (await app.call("GET", "/campaigns", undefined, { key })).status;
const own = async (call: Call = app.call) => (await call("GET", "/keys")).body.data[0].id;

describe("POST /keys", () => {
  test("201: the whole key, this once; name and scopes of its maker", async () => {
    const { status, body, headers } = await app.call("POST", "/keys", { name: "ci" });
    expect(status).toBe(201);
    expect(headers.get("location")).toBe(`/api/v1/keys/${body.id}`);
    expect(body).toEqual({
      id: body.id,
      key: body.key,
      team_id: app.team.id,
      name: "ci",
      env: "test",
      last4: body.key.slice(-4),
      scopes: ["admin"],
      created_at: CREATED,
      expires_at: null,
      revoked_at: null,
      last_used_at: null,
    });
    expect(body.key).toMatch(/^outrider_test_[0-9A-Za-z]{38}$/);
    expect(readKey(body.key, crc32)).toBe("test");
    const { key: _key, ...shown } = body;
    expect((await app.call("GET", `/keys/${body.id}`)).body).toEqual(shown);
    expect(await opens(body.key)).toBe(200);
  });

  test("only its hash is stored: no file and no log of ours holds it", async () => {
    const { key, id } = await make();
    const dump = app.environments.test.db.raw.serialize().toString("latin1");
    expect(dump).not.toContain(key.slice(-20));
    expect(dump).toContain(Buffer.from(sha256(key)).toString("latin1"));
    const { raw } = app.environments.test.db;
    const audit = raw
      .query("SELECT actor, after FROM audit WHERE action = 'key.create' AND target = ?")
      .get(`key:${id}`);
    expect(audit).toEqual({
      actor: `key:${await own()}`,
      after: JSON.stringify({ name: "ci", scopes: ["admin"], expires_at: null }),
    });
  });

  test.each([
    ["no name", {}, "name"],
    ["an empty name", { name: "" }, "name"],
    ["a long name", { name: "x".repeat(101) }, "name"],
    ["an unknown scope", { name: "x", scopes: ["read", "campaigns:delete"] }, "scopes.1"],
    ["no scopes", { name: "x", scopes: [] }, "scopes"],
    ["an unknown environment", { name: "x", env: "stage" }, "env"],
    ["what is no date", { name: "x", expires_at: "tomorrow" }, "expires_at"],
    ["a day that is none", { name: "x", expires_at: "2026-02-30T00:00:00.000Z" }, "expires_at"],
    ["a date that has passed", { name: "x", expires_at: CREATED }, "expires_at"],
    ["a key of one's own", { name: "x", key: "outrider_test_x" }, "key"],
    ["an unknown field", { name: "x", role: "admin" }, "role"],
  ])("422: %s is named, and no key is made", async (_name, input, field) => {
    const { status, body } = await app.call("POST", "/keys", input);
    expect([status, body.type, body.field]).toEqual([422, "validation_error", field]);
    expect((await app.call("GET", "/keys")).body.total).toBe(1);
  });

  test("201: a scope given twice is held once", async () => {
    expect((await make({ scopes: ["read", "read"] })).scopes).toEqual(["read"]);
  });
});

describe("a key", () => {
  test("with any character changed is refused before it is looked up", async () => {
    const { key } = await make();
    for (let at = 0; at < key.length; at += 1) {
      const changed = key.slice(0, at) + (key[at] === "x" ? "y" : "x") + key.slice(at + 1);
      expect(readKey(changed, crc32)).toBeNull();
    }
    expect(await opens(`${key.slice(0, -1)}${key.endsWith("x") ? "y" : "x"}`)).toBe(401);
  });

  test("that is well formed but nobody's is refused", async () => {
    const dice = seededDice(99);
    for (const env of ["live", "test"] as const) {
      const key = mintKey(env, () => dice.byte(), crc32);
      expect(readKey(key, crc32)).toBe(env);
      expect(await opens(key)).toBe(401);
    }
  });

  test("of one environment does not open the other under its name", async () => {
    const { key } = await make();
    expect(await opens(key.replace("_test_", "_live_"))).toBe(401);
  });

  test("opens until it expires, by the wall clock, not the sandbox's", async () => {
    const { key } = await make({ expires_at: "2026-03-02T16:00:00.000Z" });
    await app.advance(DAY_MS);
    expect(await opens(key)).toBe(200);
    app.wall.move(HOUR_MS - 1);
    expect(await opens(key)).toBe(200);
    app.wall.move(1);
    expect(await opens(key)).toBe(401);
  });

  test("shows when it was last used, a minute's grain at most", async () => {
    const { key, id } = await make();
    const lastUsed = async () => (await app.call("GET", `/keys/${id}`)).body.last_used_at;
    expect(await lastUsed()).toBeNull();
    await opens(key);
    await app.environments.test.commit(() => undefined);
    expect(await lastUsed()).toBe(CREATED);
    app.wall.move(30 * SECOND_MS);
    await opens(key);
    await app.environments.test.commit(() => undefined);
    expect(await lastUsed()).toBe(CREATED);
    app.wall.move(MINUTE_MS);
    await opens(key);
    await app.environments.test.commit(() => undefined);
    expect(await lastUsed()).toBe("2026-03-02T15:01:30.000Z");
  });
});

describe("scopes", () => {
  const allows: [string[], string, string, number][] = [
    [["read"], "GET", "/campaigns", 200],
    [["read"], "POST", "/campaigns", 403],
    [["write"], "GET", "/campaigns", 200],
    [["write"], "POST", "/campaigns", 201],
    [["campaigns:read"], "GET", "/campaigns", 200],
    [["campaigns:read"], "POST", "/campaigns", 403],
    [["campaigns:write"], "POST", "/campaigns", 201],
    [["campaigns:write"], "GET", "/campaigns", 200],
    [["campaigns:write"], "GET", "/leads", 403],
    [["read", "write"], "GET", "/keys", 403],
    [["keys:read"], "GET", "/keys", 200],
    [["keys:read"], "POST", "/keys", 403],
    [["keys:write"], "POST", "/keys", 201],
    [["admin"], "GET", "/suppressions", 200],
  ];
  test.each(allows)("%p: %s %s answers %d", async (scopes, method, path, expected) => {
    const { key } = await make({ scopes });
    const body = method === "POST" ? { name: "x" } : undefined;
    const { status, body: answer, headers } = await app.call(method, path, body, { key });
    expect(status).toBe(expected);
    if (expected === 403) {
      expect(answer.type).toBe("permission_error");
      expect(headers.get("www-authenticate")).toContain("insufficient_scope");
    }
  });

  test("of a new key are never wider than its maker's", async () => {
    const maker = (await make({ scopes: ["keys:write", "read"] })).key;
    const wanted = async (scopes: string[]) => {
      const input = { name: "x", scopes };
      return (await app.call("POST", "/keys", input, { key: maker })).status;
    };
    for (const scope of SCOPES) {
      const isHeld =
        scope === "read" ||
        scope.startsWith("keys:") ||
        (scope.endsWith(":read") && !["billing:read", "audit:read"].includes(scope));
      expect([scope, await wanted([scope])]).toEqual([scope, isHeld ? 201 : 403]);
    }
    expect(await wanted(["read", "admin"])).toBe(403);
    const { body } = await app.call("POST", "/keys", { name: "x" }, { key: maker });
    expect(body.scopes).toEqual(["keys:write", "read"]);
  });
});

describe("GET /keys", () => {
  test("200: oldest first, revoked ones too, in pages, without any key", async () => {
    const { id } = await make();
    await make({ name: "two" });
    await app.call("DELETE", `/keys/${id}`);
    const { body, text } = await app.call("GET", "/keys?limit=2");
    expect(body).toMatchObject({ total: 3, limit: 2, offset: 0, hasMore: true });
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(["first", "ci"]);
    expect(body.data[1].revoked_at).toBe(CREATED);
    expect(text).not.toContain("outrider_test_");
    expect((await app.call("GET", "/keys?limit=2&offset=2")).body.data[0].name).toBe("two");
  });

  test("404: never was, and another team's", async () => {
    const other = await app.addTeam("Other");
    const key = other.keys.test;
    const id = await own();
    for (const [method, path] of [
      ["GET", `/keys/${id}`],
      ["DELETE", `/keys/${id}`],
      ["POST", `/keys/${id}/rotate`],
    ] as const) {
      const body = method === "POST" ? {} : undefined;
      expect((await app.call(method, path, body, { key })).status).toBe(404);
      expect((await app.call(method, path.replace(id, UNKNOWN), body)).status).toBe(404);
    }
  });
});

describe("DELETE /keys/{id}", () => {
  test("204: the next request with it is refused; again changes nothing", async () => {
    const { key, id } = await make();
    const { status, text } = await app.call("DELETE", `/keys/${id}`);
    expect([status, text]).toEqual([204, ""]);
    expect(await opens(key)).toBe(401);
    app.wall.move(HOUR_MS);
    expect((await app.call("DELETE", `/keys/${id}`)).status).toBe(204);
    expect((await app.call("GET", `/keys/${id}`)).body.revoked_at).toBe(CREATED);
  });

  test("409: the team's last admin key, unless another one lasts", async () => {
    const id = await own();
    await make({ scopes: ["read"] });
    await make({ expires_at: "2026-03-03T15:00:00.000Z" });
    const { status, body } = await app.call("DELETE", `/keys/${id}`);
    expect([status, body.type]).toEqual([409, "conflict"]);
    await make({ name: "heir" });
    expect((await app.call("DELETE", `/keys/${id}`)).status).toBe(204);
  });

  test("204: an admin key that has expired is nobody's last one", async () => {
    const { id } = await make({ expires_at: "2026-03-02T16:00:00.000Z" });
    app.wall.move(DAY_MS);
    expect((await app.call("DELETE", `/keys/${id}`)).status).toBe(204);
  });
});

describe("a key that can do more than the caller", () => {
  const revoke = async (id: string, key: string) =>
    (await app.call("DELETE", `/keys/${id}`, undefined, { key })).status;
  const rotate = async (id: string, key: string) =>
    (await app.call("POST", `/keys/${id}/rotate`, {}, { key })).status;
  /** As the command line makes them. */
  const madeBy = async (scopes: readonly string[]) => {
    const { test: env } = app.environments;
    const operator = { teamId: app.team.id, actor: "operator", scopes: SCOPES };
    const input = { name: scopes.join(" "), scopes };
    const { key, row } = await env.commit(() => createKey(env, operator, input));
    return { key, id: row.id };
  };

  test("403: keys:write alone neither revokes nor rotates one of any other scope", async () => {
    const maker = await madeBy(["keys:write"]);
    for (const scope of SCOPES) {
      const target = await madeBy([scope]);
      const isOwn = scope.startsWith("keys:");
      expect([scope, await rotate(target.id, maker.key)]).toEqual([scope, isOwn ? 201 : 403]);
      expect([scope, await revoke(target.id, maker.key)]).toEqual([scope, isOwn ? 204 : 403]);
      expect(await opens(target.key)).not.toBe(isOwn ? 200 : 401);
    }
  });

  test("403: an operator's key is out of an admin's reach, and not of an operator's", async () => {
    const target = await madeBy(["operator", "read"]);
    expect(await revoke(target.id, app.keys.test)).toBe(403);
    expect(await rotate(target.id, app.keys.test)).toBe(403);
    const { body } = await app.call("DELETE", `/keys/${target.id}`);
    expect(body.message).toBe(`the key has the scope "operator", which you don't have`);
    const operator = await madeBy(["operator", "admin"]);
    expect(await rotate(target.id, operator.key)).toBe(201);
    expect(await revoke(target.id, operator.key)).toBe(204);
  });

  test("403 of a live key for test keys too; a key may always end itself", async () => {
    const live = (await make({ scopes: ["keys:write"] }, app.live)).key;
    const id = await own();
    const call = { key: live };
    expect((await app.live("DELETE", `/keys/${id}?env=test`, undefined, call)).status).toBe(403);
    const narrow = await madeBy(["keys:write", "inbox:read"]);
    expect(await revoke(narrow.id, narrow.key)).toBe(204);
  });
});

describe("POST /keys/{id}/rotate", () => {
  const rotate = (id: string, body?: object) => app.call("POST", `/keys/${id}/rotate`, body ?? {});

  test("201: a new key with the old name and scopes; the old one works for a day", async () => {
    const old = await make({ scopes: ["read"] });
    const { status, body, headers } = await rotate(old.id);
    expect([status, headers.get("location")]).toEqual([201, `/api/v1/keys/${body.id}`]);
    expect(body).toMatchObject({ name: "ci", scopes: ["read"], expires_at: null });
    expect(body.key).not.toBe(old.key);
    expect([await opens(old.key), await opens(body.key)]).toEqual([200, 200]);
    app.wall.move(DAY_MS);
    expect([await opens(old.key), await opens(body.key)]).toEqual([401, 200]);
  });

  test("201: the overlap may be chosen, also none at all, and never lengthens a life", async () => {
    const [a, b, c] = [
      await make(),
      await make(),
      await make({ expires_at: "2026-03-02T16:00:00Z" }),
    ];
    await rotate(a.id, { grace_seconds: 60 });
    await rotate(b.id, { grace_seconds: 0 });
    await rotate(c.id, { grace_seconds: 604_800 });
    const works = async () => [await opens(a.key), await opens(b.key), await opens(c.key)];
    expect(await works()).toEqual([200, 401, 200]);
    app.wall.move(MINUTE_MS);
    expect(await works()).toEqual([401, 401, 200]);
    app.wall.move(HOUR_MS);
    expect(await works()).toEqual([401, 401, 401]);
  });

  test("201: without a body, as with an empty one", async () => {
    const { id } = await make();
    expect((await app.call("POST", `/keys/${id}/rotate`)).status).toBe(201);
  });

  test("409: a key that is revoked, has expired, or was rotated already", async () => {
    const [a, b, c] = [
      await make(),
      await make({ expires_at: "2026-03-02T16:00:00Z" }),
      await make(),
    ];
    await app.call("DELETE", `/keys/${a.id}`);
    await rotate(c.id);
    app.wall.move(HOUR_MS);
    for (const { id } of [a, b, c]) {
      expect((await rotate(id)).status).toBe(409);
    }
  });

  test.each([-1, 604_801, 1.5, "60"])("422: an overlap of %p", async (grace_seconds) => {
    const { id } = await make();
    const { status, body } = await rotate(id, { grace_seconds });
    expect([status, body.field]).toEqual([422, "grace_seconds"]);
  });

  test("201: the team's last admin key, and the new one is the last then", async () => {
    const id = await own();
    const { body } = await rotate(id);
    expect((await app.call("DELETE", `/keys/${body.id}`)).status).toBe(409);
    expect((await app.call("DELETE", `/keys/${id}`)).status).toBe(204);
  });
});

describe("two environments", () => {
  test("a live key makes, lists, reads, rotates and revokes test keys", async () => {
    const made = await make({ env: "test" }, app.live);
    expect(made.env).toBe("test");
    expect(made.key).toStartWith("outrider_test_");
    expect(await opens(made.key)).toBe(200);
    const { body } = await app.live("GET", "/keys?env=test");
    expect(body.data.map(({ name, env }: { name: string; env: string }) => [name, env])).toEqual([
      ["first", "test"],
      ["ci", "test"],
    ]);
    expect((await app.live("GET", `/keys/${made.id}?env=test`)).body.id).toBe(made.id);
    expect((await app.live("GET", `/keys/${made.id}`)).status).toBe(404);
    const rotated = await app.live("POST", `/keys/${made.id}/rotate?env=test`, {
      grace_seconds: 0,
    });
    expect([await opens(made.key), await opens(rotated.body.key)]).toEqual([401, 200]);
    expect((await app.live("DELETE", `/keys/${rotated.body.id}?env=test`)).status).toBe(204);
    expect(await opens(rotated.body.key)).toBe(401);
    expect((await app.live("GET", "/keys")).body.total).toBe(1);
  });

  test("a test key sees and makes nothing live", async () => {
    const liveId = await own(app.live);
    const answers = [
      await app.call("POST", "/keys", { name: "x", env: "live" }),
      await app.call("GET", "/keys?env=live"),
      await app.call("GET", `/keys/${liveId}?env=live`),
      await app.call("DELETE", `/keys/${liveId}?env=live`),
      await app.call("POST", `/keys/${liveId}/rotate?env=live`, {}),
    ];
    for (const { status, body } of answers) {
      expect([status, body.type, body.field]).toEqual([403, "permission_error", "env"]);
    }
    expect((await app.call("GET", `/keys/${liveId}`)).status).toBe(404);
    expect((await app.live("GET", "/keys")).body.total).toBe(1);
  });

  test("422: an environment that is none, a query that is none", async () => {
    expect((await app.live("GET", "/keys?env=stage")).body.field).toBe("env");
    expect((await app.live("DELETE", `/keys/${UNKNOWN}?all=1`)).body.field).toBe("all");
  });
});
