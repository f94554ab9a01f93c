/**
 * The planner's ledger over a projected state: what SQLite holds, less what the projection has taken,
 * plus what it has added. Queues are read in pages, so a campaign of a million leads costs what is sent.
 */

import type { Candidate, Counter, Ledger } from "#domain/plan-sends.ts";
import { activeCampaigns } from "#store/campaigns.ts";
import type { Id } from "#store/columns.ts";
import type { Db } from "#store/database.ts";
import {
  mayUse,
  planCampaign,
  QUEUE_START,
  type Queue,
  type QueuePlace,
  readQueue,
  zonesOf,
} from "#store/ledger.ts";
import type { CampaignRow } from "#store/tables/campaigns.ts";
import { cappedDomains, usageOf } from "#store/usage.ts";

const PAGE = 200;

/** A follow-up that the projection expects. */
export type Expected = Candidate & { accountId: Id };

export interface Projection {
  ledger: Ledger;
  /** An active campaign, or undefined when it is not or has completed in the projection. */
  campaign(id: Id): CampaignRow | undefined;
  /** The candidate is out of its queue. */
  take(candidate: Candidate): void;
  add(expected: Expected): void;
  count(counters: readonly Counter[]): void;
  /** One enrollment less can go on; true when that completed the campaign. */
  close(campaignId: Id): boolean;
}

interface Line {
  queue: Queue;
  read: Candidate[];
  place: QueuePlace;
  exhausted: boolean;
  /** Sorted by (dueAt, enrollmentId). */
  added: Candidate[];
}

export function createProjection(db: Db, teamId: Id): Projection {
  const active = new Map(activeCampaigns(db, teamId).map((row) => [row.id, { ...row }]));
  const lines = new Map<string, Line>();
  const zones = new Map<string, (string | null)[]>();
  const taken = new Set<Id>();
  const counted = new Map<string, number>();

  const lineOf = (queue: Queue): Line => {
    const key = `${queue.campaignId} ${queue.accountId} ${queue.zone}`;
    let line = lines.get(key);
    if (line === undefined) {
      line = { queue, read: [], place: QUEUE_START, exhausted: false, added: [] };
      lines.set(key, line);
    }
    return line;
  };

  const zonesAt = (campaignId: Id, accountId: Id | null): (string | null)[] => {
    const key = `${campaignId} ${accountId}`;
    let known = zones.get(key);
    if (known === undefined) {
      known = zonesOf(db, campaignId, accountId);
      zones.set(key, known);
    }
    return known;
  };

  const head = (queue: Queue, capped: readonly string[]): Candidate | undefined => {
    const line = lineOf(queue);
    const fits = (one: Candidate) => !(taken.has(one.enrollmentId) || capped.includes(one.domain));
    while (line.read.length > 0 && taken.has(line.read[0]?.enrollmentId ?? "")) {
      line.read.shift();
    }
    let stored = line.read.find(fits);
    while (stored === undefined && !line.exhausted) {
      const page = readPage(db, line);
      stored = page.find(fits);
    }
    return least(stored, line.added.find(fits));
  };

  const keyOf = ({ kind, owner, bucket }: Counter) => `${kind} ${owner} ${bucket}`;
  const cappedNow = (campaignId: Id, date: string, cap: number): string[] => {
    const domains = new Set(cappedDomains(db, campaignId, date, cap));
    const prefix = `campaign_domain ${campaignId} ${date}:`;
    for (const [key, added] of counted) {
      if (key.startsWith(prefix)) {
        const domain = key.slice(prefix.length);
        const stored = usageOf(db, {
          kind: "campaign_domain",
          owner: campaignId,
          bucket: `${date}:${domain}`,
        });
        if (stored + added >= cap) {
          domains.add(domain);
        }
      }
    }
    return [...domains];
  };

  const hasFollowUps = (campaignId: Id, accountId: Id): boolean =>
    zonesAt(campaignId, accountId).some(
      (zone) => head({ campaignId, accountId, zone }, []) !== undefined,
    );

  return {
    ledger: {
      campaignsOf: (accountId) =>
        [...active.values()]
          .filter((row) => mayUse(row, accountId) || hasFollowUps(row.id, accountId))
          .map(planCampaign),
      count: (counter) => usageOf(db, counter) + (counted.get(keyOf(counter)) ?? 0),
      zones: zonesAt,
      head: (campaignId, accountId, zone, capped) => head({ campaignId, accountId, zone }, capped),
      cappedDomains: cappedNow,
    },
    campaign: (id) => active.get(id),
    take: ({ enrollmentId, campaignId, zone }) => {
      taken.add(enrollmentId);
      for (const line of lines.values()) {
        if (line.queue.campaignId === campaignId && line.queue.zone === zone) {
          const index = line.added.findIndex((one) => one.enrollmentId === enrollmentId);
          if (index >= 0) {
            line.added.splice(index, 1);
          }
        }
      }
    },
    add: (expected) => {
      const { accountId, campaignId, zone } = expected;
      taken.delete(expected.enrollmentId);
      dropRead(lines, expected.enrollmentId);
      insertSorted(lineOf({ campaignId, accountId, zone }).added, expected);
      const known = zonesAt(campaignId, accountId);
      if (!known.includes(zone)) {
        known.push(zone);
      }
    },
    count: (counters) => {
      for (const counter of counters) {
        counted.set(keyOf(counter), (counted.get(keyOf(counter)) ?? 0) + 1);
      }
    },
    close: (campaignId) => {
      const row = active.get(campaignId);
      if (row === undefined) {
        return false;
      }
      row.open -= 1;
      return row.open <= 0 && active.delete(campaignId);
    },
  };
}

function readPage(db: Db, line: Line): Candidate[] {
  const page = readQueue(db, line.queue, line.place, PAGE, []);
  const last = page.at(-1);
  if (last !== undefined) {
    line.place = { dueAt: last.dueAt, id: last.enrollmentId };
  }
  line.exhausted = page.length < PAGE;
  line.read.push(...page);
  return page;
}

/** What was read of an enrollment before the projection moved it on is stale. */
function dropRead(lines: ReadonlyMap<string, Line>, enrollmentId: Id): void {
  for (const line of lines.values()) {
    const index = line.read.findIndex((one) => one.enrollmentId === enrollmentId);
    if (index >= 0) {
      line.read.splice(index, 1);
    }
  }
}

function insertSorted(list: Candidate[], one: Candidate): void {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = list[middle];
    if (other !== undefined && isBefore(other, one)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  list.splice(low, 0, one);
}

function least(a: Candidate | undefined, b: Candidate | undefined): Candidate | undefined {
  if (a === undefined || b === undefined) {
    return a ?? b;
  }
  return isBefore(a, b) ? a : b;
}

function isBefore(a: Candidate, b: Candidate): boolean {
  return a.dueAt < b.dueAt || (a.dueAt === b.dueAt && a.enrollmentId < b.enrollmentId);
}
