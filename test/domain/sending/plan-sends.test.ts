/** Guarantees of `domain/sending/plan-sends.ts`: what is sent is allowed, and who goes first is right. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { WEEKDAYS } from "#domain/campaigns/window.ts";
import type { PlanAccount } from "#domain/sending/budget.ts";
import { dailyCap, hourlyCap } from "#domain/sending/budget.ts";
import { type Decision, decide } from "#domain/sending/plan-sends.ts";
import { DAY_MS, HOUR_MS, plus, type UnixMs } from "#domain/time.ts";
import { type Queued, type Sent, Team, type TeamCampaign } from "../../support/ledger.ts";
import {
  account,
  anySituation,
  campaign,
  followUps,
  newLeads,
  OFFICE_HOURS,
  type Situation,
  teamOf,
} from "../../support/plans.ts";
import { at, wallClock } from "../../support/zones.ts";

/** A Monday. */
const MONDAY = at("2026-03-02T00:00Z");
const NOON = plus(MONDAY, 12 * HOUR_MS);
const ALWAYS = { ...OFFICE_HOURS, days: WEEKDAYS, startHour: 0, endHour: 24 };

function ask(
  mailbox: PlanAccount,
  campaigns: TeamCampaign[],
  queue: Queued[],
  now: UnixMs,
): Decision {
  return decide(new Team([mailbox], campaigns, queue), mailbox, now);
}

describe("what is sent is allowed", () => {
  test("in a window, due, within every cap, no two closer than the least gap", () => {
    fc.assert(
      fc.property(anySituation(), (situation) => {
        const team = teamOf(situation);
        team.run(situation.from, plus(situation.from, 10 * DAY_MS));
        checkSends(situation, team.sent);
      }),
      { numRuns: 400 },
    );
  });

  test("an account that cannot send, or is too unwell, does not; one a little unwell starts nobody", () => {
    const both = [...newLeads(1), ...followUps(1)];
    const off = ask(account({ sendable: false }), [campaign()], both, NOON);
    expect(blockOf(off)).toEqual({ reason: "no_active_account", until: undefined });
    const ill = ask(account({ healthScore: 39 }), [campaign()], both, NOON);
    expect(blockOf(ill)).toEqual({ reason: "health", until: undefined });
    const unwell = ask(account({ healthScore: 59 }), [campaign()], both, NOON);
    expect(unwell).toMatchObject({ kind: "send", candidate: { isNew: false } });
    const alone = ask(account({ healthScore: 59 }), [campaign()], newLeads(1), NOON);
    expect(blockOf(alone)).toEqual({ reason: "health", until: undefined });
    const well = ask(account({ healthScore: 60 }), [campaign()], newLeads(1), NOON);
    expect(well.kind).toBe("send");
  });

  test("a follow-up of another account is not this one's", () => {
    const decision = ask(account(), [campaign()], followUps(1, { accountId: "account-2" }), NOON);
    expect(blockOf(decision)).toEqual({ reason: "nothing_due", until: undefined });
  });

  test("an account that a campaign no longer names goes on with its leads and starts none", () => {
    const sender = campaign({ accountIds: ["account-2"] });
    const decision = ask(account(), [sender], [...newLeads(1), ...followUps(1)], NOON);
    expect(decision).toMatchObject({ kind: "send", candidate: { isNew: false } });
    const later = followUps(1, { dueAt: plus(NOON, HOUR_MS) });
    expect(blockOf(ask(account(), [sender], [...newLeads(1), ...later], NOON))).toEqual({
      reason: "waiting_for_step_delay",
      until: plus(NOON, HOUR_MS),
    });
  });

  test("a send is counted under the account's and the campaign's own local dates", () => {
    const mailbox = account({ zone: "Pacific/Auckland" });
    const sender = campaign({ window: { ...ALWAYS, timezone: "America/New_York" } });
    const decision = ask(mailbox, [sender], newLeads(1), at("2026-03-03T02:00Z"));
    expect(decision).toMatchObject({
      kind: "send",
      counters: [
        { kind: "account_day", owner: "account-1", bucket: "2026-03-03" },
        { kind: "account_hour", owner: "account-1", bucket: "2026-03-03T15" },
        { kind: "account_provider", owner: "account-1", bucket: "2026-03-03:unknown" },
        { kind: "campaign_day", owner: "campaign-1", bucket: "2026-03-02" },
        {
          kind: "campaign_domain",
          owner: "campaign-1",
          bucket: "2026-03-02:campaign-1-00000.example",
        },
        { kind: "campaign_new", owner: "campaign-1", bucket: "2026-03-02" },
        { kind: "account_new", owner: "account-1", bucket: "2026-03-03" },
      ],
    });
    const again = ask(mailbox, [sender], followUps(1), at("2026-03-03T02:00Z"));
    const kinds = again.kind === "send" ? again.counters.map(({ kind }) => kind) : [];
    expect(kinds).not.toContain("campaign_new");
  });
});

describe("who goes first", () => {
  const order = (campaigns: TeamCampaign[], queue: Queued[], sends: number): string[] => {
    const team = new Team([account({ minGapMs: 0, maxGapMs: 1000 })], campaigns, queue);
    team.run(NOON, plus(NOON, DAY_MS));
    return team.sent.slice(0, sends).map(({ enrollmentId }) => enrollmentId);
  };

  test("follow-ups before new leads, the longest due first, ties by id", () => {
    const [late, early, tied] = followUps(3).map((one, n) => ({
      ...one,
      dueAt: plus(MONDAY, n === 0 ? HOUR_MS : 0),
    }));
    const fresh = newLeads(1);
    const queue = [...fresh, late, tied, early].filter((one) => one !== undefined);
    expect(order([campaign()], queue, 4)).toEqual([
      "campaign-1-00001-f",
      "campaign-1-00002-f",
      "campaign-1-00000-f",
      "campaign-1-00000",
    ]);
  });

  test("new leads before follow-ups where the campaign says so", () => {
    const queue = [...followUps(1), ...newLeads(2)];
    expect(order([campaign({ priority: "new_leads" })], queue, 3)).toEqual([
      "campaign-1-00000",
      "campaign-1-00001",
      "campaign-1-00000-f",
    ]);
  });

  test("one campaign's follow-ups go before another's new leads", () => {
    const queue = [...newLeads(2, { campaignId: "campaign-0" }), ...followUps(2)];
    expect(order([campaign({ id: "campaign-0" }), campaign()], queue, 4)).toEqual([
      "campaign-1-00000-f",
      "campaign-1-00001-f",
      "campaign-0-00000",
      "campaign-0-00001",
    ]);
  });

  test("over zones too, the longest due of those whose window is open", () => {
    const queue = [
      ...newLeads(1, { enrollmentId: "tokyo", zone: "Asia/Tokyo", dueAt: MONDAY }),
      ...newLeads(1, { enrollmentId: "berlin", zone: "Europe/Berlin", dueAt: plus(MONDAY, 1) }),
      ...newLeads(1, { enrollmentId: "own", dueAt: plus(MONDAY, 2) }),
    ];
    expect(order([campaign()], queue, 3)).toEqual(["berlin", "own", "tokyo"]);
  });

  test("over zones too, the lesser id of those due at the same instant", () => {
    const queue = ["c", "a", "b"].flatMap((enrollmentId, n) =>
      newLeads(1, { enrollmentId, zone: ["Europe/Berlin", null, "UTC"][n] ?? null }),
    );
    expect(order([campaign()], queue, 3)).toEqual(["a", "b", "c"]);
  });

  test("campaigns with a backlog get equal shares, whatever their number and ids", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 0, max: 99 }), { minLength: 2, maxLength: 6 }),
        fc.integer({ min: 1, max: 90 }),
        fc.boolean(),
        (numbers, dailyLimit, areNew) => {
          const ids = numbers.map((n) => `campaign-${n}`);
          const queue = ids.flatMap((campaignId) =>
            (areNew ? newLeads : followUps)(100, { campaignId }),
          );
          const mailbox = account({ dailyLimit, minGapMs: 1000 });
          const team = new Team(
            [mailbox],
            ids.map((id) => campaign({ id })),
            queue,
          );
          team.run(MONDAY, plus(MONDAY, 3 * DAY_MS));
          for (let upTo = 1; upTo <= team.sent.length; upTo += 1) {
            const sent = team.sent.slice(0, upTo);
            const shares = ids.map((id) => sent.filter((one) => one.campaignId === id).length);
            expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  test("a trickle of what another campaign prefers does not take a turn away", () => {
    const trickle = followUps(20, { campaignId: "campaign-0" }).map((one, n) => {
      return { ...one, dueAt: plus(NOON, n * 2000) };
    });
    const queue = ["campaign-1", "campaign-2"].flatMap((campaignId) =>
      newLeads(50, { campaignId }),
    );
    const ids = ["campaign-0", "campaign-1", "campaign-2"];
    const team = new Team(
      [account({ dailyLimit: 200, minGapMs: 0, maxGapMs: 1000 })],
      ids.map((id) => campaign({ id })),
      [...trickle, ...queue],
    );
    team.run(NOON, plus(NOON, 40_000));
    const shares = ids.map((id) => team.sent.filter((one) => one.campaignId === id).length);
    expect(shares).toEqual([20, 10, 10]);
  });

  test("new leads get equal shares whatever follow-ups come in between", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ campaign: fc.nat({ max: 3 }), second: fc.nat({ max: 90 }) }), {
          maxLength: 60,
        }),
        (arrivals) => {
          const ids = [0, 1, 2, 3].map((n) => `campaign-${n}`);
          const trickle = arrivals.map(({ campaign: n, second }, index) => {
            const [one] = followUps(1, { campaignId: `campaign-${n}` });
            const dueAt = plus(NOON, second * 1000);
            return { ...one, enrollmentId: `f${index}`, dueAt } as Queued;
          });
          const backlog = ids.flatMap((campaignId) => newLeads(100, { campaignId }));
          const mailbox = account({ dailyLimit: 200, minGapMs: 0, maxGapMs: 1000 });
          const campaigns = ids.map((id) => campaign({ id }));
          const team = new Team([mailbox], campaigns, [...trickle, ...backlog]);
          team.run(NOON, plus(NOON, 100_000));
          const fresh = team.sent.filter(({ isNew }) => isNew);
          for (let upTo = 1; upTo <= fresh.length; upTo += 1) {
            const sent = fresh.slice(0, upTo);
            const shares = ids.map((id) => sent.filter((one) => one.campaignId === id).length);
            expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
          }
          expect(team.sent.length - fresh.length).toBe(arrivals.length);
        },
      ),
      { numRuns: 50 },
    );
  });

  test("a campaign whose share is not claimed leaves it to the others", () => {
    const queue = [...newLeads(3, { campaignId: "campaign-0" }), ...newLeads(200)];
    const team = new Team([account()], [campaign({ id: "campaign-0" }), campaign()], queue);
    team.run(MONDAY, plus(MONDAY, DAY_MS));
    expect(team.sent.length).toBe(30);
    expect(team.sent.filter(({ campaignId }) => campaignId === "campaign-0").length).toBe(3);
  });

  test("nobody who could have gone is of a kind that goes first, or was due before", () => {
    let judged = 0;
    fc.assert(
      fc.property(anySituation(), ({ from, accounts, campaigns, queue }) => {
        // One window for all: else the start of each opening holds some and not others.
        const window = campaigns[0]?.window ?? OFFICE_HOURS;
        const team = new WatchedTeam(
          accounts.map((one) => ({ ...one, healthScore: Math.max(60, one.healthScore) })),
          campaigns.map((one) => ({ ...one, window })),
          queue.map((one) => ({ ...one, zone: null, isSpread: false })),
        );
        team.run(from, plus(from, 5 * DAY_MS));
        judged += team.judged;
      }),
      { numRuns: 100 },
    );
    expect(judged).toBeGreaterThan(500);
  });
});

function blockOf(decision: Decision) {
  return decision.kind === "wait" ? decision.blocked().get("campaign-1") : undefined;
}

/** Looks, before each send, at who else could have gone. */
class WatchedTeam extends Team {
  judged = 0;
  #tally = new Map<string, number>();

  override ask(mailbox: PlanAccount, now: UnixMs): UnixMs | undefined {
    const others = this.queue.filter((one) => this.#mayGo(one, mailbox.id, now));
    const sends = this.sent.length;
    const next = super.ask(mailbox, now);
    const selected = this.sent.at(-1);
    if (selected === undefined || this.sent.length === sends) {
      return next;
    }
    const isFirst = (one: { campaignId: string; isNew: boolean }) =>
      (this.#campaignOf(one.campaignId).priority === "new_leads") === one.isNew;
    for (const one of others) {
      this.judged += 1;
      expect(isFirst(one) && !isFirst(selected)).toBe(false);
      if (one.campaignId === selected.campaignId && one.isNew === selected.isNew) {
        const order =
          one.dueAt - selected.dueAt || (one.enrollmentId < selected.enrollmentId ? -1 : 1);
        expect(order > 0 || one.enrollmentId === selected.enrollmentId).toBe(true);
      }
    }
    expect(others.map(({ enrollmentId }) => enrollmentId)).toContain(selected.enrollmentId);
    this.#count(selected, now);
    return next;
  }

  #mayGo(one: Queued, accountId: string, now: UnixMs): boolean {
    const { id, accountIds, ...caps } = this.#campaignOf(one.campaignId);
    const sent = (...of: string[]) => this.#tally.get(this.#key(id, now, ...of)) ?? 0;
    const mayStart = accountIds?.includes(accountId) ?? true;
    return (
      (one.isNew ? mayStart : one.accountId === accountId) &&
      one.dueAt <= now &&
      sent() < (caps.dailyLimit ?? 1e9) &&
      sent("to", one.domain) < (caps.maxPerDomainPerDay ?? 1e9) &&
      (!one.isNew || sent("new") < caps.maxNewPerDay)
    );
  }

  #count({ campaignId, domain, isNew }: Sent, now: UnixMs): void {
    for (const of of [[], ["to", domain], ...(isNew ? [["new"]] : [])]) {
      const key = this.#key(campaignId, now, ...of);
      this.#tally.set(key, (this.#tally.get(key) ?? 0) + 1);
    }
  }

  #key(campaignId: string, now: UnixMs, ...of: string[]): string {
    const { window } = this.#campaignOf(campaignId);
    return [campaignId, wallClock(window.timezone, now).toPlainDate(), ...of].join(" ");
  }

  #campaignOf(id: string): TeamCampaign {
    const found = this.campaigns.find((one) => one.id === id);
    if (found === undefined) {
      throw new Error(`no ${id}`);
    }
    return found;
  }
}

function checkSends({ accounts, campaigns }: Situation, sent: readonly Sent[]): void {
  const counts = new Map<string, number>();
  const last = new Map<string, UnixMs>();
  const count = (...parts: string[]): number => {
    const key = parts.join(" ");
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts.get(key) ?? 0;
  };
  for (const one of sent) {
    const mailbox = accounts.find(({ id }) => id === one.accountId);
    const sender = campaigns.find(({ id }) => id === one.campaignId);
    if (mailbox === undefined || sender === undefined) {
      throw new Error("sent by nobody");
    }
    const { window } = sender;
    const wall = wallClock(one.zone ?? window.timezone, one.at);
    const weekday = WEEKDAYS[wall.dayOfWeek - 1];
    expect(weekday && window.days).toContain(weekday);
    expect(wall.hour).toBeGreaterThanOrEqual(window.startHour);
    expect(wall.hour).toBeLessThan(window.endHour);

    expect(one.dueAt).toBeLessThanOrEqual(one.at);
    expect(mailbox.sendable && mailbox.healthScore >= 40).toBe(true);
    expect(one.isNew && mailbox.healthScore < 60).toBe(false);
    expect(mailbox.backoffUntil ?? 0).toBeLessThanOrEqual(one.at);
    const before = last.get(mailbox.id) ?? mailbox.lastClaimAt ?? 0;
    expect(one.at - before).toBeGreaterThanOrEqual(mailbox.minGapMs);
    last.set(mailbox.id, one.at);

    const here = wallClock(mailbox.zone, one.at).toString();
    const date = here.slice(0, 10);
    expect(count(mailbox.id, date)).toBeLessThanOrEqual(dailyCap(mailbox, date));
    expect(count(mailbox.id, here.slice(0, 13))).toBeLessThanOrEqual(hourlyCap(mailbox));
    const day = wallClock(window.timezone, one.at).toPlainDate().toString();
    expect(count(sender.id, day)).toBeLessThanOrEqual(sender.dailyLimit ?? 1e9);
    expect(one.isNew ? count(sender.id, "new", day) : 0).toBeLessThanOrEqual(sender.maxNewPerDay);
    const domain = count(sender.id, day, one.domain);
    expect(domain).toBeLessThanOrEqual(sender.maxPerDomainPerDay ?? 1e9);

    const utc = new Date(one.at).toISOString().slice(0, 10);
    const firsts = one.isNew ? count(mailbox.id, "first", utc) : 1;
    const risky = one.isSpread && sender.spreads ? count(mailbox.id, "risky", utc) : 0;
    expect(risky).toBeLessThanOrEqual(Math.max(1, Math.floor((firsts - 1) / 20)));
  }
}
