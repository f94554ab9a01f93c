/** Accounts, campaigns and queues for tests of the planner. */

import fc from "fast-check";
import { type SendWindow, WEEKDAYS } from "#domain/campaigns/window.ts";
import type { ProviderLimits } from "#domain/mailboxes/mail-provider.ts";
import type { PlanAccount } from "#domain/sending/budget.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, plus, type UnixMs } from "#domain/time.ts";
import { type Queued, Team, type TeamCampaign } from "./ledger.ts";
import { anyMoment, anyZone } from "./zones.ts";

export const OFFICE_HOURS: SendWindow = {
  timezone: "UTC",
  days: ["monday", "tuesday", "wednesday", "thursday", "friday"],
  startHour: 9,
  endHour: 17,
  skipHolidays: [],
};

export function account(change: Partial<PlanAccount> = {}): PlanAccount {
  return {
    id: "account-1",
    zone: "UTC",
    dailyLimit: 30,
    hourlyLimit: 500,
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
    ...change,
  };
}

export function campaign(change: Partial<TeamCampaign> = {}): TeamCampaign {
  return {
    id: "campaign-1",
    window: OFFICE_HOURS,
    maxNewPerDay: 10_000,
    dailyLimit: null,
    maxPerDomainPerDay: null,
    spreads: false,
    matching: "off",
    priority: "follow_ups",
    waits: [],
    accountIds: null,
    ...change,
  };
}

/** `count` new leads of a campaign, due since the beginning of time, each at a domain of its own. */
export function newLeads(count: number, change: Partial<Queued> = {}): Queued[] {
  return Array.from({ length: count }, (_, n) => {
    const name = `${change.campaignId ?? "campaign-1"}-${String(n).padStart(5, "0")}`;
    return {
      enrollmentId: name,
      campaignId: "campaign-1",
      zone: null,
      domain: `${name}.example`,
      dueAt: 0 as UnixMs,
      isNew: true,
      isSpread: false,
      accountId: null,
      sent: 0,
      ...change,
    };
  });
}

/** `count` follow-ups that belong to an account. */
export function followUps(count: number, change: Partial<Queued> = {}): Queued[] {
  return newLeads(count, { accountId: "account-1", isNew: false, sent: 1, ...change }).map(
    (one) => {
      return { ...one, enrollmentId: `${one.enrollmentId}-f` };
    },
  );
}

export interface Situation {
  from: UnixMs;
  accounts: PlanAccount[];
  campaigns: TeamCampaign[];
  queue: Queued[];
}

export function teamOf({ accounts, campaigns, queue }: Situation): Team {
  const team = new Team(accounts, campaigns, queue);
  team.receivers = new Map([
    ["a.example", "google"],
    ["b.example", "microsoft"],
  ]);
  return team;
}

/** Up to three accounts and campaigns in any zones, near a change of clocks as often as not. */
export function anySituation(): fc.Arbitrary<Situation> {
  return anyMoment().chain((from) =>
    fc
      .record({
        accounts: fc.array(anyAccount(from), { minLength: 1, maxLength: 3 }),
        campaigns: fc.array(anyCampaign(), { minLength: 1, maxLength: 3 }),
        leads: fc.array(anyLead(from), { minLength: 15, maxLength: 60 }),
      })
      .map(({ accounts, campaigns, leads }) => ({
        from,
        accounts: accounts.map((one, n) => ({ ...one, id: `account-${n}` })),
        campaigns: campaigns.map((one, n) => ({ ...one, id: `campaign-${n}` })),
        queue: leads.map((lead, n) => ({
          ...lead,
          enrollmentId: `lead-${String(n).padStart(3, "0")}`,
          campaignId: `campaign-${n % campaigns.length}`,
          accountId: lead.isNew ? null : `account-${n % accounts.length}`,
        })),
      })),
  );
}

/** One of `usual` five times out of six. */
function mostly<Value>(usual: readonly Value[], rare: readonly Value[]): fc.Arbitrary<Value> {
  return fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...usual) },
    { weight: 1, arbitrary: fc.constantFrom(...rare) },
  );
}

function anyAccount(from: UnixMs): fc.Arbitrary<PlanAccount> {
  const ramp = fc.record({
    start: fc.integer({ min: 0, max: 5 }),
    increment: fc.integer({ min: 0, max: 5 }),
    from: fc.constantFrom("2025-01-01", "2026-10-24", "2027-03-27"),
  });
  return fc
    .record({
      zone: anyZone(),
      dailyLimit: mostly([7, 30, 200], [0, 1, 2]),
      hourlyLimit: mostly([3, 10, 500], [0, 1]),
      providerLimits: mostly<ProviderLimits>([{}], [{ google: 1 }, { google: 3, microsoft: 2 }]),
      minGapMs: fc.constantFrom(0, 1000, 3 * MINUTE_MS, HOUR_MS),
      maxGapMs: fc.constantFrom(null, null, 5 * MINUTE_MS, HOUR_MS),
      ramp: fc.option(ramp, { freq: 2 }),
      healthScore: mostly([100, 79], [59, 39]),
      onTrial: mostly([false], [true]),
      server: fc.constantFrom("custom" as const, "google" as const, "microsoft" as const),
      sendable: mostly([true], [false]),
      fails: fc.boolean(),
      backoff: fc.option(fc.integer({ min: 0, max: DAY_MS })),
      lastClaim: fc.option(fc.integer({ min: 0, max: DAY_MS })),
      lastCampaignId: fc.option(fc.constantFrom("campaign-0", "campaign-1", "campaign-9")),
      lastOtherCampaignId: fc.option(fc.constantFrom("campaign-0", "campaign-1")),
    })
    .map(({ backoff, lastClaim, ...rest }) => ({
      ...rest,
      id: "",
      domain: "sender.example",
      refusals: [],
      backoffUntil: backoff === null ? null : plus(from, backoff),
      lastClaimAt: lastClaim === null ? null : plus(from, -lastClaim),
    }));
}

function anyCampaign(): fc.Arbitrary<TeamCampaign> {
  const hours = fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 1, max: 24 }))
    .map(([startHour, length]) => ({ startHour, endHour: Math.min(24, startHour + length) }));
  return fc
    .record({
      timezone: anyZone(),
      hours,
      days: fc.uniqueArray(fc.constantFrom(...WEEKDAYS), { minLength: 2 }),
      maxNewPerDay: mostly([5, 1000], [1]),
      dailyLimit: fc.constantFrom(null, null, 4),
      maxPerDomainPerDay: fc.constantFrom(null, 1, 2),
      spreads: fc.boolean(),
      matching: fc.constantFrom("off" as const, "prefer" as const, "only" as const),
      priority: fc.constantFrom("follow_ups" as const, "new_leads" as const),
      waits: fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 3 }),
      accountIds: fc.constantFrom(null, ["account-0"], ["account-0", "account-1"]),
    })
    .map(({ timezone, hours: { startHour, endHour }, days, ...rest }) => {
      return { ...rest, id: "", window: { timezone, days, startHour, endHour, skipHolidays: [] } };
    });
}

function anyLead(from: UnixMs) {
  return fc
    .record({
      zone: fc.oneof(fc.constant(null), anyZone()),
      domain: fc.constantFrom("a.example", "b.example", "c.example", "d.example"),
      due: fc.integer({ min: -DAY_MS, max: 2 * DAY_MS }),
      isNew: fc.boolean(),
      isRisky: mostly([false], [true]),
    })
    .map(({ due, isRisky, ...rest }) => ({
      ...{ ...rest, isSpread: isRisky && rest.isNew },
      ...{ dueAt: plus(from, due), sent: rest.isNew ? 0 : 1 },
    }));
}
