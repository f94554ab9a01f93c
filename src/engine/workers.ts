/** Every timer of the product, on one page. */

import { DAY_MS, earlier, isAhead, isDue, plus, SECOND_MS, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { nextHealthAt } from "#store/campaigns/health.ts";
import { nextDkimAt } from "#store/mailboxes/accounts.ts";
import { nextTouchAt } from "#store/sending/tracking.ts";
import type { Db } from "#store/sqlite/database.ts";
import { forgetHealth } from "#usecases/campaigns/health.ts";
import { followChanges } from "#usecases/leads/search.ts";
import { checkAddresses } from "#usecases/mailboxes/address-checks.ts";
import { lookForKeys } from "#usecases/mailboxes/dkim.ts";
import { probeDue } from "#usecases/mailboxes/probes.ts";
import { checkWorkspaces } from "#usecases/mailboxes/workspace-mailboxes.ts";
import { lookAtDomains } from "#usecases/placement/domain-watch.ts";
import { turnHealth } from "#usecases/placement/health-turns.ts";
import { copySent } from "#usecases/sending/copies.ts";
import { classifyTouches } from "#usecases/sending/tracking.ts";
import { sendDigests } from "#usecases/team/digest.ts";
import { certificatesWorker } from "./certificates.ts";
import { checkupWorker } from "./checkup.ts";
import { experimentsWorker } from "./experiments.ts";
import { inboxWorker } from "./inbox.ts";
import { backupsWorker, type Installation, keysWorker } from "./installation.ts";
import { placementWorker } from "./placement.ts";
import { reconcileWorker } from "./reconcile.ts";
import { replyModelWorker } from "./reply-model.ts";
import { sendWorker } from "./send.ts";
import { upkeepWorker } from "./upkeep.ts";
import { webhooksWorker } from "./webhooks.ts";
import type { Worker } from "./worker.ts";

/** Of one transaction. */
const MAILBOXES_ASSESSED_MAX = 200;
const TOUCHES_CLASSIFIED_MAX = 500;
const FORGET_HEALTH_EVERY_MS = DAY_MS;
/** Shorter than the time after which servers and proxies drop a silent connection. */
const BEAT_MS = 15 * SECOND_MS;

/** In the order in which they are stepped at one instant: what came back stops what would go out. */
export function createWorkers(env: Environment, installation: Installation = {}): Worker[] {
  const { backups, certificates, checkup, keys, replyModel } = installation;
  return [
    ...(keys === undefined ? [] : [keysWorker(env, keys)]),
    ...(backups === undefined ? [] : [backupsWorker(env, backups)]),
    ...(certificates === undefined ? [] : [certificatesWorker(certificates)]),
    inboxWorker(env),
    ...(checkup === undefined ? [] : [checkupWorker(env, checkup)]),
    ...(replyModel === undefined ? [] : [replyModelWorker(env, replyModel)]),
    reconcileWorker(env),
    // One that waits for a mail server holds up no other.
    { name: "probes", step: (now) => probeDue(env, now) },
    { name: "workspaces", step: (now) => checkWorkspaces(env, now) },
    { name: "addresses", step: (now) => checkAddresses(env, now) },
    { name: "copies", step: (now) => copySent(env, now) },
    { name: "domains", step: (now) => lookAtDomains(env, now) },
    { name: "digests", step: (now) => sendDigests(env, now) },
    upkeepWorker(env),
    { name: "search", step: (now) => followChanges(env, now) },
    healthWorker(env),
    signingWorker(env),
    experimentsWorker(env),
    placementWorker(env),
    sendWorker(env),
    trackingWorker(env),
    webhooksWorker(env),
    feedWorker(env),
  ];
}

/** Sees when the keys of new signatures have been published, so that they are used. */
export function signingWorker(env: Environment): Worker {
  return inBatches(env, "signing", nextDkimAt, (now) => lookForKeys(env, now));
}

/** Checks who opened and clicked, once it can be told from a machine. */
function trackingWorker(env: Environment): Worker {
  return inBatches(env, "tracking", nextTouchAt, (now) =>
    env.commit(() => classifyTouches(env, now, TOUCHES_CLASSIFIED_MAX)),
  );
}

/** Scores that time changes at a mailbox's midnight, and pauses that are over. */
function healthWorker(env: Environment): Worker {
  const turns = inBatches(env, "health", nextHealthAt, (now) =>
    env.commit(() => turnHealth(env, now, MAILBOXES_ASSESSED_MAX)),
  );
  let forgetAt: UnixMs | undefined;
  const step: Worker["step"] = async (now) => {
    const next = await turns.step(now);
    if (!isAhead(forgetAt, now, FORGET_HEALTH_EVERY_MS)) {
      await env.commit(() => forgetHealth(env, now));
      forgetAt = plus(now, FORGET_HEALTH_EVERY_MS);
    }
    return earlier(forgetAt, next);
  };
  return { ...turns, step };
}

/** `take` takes the next batch of what is due, and moves `nextAt` on by that. */
function inBatches(
  env: Environment,
  name: string,
  nextAt: (db: Db) => UnixMs | undefined,
  take: (now: UnixMs) => Promise<unknown>,
): Worker {
  const step: Worker["step"] = async (now) => {
    const next = nextAt(env.db);
    if (!isDue(next, now)) {
      return next;
    }
    await take(now);
    return nextAt(env.db);
  };
  return { name, step };
}

/** Lets whoever waits for events hear now and then that the line still stands. */
function feedWorker(env: Environment): Worker {
  return {
    name: "feed",
    time: "wall",
    step: (now) => {
      env.feed.beat();
      return Promise.resolve(env.feed.listeners === 0 ? undefined : plus(now, BEAT_MS));
    },
  };
}
