/** The HTTP contract of a campaign's `provider_matching`, and what a lead's explanation makes of it. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS } from "#domain/time.ts";
import { insertRun } from "#store/placement/placement-runs.ts";
import { insertTest } from "#store/placement/placement-tests.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { addLeads, makeCampaign } from "../../support/campaigns.ts";
import { ROUND_THE_CLOCK } from "../../support/inbox.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

describe("provider_matching", () => {
  test("200: off to begin with, set, shown, and copied", async () => {
    const { id } = await makeCampaign(app);
    const read = async (of = id) => (await app.call("GET", `/campaigns/${of}`)).body;
    expect(await read()).toMatchObject({ provider_matching: "off" });
    await app.call("PATCH", `/campaigns/${id}`, { provider_matching: "only" });
    expect(await read()).toMatchObject({ provider_matching: "only" });
    const copy = (await app.call("POST", `/campaigns/${id}/duplicate`)).body;
    expect(await read(copy.id)).toMatchObject({ provider_matching: "only" });
    const made = { name: "Two", provider_matching: "prefer" };
    expect((await app.call("POST", "/campaigns", made)).body.provider_matching).toBe("prefer");
  });

  test.each(["always", null, true])("422: %p", async (provider_matching) => {
    const { id } = await makeCampaign(app);
    const { body } = await app.call("PATCH", `/campaigns/${id}`, { provider_matching });
    expect(body).toMatchObject({ status: 422, field: "provider_matching" });
  });
});

describe("the launch checklist", () => {
  const place = (accountId: string, provider: "google" | "microsoft", inbox: number) => {
    const { db, ids, clock } = app.environments.test;
    const [teamId, now] = [app.team.id, clock.now()];
    const runId = ids.next(now);
    const sums = { total: 0, inbox: 0, spam: 0, promotions: 0, notDelivered: 0, pending: 0 };
    const times = { startedAt: now, completedAt: now, endsAt: now, dueAt: null, createdAt: now };
    const about = { triggerType: "manual", scheduleId: null, campaignId: null, stepId: null };
    insertRun(db, {
      ...{ ...sums, ...times, ...about, id: runId, teamId, content: null },
      ...{ triggerType: "manual", status: "completed", failed: 0, inboxRate: 0 },
    });
    for (let nth = 0; nth < 40; nth += 1) {
      const seed = { seedId: runId, seedEmail: "seed@x.example", seedProvider: provider };
      insertTest(db, {
        ...{ id: ids.next(now), teamId, runId, accountId, accountEmail: "a@x.example", ...seed },
        ...{ status: "done", placement: nth < inbox ? "inbox" : "spam", folder: null, tab: null },
        ...{ error: null, dueAt: null, lookAt: null, sentAt: now, testedAt: now, latencyMs: null },
        ...{ authentication: null, oneClickSigned: null },
      });
    }
  };
  const account = async (provider: string) => {
    const email = `${provider}@sender.example.org`;
    return (await app.call("POST", "/accounts", { email, provider })).body.id as string;
  };
  const advice = async (id: string) => {
    const { warnings } = (await app.call("GET", `/campaigns/${id}/launch-check`)).body;
    return warnings
      .filter(({ code }: { code: string }) => code === "provider_matching")
      .map(({ message }: { message: string }) => message);
  };

  test("says where placement shows that matching pays, and nothing where it's on", async () => {
    const [google, microsoft] = [await account("google"), await account("microsoft")];
    const { id } = await makeCampaign(app);
    expect(await advice(id)).toEqual([]);
    place(google, "google", 36);
    place(google, "microsoft", 15);
    place(microsoft, "google", 34);
    expect(await advice(id)).toEqual([]);
    place(microsoft, "microsoft", 37);
    expect(await advice(id)).toContain(
      "at Microsoft, 37 of 40 test emails from your mailboxes there reached the inbox, and 15 of 40 from the others, " +
        "which they don't make up for elsewhere: matching leads with mailboxes at their provider (provider_matching) " +
        "would help",
    );
    await app.call("PATCH", `/campaigns/${id}`, { provider_matching: "prefer" });
    expect(await advice(id)).toEqual([]);
  });
});

describe("leads that wait for mailboxes at their provider", () => {
  const account = async (provider: string, change: object) => {
    const email = `${provider}@sender.example.org`;
    const { id } = (await app.call("POST", "/accounts", { email, provider })).body;
    await app.call("PATCH", `/accounts/${id}`, { min_gap_seconds: 60, ...change });
    return id as string;
  };
  const open = async (...emails: string[]) => {
    const { id } = await makeCampaign(app, [{ type: "email", subject: "Hello", body: "Hi" }]);
    const change = { send_window: ROUND_THE_CLOCK, provider_matching: "only" };
    await app.call("PATCH", `/campaigns/${id}`, change);
    const leads = await addLeads(app, id, ...emails);
    await app.call("POST", `/campaigns/${id}/start`);
    return { id, leads };
  };
  const explain = async (id: string, lead: string) =>
    (await app.call("GET", `/campaigns/${id}/leads/${lead}/explain`)).body;
  const sent = () =>
    app.environments.test.db.raw
      .query<{ recipient: string; email: string }, []>(
        "select recipient, a.email from messages m join accounts a on a.id = m.account_id order by claimed_at",
      )
      .all()
      .map(({ recipient, email }) => `${recipient} ${email.split("@")[0]}`);

  test("are told what that mailbox waits for, and when their turn is", async () => {
    await account("google", { daily_limit: 20 });
    await account("microsoft", { daily_limit: 1 });
    const ours = ["annabel", "barbara", "charles"].map((name) => `${name}@outlook.com`);
    const { id, leads } = await open("daniel@gmail.com", ...ours);
    const { sends } = (await app.call("GET", `/campaigns/${id}/forecast?days=5`)).body;
    expect(sends.length).toBe(4);
    await app.advance(8 * HOUR_MS);
    const why = await explain(id, leads[3].id);
    expect(why).toMatchObject({ reason: "account_caps", estimated: false });
    expect(why.next_send_at.slice(0, 10)).toBe("2026-03-04");
    const { body } = await app.call("GET", `/campaigns/${id}`);
    expect(body.sending_status).toBe("account_caps");
    await app.advance(3 * DAY_MS);
    const expected = ["daniel@gmail.com google", ...ours.map((one) => `${one} microsoft`)];
    expect(sent().toSorted()).toEqual(expected.toSorted());
  });

  test("go within minutes once their domain is known to have moved to another mailbox's provider", async () => {
    let exchange = "firm.mail.protection.outlook.com";
    app.environments.test.dns.mx = async () => [{ exchange, priority: 10 }];
    await account("google", {});
    await account("microsoft", {});
    app.environments.test.db.rows.writeTables(["accounts"], () =>
      app.environments.test.db.raw.run(
        "update accounts set status = 'error', wake_at = null where provider = 'microsoft'",
      ),
    );
    await open("annabel@firm.example.org");
    await app.advance(8 * DAY_MS);
    expect(sent()).toEqual([]);
    exchange = "aspmx.l.google.com";
    app.environments.test.db.raw.run(
      "insert into domain_lookups (domain, team_id) select 'firm.example.org', id from teams",
    );
    await app.advance(HOUR_MS);
    expect(sent()).toEqual(["annabel@firm.example.org google"]);
  });

  test("are preferred as far as a mailbox looks, in the forecast as in the sending", async () => {
    await account("google", { daily_limit: 20 });
    await account("microsoft", { daily_limit: 20 });
    const { id } = await makeCampaign(app, [{ type: "email", subject: "Hello", body: "Hi" }]);
    const change = { send_window: ROUND_THE_CLOCK, provider_matching: "prefer" };
    await app.call("PATCH", `/campaigns/${id}`, { ...change, max_leads_per_day: 500 });
    const far = Array.from({ length: 505 }, (_, n) => ({ email: `annabel${n}@outlook.com` }));
    const own = Array.from({ length: 5 }, (_, n) => ({ email: `daniel${n}@gmail.com` }));
    await app.call("POST", `/campaigns/${id}/leads`, { leads: [...far, ...own] });
    await app.call("POST", `/campaigns/${id}/start`);
    const { sends } = (await app.call("GET", `/campaigns/${id}/forecast?days=1`)).body;
    await app.advance(DAY_MS);
    const found = app.environments.test.db.raw
      .query<{ at: number; account: string; recipient: string }, []>(
        "select claimed_at as at, lower(hex(account_id)) as account, recipient from messages order by claimed_at, id",
      )
      .all();
    expect(found.map(({ at, account: of }) => `${new Date(at).toISOString()} ${of}`)).toEqual(
      sends.map(
        (one: { at: string; account_id: string }) =>
          `${one.at} ${one.account_id.replaceAll("-", "")}`,
      ),
    );
    const ours = sent().filter((one) => one.endsWith(" google"));
    expect(ours[0]).toContain("@outlook.com");
    expect(ours.filter((one) => one.includes("@gmail.com")).length).toBe(5);
  });

  test("wait for one in error, and go from the others once it's paused", async () => {
    await account("google", {});
    const other = await account("microsoft", {});
    const broken =
      "update accounts set status = 'error', wake_at = null where provider = 'microsoft'";
    app.environments.test.db.rows.writeTables(["accounts"], () =>
      app.environments.test.db.raw.run(broken),
    );
    const { id, leads } = await open("annabel@outlook.com", "daniel@gmail.com");
    await app.advance(20 * HOUR_MS);
    expect(sent()).toEqual(["daniel@gmail.com google"]);
    expect(await explain(id, leads[0].id)).toMatchObject({
      reason: "provider_match",
      message:
        "the campaign's provider_matching is only, and the mailboxes at the recipient's provider can't send now",
    });
    const { body } = await app.call("GET", `/campaigns/${id}`);
    expect(body).toMatchObject({ sending_status: "provider_match", next_send_at: null });
    await app.call("PATCH", `/accounts/${other}`, { status: "paused" });
    await app.advance(20 * HOUR_MS);
    expect(sent()).toEqual(["daniel@gmail.com google", "annabel@outlook.com google"]);
  });
});
