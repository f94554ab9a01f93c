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
    const kept = log.of("team");
    expect(kept.length).toBe(TEAM_REQUESTS_MAX);
    expect(kept[0]?.id).toBe(`request-${TEAM_REQUESTS_MAX + 4}`);
    expect(kept[0]?.path.length).toBe(2_000);
    for (let n = 0; n < LOGGED_TEAMS_MAX; n += 1) {
      log.note(`team-${n}`, call(n));
    }
    expect(log.of("team")).toEqual([]);
    expect(log.of(`team-${LOGGED_TEAMS_MAX - 1}`).length).toBe(1);
  });
});
