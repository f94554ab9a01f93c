/** The contract of `/sandbox` through HTTP: who may use it, its clock, settings, and starting anew. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS, plus, toIso } from "#domain/time.ts";
import { KEPT_TABLES, listSandboxMessages } from "#store/sandbox/sandbox.ts";
import { createTestApp, START, type TestApp } from "../../support/app.ts";
import { addLeads, makeCampaign } from "../../support/campaigns.ts";
import { addAccount, NOBODY, send } from "./sandbox-support.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

describe("every path", () => {
  test.each([
    ["GET", "/sandbox/clock", undefined],
    ["POST", "/sandbox/clock", { advance: "1d" }],
    ["POST", "/sandbox/clock", { nonsense: true }],
    ["GET", "/sandbox/messages", undefined],
    ["GET", `/sandbox/messages/${NOBODY}`, undefined],
    ["GET", "/sandbox/messages/no-id", undefined],
    ["GET", `/sandbox/messages/${NOBODY}/raw`, undefined],
    ["POST", "/sandbox/inject", { kind: "reply" }],
    ["GET", "/sandbox/settings", undefined],
    ["PATCH", "/sandbox/settings", { seed: 1 }],
    ["DELETE", "/sandbox", undefined],
  ])("403 with a live key, 401 without one: %s %s", async (method, path, body) => {
    const refused = await app.live(method, path, body);
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({ type: "permission_error", field: null, status: 403 });
    expect(refused.body.message).toContain("test key");
    expect((await app.call(method, path, body, { key: null })).status).toBe(401);
  });

  test("403 where the key's scopes fall short", async () => {
    const { call } = app;
    const { key } = (await call("POST", "/keys", { name: "r", scopes: ["sandbox:read"] })).body;
    const { key: writer } = (await call("POST", "/keys", { name: "w", scopes: ["write"] })).body;
    expect((await call("GET", "/sandbox/settings", undefined, { key })).status).toBe(200);
    expect((await call("PATCH", "/sandbox/settings", { seed: 2 }, { key })).status).toBe(403);
    expect((await call("PATCH", "/sandbox/settings", { seed: 2 }, { key: writer })).status).toBe(
      200,
    );
    const moved = await call("POST", "/sandbox/clock", { advance: "1d" }, { key: writer });
    expect(moved.status).toBe(403);
    expect(moved.body.message).toContain("admin");
  });
});

describe("/sandbox/clock", () => {
  test("200: starts at the system's time with speed 1", async () => {
    const { call } = app;
    const { status, body } = await call("GET", "/sandbox/clock");
    expect(status).toBe(200);
    expect(body).toEqual({ now: toIso(START), speed: 1, advancing: false });
  });

  test.each([
    ["3d", 3 * DAY_MS],
    ["90m", 90 * MINUTE_MS],
    ["1h30m", 90 * MINUTE_MS],
    ["1s", 1000],
    ["366d", 366 * DAY_MS],
    ["1000000s", 1_000_000_000],
  ])("200: advance %s answers when it is done", async (advance, ms) => {
    const { call } = app;
    const { status, body } = await call("POST", "/sandbox/clock", { advance });
    expect(status).toBe(200);
    expect(body).toEqual({ now: toIso(plus(START, ms)), speed: 1, advancing: false });
    expect((await call("GET", "/sandbox/clock")).body.now).toBe(body.now);
  });

  test("200: speed 0 is paused, speed n runs n seconds a second", async () => {
    const { call, wall } = app;
    expect((await call("POST", "/sandbox/clock", { speed: 0 })).body.speed).toBe(0);
    wall.move(HOUR_MS);
    expect((await call("GET", "/sandbox/clock")).body.now).toBe(toIso(START));
    await call("POST", "/sandbox/clock", { speed: 3600 });
    wall.move(1000);
    expect((await call("GET", "/sandbox/clock")).body.now).toBe(toIso(plus(START, HOUR_MS)));
  });

  test("409: a second move while the first is under way; other requests are served", async () => {
    const { call } = app;
    let isDone = false;
    const move = call("POST", "/sandbox/clock", { advance: "30d" }).finally(() => {
      isDone = true;
    });
    const seen: [boolean, number, number][] = [];
    while (!isDone) {
      const { advancing } = (await call("GET", "/sandbox/clock")).body;
      if (advancing) {
        const again = await call("POST", "/sandbox/clock", { advance: "1d" });
        const speed = await call("POST", "/sandbox/clock", { speed: 2 });
        seen.push([isDone, again.status, speed.status]);
        break;
      }
    }
    expect(seen).toEqual([[false, 409, 409]]);
    const { status, body } = await move;
    expect([status, body.now]).toEqual([200, toIso(plus(START, 30 * DAY_MS))]);
    expect((await call("POST", "/sandbox/clock", { advance: "1d" })).status).toBe(200);
  });

  test.each([
    ["nothing", {}, null],
    ["both", { advance: "1d", speed: 1 }, "speed"],
    ["no duration", { advance: "soon" }, "advance"],
    ["less than a second", { advance: "0s" }, "advance"],
    ["more than 366 days", { advance: "367d" }, "advance"],
    ["a number", { advance: 3 }, "advance"],
    ["a negative speed", { speed: -1 }, "speed"],
    ["too fast", { speed: 100_001 }, "speed"],
    ["an unknown field", { advance: "1d", to: "x" }, "to"],
  ])("422: %s, and the clock stays", async (_name, body, field) => {
    const { call } = app;
    const refused = await call("POST", "/sandbox/clock", body);
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject({ type: "validation_error", field });
    expect((await call("GET", "/sandbox/clock")).body.now).toBe(toIso(START));
  });

  test("nobody sees what a jump has not committed: requests, listeners, woken workers", async () => {
    const { environments, call } = app;
    const { db, feed } = environments.test;
    const seen = new Set<string>();
    const look = (who: string) => seen.add(`${who} ${db.raw.inTransaction}`);
    await addAccount(app);
    const { id } = await makeCampaign(app, [{ type: "email", subject: "Hello", body: "Hi" }]);
    await addLeads(app, id, ...Array.from({ length: 40 }, (_, n) => `lead${n}@example.com`));
    await call("POST", `/campaigns/${id}/start`, {});
    const stop = feed.subscribe(app.team.id, () => look("listener"));
    environments.onWake("test", () => process.nextTick(() => look("woken")));
    const timer = setInterval(() => look("timer"), 0);
    const jump = call("POST", "/sandbox/clock", { advance: "5d" });
    let moved: Awaited<typeof jump> | undefined;
    void jump.then((response) => {
      look("answer");
      moved = response;
    });
    while (moved === undefined) {
      await call("GET", `/campaigns/${id}`);
      look("request");
      await new Promise((resolve) => setImmediate(resolve));
    }
    clearInterval(timer);
    stop();
    expect(moved.status).toBe(200);
    expect([...seen].filter((one) => one.endsWith("true"))).toEqual([]);
    expect([...seen].map((one) => one.split(" ")[0]).sort()).toEqual([
      "answer",
      "listener",
      "request",
      "timer",
      "woken",
    ]);
  });

  test("a repeat with the same Idempotency-Key moves it once", async () => {
    const { call } = app;
    const headers = { "Idempotency-Key": "move-1" };
    const first = await call("POST", "/sandbox/clock", { advance: "1d" }, { headers });
    const again = await call("POST", "/sandbox/clock", { advance: "1d" }, { headers });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect((await call("GET", "/sandbox/clock")).body.now).toBe(toIso(plus(START, DAY_MS)));
  });
});

const DAY_OF_BLOCK = { from: "2026-03-03T00:00:00.000Z", until: "2026-03-04T00:00:00.000Z" };

describe("/sandbox/settings", () => {
  test("200: defaults, then what was set, merged", async () => {
    const { call } = app;
    const before = (await call("GET", "/sandbox/settings")).body;
    expect(before.seed).toBe(1);
    expect(Object.keys(before)).toEqual([
      ...["seed", "rates", "delays", "faults", "effects", "blocks"],
    ]);
    const change = {
      rates: { reply: 1 },
      delays: { reply: { min_seconds: 1 } },
      faults: { cut: 0.5 },
      effects: [{ contains: "a free trial", rates: { reply: 0.5 } }],
      blocks: [{ provider: "microsoft", kind: "refuse", ...DAY_OF_BLOCK }],
    };
    const { status, body } = await call("PATCH", "/sandbox/settings", change);
    expect(status).toBe(200);
    expect(body).toEqual({
      seed: 1,
      rates: { ...before.rates, reply: 1 },
      delays: { ...before.delays, reply: { ...before.delays.reply, min_seconds: 1 } },
      faults: { ...before.faults, cut: 0.5 },
      effects: change.effects,
      blocks: change.blocks,
    });
    expect((await call("GET", "/sandbox/settings")).body).toEqual(body);
  });

  test("200: what was read may be sent back, and {} changes nothing", async () => {
    const { call } = app;
    const { body, headers } = await call("GET", "/sandbox/settings");
    expect((await call("PATCH", "/sandbox/settings", body)).body).toEqual(body);
    const again = await call("PATCH", "/sandbox/settings", {});
    expect(again.headers.get("etag")).toBe(headers.get("etag"));
  });

  test("412: a stale If-Match", async () => {
    const { call } = app;
    const etag = (await call("GET", "/sandbox/settings")).headers.get("etag") ?? "";
    const headers = { "If-Match": etag };
    expect((await call("PATCH", "/sandbox/settings", { seed: 2 }, { headers })).status).toBe(200);
    expect((await call("PATCH", "/sandbox/settings", { seed: 3 }, { headers })).status).toBe(412);
  });

  test("each team has its own", async () => {
    await app.call("PATCH", "/sandbox/settings", { seed: 2 });
    const { keys } = await app.addTeam("Other");
    const others = await app.call("GET", "/sandbox/settings", undefined, { key: keys.test });
    expect(others.body.seed).toBe(1);
  });

  test.each([
    ["a rate above 1", { rates: { reply: 1.1 } }, "rates.reply"],
    ["an unknown rate", { rates: { applause: 1 } }, "rates.applause"],
    [
      "a delay that runs backwards",
      { delays: { reply: { min_seconds: 9_000_000 } } },
      "delays.reply.max_seconds",
    ],
    [
      "a block that runs backwards",
      {
        blocks: [
          {
            ...{ provider: "google", kind: "throttle" },
            ...{ from: DAY_OF_BLOCK.until, until: DAY_OF_BLOCK.from },
          },
        ],
      },
      "blocks.0.until",
    ],
    ["a negative seed", { seed: -1 }, "seed"],
    ["a seed that is null", { seed: null }, "seed"],
    [
      "an account that is not the team's",
      { faults: { auth_failures: [NOBODY] } },
      "faults.auth_failures.0",
    ],
    ["an unknown field", { speed: 1 }, "speed"],
  ])("422: %s", async (_name, change, field) => {
    const { call } = app;
    const before = (await call("GET", "/sandbox/settings")).body;
    const { status, body } = await call("PATCH", "/sandbox/settings", change);
    expect([status, body.field]).toEqual([422, field]);
    expect((await call("GET", "/sandbox/settings")).body).toEqual(before);
  });
});

describe("DELETE /sandbox", () => {
  test("204: removes the team's records in every table, and keeps team, keys and audit log", async () => {
    const { db } = app.environments.test;
    const other = await app.addTeam("Other");
    for (const key of [app.keys.test, other.keys.test]) {
      const call = (method: string, path: string, body?: unknown) =>
        app.call(method, path, body, { key, headers: { "Idempotency-Key": `${method}:${path}` } });
      const { id: account } = (
        await call("POST", "/accounts", { email: "ann@acme.test", provider: "sandbox" })
      ).body;
      const campaign = (await call("POST", "/campaigns", { name: "Spring" })).body.id;
      await call("POST", `/campaigns/${campaign}/steps`, {
        type: "email",
        subject: "a",
        body: "b",
      });
      await call("POST", `/campaigns/${campaign}/leads`, { leads: [{ email: "ada@example.com" }] });
      await call("POST", "/suppressions", { email: "x@example.com" });
      await call("PATCH", "/sandbox/settings", { seed: 9 });
      await send(app, account, "reply@sandbox.test");
    }
    for (const row of db.raw.query<{ id: Uint8Array }, []>("select id from accounts").all()) {
      db.raw.run("insert into usage values (?, 'account_day', '2026-03-02', 1, ?)", [
        row.id,
        START,
      ]);
    }
    const before = tables(app, other.team.id);
    const { status, text } = await app.call("DELETE", "/sandbox");
    expect([status, text]).toEqual([204, ""]);
    const left = tables(app, app.team.id);
    expect(Object.keys(left).every((name) => KEPT_TABLES.includes(name))).toBe(true);
    expect(left["api_keys"]).toBe(1);
    expect(tables(app, other.team.id)).toEqual(before);
    const counted = db.raw.query<{ n: number }, []>("select count(*) n from usage").get();
    expect(counted?.n).toBe(1);
    expect(listSandboxMessages(db, other.team.id, { limit: 9, offset: 0 }).total).toBe(1);
    expect((await app.call("GET", "/campaigns")).body.total).toBe(0);
    expect((await app.call("GET", "/sandbox/settings")).body.seed).toBe(1);
    expect((await app.call("DELETE", "/sandbox")).status).toBe(204);
  });

  test("204: and the sums of its days", async () => {
    const account = await addAccount(app);
    const { id } = await makeCampaign(app, [{ type: "email", subject: "Hi", body: "Hello" }]);
    const leads = [{ email: "ada@quiet.example" }];
    await app.call("POST", `/campaigns/${id}/leads`, { leads });
    await app.call("POST", `/campaigns/${id}/start`);
    await app.call("POST", "/sandbox/clock", { advance: "1d" });
    expect(account.length).toBeGreaterThan(0);
    const sent = async () => (await app.call("GET", "/stats")).body.totals.sent;
    expect(await sent()).toBe(1);
    await app.call("DELETE", "/sandbox");
    expect(await sent()).toBe(0);
    const { n } = app.environments.test.db.raw.query("select count(*) n from figures").get() as {
      n: number;
    };
    expect(n).toBe(0);
  });

  test("starts a simulation anew: the same seed plays the same again", async () => {
    const play = async () => {
      const account = await addAccount(app);
      await app.call("PATCH", "/sandbox/settings", { seed: 5, rates: { reply: 0.5 } });
      for (let index = 0; index < 20; index += 1) {
        await send(app, account, `p${index}@example.com`);
      }
      const { data } = (await app.call("GET", "/sandbox/messages")).body;
      await app.call("DELETE", "/sandbox");
      return data.map((row: { recipient: string; verdict: string }) => [
        row.recipient,
        row.verdict,
      ]);
    };
    expect(await play()).toEqual(await play());
  });
});

/** How many rows of the team each table holds, where it holds any. */
function tables({ environments }: TestApp, teamId: string): Record<string, number> {
  const { raw } = environments.test.db;
  const names = raw
    .query<{ name: string }, []>(
      "select t.name from sqlite_master t join pragma_table_info(t.name) c " +
        "where t.type = 'table' and c.name = 'team_id'",
    )
    .all();
  const team = Buffer.from(teamId.replaceAll("-", ""), "hex");
  const counts = names.map(({ name }): [string, number] => {
    const row = raw
      .query<{ n: number }, [Uint8Array]>(`select count(*) n from "${name}" where team_id = ?`)
      .get(team);
    return [name, row?.n ?? 0];
  });
  return Object.fromEntries(counts.filter(([, n]) => n > 0));
}

describe("POST /sandbox/demo", () => {
  const total = async (path: string) => (await app.call("GET", path)).body.total as number;

  test("200: mailboxes, leads, and campaigns under way, each by the key that asked", async () => {
    const { status, body } = await app.call("POST", "/sandbox/demo", { leads: 30 });
    expect([status, body]).toEqual([200, { accounts: 7, campaigns: 4, leads: 30 }]);
    expect(await total("/campaigns?status=active")).toBe(4);
    // The bad list has 66 addresses of its own.
    expect(await total("/leads")).toBe(96);
    const { body: log } = await app.call("GET", "/audit?action=campaign.start&limit=10");
    expect(log.data).toHaveLength(4);
    expect(new Set(log.data.map(({ actor }: { actor: string }) => actor.split(":")[0]))).toEqual(
      new Set(["key"]),
    );
    await app.advance(7 * DAY_MS);
    expect(await total("/events?type=email.sent&limit=1")).toBeGreaterThan(30);
  });

  test("409: not beside what somebody has made; again once the sandbox is reset", async () => {
    await app.call("POST", "/accounts", { email: "ann@sender.example", provider: "smtp" });
    const { status, body } = await app.call("POST", "/sandbox/demo", { leads: 10 });
    expect([status, body.type]).toEqual([409, "conflict"]);
    expect(body.message).toContain("reset it");
    expect(await total("/campaigns")).toBe(0);
    expect((await app.call("DELETE", "/sandbox")).status).toBe(204);
    expect((await app.call("POST", "/sandbox/demo", { leads: 10 })).status).toBe(200);
  });

  test.each([
    [{ leads: 9 }, "leads"],
    [{ leads: 2001 }, "leads"],
    [{ seed: 1 }, "seed"],
  ])("422: %j names %s", async (given, field) => {
    const { status, body } = await app.call("POST", "/sandbox/demo", given);
    expect([status, body.field]).toEqual([422, field]);
  });
});
