/** Guarantees of `domain/campaigns/counters.ts`: an email's slot says under which local day and hour it counts, in any zone. */

import { expect, test } from "bun:test";
import fc from "fast-check";
import { countedNow, countersIn, slotsOf } from "#domain/campaigns/counters.ts";
import { localDay, localHour } from "#domain/campaigns/local-day.ts";
import type { UnixMs } from "#domain/time.ts";
import { anyMoment, anyZone } from "../../support/zones.ts";

const ACCOUNT = "account-1";
const CAMPAIGN = "campaign-1";
const MONTH = { kind: "team_month", owner: "team-1", bucket: "2026-03" };

/** What a claim reserves. */
function countersAt(at: UnixMs, zone: { account: string; campaign: string }, isNew: boolean) {
  const { date } = localDay(zone.campaign, at);
  const day = localDay(zone.account, at).date;
  return [
    MONTH,
    { kind: "account_day", owner: ACCOUNT, bucket: day },
    { kind: "account_hour", owner: ACCOUNT, bucket: localHour(zone.account, at).key },
    { kind: "campaign_day", owner: CAMPAIGN, bucket: date },
    { kind: "campaign_domain", owner: CAMPAIGN, bucket: `${date}:a.example` },
    ...(isNew ? [{ kind: "campaign_new", owner: CAMPAIGN, bucket: date }] : []),
  ];
}
const sorted = (all: readonly object[]) => all.map((one) => JSON.stringify(one)).sort();
const zones = fc.record({ account: anyZone(), campaign: anyZone() });

test("moved to other zones, an email counts as if it had been sent there", () => {
  fc.assert(
    fc.property(anyMoment(), zones, zones, fc.boolean(), (at, before, after, isNew) => {
      const counters = countersAt(at, before, isNew);
      const slots = slotsOf(counters, at);
      const zoneOf = (owner: string) => (owner === ACCOUNT ? after.account : after.campaign);
      const expected = sorted([...countersAt(at, after, isNew), ...slots]);
      expect(sorted(countedNow(counters, at, zoneOf))).toEqual(expected);
      const again = slots.flatMap((slot) => countersIn(zoneOf(slot.owner), slot));
      expect(sorted([...again, MONTH])).toEqual(sorted(countersAt(at, after, isNew)));
    }),
  );
});

test("a slot that is named is the one that counts, whenever its row was written", () => {
  fc.assert(
    fc.property(anyMoment(), anyMoment(), zones, (claimed, written, zone) => {
      const counters = countersAt(claimed, zone, false).slice(0, 3);
      const named = [...counters, ...slotsOf(counters, claimed)];
      expect(slotsOf(named, written)).toEqual([]);
      expect(sorted(countedNow(named, written, () => zone.account))).toEqual(sorted(named));
    }),
  );
});

test("of an owner that is gone the counters are what they were", () => {
  fc.assert(
    fc.property(anyMoment(), zones, (at, zone) => {
      const counters = countersAt(at, zone, true);
      const expected = sorted([...counters, ...slotsOf(counters, at)]);
      expect(sorted(countedNow(counters, at, () => undefined))).toEqual(expected);
    }),
  );
});
