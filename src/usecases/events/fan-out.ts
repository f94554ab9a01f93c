/**
 * Queues a delivery of an event for every webhook that wants it, in the event's own transaction. A test is
 * for the webhook that is tested, whatever it has subscribed to, and for no other.
 */

import { type EventType, wantsEvent } from "#domain/events/event.ts";
import type { UnixMs } from "#domain/time.ts";
import { insertDelivery } from "#store/events/deliveries.ts";
import { eventById } from "#store/events/events.ts";
import { scheduleWebhook, subscribersOf } from "#store/events/webhooks.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { DeliveryRow, WebhookRow } from "#store/tables/webhooks.ts";
import type { World } from "#world.ts";

export function fanOut(world: World, event: { id: Id; teamId: Id; type: EventType }): void {
  if (event.type === "webhook.test") {
    return;
  }
  const subscribers = subscribersOf(world.db, event.teamId);
  const wanting = subscribers.filter(({ events }) => wantsEvent(events, event.type));
  if (wanting.length === 0) {
    return;
  }
  const eventSeq = eventById(world.db, event.id)?.seq;
  if (eventSeq === undefined) {
    throw new Error(`event ${event.id} vanished inside one transaction`);
  }
  const now = world.wall.now();
  for (const webhook of wanting) {
    queue(world, { teamId: event.teamId, webhookId: webhook.id, eventSeq, dueAt: now });
    lookAt(world, webhook, now);
  }
  world.wake();
}

/** A new delivery, due at `dueAt`. */
export function queue(
  world: World,
  given: Pick<DeliveryRow, "teamId" | "webhookId" | "eventSeq" | "dueAt">,
): DeliveryRow {
  const row: DeliveryRow = {
    ...given,
    id: world.ids.next(world.clock.now()),
    status: "pending",
    tries: 0,
    attempts: 0,
    createdAt: world.wall.now(),
    endedAt: null,
    lastStatus: null,
    lastError: null,
  };
  insertDelivery(world.db, row);
  return row;
}

/** The lane looks at a webhook at `at`, or once it has rested; unless it does so sooner anyway. */
export function lookAt(
  world: World,
  webhook: Pick<WebhookRow, "id" | "pausedUntil" | "dueAt">,
  at: UnixMs,
): void {
  const { id, pausedUntil, dueAt } = webhook;
  const soonest = pausedUntil !== null && pausedUntil > at ? pausedUntil : at;
  if (dueAt === null || dueAt > soonest) {
    scheduleWebhook(world.db, id, soonest);
  }
}
