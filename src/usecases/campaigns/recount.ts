/**
 * A time zone was changed: what was sent since the local day began, by the zone in force now, is counted
 * anew from the slots of real time, so that no cap of that day is filled twice and none is filled by what
 * was sent on another day.
 */

import {
  ACCOUNT_KINDS,
  ACCOUNT_SLOT,
  CAMPAIGN_KINDS,
  CAMPAIGN_SLOT,
  countedNow,
  countersIn,
} from "#domain/campaigns/counters.ts";
import { slotOf } from "#domain/campaigns/figures.ts";
import { localDay } from "#domain/campaigns/local-day.ts";
import { DAY_MS, plus, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import { accountById } from "#store/mailboxes/accounts.ts";
import { addUsage, type Bucket, bucketsFrom, replaceUsage } from "#store/sending/usage.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { CampaignRow } from "#store/tables/campaigns.ts";

/** `account` as it is stored. Runs inside a commit. */
export function recountAccount(env: Environment, { id, timezone }: AccountRow): void {
  recount(env, { owner: id, zone: timezone, slots: ACCOUNT_SLOT, kinds: ACCOUNT_KINDS });
}

/**
 * `campaign` as it is stored. Runs inside a commit. Domains are many, and are counted anew only where they
 * are capped: else that is done when they come to be.
 */
export function recountCampaign(
  env: Environment,
  { id, sendWindow, maxPerDomainPerDay }: CampaignRow,
): void {
  const kinds = CAMPAIGN_KINDS.filter(
    (kind) => kind !== "campaign_domain" || maxPerDomainPerDay !== null,
  );
  recount(env, { owner: id, zone: sendWindow.timezone, slots: CAMPAIGN_SLOT, kinds });
}

/** True where the counters of a campaign's day have to be made anew. */
export function isToRecount(before: CampaignRow, after: CampaignRow): boolean {
  const isMoved = after.sendWindow.timezone !== before.sendWindow.timezone;
  return isMoved || (before.maxPerDomainPerDay === null && after.maxPerDomainPerDay !== null);
}

/**
 * Gives back what was counted under `reserved` at `at`, by the time zones in force now. Runs inside a
 * commit.
 */
export function releaseUsage(env: Environment, reserved: readonly Bucket[], at: UnixMs): void {
  const zoneOf = (owner: Id) =>
    accountById(env.db, owner)?.timezone ?? campaignById(env.db, owner)?.sendWindow.timezone;
  addUsage(env.db, countedNow(reserved, at, zoneOf), -1, at);
}

interface Whose {
  owner: Id;
  zone: string;
  /** Kind of the counters that it is counted from. */
  slots: string;
  kinds: readonly string[];
}

function recount(env: Environment, { owner, zone, slots, kinds }: Whose): void {
  const now = env.clock.now();
  // Yesterday too: a clock that is set back finds its counters by the zone in force.
  const day = localDay(zone, plus(now, -DAY_MS));
  const from = String(slotOf(day.from));
  const sums = new Map<string, { kind: string; bucket: string; count: number }>();
  for (const { bucket, count } of bucketsFrom(env.db, { owner, kind: slots, from })) {
    for (const counter of countersIn(zone, { kind: slots, owner, bucket })) {
      if (!kinds.includes(counter.kind)) {
        continue;
      }
      const key = `${counter.kind} ${counter.bucket}`;
      sums.set(key, { ...counter, count: count + (sums.get(key)?.count ?? 0) });
    }
  }
  // A zone that is ahead has counted under dates that are still to come here.
  replaceUsage(env.db, { owner, kinds, from: day.date }, [...sums.values()], now);
}
