/** Guarantees of `leftToOthers`, and of the planner where a campaign matches providers. */

import { describe, expect, test } from "bun:test";
import { WEEKDAYS } from "#domain/campaigns/window.ts";
import type { MailProvider } from "#domain/mailboxes/mail-provider.ts";
import { leftToOthers } from "#domain/sending/barred.ts";
import type { PlanAccount } from "#domain/sending/budget.ts";
import { decide } from "#domain/sending/plan-sends.ts";
import { DAY_MS, HOUR_MS, plus, type UnixMs } from "#domain/time.ts";
import { Team, type TeamCampaign } from "../../support/ledger.ts";
import { account, campaign, followUps, newLeads, OFFICE_HOURS } from "../../support/plans.ts";
import { at } from "../../support/zones.ts";

/** A Monday. */
const NOON = at("2026-03-02T12:00Z");
const ALWAYS = { ...OFFICE_HOURS, days: WEEKDAYS, startHour: 0, endHour: 24 };

const google = account({ id: "account-1", server: "google" });
const microsoft = account({ id: "account-2", server: "microsoft" });
const own = account({ id: "account-3" });

type Matching = TeamCampaign["matching"];

/** Whose leads `mailbox` leaves to others of a campaign of all of these. */
function left(mailbox: PlanAccount, others: PlanAccount[], matching: Matching): MailProvider[] {
  const spring = campaign({ matching });
  const team = new Team([mailbox, ...others], [spring], []);
  return leftToOthers(
    team,
    mailbox,
    { ...spring, startsNew: true, isTesting: false, startsAt: null },
    NOON,
  );
}

/** A team whose leads are at these providers, in this order; one for null is at a domain that isn't known. */
function teamOf(
  mailboxes: PlanAccount[],
  matching: Matching,
  providers: readonly (MailProvider | null)[],
): Team {
  const leads = newLeads(providers.length);
  const team = new Team(mailboxes, [campaign({ matching, window: ALWAYS })], leads);
  for (const [n, provider] of providers.entries()) {
    if (provider !== null) {
      team.receivers.set(leads[n]?.domain ?? "", provider);
    }
  }
  return team;
}

/** Whom the mailbox writes to now, by place in the queue; or why it waits. */
function next(team: Team, mailbox: PlanAccount, now: UnixMs = NOON): number | string | undefined {
  const decision = decide(team, mailbox, now);
  return decision.kind === "send"
    ? Number(decision.candidate.enrollmentId.slice(-5))
    : decision.kind === "wait"
      ? decision.blocked().get("campaign-1")?.reason
      : undefined;
}

describe("whose new leads a mailbox leaves to others", () => {
  test("none unless the campaign matches; else those of the others' providers, never its own nor anybody's", () => {
    expect(left(google, [microsoft, own], "off")).toEqual([]);
    for (const matching of ["prefer", "only"] as const) {
      expect(left(google, [microsoft, own], matching)).toEqual(["microsoft"]);
      expect(left(own, [microsoft, google], matching)).toEqual(["microsoft", "google"]);
      expect(left(google, [own, account({ id: "account-4", server: "google" })], matching)).toEqual(
        [],
      );
    }
  });

  test("a mailbox behind a relay is at the provider of its domain", () => {
    const relayed = account({ id: "account-5", domain: "firm.example" });
    const spring = campaign({ matching: "only" });
    const team = new Team([google, relayed], [spring], []);
    team.receivers.set("firm.example", "microsoft");
    const asked = { ...spring, startsNew: true, isTesting: false, startsAt: null };
    expect(leftToOthers(team, google, asked, NOON)).toEqual(["microsoft"]);
    expect(leftToOthers(team, relayed, asked, NOON)).toEqual(["google"]);
  });

  const stop = { receiver: "microsoft", count: 2, since: NOON, words: "no" };
  test.each<[string, Partial<PlanAccount>, Matching[]]>([
    ["is paused", { sendable: false }, []],
    ["is in error", { sendable: false, fails: true }, ["only"]],
    ["is in error and unwell", { sendable: false, fails: true, healthScore: 59 }, []],
    ["is too unwell to start leads", { healthScore: 59 }, []],
    ["is a little unwell", { healthScore: 60 }, ["prefer", "only"]],
    ["may send nothing a day", { dailyLimit: 0 }, []],
    ["may send nothing an hour", { hourlyLimit: 0 }, []],
    ["rests for an hour", { backoffUntil: plus(NOON, HOUR_MS) }, ["prefer", "only"]],
    ["is refused there", { refusals: [{ ...stop, until: plus(NOON, HOUR_MS) }] }, []],
    ["was refused there", { refusals: [{ ...stop, until: NOON }] }, ["prefer", "only"]],
    [
      "is refused elsewhere",
      { refusals: [{ ...stop, receiver: "google", until: plus(NOON, HOUR_MS) }] },
      ["prefer", "only"],
    ],
  ])(
    "one that %s counts where it can start leads, now or once a limit ends",
    (_, change, counts) => {
      const other = { ...microsoft, ...change };
      for (const matching of ["prefer", "only"] as const) {
        const expected: MailProvider[] = counts.includes(matching) ? ["microsoft"] : [];
        expect(left(google, [other], matching)).toEqual(expected);
      }
    },
  );
});

describe("a mailbox of a campaign that matches providers", () => {
  const order = ["microsoft", "yahoo", "google", null] as const;

  test("off takes who comes first", () => {
    expect(next(teamOf([google, microsoft], "off", order), google)).toBe(0);
  });

  test.each(["prefer", "only"] as const)("%s passes over others' leads alone", (matching) => {
    const team = teamOf([google, microsoft], matching, order);
    expect(next(team, google)).toBe(1);
    expect(next(team, microsoft)).toBe(0);
    expect(next(teamOf([google, microsoft], matching, ["microsoft", null]), google)).toBe(1);
  });

  test("with none of its own left, prefer takes the others', and only waits", () => {
    const others = ["microsoft", "microsoft"] as const;
    expect(next(teamOf([google, microsoft], "prefer", others), google)).toBe(0);
    expect(next(teamOf([google, microsoft], "only", others), google)).toBe("provider_match");
    expect(next(teamOf([google, { ...microsoft, sendable: false }], "only", others), google)).toBe(
      0,
    );
  });

  test("prefer looks at the first 500 for one of its own, only at all", () => {
    const behind = (count: number) => [
      ...Array.from({ length: count }, (): MailProvider => "microsoft"),
      "google" as const,
    ];
    expect(next(teamOf([google, microsoft], "prefer", behind(499)), google)).toBe(499);
    expect(next(teamOf([google, microsoft], "prefer", behind(500)), google)).toBe(0);
    expect(next(teamOf([google, microsoft], "only", behind(500)), google)).toBe(500);
  });

  test("a risky lead of its own comes before a plain one of another's", () => {
    const [plain, risky] = [newLeads(1), newLeads(1, { campaignId: "campaign-1", isSpread: true })];
    const rows = [...plain, ...risky.map((one) => ({ ...one, enrollmentId: "risky-00009" }))];
    const spring = campaign({ matching: "prefer", window: ALWAYS, spreads: true });
    const team = new Team([google, microsoft], [spring], rows);
    team.receivers.set(plain[0]?.domain ?? "", "microsoft");
    team.queue = team.queue.map((one) => (one.isSpread ? { ...one, domain: "own.example" } : one));
    team.receivers.set("own.example", "google");
    expect(next(team, google)).toBe(9);
  });

  test("a conversation goes on from where it began", () => {
    const spring = campaign({ matching: "only", window: ALWAYS });
    const [one] = followUps(1, { accountId: google.id });
    const team = new Team([google, microsoft], [spring], one === undefined ? [] : [one]);
    team.receivers.set(one?.domain ?? "", "microsoft");
    expect(decide(team, google, NOON).kind).toBe("send");
  });

  test("prefer writes to as many a day as off, and only to all in the end", () => {
    const sent = (matching: Matching, days: number) => {
      const providers = Array.from({ length: 150 }, (_, n): MailProvider | null =>
        n % 5 === 0 ? "google" : n % 7 === 0 ? null : "microsoft",
      );
      const team = teamOf([google, microsoft, own], matching, providers);
      team.run(NOON, plus(NOON, days * DAY_MS));
      return team.sent.length;
    };
    for (const days of [0.5, 1, 1.5, 2]) {
      expect(sent("prefer", days)).toBe(sent("off", days));
      expect(sent("only", days)).toBeLessThan(sent("off", days));
    }
    expect(sent("only", 8)).toBe(150);
  });
});
