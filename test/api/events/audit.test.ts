/** The contract of `/audit`, what the engine's own guards leave in it, and how long it is kept. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { localDay } from "#domain/campaigns/local-day.ts";
import { auditFacts } from "#domain/events/audit.ts";
import { NO_POINTS } from "#domain/mailboxes/health.ts";
import { DAY_MS, HOUR_MS, plus } from "#domain/time.ts";
import { upkeepWorker } from "#engine/upkeep.ts";
import { findCampaign } from "#store/campaigns/campaigns.ts";
import { countHealth } from "#store/campaigns/health.ts";
import { pauseByGuard, resumeByItself } from "#usecases/campaigns/campaigns.ts";
import { refreshHealth } from "#usecases/campaigns/health.ts";
import {
  recordAuthFailure,
  recordSmtpError,
  recoverAccount,
} from "#usecases/mailboxes/accounts.ts";
import { createTestApp, START, type TestApp } from "../../support/app.ts";
import { addAccount, makeCampaign } from "../../support/campaigns.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

const read = async (query = "") => (await app.call("GET", `/audit${query}`)).body;
const actions = async (query: string) =>
  (await read(query)).data.map(({ action }: { action: string }) => action);
const patch = (id: string, name: string) => app.call("PATCH", `/campaigns/${id}`, { name });

describe("GET /audit", () => {
  test("200: who, what, when, before and after, and the request", async () => {
    const { id } = await makeCampaign(app, []);
    app.wall.move(HOUR_MS);
    const headers = { "X-Request-Id": "my-request-1" };
    await app.call("PATCH", `/campaigns/${id}`, { name: "Summer" }, { headers });
    const [entry] = (await read()).data;
    const key = (await app.call("GET", "/keys")).body.data[0].id;
    expect(entry).toEqual({
      seq: expect.any(Number),
      actor: `key:${key}`,
      actor_name: "first",
      action: "campaign.patch",
      target: `campaign:${id}`,
      created_at: "2026-03-02T16:00:00.000Z",
      request_id: "my-request-1",
      before: { name: "Spring" },
      after: { name: "Summer" },
      position: entry.seq,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test("200: filters, each alone and together", async () => {
    const one = await makeCampaign(app, []);
    const two = await makeCampaign(app, []);
    app.wall.move(HOUR_MS);
    await patch(one.id, "A");
    await app.call("POST", "/suppressions", { email: "x@example.com" });
    const later = new Date(START + HOUR_MS).toISOString();
    expect(await actions("?action=campaign.patch")).toEqual(["campaign.patch"]);
    expect(await actions("?action=campaign.*")).toEqual([
      "campaign.patch",
      "campaign.create",
      "campaign.create",
    ]);
    expect(await actions(`?target=campaign:${two.id}`)).toEqual(["campaign.create"]);
    expect(await actions("?target=suppression:*")).toEqual(["suppression.create"]);
    expect(await actions("?actor=operator")).toEqual(["key.create"]);
    expect(await actions("?actor=key:*&action=suppression.*")).toEqual(["suppression.create"]);
    expect(await actions("?actor=engine")).toEqual([]);
    expect(await actions(`?since=${later}`)).toEqual(["suppression.create", "campaign.patch"]);
    expect((await read(`?until=${later}`)).total).toBe(3);
    expect((await read("?action=%25")).total).toBe(0);
    expect((await read("?action=campaign_create")).total).toBe(0);
  });

  test("200: pages by cursor hold every entry once, also while others are added", async () => {
    const { id } = await makeCampaign(app, []);
    for (const name of ["A", "B", "C", "D"]) {
      await patch(id, name);
    }
    const first = await read("?limit=2");
    expect([first.total, first.hasMore]).toEqual([6, true]);
    await patch(id, "E");
    const second = await read(`?limit=2&after=${first.next_cursor}`);
    const third = await read(`?limit=2&after=${second.next_cursor}`);
    expect(third).toMatchObject({ hasMore: false, next_cursor: null });
    const names = [first, second, third].flatMap(({ data }) =>
      data.map(({ after }: { after: { name: string } }) => after.name),
    );
    expect(names).toEqual(["D", "C", "B", "A", "Spring", "first"]);
  });

  test.each([
    ["limit=0", "limit"],
    ["after=x", "after"],
    ["after=0", "after"],
    ["since=yesterday", "since"],
    ["until=2026-02-30T00:00:00Z", "until"],
    ["actor=", "actor"],
    ["who=me", "who"],
  ])("422: %s", async (query, field) => {
    const { status, body } = await app.call("GET", `/audit?${query}`);
    expect([status, body.field]).toEqual([422, field]);
  });

  test("403 for keys that read and write anything else; audit:read opens it", async () => {
    const opens = async (scopes: string[]) => {
      const { key } = (await app.call("POST", "/keys", { name: "x", scopes })).body;
      return (await app.call("GET", "/audit", undefined, { key })).status;
    };
    expect(await opens(["read", "write"])).toBe(403);
    expect(await opens(["audit:read"])).toBe(200);
  });

  test("200: a team's log begins with its making, on the command line", async () => {
    const { data } = (await app.live("GET", "/audit?actor=operator")).body;
    expect(
      data.map(({ action, after }: { action: string; after: object }) => [action, after]),
    ).toEqual([
      ["key.create", { name: "first", scopes: ["admin"], expires_at: null }],
      ["team.create", { name: "Acme" }],
    ]);
  });

  test("another team's and another environment's entries are not in it", async () => {
    const other = await app.addTeam("Other");
    await makeCampaign(app, []);
    const theirs = (await app.call("GET", "/audit", undefined, { key: other.keys.test })).body;
    expect(theirs.data.map(({ action }: { action: string }) => action)).toEqual(["key.create"]);
    expect((await app.live("GET", "/audit?action=campaign.*")).body.total).toBe(0);
  });
});

describe("what the engine does by itself", () => {
  test("a mailbox in error and out of it, a campaign that a guard pauses and lets go on", async () => {
    const env = app.environments.test;
    const account = (await addAccount(app)).id;
    const { id } = await makeCampaign(app);
    await env.commit(() => recordAuthFailure(env, account, "535 no"));
    await env.commit(() => recoverAccount(env, account));
    for (let count = 0; count < 5; count += 1) {
      await env.commit(() => recordSmtpError(env, account, "421 later"));
    }
    const row = () => findCampaign(env.db, app.team.id, id) ?? expect.unreachable();
    await env.commit(() => pauseByGuard(env, { ...row(), status: "active" }, "bounce_rate"));
    await env.commit(() => resumeByItself(env, row()));
    const { data } = await read("?actor=engine");
    expect(
      data.map(({ action, before, after }: Record<string, unknown>) => [action, before, after]),
    ).toEqual([
      [
        "campaign.resume",
        { status: "paused", status_reason: "bounce_rate" },
        { status: "active", status_reason: null },
      ],
      [
        "campaign.pause",
        {
          status: "active",
          status_reason: null,
          sends: null,
          hard_bounces: null,
          complaints: null,
        },
        {
          ...{ status: "paused", status_reason: "bounce_rate" },
          ...{ sends: 0, hard_bounces: 0, complaints: 0 },
        },
      ],
      [
        "account.error",
        { status: "active", status_reason: null },
        { status: "error", status_reason: "smtp_errors" },
      ],
      [
        "account.recover",
        { status: "error", status_reason: "auth", last_error: "535 no" },
        { status: "active", status_reason: null, last_error: null },
      ],
      [
        "account.error",
        { status: "active", status_reason: null, last_error: null },
        { status: "error", status_reason: "auth", last_error: "535 no" },
      ],
    ]);
  });
});

describe("a mailbox that its health pauses", () => {
  test("is in the log, with the score, and so is its return a week later", async () => {
    const env = app.environments.test;
    const { id } = await addAccount(app);
    const { date } = localDay("UTC", env.clock.now());
    const day = { teamId: app.team.id, accountId: id, date, score: 100, points: NO_POINTS };
    await env.commit(() => {
      countHealth(env.db, { ...day, sends: 100, hardBounces: 20, complaints: 5 });
      refreshHealth(env, id);
    });
    const moves = async () =>
      (await read(`?actor=engine&target=account:${id}`)).data.map(
        ({ action, after }: { action: string; after: object }) => ({ action, ...after }),
      );
    const paused = {
      ...{ action: "account.pause", status: "paused", status_reason: "health" },
      ...{ health_score: 20, paused_until: "2026-03-09T15:00:00.000Z" },
    };
    expect(await moves()).toEqual([paused]);
    await app.advance(8 * DAY_MS);
    expect(await moves()).toEqual([
      expect.objectContaining({ action: "account.resume", status: "active", status_reason: null }),
      paused,
    ]);
  });
});

describe("the log", () => {
  test("is kept as long as is configured, and is then forgotten by upkeep", async () => {
    await makeCampaign(app, []);
    app.wall.move(31 * DAY_MS);
    await makeCampaign(app, []);
    const step = async (auditKeptMs: number | null) => {
      const env = { ...app.environments.test, auditKeptMs };
      await upkeepWorker(env).step(plus(START, 0));
    };
    await step(null);
    expect((await read()).total).toBe(3);
    await step(30 * DAY_MS);
    expect((await read()).total).toBe(1);
  });

  test("names fields as the API does, instants as times, and keeps what differs", () => {
    const before = { dailyLimit: 1, sendWindow: { startHour: 9 }, startedAt: null, same: [1] };
    const after = { dailyLimit: 2, sendWindow: { startHour: 8 }, startedAt: START, same: [1] };
    expect(auditFacts(before, after)).toEqual([
      { daily_limit: 1, send_window: { start_hour: 9 }, started_at: null },
      { daily_limit: 2, send_window: { start_hour: 8 }, started_at: "2026-03-02T15:00:00.000Z" },
    ]);
    expect(auditFacts(null, { a: 1 })).toEqual([null, { a: 1 }]);
  });
});
