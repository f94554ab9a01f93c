/**
 * Deliveries: what is sent, what an endpoint's answer means, and sending again by a person's hand.
 *
 * A delivery stays `pending` while it is under way: after a crash it is sent again, which the receiver
 * tells by its id. At least once, never in a promised order.
 */

import type { EventType } from "#domain/events/event.ts";
import {
  type AttemptError,
  afterFailure,
  type DeliveryStatus,
  type DisabledReason,
  isHopeless,
  nextTryAt,
  WELL,
} from "#domain/events/webhook.ts";
import { found } from "#domain/problem.ts";
import { readRetryAfter } from "#domain/retry-after.ts";
import { stackOf } from "#domain/thrown.ts";
import { earlier, plus, SECOND_MS, toIso, type UnixMs } from "#domain/time.ts";
import { type Caller, type Environment, engineCaller } from "#environment.ts";
import { signedHeaders } from "#platform/http/webhook-signature.ts";
import type { HttpOutcome } from "#platform/ports/http.ts";
import {
  deliveryById,
  findTold,
  insertAttempt,
  nextDeliveryAt,
  type Told,
  updateDelivery,
} from "#store/events/deliveries.ts";
import { eventBySeq, lastSeq } from "#store/events/events.ts";
import { scheduleWebhook, updateWebhook, webhookById } from "#store/events/webhooks.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { EventRow } from "#store/tables/events.ts";
import type { AttemptRow, DeliveryRow, WebhookRow } from "#store/tables/webhooks.ts";
import { lookAt, queue } from "./fan-out.ts";
import { includedIn } from "./included.ts";
import { audit, emit } from "./record.ts";
import { headersOf, requireWebhook, secretsOf } from "./webhooks.ts";

const GONE = 410;
const USER_AGENT = "Outrider";

/**
 * An event as everybody sees it: in the feed, and byte for byte as the body of its deliveries, where the
 * webhook includes nothing.
 */
export function presentEvent({ name }: Environment, event: EventRow) {
  return {
    id: event.id,
    seq: event.seq,
    type: event.type,
    created_at: toIso(event.createdAt),
    team_id: event.teamId,
    env: name,
    data: event.data,
  };
}

/** One try. Resolves to what it came to; undefined when there was nothing to send any more. */
export async function deliver(env: Environment, deliveryId: Id): Promise<AttemptRow | undefined> {
  const delivery = deliveryById(env.db, deliveryId);
  const event = delivery && eventBySeq(env.db, delivery.eventSeq);
  const webhook = delivery && webhookById(env.db, delivery.webhookId);
  if (event === undefined || webhook === undefined || delivery?.status !== "pending") {
    return undefined;
  }
  const startedAt = env.wall.now();
  const outcome = await sendSafely(env, webhook, event, startedAt);
  return await env.commit(() => settleTry(env, delivery.id, event.type, outcome, startedAt));
}

type Outcome = HttpOutcome | { kind: "failed"; reason: "internal" };

/** A bug, or a secret that cannot be opened any more, is logged and counts as a failure. */
async function sendSafely(
  env: Environment,
  webhook: WebhookRow,
  event: EventRow,
  at: UnixMs,
): Promise<Outcome> {
  try {
    return await send(env, webhook, event, at);
  } catch (error) {
    const cause = stackOf(error);
    env.log.error("a delivery failed inside", { webhook: webhook.id, event: event.id, cause });
    return { kind: "failed", reason: "internal" };
  }
}

function send(
  env: Environment,
  webhook: WebhookRow,
  event: EventRow,
  at: UnixMs,
): Promise<HttpOutcome> {
  const included = includedIn(env, webhook, event);
  const body = JSON.stringify({ ...presentEvent(env, event), ...included });
  const signed = signedHeaders(secretsOf(env, webhook, at), { id: event.id, at, body });
  const headers = { ...deliveryHeaders(env, webhook), ...signed };
  return env.http.post({ teamId: webhook.teamId, url: webhook.url, headers, body });
}

/** Of every request, beside the signature. */
export function deliveryHeaders(env: Environment, webhook: WebhookRow): Record<string, string> {
  return {
    ...headersOf(env, webhook),
    "Content-Type": "application/json",
    "User-Agent": USER_AGENT,
  };
}

/** Records a try. Undefined when delivery or webhook have gone meanwhile. */
function settleTry(
  env: Environment,
  deliveryId: Id,
  type: EventType,
  outcome: Outcome,
  startedAt: UnixMs,
): AttemptRow | undefined {
  const delivery = deliveryById(env.db, deliveryId);
  const webhook = delivery && webhookById(env.db, delivery.webhookId);
  if (delivery?.status !== "pending" || webhook === undefined) {
    return undefined;
  }
  const now = env.wall.now();
  const status = outcome.kind === "answered" ? outcome.status : null;
  const error = errorOf(outcome);
  const attempt: AttemptRow = {
    deliveryId,
    n: delivery.attempts + 1,
    startedAt,
    durationMs: now - startedAt,
    status,
    error,
    response: outcome.kind === "answered" ? outcome.excerpt : null,
  };
  const tried = { ...delivery, attempts: attempt.n, lastStatus: status, lastError: error };
  if (error === null) {
    end(env, tried, "succeeded", now);
    recordSuccess(env, webhook, now);
  } else if (type === "webhook.test") {
    end(env, tried, "failed", now);
  } else {
    const asked = outcome.kind === "answered" ? readRetryAfter(outcome.retryAfter, now) : null;
    const tries = delivery.tries + 1;
    const dueAt = status === GONE ? null : nextTryAt(deliveryId, tries, now, asked);
    if (dueAt === null) {
      end(env, { ...tried, tries }, "failed", now);
    } else {
      updateDelivery(env.db, { ...tried, tries, dueAt });
    }
    recordFailure(env, webhook, { status, error, dueAt, now });
  }
  insertAttempt(env.db, attempt);
  return attempt;
}

function errorOf(outcome: Outcome): AttemptError | null {
  if (outcome.kind === "failed") {
    return outcome.reason;
  }
  return outcome.status >= 200 && outcome.status <= 299 ? null : "status";
}

function end(
  env: Environment,
  row: DeliveryRow,
  status: Exclude<DeliveryStatus, "pending">,
  endedAt: UnixMs,
): void {
  updateDelivery(env.db, { ...row, status, endedAt, dueAt: null });
}

/** What waited for an endpoint that rested goes out now. */
function recordSuccess(env: Environment, webhook: WebhookRow, now: UnixMs): void {
  if (webhook.failures > 0) {
    updateWebhook(env.db, { ...webhook, ...WELL, dueAt: now });
    env.wake();
  }
}

interface Failure {
  status: number | null;
  error: AttemptError;
  /** Of the delivery's next try. */
  dueAt: UnixMs | null;
  now: UnixMs;
}

function recordFailure(env: Environment, webhook: WebhookRow, failure: Failure): void {
  const { status, dueAt, now } = failure;
  const health = afterFailure(webhook, now);
  const failing = { ...webhook, ...health };
  if (!webhook.active) {
    updateWebhook(env.db, failing);
  } else if (status === GONE || isHopeless(health, now)) {
    disable(env, failing, status === GONE ? "gone" : "failing", failure);
  } else {
    const { pausedUntil } = health;
    const next = earlier(webhook.dueAt ?? undefined, dueAt ?? undefined) ?? null;
    const rests = pausedUntil !== null && (next === null || next < pausedUntil);
    updateWebhook(env.db, { ...failing, dueAt: rests ? pausedUntil : next });
  }
}

function disable(
  env: Environment,
  webhook: WebhookRow,
  reason: DisabledReason,
  { status, error, now }: Failure,
): void {
  const row: WebhookRow = {
    ...webhook,
    active: false,
    disabledReason: reason,
    disabledAt: now,
    dueAt: null,
    updatedAt: env.clock.now(),
  };
  updateWebhook(env.db, row);
  audit(env, engineCaller(row.teamId), {
    action: "webhook.disable",
    target: `webhook:${row.id}`,
    before: { active: true },
    after: { active: false, disabled_reason: reason },
  });
  emit(env, row.teamId, "webhook.disabled", {
    webhook_id: row.id,
    url: row.url,
    reason,
    failures: row.failures,
    last_status: status,
    last_error: error,
  });
}

/** The worker has found nothing due: it looks again when something is. */
export function putToRest(env: Environment, webhookId: Id): void {
  const webhook = webhookById(env.db, webhookId);
  if (webhook !== undefined) {
    const next = nextDeliveryAt(env.db, webhookId);
    const { pausedUntil } = webhook;
    const at = next !== null && pausedUntil !== null && pausedUntil > next ? pausedUntil : next;
    scheduleWebhook(env.db, webhookId, webhook.active ? at : null);
  }
}

/** Throws `not_found` for another webhook's as for one that never was. */
export function requireDelivery(env: Environment, caller: Caller, webhookId: Id, id: Id): Told {
  const webhook = requireWebhook(env, caller, webhookId);
  return found(findTold(env.db, webhook.id, id), "delivery");
}

/** Long enough that only a test whose request was cut off is sent by the worker. */
const TEST_LEFT_MS = 60 * SECOND_MS;

/** A `webhook.test` event, sent to this webhook alone and at once, active or not; never tried again. */
export async function testWebhook(env: Environment, caller: Caller, webhookId: Id): Promise<Told> {
  const deliveryId = await env.commit(() => {
    const webhook = requireWebhook(env, caller, webhookId);
    const message = "This is a test.";
    const { teamId } = webhook;
    emit(env, teamId, "webhook.test", { webhook_id: webhookId, message });
    const eventSeq = lastSeq(env.db);
    const dueAt = plus(env.wall.now(), TEST_LEFT_MS);
    const row = queue(env, { teamId, webhookId, eventSeq, dueAt });
    lookAt(env, webhook, dueAt);
    audit(env, caller, { action: "webhook.test", target: `webhook:${webhookId}` });
    return row.id;
  });
  await deliver(env, deliveryId);
  return requireDelivery(env, caller, webhookId, deliveryId);
}
