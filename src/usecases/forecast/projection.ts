/**
 * The planner's ledger over a projected state: what SQLite holds, less what the projection has taken,
 * plus what it has added.
 */

import { canProceed, leavesAlone, totalOnHold } from "#domain/campaigns/campaign.ts";
import { guardVerdict } from "#domain/experiments/campaign-guard.ts";
import type { Receiver } from "#domain/mailboxes/mail-provider.ts";
import type { PlanAccount } from "#domain/sending/budget.ts";
import type { Candidate, Counter, CounterKind, Ledger, Whose } from "#domain/sending/ledger.ts";
import type { UnixMs } from "#domain/time.ts";
import {
  activeCampaigns,
  campaignById,
  campaignsStoppedByPlan,
} from "#store/campaigns/campaigns.ts";
import { receiverOf } from "#store/mailboxes/mail-domains.ts";
import { campaignsTesting, mayUse, planCampaign, startsWaiting } from "#store/sending/ledger.ts";
import { cappedDomains, usageOf } from "#store/sending/usage.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";
import type { CampaignRow } from "#store/tables/campaigns.ts";
import { createQueues, ensure } from "./projected-queues.ts";

export interface Projection {
  ledger: Ledger;
  /** An active campaign, or undefined when it is not or has nothing left to send in the projection. */
  campaign(id: Id): CampaignRow | undefined;
  /** The candidate is out of its queue. */
  take(candidate: Candidate): void;
  /** Who is expected to be due from then on, and in which queue. */
  add(expected: Candidate, whose: Whose): void;
  count(counters: readonly Counter[]): void;
  /** An email of the campaign that was claimed then has been sent; true when its guard stops it. */
  guard(campaignId: Id, claimedAt: UnixMs): boolean;
  /** Counts one open enrollment less; true when none of the campaign is left that can proceed by itself. */
  close(campaignId: Id): boolean;
  /** Counts one more: a campaign that had nothing left to send goes on. */
  open(campaignId: Id, at: UnixMs): void;
}

/** `mailboxes`: the team's, as they are projected. `also`: a campaign that does not run, taken as if it did. */
export function createProjection(
  db: Db,
  teamId: Id,
  mailboxes: readonly { plan: PlanAccount }[],
  also?: CampaignRow,
): Projection {
  const going = [...activeCampaigns(db, teamId), ...campaignsStoppedByPlan(db, teamId)];
  if (also !== undefined) {
    going.push(also);
  }
  const waits = startsWaiting(db, teamId);
  const testing = campaignsTesting(db, teamId);
  const active = new Map(going.filter(canProceed).map((row) => [row.id, { ...row }]));
  /** Those that rest until another lead comes. */
  const resting = new Map(going.filter((row) => !canProceed(row)).map((row) => [row.id, row]));
  const receivers = new Map<string, Receiver>();
  const known = (domain: string) => ensure(receivers, domain, () => receiverOf(db, domain));
  const queues = createQueues(db, known);
  const counts = createCounts(db);
  return {
    ledger: {
      campaignsOf: (accountId) =>
        [...active.values()]
          .filter((row) => mayUse(row, accountId) || queues.hasFollowUps(row.id, accountId))
          .map((row) => planCampaign(row, accountId, waits(row), testing.has(row.id))),
      mailboxesOf: (campaignId) => {
        const row = active.get(campaignId);
        const plans = mailboxes.map(({ plan }) => plan);
        return row === undefined ? [] : plans.filter(({ id }) => mayUse(row, id));
      },
      count: counts.of,
      heads: queues.heads,
      head: (campaignId, whose, zone, barred) => queues.head({ campaignId, whose, zone }, barred),
      cappedDomains: counts.cappedDomains,
      receiverOf: known,
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
      const isOver = row.open <= totalOnHold(row.onHold);
      if (isOver) {
        resting.set(campaignId, row);
      }
      return isOver && active.delete(campaignId);
    },
    open: (campaignId, at) => {
      const row = active.get(campaignId) ?? resting.get(campaignId) ?? spent(db, campaignId);
      // One that had completed may have leads that came after, and takes up none of them.
      const goesOn = row !== undefined && !leavesAlone(row) && (row.open > 0 || row.evergreen);
      if (row !== undefined && (active.has(campaignId) || goesOn)) {
        const isRevived = row.open === 0 && row.enrolled > 0;
        const anew = isRevived
          ? { startedAt: at, guardSends: 0, guardBounces: 0, guardComplaints: 0 }
          : {};
        resting.delete(campaignId);
        active.set(campaignId, { ...row, ...anew, enrolled: row.enrolled + 1, open: row.open + 1 });
      }
    },
  };
}

/** A campaign that has completed. */
function spent(db: Db, id: Id): CampaignRow | undefined {
  const row = campaignById(db, id);
  return row?.status === "completed" ? row : undefined;
}

/** The counters of SQLite, read once each, with what the projection adds to them. */
function createCounts(db: Db) {
  const cells = new Map<CounterKind, Map<Id, Map<string, { count: number }>>>();
  const cellOf = (counter: Counter) => {
    const owners = ensure(cells, counter.kind, () => new Map());
    const buckets = ensure(owners, counter.owner, () => new Map());
    return ensure(buckets, counter.bucket, () => ({ count: usageOf(db, counter) }));
  };
  /** By campaign and date: the domains at their cap, once somebody has asked for them. */
  const full = new Map<Id, Map<string, string[]>>();
  /** By campaign and date: the domains that were written to since. */
  const written = new Map<Id, Map<string, Set<string>>>();
  return {
    of: (counter: Counter): number => cellOf(counter).count,
    add: (counters: readonly Counter[]) => {
      for (const counter of counters) {
        cellOf(counter).count += 1;
        if (counter.kind === "campaign_domain") {
          const [date = "", domain = ""] = counter.bucket.split(":");
          const dates = ensure(written, counter.owner, () => new Map());
          ensure(dates, date, () => new Set()).add(domain);
        }
      }
    },
    cappedDomains: (owner: Id, date: string, cap: number): readonly string[] => {
      const capped = ensure(
        ensure(full, owner, () => new Map()),
        date,
        () => [...cappedDomains(db, owner, date, cap)],
      );
      const since = written.get(owner)?.get(date);
      for (const domain of since ?? []) {
        const { count } = cellOf({ kind: "campaign_domain", owner, bucket: `${date}:${domain}` });
        if (count >= cap && !capped.includes(domain)) {
          capped.push(domain);
        }
      }
      since?.clear();
      return capped;
    },
  };
}
