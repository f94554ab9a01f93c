/** Sending again what was sent or missed: one delivery, or a range of events. */

import { EVENT_TYPES, type EventType, typesWanted, wantsCampaign } from "#domain/events/event.ts";
import { conflict, invalid } from "#domain/problem.ts";
import type { UnixMs } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import { deliveryOf, type Told, updateDelivery } from "#store/events/deliveries.ts";
import { lastSeqBefore, readEvents } from "#store/events/events.ts";
import { webhookById } from "#store/events/webhooks.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { EventRow } from "#store/tables/events.ts";
import type { DeliveryRow, WebhookRow } from "#store/tables/webhooks.ts";
import { requireDelivery } from "./deliveries.ts";
import { lookAt, queue } from "./fan-out.ts";
import { audit } from "./record.ts";
import { requireWebhook } from "./webhooks.ts";

/** Sent again at once, with the same body and id. Throws `conflict` while the webhook is not active. */
export function replayDelivery(env: Environment, caller: Caller, webhookId: Id, id: Id): Told {
  const webhook = activeWebhook(env, caller, webhookId);
  const { delivery } = requireDelivery(env, caller, webhookId, id);
  begin(env, webhook, delivery);
  audit(env, caller, {
    action: "webhook.replay",
    target: `webhook:${webhookId}`,
    after: { delivery_id: id },
  });
  env.wake();
  return requireDelivery(env, caller, webhookId, id);
}

function begin(env: Environment, webhook: WebhookRow, row: DeliveryRow): void {
  const now = env.wall.now();
  updateDelivery(env.db, { ...row, status: "pending", tries: 0, dueAt: now, endedAt: null });
  lookAt(env, webhookById(env.db, webhook.id) ?? webhook, now);
}

export interface Range {
  /** Events after this number. */
  after: number;
  /** Instants of events, the first included and the last not. */
  since?: UnixMs;
  until?: UnixMs;
  types?: readonly EventType[];
  /** Also what was delivered. */
  all: boolean;
}

export interface Replayed {
  replayed: number;
  /** The last event that was looked at. */
  lastSeq: number;
  hasMore: boolean;
}

/** Events that one call looks at, and that one transaction does. */
export const REPLAY_EVENTS_MAX = 10_000;
const SLICE_EVENTS = 100;

/**
 * Sends a range of events again: what was not delivered, never queued even (while the webhook was off, or
 * had not subscribed), or everything. In slices, so that others get their turn; call again with `lastSeq`
 * where there is more.
 */
export async function replayRange(
  env: Environment,
  caller: Caller,
  webhookId: Id,
  range: Range,
): Promise<Replayed> {
  if (range.since !== undefined && range.until !== undefined && range.until <= range.since) {
    throw invalid("until", "must be after since");
  }
  let replayed = 0;
  let after = Math.max(range.after, startOf(env, range.since));
  let hasMore = true;
  for (let seen = 0; hasMore && seen < REPLAY_EVENTS_MAX; seen += SLICE_EVENTS) {
    const from = { ...range, after };
    const slice = await env.commit(() => replaySlice(env, caller, webhookId, from));
    replayed += slice.replayed;
    after = slice.lastSeq;
    hasMore = slice.hasMore;
  }
  await env.commit(() =>
    audit(env, caller, {
      action: "webhook.replay",
      target: `webhook:${webhookId}`,
      after: { replayed, all: range.all, last_seq: after },
    }),
  );
  env.wake();
  return { replayed, lastSeq: after, hasMore };
}

function startOf(env: Environment, since: UnixMs | undefined): number {
  return since === undefined ? 0 : lastSeqBefore(env.db, since);
}

function replaySlice(env: Environment, caller: Caller, webhookId: Id, range: Range): Replayed {
  const webhook = activeWebhook(env, caller, webhookId);
  const wanted = typesWanted(webhook.events).filter(
    (type) => type !== "webhook.test" && (range.types?.includes(type) ?? true),
  );
  // To read each kind by itself pays where others are passed over.
  const isAny = wanted.length === EVENT_TYPES.length - 1;
  const found = readEvents(env.db, caller.teamId, {
    after: range.after,
    ...(isAny ? {} : { types: wanted }),
    limit: SLICE_EVENTS,
    ...(range.since === undefined ? {} : { from: range.since }),
    ...(range.until === undefined ? {} : { until: range.until }),
  });
  let replayed = 0;
  const meant = found.filter(
    ({ type, data }) => type !== "webhook.test" && wantsCampaign(webhook.campaignIds, data),
  );
  for (const event of meant) {
    replayed += resend(env, webhook, event, range.all) ? 1 : 0;
  }
  const last = found.at(-1)?.seq ?? range.after;
  return { replayed, lastSeq: last, hasMore: found.length === SLICE_EVENTS };
}

function resend(env: Environment, webhook: WebhookRow, event: EventRow, all: boolean): boolean {
  const known = deliveryOf(env.db, event.seq, webhook.id);
  if (known === undefined) {
    const now = env.wall.now();
    const { teamId } = webhook;
    queue(env, { teamId, webhookId: webhook.id, eventSeq: event.seq, dueAt: now });
    lookAt(env, webhookById(env.db, webhook.id) ?? webhook, now);
    return true;
  }
  if (known.status === "succeeded" && !all) {
    return false;
  }
  begin(env, webhook, known);
  return true;
}

function activeWebhook(env: Environment, caller: Caller, id: Id): WebhookRow {
  const webhook = requireWebhook(env, caller, id);
  if (!webhook.active) {
    throw conflict('the webhook is not active; PATCH it with {"active": true} first', "active");
  }
  return webhook;
}
