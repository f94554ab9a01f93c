/** `/webhooks`: where events are sent, what became of each, and sending again. */

import type { Static } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { DRY_RUN, IN_BATCH, PLAN_LIMITED, resource } from "#api/context.ts";
import { withEtag } from "#api/etag.ts";
import { isFiltered, readFiltered } from "#api/filter.ts";
import { changes } from "#api/patch.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { envelope, PageQuery } from "#api/schema.ts";
import { present, read } from "#api/wire.ts";
import { act, actLater, create, patch, remove } from "#api/write.ts";
import { maskHeaders } from "#domain/events/request-headers.ts";
import { DELIVERY_STATUSES } from "#domain/events/webhook.ts";
import { invalid } from "#domain/problem.ts";
import { permits } from "#domain/team/api-key.ts";
import type { Caller, Environment } from "#environment.ts";
import { maskSecret } from "#platform/http/webhook-signature.ts";
import { attemptsOf, deliveryOf, listDeliveries, type Told } from "#store/events/deliveries.ts";
import { listWebhooks } from "#store/events/webhooks.ts";
import { deliveryList } from "#store/filter/log-lists.ts";
import type { WebhookRow } from "#store/tables/webhooks.ts";
import { checkWebhook } from "#usecases/events/check-webhook.ts";
import { requireDelivery, testWebhook } from "#usecases/events/deliveries.ts";
import { replayDelivery, replayRange } from "#usecases/events/replays.ts";
import {
  createWebhook,
  deleteWebhook,
  headersOf,
  patchWebhook,
  requireWebhook,
  restoreWebhook,
  rotateSecret,
  secretOf,
} from "#usecases/events/webhooks.ts";
import {
  Delivery,
  DeliveryDetail,
  DeliveryPage,
  DeliveryParams,
  DeliveryQuery,
  OVERLAP_SECONDS,
  ReplayRange,
  ReplayResult,
  SecretRotate,
  Webhook,
  WebhookCheck,
  WebhookCreate,
  WebhookPage,
  WebhookParams,
  WebhookPatch,
} from "./schema.ts";

const records = resource("webhooks", "/webhooks")
  .get(
    "",
    ({ env, caller, request }) => {
      const query = readQuery(PageQuery, request);
      const { rows, total } = listWebhooks(env.db, caller.teamId, query);
      return envelope(
        rows.map((row) => presentWebhook(env, caller, row)),
        total,
        query,
      );
    },
    {
      response: { 200: WebhookPage },
      detail: {
        summary: "List webhooks",
        description: "Returns the team's webhooks.",
        ...queryOf(PageQuery),
      },
    },
  )
  .post(
    "",
    (context) =>
      create(
        context,
        () => {
          const { env, caller, body } = context;
          const input = { events: ["*"], active: true, ...read(WebhookCreate, body) };
          return presentWebhook(env, caller, createWebhook(env, caller, input));
        },
        ({ id }) => `/webhooks/${id}`,
      ),
    {
      body: WebhookCreate,
      response: { 201: Webhook },
      detail: {
        ...DRY_RUN,
        summary: "Create a webhook",
        ...PLAN_LIMITED,
        description:
          "Sends the events that you select to an address of yours, from now on. A team may have 20 webhooks.",
      },
    },
  )
  .get(
    "/:id",
    (context) => {
      const { env, caller, params } = context;
      const row = requireWebhook(env, caller, params.id);
      return withEtag(context, presentWebhook(env, caller, row), WebhookPatch);
    },
    {
      params: WebhookParams,
      response: { 200: Webhook },
      detail: {
        ...IN_BATCH,
        summary: "Get a webhook",
        description: "Returns one webhook with its state.",
      },
    },
  )
  .patch(
    "/:id",
    (context) => {
      const { env, caller, params, body } = context;
      return patch(
        context,
        WebhookPatch,
        () => presentWebhook(env, caller, requireWebhook(env, caller, params.id)),
        () =>
          presentWebhook(
            env,
            caller,
            patchWebhook(env, caller, params.id, read(WebhookPatch, body)),
          ),
      );
    },
    {
      ...changes(WebhookPatch, Webhook),
      params: WebhookParams,
      response: { 200: Webhook },
      detail: {
        ...DRY_RUN,
        summary: "Update a webhook",
        description:
          "Changes the fields that you send. Setting `active` turns the webhook on or off.",
      },
    },
  )
  .delete(
    "/:id",
    (context) =>
      remove(context, () => deleteWebhook(context.env, context.caller, context.params.id)),
    {
      params: WebhookParams,
      detail: {
        ...DRY_RUN,
        summary: "Delete a webhook",
        description:
          "Deletes a webhook: nothing is sent to it any more. It can be restored for 30 days; then its secret and " +
          "its deliveries are purged.",
      },
    },
  )
  .post(
    "/:id/restore",
    (context) =>
      act(context, () => {
        const { env, caller, params } = context;
        return presentWebhook(env, caller, restoreWebhook(env, caller, params.id));
      }),
    {
      params: WebhookParams,
      response: { 200: Webhook },
      detail: {
        ...DRY_RUN,
        summary: "Restore a webhook",
        "x-errors": [402, 409],
        description:
          "Brings back a webhook that was deleted in the last 30 days, with its secret and its log. Deliveries that " +
          "were pending are sent; events that happened meanwhile aren't, unless you send them again with " +
          "`POST /webhooks/{id}/replay`. A webhook that isn't deleted is returned as it is.",
      },
    },
  )
  .post(
    "/:id/rotate-secret",
    (context) =>
      act(context, () => {
        const { env, caller, params, body } = context;
        const overlap = body?.overlap_seconds ?? OVERLAP_SECONDS;
        return presentWebhook(env, caller, rotateSecret(env, caller, params.id, overlap));
      }),
    {
      params: WebhookParams,
      body: SecretRotate,
      response: { 200: Webhook },
      detail: {
        ...DRY_RUN,
        summary: "Rotate a webhook's secret",
        description:
          "Replaces the secret. Until the overlap ends, both secrets sign every delivery.",
        "x-optional-body": true,
      },
    },
  )
  .post(
    "/:id/test",
    (context) =>
      actLater(context, async () => {
        const { env, caller, params } = context;
        const told = await testWebhook(env, caller, params.id);
        return detailed(env, told);
      }),
    {
      params: WebhookParams,
      response: { 200: DeliveryDetail },
      detail: {
        summary: "Test a webhook",
        description:
          "Sends a `webhook.test` event right away and returns what came of it, whether or not the " +
          "webhook is active. It is not retried.",
      },
    },
  )
  .post(
    "/:id/check",
    (context) =>
      actLater(context, async () => {
        const { env, caller, params } = context;
        const { requests, verdicts } = await checkWebhook(env, caller, params.id);
        const passed = verdicts.every(({ verdict }) => verdict !== "no");
        return present(WebhookCheck, { passed, requests, verdicts });
      }),
    {
      params: WebhookParams,
      response: { 200: WebhookCheck },
      detail: {
        summary: "Check a webhook's receiver",
        "x-errors": [409],
        description:
          "Sends a made-up month of signed events in the sandbox, out of order, twice, late, and with wrong " +
          "signatures and old timestamps, and says how the receiver handles them. Takes a second or two, at " +
          "most 45. Needs a test key; nothing is retried or counted against the webhook.",
      },
    },
  );

const deliveries = resource("webhooks", "/webhooks/:id")
  .get(
    "/deliveries",
    async ({ env, caller, params, request }): Promise<Static<typeof DeliveryPage>> => {
      const query = readQuery(DeliveryQuery, request);
      const { limit, offset } = query;
      const webhook = requireWebhook(env, caller, params.id);
      if (isFiltered(query)) {
        const { rows, page } = await readFiltered(env, caller, deliveryList(webhook.id), query);
        const data = rows.flatMap((event) => {
          const delivery = deliveryOf(env.db, event.seq, webhook.id);
          return delivery === undefined ? [] : [present(Delivery, fieldsOf({ delivery, event }))];
        });
        return { data, ...page };
      }
      const { rows, total } = listDeliveries(
        env.db,
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
        data: page.map((told) => present(Delivery, fieldsOf(told))),
        total,
        limit,
        offset,
        hasMore,
        next_cursor: last === undefined ? null : String(last.event.seq),
      };
    },
    {
      params: WebhookParams,
      response: { 200: DeliveryPage },
      detail: {
        summary: "List deliveries",
        description: "Returns the deliveries of a webhook, the latest event first.",
        ...queryOf(DeliveryQuery),
      },
    },
  )
  .get(
    "/deliveries/:deliveryId",
    ({ env, caller, params }) => {
      const told = requireDelivery(env, caller, params.id, params.deliveryId);
      return detailed(env, told);
    },
    {
      params: DeliveryParams,
      response: { 200: DeliveryDetail },
      detail: {
        summary: "Get a delivery",
        description: "Returns one delivery with the event that it sends and every attempt.",
      },
    },
  )
  .post(
    "/deliveries/:deliveryId/replay",
    (context) =>
      act(context, () => {
        const { env, caller, params } = context;
        const told = replayDelivery(env, caller, params.id, params.deliveryId);
        return detailed(env, told);
      }),
    {
      params: DeliveryParams,
      response: { 200: DeliveryDetail },
      detail: {
        ...DRY_RUN,
        summary: "Replay a delivery",
        description:
          "Sends a delivery again, right away, with the same body and `webhook-id`. It is retried " +
          "like a new one.",
      },
    },
  )
  .post(
    "/replay",
    (context) =>
      actLater(context, async () => {
        const { env, caller, params, body } = context;
        const { replayed, lastSeq, hasMore } = await replayRange(env, caller, params.id, {
          after: 0,
          all: false,
          ...read(ReplayRange, body),
        });
        return { replayed, last_seq: lastSeq, hasMore };
      }),
    {
      params: WebhookParams,
      body: ReplayRange,
      response: { 200: ReplayResult },
      detail: {
        summary: "Replay events",
        "x-optional-body": true,
        description:
          "Sends a range of events again, of the kinds that the webhook is subscribed to now: those that " +
          "failed, are waiting, or were never queued because the webhook was off or did not exist yet. Up to " +
          "10,000 events per call.",
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
export function presentWebhook(env: Environment, caller: Caller, row: WebhookRow) {
  const secret = secretOf(env, row);
  const isOver = row.previousUntil === null || row.previousUntil <= env.wall.now();
  return present(Webhook, {
    ...row,
    headers: maskHeaders(headersOf(env, row)),
    secret: permits(caller.scopes, "webhooks", "write") ? secret : maskSecret(secret),
    previousSecretExpiresAt: isOver ? null : row.previousUntil,
    consecutiveFailures: row.failures,
  });
}

function fieldsOf({ delivery, event }: Told) {
  return {
    ...delivery,
    eventId: event.id,
    eventType: event.type,
    seq: event.seq,
    attemptCount: delivery.attempts,
    nextAttemptAt: delivery.dueAt,
  };
}

function detailed(env: Environment, told: Told) {
  const attempts = attemptsOf(env.db, told.delivery.id).map((row) => ({ ...row, number: row.n }));
  const payload = { ...told.event, env: env.name };
  return present(DeliveryDetail, { ...fieldsOf(told), attempts, payload });
}
