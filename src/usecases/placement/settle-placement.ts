/** A placement test's email once it is claimed: as any other, but no sequence goes on because of it. */

import type { Fault } from "#domain/mailboxes/smtp-fault.ts";
import { DEADLINE_MS, isUnderWay, nextLookAt } from "#domain/placement/placement.ts";
import { plus, type UnixMs } from "#domain/time.ts";
import { runById } from "#store/placement/placement-runs.ts";
import { placementTestById, updateTest } from "#store/placement/placement-tests.ts";
import { updateMessage } from "#store/sending/messages.ts";
import type { TestMessage } from "#store/tables/messages.ts";
import { isSendable } from "#usecases/mailboxes/accounts.ts";
import { againAt, type Outgoing } from "#usecases/sending/outgoing.ts";
import type { World } from "#world.ts";
import { failTest, noteUndelivered, sumUp } from "./placement-results.ts";

export const TEST: Outgoing<TestMessage> = {
  bar: (world, message, account) => {
    if (account === undefined || !isSendable(account, world.env)) {
      return "account";
    }
    const test = placementTestById(world.db, message.placementTestId);
    const run = test && runById(world.db, test.runId);
    const isWanted = test?.status === "waiting" && run !== undefined && isUnderWay(run.status);
    return isWanted ? undefined : "run";
  },

  sent: (world, message, response, sentAt) => {
    updateMessage(world.db, { ...message, status: "sent", sentAt, response });
    lookFor(world, message, sentAt);
  },

  undelivered: (world, message, { fault, words }, now) => {
    const at = againAt(message, fault, now);
    if (at !== null) {
      wait(world, message, at);
    } else {
      refuse(world, message, fault.kind, words);
    }
  },

  /** Unlike any other mail's recipient, this one can be looked at. */
  unknown: (world, message) => {
    updateMessage(world.db, { ...message, status: "unknown" });
    lookFor(world, message, message.dataAt ?? message.claimedAt);
  },

  withdrawn: (world, message, why, now) => {
    const attempts = message.attempts - 1;
    const unsent = { ...message, attempts, response: `stopped before sending: ${why}` };
    if (why === "run") {
      updateMessage(world.db, { ...unsent, status: "cancelled" });
    } else {
      wait(world, unsent, now);
    }
  },
};

function lookFor(world: World, message: TestMessage, sentAt: UnixMs): void {
  const test = placementTestById(world.db, message.placementTestId);
  const run = test && runById(world.db, test.runId);
  if (test?.status === "waiting" && run !== undefined) {
    const now = world.clock.now();
    // Where the program was away until the run's end: one look, or the run would go on for ever.
    const lookAt = nextLookAt(sentAt, now, run.endsAt) ?? plus(now, DEADLINE_MS);
    updateTest(world.db, { ...test, status: "looking", sentAt, lookAt, dueAt: null });
    world.wake();
  }
}

function refuse(world: World, message: TestMessage, fault: Fault["kind"], words: string): void {
  updateMessage(world.db, { ...message, status: "failed" });
  const test = placementTestById(world.db, message.placementTestId);
  if (test?.status !== "waiting") {
    return;
  }
  if (fault === "bounce") {
    failTest(world, test, `the seed's server does not know the address: ${words}`);
  } else if (fault === "soft_bounce") {
    failTest(world, test, `the seed mailbox is full or accepts no email: ${words}`);
  } else if (fault === "retry") {
    failTest(world, test, `it could not be sent: ${words}`);
  } else {
    noteUndelivered(world, test, words);
  }
  sumUp(world, new Set([test.runId]));
}

function wait(world: World, message: TestMessage, dueAt: UnixMs): void {
  const test = placementTestById(world.db, message.placementTestId);
  const isWanted = test?.status === "waiting";
  updateMessage(world.db, { ...message, status: isWanted ? "deferred" : "cancelled" });
  if (isWanted) {
    updateTest(world.db, { ...test, dueAt, error: message.response });
  }
}
