/** What the API's words about campaigns and their leads are called on a page. */

import type { CampaignStatus, SendingStatus } from "#domain/campaigns/campaign.ts";
import type { EnrollmentStatus, HoldReason } from "#domain/campaigns/enrollment.ts";
import { plural } from "../../lib/format.ts";
import type { Tone } from "../../parts/page.tsx";

interface Word {
  name: string;
  tone: Tone;
}

export const STATUSES: Readonly<Record<CampaignStatus, Word>> = {
  draft: { name: "Draft", tone: "plain" },
  active: { name: "Active", tone: "good" },
  paused: { name: "Paused", tone: "warn" },
  completed: { name: "Completed", tone: "brand" },
  archived: { name: "Archived", tone: "plain" },
};

export const PAUSE_REASONS = {
  manual: "Paused manually",
  bounce_rate: "Paused automatically: too many emails bounced",
  complaint_rate: "Paused automatically: too many complaints",
  plan_limit: "Paused: your plan’s limit is reached",
} as const;

/** Why it does or does not send right now. */
export const SENDING: Readonly<Record<SendingStatus, string>> = {
  sending: "Sending",
  outside_window: "Outside its sending hours",
  new_lead_cap: "Reached its daily limit for new leads",
  campaign_limit: "Reached its daily email limit",
  domain_cap: "Reached its daily limit per domain",
  risky_share: "Reached its daily limit for risky leads",
  provider_cap: "Reached its daily limit per provider",
  provider_match: "Waiting for matching mailboxes",
  account_caps: "Its mailboxes reached their limits",
  account_health: "Its mailboxes’ health is too low for new leads",
  sender_refused: "Providers refuse its mailboxes",
  waiting_for_experiment: "Waiting for its experiment",
  waiting_for_step_delay: "Waiting for the next step",
  no_active_account: "None of its mailboxes can send",
  nothing_due: "Nothing due",
  paused: "Paused",
  draft: "Not started yet",
};

export const LEAD_STATUSES: Readonly<Record<EnrollmentStatus, Word>> = {
  pending: { name: "Waiting", tone: "plain" },
  active: { name: "In sequence", tone: "brand" },
  paused: { name: "Paused", tone: "warn" },
  completed: { name: "Finished", tone: "plain" },
  replied: { name: "Replied", tone: "good" },
  bounced: { name: "Bounced", tone: "bad" },
  unsubscribed: { name: "Unsubscribed", tone: "plain" },
  failed: { name: "Failed", tone: "bad" },
  suppressed: { name: "Suppressed", tone: "plain" },
};

/** As wide as the longest of them. */
export const STATUS_TRACK = [112, 0] as const;

/** Where a lead stands in a campaign; a hold comes before its status, which stays as it was. */
export function standingWord(lead: { status: EnrollmentStatus; hold_reason: string | null }): Word {
  return lead.hold_reason === null ? LEAD_STATUSES[lead.status] : { name: "On hold", tone: "warn" };
}

/** Why leads are on hold, as a filter names it. */
export const HOLDS: Readonly<Record<HoldReason, string>> = {
  missing_variable: "Missing a value",
  unknown_send: "Unconfirmed email",
  task: "Task to do",
  account_gone: "Mailbox deleted",
  planning_failed: "Couldn’t be scheduled",
  invalid_address: "Invalid address",
  risky_address: "Risky address",
};

/** A group of leads on hold: who they are, what the hold is, and what to do about it. */
const GROUPS: Readonly<Record<HoldReason, readonly [string, string, string?]>> = {
  missing_variable: [
    "lead",
    "on hold: a value is missing",
    "An email uses a value they don’t have. Add it, or give the step a fallback.",
  ],
  unknown_send: [
    "email",
    "may or may not have been delivered",
    "The connection broke at the end of the email. Nothing is sent until you decide.",
  ],
  task: [
    "lead",
    "on hold: waiting for a task",
    "Their sequences continue when their tasks are done or skipped.",
  ],
  account_gone: [
    "lead",
    "on hold: their mailbox was deleted",
    "No other mailbox continues their thread.",
  ],
  planning_failed: [
    "lead",
    "on hold: no send time could be found",
    "Correct what can’t be scheduled, such as the time zone. Then try again.",
  ],
  invalid_address: ["lead", "on hold: an invalid address"],
  risky_address: ["lead", "on hold: a risky address"],
};

/** `of` names the campaign where that is not plain: "in Spring ". */
export function holdNeed(reason: HoldReason, leads: number, of: string) {
  const [one, what, detail = ""] = GROUPS[reason];
  return { title: `${plural(leads, one)} ${of}${what}`, detail };
}

/** Names of the values that a lead on hold lacks and can be given. */
export function lackedIn(detail: string | null): string[] {
  const names = FILES.test(detail ?? "") ? [] : (detail ?? "").split(", ");
  return names.filter((name) => /^(?!body$|postal_address$)\w+$/.test(name));
}

/** What keeps files from being sent, after the field of the step. */
const FILES = /: (.*)/;

/** Why one lead is on hold, and what to do about it. */
export function holdWords(reason: HoldReason, detail: string | null): string {
  if (reason === "missing_variable") {
    const files = FILES.exec(detail ?? "")?.[1];
    if (files !== undefined) {
      return `On hold: files can’t be sent (${files}). Change the step’s files.`;
    }
    const names = lackedIn(detail).map((name) => name.replaceAll("_", " "));
    if (names.length > 0) {
      return `On hold: this lead has no ${names.join(" and no ")}. Add ${names[1] ? "them" : "one"}, or give the step a fallback.`;
    }
  }
  return `On hold: ${HOLDS[reason].toLowerCase()}`;
}

interface Ended {
  status: EnrollmentStatus;
  stop_reason: string | null;
}

const STOPS: Readonly<Record<string, string>> = {
  sequence_finished: "Finished all steps",
  manual: "Ended manually",
  removed: "Removed from the campaign",
  reply: "Replied",
  auto_reply: "Sent an auto-reply",
  company_replied: "Someone at the same company replied",
  bounce_hard: "The address doesn’t exist",
  bounce_soft: "Couldn’t be delivered",
  left_company: "Left the company",
  refused: "The mail server refused the email",
  placement_seed: "One of your own mailboxes, used for placement tests",
  unsubscribe: "Opted out",
  complaint: "Complained",
};

/** Why a sequence has ended; of a suppression the reason is its own, which may be a person's. */
export function stopWords({ status, stop_reason: reason }: Ended): string {
  if (reason === null) {
    return "";
  }
  if (status === "suppressed" && reason !== "placement_seed") {
    return "Suppressed";
  }
  return STOPS[reason] ?? sentence(reason);
}

/** The API's words, as a sentence on a page begins. */
export function sentence(text: string): string {
  const plain = text.replaceAll("_", " ");
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}
