/** `/webhooks`: where events are sent, what became of each, and sending again. */

import { Elysia } from "elysia";
import { PLAN_LIMITED, resource } from "#api/context.ts";
import { tagged } from "#api/etag.ts";
import { changes } from "#api/patch.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { envelope, IdParams, PageQuery } from "#api/schema.ts";
import { present, read } from "#api/wire.ts";
import { act, actLater, create, patch, remove } from "#api/write.ts";
import { DELIVERY_STATUSES } from "#domain/events/webhook.ts";
import { invalid } from "#domain/problem.ts";
import { permits } from "#domain/team/api-key.ts";
import { maskSecret } from "#platform/http/webhook-signature.ts";
import { attemptsOf, listDeliveries, type Told } from "#store/events/deliveries.ts";
import { listWebhooks } from "#store/events/webhooks.ts";
import type { WebhookRow } from "#store/tables/webhooks.ts";
import {
  ownDelivery,
  replayDelivery,
  replayRange,
  testWebhook,
} from "#usecases/events/deliveries.ts";
import {
  createWebhook,
  deleteWebhook,
  ownWebhook,
  patchWebhook,
  rotateSecret,
  secretOf,
} from "#usecases/events/webhooks.ts";
import type { Caller, World } from "#world.ts";
import {
  Delivery,
  DeliveryDetail,
  DeliveryPage,
  DeliveryParams,
  DeliveryQuery,
  ReplayRange,
  ReplayResult,
  SecretRotate,
  Webhook,
  WebhookCreate,
  WebhookPage,
  WebhookPatch,
} from "./schema.ts";

const OVERLAP_SECONDS = 86_400;

const records = resource("webhooks", "/webhooks")
  .get(
    "",
    ({ world, caller, request }) => {
      const query = readQuery(PageQuery, request);
      const { rows, total } = listWebhooks(world.db, caller.teamId, query);
      return envelope(
        rows.map((row) => shown(world, caller, row)),
        total,
        query,
      );
    },
    {
      response: { 200: WebhookPage },
      detail: { summary: "List webhooks", ...queryOf(PageQuery) },
    },
  )
  .post(
    "",
    (context) =>
      create(
        context,
        () => {
          const { world, caller, body } = context;
          const input = { events: ["*"], active: true, ...body };
          return shown(world, caller, createWebhook(world, caller, input));
        },
        ({ id }) => `/webhooks/${id}`,
      ),
    {
      body: WebhookCreate,
      response: { 201: Webhook },
      detail: {
        summary: "Create a webhook",
        ...PLAN_LIMITED,
        description: "Told of every event from now on that `events` names. At most 20 for a team.",
      },
    },
  )
  .get(
    "/:id",
    (context) => {
      const { world, caller, params } = context;
      const row = ownWebhook(world, caller, params.id);
      return tagged(context, shown(world, caller, row), WebhookPatch);
    },
    { params: IdParams, response: { 200: Webhook }, detail: { summary: "A webhook" } },
  )
  .patch(
    "/:id",
    (context) => {
      const { world, caller, params, body } = context;
      return patch(
        context,
        WebhookPatch,
        () => shown(world, caller, ownWebhook(world, caller, params.id)),
        () => shown(world, caller, patchWebhook(world, caller, params.id, body)),
      );
    },
    {
      ...changes(WebhookPatch, Webhook),
      params: IdParams,
      response: { 200: Webhook },
      detail: { summary: "Change a webhook, or turn it on or off" },
    },
  )
  .delete(
    "/:id",
    (context) =>
      remove(context, () => deleteWebhook(context.world, context.caller, context.params.id)),
    { params: IdParams, detail: { summary: "Delete a webhook and its deliveries" } },
  )
  .post(
    "/:id/rotate-secret",
    (context) =>
      act(context, () => {
        const { world, caller, params, body } = context;
        const overlap = body?.overlap_seconds ?? OVERLAP_SECONDS;
        return shown(world, caller, rotateSecret(world, caller, params.id, overlap));
      }),
    {
      params: IdParams,
      body: SecretRotate,
      response: { 200: Webhook },
      detail: {
        summary: "Replace the secret; both sign for a while",
        "x-optional-body": true,
      },
    },
  )
  .post(
    "/:id/test",
    (context) =>
      actLater(context, async () => {
        const { world, caller, params } = context;
        const told = await testWebhook(world, caller, params.id);
        return detailed(world, told);
      }),
    {
      params: IdParams,
      response: { 200: DeliveryDetail },
      detail: {
        summary: "Send a test event and see what comes of it",
        description:
          "A `webhook.test`, sent at once and once, whether the webhook is active or not.",
      },
    },
  );

const deliveries = resource("webhooks", "/webhooks/:id")
  .get(
    "/deliveries",
    ({ world, caller, params, request }) => {
      const query = readQuery(DeliveryQuery, request);
      const { limit, offset } = query;
      const webhook = ownWebhook(world, caller, params.id);
      const { rows, total } = listDeliveries(
        world.db,
        webhook.id,
        {
          statuses: query.status === undefined ? DELIVERY_STATUSES : [query.status],
          ...(query.type === undefined ? {} : { types: [query.type] }),
        },
        { limit: limit + 1, offset, ...beforeOf(query.after) },
      );
      const page = rows.slice(0, limit);
      const hasMore = rows.length > limit;
      const last = hasMore ? page.at(-1) : undefined;
      return {
        data: page.map((told) => present(Delivery, deliveryOf(told))),
        total,
        limit,
        offset,
        hasMore,
        next_cursor: last === undefined ? null : String(last.event.seq),
      };
    },
    {
      params: IdParams,
      response: { 200: DeliveryPage },
      detail: {
        summary: "List deliveries, the newest event first",
        ...queryOf(DeliveryQuery),
      },
    },
  )
  .get(
    "/deliveries/:deliveryId",
    ({ world, caller, params }) => {
      const told = ownDelivery(world, caller, params.id, params.deliveryId);
      return detailed(world, told);
    },
    {
      params: DeliveryParams,
      response: { 200: DeliveryDetail },
      detail: { summary: "A delivery, what is sent, and every attempt" },
    },
  )
  .post(
    "/deliveries/:deliveryId/replay",
    (context) =>
      act(context, () => {
        const { world, caller, params } = context;
        const told = replayDelivery(world, caller, params.id, params.deliveryId);
        return detailed(world, told);
      }),
    {
      params: DeliveryParams,
      response: { 200: DeliveryDetail },
      detail: {
        summary: "Send again",
        description: "At once, with the same body and `webhook-id`, and as patiently as a new one.",
      },
    },
  )
  .post(
    "/replay",
    (context) =>
      actLater(context, async () => {
        const { world, caller, params, body } = context;
        const { replayed, lastSeq, hasMore } = await replayRange(world, caller, params.id, {
          after: 0,
          all: false,
          ...read(ReplayRange, body),
        });
        return { replayed, last_seq: lastSeq, hasMore };
      }),
    {
      params: IdParams,
      body: ReplayRange,
      response: { 200: ReplayResult },
      detail: {
        summary: "Send a range of events again",
        "x-optional-body": true,
        description:
          "Of the kinds that the webhook has subscribed now: what failed, what waits, and what was never " +
          "queued because the webhook was off or not there yet. Up to 10,000 events a call.",
      },
    },
  );

export const webhookRoutes = new Elysia().use(records).use(deliveries);

const SEQ = /^\d{1,15}$/;

function beforeOf(cursor: string | undefined): { before?: number } {
  if (cursor !== undefined && !SEQ.test(cursor)) {
    throw invalid("after", "must be the next_cursor of an earlier page");
  }
  return cursor === undefined ? {} : { before: Number(cursor) };
}

/** `secret` is whole for a caller who could change it. */
function shown(world: World, caller: Caller, row: WebhookRow) {
  const secret = secretOf(world, row);
  const isOver = row.previousUntil === null || row.previousUntil <= world.wall.now();
  return present(Webhook, {
    ...row,
    secret: permits(caller.scopes, "webhooks", "write") ? secret : maskSecret(secret),
    previousSecretExpiresAt: isOver ? null : row.previousUntil,
    consecutiveFailures: row.failures,
  });
}

function deliveryOf({ delivery, event }: Told) {
  return {
    ...delivery,
    eventId: event.id,
    eventType: event.type,
    seq: event.seq,
    attemptCount: delivery.attempts,
    nextAttemptAt: delivery.dueAt,
  };
}

function detailed(world: World, told: Told) {
  const attempts = attemptsOf(world.db, told.delivery.id).map((row) => ({ ...row, number: row.n }));
  const payload = { ...told.event, env: world.env };
  return present(DeliveryDetail, { ...deliveryOf(told), attempts, payload });
}
