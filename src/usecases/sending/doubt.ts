/**
 * Messages of ours of which nobody knows whether they were delivered, of a sequence or answers by hand: a
 * person decides about one, or a mail that comes back shows it.
 */

import { isOpen } from "#domain/campaigns/enrollment.ts";
import { nextStep, stepsUpTo } from "#domain/campaigns/sequence.ts";
import { conflict, notFound } from "#domain/problem.ts";
import { type UnixMs, unixMs } from "#domain/time.ts";
import { sequenceOf, stepById } from "#store/campaigns/steps.ts";
import { enrollmentById } from "#store/leads/enrollments.ts";
import { accountById, updateAccount, wakeAccounts } from "#store/mailboxes/accounts.ts";
import {
  findMessage,
  stepMessagesOf,
  stepsSentTo,
  updateMessage,
} from "#store/sending/messages.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { EnrollmentRow } from "#store/tables/leads.ts";
import type { MatchedBy, MessageRow, ReplyMessage, StepMessage } from "#store/tables/messages.ts";
import { audit } from "#usecases/events/journal.ts";
import {
  advanceEnrollment,
  changeEnrollment,
  noteSent,
  upcomingStep,
} from "#usecases/leads/enrollments.ts";
import type { Caller, World } from "#world.ts";
import { mayAnswer, mayAnswerFrom } from "./answers.ts";
import { noteAnswered } from "./settle-answer.ts";

export type Verdict = "treat_as_sent" | "send_again";

/**
 * Throws `not_found`, and `conflict` for a message that is not in doubt, or that cannot be sent again
 * because its mailbox or its recipient stands against it.
 */
export function resolveMessage(world: World, caller: Caller, id: Id, verdict: Verdict): void {
  const message = findMessage(world.db, caller.teamId, id);
  if (message === undefined || message.recipient === "") {
    throw notFound("message");
  }
  if (message.status !== "unknown" || message.kind === "placement") {
    throw conflict("this message is not in doubt");
  }
  if (message.kind === "manual") {
    resolveAnswer(world, message, verdict);
  } else {
    resolveStep(world, message, verdict);
  }
  audit(world, caller, { action: `message.${verdict}`, target: `message:${id}` });
}

/** Signs that only somebody can give who has had the mail. */
const PROOFS: ReadonlySet<MatchedBy> = new Set(["token", "message_id", "provider_id"]);
const PROVEN = "a mail that came back names it";

/** A mail has come back that belongs to the message: by such a sign it was sent, and its lead goes on. */
export function settleProven(world: World, message: MessageRow, by: MatchedBy): void {
  if (message.status !== "unknown" || !PROOFS.has(by)) {
    return;
  }
  const at = message.dataAt ?? message.claimedAt;
  if (message.kind === "manual") {
    noteAnswered(world, message, PROVEN, at);
  } else if (message.kind === "step") {
    noteSent(world, message, at, PROVEN);
    const row = enrollmentById(world.db, message.enrollmentId);
    if (row !== undefined) {
      passStep(world, row, message, at);
    }
  }
}

/**
 * A person decides about an unconfirmed message to this lead: the one that is named, or the only one.
 * Throws `not_found` for a message that is not the lead's, `conflict` where none is unconfirmed, where
 * several are and none is named, or where it cannot be sent again.
 */
export function resolveLead(
  world: World,
  row: EnrollmentRow,
  verdict: Verdict,
  messageId: Id | undefined,
): void {
  const messages = stepMessagesOf(world.db, row.id);
  const named = messages.filter(({ id }) => messageId === undefined || id === messageId);
  const [message, ...others] = named.filter(({ status }) => status === "unknown");
  if (messageId !== undefined && named.length === 0) {
    throw notFound("message to this lead");
  }
  if (others.length > 0) {
    const ids = [message, ...others].map((one) => one?.id).join(", ");
    throw conflict(`several messages are unconfirmed; name one of ${ids}`, "message_id");
  }
  if (message !== undefined) {
    resolveStep(world, message, verdict);
  } else if (row.holdReason === "unknown_send" && messageId === undefined) {
    resolveLost(world, row, verdict);
  } else {
    throw conflict("no message to this lead is in doubt");
  }
}

/**
 * A restore has lost the record of what may have been sent: the next step stands for it. What was found in
 * a Sent folder is counted since then (`restored.ts`), whatever is decided.
 */
function resolveLost(world: World, row: EnrollmentRow, verdict: Verdict): void {
  const step = upcomingStep(world, row);
  if (verdict === "send_again" || step === undefined) {
    goOn(world, row, row.lastSentAt);
  } else {
    const stood = changeEnrollment(world, row, { nextPlaceId: step.placeId });
    advanceEnrollment(world, stood, "email", world.clock.now());
  }
  wakeAccounts(world.db, row.teamId);
  world.wake();
}

function resolveStep(world: World, message: StepMessage, verdict: Verdict): void {
  const row = enrollmentById(world.db, message.enrollmentId);
  if (row === undefined) {
    throw conflict("the lead of this message was taken out of the campaign");
  }
  if (verdict === "treat_as_sent") {
    const at = message.dataAt ?? message.claimedAt;
    noteSent(world, message, at, "treated as sent");
    passStep(world, row, message, at);
    world.wake();
    return;
  }
  if (!isOpen(row.status)) {
    throw conflict(`the lead is ${row.status}: nothing more is sent to it; treat this as sent`);
  }
  const others = stepsSentTo(world.db, row.id);
  others.delete(message.stepId);
  if (nextStep(sequenceOf(world.db, row.campaignId), row.placeId, others)?.id !== message.stepId) {
    throw conflict("the lead has gone past this step; treat the message as sent");
  }
  // It may have been delivered: until it is taken up again an answer to it is still one to us.
  updateMessage(world.db, { ...message, status: "deferred" });
  // Its mailbox may have written to this lead already, and stays the one that does.
  goOn(world, row, row.lastSentAt ?? message.dataAt);
  wakeAccounts(world.db, row.teamId);
  world.wake();
}

/** Its next email is due at once, unless the lead is paused. */
function goOn(world: World, row: EnrollmentRow, lastSentAt: UnixMs | null): void {
  const dueAt = row.status === "paused" ? null : world.clock.now();
  changeEnrollment(world, row, { holdReason: null, holdDetail: null, lastSentAt, dueAt });
}

/** A step was sent after all. The lead goes on once no other of its messages is unconfirmed. */
function passStep(world: World, row: EnrollmentRow, message: StepMessage, at: UnixMs): void {
  const messages = stepMessagesOf(world.db, row.id);
  const isLast = !messages.some(({ status }) => status === "unknown");
  const isNewest = messages.every(({ claimedAt }) => claimedAt <= message.claimedAt);
  const placeId = isNewest ? row.nextPlaceId : null;
  const further = furtherPlace(world, row, message.stepId, placeId);
  const lastSentAt = unixMs(Math.max(row.lastSentAt ?? at, at));
  if (row.holdReason === "unknown_send" && isLast) {
    const stood = changeEnrollment(world, row, { nextPlaceId: further });
    advanceEnrollment(world, stood, "email", lastSentAt);
    wakeAccounts(world.db, row.teamId);
  } else {
    const status = row.status === "pending" ? "active" : row.status;
    changeEnrollment(world, row, {
      ...{ status, placeId: further, lastSentAt, waitsFrom: lastSentAt },
    });
  }
}

/** Which lies further on: its own place, or that of the step; `leftId` where the step has left it since. */
function furtherPlace(world: World, row: EnrollmentRow, stepId: Id, leftId: Id | null): Id | null {
  const sequence = sequenceOf(world.db, row.campaignId);
  const isLeft = leftId !== null && sequence.left.has(leftId);
  const placeId = isLeft ? leftId : (stepById(world.db, stepId)?.placeId ?? null);
  return stepsUpTo(sequence, placeId) > stepsUpTo(sequence, row.placeId) ? placeId : row.placeId;
}

/** Sent again it is the same message, with its own Message-ID, from the same mailbox. */
function resolveAnswer(world: World, message: ReplyMessage, verdict: Verdict): void {
  const now = world.clock.now();
  if (verdict === "treat_as_sent") {
    noteAnswered(world, message, "treated as sent", message.dataAt ?? now);
    return;
  }
  const account = accountById(world.db, message.accountId);
  if (account === undefined || !mayAnswerFrom(world, account)) {
    throw conflict("the mailbox of this message cannot send: see its record");
  }
  const { teamId, recipient, threadId } = message;
  if (!mayAnswer(world, { teamId, recipient, threadId })) {
    throw conflict("this address is suppressed, and nothing has come from it since");
  }
  // It may have been delivered: until it is taken up again an answer to it is still one to us.
  updateMessage(world.db, {
    ...message,
    status: "deferred",
    attempts: 0,
    claimedAt: now,
    dueAt: now,
  });
  updateAccount(world.db, { ...account, wakeAt: now });
  world.wake();
}
