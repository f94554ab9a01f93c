/**
 * The delivery worker: sends what webhooks wait for. Endpoints take turns, whoever has waited longest since
 * its last request first, and each has few requests at a time, so that one that never answers holds up
 * nobody: those in trouble never take more than half of all requests, and teams share both.
 *
 * What is under way is remembered here alone. After a crash it is pending and due, and is sent again.
 */

import { requestsMax } from "#domain/events/webhook.ts";
import { stackOf } from "#domain/thrown.ts";
import { isAhead, plus, SECOND_MS, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { createShares } from "#platform/shares.ts";
import { deliveriesDue } from "#store/events/deliveries.ts";
import { nextWebhookAt, webhooksDue } from "#store/events/webhooks.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { WebhookRow } from "#store/tables/webhooks.ts";
import { deliver, putToRest } from "#usecases/events/deliveries.ts";
import type { Worker } from "./worker.ts";

/** Requests under way at once. */
const REQUESTS_MAX = { all: 32 };
/** Of them, those to endpoints whose last request has failed. */
const TROUBLED_MAX = { all: 16 };
/** Endpoints that are looked at in one step. */
const LOOK_MAX = 1_000;
/** Endpoints whose turn is remembered; beyond, all are equal again. */
const TURNS_MAX = 10_000;
/** After a try that could not be recorded, so that a full disk does not send without end. */
const PAUSE_AFTER_FAULT_MS = 5 * SECOND_MS;

export function webhooksWorker(env: Environment): Worker {
  const requests = createRequests(env);
  const turns = createTurns();

  /** Starts a request to the endpoint where it has room and something due. */
  const serve = (webhook: WebhookRow, now: UnixMs): "started" | "idle" | "busy" => {
    const underWay = requests.to(webhook.id);
    if (underWay >= requestsMax(webhook)) {
      return "busy";
    }
    const due = deliveriesDue(env.db, webhook.id, now, underWay + 1);
    const delivery = due.find(({ id }) => !requests.has(id));
    if (delivery === undefined) {
      return underWay === 0 ? "idle" : "busy";
    }
    if (!requests.start(webhook, delivery.id)) {
      return "busy";
    }
    turns.take(webhook.id);
    return "started";
  };

  const step = async (now: UnixMs): Promise<UnixMs | undefined> => {
    const brokenUntil = requests.brokenUntil();
    if (isAhead(brokenUntil, now, PAUSE_AFTER_FAULT_MS)) {
      return brokenUntil;
    }
    const rested = webhooksDue(env.db, now, LOOK_MAX).filter(
      ({ pausedUntil }) => pausedUntil === null || pausedUntil <= now,
    );
    // One request each, then a second for those that have had one.
    const served = turns
      .inOrder(rested)
      .map((webhook) => ({ webhook, result: serve(webhook, now) }));
    const started = served.filter(({ result }) => result === "started");
    for (const { webhook } of started) {
      serve(webhook, now);
    }
    const idle = served.filter(({ result }) => result === "idle");
    if (idle.length > 0) {
      await env.commit(() => {
        for (const { webhook } of idle) {
          putToRest(env, webhook.id);
        }
      });
    }
    return started.length > 0 ? now : nextWebhookAt(env.db, now);
  };

  return { name: "webhooks", time: "wall", step, settled: requests.settled };
}

interface Request {
  webhookId: Id;
  done: Promise<void>;
}

/** What is under way, by delivery. */
function createRequests(env: Environment) {
  const underWay = new Map<Id, Request>();
  const shares = createShares(REQUESTS_MAX);
  const troubled = createShares(TROUBLED_MAX);
  let brokenUntil: UnixMs | undefined;

  /** Takes a slot, or two where the endpoint is in trouble. */
  const take = ({ teamId, failures }: WebhookRow): (() => void) | undefined => {
    const release = shares.take({ teamId });
    if (release === undefined || failures === 0) {
      return release;
    }
    const recover = troubled.take({ teamId });
    if (recover === undefined) {
      release();
      return undefined;
    }
    return () => {
      recover();
      release();
    };
  };

  return {
    to: (id: Id) => [...underWay.values()].filter(({ webhookId }) => webhookId === id).length,
    has: (deliveryId: Id) => underWay.has(deliveryId),
    brokenUntil: () => brokenUntil,
    /** False where the share of its team is used up. */
    start: (webhook: WebhookRow, deliveryId: Id): boolean => {
      const release = take(webhook);
      if (release === undefined) {
        return false;
      }
      const done = deliverSafely(env, deliveryId).then((isRecorded) => {
        if (!isRecorded) {
          brokenUntil = plus(env.wall.now(), PAUSE_AFTER_FAULT_MS);
        }
        underWay.delete(deliveryId);
        release();
        env.wake();
      });
      underWay.set(deliveryId, { webhookId: webhook.id, done });
      return true;
    },
    settled: async (): Promise<void> => {
      while (underWay.size > 0) {
        await Promise.all([...underWay.values()].map(({ done }) => done));
      }
    },
  };
}

/** Whose turn it is: endpoints in the order in which they were last served. */
function createTurns() {
  const last = new Map<Id, number>();
  let turn = 0;
  const of = (id: Id) => last.get(id) ?? 0;
  return {
    take: (id: Id): void => {
      if (last.size >= TURNS_MAX) {
        last.clear();
      }
      turn += 1;
      last.set(id, turn);
    },
    inOrder: (webhooks: readonly WebhookRow[]): WebhookRow[] =>
      webhooks.toSorted((a, b) => of(a.id) - of(b.id)),
  };
}

/** False where what came of it could not be recorded: it stays due. */
async function deliverSafely(env: Environment, deliveryId: Id): Promise<boolean> {
  try {
    await deliver(env, deliveryId);
    return true;
  } catch (error) {
    const cause = stackOf(error);
    env.log.error("a delivery is not recorded", {
      delivery: deliveryId,
      env: env.name,
      cause,
    });
    return false;
  }
}
