/** Every timer of the product, on one page. */

import { DAY_MS, earlier, isAhead, isDue, plus, SECOND_MS, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { nextHealthAt } from "#store/campaigns/health.ts";
import {
  accountsToProbe,
  accountsToSign,
  nextDkimAt,
  nextProbeAt,
} from "#store/mailboxes/accounts.ts";
import { accountsToAsk, nextCalloutAt } from "#store/mailboxes/callouts.ts";
import { domainsDue, nextDomainAt } from "#store/mailboxes/domains.ts";
import { nextWantedAt } from "#store/mailboxes/mail-domains.ts";
import { nextCheckAt, workspacesToCheck } from "#store/mailboxes/workspaces.ts";
import { nextCopyAt } from "#store/sending/messages.ts";
import { nextTouchAt } from "#store/sending/tracking.ts";
import type { Db } from "#store/sqlite/database.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { DomainRow } from "#store/tables/domains.ts";
import type { WorkspaceRow } from "#store/tables/workspaces.ts";
import { nextDigestAt } from "#store/team/digests.ts";
import { forgetHealth } from "#usecases/campaigns/health.ts";
import { followChanges } from "#usecases/leads/search.ts";
import {
  checkUnchecked,
  domainsByTeam,
  lookUpWanted,
  type WantedDomains,
} from "#usecases/mailboxes/address-checks.ts";
import { askServers } from "#usecases/mailboxes/callouts.ts";
import { lookForKey } from "#usecases/mailboxes/dkim.ts";
import { probe } from "#usecases/mailboxes/probes.ts";
import { checkWorkspace } from "#usecases/mailboxes/workspace-mailboxes.ts";
import { lookAtDomain } from "#usecases/placement/domain-watch.ts";
import { turnHealth } from "#usecases/placement/health-turns.ts";
import { type Copies, copiesByMailbox, copySent } from "#usecases/sending/copies.ts";
import { classifyTouches } from "#usecases/sending/tracking.ts";
import { type Digests, digestsByMailbox, sendDigests } from "#usecases/team/digest.ts";
import { certificatesWorker } from "./certificates.ts";
import { checkupWorker } from "./checkup.ts";
import { experimentsWorker } from "./experiments.ts";
import { inboxWorker } from "./inbox.ts";
import { backupsWorker, type Installation, keysWorker } from "./installation.ts";
import { placementWorker, seedsWorker } from "./placement.ts";
import { reconcileWorker } from "./reconcile.ts";
import { replyModelWorker } from "./reply-model.ts";
import { sendWorker } from "./send.ts";
import { sideBySide } from "./side-by-side.ts";
import { upkeepWorker } from "./upkeep.ts";
import { webhooksWorker } from "./webhooks.ts";
import type { Worker } from "./worker.ts";

/** Of one transaction. */
const MAILBOXES_ASSESSED_MAX = 200;
const TOUCHES_CLASSIFIED_MAX = 500;
const FORGET_HEALTH_EVERY_MS = DAY_MS;
/** Side by side: of all, and of one team, since each asks many questions of DNS. */
const DOMAINS_MAX = { all: 16, team: 4 };
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
    ...createWaiting(env),
    upkeepWorker(env),
    { name: "search", step: (now) => followChanges(env, now) },
    healthWorker(env),
    signingWorker(env),
    experimentsWorker(env),
    seedsWorker(env),
    placementWorker(env),
    sendWorker(env),
    trackingWorker(env),
    webhooksWorker(env),
    feedWorker(env),
  ];
}

/** Those that wait for servers of others most of their time: one that hangs holds up no other. */
function createWaiting(env: Environment): Worker[] {
  return [
    probesWorker(env),
    sideBySide(env, {
      ...{ name: "workspaces", max: { all: 16 }, nextAt: nextCheckAt, due: workspacesToCheck },
      run: (row: WorkspaceRow) => checkWorkspace(env, row),
    }),
    addressesWorker(env),
    calloutsWorker(env),
    sideBySide(env, {
      ...{ name: "copies", max: { all: 16 }, nextAt: nextCopyAt, due: copiesByMailbox },
      run: (copies: Copies, now) => copySent(env, copies, now),
    }),
    sideBySide(env, {
      ...{ name: "domains", max: DOMAINS_MAX, nextAt: nextDomainAt, due: domainsDue },
      run: (row: DomainRow, now) => lookAtDomain(env, row, now),
    }),
    sideBySide(env, {
      ...{ name: "digests", max: { all: 16 }, nextAt: nextDigestAt, due: digestsByMailbox },
      run: (digests: Digests, now) => sendDigests(env, digests, now),
    }),
  ];
}

/** Tries mailboxes again: all of a workspace are due at once. */
export function probesWorker(env: Environment): Worker {
  return sideBySide(env, {
    ...{ name: "probes", max: { all: 64 }, nextAt: nextProbeAt, due: accountsToProbe },
    run: (account: AccountRow) => probe(env, account),
  });
}

/** Looks up the domains that imports brought, and checks leads from before addresses were. */
function addressesWorker(env: Environment): Worker {
  const lookUps = sideBySide(env, {
    ...{ name: "addresses", max: { all: 8, team: 1 }, nextAt: nextWantedAt, due: domainsByTeam },
    run: (wanted: WantedDomains) => lookUpWanted(env, wanted),
  });
  const step: Worker["step"] = async (now) => {
    const isMore = await checkUnchecked(env);
    const next = await lookUps.step(now);
    return isMore ? now : next;
  };
  return { ...lookUps, step };
}

/** Asks recipients' servers about leads, for the mailboxes that may. */
function calloutsWorker(env: Environment): Worker {
  return sideBySide(env, {
    ...{ name: "callouts", max: { all: 16, team: 2 }, nextAt: nextCalloutAt, due: accountsToAsk },
    run: (account: AccountRow, now) => askServers(env, account, now),
  });
}

/** Sees when the keys of new signatures have been published, so that they are used. */
export function signingWorker(env: Environment): Worker {
  return sideBySide(env, {
    ...{ name: "signing", max: { all: 16 }, nextAt: nextDkimAt, due: accountsToSign },
    run: (account: AccountRow) => lookForKey(env, account),
  });
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
