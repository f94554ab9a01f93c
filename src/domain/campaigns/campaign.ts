/**
 * Campaigns: states, defaults, bounds.
 *
 * Source: the fields are the seed's; states and defaults are ours (`docs/adr/campaigns.md`).
 */

import { conflict } from "#domain/problem.ts";
import type { EnrollmentStatus, HoldReason } from "./enrollment.ts";
import type { SendWindow } from "./window.ts";

export const CAMPAIGN_STATUSES = ["draft", "active", "paused", "completed", "archived"] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

export const CAMPAIGN_STATUS_REASONS = [
  "manual",
  "bounce_rate",
  "complaint_rate",
  "plan_limit",
] as const;
export type CampaignStatusReason = (typeof CAMPAIGN_STATUS_REASONS)[number];

export const PRIORITIES = ["follow_ups", "new_leads"] as const;
/** Which of a campaign's emails go first when a mailbox has room for one. */
export type Priority = (typeof PRIORITIES)[number];

export const RISKY_ADDRESSES = ["send", "spread", "hold"] as const;
/** What becomes of a new lead whose address is risky: it's written to, now or among many others, or waits for a person. */
export type RiskyAddresses = (typeof RISKY_ADDRESSES)[number];

export const PROVIDER_MATCHINGS = ["off", "prefer", "only"] as const;
/** Whether new leads go from mailboxes at their own provider: wherever it comes, if one has none else, or always. */
export type ProviderMatching = (typeof PROVIDER_MATCHINGS)[number];

/** Why a campaign is or is not sending right now. */
export const SENDING_STATUSES = [
  "sending",
  "outside_window",
  "new_lead_cap",
  "campaign_limit",
  "domain_cap",
  "risky_share",
  "account_caps",
  "account_health",
  "sender_refused",
  "provider_cap",
  "provider_match",
  "waiting_for_experiment",
  "waiting_for_step_delay",
  "no_active_account",
  "nothing_due",
  "paused",
  "draft",
] as const;
export type SendingStatus = (typeof SENDING_STATUSES)[number];

/** Why a lead waits, where it is that. */
export const SENDING_MESSAGES: Partial<Record<SendingStatus, string>> = {
  outside_window: "the send window is closed",
  new_lead_cap: "the campaign has started its new leads for today",
  campaign_limit: "the campaign has reached its daily_limit for today",
  domain_cap: "the campaign has reached its max_per_domain_per_day for this domain today",
  risky_share:
    "the addresses of the leads that are left are risky; at most one in 20 first emails of a mailbox goes to such",
  account_caps: "the mailboxes have reached their sending limits",
  account_health: "the mailboxes' health scores are too low to start new leads",
  sender_refused: "the recipient's provider is refusing these mailboxes for now",
  provider_cap:
    "the mailboxes have reached their provider_limits for the recipient's provider today, or it isn't known yet which one that is",
  provider_match:
    "the campaign's provider_matching is only, and the mailboxes at the recipient's provider can't send now",
  waiting_for_experiment: "an experiment is being measured; the rest of the leads get its result",
  waiting_for_step_delay: "the wait before the next step isn't over yet",
  no_active_account: "none of this campaign's mailboxes can send; check their status",
  nothing_due: "nothing in this campaign is due yet",
};

/** Whether leads that are given to a campaign are left alone there. */
export function leavesAlone(campaign: { status: CampaignStatus; evergreen: boolean }): boolean {
  return campaign.status === "completed" && !campaign.evergreen;
}

/** What is said where leads are given to such a campaign. */
export const COMPLETED_WARNING =
  "the campaign is completed and not evergreen, so these leads get no email; set its status to active to resume sending";

/** How many leads of a campaign are on hold, by the reason. */
export type OnHold = Readonly<Partial<Record<HoldReason, number>>>;

/** How many leads of a campaign have each status. */
export type StatusCounts = Readonly<Partial<Record<EnrollmentStatus, number>>>;

export function totalOnHold(onHold: OnHold): number {
  return Object.values(onHold).reduce((sum, value) => sum + value, 0);
}

/** Leads that may still come to a step that `sent` of them were sent. */
export function leadsToCome(
  { open, onHold, enrolled }: { open: number; onHold: OnHold; enrolled: number },
  sent: number,
): number {
  return Math.max(0, Math.min(open - totalOnHold(onHold), enrolled - sent));
}

/**
 * False while every lead that is left is on hold: the campaign is not over, but leaves the mailboxes' time to
 * others until a person has acted.
 */
export function canProceed({ open, onHold }: { open: number; onHold: OnHold }): boolean {
  const waiting = totalOnHold(onHold);
  return waiting === 0 || open > waiting;
}

/** New leads before another one are counted up to here: to know that they are more helps nobody, and takes long. */
export const AHEAD_COUNTED_MAX = 100_000;

/** Leads whom a change of steps affects are counted up to here: a million may stand at one place. */
export const AFFECTED_MAX = 10_000;

/** How long a start may wait before the first email, so that a person can take it back. */
export const START_DELAY_SECONDS_MAX = 60;

const OFFICE_HOURS: SendWindow = {
  timezone: "UTC",
  days: ["monday", "tuesday", "wednesday", "thursday", "friday"],
  startHour: 9,
  endHour: 17,
  skipHolidays: [],
};

export const CAMPAIGN_DEFAULTS = {
  notes: null,
  stopOnReply: true,
  stopOnAutoReply: false,
  sendWindow: OFFICE_HOURS,
  maxLeadsPerDay: 50,
  dailyLimit: null,
  priority: "follow_ups",
  maxPerDomainPerDay: null,
  stopCompanyOnReply: false,
  trackOpens: false,
  trackClicks: false,
  evergreen: true,
  rules: [],
  riskyAddresses: "send",
  providerMatching: "off",
} as const;

/** What a person may ask for; the engine's own moves (to `completed`) do not pass here. */
const TRANSITIONS: Readonly<Record<CampaignStatus, readonly CampaignStatus[]>> = {
  draft: ["active", "archived"],
  active: ["paused", "archived"],
  paused: ["active", "archived"],
  completed: ["active", "archived"],
  archived: ["paused"],
};

/** Throws a `conflict` naming `status` unless a person may move a campaign from `from` to `to`. */
export function checkTransition(from: CampaignStatus, to: CampaignStatus): void {
  if (from !== to && !TRANSITIONS[from].includes(to)) {
    const allowed = TRANSITIONS[from].join(" or ");
    throw conflict(`a campaign can't go from ${from} to ${to}; allowed: ${allowed}`, "status");
  }
}

/** How many there are of each name; absent where there is none. */
export type Counts<Name extends string> = Partial<Record<Name, number>>;

/** `a` less `b`, name by name; what is absent is zero. */
export function less<Name extends string>(
  names: readonly Name[],
  a: Counts<Name> = {},
  b: Counts<Name> = {},
): Counts<Name> {
  return Object.fromEntries(
    names.map((name) => [name, (a[name] ?? 0) - (b[name] ?? 0)]),
  ) as Counts<Name>;
}

/** `a` and `b` together, name by name, and never below zero. */
export function plus<Name extends string>(
  names: readonly Name[],
  a: Counts<Name>,
  b: Counts<Name> = {},
): Record<Name, number> {
  return Object.fromEntries(
    names.map((name) => [name, Math.max(0, (a[name] ?? 0) + (b[name] ?? 0))]),
  ) as Record<Name, number>;
}
