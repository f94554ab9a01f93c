import { Type } from "@sinclair/typebox";
import { Event } from "#api/events/schema.ts";
import { listQuery } from "#api/filter.ts";
import {
  Count,
  CreatedAt,
  Documented,
  FilteredCursorPage,
  IdOf,
  IdParamsOf,
  Instant,
  Line,
  Nullable,
  OneOf,
  Page,
  Shape,
  TeamId,
  TimestampOf,
  UpdatedAt,
} from "#api/schema.ts";
import { INCLUDES } from "#domain/event-include.ts";
import { EVENT_PATTERNS, EVENT_TYPES } from "#domain/events/event.ts";
import { HEADER_NAME_MAX, HEADER_VALUE_MAX, MASKED_VALUE } from "#domain/events/request-headers.ts";
import { ATTEMPT_ERRORS, DELIVERY_STATUSES, DISABLED_REASONS } from "#domain/events/webhook.ts";
import { CHECK_NAMES, VERDICTS } from "#domain/events/webhook-check.ts";
import { URL_LENGTH_MAX } from "#platform/ports/http.ts";
import { deliveryList } from "#store/filter/log-lists.ts";
import { LAST_ID } from "#store/sqlite/columns.ts";
import { OVERLAP_SECONDS_MAX } from "#usecases/events/webhooks.ts";

const EVENTS_MAX = 100;
const SECRET_LENGTH_MAX = 100;
const NAME_MAX = 100;
const CAMPAIGNS_MAX = 100;

const url = Type.String({
  minLength: 1,
  maxLength: URL_LENGTH_MAX,
  description: "Address that events are sent to by POST: https, and no private address",
  examples: ["https://hooks.example.com/outrider"],
});
const events = Type.Array(Documented(Type.String({ maxLength: 64 }), { enum: EVENT_PATTERNS }), {
  minItems: 1,
  maxItems: EVENTS_MAX,
  uniqueItems: true,
  description: "Events to send: kinds (`email.sent`), families (`email.*`) or all (`*`)",
  examples: [["reply.received", "lead.*"]],
});
const secret = Type.String({
  maxLength: SECRET_LENGTH_MAX,
  description:
    "Secret that signs every delivery: `whsec_` and 24 to 64 bytes in base64. Without one, it is generated",
});

const name = Nullable(
  Line(NAME_MAX, {
    description: "Name of your choice; null without one",
    examples: ["CRM sync"],
  }),
);
const campaign_ids = Nullable(
  Type.Array(IdOf("A campaign's id"), {
    minItems: 1,
    maxItems: CAMPAIGNS_MAX,
    uniqueItems: true,
    description:
      "Only events of these campaigns; events that belong to no campaign aren't sent. Null for all events",
  }),
);
const include = Type.Array(OneOf(INCLUDES), {
  maxItems: INCLUDES.length,
  uniqueItems: true,
  description:
    "Records that every delivery carries under `included`; each needs the scope to read it",
  examples: [["lead", "reply.text"]],
});
const HEADERS =
  "Headers of your own that every delivery carries, such as a token of your gateway: up to 10. " +
  "Values are never shown again: responses have `…` in their place, and sending `…` back keeps them";
const HEADERS_EXAMPLE = { "X-Gateway-Token": "s3cr3t" };
const HeaderName = { propertyNames: { minLength: 1, maxLength: HEADER_NAME_MAX } };
const value = Type.String({ minLength: 1, maxLength: HEADER_VALUE_MAX });

export const Webhook = Shape({
  id: IdOf("The webhook's id"),
  team_id: TeamId,
  url,
  name,
  events: Type.Array(Type.String(), {
    description: "Events that are sent: kinds, families or all (`*`)",
    examples: [["reply.received", "lead.*"]],
  }),
  campaign_ids,
  include,
  headers: Type.Record(Type.String(), Type.String(), {
    description: HEADERS,
    examples: [{ "X-Gateway-Token": MASKED_VALUE }],
  }),
  secret: Type.String({
    description:
      "Secret that signs every delivery; masked but for its last four characters, unless the key may write webhooks",
  }),
  previous_secret_expires_at: Nullable(
    TimestampOf("Until when the previous secret signs, too; null when it no longer does"),
  ),
  active: Type.Boolean({ description: "Whether events are sent" }),
  disabled_reason: Nullable(
    OneOf(DISABLED_REASONS, { description: "Why it was disabled automatically; null otherwise" }),
  ),
  disabled_at: Nullable(TimestampOf("When it was disabled automatically; null otherwise")),
  consecutive_failures: Count("Failed attempts since the last success"),
  failing_since: Nullable(TimestampOf("When the first of them failed; null without any")),
  created_at: CreatedAt,
  updated_at: UpdatedAt,
});

export const WebhookPage = Page(Webhook);

export const WebhookCreate = Shape({
  url,
  name: Type.Optional(Documented(name, { default: null })),
  events: Type.Optional({ ...events, default: ["*"] }),
  campaign_ids: Type.Optional(Documented(campaign_ids, { default: null })),
  include: Type.Optional(Documented(include, { default: [] })),
  headers: Type.Optional(
    Documented(
      Type.Record(Type.String(), value, { description: HEADERS, examples: [HEADERS_EXAMPLE] }),
      { ...HeaderName, default: {} },
    ),
  ),
  secret: Type.Optional(secret),
  active: Type.Optional(Type.Boolean({ default: true, description: "Whether to send events" })),
});

export const WebhookPatch = Shape({
  url: Type.Optional(url),
  name: Type.Optional(name),
  events: Type.Optional(events),
  campaign_ids: Type.Optional(campaign_ids),
  include: Type.Optional(include),
  headers: Type.Optional(
    Documented(
      Type.Record(Type.String(), Nullable(value), {
        description: `${HEADERS}. Merged into the existing ones; null removes one`,
        examples: [HEADERS_EXAMPLE],
      }),
      HeaderName,
    ),
  ),
  secret: Type.Optional(secret),
  active: Type.Optional(
    Type.Boolean({
      description:
        "Whether to send events; `true` also resets failures and sends what has been waiting",
    }),
  ),
});

/** How long the old secret signs beside the new one where nothing is said: a day. */
export const OVERLAP_SECONDS = 86_400;

/** Without a body, as with an empty one. */
export const SecretRotate = Type.Optional(
  Shape({
    overlap_seconds: Type.Optional(
      Documented(
        Type.Integer({
          minimum: 0,
          maximum: OVERLAP_SECONDS_MAX,
          description: "Seconds during which the previous secret signs, too",
        }),
        { default: OVERLAP_SECONDS },
      ),
    ),
  }),
);

const delivery = {
  id: IdOf("The delivery's id"),
  webhook_id: IdOf("The webhook's id"),
  event_id: IdOf("The event's id"),
  event_type: OneOf(EVENT_TYPES, { description: "Kind of the event" }),
  seq: Type.Integer({ minimum: 1, description: "`seq` of the event", examples: [4711] }),
  status: OneOf(DELIVERY_STATUSES, { description: "Status of the delivery" }),
  attempt_count: Count("Attempts so far"),
  next_attempt_at: Nullable(TimestampOf("When it is tried next; null when it has ended")),
  last_status: Nullable(
    Type.Integer({
      description: "HTTP status of the last response; null without one",
      examples: [200],
    }),
  ),
  last_error: Nullable(
    OneOf(ATTEMPT_ERRORS, { description: "Why the last attempt failed; null when it did not" }),
  ),
  created_at: CreatedAt,
  ended_at: Nullable(TimestampOf("When it was delivered or given up; null before")),
};

export const Delivery = Shape(delivery);
export const DeliveryPage = FilteredCursorPage(Delivery);

const Attempt = Shape({
  number: Type.Integer({ minimum: 1, description: "Number of the attempt, from 1" }),
  started_at: TimestampOf("When it began"),
  duration_ms: Count("How long it took, in milliseconds"),
  status: Nullable(
    Type.Integer({ description: "HTTP status of the response; null without one", examples: [200] }),
  ),
  error: Nullable(OneOf(ATTEMPT_ERRORS, { description: "Why it failed; null when it did not" })),
  response: Nullable(
    Type.String({
      description: "Beginning of the response's body, without control characters; null without one",
    }),
  ),
});

export const DeliveryDetail = Shape({
  ...delivery,
  payload: Event,
  attempts: Type.Array(Attempt, { description: "Every attempt, oldest first" }),
});

const WebhookVerdict = Shape({
  check: OneOf(CHECK_NAMES, { description: "What was checked" }),
  verdict: OneOf(VERDICTS, {
    description: "Whether the receiver does it; `unknown` where its responses don't show it",
  }),
  message: Type.String({
    description: "The verdict in a sentence",
    examples: ["Deduplicates: yes. It counted no delivery a second time."],
  }),
});

export const WebhookCheck = Shape({
  passed: Type.Boolean({ description: "Whether no verdict is `no`" }),
  requests: Count("Requests that were sent"),
  verdicts: Type.Array(WebhookVerdict, { description: "A verdict for each check" }),
});

export const WebhookParams = IdParamsOf("The webhook's id");

export const DeliveryParams = Shape({
  id: IdOf("The webhook's id"),
  deliveryId: IdOf("The delivery's id"),
});

export const DeliveryQuery = listQuery(deliveryList(LAST_ID), {
  status: Type.Optional(
    OneOf(DELIVERY_STATUSES, { description: "Only deliveries with this status" }),
  ),
  type: Type.Optional(OneOf(EVENT_TYPES, { description: "Only events of this kind" })),
});

export const ReplayRange = Shape({
  since: Type.Optional(Instant("Only events created at or after this time")),
  until: Type.Optional(Instant("Only events created before this time")),
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "Only events after this `seq`; pass the `last_seq` of the previous call",
      examples: [4711],
    }),
  ),
  types: Type.Optional(
    Type.Array(OneOf(EVENT_TYPES), {
      minItems: 1,
      maxItems: EVENTS_MAX,
      description: "Only events of these kinds",
      examples: [["reply.received"]],
    }),
  ),
  all: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        "Send what was delivered already, too; otherwise only what failed, is waiting or was never queued",
    }),
  ),
});

export const ReplayResult = Shape({
  replayed: Count("Events that are sent again"),
  last_seq: Count("`seq` of the last event that was considered"),
  hasMore: Type.Boolean({ description: "Whether there are more; call again with `after`" }),
});
