/** The contract of `GET /stats`, through HTTP. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS } from "#domain/time.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { comeBack, statsOf, threadsOf, underway } from "../../support/inbox.ts";
import { NOBODY } from "../sandbox/sandbox-support.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

const BOB = "bob@client.example";
const CY = "cy@other.example";
const DI = "di@third.example";

const read = async (query = "") => (await app.call("GET", `/stats${query}`)).body;

describe("GET /stats", () => {
  test("200: an empty team has thirty days of nothing, and a week of hours", async () => {
    const { status, body } = await app.call("GET", "/stats");
    expect(status).toBe(200);
    expect([body.from, body.to, body.timezone]).toEqual(["2026-02-01", "2026-03-02", "UTC"]);
    expect(body.days).toHaveLength(30);
    expect(body.reply_hours.map((hours: number[]) => hours.length)).toEqual(Array(7).fill(24));
    expect(new Set(Object.values(body.totals))).toEqual(new Set([0]));
  });

  test("200: days ask for a period by its length, up to the last day that is named", async () => {
    const week = await read("?days=7&to=2026-02-08");
    expect([week.from, week.to, week.days.length]).toEqual(["2026-02-02", "2026-02-08", 7]);
    expect((await read("?days=2&timezone=Asia/Tokyo")).from).toBe("2026-03-02");
  });

  test("200: what happened is on its day, and sums equal what the campaign and its emails say", async () => {
    const at = await underway(app, [BOB, CY, DI]);
    const [bob, cy, di] = at.leads.map(({ id }) => id);
    await app.advance(DAY_MS);
    await comeBack(app, { kind: "interested", enrollment_id: bob });
    await comeBack(app, { kind: "bounce", enrollment_id: cy });
    await comeBack(app, { kind: "unsubscribe", enrollment_id: di });
    await app.advance(HOUR_MS);
    const body = await read("?from=2026-03-01&to=2026-03-10");
    const campaign = await statsOf(app, at);
    expect(body.totals).toMatchObject({
      sent: campaign.sent,
      replied: campaign.replied,
      positive: 1,
      bounced: campaign.bounced,
      unsubscribed: campaign.unsubscribed,
    });
    expect([campaign.replied, campaign.bounced, campaign.unsubscribed]).toEqual([1, 1, 1]);
    const counted = app.environments.test.db.raw
      .query<{ date: string; sent: number }, []>(
        `select date(sent_at / 1000, 'unixepoch') as date, count(*) as sent from messages
         where kind = 'step' and status = 'sent' group by 1 order by 1`,
      )
      .all();
    const days: { date: string; sent: number }[] = body.days;
    expect(days.filter(({ sent }) => sent > 0).map(({ date, sent }) => ({ date, sent }))).toEqual(
      counted,
    );
    expect(body.reply_hours.flat().reduce((sum: number, n: number) => sum + n, 0)).toBe(1);
    for (const query of [`?campaign_id=${at.campaign}`, `?account_id=${at.account}`]) {
      expect((await read(`${query}&to=2026-03-10`)).totals).toEqual(body.totals);
    }
  });

  test("200: a reply that turns out to be none is taken off the day on which it was counted", async () => {
    const at = await underway(app, [BOB]);
    await comeBack(app, { kind: "reply", enrollment_id: at.leads[0]?.id });
    const [thread] = await threadsOf(app);
    const replied = async () => (await read("?to=2026-03-10")).totals.replied;
    expect(await replied()).toBe(1);
    await app.advance(2 * DAY_MS);
    await app.call("PATCH", `/inbox/threads/${thread?.id}`, { kind: "auto_reply" });
    expect(await replied()).toBe(0);
    await app.call("PATCH", `/inbox/threads/${thread?.id}`, { kind: "reply" });
    expect(await replied()).toBe(1);
  });

  test("200: of the leads contacted on a day it says who has replied since, as the campaign's reply rate does", async () => {
    const at = await underway(app, [BOB, CY, DI]);
    const [bob] = at.leads.map(({ id }) => id);
    await app.advance(3 * DAY_MS);
    await comeBack(app, { kind: "reply", enrollment_id: bob });
    const sameRate = async () => {
      const { days, totals } = await read(`?campaign_id=${at.campaign}&to=2026-03-10`);
      const { contacted, replied, reply_rate } = await statsOf(app, at);
      expect([contacted, replied]).toEqual([totals.contacted, totals.contacted_replied]);
      expect(reply_rate).toBeCloseTo(totals.contacted_replied / totals.contacted);
      return days.filter((day: { contacted: number }) => day.contacted > 0);
    };
    expect(await sameRate()).toMatchObject([
      { date: "2026-03-02", contacted: 3, contacted_replied: 1, replied: 0 },
    ]);
    const [thread] = await threadsOf(app);
    await app.call("PATCH", `/inbox/threads/${thread?.id}`, { kind: "auto_reply" });
    expect(await sameRate()).toMatchObject([{ contacted: 3, contacted_replied: 0 }]);
    await app.call("PATCH", `/inbox/threads/${thread?.id}`, { kind: "reply" });
    expect(await sameRate()).toMatchObject([{ contacted: 3, contacted_replied: 1 }]);
  });

  test("200: days begin at midnight of the zone asked for", async () => {
    await underway(app, [BOB]);
    const sentOn = async (zone: string) =>
      (await read(`?timezone=${encodeURIComponent(zone)}&to=2026-03-10`)).days.find(
        ({ sent }: { sent: number }) => sent > 0,
      )?.date;
    expect(await sentOn("UTC")).toBe("2026-03-02");
    expect(await sentOn("Pacific/Auckland")).toBe("2026-03-03");
  });

  test("200: another team's email is not counted", async () => {
    await underway(app, [BOB]);
    const other = await app.addTeam("Other");
    const { body } = await app.call("GET", "/stats", undefined, { key: other.keys.test });
    expect(body.totals.sent).toBe(0);
  });

  test.each([
    ["from=yesterday", "from"],
    ["to=2026-02-30", "to"],
    ["from=2026-03-05&to=2026-03-01", "to"],
    ["from=2024-01-01&to=2026-03-01", "from"],
    ["timezone=Mars%2FOlympus", "timezone"],
    ["days=0", "days"],
    ["days=367", "days"],
    ["days=7&from=2026-02-01", "days"],
    [`campaign_id=${NOBODY}&account_id=${NOBODY}`, "account_id"],
  ])("422: %s names %s", async (query, field) => {
    const { status, body } = await app.call("GET", `/stats?${query}`);
    expect([status, body.field]).toEqual([422, field]);
  });

  test("404: a campaign and an account that there are not", async () => {
    for (const name of ["campaign_id", "account_id"]) {
      expect((await app.call("GET", `/stats?${name}=${NOBODY}`)).status).toBe(404);
    }
  });

  test("days are read from the owner's own rows", () => {
    const plan = app.environments.test.db.raw
      .query<{ detail: string }, []>(
        "explain query plan select * from figures where owner = ?1 and slot >= ?2 and slot < ?3 order by slot",
      )
      .all();
    expect(plan.map(({ detail }) => detail).join()).toContain("(owner=? AND slot>? AND slot<?)");
    expect(plan.map(({ detail }) => detail).join()).not.toContain("TEMP B-TREE");
  });
});
