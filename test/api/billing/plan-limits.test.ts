/** What a plan refuses: the contract of every limit, of what goes on when it is reached, and of its month. */

import { afterEach, describe, expect, test } from "bun:test";
import { type Limit, PLAN_LIMITS, type PlanLimits } from "#domain/sending/plan.ts";
import { DAY_MS, HOUR_MS, plus } from "#domain/time.ts";
import { REACTION_KINDS } from "#sandbox/settings.ts";
import { claimNext } from "#usecases/delivery/claim.ts";
import { monthOf } from "#usecases/events/limits.ts";
import { createTestApp, START, type TestApp, type TestAppOptions } from "../../support/app.ts";
import { confirm, subscription } from "../../support/billing.ts";
import { addAccount, addLeads, makeCampaign } from "../../support/campaigns.ts";
import { ROUND_THE_CLOCK } from "../../support/inbox.ts";
import { ANN, firstPerson, invited, visitor } from "../../support/people.ts";

let app: TestApp;
const start = async (options: TestAppOptions = {}) => {
  app = await createTestApp(options);
};

afterEach(() => app.close());

const tight = (limits: Partial<Record<Limit, number>>): PlanLimits => ({
  ...PLAN_LIMITS,
  starter: { ...PLAN_LIMITS.starter, ...limits },
});

interface Place {
  /** What has to be there before places are taken. */
  prepare?: (n: number) => Promise<void>;
  /** Takes one place; each is told apart by `n`. */
  take: (n: number) => Promise<number>;
}

const campaigns: string[] = [];
const newCampaign = async (n: number) => {
  const { id } = (await app.call("POST", "/campaigns", { name: `C${n}` })).body;
  await app.call("POST", `/campaigns/${id}/steps`, { type: "email", subject: "Hi", body: "Hello" });
  campaigns[n] = id;
};
const newAccount = async (n: number) =>
  (await app.call("POST", "/accounts", { email: `a${n}@acme.test`, provider: "sandbox" })).status;

/** A campaign of one email to so many people. */
const campaignFor = async (people: number) => {
  const made = await makeCampaign(app, [{ type: "email", subject: "Hi", body: "Hello" }]);
  await addLeads(app, made.id, ...Array.from({ length: people }, (_, n) => `p${n}@x.test`));
  return made;
};

/** Every limit but `leads`, `mails` and `members`, which have tests of their own. */
const PLACES: Partial<Record<Limit, Place>> = {
  accounts: { take: newAccount },
  keys: { take: async (n) => (await app.call("POST", "/keys", { name: `k${n}` })).status },
  webhooks: {
    take: async (n) => {
      const url = `https://hooks.receiver.example/${n}`;
      return (await app.call("POST", "/webhooks", { url, events: ["*"] })).status;
    },
  },
  active_campaigns: {
    prepare: async (n) => {
      await newCampaign(n);
      if (n === 0) {
        await newAccount(0);
      }
    },
    take: async (n) => (await app.call("POST", `/campaigns/${campaigns[n]}/start`)).status,
  },
  running_experiments: {
    prepare: newCampaign,
    take: async (n) => {
      const variants = [{ name: "A" }, { name: "B" }];
      const body = { campaign_id: campaigns[n], name: `E${n}`, variants };
      return (await app.call("POST", "/experiments", body)).status;
    },
  },
  placement_runs: {
    prepare: async (n) => {
      if (n === 0) {
        await newAccount(0);
        await app.call("POST", "/placement/seeds", { email: "seed@gmail.com" });
      }
    },
    take: async () => (await app.call("POST", "/placement/runs", {})).status,
  },
};

describe("Limits", () => {
  test.each(Object.keys(PLACES) as Limit[])(
    "20 parallel creates at a limit of 10: %s",
    async (name) => {
      await start({ plans: tight({ [name]: 10 }) });
      await confirm(app, app.call, "starter");
      const { prepare, take } = PLACES[name]!;
      for (let n = 0; n < 20; n += 1) {
        await prepare?.(n);
      }
      const before = (await subscription(app.call)).usage[name].used;
      const statuses = await Promise.all(Array.from({ length: 20 }, (_, n) => take(n)));
      expect(statuses.filter((status) => status < 300)).toHaveLength(10 - before);
      expect(statuses.filter((status) => status === 402)).toHaveLength(10 + before);
      expect((await subscription(app.call)).usage[name].used).toBe(10);
    },
  );

  test("members: of the team, counted alike in both environments; who would be too many does not get in", async () => {
    await start({ plans: tight({ members: 2 }) });
    const ann = await firstPerson(app);
    await invited(app, ann, "member");
    await confirm(app, app.live, "starter");
    expect((await subscription(app.live)).usage.members).toEqual({ used: 2, limit: 2 });
    expect((await subscription(app.call)).usage.members).toEqual({ used: 2, limit: null });
    const cyrus = { email: "cy@x.test", role: "viewer" };
    const { body } = await ann.ask("POST", "/live/api/v1/team/invitations", cyrus);
    const token = String(body.url).split("#")[1];
    const given = { token, name: "Cy", password: ANN.password };
    const refused = await visitor(app).ask("POST", "/console/invitation/join", given);
    expect([refused.status, refused.body.field]).toEqual([402, "members"]);
    expect((await subscription(app.live)).usage.members.used).toBe(2);
  });

  test("leads: what does not fit is an error of the import; nothing fits: 402 and nothing stored", async () => {
    await start({ plans: tight({ leads: 10 }) });
    await confirm(app, app.call, "starter");
    const { id } = (await app.call("POST", "/campaigns", { name: "C" })).body;
    const leads = Array.from({ length: 12 }, (_, n) => ({ email: `p${n}@x.test` }));
    const first = await app.call("POST", `/campaigns/${id}/leads`, { leads });
    expect(first.body).toMatchObject({ imported: 10, skipped: 0 });
    expect(first.body.errors.map(({ reason }: { reason: string }) => reason)).toEqual([
      "plan_limit",
      "plan_limit",
    ]);
    const more = await app.call("POST", `/campaigns/${id}/leads`, {
      leads: [{ email: "z@x.test" }],
    });
    expect([more.status, more.body.type, more.body.field]).toEqual([402, "plan_limit", "leads"]);
    expect((await subscription(app.call)).usage.leads).toEqual({ used: 10, limit: 10 });
  });

  test("parallel imports take exactly the places that there are", async () => {
    await start({ plans: tight({ leads: 10 }) });
    await confirm(app, app.call, "starter");
    const { id } = (await app.call("POST", "/campaigns", { name: "C" })).body;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        app.call("POST", `/campaigns/${id}/leads`, { leads: [{ email: `p${n}@x.test` }] }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(10);
  });

  test("the team hears once at 80 % and once at the limit", async () => {
    await start({ plans: tight({ accounts: 5 }) });
    await confirm(app, app.call, "starter");
    for (let n = 0; n < 7; n += 1) {
      await newAccount(n);
    }
    const rows = app.environments.test.db.raw
      .query(
        "SELECT type, json_extract(data, '$.used') AS used FROM events WHERE type LIKE 'billing.%'",
      )
      .all();
    expect(rows).toEqual([
      { type: "billing.limit_warning", used: 4 },
      { type: "billing.limit_reached", used: 5 },
    ]);
  });

  test("a month's emails: campaigns pause saying why, go on with the month or the plan", async () => {
    await start({ plans: tight({ mails: 5 }) });
    await confirm(app, app.call, "starter");
    await newAccount(1);
    const { id } = await campaignFor(20);
    expect((await app.call("POST", `/campaigns/${id}/start`)).status).toBe(200);
    await app.advance(3 * DAY_MS);
    const campaign = async () => (await app.call("GET", `/campaigns/${id}`)).body;
    expect(await campaign()).toMatchObject({ status: "paused", status_reason: "plan_limit" });
    expect((await subscription(app.call)).usage.mails).toEqual({ used: 5, limit: 5 });
    const resumed = await app.call("POST", `/campaigns/${id}/resume`);
    expect([resumed.status, resumed.body.field]).toEqual([402, "mails"]);
    await app.advance(29 * DAY_MS);
    expect((await subscription(app.call)).usage.mails).toEqual({ used: 5, limit: 5 });
    await confirm(app, app.call, "pro");
    expect((await campaign()).status).toBe("active");
    await app.advance(7 * DAY_MS);
    expect(await campaign()).toMatchObject({ status: "completed" });
    expect(app.environments.test.clock.now()).toBeGreaterThan(plus(START, 38 * DAY_MS + HOUR_MS));
  });

  test("an email counts for the month of its claim, though another began before that was stored", async () => {
    await start({ plans: tight({ mails: 1 }) });
    await confirm(app, app.call, "starter");
    const accounts = await Promise.all([
      addAccount(app, "ann@sender.example"),
      addAccount(app, "ben@sender.example"),
    ]);
    const { id } = await campaignFor(2);
    await app.call("PATCH", `/campaigns/${id}`, { send_window: ROUND_THE_CLOCK });
    await app.call("POST", `/campaigns/${id}/start`);
    const env = app.environments.test;
    const next = plus(monthOf(env.clock.now()).monthTo, 12 * HOUR_MS);
    const claims: string[] = [];
    for (const account of accounts) {
      claims.push((await env.commit(() => claimNext(env, account.id, next))).kind);
    }
    expect(claims).toEqual(["send", "wait"]);
  });

  test("a forecast knows the month's limit and its turn", async () => {
    await start({ plans: tight({ mails: 5 }) });
    await confirm(app, app.call, "starter");
    await newAccount(1);
    await newAccount(2);
    const { id } = await campaignFor(12);
    const rates = Object.fromEntries(REACTION_KINDS.map((kind) => [kind, 0]));
    await app.call("PATCH", "/sandbox/settings", { rates });
    await app.call("POST", `/campaigns/${id}/start`);
    const { raw } = app.environments.test.db;
    const planned = (await app.call("GET", `/campaigns/${id}/forecast?days=31`)).body;
    const perDay = planned.days.filter((day: { new_leads: number }) => day.new_leads > 0);
    expect(perDay.map((day: { new_leads: number }) => day.new_leads)).toEqual([5, 5]);
    await app.advance(31 * DAY_MS);
    const sent = raw.query("SELECT count(*) AS n FROM messages WHERE status = 'sent'").get();
    expect(sent).toEqual({ n: 10 });
  });
});
