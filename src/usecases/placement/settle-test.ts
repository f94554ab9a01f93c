/** A placement test's email once it is claimed: as any other, but no sequence goes on because of it. */

import type { Fault } from "#domain/mailboxes/smtp-fault.ts";
import { DEADLINE_MS, isUnderWay, nextLookAt } from "#domain/placement/placement.ts";
import { conflict } from "#domain/problem.ts";
import { plus, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { runById } from "#store/placement/placement-runs.ts";
import { placementTestById, updateTest } from "#store/placement/placement-tests.ts";
import { updateMessage } from "#store/sending/messages.ts";
import type { TestMessage } from "#store/tables/messages.ts";
import { isSendable } from "#usecases/mailboxes/accounts.ts";
import { againAt, type Outgoing } from "#usecases/sending/outgoing.ts";
import { claimTest } from "./claim-test.ts";
import { failTest, recordUndelivered, sumUp } from "./placement-results.ts";

export const TEST: Outgoing<TestMessage> = {
  claim: claimTest,

  bar: (env, message, account) => {
    if (account === undefined || !isSendable(account, env.name)) {
      return "account";
    }
    const test = placementTestById(env.db, message.placementTestId);
    const run = test && runById(env.db, test.runId);
    const isWanted = test?.status === "waiting" && run !== undefined && isUnderWay(run.status);
    return isWanted ? undefined : "run";
  },

  sent: (env, message, response, sentAt) => {
    updateMessage(env.db, { ...message, status: "sent", sentAt, response });
    lookFor(env, message, sentAt);
  },

  undelivered: (env, message, { fault, words }, now) => {
    const at = againAt(message, fault, now);
    if (at !== null) {
      wait(env, message, at);
    } else {
      refuse(env, message, fault.kind, words);
    }
  },

  /** Unlike any other email's recipient, this one can be looked at. */
  unknown: (env, message) => {
    updateMessage(env.db, { ...message, status: "unknown" });
    lookFor(env, message, message.dataAt ?? message.claimedAt);
  },

  /** Nobody replies to a test. */
  confirmed: () => undefined,

  resolve: () => {
    throw conflict("this email belongs to a placement test, which finds it automatically");
  },

  withdrawn: (env, message, why, now) => {
    const attempts = message.attempts - 1;
    const unsent = { ...message, attempts, response: `stopped before sending: ${why}` };
    if (why === "run") {
      updateMessage(env.db, { ...unsent, status: "cancelled" });
    } else {
      wait(env, unsent, now);
    }
  },
};

function lookFor(env: Environment, message: TestMessage, sentAt: UnixMs): void {
  const test = placementTestById(env.db, message.placementTestId);
  const run = test && runById(env.db, test.runId);
  if (test?.status === "waiting" && run !== undefined) {
    const now = env.clock.now();
    // Where the program was away until the run's end: one look, or the run would go on for ever.
    const lookAt = nextLookAt(sentAt, now, run.endsAt) ?? plus(now, DEADLINE_MS);
    updateTest(env.db, { ...test, status: "looking", sentAt, lookAt, dueAt: null });
    env.wake();
  }
}

function refuse(env: Environment, message: TestMessage, fault: Fault["kind"], words: string): void {
  updateMessage(env.db, { ...message, status: "failed" });
  const test = placementTestById(env.db, message.placementTestId);
  if (test?.status !== "waiting") {
    return;
  }
  if (fault === "bounce") {
    failTest(env, test, `the seed's server says the address doesn't exist: ${words}`);
  } else if (fault === "soft_bounce") {
    failTest(env, test, `the seed mailbox is full or accepts no email: ${words}`);
  } else if (fault === "retry") {
    failTest(env, test, `it couldn't be sent: ${words}`);
  } else {
    recordUndelivered(env, test, words);
  }
  sumUp(env, new Set([test.runId]));
}

function wait(env: Environment, message: TestMessage, dueAt: UnixMs): void {
  const test = placementTestById(env.db, message.placementTestId);
  const isWanted = test?.status === "waiting";
  updateMessage(env.db, { ...message, status: isWanted ? "deferred" : "cancelled" });
  if (isWanted) {
    updateTest(env.db, { ...test, dueAt, error: message.response });
  }
}
