/**
 * The HTTP contract of what will be sent and why not now: `forecast`, `explain`, and the
 * `sending_status` of a campaign. That a forecast comes true is the simulation's to show.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#domain/time.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import { idToBytes } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";
import type { CampaignRow } from "#store/tables/campaigns.ts";
import { claimNext } from "#usecases/delivery/claim.ts";
import { forecastCampaign } from "#usecases/forecast/forecast.ts";
import type { PlannedSend } from "#usecases/forecast/project.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addAccount, addLeads, makeCampaign } from "../../support/campaigns.ts";

const PLAIN = { type: "email", subject: "Hello", body: "Hi there" };
const AGAIN = { type: "email", body: "Again", wait_days: 2 };
const people = (count: number) => Array.from({ length: count }, (_, n) => `p${n}@quiet.example`);

let app: TestApp;
let account: string;
beforeEach(async () => {
  app = await createTestApp();
  app.environments.clock.setSpeed(0);
  account = (await addAccount(app)).id;
  const names = ["reply", "interested", "auto_reply", "hard_bounce", "soft_bounce", "complaint"];
  const rates = Object.fromEntries([...names, "unsubscribe"].map((name) => [name, 0]));
  expect((await app.call("PATCH", "/sandbox/settings", { rates })).status).toBe(200);
});
afterEach(() => app.close());

const read = async (id: string) => {
  const { sending_status, next_send_at } = (await app.call("GET", `/campaigns/${id}`)).body;
  return [sending_status, next_send_at];
};
const explain = async (id: string, lead: string) =>
  (await app.call("GET", `/campaigns/${id}/leads/${lead}/explain`)).body;
const forecast = async (id: string, query = "") =>
  (await app.call("GET", `/campaigns/${id}/forecast${query}`)).body;

/** An active campaign with leads; answers their enrollments. */
async function started(count: number, steps: object[] = [PLAIN], change: object = {}) {
  const { id } = await makeCampaign(app, steps);
  await app.call("PATCH", `/campaigns/${id}`, change);
  const leads = await addLeads(app, id, ...people(count));
  expect((await app.call("POST", `/campaigns/${id}/start`)).status).toBe(200);
  return { id, leads: leads.map((lead) => lead.id as string) };
}

const EARLY = { send_window: { start_hour: 9, end_hour: 12 } };

describe("sending_status", () => {
  test("draft, and paused where it is paused or archived", async () => {
    const { id } = await makeCampaign(app, [PLAIN]);
    expect(await read(id)).toEqual(["draft", null]);
    await app.call("POST", `/campaigns/${id}/start`);
    await app.call("POST", `/campaigns/${id}/pause`);
    expect(await read(id)).toEqual(["paused", null]);
    await app.call("POST", `/campaigns/${id}/archive`);
    expect(await read(id)).toEqual(["paused", null]);
  });

  test("nothing_due: without leads, and when it has completed", async () => {
    const empty = await started(0);
    expect(await read(empty.id)).toEqual(["nothing_due", null]);
    const { id } = await started(1);
    await app.advance(HOUR_MS);
    expect((await app.call("GET", `/campaigns/${id}`)).body.status).toBe("completed");
    expect(await read(id)).toEqual(["nothing_due", null]);
  });

  test("sending: the next email goes out now, or when the mailbox's pace lets it", async () => {
    const { id } = await started(5);
    expect(await read(id)).toEqual(["sending", "2026-03-02T15:00:00.000Z"]);
    await app.advance(1);
    const [status, next] = await read(id);
    expect(status).toBe("sending");
    expect(Date.parse(next)).toBeGreaterThanOrEqual(Date.parse("2026-03-02T15:03:00.000Z"));
  });

  test("outside_window: until the window opens", async () => {
    const { id } = await started(1, [PLAIN], EARLY);
    expect(await read(id)).toEqual(["outside_window", expect.any(String)]);
    expect((await read(id))[1]).toStartWith("2026-03-03T09:");
  });

  test("new_lead_cap: until the campaign's next day", async () => {
    const { id } = await started(2, [PLAIN], { max_leads_per_day: 1 });
    await app.advance(HOUR_MS);
    const [status, next] = await read(id);
    expect([status, next.slice(0, 13)]).toEqual(["new_lead_cap", "2026-03-03T09"]);
  });

  test.each([
    ["account_caps", "the mailbox's day", { daily_limit: 1 }, {}, "2026-03-03T"],
    ["account_caps", "the mailbox's hour", { hourly_limit: 1 }, {}, "2026-03-02T16"],
    ["campaign_limit", "the campaign's day", {}, { daily_limit: 1 }, "2026-03-03T09"],
    ["domain_cap", "the domain's day", {}, { max_per_domain_per_day: 1 }, "2026-03-03T09"],
  ])("%s: %s is full", async (reason, _name, mailbox, campaign, until) => {
    await app.call("PATCH", `/accounts/${account}`, mailbox);
    const { id } = await started(2, [PLAIN], campaign);
    await app.advance(30 * MINUTE_MS);
    const [status, next] = await read(id);
    expect([status, next?.slice(0, until.length)]).toEqual([reason, until]);
  });

  test("waiting_for_step_delay: until the earliest follow-up", async () => {
    const { id } = await started(2, [PLAIN, AGAIN]);
    await app.advance(HOUR_MS);
    const [status, next] = await read(id);
    expect([status, next.slice(0, 10)]).toEqual(["waiting_for_step_delay", "2026-03-04"]);
  });

  test("no_active_account: until somebody fixes one", async () => {
    const { id } = await started(2);
    await app.call("PATCH", `/accounts/${account}`, { status: "paused" });
    expect(await read(id)).toEqual(["no_active_account", null]);
  });
});

describe("GET /campaigns/{id}/forecast", () => {
  test("200: every day of the range, and each email of it", async () => {
    const { id, leads } = await started(2, [PLAIN, AGAIN]);
    const { body: steps } = await app.call("GET", `/campaigns/${id}/steps`);
    const body = await forecast(id, "?days=3");
    expect(body).toMatchObject({
      campaign_id: id,
      from: "2026-03-02T15:00:00.000Z",
      to: "2026-03-05T15:00:00.000Z",
      total: 4,
      next_send_at: "2026-03-02T15:00:00.000Z",
      days: [
        { date: "2026-03-02", new_leads: 2, follow_ups: 0 },
        { date: "2026-03-03", new_leads: 0, follow_ups: 0 },
        { date: "2026-03-04", new_leads: 0, follow_ups: 2 },
        { date: "2026-03-05", new_leads: 0, follow_ups: 0 },
      ],
    });
    expect(body.sends).toHaveLength(4);
    expect(Object.keys(body.sends[0]).toSorted()).toEqual([
      "account_id",
      "at",
      "enrollment_id",
      "lead_id",
      "step_id",
      "step_position",
    ]);
    const times = body.sends.map(({ at }: { at: string }) => at);
    expect(times).toEqual(times.toSorted());
    expect(body.sends[0]).toMatchObject({ enrollment_id: leads[0], account_id: account });
    expect(body.sends[3].step_id).toBe(steps.data[1].id);
  });

  test("200: seven days unless told otherwise, of the campaign's own calendar", async () => {
    const window = { timezone: "Pacific/Auckland" };
    const { id } = await started(1, [PLAIN], { send_window: window });
    const { days, to } = await forecast(id);
    expect(to).toBe("2026-03-09T15:00:00.000Z");
    expect(days[0].date).toBe("2026-03-03");
    expect(days).toHaveLength(8);
  });

  test("200: nothing where nothing will be sent", async () => {
    const { id } = await makeCampaign(app, [PLAIN]);
    await addLeads(app, id, "a@quiet.example");
    expect(await forecast(id)).toMatchObject({ total: 0, next_send_at: null, sends: [] });
  });

  test("200: what it says is what then happens, and asking changes nothing", async () => {
    const { id } = await started(12, [PLAIN, AGAIN], { max_leads_per_day: 5 });
    const told = await forecast(id, "?days=7");
    expect(told.total).toBeGreaterThan(15);
    await app.advance(7 * DAY_MS);
    const rows = app.environments.test.db.raw
      .query<{ at: number }, []>("SELECT sent_at at FROM messages ORDER BY sent_at")
      .all();
    const sent = rows.map(({ at }) => new Date(at).toISOString());
    expect(sent).toEqual(told.sends.map(({ at }: { at: string }) => at));
  });

  test("200: an hour's limit is spread over the hour, and the forecast of it comes true", async () => {
    const limits = { daily_limit: 500, hourly_limit: 6, min_gap_seconds: 20 };
    await app.call("PATCH", `/accounts/${account}`, limits);
    const { id } = await started(60, [PLAIN], { max_leads_per_day: 100 });
    const told = (await forecast(id, "?days=2")).sends.map(({ at }: { at: string }) => at);
    expect(told.length).toBeGreaterThanOrEqual(58);
    await app.advance(2 * DAY_MS);
    const sent = app.environments.test.db.raw
      .query<{ at: number }, []>("SELECT sent_at at FROM messages ORDER BY sent_at")
      .all()
      .map(({ at }) => new Date(at).toISOString());
    expect(sent).toEqual(told);
    const hours = Map.groupBy(sent, (at) => at.slice(0, 13));
    for (const [hour, times] of [...hours].slice(0, -1)) {
      expect([hour, times.length]).toEqual([hour, 6]);
      const late = times.filter((at) => Number(at.slice(14, 16)) >= 30);
      expect(late.length).toBeGreaterThanOrEqual(2);
      expect(late.length).toBeLessThanOrEqual(4);
    }
  });

  test.each(["0", "32", "-1", "1.5", "week", ""])("422: %p days", async (days) => {
    const { id } = await makeCampaign(app, [PLAIN]);
    const { status, body } = await app.call("GET", `/campaigns/${id}/forecast?days=${days}`);
    expect([status, body.field]).toEqual([422, "days"]);
  });

  test.each([1, 31])("200: %d days", async (days) => {
    const { id } = await makeCampaign(app, [PLAIN]);
    const { from, to } = await forecast(id, `?days=${days}`);
    expect(Date.parse(to) - Date.parse(from)).toBe(days * DAY_MS);
  });

  test("404: another team's, and the other environment's", async () => {
    const { id } = await makeCampaign(app, [PLAIN]);
    const { keys } = await app.addTeam("Other");
    const path = `/campaigns/${id}/forecast`;
    expect((await app.call("GET", path, undefined, { key: keys.test })).status).toBe(404);
    expect((await app.live("GET", path)).status).toBe(404);
  });
});

describe("GET /campaigns/{id}/leads/{leadId}/explain", () => {
  test("in_queue: its place, and the exact time within a week", async () => {
    const { id, leads } = await started(5);
    const told = await forecast(id);
    for (const [place, lead] of leads.entries()) {
      const body = await explain(id, lead);
      expect(Object.keys(body).toSorted()).toEqual([
        "ahead",
        "enrollment_id",
        "estimated",
        "message",
        "next_send_at",
        "reason",
      ]);
      expect(body).toMatchObject({ enrollment_id: lead, estimated: false, ahead: place });
      expect(body.reason).toBe("in_queue");
      expect(body.next_send_at).toBe(told.sends[place].at);
    }
  });

  test("takes the lead's id as well as the enrollment's", async () => {
    const { id, leads } = await started(1);
    const { lead_id } = (await app.call("GET", `/campaigns/${id}/leads/${leads[0]}`)).body;
    expect(await explain(id, lead_id)).toEqual(await explain(id, leads[0] ?? ""));
  });

  test("beyond a week: the place, and an estimate that says so", async () => {
    const { id, leads } = await started(20, [PLAIN], { max_leads_per_day: 1 });
    const body = await explain(id, leads.at(-1) ?? "");
    expect(body).toMatchObject({ estimated: true, ahead: 19 });
    expect(Date.parse(body.next_send_at)).toBeGreaterThan(Date.parse("2026-03-20T00:00:00Z"));
  });

  test("beyond five hundred emails: an estimate that is near what happens", async () => {
    const { id } = await makeCampaign(app, [PLAIN]);
    const hours = {
      days: ["monday", "tuesday", "wednesday", "thursday"],
      start_hour: 8,
      end_hour: 16,
    };
    await app.call("PATCH", `/campaigns/${id}`, { send_window: hours, max_leads_per_day: 500 });
    const quick = { daily_limit: 500, hourly_limit: 500, min_gap_seconds: 0, max_gap_seconds: 90 };
    expect((await app.call("PATCH", `/accounts/${account}`, quick)).status).toBe(200);
    const leads = people(1300).map((email) => ({ email }));
    expect((await app.call("POST", `/campaigns/${id}/leads`, { leads })).status).toBe(200);
    await app.call("POST", `/campaigns/${id}/start`);
    const env = app.environments.test;
    const campaign = campaignById(env.db, id) as CampaignRow;
    const { sends } = await forecastCampaign(env, campaign, {
      days: 7,
      asIfStarted: false,
      listed: Number.POSITIVE_INFINITY,
    });
    expect(sends.length).toBeGreaterThan(1250);
    for (const place of [499, 500, 700, 900, 1250]) {
      const { at, enrollmentId } = sends[place] as PlannedSend;
      const body = await explain(id, enrollmentId);
      expect(body).toMatchObject({ estimated: place >= 500, ahead: place });
      const offMs = Math.abs(Date.parse(body.next_send_at) - at);
      expect(offMs).toBeLessThan(place >= 500 ? 3 * HOUR_MS : 1);
    }
  });

  test("of a hundred thousand and more before it, that they are so many", async () => {
    const { id, leads } = await started(3, [PLAIN], { max_leads_per_day: 1 });
    const [, , last = ""] = leads;
    copyNewLead(app.environments.test.db, leads[0] ?? "", 99_997);
    expect(await explain(id, last)).toMatchObject({ ahead: 99_999 });
    copyNewLead(app.environments.test.db, leads[0] ?? "", 2, "Asia/Tokyo");
    const body = await explain(id, last);
    expect(body).toMatchObject({ ahead: 100_000, estimated: true });
    expect(body.message).toEndWith("; 100,000 or more new leads are ahead of it");
  });

  const waits: [string, object, object, string][] = [
    ["outside_window", {}, EARLY, "2026-03-03T09"],
    ["new_lead_cap", {}, { max_leads_per_day: 1 }, "2026-03-03T09"],
    ["account_caps", { daily_limit: 1 }, {}, "2026-03-03T"],
  ];
  test.each(waits)("%s: with the time at which that ends", async (reason, mailbox, change, at) => {
    await app.call("PATCH", `/accounts/${account}`, mailbox);
    const { id, leads } = await started(2, [PLAIN], change);
    await app.advance(30 * MINUTE_MS);
    const body = await explain(id, leads[1] ?? "");
    expect(body).toMatchObject({ reason, estimated: false });
    expect(body.next_send_at).toStartWith(at);
    expect(body.message.length).toBeGreaterThan(10);
  });

  test("waiting_for_step_delay: a follow-up has no place among new leads", async () => {
    const { id, leads } = await started(1, [PLAIN, AGAIN]);
    await app.advance(HOUR_MS);
    const body = await explain(id, leads[0] ?? "");
    expect(body).toMatchObject({ reason: "waiting_for_step_delay", ahead: null, estimated: false });
    expect(body.next_send_at).toStartWith("2026-03-04T15:");
  });

  test("a follow-up that is due after the week is told with its due time", async () => {
    const { id, leads } = await started(1, [PLAIN, { ...AGAIN, wait_days: 30 }]);
    await app.advance(HOUR_MS);
    const body = await explain(id, leads[0] ?? "");
    expect(body).toMatchObject({ reason: "waiting_for_step_delay", estimated: true, ahead: null });
    expect(body.next_send_at).toStartWith("2026-04-01T");
  });

  test("no_active_account: no time at all", async () => {
    const { id, leads } = await started(1);
    await app.call("PATCH", `/accounts/${account}`, { status: "paused" });
    const body = await explain(id, leads[0] ?? "");
    expect(body).toMatchObject({ reason: "no_active_account", next_send_at: null });
  });

  test("draft and paused: the campaign's", async () => {
    const { id } = await makeCampaign(app, [PLAIN]);
    const [lead] = await addLeads(app, id, "a@quiet.example");
    expect(await explain(id, lead.id)).toMatchObject({ reason: "draft", next_send_at: null });
    await app.call("POST", `/campaigns/${id}/start`);
    await app.call("POST", `/campaigns/${id}/pause`);
    expect(await explain(id, lead.id)).toMatchObject({ reason: "paused", ahead: null });
  });

  test("paused_lead, held, ended: with what holds or ended it", async () => {
    const holey = { type: "email", subject: "Hi {{nickname}}", body: "Hello" };
    const { id, leads } = await started(3, [holey]);
    const [paused = "", ended = "", held = ""] = leads;
    await app.call("PATCH", `/campaigns/${id}/leads/${paused}`, { status: "paused" });
    await app.call("PATCH", `/campaigns/${id}/leads/${ended}`, { status: "completed" });
    await app.advance(HOUR_MS);
    expect((await explain(id, paused)).reason).toBe("paused_lead");
    expect(await explain(id, held)).toMatchObject({ reason: "held", next_send_at: null });
    expect((await explain(id, held)).message).toContain("nickname");
    expect(await explain(id, ended)).toMatchObject({ reason: "ended", next_send_at: null });
    expect((await explain(id, ended)).message).toContain("completed");
  });

  test("sending_now: while its email is under way", async () => {
    const { id, leads } = await started(1);
    const env = app.environments.test;
    await env.commit(() => claimNext(env, account, env.clock.now()));
    expect(await explain(id, leads[0] ?? "")).toMatchObject({ reason: "sending_now" });
  });

  test("404: of another campaign, another team, and nobody", async () => {
    const { id, leads } = await started(1);
    const other = await makeCampaign(app, [PLAIN]);
    const { keys } = await app.addTeam("Other");
    const path = `/campaigns/${id}/leads/${leads[0]}/explain`;
    expect((await app.call("GET", path, undefined, { key: keys.test })).status).toBe(404);
    expect((await app.call("GET", path.replace(id, other.id))).status).toBe(404);
    expect((await app.call("GET", path.replace(leads[0] ?? "", id))).status).toBe(404);
  });
});

/** So many more that came when this one did, and before it in the queue. Nothing else knows of them. */
function copyNewLead({ raw }: Db, enrollmentId: string, copies: number, zone = ""): void {
  const columns = raw
    .query<{ name: string }, []>("select name from pragma_table_info('enrollments')")
    .all()
    .map(({ name }) => name);
  const values: Record<string, string> = {
    id: "cast(zeroblob(6) || randomblob(10) as blob)",
    lead_id: "randomblob(16)",
    zone: `'${zone}'`,
  };
  raw.exec("pragma foreign_keys = off");
  raw
    .query<null, [number, Uint8Array]>(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?1)
       insert into enrollments (${columns.join(", ")})
       select ${columns.map((name) => values[name] ?? `e.${name}`).join(", ")}
       from enrollments e, n where e.id = ?2`,
    )
    .run(copies, idToBytes(enrollmentId));
  raw.exec("pragma foreign_keys = on");
}
