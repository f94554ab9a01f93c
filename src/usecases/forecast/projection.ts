/**
 * The planner's ledger over a projected state: what SQLite holds, less what the projection has taken,
 * plus what it has added.
 */

import { canProceed, totalOnHold } from "#domain/campaigns/campaign.ts";
import { guardVerdict } from "#domain/mailboxes/health.ts";
import type { Candidate, Counter, Ledger } from "#domain/sending/ledger.ts";
import type { UnixMs } from "#domain/time.ts";
import { activeCampaigns, campaignsStoppedByPlan } from "#store/campaigns/campaigns.ts";
import { domainsByReceiver } from "#store/mailboxes/mail-domains.ts";
import { mayUse, planCampaign, startsWaiting } from "#store/sending/ledger.ts";
import { cappedDomains, usageOf } from "#store/sending/usage.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";
import type { CampaignRow } from "#store/tables/campaigns.ts";
import { createQueues, ensure } from "./projected-queues.ts";

/** Whom the projection expects to be due; `accountId` is null for a new lead. */
export type Expected = Candidate & { accountId: Id | null };

export interface Projection {
  ledger: Ledger;
  /** An active campaign, or undefined when it is not or has nothing left to send in the projection. */
  campaign(id: Id): CampaignRow | undefined;
  /** The candidate is out of its queue. */
  take(candidate: Candidate): void;
  add(expected: Expected): void;
  count(counters: readonly Counter[]): void;
  /** An email of the campaign that was claimed then has been sent; true when its guard stops it. */
  guard(campaignId: Id, claimedAt: UnixMs): boolean;
  /** Counts one open enrollment less; true when none of the campaign is left that can proceed by itself. */
  close(campaignId: Id): boolean;
}

/** `also`: a campaign that does not run, taken as if it did. */
export function createProjection(db: Db, teamId: Id, also?: CampaignRow): Projection {
  const going = [...activeCampaigns(db, teamId), ...campaignsStoppedByPlan(db, teamId)];
  if (also !== undefined) {
    going.push(also);
  }
  const waits = startsWaiting(db, teamId);
  const active = new Map(going.filter(canProceed).map((row) => [row.id, { ...row }]));
  const queues = createQueues(db);
  const counts = createCounts(db);
  const behind = new Map<string, readonly string[]>();
  return {
    ledger: {
      campaignsOf: (accountId) =>
        [...active.values()]
          .filter((row) => mayUse(row, accountId) || queues.hasFollowUps(row.id, accountId))
          .map((row) => planCampaign(row, accountId, waits(row))),
      count: counts.of,
      zones: queues.zones,
      head: (campaignId, accountId, zone, capped) =>
        queues.head({ campaignId, accountId, zone }, capped),
      cappedDomains: counts.cappedDomains,
      domainsByReceiver: (receivers) =>
        ensure(behind, receivers.join(" "), () => domainsByReceiver(db, receivers)),
    },
    campaign: (id) => active.get(id),
    take: queues.take,
    add: queues.add,
    count: counts.add,
    guard: (campaignId, claimedAt) => {
      const row = active.get(campaignId);
      if (row === undefined || row.startedAt === null || claimedAt < row.startedAt) {
        return false;
      }
      row.guardSends += 1;
      const { guardSends: sends, guardBounces: hardBounces, guardComplaints: complaints } = row;
      return guardVerdict({ sends, hardBounces, complaints }) !== null && active.delete(campaignId);
    },
    close: (campaignId) => {
      const row = active.get(campaignId);
      if (row === undefined) {
        return false;
      }
      row.open -= 1;
      return row.open <= totalOnHold(row.onHold) && active.delete(campaignId);
    },
  };
}

/** The counters of SQLite, read once each, and what the projection adds to them. */
function createCounts(db: Db) {
  const stored = new Map<string, number>();
  const added = new Map<string, number>();
  /** Domains that the projection has written to, by campaign and date. */
  const domains = new Map<string, Set<string>>();
  const storedCapped = new Map<string, readonly string[]>();
  const keyOf = ({ kind, owner, bucket }: Counter) => `${kind} ${owner} ${bucket}`;
  const of = (counter: Counter) => {
    const key = keyOf(counter);
    return ensure(stored, key, () => usageOf(db, counter)) + (added.get(key) ?? 0);
  };
  return {
    of,
    add: (counters: readonly Counter[]) => {
      for (const counter of counters) {
        const key = keyOf(counter);
        added.set(key, (added.get(key) ?? 0) + 1);
        if (counter.kind === "campaign_domain") {
          const [date = "", domain = ""] = counter.bucket.split(":");
          ensure(domains, `${counter.owner} ${date}`, () => new Set()).add(domain);
        }
      }
    },
    cappedDomains: (campaignId: Id, date: string, cap: number): string[] => {
      const read = () => cappedDomains(db, campaignId, date, cap);
      const capped = new Set(ensure(storedCapped, `${campaignId} ${date} ${cap}`, read));
      for (const domain of domains.get(`${campaignId} ${date}`) ?? []) {
        const bucket = `${date}:${domain}`;
        if (of({ kind: "campaign_domain", owner: campaignId, bucket }) >= cap) {
          capped.add(domain);
        }
      }
      return [...capped];
    },
  };
}
