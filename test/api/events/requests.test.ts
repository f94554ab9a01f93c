/** The contract of `/requests`: what keys asked, without what they said. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { unixMs } from "#domain/time.ts";
import {
  createRequestLog,
  LOGGED_TEAMS_MAX,
  TEAM_REQUESTS_MAX,
} from "#platform/http/request-log.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

interface Call {
  id: string;
  method: string;
  path: string;
  status: number;
  key_id: string;
  key_name: string | null;
}

/** A request is noted after its answer has gone. */
const noted = () => new Promise((resolve) => setImmediate(resolve));
const read = async (query = ""): Promise<Call[]> => {
  await noted();
  return (await app.call("GET", `/requests${query}`)).body.data;
};
const lines = (calls: Call[]) => calls.map((call) => `${call.method} ${call.path} ${call.status}`);

describe("GET /requests", () => {
  test("200: the newest first, whatever became of them, with the id that the answer had", async () => {
    await app.call("GET", "/campaigns?limit=1");
    const made = await app.call("POST", "/campaigns", { name: "Spring" });
    await noted();
    await app.call("POST", "/campaigns", { name: 7 });
    await app.call("GET", "/no-such-thing");
    const calls = await read();
    expect(lines(calls)).toEqual([
      "GET /api/v1/no-such-thing 404",
      "POST /api/v1/campaigns 422",
      "POST /api/v1/campaigns 201",
      "GET /api/v1/campaigns?limit=1 200",
    ]);
    expect(calls[2]).toEqual({
      id: made.headers.get("x-request-id"),
      created_at: "2026-03-02T15:00:00.000Z",
      method: "POST",
      path: "/api/v1/campaigns",
      status: 201,
      duration_ms: expect.any(Number),
      key_id: expect.any(String),
      key_name: "first",
      request_body: null,
      response_body: null,
    } as never);
  });

  test("200: filters, each alone and together", async () => {
    await app.call("GET", "/campaigns");
    await app.call("GET", "/leads");
    await app.call("POST", "/campaigns", {});
    expect(lines(await read("?method=POST"))).toEqual(["POST /api/v1/campaigns 422"]);
    expect(lines(await read("?outcome=refused"))).toEqual(["POST /api/v1/campaigns 422"]);
    expect(lines(await read("?path=/leads&outcome=ok"))).toEqual(["GET /api/v1/leads 200"]);
    expect(lines(await read(`?key_id=00000000-0000-7000-8000-000000000000`))).toEqual([]);
    expect((await app.call("GET", "/requests?outcome=bad")).status).toBe(422);
  });

  test("each environment and each team sees its own; what has no key is nobody's", async () => {
    await app.live("GET", "/leads");
    await app.call("GET", "/leads", undefined, { key: null });
    const other = await app.addTeam("Other");
    await app.call("GET", "/campaigns", undefined, { key: other.keys.test });
    expect(await read()).toEqual([]);
    const live = await app.live("GET", "/requests");
    expect(lines(live.body.data)).toEqual(["GET /api/v1/leads 200"]);
  });
});

describe("the log", () => {
  const call = (n: number) => ({
    id: `request-${n}`,
    at: unixMs(n),
    method: "GET",
    path: `/${"x".repeat(9_000)}`,
    status: 200,
    durationMs: 1,
    actor: "key:1",
  });

  test("keeps a bounded number of bounded lines for a bounded number of teams", () => {
    const log = createRequestLog();
    for (let n = 0; n < TEAM_REQUESTS_MAX + 5; n += 1) {
      log.note("team", call(n));
    }
    const kept = log.of("team", unixMs(0));
    expect(kept.length).toBe(TEAM_REQUESTS_MAX);
    expect(kept[0]?.id).toBe(`request-${TEAM_REQUESTS_MAX + 4}`);
    expect(kept[0]?.path.length).toBe(2_000);
    for (let n = 0; n < LOGGED_TEAMS_MAX; n += 1) {
      log.note(`team-${n}`, call(n));
    }
    expect(log.of("team", unixMs(0))).toEqual([]);
    expect(log.of(`team-${LOGGED_TEAMS_MAX - 1}`, unixMs(0)).length).toBe(1);
  });
});

describe("Bodies, where the operator wants them", () => {
  const HOUR_MS = 3_600_000;
  let kept: TestApp;
  beforeEach(async () => {
    kept = await createTestApp({ requestBodiesMs: 2 * HOUR_MS });
  });
  afterEach(() => kept.close());

  const latest = async (key?: string) => {
    await noted();
    const options = key === undefined ? undefined : { key };
    const { body } = await kept.call("GET", "/requests?path=/leads", undefined, options);
    const [{ request_body, response_body }] = body.data;
    return { request: JSON.parse(request_body), response: JSON.parse(response_body) };
  };
  const lead = { leads: [{ email: "ann@example.com" }] };

  test("are there with what was sent and what was answered, refusals too", async () => {
    await kept.call("POST", "/leads", lead);
    expect(await latest()).toMatchObject({ request: lead, response: { created: 1 } });
    await kept.call("POST", "/leads", { leads: 7 });
    expect(await latest()).toMatchObject({
      request: { leads: 7 },
      response: { type: "validation_error", field: "leads" },
    });
  });

  test("go after as long as was said, and when somebody is erased", async () => {
    await kept.call("POST", "/leads", lead);
    kept.wall.move(2 * HOUR_MS - 1);
    expect((await latest()).request).toEqual(lead);
    kept.wall.move(1);
    expect((await latest()).request).toBeNull();
    const { body } = await kept.call("POST", "/leads", lead);
    await kept.call("DELETE", `/leads/${body.data[0].id}`);
    const { text } = await kept.call("GET", "/requests");
    expect(text).not.toContain("ann@example.com");
  });

  test("are not for keys without admin", async () => {
    await kept.call("POST", "/leads", lead);
    const { body } = await kept.call("POST", "/keys", { name: "x", scopes: ["audit:read"] });
    expect(await latest(body.key)).toEqual({ request: null, response: null });
  });

  test("are bounded", () => {
    const log = createRequestLog(HOUR_MS);
    const call = { id: "1", at: unixMs(1), method: "GET", path: "/", status: 200, durationMs: 1 };
    const request = { text: "x".repeat(9_000) };
    for (let n = 0; n < 5_000; n += 1) {
      log.note(`team-${n % 100}`, { ...call, actor: "key:1", request });
    }
    const all = Array.from({ length: 100 }, (_, n) => log.of(`team-${n}`, unixMs(1))).flat();
    const chars = all.reduce((sum, { bodies }) => sum + (bodies.request?.length ?? 0), 0);
    expect(chars).toBeGreaterThan(10_000_000);
    expect(chars).toBeLessThanOrEqual(16_000_000);
  });
});
