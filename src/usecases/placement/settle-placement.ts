/** What became of a test mail: as for any other, but it is nobody's sequence that goes on. */

import { retryAt } from "#domain/campaigns/schedule.ts";
import { type SendWindow, WEEKDAYS } from "#domain/campaigns/window.ts";
import { providerIdIn, type SendOutcome } from "#domain/mailboxes/send-outcome.ts";
import { judgeFault } from "#domain/mailboxes/smtp-fault.ts";
import { DEADLINE_MS, nextLookAt } from "#domain/placement/placement.ts";
import { plus, type UnixMs } from "#domain/time.ts";
import { runById } from "#store/placement/placement-runs.ts";
import { placementTestById, updateTest } from "#store/placement/placement-tests.ts";
import { updateMessage } from "#store/sending/messages.ts";
import type { TestMessage } from "#store/tables/messages.ts";
import type { TestRow } from "#store/tables/placement.ts";
import { noteSmtpOk } from "#usecases/mailboxes/accounts.ts";
import { release } from "#usecases/sending/outbox.ts";
import type { World } from "#world.ts";
import { failTest, noteUndelivered, sumUp } from "./placement-results.ts";

/** Never closed: a test waits for no window. */
const ALWAYS: SendWindow = { timezone: "UTC", days: WEEKDAYS, startHour: 0, endHour: 24 };

export function settlePlacement(
  world: World,
  sending: TestMessage,
  outcome: SendOutcome,
  now: UnixMs,
): void {
  if (outcome.kind === "accepted") {
    notePlacementSent(world, sending, outcome.response, now);
    return;
  }
  const words = outcome.kind === "unreachable" ? outcome.reason : outcome.response;
  const code = outcome.kind === "unreachable" ? null : outcome.code;
  const message = { ...sending, response: words, code };
  const fault = judgeFault(outcome);
  if (fault.kind === "unknown") {
    notePlacementUnknown(world, message);
    return;
  }
  release(world, message);
  const unsent = { ...message, reserved: [], dataAt: null };
  switch (fault.kind) {
    case "auth":
      wait(world, unsent, now);
      return;
    case "backoff":
      wait(world, unsent, plus(now, fault.ms));
      return;
    case "retry":
      retry(world, unsent, now);
      break;
    case "bounce":
      refuse(world, unsent, (test) => {
        failTest(world, test, `the seed's server does not know the address: ${words}`);
      });
      break;
    case "soft_bounce":
      refuse(world, unsent, (test) => {
        failTest(world, test, `the seed mailbox is full or accepts no email: ${words}`);
      });
      break;
    case "failed":
    case "sender":
      refuse(world, unsent, (test) => noteUndelivered(world, test, words));
      break;
    default:
      fault satisfies never;
  }
}

export function notePlacementSent(
  world: World,
  message: TestMessage,
  response: string,
  sentAt: UnixMs,
): void {
  const providerId = providerIdIn(response, message.messageId);
  const sent = { ...message, status: "sent" as const, sentAt, response, providerId, code: 250 };
  updateMessage(world.db, sent);
  noteSmtpOk(world, message.accountId);
  lookFor(world, message, sentAt);
}

/** It may have been sent. Unlike any other mail's recipient, this one can be looked at. */
export function notePlacementUnknown(world: World, message: TestMessage): void {
  updateMessage(world.db, { ...message, status: "unknown" });
  lookFor(world, message, message.dataAt ?? message.claimedAt);
}

/** The mail was stopped before its body. `again`: the test still wants one. */
export function withdrawPlacement(
  world: World,
  message: TestMessage,
  { why, again, now }: { why: string; again: boolean; now: UnixMs },
): void {
  release(world, message);
  const attempts = message.attempts - 1;
  const response = `stopped before sending: ${why}`;
  const unsent = { ...message, reserved: [], dataAt: null, attempts, response };
  const test = placementTestById(world.db, message.placementTestId);
  if (again && test?.status === "waiting") {
    wait(world, unsent, now);
  } else {
    updateMessage(world.db, { ...unsent, status: "cancelled" });
  }
}

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

function refuse(world: World, message: TestMessage, end: (test: TestRow) => void): void {
  updateMessage(world.db, { ...message, status: "failed" });
  const test = placementTestById(world.db, message.placementTestId);
  if (test?.status === "waiting") {
    end(test);
    sumUp(world, new Set([test.runId]));
  }
}

function wait(world: World, message: TestMessage, dueAt: UnixMs): void {
  const test = placementTestById(world.db, message.placementTestId);
  const isWanted = test?.status === "waiting";
  updateMessage(world.db, { ...message, status: isWanted ? "deferred" : "cancelled" });
  if (isWanted) {
    updateTest(world.db, { ...test, dueAt, error: message.response });
  }
}

function retry(world: World, message: TestMessage, now: UnixMs): void {
  const { id: messageId, attempts: attempt, claimedAt: firstAttemptAt } = message;
  const times = { messageId, attempt, firstAttemptAt, failedAt: now };
  const at = retryAt({ ...times, window: ALWAYS, zone: null });
  if (at === null) {
    const words = message.response ?? "";
    refuse(world, message, (test) => failTest(world, test, `it could not be sent: ${words}`));
    return;
  }
  wait(world, message, at);
}
