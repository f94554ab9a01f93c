/** Guarantees of the planner over weeks: everybody gets the whole sequence, on time, from one mailbox. */

import { describe, expect, test } from "bun:test";
import { WEEKDAYS } from "#domain/campaigns/window.ts";
import { DAY_MS, plus } from "#domain/time.ts";
import { type Sent, Team } from "../../support/ledger.ts";
import { account, campaign, newLeads, OFFICE_HOURS } from "../../support/plans.ts";
import { at, wallClock } from "../../support/zones.ts";

const FROM = at("2026-03-02T00:00Z");
const ZONES = [null, "America/New_York", "Europe/Berlin", "Asia/Tokyo", "Pacific/Chatham"];
const WAITS = [3, 4];

/** Three campaigns of 60 leads in five zones, three steps each, two mailboxes; clocks change meanwhile. */
function playSpring(): Team {
  const ids = ["campaign-0", "campaign-1", "campaign-2"];
  const leads = ids.flatMap((campaignId) =>
    newLeads(60, { campaignId }).map((one, n) => ({ ...one, zone: ZONES[n % 5] ?? null })),
  );
  const accounts = [
    account({ id: "account-1", zone: "America/New_York", hourlyLimit: 10 }),
    account({
      id: "account-2",
      zone: "Europe/Berlin",
      hourlyLimit: 10,
      ramp: { start: 5, increment: 2, from: "2026-03-02" },
    }),
  ];
  const campaigns = ids.map((id) =>
    campaign({ id, waits: WAITS, maxNewPerDay: 10, window: { ...OFFICE_HOURS, startHour: 8 } }),
  );
  const team = new Team(accounts, campaigns, leads);
  team.run(FROM, plus(FROM, 45 * DAY_MS));
  return team;
}

describe("a month and a half", () => {
  const team = playSpring();
  const byLead = Map.groupBy(team.sent, ({ enrollmentId }) => enrollmentId);
  const dateOf = ({ at: sentAt, zone }: Sent) => wallClock(zone ?? "UTC", sentAt).toPlainDate();

  test("everybody gets every step, and nothing is left", () => {
    expect(team.queue).toEqual([]);
    expect(byLead.size).toBe(180);
    expect(new Set([...byLead.values()].map(({ length }) => length))).toEqual(new Set([3]));
  });

  test("a sequence stays with the mailbox that began it", () => {
    for (const sends of byLead.values()) {
      expect(new Set(sends.map(({ accountId }) => accountId)).size).toBe(1);
    }
    expect(new Set(team.sent.map(({ accountId }) => accountId)).size).toBe(2);
  });

  test("each wait is at least as many dates of the recipient, and few are longer than a weekend", () => {
    let late = 0;
    for (const sends of byLead.values()) {
      for (const [n, wait] of WAITS.entries()) {
        const [before, after] = [sends[n], sends[n + 1]] as [Sent, Sent];
        const days = dateOf(before).until(dateOf(after)).days;
        expect(days).toBeGreaterThanOrEqual(wait);
        late += days > wait + 3 ? 1 : 0;
      }
    }
    expect(late).toBeLessThan(36);
  });

  test("every send is on a working day between eight and five on the recipient's wall", () => {
    for (const { at: sentAt, zone } of team.sent) {
      const wall = wallClock(zone ?? "UTC", sentAt);
      expect(OFFICE_HOURS.days).toContain(WEEKDAYS[wall.dayOfWeek - 1] as "monday");
      expect([8, 9, 10, 11, 12, 13, 14, 15, 16]).toContain(wall.hour);
    }
  });

  test("a day's new leads and a mailbox's day are within their limits, a ramp too", () => {
    const count = new Map<string, number>();
    const add = (key: string): number => {
      count.set(key, (count.get(key) ?? 0) + 1);
      return count.get(key) ?? 0;
    };
    for (const { at: sentAt, accountId, campaignId, isNew } of team.sent) {
      const zone = accountId === "account-1" ? "America/New_York" : "Europe/Berlin";
      const date = wallClock(zone, sentAt).toPlainDate();
      const ramped = 5 + 2 * Temporal.PlainDate.from("2026-03-02").until(date).days;
      const cap = accountId === "account-1" ? 30 : Math.min(30, ramped);
      expect(add(`${accountId} ${date}`)).toBeLessThanOrEqual(cap);
      const day = wallClock("UTC", sentAt).toPlainDate();
      expect(isNew ? add(`${campaignId} ${day}`) : 0).toBeLessThanOrEqual(10);
    }
  });
});
