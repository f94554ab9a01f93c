/**
 * Guarantees of a changed time zone: what was sent since the local day began, in the zone in force now,
 * counts against every cap of that day, whatever zone it was sent in; and nothing else does.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { localDay, localHour } from "#domain/campaigns/local-day.ts";
import { WEEKDAYS } from "#domain/campaigns/window.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, type UnixMs, unixMs } from "#domain/time.ts";
import { createTestApp, START, type TestApp } from "../../support/app.ts";
import { anyZone, at } from "../../support/zones.ts";
import { createLive } from "../support.ts";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

const ALWAYS = { days: WEEKDAYS, start_hour: 0, end_hour: 24 };
/** Nobody replies, and nothing bounces. */
const QUIET = {
  ...{ reply: 0, interested: 0, auto_reply: 0, hard_bounce: 0, soft_bounce: 0 },
  ...{ complaint: 0, unsubscribe: 0, spam: 0 },
};
const STEP = { type: "email", subject: "Hi", body: "Hello" };
const TOKYO = "Asia/Tokyo";
/** As fast as the caps allow. */
const AT_ONCE = { min_gap_seconds: 0, max_gap_seconds: 0, hourly_limit: 500 };

async function ok(method: string, path: string, body?: object) {
  const reply = await app.call(method, path, body);
  if (reply.status >= 300) {
    throw new Error(`${method} ${path}: ${reply.text}`);
  }
  return reply.body;
}

interface Sender {
  account: string;
  campaign: string;
}

/** A mailbox and a campaign with `leads` leads, one at each domain unless told otherwise. */
async function start(
  account: object,
  campaign: object = {},
  { leads = 60, domains = 60 }: { leads?: number; domains?: number } = {},
): Promise<Sender> {
  await ok("PATCH", "/sandbox/settings", { rates: QUIET });
  const sender = { email: "ann@sender.example", provider: "sandbox", ...AT_ONCE, ...account };
  const { id } = await ok("POST", "/accounts", sender);
  const fields = { name: "Zones", max_leads_per_day: 1000, send_window: ALWAYS, ...campaign };
  const made = await ok("POST", "/campaigns", fields);
  await ok("POST", `/campaigns/${made.id}/steps`, STEP);
  const people = Array.from({ length: leads }, (_, n) => ({
    email: `p${n}@d${n % domains}.example`,
  }));
  await ok("POST", `/campaigns/${made.id}/leads`, { leads: people });
  await ok("POST", `/campaigns/${made.id}/start`);
  return { account: id, campaign: made.id };
}

interface Sent {
  at: UnixMs;
  to: string;
}

/** Every email of a sequence so far, oldest first. */
async function sent(): Promise<Sent[]> {
  const all: Sent[] = [];
  for (let after = ""; ; ) {
    const page = await ok("GET", `/events?type=email.sent&limit=100${after}`);
    for (const { created_at, data } of page.data) {
      all.push({ at: at(created_at), to: data.to });
    }
    if (page.data.length === 0 || page.next_cursor === null) {
      return all;
    }
    after = `&after=${encodeURIComponent(page.next_cursor)}`;
  }
}
const count = async () => (await sent()).length;

const move = (id: string, timezone: string) => ok("PATCH", `/accounts/${id}`, { timezone });
const moveWindow = (id: string, timezone: string) =>
  ok("PATCH", `/campaigns/${id}`, { send_window: { timezone } });
const use = (id: string) => ok("GET", `/accounts/${id}/usage`);

describe("a mailbox", () => {
  test.each([
    "Asia/Tokyo",
    "Pacific/Kiritimati",
    "Asia/Kathmandu",
    "America/New_York",
    "Pacific/Midway",
  ])("moved to %s has sent what it has sent today", async (zone) => {
    const { account } = await start({ timezone: "UTC", daily_limit: 5 });
    await app.advance(HOUR_MS);
    expect(await count()).toBe(5);
    await move(account, zone);
    const { day } = await use(account);
    expect(day).toMatchObject({ date: localDay(zone, START).date, used: 5, left: 0 });
    await app.advance(at(day.to) - app.environments.test.clock.now() - MINUTE_MS);
    expect(await count()).toBe(5);
    await app.advance(HOUR_MS);
    expect(await count()).toBe(10);
  });

  test("moved there and back, again and again, gains nothing and loses nothing", async () => {
    const { account } = await start({ timezone: "UTC", daily_limit: 5 });
    await app.advance(HOUR_MS);
    for (const zone of ["Pacific/Kiritimati", "Pacific/Midway", "Asia/Kolkata", "UTC"]) {
      for (const next of [zone, "UTC", zone]) {
        await move(account, next);
        await app.advance(5 * MINUTE_MS);
        expect([next, await count()]).toEqual([next, 5]);
      }
    }
    expect((await use(account)).day).toMatchObject({ used: 5, left: 0 });
    await app.advance(DAY_MS);
    expect(await count()).toBe(10);
    await app.advance(DAY_MS);
    expect(await count()).toBe(15);
  });

  test("what it sent where the date was tomorrow's does not count twice", async () => {
    const { account } = await start({ timezone: "Pacific/Kiritimati", daily_limit: 5 });
    await app.advance(HOUR_MS);
    expect((await use(account)).day).toMatchObject({ date: "2026-03-03", used: 5 });
    await move(account, "Pacific/Midway");
    expect((await use(account)).day).toMatchObject({ date: "2026-03-02", used: 5 });
    await app.advance(at("2026-03-03T12:00Z") - app.environments.test.clock.now());
    expect((await use(account)).day).toMatchObject({ date: "2026-03-03", used: 5 });
    expect(await count()).toBe(10);
  });

  test("a half-hour zone ends the hour where its own clock does", async () => {
    const hours = { timezone: "UTC", daily_limit: 100, hourly_limit: 2 };
    const { account } = await start(hours);
    await app.advance(10 * MINUTE_MS);
    expect(await count()).toBe(2);
    await move(account, "Asia/Kolkata");
    await app.advance(19 * MINUTE_MS);
    expect((await use(account)).hour).toMatchObject({ hour: "2026-03-02T20", used: 2 });
    expect(await count()).toBe(2);
    await app.advance(21 * MINUTE_MS);
    expect(await count()).toBe(4);
    // 15:30 to 16:00 is in the hour that ends at 16:00 too.
    await move(account, "UTC");
    await app.advance(9 * MINUTE_MS);
    expect((await use(account)).hour).toMatchObject({ hour: "2026-03-02T15", used: 4 });
  });

  test("hours of the day are shown by the clock of the zone in force", async () => {
    const { account } = await start({ timezone: "UTC", daily_limit: 5, hourly_limit: 2 });
    await app.advance(3 * HOUR_MS);
    const before = (await use(account)).hours;
    expect(before.map(({ hour, used }: { hour: string; used: number }) => [hour, used])).toEqual([
      ["2026-03-02T15", 2],
      ["2026-03-02T16", 2],
      ["2026-03-02T17", 1],
    ]);
    await move(account, "Asia/Kolkata");
    const { hours } = await use(account);
    expect(hours.reduce((sum: number, one: { used: number }) => sum + one.used, 0)).toBe(5);
    await move(account, "UTC");
    expect((await use(account)).hours).toEqual(before);
  });

  test("a ramp's days are those of the zone in force", async () => {
    const ramp = { start: 2, increment: 3, from: "2026-03-02" };
    const { account } = await start({ timezone: "UTC", daily_limit: 100, ramp });
    await app.advance(HOUR_MS);
    expect(await count()).toBe(2);
    await move(account, "Asia/Tokyo");
    await app.advance(HOUR_MS);
    expect((await use(account)).day).toMatchObject({ date: "2026-03-03", cap: 5, used: 5 });
    expect(await count()).toBe(5);
    await move(account, "UTC");
    await app.advance(HOUR_MS);
    expect(await count()).toBe(5);
  });

  test("test emails count as well", async () => {
    const { account, campaign } = await start(
      { timezone: "UTC", daily_limit: 3 },
      {},
      { leads: 1 },
    );
    await app.advance(HOUR_MS);
    const [step] = (await ok("GET", `/campaigns/${campaign}/steps`)).data;
    const body = { to: "me@ours.example" };
    await ok("POST", `/campaigns/${campaign}/steps/${step.id}/send-test`, body);
    expect((await use(account)).day.used).toBe(2);
    await move(account, "Asia/Tokyo");
    expect((await use(account)).day).toMatchObject({ used: 2, left: 1 });
  });
});

describe("a campaign", () => {
  test.each([
    ["daily_limit", { daily_limit: 4 }, {}],
    ["max_leads_per_day", { max_leads_per_day: 4 }, {}],
    ["max_per_domain_per_day", { max_per_domain_per_day: 2 }, { domains: 2 }],
  ])("%s is for the local day of the zone in force", async (_name, caps, people) => {
    const sender = { timezone: "UTC", daily_limit: 200 };
    const { campaign } = await start(
      sender,
      { send_window: { ...ALWAYS, timezone: "UTC" }, ...caps },
      people,
    );
    await app.advance(HOUR_MS);
    expect(await count()).toBe(4);
    for (const zone of [
      "Pacific/Kiritimati",
      "Pacific/Midway",
      "Asia/Kathmandu",
      "UTC",
      "Asia/Tokyo",
    ]) {
      await moveWindow(campaign, zone);
      await app.advance(5 * MINUTE_MS);
      expect([zone, await count()]).toEqual([zone, 4]);
    }
    // Tokyo's next day begins a day after START.
    await app.advance(DAY_MS);
    expect(await count()).toBe(8);
  });
});

test("a domain's cap that is set after the zone was changed holds for what was sent before", async () => {
  const window = { ...ALWAYS, timezone: "UTC" };
  const sender = { timezone: "UTC", daily_limit: 4 };
  const { account, campaign } = await start(sender, { send_window: window }, { domains: 2 });
  await app.advance(HOUR_MS);
  expect(await count()).toBe(4);
  await moveWindow(campaign, "Asia/Tokyo");
  await ok("PATCH", `/campaigns/${campaign}`, { max_per_domain_per_day: 2 });
  await ok("PATCH", `/accounts/${account}`, { daily_limit: 100 });
  await app.advance(HOUR_MS);
  expect(await count()).toBe(4);
});

describe("an email on its way while the zone changes", () => {
  const TO = "bob@example.com";
  const dayOf = async (live: Awaited<ReturnType<typeof createLive>>, id: string) =>
    (await live.call("GET", `/accounts/${id}/usage`)).body.day;

  test.each([
    ["sent", { kind: "accepted", response: "250 ok" }, 1],
    [
      "put off",
      { kind: "deferred", stage: "rcpt", code: 451, enhanced: null, response: "451 later" },
      0,
    ],
  ] as const)("%s counts where it belongs", async (_name, outcome, used) => {
    const live = await createLive();
    const account = await live.addAccount();
    live.mail.outcomes.push(outcome);
    const { id } = await live.launch([STEP], TO);
    const timezone = "Pacific/Kiritimati";
    live.mail.meanwhile = async () => {
      await live.call("PATCH", `/accounts/${account}`, { timezone });
      const window = { send_window: { ...ALWAYS, timezone }, max_leads_per_day: 1 };
      await live.call("PATCH", `/campaigns/${id}`, window);
    };
    await live.run(MINUTE_MS);
    expect(await dayOf(live, account)).toMatchObject({ date: "2026-03-03", used });
    // Back where it was claimed, and to the campaign's place for a new lead.
    await live.call("PATCH", `/accounts/${account}`, { timezone: "UTC" });
    expect(await dayOf(live, account)).toMatchObject({ date: "2026-03-02", used });
    live.mail.meanwhile = async () => undefined;
    await live.run(HOUR_MS);
    expect(live.mail.taken).toHaveLength(1);
    expect(await dayOf(live, account)).toMatchObject({ used: 1 });
    await live.app.close();
  });
});

test("a clock that is set back over midnight finds yesterday counted by the zone in force", async () => {
  const live = await createLive();
  const account = await live.addAccount();
  await live.call("PATCH", `/accounts/${account}`, { ...AT_ONCE, timezone: TOKYO, daily_limit: 5 });
  const people = Array.from({ length: 20 }, (_, n) => `p${n}@d${n}.example`);
  const { id } = await live.launch([STEP], ...people);
  await live.call("PATCH", `/campaigns/${id}`, { send_window: { ...ALWAYS, timezone: "UTC" } });
  const day = async () => (await live.call("GET", `/accounts/${account}/usage`)).body.day;
  // In the afternoon of March 2 in UTC, which is March 3 in Tokyo.
  await live.run(HOUR_MS);
  expect(live.mail.taken).toHaveLength(5);
  await live.run(11 * HOUR_MS);
  expect(await day()).toMatchObject({ date: "2026-03-03", used: 5, left: 0 });
  await live.call("PATCH", `/accounts/${account}`, { timezone: "UTC" });
  live.app.wall.move(-8 * HOUR_MS);
  await live.run(HOUR_MS);
  expect(await day()).toMatchObject({ date: "2026-03-02", used: 5, left: 0 });
  expect(live.mail.taken).toHaveLength(5);
  await live.app.close();
});

const CAPS = { day: 6, hour: 3, new: 5, domain: 2 };

test("whatever the zones are changed to, no day or hour in force holds more than its caps", async () => {
  const change = fc.record({
    of: fc.constantFrom("account", "campaign", "both"),
    zone: fc.oneof(anyZone(), fc.constantFrom("Pacific/Midway", "Asia/Kolkata", "UTC")),
    minutes: fc.integer({ min: 1, max: 9 * 60 }),
  });
  // Before nights on which clocks change in New York and Berlin, and on an ordinary day.
  const begins = fc.constantFrom(0, 5 * DAY_MS, 26 * DAY_MS);
  await fc.assert(
    fc.asyncProperty(begins, fc.array(change, { minLength: 3, maxLength: 12 }), async (ms, all) => {
      await app.close();
      app = await createTestApp();
      await app.advance(ms);
      const { account, campaign } = await start(
        { timezone: "UTC", daily_limit: CAPS.day, hourly_limit: CAPS.hour },
        {
          send_window: { ...ALWAYS, timezone: "UTC" },
          max_leads_per_day: CAPS.new,
          max_per_domain_per_day: CAPS.domain,
        },
        { leads: 80, domains: 7 },
      );
      const zones = { account: "UTC", campaign: "UTC" };
      let known = 0;
      for (const { of, zone, minutes } of all) {
        if (of !== "campaign") {
          zones.account = zone;
          await move(account, zone);
        }
        if (of !== "account") {
          zones.campaign = zone;
          await moveWindow(campaign, zone);
        }
        await app.advance(minutes * MINUTE_MS);
        const emails = await sent();
        for (; known < emails.length; known += 1) {
          checkCaps(emails.slice(0, known + 1), zones);
        }
        const now = app.environments.test.clock.now();
        const today = localDay(zones.account, now);
        const used = emails.filter((one) => today.from <= one.at).length;
        expect((await use(account)).day).toMatchObject({ date: today.date, used });
      }
      // Left alone, it sends what it may: nothing of its past keeps a day from being full.
      await move(account, "UTC");
      await moveWindow(campaign, "UTC");
      await app.advance(2 * DAY_MS);
      const { from, to } = localDay("UTC", unixMs(app.environments.test.clock.now() - DAY_MS));
      const whole = (await sent()).filter((one) => from <= one.at && one.at < to);
      expect(whole.length).toBe(CAPS.new);
    }),
    { numRuns: 12, endOnFailure: true },
  );
}, 120_000);

/** The last of `emails` is within every cap of its day and hour. */
function checkCaps(emails: readonly Sent[], zones: { account: string; campaign: string }): void {
  const last = emails.at(-1) as Sent;
  const since = (from: UnixMs) => emails.filter((one) => from <= one.at);
  const domainOf = ({ to }: Sent) => to.slice(to.indexOf("@"));
  const ofCampaign = since(localDay(zones.campaign, last.at).from);
  expect(since(localDay(zones.account, last.at).from).length).toBeLessThanOrEqual(CAPS.day);
  expect(since(localHour(zones.account, last.at).from).length).toBeLessThanOrEqual(CAPS.hour);
  expect(ofCampaign.length).toBeLessThanOrEqual(CAPS.new);
  const same = ofCampaign.filter((one) => domainOf(one) === domainOf(last));
  expect(same.length).toBeLessThanOrEqual(CAPS.domain);
}
