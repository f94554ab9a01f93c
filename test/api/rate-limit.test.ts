/** Rate limits: a bucket for each key, refilled by the wall clock. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Problem } from "#domain/problem.ts";
import { MINUTE_MS, plus, SECOND_MS, unixMs } from "#domain/time.ts";
import { createRateLimit, REQUEST_MS } from "#platform/http/rate-limit.ts";
import { createKey } from "#usecases/team/keys.ts";
import { createTestApp, START } from "../support/app.ts";

async function limited(rateLimit: number) {
  const app = await createTestApp({ rateLimit });
  const get = (key?: string) =>
    app.call("GET", "/campaigns", undefined, key === undefined ? {} : { key });
  return { app, get };
}

describe("requests of one key", () => {
  test("say what is left, and above the limit are refused with what to wait for", async () => {
    const { app, get } = await limited(3);
    const left: (string | null)[] = [];
    for (let n = 0; n < 3; n += 1) {
      const { status, headers } = await get();
      expect(status).toBe(200);
      expect(headers.get("ratelimit-limit")).toBe("3");
      left.push(headers.get("ratelimit-remaining"));
    }
    expect(left).toEqual(["2", "1", "0"]);
    const { status, body, headers } = await get();
    expect(status).toBe(429);
    expect(body).toMatchObject({ type: "rate_limit_exceeded", field: null, status: 429 });
    expect(headers.get("retry-after")).toBe("20");
    expect(headers.get("ratelimit-remaining")).toBe("0");
    expect(headers.get("ratelimit-reset")).toBe("60");
    expect(headers.get("ratelimit")).toBe('"default";r=0;t=60');
    expect(headers.get("ratelimit-policy")).toBe('"default";q=3;w=60');
    expect(headers.get("x-request-id")).toMatch(/^req_/);
    await app.close();
  });

  test("are let in again by the wall clock, not by the sandbox's", async () => {
    const { app, get } = await limited(3);
    for (let n = 0; n < 4; n += 1) {
      await get();
    }
    await app.advance(60 * MINUTE_MS);
    expect((await get()).status).toBe(429);
    app.wall.move(20 * SECOND_MS - 1);
    expect((await get()).status).toBe(429);
    app.wall.move(1);
    expect([(await get()).status, (await get()).status]).toEqual([200, 429]);
    app.wall.move(10 * MINUTE_MS);
    const many = [await get(), await get(), await get(), await get()];
    expect(many.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    await app.close();
  });

  test("are nobody else's: not another key's, not another environment's", async () => {
    const { app, get } = await limited(1);
    const { key } = (await app.call("POST", "/keys", { name: "two" })).body;
    expect((await get()).status).toBe(429);
    expect((await get(key)).status).toBe(200);
    expect((await app.live("GET", "/campaigns")).status).toBe(200);
    await app.close();
  });

  test("count whatever becomes of them, but for those without a key", async () => {
    const { app, get } = await limited(3);
    for (let n = 0; n < 10; n += 1) {
      expect((await get("outrider_test_nobody")).status).toBe(401);
    }
    expect((await app.call("GET", "/nothing")).status).toBe(404);
    expect((await app.call("PUT", "/campaigns")).status).toBe(405);
    expect((await app.call("POST", "/campaigns", {})).status).toBe(422);
    expect((await get()).status).toBe(429);
    await app.close();
  });

  test("of a team's keys, in both environments, are ten times as many", async () => {
    const { app, get } = await limited(2);
    const { test: env } = app.environments;
    const maker = { teamId: app.team.id, actor: "operator", scopes: ["admin"] };
    const keys: string[] = [];
    for (let n = 0; n < 12; n += 1) {
      keys.push((await env.commit(() => createKey(env, maker, { name: `${n}` }))).key);
    }
    const statuses: number[] = [];
    for (const key of keys.slice(1)) {
      statuses.push((await get(key)).status, (await get(key)).status);
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    const { status, headers } = await get(keys[0]);
    expect(status).toBe(429);
    expect(headers.get("ratelimit-policy")).toBe('"team";q=20;w=60');
    expect((await app.live("GET", "/campaigns")).status).toBe(429);
    const other = await app.addTeam("Other");
    expect((await get(other.keys.test)).status).toBe(200);
    app.wall.move(MINUTE_MS);
    expect((await get()).status).toBe(200);
    await app.close();
  });

  test("have no limit, and no headers of one, where it is off", async () => {
    const { app, get } = await limited(0);
    const { headers } = await get();
    expect([...headers.keys()].filter((name) => name.startsWith("ratelimit"))).toEqual([]);
    await app.close();
  });
});

describe("a bucket", () => {
  const takes = (limit: ReturnType<typeof createRateLimit>, at: number): boolean => {
    try {
      limit.take("k", unixMs(at));
      return true;
    } catch (error) {
      expect(error).toBeInstanceOf(Problem);
      return false;
    }
  };

  test("never lets more through than it holds and what has run in since", () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), gaps, (perMinute, waits) => {
        const limit = createRateLimit(perMinute);
        let at: number = START;
        let let_in = 0;
        for (const wait of waits) {
          at += wait;
          let_in += takes(limit, at) ? 1 : 0;
          const bound = perMinute + ((at - START) * perMinute) / MINUTE_MS;
          expect(let_in).toBeLessThanOrEqual(bound + 1e-6);
        }
      }),
    );
  });

  test("loses a request for each 20 ms, up to a tenth, and is never below empty", () => {
    const stretches = fc.array(fc.double({ min: 0, max: 2_000, noNaN: true }), { maxLength: 50 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000 }), stretches, (perMinute, spent) => {
        const limit = createRateLimit(perMinute);
        const left = () => Number(limit.take("k", START, 0)["RateLimit-Remaining"]);
        limit.take("k", START);
        const pay = limit.meter("k");
        let total = 0;
        for (const ms of spent) {
          pay(ms);
          total += ms;
        }
        const due = Math.min(Math.floor(perMinute / 10), Math.floor(total / REQUEST_MS));
        expect(left()).toBe(Math.max(0, perMinute - 1 - due));
        for (let n = 0; n < 20; n += 1) {
          limit.meter("k")(1e9);
        }
        expect(left()).toBe(Math.max(0, perMinute - 1 - due - 20 * Math.floor(perMinute / 10)));
      }),
    );
  });

  test("that is full lets in what counts as more than it holds", () => {
    const limit = createRateLimit(3);
    expect(() => limit.take("k", START, 100)).not.toThrow();
    expect(() => limit.take("k", START)).toThrow(Problem);
  });

  test("lets in whoever waited as long as it was told to", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), (perMinute) => {
        const limit = createRateLimit(perMinute);
        for (let n = 0; n < perMinute; n += 1) {
          expect(takes(limit, START)).toBe(true);
        }
        try {
          limit.take("k", START);
          expect.unreachable();
        } catch (error) {
          const wait = Number(error instanceof Problem ? error.headers["Retry-After"] : Number.NaN);
          expect(takes(limit, plus(START, wait * SECOND_MS))).toBe(true);
        }
      }),
    );
  });

  test("does not run out because the clock goes back", () => {
    const limit = createRateLimit(2);
    expect(takes(limit, START)).toBe(true);
    expect(takes(limit, START - 60 * MINUTE_MS)).toBe(true);
    expect(takes(limit, START - 60 * MINUTE_MS)).toBe(false);
    expect(takes(limit, START - 59 * MINUTE_MS)).toBe(true);
  });

  test("is forgotten when ten thousand others came after it, and no sooner", () => {
    const limit = createRateLimit(1);
    const take = (key: string) => () => limit.take(key, START);
    take("first")();
    for (let n = 0; n < 9_999; n += 1) {
      take(`k${n}`)();
    }
    expect(take("first")).toThrow(Problem);
    take("one more")();
    take("and another")();
    expect(take("k1")).not.toThrow();
  });
});
