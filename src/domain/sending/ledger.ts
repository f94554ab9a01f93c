/** What the planner asks, and in what terms: campaigns, whom they have to write to, and what was counted. */

import type { Priority, ProviderMatching } from "#domain/campaigns/campaign.ts";
import type { SendWindow } from "#domain/campaigns/window.ts";
import type { Receiver } from "#domain/mailboxes/mail-provider.ts";
import type { UnixMs } from "#domain/time.ts";
import type { MatchedMailbox } from "./barred.ts";

/** A campaign as the planner sees it. The zone of its caps is its window's. */
export interface PlanCampaign {
  id: string;
  window: SendWindow;
  /** First messages a local day. */
  maxNewPerDay: number;
  /** Messages a local day; null: no bound. */
  dailyLimit: number | null;
  maxPerDomainPerDay: number | null;
  priority: Priority;
  /** False where the account may only go on with whom it has written to. */
  startsNew: boolean;
  /** Leads whose address is risky get few of the first emails. */
  spreads: boolean;
  /** Whether its new leads go from mailboxes at their own provider. */
  matching: ProviderMatching;
  /** When it may send its first email; null: at once. A person may take a start back until then. */
  startsAt: UnixMs | null;
  /** An experiment measures those who were written to before the others are. */
  isTesting: boolean;
}

/** Somebody at the head of a queue. */
export interface Candidate {
  enrollmentId: string;
  campaignId: string;
  /** The lead's own zone; null: the campaign's. */
  zone: string | null;
  /** Mail domain of the address. */
  domain: string;
  dueAt: UnixMs;
  /** Never written to before. */
  isNew: boolean;
  /** Found to have a risky address in a campaign that spreads those. */
  isSpread: boolean;
}

/** Whose queue: new leads, those of them with a risky address, or the follow-ups of the account with this id. */
export type Whose = "new" | "spread" | (string & {});

export type CounterKind =
  | "account_day"
  | "account_hour"
  /** First emails of a UTC day, and those of them to risky addresses that are spread. */
  | "account_new"
  | "account_spread"
  /** Emails of sequences to one provider's recipients. */
  | "account_provider"
  | "campaign_day"
  | "campaign_new"
  | "campaign_domain"
  /** The team's emails of a calendar month, for its plan. */
  | "team_month";

/** What a message is counted under. `bucket` is a date, a local hour, `<date>:<domain>` or `<date>:<provider>`. */
export interface Counter {
  kind: CounterKind;
  owner: string;
  bucket: string;
}

/** Whom a mailbox doesn't write to for now. */
export interface Barred {
  domains: readonly string[];
  providers: readonly string[];
  /** Also domains of which it isn't known whose servers they are behind. */
  unknown: boolean;
  /** How many of a queue are looked at for somebody else; left out: all. */
  within?: number;
}

export const NOBODY_BARRED: Barred = { domains: [], providers: [], unknown: false };

export function isBarred(
  { domains, providers, unknown }: Barred,
  domain: string,
  receiverOf: Ledger["receiverOf"],
): boolean {
  if (domains.includes(domain)) {
    return true;
  }
  if (providers.length === 0 && !unknown) {
    return false;
  }
  const { provider, isKnown } = receiverOf(domain);
  return providers.includes(provider) || (unknown && !isKnown);
}

/** What the planner reads. Results may not depend on the instant. */
export interface Ledger {
  /** Active campaigns for which the account may start leads or has follow-ups, in id order. */
  campaignsOf(accountId: string): readonly PlanCampaign[];
  /** Those that may start leads for the campaign, whatever their state. */
  mailboxesOf(campaignId: string): readonly MatchedMailbox[];
  count(counter: Counter): number;
  /** The head, the least (dueAt, enrollmentId), of each zone with somebody queued. */
  heads(campaignId: string, whose: Whose): readonly Candidate[];
  /** The head of one zone without the leads that are barred. */
  head(
    campaignId: string,
    whose: Whose,
    zone: string | null,
    barred: Barred,
  ): Candidate | undefined;
  /** Domains to which the campaign has written `cap` times or more on `date`. */
  cappedDomains(campaignId: string, date: string, cap: number): readonly string[];
  receiverOf: (domain: string) => Receiver;
}
