/**
 * The machine's clock is set back or forward while emails go out: by somebody's hand, by NTP, after a sleep.
 * Nothing goes out twice, no cap of the clock's own hours and days is passed, and it goes on.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { DAY_MS, HOUR_MS, MINUTE_MS, type UnixMs } from "#domain/time.ts";
import { recover } from "#engine/recover.ts";
import { listAllAccounts } from "#store/mailboxes/accounts.ts";
import { ROUND_THE_CLOCK } from "../../support/inbox.ts";
import { createLive, type LiveApp } from "../support.ts";

const STEP = { type: "email", subject: "Hi", body: "Hello" };
const LEADS = 60;
const HOURLY = 5;
const RUNS = 5;

let live: LiveApp;
/** When each email was taken, by the clock of that moment. */
let taken: { to: string; at: UnixMs }[];

async function begin(): Promise<void> {
  live = await createLive();
  taken = [];
  const { send } = live.mail;
  live.mail.send = async (...parameters) => {
    const outcome = await send(...parameters);
    taken.push({ to: parameters[1].to, at: live.app.wall.now() });
    return outcome;
  };
  const id = await live.addAccount();
  const limits = { hourly_limit: HOURLY, daily_limit: 40, min_gap_seconds: 60 };
  await live.call("PATCH", `/accounts/${id}`, limits);
  const emails = Array.from({ length: LEADS }, (_, n) => `u${n}@firm${n}.example`);
  const campaign = await live.launch([STEP], ...emails);
  const change = { send_window: ROUND_THE_CLOCK, max_leads_per_day: 1_000 };
  await live.call("PATCH", `/campaigns/${campaign.id}`, change);
}
beforeEach(begin);
afterEach(() => live.app.close());

const set = (ms: number) => live.app.wall.move(ms);

async function untilDone(): Promise<void> {
  for (let days = 0; days < 10 && taken.length < LEADS; days += 1) {
    await live.run(DAY_MS);
  }
}

/** The most emails in any hour of the clock, counted by its own readings. */
function busiestHour(): number {
  const hours = Map.groupBy(taken, ({ at }) => Math.floor(at / HOUR_MS));
  return Math.max(...[...hours.values()].map((mails) => mails.length));
}

describe("set back", () => {
  test.each([
    ["a minute", MINUTE_MS],
    ["an hour and a half", 1.5 * HOUR_MS],
    ["three days", 3 * DAY_MS],
  ])("by %s: no email twice, no hour too full, all of them in the end", async (_what, ms) => {
    await live.run(3 * HOUR_MS);
    const before = taken.length;
    expect(before).toBeGreaterThan(0);
    set(-ms);
    await live.run(ms + 3 * HOUR_MS);
    await untilDone();
    expect(busiestHour()).toBeLessThanOrEqual(HOURLY);
    expect(new Set(taken.map(({ to }) => to)).size).toBe(taken.length);
    expect(taken).toHaveLength(LEADS);
  });
});

describe("set right after it was ahead", () => {
  test.each([
    ["two hours", 2 * HOUR_MS],
    ["a month", 30 * DAY_MS],
  ])("by %s: the mailbox sends and is read within the hour", async (_what, ms) => {
    await live.run(HOUR_MS);
    set(ms);
    await live.run(HOUR_MS);
    const [before, polls] = [taken.length, live.mail.polls.length];
    set(-ms);
    await live.run(HOUR_MS);
    expect(taken.length - before).toBeGreaterThan(1);
    expect(live.mail.polls.length).toBeGreaterThan(polls);
    await untilDone();
    expect(busiestHour()).toBeLessThanOrEqual(HOURLY);
    expect(new Set(taken.map(({ to }) => to)).size).toBe(LEADS);
  });

  test("over a restart: the last send is no later than the start", async () => {
    const env = live.app.environments.live;
    set(DAY_MS);
    await live.run(HOUR_MS);
    set(-DAY_MS);
    const before = taken.length;
    await recover(env);
    const [account] = listAllAccounts(env.db);
    expect(account?.lastClaimAt).toBe(env.clock.now());
    await live.run(HOUR_MS);
    expect(taken.length - before).toBeGreaterThan(1);
  });
});

describe("set forward", () => {
  test.each([
    ["an hour", HOUR_MS],
    ["a week", 7 * DAY_MS],
  ])("by %s: what is overdue does not burst", async (_what, ms) => {
    await live.run(2 * HOUR_MS);
    set(ms);
    await live.run(HOUR_MS);
    await untilDone();
    expect(busiestHour()).toBeLessThanOrEqual(HOURLY);
    expect(new Set(taken.map(({ to }) => to)).size).toBe(taken.length);
    expect(taken).toHaveLength(LEADS);
  });
});

test("set at random, again and again", async () => {
  const jumps = fc.array(fc.integer({ min: -6 * 60, max: 12 * 60 }), {
    minLength: 3,
    maxLength: 8,
  });
  for (const minutes of fc.sample(jumps, { numRuns: RUNS, seed: 7 })) {
    await live.app.close();
    await begin();
    for (const jump of minutes) {
      set(jump * MINUTE_MS);
      await live.run(HOUR_MS);
    }
    await untilDone();
    expect({ minutes, busiest: busiestHour() > HOURLY }).toEqual({ minutes, busiest: false });
    expect(new Set(taken.map(({ to }) => to)).size).toBe(taken.length);
    expect({ minutes, taken: taken.length }).toEqual({ minutes, taken: LEADS });
  }
}, 300_000);
