/**
 * A team in memory: the planner's ledger over plain arrays, and the shortest engine that can drive it.
 * Everything is looked up the slow and plain way, so that it is easy to believe.
 */

import { followUpDueAt } from "#domain/campaigns/schedule.ts";
import type { MailProvider, Receiver } from "#domain/mailboxes/mail-provider.ts";
import type { PlanAccount } from "#domain/sending/budget.ts";
import {
  type Barred,
  type Candidate,
  type Counter,
  isBarred,
  type Ledger,
  type PlanCampaign,
  type Whose,
} from "#domain/sending/ledger.ts";
import { decide } from "#domain/sending/plan-sends.ts";
import { earlier, type UnixMs } from "#domain/time.ts";

export interface TeamCampaign extends Omit<PlanCampaign, "startsNew" | "isTesting" | "startsAt"> {
  /** Days to wait before the second step, the third … */
  waits: readonly number[];
  /** Accounts that may write for it; null: all. */
  accountIds: readonly string[] | null;
}

/** Somebody in a queue; `accountId` is null until the first message. */
export interface Queued extends Candidate {
  accountId: string | null;
  sent: number;
}

export interface Sent {
  at: UnixMs;
  accountId: string;
  campaignId: string;
  enrollmentId: string;
  zone: string | null;
  domain: string;
  isNew: boolean;
  isSpread: boolean;
  dueAt: UnixMs;
}

function whoseIs({ accountId, isSpread }: Queued): Whose {
  return accountId ?? (isSpread ? "spread" : "new");
}

export class Team implements Ledger {
  accounts: PlanAccount[];
  campaigns: TeamCampaign[];
  queue: Queued[];
  counts = new Map<string, number>();
  /** Whose servers a domain is behind; of any other it isn't known. */
  receivers = new Map<string, MailProvider>();
  sent: Sent[] = [];
  /** Queues in order, until somebody leaves or joins one. */
  #lines = new Map<string, readonly Queued[]>();

  constructor(accounts: PlanAccount[], campaigns: TeamCampaign[], queue: Queued[]) {
    this.accounts = accounts.map((account) => ({ ...account }));
    this.campaigns = campaigns.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    this.queue = queue.map((one) => ({ ...one }));
  }

  campaignsOf(accountId: string): readonly PlanCampaign[] {
    return this.campaigns
      .map((one) => ({
        startsAt: null,
        isTesting: false,
        ...one,
        startsNew: one.accountIds?.includes(accountId) ?? true,
      }))
      .filter(({ id, startsNew }) => startsNew || this.#line(id, accountId).length > 0);
  }

  mailboxesOf(campaignId: string): readonly PlanAccount[] {
    const ids = this.campaigns.find(({ id }) => id === campaignId)?.accountIds;
    return this.accounts.filter(({ id }) => ids?.includes(id) ?? true);
  }

  count({ kind, owner, bucket }: Counter): number {
    return this.counts.get(`${kind} ${owner} ${bucket}`) ?? 0;
  }

  heads(campaignId: string, whose: Whose): readonly Candidate[] {
    const heads = new Map<string, Candidate>();
    for (const one of this.#line(campaignId, whose)) {
      if (!heads.has(one.zone ?? "")) {
        heads.set(one.zone ?? "", one);
      }
    }
    return [...heads].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
  }

  head(
    campaignId: string,
    whose: Whose,
    zone: string | null,
    barred: Barred,
  ): Candidate | undefined {
    return this.#line(campaignId, whose)
      .filter((one) => one.zone === zone)
      .slice(0, barred.within)
      .find((one) => !isBarred(barred, one.domain, this.receiverOf));
  }

  receiverOf = (domain: string): Receiver => {
    const provider = this.receivers.get(domain);
    return { provider: provider ?? "custom", isKnown: provider !== undefined };
  };

  cappedDomains(campaignId: string, date: string, cap: number): readonly string[] {
    const prefix = `campaign_domain ${campaignId} ${date}:`;
    return [...this.counts]
      .filter(([key, count]) => key.startsWith(prefix) && count >= cap)
      .map(([key]) => key.slice(prefix.length));
  }

  #line(campaignId: string, whose: Whose): readonly Queued[] {
    const key = `${campaignId} ${whose}`;
    let line = this.#lines.get(key);
    if (line === undefined) {
      line = this.queue
        .filter((one) => one.campaignId === campaignId && whose === whoseIs(one))
        .toSorted((a, b) => a.dueAt - b.dueAt || (a.enrollmentId < b.enrollmentId ? -1 : 1));
      this.#lines.set(key, line);
    }
    return line;
  }

  /** Asks for `account` at `now` and carries out a send. The instant to ask again: `now` after a send. */
  ask(account: PlanAccount, now: UnixMs): UnixMs | undefined {
    const decision = decide(this, account, now);
    if (decision.kind === "wait") {
      return decision.until;
    }
    if (decision.kind === "fault") {
      throw decision.cause;
    }
    const { candidate, counters, turns } = decision;
    for (const { kind, owner, bucket } of counters) {
      const key = `${kind} ${owner} ${bucket}`;
      this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    }
    Object.assign(account, turns, { lastClaimAt: now });
    this.sent.push({ ...candidate, at: now, accountId: account.id });
    this.#advance(candidate.enrollmentId, account.id, now);
    return now;
  }

  #advance(enrollmentId: string, accountId: string, now: UnixMs): void {
    this.#lines.clear();
    const index = this.queue.findIndex((one) => one.enrollmentId === enrollmentId);
    const [one] = this.queue.splice(index, 1);
    const campaign = this.campaigns.find(({ id }) => id === one?.campaignId);
    if (one === undefined || campaign === undefined) {
      throw new Error(`sent to ${enrollmentId}, who is in no queue`);
    }
    const wait = campaign.waits[one.sent];
    if (wait !== undefined) {
      const dueAt = followUpDueAt(campaign.window, one.zone, now, {
        waitDays: wait,
        waitMinutes: 0,
      });
      this.queue.push({
        ...one,
        accountId,
        sent: one.sent + 1,
        isNew: false,
        isSpread: false,
        dueAt,
      });
    }
  }

  /**
   * Runs from `from` to before `to`, asking an account only when it said it would have work; with
   * `everyMs`, all accounts at every such step as well. Returns how often it asked.
   */
  run(from: UnixMs, to: UnixMs, everyMs?: number): number {
    const accounts = this.accounts.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const wakeAt = new Map<string, UnixMs | undefined>(accounts.map(({ id }) => [id, from]));
    let asked = 0;
    let step = from;
    for (let now: UnixMs | undefined = from; now !== undefined && now < to; ) {
      const isStep = everyMs !== undefined && now === step;
      if (isStep) {
        step = (step + everyMs) as UnixMs;
      }
      for (const account of accounts) {
        const due = wakeAt.get(account.id);
        if (isStep || (due !== undefined && due <= now)) {
          asked += 1;
          wakeAt.set(account.id, this.#askUntilWait(account, now));
        }
      }
      now = everyMs === undefined ? undefined : step;
      for (const due of wakeAt.values()) {
        now = earlier(now, due);
      }
    }
    return asked;
  }

  #askUntilWait(account: PlanAccount, now: UnixMs): UnixMs | undefined {
    for (let sends = 0; sends < 1000; sends += 1) {
      const next = this.ask(account, now);
      if (next === undefined || next > now) {
        return next;
      }
      if (this.sent.at(-1)?.at !== now) {
        throw new Error(`${account.id} waits until ${next}, which is not after ${now}`);
      }
    }
    throw new Error(`${account.id} sends without end at ${now}`);
  }
}
