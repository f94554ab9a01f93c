import { Type } from "@sinclair/typebox";
import { Event } from "#api/events/schema.ts";
import {
  CursorPage,
  CursorQuery,
  Documented,
  Id,
  Instant,
  Nullable,
  OneOf,
  Page,
  Shape,
  Timestamp,
} from "#api/schema.ts";
import { EVENT_PATTERNS, EVENT_TYPES } from "#domain/events/event.ts";
import { ATTEMPT_ERRORS, DELIVERY_STATUSES, DISABLED_REASONS } from "#domain/events/webhook.ts";
import { URL_LENGTH_MAX } from "#platform/ports/http.ts";
import { OVERLAP_SECONDS_MAX } from "#usecases/events/webhooks.ts";

const EVENTS_MAX = 100;
const SECRET_LENGTH_MAX = 100;

const url = Type.String({
  minLength: 1,
  maxLength: URL_LENGTH_MAX,
  description: "Where events are sent by POST: https, and no private address",
});
const events = Type.Array(Documented(Type.String({ maxLength: 64 }), { enum: EVENT_PATTERNS }), {
  minItems: 1,
  maxItems: EVENTS_MAX,
  uniqueItems: true,
  description: "Kinds (`email.sent`), families (`email.*`) or all (`*`)",
});
const secret = Type.String({
  maxLength: SECRET_LENGTH_MAX,
  description: "Signs every delivery: `whsec_` and 24 to 64 bytes in base64",
});

export const Webhook = Shape({
  id: Id,
  team_id: Id,
  url,
  events: Type.Array(Type.String()),
  secret: Type.String({
    description: "Whole for keys that may write webhooks, else its last four characters",
  }),
  previous_secret_expires_at: Nullable(Timestamp),
  active: Type.Boolean(),
  disabled_reason: Nullable(
    OneOf(DISABLED_REASONS, { description: "Why it was turned off, where no person did it" }),
  ),
  disabled_at: Nullable(Timestamp),
  consecutive_failures: Type.Integer({ minimum: 0 }),
  failing_since: Nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
});

export const WebhookPage = Page(Webhook);

export const WebhookCreate = Shape({
  url,
  events: Type.Optional({ ...events, default: ["*"] }),
  secret: Type.Optional(secret),
  active: Type.Optional(Type.Boolean({ default: true })),
});

export const WebhookPatch = Shape({
  url: Type.Optional(url),
  events: Type.Optional(events),
  secret: Type.Optional(secret),
  active: Type.Optional(
    Type.Boolean({ description: "`true` forgets past failures, and what waited is sent" }),
  ),
});

/** Without a body, as with an empty one. */
export const SecretRotate = Type.Optional(
  Shape({
    overlap_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: OVERLAP_SECONDS_MAX,
        description: "How long the old secret signs beside the new one; a day if left out",
      }),
    ),
  }),
);

const delivery = {
  id: Id,
  webhook_id: Id,
  event_id: Id,
  event_type: OneOf(EVENT_TYPES),
  seq: Type.Integer({ minimum: 1, description: "The event's" }),
  status: OneOf(DELIVERY_STATUSES),
  attempt_count: Type.Integer({ minimum: 0 }),
  next_attempt_at: Nullable(Timestamp),
  last_status: Nullable(Type.Integer({ description: "Of the last answer, where there was one" })),
  last_error: Nullable(OneOf(ATTEMPT_ERRORS)),
  created_at: Timestamp,
  ended_at: Nullable(Timestamp),
};

export const Delivery = Shape(delivery);
export const DeliveryPage = CursorPage(Delivery);

const Attempt = Shape({
  number: Type.Integer({ minimum: 1 }),
  started_at: Timestamp,
  duration_ms: Type.Integer({ minimum: 0 }),
  status: Nullable(Type.Integer()),
  error: Nullable(OneOf(ATTEMPT_ERRORS)),
  response: Nullable(
    Type.String({ description: "Start of the answer's body, without control characters" }),
  ),
});

export const DeliveryDetail = Shape({ ...delivery, payload: Event, attempts: Type.Array(Attempt) });

export const DeliveryParams = Shape({ id: Id, deliveryId: Id });

export const DeliveryQuery = Shape({
  ...CursorQuery.properties,
  status: Type.Optional(OneOf(DELIVERY_STATUSES)),
  type: Type.Optional(OneOf(EVENT_TYPES)),
});

export const ReplayRange = Shape({
  since: Type.Optional(Instant("Events from this instant on")),
  until: Type.Optional(Instant("Events before this instant")),
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: "Events after this `seq`: `last_seq` of a call before",
    }),
  ),
  types: Type.Optional(Type.Array(OneOf(EVENT_TYPES), { minItems: 1, maxItems: EVENTS_MAX })),
  all: Type.Optional(
    Type.Boolean({
      default: false,
      description: "Also what was delivered; otherwise what failed, waits or was never queued",
    }),
  ),
});

export const ReplayResult = Shape({
  replayed: Type.Integer({ minimum: 0 }),
  last_seq: Type.Integer({ minimum: 0, description: "Of the last event that was looked at" }),
  hasMore: Type.Boolean({ description: "Call again with `after` for the rest" }),
});
