/**
 * What `explain` and `sending_status` answer where the order of the queue is not the order in which its
 * leads are written to, and which of several limits binds.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { HOUR_MS, MINUTE_MS } from "#domain/time.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addAccount, addLeads, makeCampaign } from "../../support/campaigns.ts";

const PLAIN = { type: "email", subject: "Hello", body: "Hi there" };

let app: TestApp;
let account: string;
beforeEach(async () => {
  app = await createTestApp();
  app.environments.clock.setSpeed(0);
  account = (await addAccount(app)).id;
});
afterEach(() => app.close());

/** An active campaign with these leads; answers their enrollments. */
async function started(change: object, ...items: { email: string; timezone?: string }[]) {
  const { id } = await makeCampaign(app, [PLAIN]);
  expect((await app.call("PATCH", `/campaigns/${id}`, change)).status).toBe(200);
  const leads = await addLeads(app, id, ...items);
  expect((await app.call("POST", `/campaigns/${id}/start`)).status).toBe(200);
  return { id, leads: leads.map((lead) => lead.id as string) };
}

const explain = (id: string, lead = "") =>
  app.call("GET", `/campaigns/${id}/leads/${lead}/explain`);
const statusOf = async (id: string) =>
  (await app.call("GET", `/campaigns/${id}`)).body.sending_status;

const SATURDAYS = { days: ["saturday"], start_hour: 9, end_hour: 10 };

describe("a lead that others overtake because of their zone", () => {
  const overtaken = [
    { email: "ny@quiet.example", timezone: "America/New_York" },
    { email: "a@quiet.example" },
    { email: "b@quiet.example" },
  ];

  test("is told an estimate in its own opening", async () => {
    const change = { send_window: SATURDAYS, max_leads_per_day: 1 };
    const { id, leads } = await started(change, ...overtaken);
    const { status, body } = await explain(id, leads[0]);
    expect([status, body.estimated, body.ahead]).toEqual([200, true, 0]);
    // 9 to 10 on a Saturday in New York.
    expect(body.next_send_at).toMatch(/^2026-03-14T13:/);
  });

  test("each lead of every zone and day of the start gets an answer", async () => {
    const zones = ["America/New_York", "Pacific/Auckland", "Asia/Tokyo"];
    for (const [start_hour, max] of [
      [9, 1],
      [20, 1],
      [14, 2],
    ] as const) {
      const items = zones.flatMap((timezone, n) => [
        { email: `${start_hour}${n}z@quiet.example`, timezone },
        { email: `${start_hour}${n}@quiet.example` },
      ]);
      const window = { ...SATURDAYS, start_hour, end_hour: start_hour + 1 };
      const change = { send_window: window, max_leads_per_day: max };
      const { id, leads } = await started(change, ...items);
      for (const lead of leads) {
        const { status, body } = await explain(id, lead);
        expect(status).toBe(200);
        expect(Date.parse(body.next_send_at)).toBeGreaterThan(Date.parse("2026-03-06T00:00:00Z"));
      }
    }
  });
});

describe("the limit that binds is the one that is named", () => {
  const two = [{ email: "a@quiet.example" }, { email: "b@quiet.example" }];
  test.each([
    ["the mailbox's day", { daily_limit: 1 }, {}, "account_caps"],
    ["the campaign's day", {}, { daily_limit: 1 }, "campaign_limit"],
    ["the domain's day", {}, { max_per_domain_per_day: 1 }, "domain_cap"],
  ])("%s", async (_name, mailbox, change, reason) => {
    await app.call("PATCH", `/accounts/${account}`, mailbox);
    const { id, leads } = await started(change, ...two);
    await app.advance(30 * MINUTE_MS);
    expect(await statusOf(id)).toBe(reason);
    const { body } = await explain(id, leads[1]);
    expect(body).toMatchObject({ reason, estimated: false });
    expect(body.message).not.toContain("its turn in the queue");
    expect(body.message.includes("mailbox")).toBe(reason === "account_caps");
  });

  test("account_health: a mailbox whose score lets it start nobody new", async () => {
    const { id, leads } = await started({}, ...two);
    app.environments.test.db.raw.exec(
      "update accounts set health = json_set(health, '$.judged', 55), health_score = 55",
    );
    expect(await statusOf(id)).toBe("account_health");
    expect((await explain(id, leads[0])).body.reason).toBe("account_health");
  });

  test("a lead's own domain or window, while the campaign writes to others", async () => {
    const items = [
      { email: "a@one.example" },
      { email: "b@one.example" },
      { email: "c@two.example" },
      { email: "d@three.example", timezone: "Asia/Tokyo" },
    ];
    await app.call("PATCH", `/accounts/${account}`, { min_gap_seconds: 1800 });
    const { id, leads } = await started({ max_per_domain_per_day: 1 }, ...items);
    await app.advance(MINUTE_MS);
    expect(await statusOf(id)).toBe("sending");
    const reasons = [];
    for (const lead of leads.slice(1)) {
      reasons.push((await explain(id, lead)).body.reason);
    }
    expect(reasons).toEqual(["domain_cap", "in_queue", "outside_window"]);
    await app.advance(HOUR_MS);
  });
});
