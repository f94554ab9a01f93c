/**
 * What looking into a seed mailbox says: where the emails of its tests are, or that nobody can tell. All
 * of it runs inside a commit.
 */

import {
  authenticationOf,
  type HeaderField,
  signsOneClick,
} from "#domain/mailboxes/authentication-results.ts";
import { sendingAddressOf } from "#domain/mailboxes/sending-address.ts";
import { DEADLINE_MS, latencyOf, nextLookAt, placementAt } from "#domain/placement/placement.ts";
import { plus, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { LOOK_MESSAGES_MAX, type LookOutcome, type SeenMail } from "#platform/ports/mail.ts";
import { runById } from "#store/placement/placement-runs.ts";
import { seedById, updateSeed } from "#store/placement/placement-seeds.ts";
import {
  missedTestsOf,
  openTestsOf,
  placementTestById,
  testsToLookFor,
  updateTest,
} from "#store/placement/placement-tests.ts";
import { messageOfTest, updateMessage } from "#store/sending/messages.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { MessageRow } from "#store/tables/messages.ts";
import type { SeedRow, TestRow } from "#store/tables/placement.ts";
import { unsubscribeToken } from "#usecases/leads/unsubscribe.ts";
import { failTest, recordUndelivered, sumUp } from "./placement-results.ts";

const ERROR_MAX = 500;
/** What is due this soon is looked for with the rest. */
const TOGETHER_MS = 1_000;
/** Lines of a header block that are read. */
const HEADER_LINES_MAX = 1_000;

/** A test that is looked for, and how its email is known. */
export interface Sought {
  test: TestRow;
  messageId: string;
  token: string;
}

/** What is to be looked for in a seed mailbox now. */
export function soughtIn(env: Environment, seedId: Id, now: UnixMs): Sought[] {
  const tests = testsToLookFor(env.db, seedId, plus(now, TOGETHER_MS), LOOK_MESSAGES_MAX);
  return tests.flatMap((test) => {
    const message = messageOfTest(env.db, test.id);
    return message === undefined
      ? []
      : [{ test, messageId: message.messageId, token: unsubscribeToken(env, message.id) }];
  });
}

/** Records what a look at `now` found of what was sought. */
export function recordLook(
  env: Environment,
  seedId: Id,
  sought: readonly Sought[],
  outcome: LookOutcome,
  now: UnixMs,
): void {
  const seed = seedById(env.db, seedId);
  if (seed === undefined) {
    return;
  }
  if (outcome.kind === "unreachable") {
    recordUnreachable(env, seed, sought, outcome, now);
    return;
  }
  recordReachable(env, seed, outcome, now);
  const runs = new Set<Id>();
  for (const { test: asked, messageId } of sought) {
    const test = stillSought(env, asked);
    const mail = outcome.found.find((one) => one.messageId === messageId);
    if (test === undefined) {
      continue;
    }
    if (mail === undefined) {
      recordAbsent(env, test, now);
    } else {
      recordFound(env, test, mail, now);
    }
    runs.add(test.runId);
  }
  sumUp(env, runs);
}

/** The mailbox could be read. A seed in `error` is well again. */
export function recordReachable(
  env: Environment,
  seed: SeedRow,
  outcome: Extract<LookOutcome, { kind: "looked" }>,
  now: UnixMs,
): void {
  updateSeed(env.db, {
    ...seed,
    status: seed.status === "error" ? "active" : seed.status,
    lastError: null,
    lastLookedAt: now,
    junkFolder: outcome.junkFolder,
    tabs: outcome.tabs ?? seed.tabs,
  });
  if (seed.status === "error") {
    lookAgain(env, seed);
  }
}

/**
 * A refused login fails everything of this seed, its emails still to be sent among it, and nothing is
 * looked for until it is fixed. Anything else may pass before the deadline.
 */
export function recordUnreachable(
  env: Environment,
  seed: SeedRow,
  sought: readonly Sought[],
  { reason, login }: Extract<LookOutcome, { kind: "unreachable" }>,
  now: UnixMs,
): void {
  const lastError = reason.slice(0, ERROR_MAX);
  const status = login ? "error" : seed.status;
  updateSeed(env.db, { ...seed, status, lastError, lastLookedAt: now });
  const runs = new Set<Id>();
  const open = login ? openTestsOf(env.db, { seedId: seed.id }) : [];
  for (const test of open) {
    failTest(env, test, `the seed mailbox rejects the login: ${reason}`);
    runs.add(test.runId);
  }
  for (const { test: asked } of sought) {
    const test = stillSought(env, asked);
    if (test !== undefined) {
      recordUnseen(env, test, reason, { now, login });
      runs.add(test.runId);
    }
  }
  sumUp(env, runs);
}

/** What a seed could not show before is looked for now, in runs that are young enough. */
export function lookAgain(env: Environment, seed: SeedRow): void {
  const now = env.clock.now();
  for (const test of missedTestsOf(env.db, seed.id, now)) {
    updateTest(env.db, { ...test, lookAt: now });
  }
}

/** The test as it is now; undefined where it has got its end meanwhile. */
function stillSought(env: Environment, { id }: TestRow): TestRow | undefined {
  const test = placementTestById(env.db, id);
  return test === undefined || test.lookAt === null ? undefined : test;
}

function recordFound(env: Environment, test: TestRow, mail: SeenMail, now: UnixMs): void {
  const message = messageOfTest(env.db, test.id);
  const sentAt = test.sentAt ?? now;
  const fields = fieldsOf(mail.headers);
  updateTest(env.db, {
    ...test,
    status: "done",
    placement: placementAt(mail.place, mail.tab),
    folder: mail.folder,
    tab: mail.tab,
    error: null,
    lookAt: null,
    testedAt: now,
    latencyMs: latencyOf(sentAt, mail.receivedAt, now),
    authentication: {
      ...authenticationOf(fields),
      sentFrom: sendingAddressOf(fields, test.seedProvider),
    },
    oneClickSigned: signsOneClick(fields),
  });
  if (message?.status === "unknown") {
    recordSentAfterAll(env, message, mail);
  }
}

/** It was in doubt whether the email went out: here it is. */
function recordSentAfterAll(env: Environment, message: MessageRow, { folder }: SeenMail): void {
  const response = `found in ${folder} of the seed mailbox`;
  updateMessage(env.db, { ...message, status: "sent", sentAt: message.dataAt, response });
}

function recordAbsent(env: Environment, test: TestRow, now: UnixMs): void {
  const lookAt = lookAfter(env, test, now);
  const isLate = lookAt === null || now >= plus(test.sentAt ?? now, DEADLINE_MS);
  const isKnown = test.status === "done" && test.placement === "not_delivered";
  if (!isLate || isKnown) {
    updateTest(env.db, { ...test, lookAt });
    return;
  }
  if (messageOfTest(env.db, test.id)?.status === "unknown") {
    failTest(env, test, "the email is unconfirmed and wasn't found");
    return;
  }
  recordUndelivered(env, { ...test, lookAt }, null);
}

/** At the deadline a mailbox that cannot be read says nothing; it may still be fixed in time. */
function recordUnseen(
  env: Environment,
  test: TestRow,
  reason: string,
  { now, login }: { now: UnixMs; login: boolean },
): void {
  const lookAt = login ? null : lookAfter(env, test, now);
  const isLate = now >= plus(test.sentAt ?? now, DEADLINE_MS);
  if (test.status === "looking" && (isLate || lookAt === null)) {
    failTest(env, test, `couldn't read the seed mailbox: ${reason}`);
  }
  const current = placementTestById(env.db, test.id) ?? test;
  updateTest(env.db, { ...current, lookAt });
}

function lookAfter(env: Environment, test: TestRow, now: UnixMs): UnixMs | null {
  const run = runById(env.db, test.runId);
  return run === undefined ? null : nextLookAt(test.sentAt ?? now, now, run.endsAt);
}

/** Header fields, unfolded, in their order. */
function fieldsOf(headers: Uint8Array): HeaderField[] {
  const text = new TextDecoder().decode(headers).replace(/\r?\n[ \t]+/g, " ");
  return text
    .split(/\r?\n/)
    .slice(0, HEADER_LINES_MAX)
    .flatMap((line) => {
      const colon = line.indexOf(":");
      return colon < 1
        ? []
        : [{ name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() }];
    });
}
