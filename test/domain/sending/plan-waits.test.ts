/**
 * Guarantees of `domain/sending/plan-sends.ts` about waiting: no send is missed by sleeping until the planner
 * says, and what holds a campaign is named.
 */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { PlanAccount } from "#domain/sending/budget.ts";
import { type Decision, decide, type Reason } from "#domain/sending/plan-sends.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, plus, type UnixMs } from "#domain/time.ts";
import { type Queued, Team, type TeamCampaign } from "../../support/ledger.ts";
import {
  account,
  anySituation,
  campaign,
  followUps,
  newLeads,
  OFFICE_HOURS,
  teamOf,
} from "../../support/plans.ts";
import { at } from "../../support/zones.ts";

/** A Monday. */
const MONDAY = at("2026-03-02T00:00Z");
const NOON = plus(MONDAY, 12 * HOUR_MS);

function ask(
  mailbox: PlanAccount,
  campaigns: TeamCampaign[],
  queue: Queued[],
  now: UnixMs,
): Decision {
  return decide(new Team([mailbox], campaigns, queue), mailbox, now);
}

describe("waiting is safe", () => {
  test("asking all accounts every few minutes sends the same emails at the same instants", () => {
    fc.assert(
      fc.property(
        anySituation(),
        fc.integer({ min: MINUTE_MS, max: 20 * MINUTE_MS }),
        (situation, everyMs) => {
          const end = plus(situation.from, 3 * DAY_MS);
          const sleeping = teamOf(situation);
          sleeping.run(situation.from, end);
          const restless = teamOf(situation);
          restless.run(situation.from, end, everyMs);
          expect(sleeping.sent).toEqual(restless.sent);
        },
      ),
      { numRuns: 60 },
    );
  });

  test("an opening in the middle of an hour is not slept through where the next hour is quicker", () => {
    // The mailbox's day ends at 22:00 UTC; the window opens at 20:30, with two thirds of the day's cap left.
    const window = { ...OFFICE_HOURS, timezone: "Asia/Kolkata", startHour: 2, endHour: 16 };
    const from = at("2026-03-03T18:45Z");
    for (let n = 0; n < 50; n += 1) {
      const mailbox = {
        ...account(),
        id: `account-${n}`,
        zone: "Africa/Johannesburg",
        ...{ dailyLimit: 15, hourlyLimit: 5, minGapMs: 0, lastClaimAt: from },
      };
      const queue = newLeads(3, { dueAt: from });
      const [sleeping, restless] = [undefined, MINUTE_MS].map((everyMs) => {
        const team = new Team([mailbox], [campaign({ window })], queue);
        team.counts.set(`account_day ${mailbox.id} 2026-03-03`, 5);
        team.run(plus(from, 1), plus(from, DAY_MS / 4), everyMs);
        return team.sent;
      });
      expect(sleeping).toEqual(restless);
      expect(sleeping?.length).toBeGreaterThan(0);
    }
  });

  test("a wait ends after now, and holds until the millisecond before its end", () => {
    fc.assert(
      fc.property(anySituation(), fc.integer({ min: 0, max: 3 * DAY_MS }), (situation, later) => {
        const team = teamOf(situation);
        const now = plus(situation.from, later);
        for (const mailbox of team.accounts) {
          const decision = decide(team, mailbox, now);
          if (decision.kind === "wait" && decision.until !== undefined) {
            expect(decision.until).toBeGreaterThan(now);
            for (const part of [0.1, 0.5, 0.9]) {
              const between = plus(now, (decision.until - now) * part);
              if (between < decision.until) {
                expect(decide(team, mailbox, between).kind).toBe("wait");
              }
            }
            expect(decide(team, mailbox, plus(decision.until, -1)).kind).toBe("wait");
          }
          if (decision.kind === "wait" && decision.until === undefined) {
            for (const days of [1, 3, 10]) {
              expect(decide(team, mailbox, plus(now, days * DAY_MS)).kind).toBe("wait");
            }
          }
        }
      }),
      { numRuns: 1000 },
    );
  });

  test("an idle account is asked a bounded number of times a day", () => {
    fc.assert(
      fc.property(anySituation(), (situation) => {
        const team = teamOf(situation);
        const days = 10;
        const asked = team.run(situation.from, plus(situation.from, days * DAY_MS));
        const { accounts, campaigns } = situation;
        // Hours that are full, openings of each zone, ends of days, and one after each send.
        const aDay = accounts.length * (24 + 20 * campaigns.length + 2);
        expect(asked).toBeLessThan(2 * team.sent.length + days * aDay);
      }),
      { numRuns: 100 },
    );
  });

  test.each<
    [string, Partial<PlanAccount>, Partial<TeamCampaign>, Queued[], string, Reason, string]
  >([
    [
      "a closed window",
      {},
      {},
      newLeads(1),
      "2026-03-06T17:00Z",
      "outside_window",
      "2026-03-09T09:00Z",
    ],
    [
      "a closed window of the lead's zone",
      {},
      {},
      newLeads(1, { zone: "America/New_York" }),
      "2026-03-02T12:00Z",
      "outside_window",
      "2026-03-02T14:00Z",
    ],
    [
      "a wait before a step",
      {},
      {},
      followUps(1, { dueAt: at("2026-03-04T11:00Z") }),
      "2026-03-02T12:00Z",
      "waiting_for_step_delay",
      "2026-03-04T11:00Z",
    ],
    [
      "an account that backs off",
      { backoffUntil: at("2026-03-02T13:00Z") },
      {},
      newLeads(1),
      "2026-03-02T12:00Z",
      "account_caps",
      "2026-03-02T13:00Z",
    ],
    [
      "a gap, though not past midnight",
      { zone: "UTC", lastClaimAt: at("2026-03-02T16:00Z"), minGapMs: 20 * HOUR_MS },
      {},
      newLeads(1),
      "2026-03-02T16:30Z",
      "pacing",
      "2026-03-03T00:00Z",
    ],
  ])("%s is named, with its end", (_name, mailbox, sender, queue, now, reason, until) => {
    const decision = ask(account(mailbox), [campaign(sender)], queue, at(now));
    expect(blockOf(decision)).toEqual({ reason, until: at(until) });
    expect(decision.kind === "wait" && decision.until).toBe(at(until));
  });

  test.each<[string, Partial<TeamCampaign>, Partial<PlanAccount>, Reason, string]>([
    ["new leads a day", { maxNewPerDay: 2 }, {}, "new_lead_cap", "2026-03-03T09:00Z"],
    ["messages a day", { dailyLimit: 2 }, {}, "campaign_limit", "2026-03-03T09:00Z"],
    ["messages to a domain", { maxPerDomainPerDay: 2 }, {}, "domain_cap", "2026-03-03T09:00Z"],
    [
      "messages to a provider",
      {},
      { providerLimits: { google: 2 } },
      "provider_cap",
      "2026-03-03T09:00Z",
    ],
    ["messages of the account a day", {}, { dailyLimit: 2 }, "account_caps", "2026-03-03T00:00Z"],
    [
      "messages of the account an hour",
      {},
      { hourlyLimit: 2 },
      "account_caps",
      "2026-03-02T13:00Z",
    ],
  ])("a cap of 2 %s is named, with its end", (_name, sender, limits, reason, until) => {
    const mailbox = account({ minGapMs: 0, maxGapMs: MINUTE_MS, ...limits });
    const team = new Team([mailbox], [campaign(sender)], newLeads(5, { domain: "one.example" }));
    team.receivers.set("one.example", "google");
    team.run(NOON, plus(NOON, 30 * MINUTE_MS));
    expect(team.sent.length).toBe(2);
    const [own] = team.accounts;
    const decision = own && decide(team, own, plus(NOON, 30 * MINUTE_MS));
    expect(decision && blockOf(decision)).toEqual({ reason, until: at(until) });
  });

  test("in the evening of a day whose cap was reached it is the window that is closed", () => {
    const mailbox = account({ minGapMs: 0, maxGapMs: MINUTE_MS });
    const team = new Team([mailbox], [campaign({ maxNewPerDay: 2 })], newLeads(5));
    team.run(NOON, plus(NOON, HOUR_MS));
    const [own] = team.accounts;
    const decision = own && decide(team, own, plus(NOON, 6 * HOUR_MS));
    expect(decision && blockOf(decision)).toEqual({
      reason: "outside_window",
      until: at("2026-03-03T09:00Z"),
    });
  });

  test("an opening does not find its mailboxes at the door", () => {
    const ids = Array.from({ length: 20 }, (_, n) => `account-${n}`);
    const queue = ids.flatMap((_, n) => newLeads(1, { enrollmentId: `lead-${n}` }));
    const eastern = { ...OFFICE_HOURS, timezone: "America/New_York" };
    for (const [window, opens] of [
      [OFFICE_HOURS, at("2026-03-02T09:00Z")],
      [eastern, at("2026-03-02T14:00Z")],
    ] as const) {
      const team = new Team(
        ids.map((id) => account({ id })),
        [campaign({ window })],
        queue,
      );
      team.run(MONDAY, plus(MONDAY, DAY_MS));
      const starts = team.sent.map((one) => one.at);
      expect(new Set(starts).size).toBe(20);
      expect(Math.min(...starts)).toBeGreaterThan(opens);
      expect(Math.max(...starts)).toBeLessThan(plus(opens, 16 * MINUTE_MS));
    }
  });

  test("a capped domain holds only its own leads", () => {
    const queue = [
      ...newLeads(3, { domain: "one.example" }),
      ...newLeads(2, { campaignId: "campaign-1" }).map((one) => {
        return { ...one, enrollmentId: `other ${one.enrollmentId}` };
      }),
    ];
    const team = new Team([account()], [campaign({ maxPerDomainPerDay: 1 })], queue);
    team.run(MONDAY, plus(MONDAY, DAY_MS));
    expect(team.sent.map(({ domain }) => domain).toSorted()).toEqual([
      "campaign-1-00000.example",
      "campaign-1-00001.example",
      "one.example",
    ]);
  });

  test("behind a busy mailbox each campaign has its own reason, or the mailbox's", () => {
    const campaigns = [
      campaign({ id: "due" }),
      campaign({ id: "empty" }),
      campaign({ id: "closed", window: { ...OFFICE_HOURS, startHour: 20, endHour: 21 } }),
    ];
    const queue = [...newLeads(1, { campaignId: "due" }), ...newLeads(1, { campaignId: "closed" })];
    const decision = ask(account({ backoffUntil: plus(NOON, 1) }), campaigns, queue, NOON);
    const reasons = decision.kind === "wait" ? [...decision.blocked()] : [];
    expect(reasons.map(([id, { reason }]) => [id, reason])).toEqual([
      ["closed", "outside_window"],
      ["due", "account_caps"],
      ["empty", "nothing_due"],
    ]);
  });
});

function blockOf(decision: Decision) {
  return decision.kind === "wait" ? decision.blocked().get("campaign-1") : undefined;
}
