/** What the API's words about campaigns and their leads are called on a page. */

import type { CampaignStatus, SendingStatus } from "#domain/campaign.ts";
import type { EnrollmentStatus, HoldReason } from "#domain/enrollment.ts";
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
  manual: "Paused by a person",
  bounce_rate: "Paused by its guard: too many mails bounced",
  complaint_rate: "Paused by its guard: too many people complained",
  plan_limit: "Paused: the plan has no room for it",
} as const;

/** Why it does or does not send right now. */
export const SENDING: Readonly<Record<SendingStatus, string>> = {
  sending: "Sending",
  outside_window: "Its hours are closed",
  new_lead_cap: "Today's new leads have been started",
  account_caps: "Its mailboxes have reached their limits",
  waiting_for_step_delay: "Everybody waits for the next step",
  no_active_account: "No mailbox of it can send",
  nothing_due: "Nothing is due",
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

export const HOLDS: Readonly<Record<HoldReason, string>> = {
  missing_variable: "Lacks a value that a mail needs",
  unknown_send: "Nobody knows whether a mail was delivered",
  task: "A task waits for a person",
  account_gone: "Its mailbox has been deleted",
};

interface Ended {
  status: EnrollmentStatus;
  stop_reason: string | null;
}

const STOPS: Readonly<Record<string, string>> = {
  sequence_finished: "All steps were sent",
  manual: "Ended by a person",
  removed: "Taken out of the campaign",
  reply: "Answered",
  auto_reply: "Answered automatically",
  company_replied: "Somebody of the same company answered",
  bounce_hard: "The address does not exist",
  bounce_soft: "Could not be delivered",
  left_company: "Has left the company",
  refused: "The mail server refused the mail",
  placement_seed: "Is a mailbox of your own, for placement tests",
  unsubscribe: "Asked to be left out",
  complaint: "Complained",
};

/** Why a sequence has ended; of a suppression the reason is its own, which may be a person's. */
export function stopWords({ status, stop_reason: reason }: Ended): string {
  if (reason === null) {
    return "";
  }
  if (status === "suppressed" && reason !== "placement_seed") {
    return "Must not be written to";
  }
  return STOPS[reason] ?? sentence(reason);
}

/** The API's words, as a sentence on a page begins. */
export function sentence(text: string): string {
  const plain = text.replaceAll("_", " ");
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}
