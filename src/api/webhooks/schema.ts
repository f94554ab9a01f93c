import { type Static, Type } from "@sinclair/typebox";
import { defined } from "#api/defined.ts";
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
import { permits } from "#domain/team/api-key.ts";
import { toIso, toIsoOrNull } from "#domain/time.ts";
import { maskSecret } from "#platform/http/webhook-signature.ts";
import { URL_LENGTH_MAX } from "#platform/ports/http.ts";
import type { Told } from "#store/events/deliveries.ts";
import type { AttemptRow, WebhookRow } from "#store/tables/webhooks.ts";
import { presentEvent } from "#usecases/events/deliveries.ts";
import { OVERLAP_SECONDS_MAX, secretOf } from "#usecases/events/webhooks.ts";
import type { Caller, World } from "#world.ts";

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
export type Webhook = Static<typeof Webhook>;

export const WebhookPage = Page(Webhook);

export const WEBHOOK_SETTABLE = ["url", "events", "secret", "active"] as const;
export const WEBHOOK_READ_ONLY = [
  "previous_secret_expires_at",
  "disabled_reason",
  "disabled_at",
  "consecutive_failures",
  "failing_since",
  "updated_at",
] as const;

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
export type DeliveryDetail = Static<typeof DeliveryDetail>;

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

/** `secret` is whole for a caller who could change it. */
export function presentWebhook(world: World, caller: Caller, row: WebhookRow): Webhook {
  const whole = secretOf(world, row);
  const isOver = row.previousUntil === null || row.previousUntil <= world.wall.now();
  return {
    id: row.id,
    team_id: row.teamId,
    url: row.url,
    events: row.events,
    secret: permits(caller.scopes, "webhooks", "write") ? whole : maskSecret(whole),
    previous_secret_expires_at: isOver ? null : toIsoOrNull(row.previousUntil),
    active: row.active,
    disabled_reason: row.disabledReason,
    disabled_at: toIsoOrNull(row.disabledAt),
    consecutive_failures: row.failures,
    failing_since: toIsoOrNull(row.failingSince),
    created_at: toIso(row.createdAt),
    updated_at: toIso(row.updatedAt),
  };
}

export function presentDelivery({ delivery: row, event }: Told): Static<typeof Delivery> {
  return {
    id: row.id,
    webhook_id: row.webhookId,
    event_id: event.id,
    event_type: event.type,
    seq: event.seq,
    status: row.status,
    attempt_count: row.attempts,
    next_attempt_at: toIsoOrNull(row.dueAt),
    last_status: row.lastStatus,
    last_error: row.lastError,
    created_at: toIso(row.createdAt),
    ended_at: toIsoOrNull(row.endedAt),
  };
}

export function presentDeliveryDetail(
  world: World,
  told: Told,
  attempts: readonly AttemptRow[],
): DeliveryDetail {
  return {
    ...presentDelivery(told),
    payload: presentEvent(world, told.event),
    attempts: attempts.map(({ n, startedAt, durationMs, status, error, response }) => ({
      number: n,
      started_at: toIso(startedAt),
      duration_ms: durationMs,
      status,
      error,
      response,
    })),
  };
}

/** What of a create or a patch was given. */
export function readWebhook(body: Static<typeof WebhookPatch>) {
  return defined({ url: body.url, events: body.events, secret: body.secret, active: body.active });
}
