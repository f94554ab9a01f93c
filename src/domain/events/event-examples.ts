/** An event of each kind as a receiver may see it, for `GET /event-types` and the document. */

import type { EmailFacts, EventData } from "../event-data.ts";
import type { EventType } from "./event.ts";

/** Ids that read as examples. */
function id(last: number): string {
  return `01952c6a-4000-7000-8000-${last.toString(16).padStart(12, "0")}`;
}

const EMAIL_ID = id(1);
const THREAD_ID = id(2);
const CAMPAIGN_ID = id(3);
const STEP_ID = id(4);
const LEAD_ID = id(5);
const ENROLLMENT_ID = THREAD_ID;
const ACCOUNT_ID = id(6);
const MAIL_ID = id(7);
const WEBHOOK_ID = id(8);
const ASSIGNED = { experiment_id: id(10), variant_id: id(11) };

const email: EmailFacts = {
  email_id: EMAIL_ID,
  kind: "step",
  thread_id: THREAD_ID,
  campaign_id: CAMPAIGN_ID,
  step_id: STEP_ID,
  step_position: 1,
  lead_id: LEAD_ID,
  enrollment_id: ENROLLMENT_ID,
  ...ASSIGNED,
  account_id: ACCOUNT_ID,
  message_id: "<01952c6a-4000-7000-8000-000000000001@sender.example>",
  to: "ada@customer.example",
  subject: "A question about onboarding",
};
const enrollment = {
  campaign_id: CAMPAIGN_ID,
  lead_id: LEAD_ID,
  enrollment_id: ENROLLMENT_ID,
  email: "ada@customer.example",
  assignments: [ASSIGNED],
};
const incoming = {
  email_id: EMAIL_ID,
  mail_id: MAIL_ID,
  thread_id: THREAD_ID,
  ...enrollment,
  account_id: ACCOUNT_ID,
};
const campaign = { campaign_id: CAMPAIGN_ID, name: "Spring" };
const workspace = {
  workspace_id: id(12),
  provider: "google" as const,
  domains: ["sender.example"],
};
const account = { account_id: ACCOUNT_ID, email: "ann@sender.example" };

/** Data of an event of each kind. */
export const EVENT_EXAMPLES: { readonly [Type in EventType]: EventData<Type> } = {
  "email.sent": email,
  "email.failed": {
    ...email,
    attempts: 1,
    code: 554,
    response: "554 5.7.1 message refused",
    in_doubt: false,
  },
  "email.deferred": {
    ...email,
    attempts: 1,
    code: 451,
    response: "451 4.7.1 try again later",
    next_attempt_at: "2026-03-02T09:35:00.000Z",
  },
  "email.bounced": {
    ...email,
    severity: "hard",
    enhanced_status: "5.1.1",
    response: "550 5.1.1 no such user",
  },
  "email.opened": { ...email, by_machine: false },
  "email.clicked": { ...email, by_machine: false, url: "pricing.sender.example" },
  "reply.received": {
    ...incoming,
    from: "ada@customer.example",
    subject: "Re: A question about onboarding",
    snippet: "Sounds good, call me on Tuesday.",
    interest: "interested",
    matched_by: "in_reply_to",
  },
  "reply.auto": {
    ...incoming,
    returns_on: "2026-03-16",
    left_company: false,
    new_contact: null,
  },
  "reply.untracked": {
    mail_id: MAIL_ID,
    thread_id: MAIL_ID,
    lead_id: LEAD_ID,
    account_id: ACCOUNT_ID,
    from: "ada@customer.example",
    subject: "Something else",
  },
  "lead.enrolled": { campaign_id: CAMPAIGN_ID, lead_ids: [LEAD_ID, id(9)] },
  "lead.status_changed": {
    ...enrollment,
    previous: "pending",
    current: "active",
    stop_reason: null,
  },
  "lead.interested": { ...enrollment, interest: "interested" },
  "lead.unsubscribed": {
    ...enrollment,
    previous: "active",
    current: "unsubscribed",
    stop_reason: "unsubscribe",
  },
  "lead.completed": {
    ...enrollment,
    previous: "active",
    current: "completed",
    stop_reason: null,
  },
  "lead.merged": { lead_id: LEAD_ID, merged_lead_ids: [id(9)] },
  "lead.erased": { lead_id: LEAD_ID, receipt_id: id(15) },
  "complaint.received": incoming,
  "campaign.started": { ...campaign, reason: null },
  "campaign.paused": {
    ...campaign,
    reason: "bounce_rate",
    sends: 60,
    hard_bounces: 3,
    complaints: 0,
  },
  "campaign.resumed": { ...campaign, reason: null },
  "campaign.completed": { ...campaign, reason: null },
  "account.error": { ...account, reason: "auth", last_error: "535 5.7.8 authentication failed" },
  "account.recovered": account,
  "workspace.refused": {
    ...workspace,
    last_error: "unauthorized_client: Client is unauthorized to retrieve access tokens",
    accounts: 50,
  },
  "workspace.connected": workspace,
  "account.health_changed": {
    ...account,
    previous: 100,
    current: 76,
    cause: "hard_bounces",
    points: { hard_bounces: 24, complaints: 0, smtp_errors: 0, placement: 0 },
    halved: true,
    starts_new_leads: true,
    status: "active",
    paused_until: null,
  },
  "domain.error": {
    domain: "sender.example",
    check: "spf",
    message: "sender.example has no SPF record, so receivers can't check who may send for it",
    was: "the SPF record is valid and covers this mailbox (1 of 10 lookups)",
  },
  "domain.recovered": {
    domain: "sender.example",
    check: "spf",
    message: "the SPF record is valid and covers this mailbox (1 of 10 lookups)",
  },
  "experiment.variant_paused": {
    experiment_id: id(10),
    campaign_id: CAMPAIGN_ID,
    variant_id: id(15),
    variant: "C",
    reason: "bounce_rate",
  },
  "experiment.completed": {
    experiment_id: id(10),
    campaign_id: CAMPAIGN_ID,
    name: "Shorter subject",
    winner_variant_id: id(11),
    winner: "B",
    recommendation_code: "ship_winner",
    recommendation: "B gets more replies; use it.",
  },
  "placement.completed": {
    run_id: id(12),
    trigger_type: "manual",
    status: "completed",
    account_ids: [ACCOUNT_ID],
    total_tests: 10,
    inbox_count: 8,
    spam_count: 1,
    promotions_count: 1,
    not_delivered_count: 0,
    failed_count: 0,
    inbox_rate: 0.8,
  },
  "suppression.created": {
    suppression_id: id(13),
    email_hash: "c5a65b3f7f28d2d1e1f6ca9a7a7f3fe0f5a2a1d0f33c6b2b1c9f2f6d4e8a7b10",
    reason: "unsubscribe",
  },
  "task.created": { task_id: id(14), step_id: STEP_ID, ...enrollment },
  "billing.limit_warning": {
    limit: "mails",
    used: 4_000,
    allowed: 5_000,
    plan: "starter",
    period: "2026-03",
  },
  "billing.limit_reached": {
    limit: "mails",
    used: 5_000,
    allowed: 5_000,
    plan: "starter",
    period: "2026-03",
  },
  "webhook.disabled": {
    webhook_id: WEBHOOK_ID,
    url: "hooks.receiver.example/outrider",
    reason: "failing",
    failures: 42,
    last_status: 500,
    last_error: "status",
  },
  "webhook.test": { webhook_id: WEBHOOK_ID, message: "This is a test." },
};
