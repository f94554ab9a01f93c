/**
 * What an event of each kind tells: the one place from which its type, its check and its published schema
 * are made. Ids, and the facts that changed; never a body of a mail, never a secret. What names a person
 * can be null, because it is when that person has been erased.
 *
 * Source: ours.
 */

import { type Static, type TLiteral, type TSchema, type TUnion, Type } from "@sinclair/typebox";
import { CAMPAIGN_STATUS_REASONS } from "./campaigns/campaign.ts";
import { ENROLLMENT_STATUSES, INTERESTS } from "./campaigns/enrollment.ts";
import type { EventType } from "./events/event.ts";
import { DISABLED_REASONS } from "./events/webhook.ts";
import { SUPPRESSION_REASONS } from "./leads/suppression.ts";
import { ACCOUNT_STATUS_REASONS, ACCOUNT_STATUSES } from "./mailboxes/account.ts";
import { RUN_STATUSES, TRIGGER_TYPES } from "./placement/placement.ts";
import { MESSAGE_KINDS } from "./sending/message.ts";
import { LIMITS, PLANS } from "./sending/plan.ts";

/** What can take points off a mailbox's health. */
export const HEALTH_CAUSES = ["hard_bounces", "complaints", "smtp_errors", "placement"] as const;

/** Enrollments told of in one event. */
export const LEAD_IDS_MAX = 1_000;

const closed = { additionalProperties: false };
const uuid = Type.String({ format: "uuid" });
const time = Type.String({ format: "date-time" });
const text = Type.String();
const count = Type.Integer({ minimum: 0 });
const rate = Type.Number({ minimum: 0, maximum: 1 });

function orNull<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

function oneOf<const Values extends readonly string[]>(values: Values) {
  return Type.Union(values.map((value) => Type.Literal(value))) as unknown as TUnion<{
    -readonly [Index in keyof Values]: TLiteral<Values[Index]>;
  }>;
}

/** A mail of ours. */
const EMAIL = {
  email_id: uuid,
  kind: oneOf(MESSAGE_KINDS),
  thread_id: uuid,
  campaign_id: orNull(uuid),
  step_id: orNull(uuid),
  step_position: orNull(count),
  lead_id: orNull(uuid),
  enrollment_id: orNull(uuid),
  account_id: uuid,
  message_id: text,
  to: orNull(text),
  subject: orNull(text),
};

/** What a server said to it. */
const VERDICT = { attempts: count, code: orNull(Type.Integer()), response: orNull(text) };

/** A mail that came in. `email_id` is the mail of ours that it is about. */
const INCOMING = {
  email_id: orNull(uuid),
  mail_id: uuid,
  thread_id: uuid,
  campaign_id: orNull(uuid),
  lead_id: orNull(uuid),
  enrollment_id: orNull(uuid),
  account_id: uuid,
};

const ENROLLMENT = { campaign_id: uuid, lead_id: uuid, enrollment_id: uuid };
const STATUS_CHANGE = Type.Object(
  {
    ...ENROLLMENT,
    previous: oneOf(ENROLLMENT_STATUSES),
    current: oneOf(ENROLLMENT_STATUSES),
    stop_reason: orNull(text),
  },
  closed,
);
const CAMPAIGN = Type.Object(
  { campaign_id: uuid, name: text, reason: orNull(oneOf(CAMPAIGN_STATUS_REASONS)) },
  closed,
);
const ACCOUNT = { account_id: uuid, email: text };
const LIMIT = Type.Object(
  { limit: oneOf(LIMITS), used: count, allowed: count, plan: oneOf(PLANS), period: text },
  closed,
);

/** The schema of `data`, by kind. */
export const EVENT_DATA = {
  "email.sent": Type.Object(EMAIL, closed),
  "email.failed": Type.Object({ ...EMAIL, ...VERDICT, in_doubt: Type.Boolean() }, closed),
  "email.deferred": Type.Object({ ...EMAIL, ...VERDICT, next_attempt_at: time }, closed),
  "email.bounced": Type.Object(
    {
      ...EMAIL,
      severity: oneOf(["hard", "soft", "block"]),
      enhanced_status: orNull(text),
      response: orNull(text),
    },
    closed,
  ),
  "email.opened": Type.Object({ ...EMAIL, by_machine: Type.Boolean() }, closed),
  "email.clicked": Type.Object({ ...EMAIL, by_machine: Type.Boolean(), url: orNull(text) }, closed),
  "reply.received": Type.Object(
    {
      ...INCOMING,
      from: orNull(text),
      subject: orNull(text),
      interest: orNull(oneOf(INTERESTS)),
      matched_by: orNull(text),
    },
    closed,
  ),
  "reply.auto": Type.Object(
    {
      ...INCOMING,
      returns_on: orNull(Type.String({ format: "date" })),
      left_company: Type.Boolean(),
      new_contact: orNull(text),
    },
    closed,
  ),
  "reply.untracked": Type.Object(
    {
      mail_id: uuid,
      thread_id: uuid,
      lead_id: orNull(uuid),
      account_id: uuid,
      from: orNull(text),
      subject: orNull(text),
    },
    closed,
  ),
  "lead.enrolled": Type.Object(
    {
      campaign_id: uuid,
      lead_ids: Type.Array(uuid, { minItems: 1, maxItems: LEAD_IDS_MAX }),
    },
    closed,
  ),
  "lead.status_changed": STATUS_CHANGE,
  "lead.interested": Type.Object({ ...ENROLLMENT, interest: oneOf(INTERESTS) }, closed),
  "lead.unsubscribed": STATUS_CHANGE,
  "lead.completed": STATUS_CHANGE,
  "complaint.received": Type.Object(INCOMING, closed),
  "campaign.started": CAMPAIGN,
  "campaign.paused": Type.Object(
    {
      ...CAMPAIGN.properties,
      sends: Type.Optional(count),
      hard_bounces: Type.Optional(count),
      complaints: Type.Optional(count),
    },
    closed,
  ),
  "campaign.resumed": CAMPAIGN,
  "campaign.completed": CAMPAIGN,
  "account.error": Type.Object(
    {
      ...ACCOUNT,
      reason: orNull(oneOf(ACCOUNT_STATUS_REASONS)),
      last_error: orNull(text),
      reconnect_url: Type.Optional(orNull(text)),
    },
    closed,
  ),
  "account.recovered": Type.Object(ACCOUNT, closed),
  "account.health_changed": Type.Object(
    {
      ...ACCOUNT,
      previous: count,
      current: count,
      cause: orNull(oneOf(HEALTH_CAUSES)),
      points: Type.Object(
        {
          hard_bounces: Type.Number(),
          complaints: Type.Number(),
          smtp_errors: Type.Number(),
          placement: Type.Number(),
        },
        closed,
      ),
      halved: Type.Boolean(),
      starts_new_leads: Type.Boolean(),
      status: oneOf(ACCOUNT_STATUSES),
      paused_until: orNull(time),
    },
    closed,
  ),
  "experiment.variant_paused": Type.Object(
    { experiment_id: uuid, campaign_id: uuid, variant_id: uuid, variant: text, reason: text },
    closed,
  ),
  "experiment.completed": Type.Object(
    {
      experiment_id: uuid,
      campaign_id: uuid,
      name: text,
      winner_variant_id: orNull(uuid),
      winner: orNull(text),
      recommendation_code: text,
      recommendation: text,
    },
    closed,
  ),
  "placement.completed": Type.Object(
    {
      run_id: uuid,
      trigger_type: oneOf(TRIGGER_TYPES),
      status: oneOf(RUN_STATUSES),
      account_ids: Type.Array(uuid),
      total_tests: count,
      inbox_count: count,
      spam_count: count,
      promotions_count: count,
      not_delivered_count: count,
      failed_count: count,
      inbox_rate: rate,
    },
    closed,
  ),
  "suppression.created": Type.Object(
    { suppression_id: uuid, email_hash: text, reason: oneOf(SUPPRESSION_REASONS) },
    closed,
  ),
  "task.created": Type.Object({ task_id: uuid, step_id: uuid, ...ENROLLMENT }, closed),
  "billing.limit_warning": LIMIT,
  "billing.limit_reached": LIMIT,
  "webhook.disabled": Type.Object(
    {
      webhook_id: uuid,
      url: text,
      reason: oneOf(DISABLED_REASONS),
      failures: count,
      last_status: orNull(Type.Integer()),
      last_error: orNull(text),
    },
    closed,
  ),
  "webhook.test": Type.Object({ webhook_id: uuid, message: text }, closed),
} as const satisfies Record<EventType, TSchema>;

export type EventData<Type extends EventType> = Static<(typeof EVENT_DATA)[Type]>;

/** The facts of a mail of ours that every `email.*` event has. */
export type EmailFacts = EventData<"email.sent">;

/** What each kind means, in a sentence. */
export const EVENT_MEANINGS: Readonly<Record<EventType, string>> = {
  "email.sent": "The recipient's server accepted an email",
  "email.failed": "An email failed for good, or is unconfirmed: it may have been sent (`in_doubt`)",
  "email.deferred": "The recipient's server asked to try later; the email will be retried",
  "email.bounced": "An email bounced",
  "email.opened": "An email was opened, if open tracking is on",
  "email.clicked": "A link in an email was clicked, if click tracking is on",
  "reply.received": "A person replied",
  "reply.auto": "An auto-reply came in: out of office, or the person has left the company",
  "reply.untracked": "A known contact wrote, but not in reply to a campaign",
  "lead.enrolled": "Leads were added to a campaign, up to 1,000 per event",
  "lead.status_changed": "A lead's status in a campaign changed",
  "lead.interested": "A reply was classified as interested or as a meeting",
  "lead.unsubscribed": "A lead unsubscribed",
  "lead.completed": "A lead reached the end of a sequence",
  "complaint.received": "A recipient reported an email as spam",
  "campaign.started": "A campaign started for the first time",
  "campaign.paused": "A campaign was paused, manually or by a safety limit",
  "campaign.resumed": "A campaign was resumed",
  "campaign.completed": "A campaign finished: no leads are left to email",
  "account.error": "A mailbox can't send and was paused",
  "account.recovered": "A mailbox is working again",
  "account.health_changed": "A mailbox's health score changed",
  "experiment.variant_paused": "A variant was paused because of too many bounces or complaints",
  "experiment.completed": "An experiment ended",
  "placement.completed": "A placement run finished, with results or without",
  "suppression.created": "An address or domain was suppressed",
  "task.created": "A task is due for a team member",
  "billing.limit_warning": "Usage is close to a plan limit",
  "billing.limit_reached": "Usage reached a plan limit",
  "webhook.disabled": "A webhook was disabled; sent to the team's other webhooks",
  "webhook.test": "A test event, sent only to the webhook under test",
};
