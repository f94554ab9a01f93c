/** Guarantees of `domain/sending/budget.ts`: caps as set, and a day's quota spread over the day. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { openStretch, type SendWindow, WEEKDAYS } from "#domain/campaigns/window.ts";
import { hash01 } from "#domain/random.ts";
import {
  type AccountUse,
  capFreeAt,
  dailyCap,
  hourlyCap,
  isTooUnwell,
  type PlanAccount,
  paceOf,
  slotIn,
  takesNewLeads,
  useOf,
} from "#domain/sending/budget.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, plus, type UnixMs } from "#domain/time.ts";
import { Team } from "../../support/ledger.ts";
import { account, campaign, newLeads, OFFICE_HOURS } from "../../support/plans.ts";
import { at } from "../../support/zones.ts";

/** A Monday. */
const MONDAY = at("2026-03-02T00:00Z");
const NINE = plus(MONDAY, 9 * HOUR_MS);

function useAt(mailbox: PlanAccount, now: UnixMs, today = 0, thisHour = 0): AccountUse {
  return useOf(mailbox, now, (kind) => (kind === "account_day" ? today : thisHour));
}

describe("caps", () => {
  const ramp = { start: 5, increment: 2, from: "2026-03-01" };
  test.each<[string, Partial<PlanAccount>, string, number]>([
    ["the limit", {}, "2026-03-02", 30],
    ["first day of a ramp", { ramp }, "2026-03-01", 5],
    ["a ramp's third day", { ramp }, "2026-03-03", 9],
    ["over a change of clocks", { ramp, zone: "America/New_York" }, "2026-03-09", 21],
    ["a ramp past the limit", { ramp }, "2026-06-01", 30],
    ["a ramp that begins tomorrow", { ramp }, "2026-02-28", 5],
    ["a ramp that begins with none", { ramp: { ...ramp, start: 0 } }, "2026-03-01", 0],
    ["health of 80", { healthScore: 80 }, "2026-03-02", 30],
    ["health of 79", { healthScore: 79 }, "2026-03-02", 15],
    ["half of an odd limit", { healthScore: 79, dailyLimit: 7 }, "2026-03-02", 3],
    ["half of one is one", { healthScore: 79, dailyLimit: 1 }, "2026-03-02", 1],
    ["half of none is none", { healthScore: 79, dailyLimit: 0 }, "2026-03-02", 0],
    ["half of a ramp", { healthScore: 79, ramp }, "2026-03-03", 4],
  ])("a day: %s", (_name, change, date, cap) => {
    expect(dailyCap(account(change), date)).toBe(cap);
  });

  test.each([
    [100, 10, 10],
    [79, 10, 5],
    [79, 1, 1],
    [79, 0, 0],
  ])("an hour: health %d, limit %d", (healthScore, hourlyLimit, cap) => {
    expect(hourlyCap(account({ healthScore, hourlyLimit }))).toBe(cap);
  });

  test("health below 60 takes no new leads, below 40 sends nothing", () => {
    expect([60, 59].map((healthScore) => takesNewLeads(account({ healthScore })))).toEqual([
      true,
      false,
    ]);
    expect([40, 39].map((healthScore) => isTooUnwell(account({ healthScore })))).toEqual([
      false,
      true,
    ]);
  });
});

describe("capFreeAt", () => {
  const now = at("2026-03-02T12:20Z");
  test.each<[string, Partial<PlanAccount>, number, number, string | undefined]>([
    ["nothing in the way", {}, 29, 9, "2026-03-02T12:20Z"],
    ["a full hour", {}, 29, 10, "2026-03-02T13:00Z"],
    ["a full day", {}, 30, 0, "2026-03-03T00:00Z"],
    ["both", {}, 30, 10, "2026-03-03T00:00Z"],
    ["more than full", {}, 31, 11, "2026-03-03T00:00Z"],
    ["the account's own midnight", { zone: "Asia/Tokyo" }, 30, 0, "2026-03-02T15:00Z"],
    ["the account's own hour", { zone: "Asia/Kathmandu" }, 0, 10, "2026-03-02T13:15Z"],
    ["a back-off", { backoffUntil: at("2026-03-02T12:50Z") }, 0, 0, "2026-03-02T12:50Z"],
    [
      "a back-off that is over",
      { backoffUntil: at("2026-03-02T12:20Z") },
      0,
      0,
      "2026-03-02T12:20Z",
    ],
    [
      "a back-off and a full hour",
      { backoffUntil: at("2026-03-02T12:50Z") },
      0,
      10,
      "2026-03-02T13:00Z",
    ],
    [
      "a full hour and a longer back-off",
      { backoffUntil: at("2026-03-02T14:30Z") },
      0,
      10,
      "2026-03-02T14:30Z",
    ],
    ["no messages a day", { dailyLimit: 0 }, 0, 0, undefined],
    ["no messages an hour", { hourlyLimit: 0 }, 0, 0, undefined],
  ])("%s", (_name, change, today, thisHour, free) => {
    const mailbox = account({ hourlyLimit: 10, ...change });
    const use = useAt(mailbox, now, today, thisHour);
    expect(capFreeAt(mailbox, use, now)).toBe(free === undefined ? undefined : at(free));
  });

  test("a repeated hour is one, and its cap counts once", () => {
    const mailbox = account({ zone: "America/New_York", hourlyLimit: 10 });
    const first = at("2026-11-01T01:30-04:00");
    const use = useAt(mailbox, first, 10, 10);
    expect(capFreeAt(mailbox, use, first)).toBe(at("2026-11-01T02:00-05:00"));
  });
});

describe("pace", () => {
  const gapAfter = (
    mailbox: PlanAccount,
    today: number,
    windows: SendWindow[] = [OFFICE_HOURS],
  ) => {
    const claimed = mailbox.lastClaimAt ?? MONDAY;
    const pace = paceOf(mailbox, useAt(mailbox, claimed, today), windows);
    return (pace.readyAt ?? 0) - claimed;
  };

  test("a gap is the rest of the open time over the rest of the quota, 45 % more or less", () => {
    for (let today = 1; today < 30; today += 1) {
      const mailbox = account({ lastClaimAt: plus(NINE, 2 * HOUR_MS), minGapMs: 0 });
      const share = (6 * HOUR_MS) / (30 - today + 0.5);
      expect(gapAfter(mailbox, today)).toBeGreaterThanOrEqual(Math.floor(0.55 * share));
      expect(gapAfter(mailbox, today)).toBeLessThanOrEqual(Math.ceil(1.45 * share));
      const draw = hash01(mailbox.id, "2026-03-02", today);
      expect(gapAfter(mailbox, today)).toBe(Math.round(share * (0.55 + 0.9 * draw)));
    }
  });

  test("overlapping windows count once, and only the account's own day", () => {
    const mailbox = account({ lastClaimAt: NINE, minGapMs: 0 });
    const late = { ...OFFICE_HOURS, startHour: 16, endHour: 24 };
    const both = gapAfter(mailbox, 1, [OFFICE_HOURS, late, late]);
    expect(both / gapAfter(mailbox, 1)).toBeCloseTo(15 / 8, 5);
    const west = { ...late, timezone: "America/Los_Angeles" };
    expect(gapAfter(mailbox, 1, [OFFICE_HOURS, west])).toBe(gapAfter(mailbox, 1));
  });

  test("a quota that was lowered below what is sent already gives no gap into the past", () => {
    expect(gapAfter(account({ lastClaimAt: NINE, minGapMs: 0 }), 35)).toBeGreaterThan(0);
  });

  test("stays between the least and the greatest gap", () => {
    const mailbox = account({ lastClaimAt: NINE });
    expect(gapAfter({ ...mailbox, minGapMs: 5 * HOUR_MS }, 1)).toBe(5 * HOUR_MS);
    expect(gapAfter({ ...mailbox, minGapMs: 0, maxGapMs: MINUTE_MS }, 1)).toBe(MINUTE_MS);
    const crossed = { ...mailbox, minGapMs: 2 * MINUTE_MS, maxGapMs: MINUTE_MS };
    expect(gapAfter(crossed, 1)).toBe(2 * MINUTE_MS);
  });

  test("where no open time is left, or the day has none, the day's even share", () => {
    const evening = account({ lastClaimAt: plus(MONDAY, 18 * HOUR_MS), minGapMs: 0 });
    expect(gapAfter(evening, 1)).toBeGreaterThan((0.54 * 8 * HOUR_MS) / 30);
    expect(gapAfter(evening, 1)).toBeLessThan((1.46 * 8 * HOUR_MS) / 30);
    const sunday = account({ lastClaimAt: plus(MONDAY, -DAY_MS), minGapMs: 0 });
    expect(gapAfter(sunday, 1)).toBeGreaterThan((0.54 * DAY_MS) / 30);
    expect(gapAfter(sunday, 1)).toBeLessThan((1.46 * DAY_MS) / 30);
  });

  test("a new day has a pace of its own, and remembers only the least gap", () => {
    const mailbox = account({ lastClaimAt: plus(MONDAY, -MINUTE_MS) });
    const pace = paceOf(mailbox, useAt(mailbox, MONDAY), [OFFICE_HOURS]);
    expect(pace.readyAt).toBe(plus(MONDAY, 2 * MINUTE_MS));
    expect(paceOf(account(), useAt(account(), MONDAY), [OFFICE_HOURS]).readyAt).toBeNull();
  });

  test("is another one on another day and for another account", () => {
    const days = Array.from({ length: 5 }, (_, n) => {
      return gapAfter(account({ lastClaimAt: plus(NINE, n * DAY_MS), minGapMs: 0 }), 1);
    });
    const accounts = ["a", "b", "c"].map((id) => {
      return gapAfter(account({ id, lastClaimAt: NINE, minGapMs: 0 }), 1);
    });
    expect(new Set([...days, ...accounts]).size).toBe(8);
  });
});

describe("slotIn", () => {
  const slot = (
    mailbox: PlanAccount,
    now: UnixMs,
    window = OFFICE_HOURS,
    zone: string | null = null,
  ) => {
    const stretch = openStretch(window, zone, now);
    if (stretch === null) {
      throw new Error("closed");
    }
    const use = useAt(mailbox, now);
    return slotIn(stretch, use, paceOf(mailbox, use, [OFFICE_HOURS]));
  };

  test("mailboxes begin the day within one share of the opening, each at its own minute", () => {
    const starts = Array.from({ length: 100 }, (_, n) =>
      slot(account({ id: `account ${n}` }), NINE),
    );
    expect(Math.min(...starts)).toBeGreaterThanOrEqual(NINE);
    expect(Math.max(...starts)).toBeLessThan(plus(NINE, 16 * MINUTE_MS));
    const minutes = starts.map((start) => Math.floor((start - NINE) / MINUTE_MS));
    expect(new Set(minutes).size).toBe(16);
  });

  test("not later than half a short opening, nor than the greatest gap", () => {
    const short = { ...OFFICE_HOURS, endHour: 10 };
    const starts: number[] = [];
    for (let n = 0; n < 50; n += 1) {
      const id = `account ${n}`;
      starts.push(slot(account({ id, dailyLimit: 1 }), NINE, short));
      const quick = account({ id, dailyLimit: 1, maxGapMs: MINUTE_MS });
      expect(slot(quick, NINE)).toBeLessThanOrEqual(plus(NINE, MINUTE_MS));
    }
    expect(Math.max(...starts)).toBe(plus(NINE, HOUR_MS / 2));
    expect(Math.min(...starts)).toBeLessThan(plus(NINE, HOUR_MS / 2));
  });

  test("one message a day goes anywhere in the first half of its window", () => {
    const ids = Array.from({ length: 50 }, (_, n) => `account ${n}`);
    for (const id of ids) {
      const offset = Math.min(8 * HOUR_MS * hash01(id, "2026-03-02", 0), 4 * HOUR_MS);
      expect(slot(account({ id, dailyLimit: 1 }), NINE)).toBe(plus(NINE, Math.floor(offset)));
    }
  });

  test("the gap since the last message holds, and what opened since then is not waited for", () => {
    const lastClaimAt = plus(NINE, HOUR_MS);
    const mailbox = account({ lastClaimAt });
    const use = useAt(mailbox, lastClaimAt, 3);
    const pace = paceOf(mailbox, use, [OFFICE_HOURS]);
    const stretch = { from: NINE, to: plus(NINE, 8 * HOUR_MS) };
    expect(slotIn(stretch, use, pace)).toBe(pace.readyAt ?? NINE);
  });

  test("a mailbox that stood ready starts a while after every opening, also one that sent before", () => {
    const fresh = slot(account(), NINE);
    expect(slot(account({ lastClaimAt: plus(MONDAY, -HOUR_MS) }), NINE)).toBe(fresh);
    const atNight = account({ lastClaimAt: plus(MONDAY, HOUR_MS) });
    expect(slot(atNight, NINE)).toBe(fresh);
    expect(fresh).toBeGreaterThan(NINE);
    const justReady = account({ lastClaimAt: plus(NINE, -DAY_MS), minGapMs: DAY_MS });
    expect(slot(justReady, NINE)).toBe(NINE);
  });

  test("an opening just before the account's midnight is begun before it", () => {
    const zone = "Europe/Berlin";
    const east = { ...OFFICE_HOURS, timezone: zone, startHour: 0, endHour: 24 };
    for (let n = 0; n < 50; n += 1) {
      const mailbox = account({ id: `account ${n}`, zone: "Africa/Lagos", dailyLimit: 1 });
      const summer = at("2026-07-07T00:00+02:00");
      const start = slot(mailbox, summer, east);
      expect(start).toBeLessThanOrEqual(plus(summer, HOUR_MS / 2));
    }
  });

  test("an opening that runs over the account's midnight is a new one there", () => {
    const midnight = at("2026-03-03T00:00Z");
    const start = slot(account(), midnight, OFFICE_HOURS, "Pacific/Auckland");
    expect(start).toBeGreaterThan(midnight);
    expect(start).toBeLessThan(plus(midnight, 16 * MINUTE_MS));
  });
});

describe("a day's quota", () => {
  const dayOf = (mailbox: PlanAccount, window: SendWindow) => {
    const team = new Team([mailbox], [campaign({ window })], newLeads(100));
    team.run(MONDAY, plus(MONDAY, DAY_MS));
    return team.sent.map((one) => one.at);
  };

  test("is sent whole, inside the window", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 3, max: 24 }),
        fc.string(),
        (dailyLimit, hours, id) => {
          const window = { ...OFFICE_HOURS, days: WEEKDAYS, startHour: 0, endHour: hours };
          const sent = dayOf(account({ id, dailyLimit, minGapMs: 10 }), window);
          expect(sent.length).toBe(dailyLimit);
        },
      ),
      { numRuns: 200 },
    );
  });

  test("is spread: no quarter of the window has much more or less than its part", () => {
    fc.assert(
      fc.property(fc.integer({ min: 24, max: 60 }), fc.string(), (dailyLimit, id) => {
        const sent = dayOf(account({ id, dailyLimit }), OFFICE_HOURS);
        for (let quarter = 0; quarter < 4; quarter += 1) {
          const from = plus(NINE, quarter * 2 * HOUR_MS);
          const share = sent.filter((one) => one >= from && one < from + 2 * HOUR_MS).length;
          expect(share / dailyLimit).toBeGreaterThan(0.12);
          expect(share / dailyLimit).toBeLessThan(0.38);
        }
      }),
      { numRuns: 100 },
    );
  });

  test("of hours that allow less is spread over each hour, and sent whole", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.string(), (hourlyLimit, id) => {
        const mailbox = account({ id, dailyLimit: 2000, hourlyLimit, minGapMs: 10 });
        const team = new Team([mailbox], [campaign()], newLeads(8 * hourlyLimit + 1));
        team.run(MONDAY, plus(MONDAY, DAY_MS));
        const share = HOUR_MS / hourlyLimit;
        for (let hour = 0; hour < 8; hour += 1) {
          const from = plus(NINE, hour * HOUR_MS);
          const sent = team.sent
            .map((one) => one.at - from)
            .filter((ms) => ms >= 0 && ms < HOUR_MS);
          expect(sent.length).toBe(hourlyLimit);
          for (const [place, ms] of sent.entries()) {
            expect(Math.abs(ms / share - (place + 0.5))).toBeLessThan(1 + Math.sqrt(hourlyLimit));
          }
          const half = sent.filter((ms) => ms < HOUR_MS / 2).length;
          expect(Math.abs(half - hourlyLimit / 2)).toBeLessThanOrEqual(1 + hourlyLimit / 5);
        }
      }),
      { numRuns: 60 },
    );
  });

  test("of an hour: each gap is the rest of the hour over the rest of its quota, 45 % more or less", () => {
    const mailbox = account({ dailyLimit: 2000, hourlyLimit: 10, minGapMs: 10 });
    const team = new Team([mailbox], [campaign()], newLeads(100));
    team.run(MONDAY, plus(MONDAY, DAY_MS));
    expect(team.sent.length).toBe(80);
    const hourOf = (ms: UnixMs) => Math.floor(ms / HOUR_MS);
    for (const [index, { at: sent }] of team.sent.entries()) {
      const next = team.sent[index + 1]?.at;
      if (next !== undefined && hourOf(next) === hourOf(sent)) {
        const count = team.sent.filter((one) => hourOf(one.at) === hourOf(sent) && one.at <= sent);
        const share = ((hourOf(sent) + 1) * HOUR_MS - sent) / (10 - count.length + 0.5);
        expect((next - sent) / share).toBeGreaterThanOrEqual(0.54);
        expect((next - sent) / share).toBeLessThanOrEqual(1.46);
      }
      if (next !== undefined) {
        expect(next - sent).toBeGreaterThan(MINUTE_MS);
      }
    }
  });

  test("that began late is not caught up closer than the least gap and the hour's limit", () => {
    const mailbox = account({ hourlyLimit: 10 });
    const team = new Team(
      [mailbox],
      [campaign()],
      newLeads(100, { dueAt: plus(NINE, 7 * HOUR_MS) }),
    );
    team.run(MONDAY, plus(MONDAY, DAY_MS));
    expect(team.sent.length).toBe(10);
    const gaps = team.sent.slice(1).map((one, n) => one.at - (team.sent[n]?.at ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(3 * MINUTE_MS);
  });

  test("the same state gives the same day again", () => {
    expect(dayOf(account(), OFFICE_HOURS)).toEqual(dayOf(account(), OFFICE_HOURS));
  });
});
