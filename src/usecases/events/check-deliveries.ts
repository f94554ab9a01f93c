/** The promise of webhooks, held against what is stored: no event forgotten, no delivery without an end. */

import { typesWanted } from "#domain/events/event.ts";
import type { Environment } from "#environment.ts";
import { type DeliveryFaults, deliveryFaults } from "#store/events/deliveries.ts";
import { listWebhooks } from "#store/events/webhooks.ts";
import type { Id } from "#store/sqlite/columns.ts";
import { WEBHOOKS_MAX } from "./webhooks.ts";

/** How many cases break it. Of events only those since each webhook wants what it wants now. */
export function checkDeliveries(env: Environment, teamId: Id): DeliveryFaults {
  const { rows } = listWebhooks(env.db, teamId, { limit: WEBHOOKS_MAX, offset: 0 });
  const subscriptions = rows
    .filter(({ active }) => active)
    .map(({ id, events, campaignIds, sinceSeq }) => {
      const types = typesWanted(events).filter((type) => type !== "webhook.test");
      return { id, types, campaignIds, sinceSeq };
    });
  return deliveryFaults(env.db, teamId, subscriptions);
}
