/**
 * Queues a delivery of an event for every webhook that wants it, in the event's own transaction. A test is
 * for the webhook that is tested, whatever it has subscribed to, and for no other.
 */

import { wantsCampaign, wantsEvent } from "#domain/events/event.ts";
import type { UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { insertDelivery } from "#store/events/deliveries.ts";
import { eventById } from "#store/events/events.ts";
import { scheduleWebhook, subscribersOf } from "#store/events/webhooks.ts";
import type { EventRow } from "#store/tables/events.ts";
import type { DeliveryRow, WebhookRow } from "#store/tables/webhooks.ts";

export function fanOut(
  env: Environment,
  event: Pick<EventRow, "id" | "teamId" | "type" | "data">,
): void {
  if (event.type === "webhook.test") {
    return;
  }
  const subscribers = subscribersOf(env.db, event.teamId);
  const wanting = subscribers.filter(
    ({ events, campaignIds }) =>
      wantsEvent(events, event.type) && wantsCampaign(campaignIds, event.data),
  );
  if (wanting.length === 0) {
    return;
  }
  const eventSeq = eventById(env.db, event.id)?.seq;
  if (eventSeq === undefined) {
    throw new Error(`event ${event.id} vanished inside one transaction`);
  }
  const now = env.wall.now();
  for (const webhook of wanting) {
    queue(env, { teamId: event.teamId, webhookId: webhook.id, eventSeq, dueAt: now });
    lookAt(env, webhook, now);
  }
  env.wake();
}

/** A new delivery, due at `dueAt`. */
export function queue(
  env: Environment,
  given: Pick<DeliveryRow, "teamId" | "webhookId" | "eventSeq" | "dueAt">,
): DeliveryRow {
  const row: DeliveryRow = {
    ...given,
    id: env.ids.next(env.clock.now()),
    status: "pending",
    tries: 0,
    attempts: 0,
    createdAt: env.wall.now(),
    endedAt: null,
    lastStatus: null,
    lastError: null,
  };
  insertDelivery(env.db, row);
  return row;
}

/** The worker looks at a webhook at `at`, or once it has rested; unless it does so sooner anyway. */
export function lookAt(
  env: Environment,
  webhook: Pick<WebhookRow, "id" | "pausedUntil" | "dueAt">,
  at: UnixMs,
): void {
  const { id, pausedUntil, dueAt } = webhook;
  const soonest = pausedUntil !== null && pausedUntil > at ? pausedUntil : at;
  if (dueAt === null || dueAt > soonest) {
    scheduleWebhook(env.db, id, soonest);
  }
}
