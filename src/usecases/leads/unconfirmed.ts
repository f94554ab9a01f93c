/** Emails of a sequence of which nobody knows whether they were delivered: what becomes of their leads. */

import { isOpen } from "#domain/campaigns/enrollment.ts";
import { nextStep, stepsUpTo } from "#domain/campaigns/sequence.ts";
import { conflict, notFound } from "#domain/problem.ts";
import { type UnixMs, unixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { sequenceOf, stepById } from "#store/campaigns/steps.ts";
import { enrollmentById } from "#store/leads/enrollments.ts";
import { wakeAccounts } from "#store/mailboxes/accounts.ts";
import { stepMessagesOf, stepsSentTo, updateMessage } from "#store/sending/messages.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { EnrollmentRow } from "#store/tables/leads.ts";
import type { StepMessage } from "#store/tables/messages.ts";
import { advanceEnrollment, changeEnrollment, markSent, upcomingStep } from "./enrollments.ts";

export type Verdict = "treat_as_sent" | "send_again";

/**
 * A person decides about an unconfirmed message to this lead: the one that is named, or the only one.
 * Throws `not_found` for a message that is not the lead's, `conflict` where none is unconfirmed, where
 * several are and none is named, or where it cannot be sent again.
 */
export function resolveLead(
  env: Environment,
  row: EnrollmentRow,
  verdict: Verdict,
  messageId: Id | undefined,
): void {
  const messages = stepMessagesOf(env.db, row.id);
  const named = messages.filter(({ id }) => messageId === undefined || id === messageId);
  const [message, ...others] = named.filter(({ status }) => status === "unknown");
  if (messageId !== undefined && named.length === 0) {
    throw notFound("message to this lead");
  }
  if (others.length > 0) {
    const ids = [message, ...others].map((one) => one?.id).join(", ");
    throw conflict(
      `several messages are unconfirmed; set message_id to one of ${ids}`,
      "message_id",
    );
  }
  if (message !== undefined) {
    resolveStep(env, message, verdict);
  } else if (row.holdReason === "unknown_send" && messageId === undefined) {
    resolveLost(env, row, verdict);
  } else {
    throw conflict("this lead has no unconfirmed message");
  }
}

/**
 * A restore has lost the record of what may have been sent: the next step stands for it. What was found in
 * a Sent folder is counted since then (`restored.ts`), whatever is decided.
 */
function resolveLost(env: Environment, row: EnrollmentRow, verdict: Verdict): void {
  const step = upcomingStep(env, row);
  if (verdict === "send_again" || step === undefined) {
    goOn(env, row, row.lastSentAt);
  } else {
    const stood = changeEnrollment(env, row, { nextPlaceId: step.placeId });
    advanceEnrollment(env, stood, "email", env.clock.now());
  }
  wakeAccounts(env.db, row.teamId);
  env.wake();
}

/** Throws `conflict` where it cannot be sent again. */
export function resolveStep(env: Environment, message: StepMessage, verdict: Verdict): void {
  const row = enrollmentById(env.db, message.enrollmentId);
  if (row === undefined) {
    throw conflict("this message's lead was removed from the campaign");
  }
  if (verdict === "treat_as_sent") {
    const at = message.dataAt ?? message.claimedAt;
    markSent(env, message, at, "treated as sent");
    passStep(env, row, message, at);
    env.wake();
    return;
  }
  if (!isOpen(row.status)) {
    throw conflict(
      `the lead is ${row.status}, so nothing more can be sent; count this message as sent`,
    );
  }
  const others = stepsSentTo(env.db, row, message.id);
  if (nextStep(sequenceOf(env.db, row.campaignId), row.placeId, others)?.id !== message.stepId) {
    throw conflict("the lead has moved past this step; count the message as sent");
  }
  // It may have been delivered: until it is claimed again, a reply to it still counts.
  updateMessage(env.db, { ...message, status: "deferred" });
  // Its mailbox may have written to this lead already, and stays the one that does.
  goOn(env, row, row.lastSentAt ?? message.dataAt);
  wakeAccounts(env.db, row.teamId);
  env.wake();
}

/** Its next email is due at once, unless the lead is paused. */
function goOn(env: Environment, row: EnrollmentRow, lastSentAt: UnixMs | null): void {
  const dueAt = row.status === "paused" ? null : env.clock.now();
  changeEnrollment(env, row, { holdReason: null, holdDetail: null, lastSentAt, dueAt });
}

/** A step was sent after all. The lead goes on once no other of its messages is unconfirmed. */
export function passStep(
  env: Environment,
  row: EnrollmentRow,
  message: StepMessage,
  at: UnixMs,
): void {
  const messages = stepMessagesOf(env.db, row.id);
  const isLast = !messages.some(({ status }) => status === "unknown");
  const isNewest = messages.every(({ claimedAt }) => claimedAt <= message.claimedAt);
  const placeId = isNewest ? row.nextPlaceId : null;
  const further = furtherPlace(env, row, message.stepId, placeId);
  const lastSentAt = unixMs(Math.max(row.lastSentAt ?? at, at));
  if (row.holdReason === "unknown_send" && isLast) {
    const stood = changeEnrollment(env, row, { nextPlaceId: further });
    advanceEnrollment(env, stood, "email", lastSentAt);
    wakeAccounts(env.db, row.teamId);
  } else {
    const status = row.status === "pending" ? "active" : row.status;
    changeEnrollment(env, row, {
      ...{ status, placeId: further, lastSentAt, waitsFrom: lastSentAt },
    });
  }
}

/** Which lies further on: its own place, or that of the step; `leftId` where the step has left it since. */
function furtherPlace(
  env: Environment,
  row: EnrollmentRow,
  stepId: Id,
  leftId: Id | null,
): Id | null {
  const sequence = sequenceOf(env.db, row.campaignId);
  const isLeft = leftId !== null && sequence.left.has(leftId);
  const placeId = isLeft ? leftId : (stepById(env.db, stepId)?.placeId ?? null);
  return stepsUpTo(sequence, placeId) > stepsUpTo(sequence, row.placeId) ? placeId : row.placeId;
}
