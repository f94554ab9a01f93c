/**
 * What an event of each kind tells: the one place from which its type, its check and its published schema
 * are made. Ids, and the facts that changed; never the body of an email, never a secret. What names a person
 * can be null, because it is when that person has been erased. Source: ours.
 */

import { type Static, type TLiteral, type TSchema, type TUnion, Type } from "@sinclair/typebox";
import { CAMPAIGN_STATUS_REASONS } from "./campaigns/campaign.ts";
import { ENROLLMENT_STATUSES, INTERESTS } from "./campaigns/enrollment.ts";
import type { EventType } from "./events/event.ts";
import { DISABLED_REASONS } from "./events/webhook.ts";
import { MERGED_LEADS_MAX } from "./leads/duplicates.ts";
import { SUPPRESSION_REASONS } from "./leads/suppression.ts";
import { ACCOUNT_STATUS_REASONS, ACCOUNT_STATUSES } from "./mailboxes/account.ts";
import { HEALTH_CAUSES } from "./mailboxes/health.ts";
import { DOMAIN_CHECKS } from "./mailboxes/sender-domain/finding.ts";
import { WORKSPACE_PROVIDERS } from "./mailboxes/workspace.ts";
import { RUN_STATUSES, TRIGGER_TYPES } from "./placement/placement.ts";
import { MESSAGE_KINDS } from "./sending/message.ts";
import { LIMITS, PLANS } from "./sending/plan.ts";

/** Leads in one event. */
const LEAD_IDS_MAX = 1_000;

const closed = { additionalProperties: false };
const uuid = (description: string) => Type.String({ format: "uuid", description });
const uuids = (maxItems: number, description: string) =>
  Type.Array(Type.String({ format: "uuid" }), { minItems: 1, maxItems, description });
const time = (description: string) => Type.String({ format: "date-time", description });
const text = (description: string) => Type.String({ description });
const count = (description: string) => Type.Integer({ minimum: 0, description });
const flag = (description: string) => Type.Boolean({ description });
const points = (description: string) => Type.Number({ description });

function orNull<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

function oneOf<const Values extends readonly string[]>(values: Values, description: string) {
  const literals = values.map((value) => Type.Literal(value));
  return Type.Union(literals, { description }) as unknown as TUnion<{
    -readonly [Index in keyof Values]: TLiteral<Values[Index]>;
  }>;
}

const campaignId = uuid("The campaign's id");
const leadId = uuid("The lead's id");
const enrollmentId = uuid("Id of the campaign lead");
const accountId = uuid("The account's id");
const threadId = uuid("Conversation that it belongs to");
const subject = orNull(text("Subject; null once the lead was erased"));
const from = orNull(text("Address of the sender; null once the lead was erased"));

const leadEmail = Type.Optional(
  orNull(text("Address of the lead; null for none or an erased one. Absent in older events")),
);

const assignments = Type.Optional(
  Type.Array(
    Type.Object(
      { experiment_id: uuid("The experiment's id"), variant_id: uuid("The variant's id") },
      closed,
    ),
    {
      description:
        "Variants that the lead was sent, one for each experiment. Absent in older events",
    },
  ),
);

/** An email that was sent. */
const EMAIL = {
  email_id: uuid("Id of the sent email"),
  kind: oneOf(MESSAGE_KINDS, "What the email was sent for"),
  thread_id: threadId,
  campaign_id: orNull(uuid("Campaign that it belongs to; null for none")),
  step_id: orNull(uuid("Step that was sent; null for none")),
  step_position: orNull(count("Position of the step; null for none")),
  lead_id: orNull(uuid("Lead that it was sent to; null for none")),
  enrollment_id: orNull(uuid("Id of the campaign lead; null for none")),
  experiment_id: Type.Optional(
    orNull(uuid("Experiment that it was part of; null for none. Absent in older events")),
  ),
  variant_id: Type.Optional(
    orNull(uuid("Variant that it was made from; null for none. Absent in older events")),
  ),
  account_id: accountId,
  message_id: text("`Message-ID` header"),
  to: orNull(text("Address of the recipient; null once the lead was erased")),
  subject,
};

const response = orNull(text("What the mail server said; null without a response"));
/** What a server said to it. */
const VERDICT = {
  attempts: count("Attempts to send it"),
  code: orNull(Type.Integer({ description: "SMTP code; null without a response" })),
  response,
};

/** An email that was received. */
const INCOMING = {
  email_id: orNull(uuid("Sent email that it is about; null for none")),
  mail_id: uuid("Id of the received email"),
  thread_id: threadId,
  campaign_id: orNull(uuid("Campaign that it belongs to; null for none")),
  lead_id: orNull(uuid("Lead that it belongs to; null for none")),
  enrollment_id: orNull(uuid("Id of the campaign lead; null for none")),
  email: leadEmail,
  assignments,
  account_id: accountId,
};

const ENROLLMENT = {
  campaign_id: campaignId,
  lead_id: leadId,
  enrollment_id: enrollmentId,
  email: leadEmail,
  assignments,
};
const STATUS_CHANGE = Type.Object(
  {
    ...ENROLLMENT,
    previous: oneOf(ENROLLMENT_STATUSES, "Status before"),
    current: oneOf(ENROLLMENT_STATUSES, "Status now"),
    stop_reason: orNull(text("Why the sequence ended; null while it has not")),
  },
  closed,
);
const CAMPAIGN = Type.Object(
  {
    campaign_id: campaignId,
    name: text("Name of the campaign"),
    reason: orNull(oneOf(CAMPAIGN_STATUS_REASONS, "Why it was paused; null otherwise")),
  },
  closed,
);
const ACCOUNT = { account_id: accountId, email: text("Address of the mailbox") };
const WORKSPACE = {
  workspace_id: uuid("The workspace's id"),
  provider: oneOf(WORKSPACE_PROVIDERS, "Who runs the workspace"),
  domains: Type.Array(Type.String(), { description: "Domains of its mailboxes" }),
};
const DOMAIN = {
  domain: text("The sending domain"),
  check: oneOf(DOMAIN_CHECKS, "What was checked"),
  message: text("What was found"),
};
const LIMIT = Type.Object(
  {
    limit: oneOf(LIMITS, "The limit"),
    used: count("How much is used"),
    allowed: count("How much the plan allows"),
    plan: oneOf(PLANS, "The team's plan"),
    period: text("Month that is counted, or the plan where a limit is not monthly"),
  },
  closed,
);

const byMachine = flag("Whether a machine did it, such as a scanner or an image proxy");

/** The schema of `data`, by kind. */
export const EVENT_DATA = {
  "email.sent": Type.Object(EMAIL, closed),
  "email.failed": Type.Object(
    { ...EMAIL, ...VERDICT, in_doubt: flag("Whether the email may have been sent after all") },
    closed,
  ),
  "email.deferred": Type.Object(
    { ...EMAIL, ...VERDICT, next_attempt_at: time("When it is tried next") },
    closed,
  ),
  "email.bounced": Type.Object(
    {
      ...EMAIL,
      severity: oneOf(["hard", "soft", "block"], "Permanent, temporary, or refused as spam"),
      enhanced_status: orNull(text("Enhanced status code; null without one")),
      response,
    },
    closed,
  ),
  "email.opened": Type.Object({ ...EMAIL, by_machine: byMachine }, closed),
  "email.clicked": Type.Object(
    {
      ...EMAIL,
      by_machine: byMachine,
      url: orNull(text("Link that was clicked; null if unknown")),
    },
    closed,
  ),
  "reply.received": Type.Object(
    {
      ...INCOMING,
      from,
      subject,
      snippet: Type.Optional(
        orNull(
          text(
            "Beginning of what the person wrote, up to 200 characters without quotes and signature; null when there is no text, or once the lead was erased. Absent in older events",
          ),
        ),
      ),
      interest: orNull(oneOf(INTERESTS, "Interest, as classified; null when unknown")),
      matched_by: orNull(text("What it was matched to the lead by")),
    },
    closed,
  ),
  "reply.auto": Type.Object(
    {
      ...INCOMING,
      returns_on: orNull(
        Type.String({ format: "date", description: "First day back; null when it names none" }),
      ),
      left_company: flag("Whether it says that the person has left the company"),
      new_contact: orNull(text("Address that it names to write to instead; null without one")),
    },
    closed,
  ),
  "reply.untracked": Type.Object(
    {
      mail_id: uuid("Id of the received email"),
      thread_id: threadId,
      lead_id: orNull(uuid("Lead that it is from; null for none")),
      account_id: accountId,
      from,
      subject,
    },
    closed,
  ),
  "lead.enrolled": Type.Object(
    { campaign_id: campaignId, lead_ids: uuids(LEAD_IDS_MAX, "Leads that were added") },
    closed,
  ),
  "lead.status_changed": STATUS_CHANGE,
  "lead.interested": Type.Object(
    { ...ENROLLMENT, interest: oneOf(INTERESTS, "Interest, as classified") },
    closed,
  ),
  "lead.unsubscribed": STATUS_CHANGE,
  "lead.completed": STATUS_CHANGE,
  "lead.merged": Type.Object(
    {
      lead_id: uuid("Lead that stays"),
      merged_lead_ids: uuids(MERGED_LEADS_MAX, "Leads that were merged into it, and are gone"),
    },
    closed,
  ),
  "lead.erased": Type.Object(
    { lead_id: uuid("The lead's former id"), receipt_id: uuid("Receipt of the erasure") },
    closed,
  ),
  "complaint.received": Type.Object(INCOMING, closed),
  "campaign.started": CAMPAIGN,
  "campaign.paused": Type.Object(
    {
      ...CAMPAIGN.properties,
      sends: Type.Optional(
        count("Emails sent since its last start, when a safety limit paused it"),
      ),
      hard_bounces: Type.Optional(count("Of these, emails that bounced for good")),
      complaints: Type.Optional(count("Of these, emails that were reported as spam")),
    },
    closed,
  ),
  "campaign.resumed": CAMPAIGN,
  "campaign.completed": CAMPAIGN,
  "account.error": Type.Object(
    {
      ...ACCOUNT,
      reason: orNull(oneOf(ACCOUNT_STATUS_REASONS, "Why it was paused")),
      last_error: orNull(text("What went wrong; null when unknown")),
      reconnect_url: Type.Optional(
        orNull(text("Page on which its owner renews an OAuth consent; null otherwise")),
      ),
    },
    closed,
  ),
  "account.recovered": Type.Object(ACCOUNT, closed),
  "workspace.connected": Type.Object(WORKSPACE, closed),
  "workspace.refused": Type.Object(
    {
      ...WORKSPACE,
      last_error: text("What the provider said"),
      accounts: count("Mailboxes that wait for it"),
    },
    closed,
  ),
  "account.health_changed": Type.Object(
    {
      ...ACCOUNT,
      previous: count("Score before"),
      current: count("Score now"),
      cause: orNull(oneOf(HEALTH_CAUSES, "What changed most; null when nothing stands out")),
      points: Type.Object(
        {
          hard_bounces: points("Points for bounces"),
          complaints: points("Points for complaints"),
          smtp_errors: points("Points for SMTP errors"),
          placement: points("Points for placement tests that missed the inbox"),
        },
        { ...closed, description: "Points deducted from 100" },
      ),
      halved: flag("Whether limits are halved"),
      starts_new_leads: flag("Whether the account may write to new leads"),
      status: oneOf(ACCOUNT_STATUSES, "The account's status"),
      paused_until: orNull(time("When a pause for poor health ends; null without one")),
    },
    closed,
  ),
  "domain.error": Type.Object(
    { ...DOMAIN, was: text("What was found when it last passed") },
    closed,
  ),
  "domain.recovered": Type.Object(DOMAIN, closed),
  "experiment.variant_paused": Type.Object(
    {
      experiment_id: uuid("The experiment's id"),
      campaign_id: campaignId,
      variant_id: uuid("The variant's id"),
      variant: text("Name of the variant"),
      reason: text("Why it gets no more leads"),
    },
    closed,
  ),
  "experiment.completed": Type.Object(
    {
      experiment_id: uuid("The experiment's id"),
      campaign_id: campaignId,
      name: text("Name of the experiment"),
      winner_variant_id: orNull(uuid("The winning variant; null without one")),
      winner: orNull(text("Name of the winning variant; null without one")),
      recommendation_code: text("The recommendation, for programs"),
      recommendation: text("What to do, in one sentence"),
    },
    closed,
  ),
  "placement.completed": Type.Object(
    {
      run_id: uuid("The placement run's id"),
      trigger_type: oneOf(TRIGGER_TYPES, "How it was started"),
      status: oneOf(RUN_STATUSES, "How it ended"),
      account_ids: Type.Array(Type.String({ format: "uuid" }), {
        description: "Accounts that were tested",
      }),
      total_tests: count("Tests that have a placement"),
      inbox_count: count("Emails in the inbox"),
      spam_count: count("Emails in spam"),
      promotions_count: count("Emails in Gmail's promotions tab"),
      not_delivered_count: count("Emails that were not delivered"),
      failed_count: count("Tests without a result"),
      inbox_rate: Type.Number({
        minimum: 0,
        maximum: 1,
        description: "`inbox_count` divided by `total_tests`",
      }),
    },
    closed,
  ),
  "suppression.created": Type.Object(
    {
      suppression_id: uuid("The suppression's id"),
      email_hash: text("SHA-256 of the address in lower case, in hexadecimal"),
      reason: oneOf(SUPPRESSION_REASONS, "Why it is never written to"),
    },
    closed,
  ),
  "task.created": Type.Object(
    { task_id: uuid("The task's id"), step_id: uuid("Step that the task is"), ...ENROLLMENT },
    closed,
  ),
  "billing.limit_warning": LIMIT,
  "billing.limit_reached": LIMIT,
  "webhook.disabled": Type.Object(
    {
      webhook_id: uuid("The webhook's id"),
      url: text("Address that events were sent to"),
      reason: oneOf(DISABLED_REASONS, "Why it was disabled"),
      failures: count("Failed attempts since the last success"),
      last_status: orNull(Type.Integer({ description: "Last HTTP status; null without one" })),
      last_error: orNull(text("Why the last attempt failed; null when unknown")),
    },
    closed,
  ),
  "webhook.test": Type.Object(
    { webhook_id: uuid("The webhook's id"), message: text("A greeting") },
    closed,
  ),
} as const satisfies Record<EventType, TSchema>;

export type EventData<Type extends EventType> = Static<(typeof EVENT_DATA)[Type]>;

/** What an event names an enrollment by. */
export type EnrollmentFacts = Omit<EventData<"lead.interested">, "interest">;
/** The facts of a sent email that every `email.*` event has. */
export type EmailFacts = EventData<"email.sent">;
