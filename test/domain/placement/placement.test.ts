/** When a test email is sent and looked for, what a folder means, and what the figures add up to. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  bandsOf,
  DEADLINE_MS,
  latencyOf,
  nextLookAt,
  PLACEMENTS,
  placementAt,
  RUN_MS_MAX,
  TEST_STATUSES,
  testSlot,
  totalsByProvider,
  totalsOf,
} from "#domain/placement/placement.ts";
import { type AccountUse, type PlanAccount, useOf } from "#domain/sending/budget.ts";
import { HOUR_MS, MINUTE_MS, plus, type UnixMs, unixMs } from "#domain/time.ts";

const SENT = unixMs(Date.UTC(2026, 2, 2, 15));
const END = plus(SENT, RUN_MS_MAX);

describe("nextLookAt", () => {
  test("looks at once and then less and less often, at the deadline, at one hour, and at the end", () => {
    const looks: number[] = [];
    for (let at: UnixMs | null = SENT; at !== null && looks.length < 50; ) {
      at = nextLookAt(SENT, at, END);
      if (at !== null) {
        looks.push(at - SENT);
      }
    }
    expect(looks.length).toBeLessThan(20);
    expect(looks[0]).toBeLessThan(10_000);
    expect(looks).toContain(DEADLINE_MS);
    expect(looks).toContain(HOUR_MS);
    expect(looks.at(-1)).toBe(RUN_MS_MAX);
    const gaps = looks.slice(1).map((at, index) => at - (looks[index] ?? 0));
    const early = gaps.slice(0, 8);
    expect(early).toEqual(early.toSorted((a, b) => a - b));
  });

  test("looks no more when the run is over, but until its deadline for what went out shortly before", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: RUN_MS_MAX }),
        fc.integer({ min: 0, max: 2 * RUN_MS_MAX }),
        (sentAfter, passed) => {
          const sentAt = plus(SENT, sentAfter);
          const now = plus(sentAt, passed);
          const next = nextLookAt(sentAt, now, END);
          const last = Math.max(END, plus(sentAt, DEADLINE_MS));
          return next === null ? now >= last : next > now && next <= last;
        },
      ),
    );
  });
});

test.each([
  ["inbox", null, "inbox"],
  ["inbox", "primary", "inbox"],
  ["inbox", "updates", "inbox"],
  ["inbox", "promotions", "promotions"],
  ["junk", null, "spam"],
  ["trash", null, "spam"],
  ["other", null, "inbox"],
] as const)("%s with the category %s is %s", (place, tab, placement) => {
  expect(placementAt(place, tab)).toBe(placement);
});

test.each([
  ["the last millisecond of the mailbox's second", 4_000, 60_000, 4_999],
  ["a clock that is behind", -9_000, 60_000, 0],
  ["a clock that is ahead of the look", 90_000, 60_000, 60_000],
  ["no date: when it was found", null, 60_000, 60_000],
] as const)("latency: %s", (_name, arrived, found, expected) => {
  const receivedAt = arrived === null ? null : plus(SENT, arrived);
  expect(latencyOf(SENT, receivedAt, plus(SENT, found))).toBe(expected);
});

describe("totals", () => {
  const anyTests = fc.array(
    fc
      .record({
        status: fc.constantFrom(...TEST_STATUSES),
        placed: fc.constantFrom(...PLACEMENTS),
        seedProvider: fc.constantFrom("google", "yahoo", "custom"),
      })
      .map(({ status, placed, seedProvider }) => {
        return { status, placement: status === "done" ? placed : null, seedProvider };
      }),
  );

  test("the four counts and what is pending add up; failed and cancelled tests are not counted in", () => {
    fc.assert(
      fc.property(anyTests, (tests) => {
        const { total, inbox, spam, promotions, notDelivered, pending, failed, inboxRate } =
          totalsOf(tests);
        const cancelled = tests.filter(({ status }) => status === "cancelled").length;
        expect(inbox + spam + promotions + notDelivered + pending).toBe(total);
        expect(total + failed + cancelled).toBe(tests.length);
        expect(inboxRate).toBeGreaterThanOrEqual(0);
        expect(inboxRate).toBeLessThanOrEqual(1);
      }),
    );
  });

  test("providers add up to the whole", () => {
    fc.assert(
      fc.property(anyTests, (tests) => {
        const whole = totalsOf(tests);
        const providers = Object.values(totalsByProvider(tests));
        const sum = (pick: (one: (typeof providers)[number]) => number) =>
          providers.reduce((so, one) => so + pick(one), 0);
        expect(sum(({ total }) => total)).toBe(whole.total - whole.pending);
        expect(sum(({ inbox }) => inbox)).toBe(whole.inbox);
        expect(sum(({ spam }) => spam)).toBe(whole.spam);
      }),
    );
  });

  test("a rate is of what is known, and 0 while nothing is", () => {
    const done = (placement: "inbox" | "spam") => ({ status: "done", placement }) as const;
    const waiting = { status: "waiting", placement: null } as const;
    expect(totalsOf([done("inbox"), done("spam"), waiting]).inboxRate).toBe(0.5);
    expect(totalsOf([waiting]).inboxRate).toBe(0);
  });
});

describe("testSlot", () => {
  const account: PlanAccount = {
    id: "a",
    zone: "UTC",
    dailyLimit: 5,
    hourlyLimit: 2,
    providerLimits: {},
    minGapMs: 3 * MINUTE_MS,
    maxGapMs: null,
    ramp: null,
    healthScore: 100,
    onTrial: false,
    domain: "sender.example",
    server: "custom",
    sendable: true,
    fails: false,
    backoffUntil: null,
    refusals: [],
    lastClaimAt: null,
    lastCampaignId: null,
    lastOtherCampaignId: null,
  };
  const used = (day: number, hour: number): AccountUse =>
    useOf(account, SENT, (kind) => (kind === "account_day" ? day : hour));
  const slot = (change: Partial<PlanAccount>, use = used(0, 0), dueAt = SENT) =>
    testSlot({ ...account, ...change }, use, dueAt, SENT);

  test.each([
    ["a mailbox that is free", slot({}), SENT],
    ["one that has just sent", slot({ lastClaimAt: SENT }), plus(SENT, 3 * MINUTE_MS)],
    ["a full hour", slot({}, used(2, 2)), plus(SENT, HOUR_MS)],
    ["a full day", slot({}, used(5, 0)), plus(SENT, 9 * HOUR_MS)],
    ["a provider's back-off", slot({ backoffUntil: plus(SENT, 1_000) }), plus(SENT, 1_000)],
    ["a later turn", slot({}, used(0, 0), plus(SENT, 5_000)), plus(SENT, 5_000)],
    ["one that may not send", slot({ sendable: false }), undefined],
    ["one that is too unwell", slot({ healthScore: 20 }), undefined],
    ["a limit of none", slot({ dailyLimit: 0 }), undefined],
  ])("%s", (_name, at, expected) => {
    expect(at).toBe(expected as UnixMs);
  });
});

test("rates have Wilson's 95% bands, as SciPy's binomtest gives them", () => {
  const of = (inbox: number, spam: number, total: number) =>
    bandsOf({ inbox, spam, total, pending: 0 });
  const six = of(2, 3, 6);
  expect(six.inboxRateLow).toBeCloseTo(0.09677141110578047, 14);
  expect(six.inboxRateHigh).toBeCloseTo(0.700006684861608, 14);
  expect(six.spamRateLow).toBeCloseTo(0.18761630648265054, 14);
  expect(six.spamRateHigh).toBeCloseTo(0.8123836935173494, 14);
  expect(of(0, 1, 2)).toMatchObject({ inboxRateLow: 0, spamRate: 0.5 });
  expect(of(0, 1, 2).inboxRateHigh).toBeCloseTo(0.6576197724933469, 14);
  expect(bandsOf({ inbox: 0, spam: 0, total: 4, pending: 4 })).toEqual({
    ...{ inboxRateLow: 0, inboxRateHigh: 1, spamRate: 0, spamRateLow: 0, spamRateHigh: 1 },
  });
});
