/** What became of a message that was handed to a mail server: the third part of sending. */

import { isOpen } from "#domain/campaigns/enrollment.ts";
import { retryAt } from "#domain/campaigns/schedule.ts";
import { providerIdIn, type SendOutcome } from "#domain/mailboxes/send-outcome.ts";
import { judgeFault } from "#domain/mailboxes/smtp-fault.ts";
import { MINUTE_MS, type UnixMs, unixMs } from "#domain/time.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import { enrollmentById } from "#store/leads/enrollments.ts";
import { accountById, updateAccount, wakeAccountsBy } from "#store/mailboxes/accounts.ts";
import { messageById, updateMessage } from "#store/sending/messages.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { EnrollmentRow } from "#store/tables/leads.ts";
import type { MessageRow, StepMessage } from "#store/tables/messages.ts";
import { tellDeferred, tellFailed } from "#usecases/events/email-events.ts";
import {
  advanceEnrollment,
  changeEnrollment,
  endEnrollment,
  holdEnrollment,
  noteSent,
} from "#usecases/leads/enrollments.ts";
import { noteFault } from "#usecases/mailboxes/account-faults.ts";
import { noteSmtpOk } from "#usecases/mailboxes/accounts.ts";
import { learnReceiver, noteTaken, type Receiver } from "#usecases/mailboxes/receivers.ts";
import {
  notePlacementSent,
  notePlacementUnknown,
  settlePlacement,
  withdrawPlacement,
} from "#usecases/placement/settle-placement.ts";
import type { World } from "#world.ts";
import { nextAnswerAt } from "./answers.ts";
import { noteBounce } from "./bounces.ts";
import { release, type Withdrawal } from "./outbox.ts";
import { noteAnswered, settleAnswer, withdrawAnswer } from "./settle-answer.ts";

type Failure = Exclude<SendOutcome, { kind: "accepted" }>;

/** Who tried: the account as it was at the claim, and the receiver, where it was asked for. */
export interface Tried {
  account: AccountRow;
  receiver?: Receiver;
}

/** Records an outcome. Runs inside a commit. A message that is settled already stays as it is. */
export function settle(
  world: World,
  messageId: Id,
  outcome: SendOutcome,
  now: UnixMs,
  tried?: Tried,
): void {
  const message = messageById(world.db, messageId);
  const row = message && enrollmentById(world.db, message.enrollmentId);
  if (message === undefined || message.status !== "sending") {
    return;
  }
  if (message.kind === "manual") {
    const providerId =
      outcome.kind === "accepted" ? providerIdIn(outcome.response, message.messageId) : null;
    settleAnswer(world, { ...withCopy(world, message, now), providerId }, outcome, now);
  } else if (message.kind === "placement") {
    settlePlacement(world, withCopy(world, message, now), outcome, now);
  } else if (outcome.kind === "accepted") {
    settleAccepted(world, message, row, outcome.response, now);
  } else {
    settleFailure(world, message, row, outcome, now);
    wakeOthers(world, message, now);
  }
  if (outcome.kind !== "accepted") {
    const { accountId } = message;
    const fault = judgeFault(outcome);
    const { account, receiver } = tried ?? {};
    noteFault(world, { accountId, tried: account, receiver, fault, words: wordsOf(outcome), now });
  } else if (tried?.receiver !== undefined) {
    noteTaken(world, message.accountId, tried.receiver);
  }
  wakeAccount(world, message.accountId);
}

function wordsOf(outcome: Failure): string {
  return outcome.kind === "unreachable" ? outcome.reason : outcome.response;
}

function settleAccepted(
  world: World,
  message: StepMessage,
  row: EnrollmentRow | undefined,
  response: string,
  now: UnixMs,
): void {
  const providerId = providerIdIn(response, message.messageId);
  noteSent(world, { ...withCopy(world, message, now), providerId, code: 250 }, now, response);
  noteSmtpOk(world, message.accountId);
  if (row !== undefined) {
    advanceEnrollment(world, row, "email", now);
  }
}

function withCopy<Message extends MessageRow>(
  world: World,
  message: Message,
  now: UnixMs,
): Message {
  const account = accountById(world.db, message.accountId);
  const isErased = message.recipient === "";
  const files = account?.saveSent === true && account.imap !== null;
  const copyDueAt = files && !isErased ? now : null;
  return { ...message, copyDueAt };
}

function settleFailure(
  world: World,
  sending: StepMessage,
  row: EnrollmentRow | undefined,
  outcome: Failure,
  now: UnixMs,
): void {
  const words = wordsOf(outcome);
  const code = outcome.kind === "unreachable" ? null : outcome.code;
  const message = { ...sending, response: words, code };
  const fault = judgeFault(outcome);
  switch (fault.kind) {
    case "unknown":
      settleUnknown(world, message, row);
      return;
    case "auth":
    case "backoff":
    case "sender":
      untouched(world, message, row, now);
      return;
    case "retry":
      retry(world, message, row, now);
      return;
    case "bounce":
    case "soft_bounce":
      release(world, message);
      noteBounce(world, toStatus(world, message, "failed"), {
        severity: fault.kind === "bounce" ? "hard" : "soft",
        status: outcome.kind === "unreachable" ? null : outcome.enhanced,
        words,
      });
      if (fault.kind === "soft_bounce" && row !== undefined) {
        endEnrollment(world, row, "failed", "refused");
      }
      return;
    case "failed":
      fail(world, message, row);
      return;
    default:
      fault satisfies never;
  }
}

/** Writes the message as certainly not delivered. */
function toStatus(world: World, message: MessageRow, status: MessageRow["status"]): MessageRow {
  const row = { ...message, status, dataAt: null };
  updateMessage(world.db, row);
  return row;
}

/**
 * A lead that was never written to goes back to the new ones: any mailbox may take it, and it is counted
 * as started on the day on which its first mail really goes out.
 */
function backToQueue(row: EnrollmentRow): Partial<EnrollmentRow> {
  return row.lastSentAt === null ? { accountId: null } : {};
}

/** The mailbox is at fault: the lead keeps its attempt and is due again at once. */
function untouched(
  world: World,
  message: StepMessage,
  row: EnrollmentRow | undefined,
  now: UnixMs,
  status: MessageRow["status"] = "deferred",
): void {
  release(world, message);
  toStatus(world, { ...message, attempts: message.attempts - 1 }, status);
  if (row !== undefined && isOpen(row.status)) {
    changeEnrollment(world, row, {
      ...backToQueue(row),
      ...(row.attempts <= 1 ? { firstAttemptAt: null } : {}),
      attempts: Math.max(0, row.attempts - 1),
      dueAt: row.status === "paused" ? row.dueAt : now,
    });
  }
}

function retry(
  world: World,
  message: StepMessage,
  row: EnrollmentRow | undefined,
  now: UnixMs,
): void {
  const campaign = campaignById(world.db, message.campaignId);
  if (row === undefined || campaign === undefined || !isOpen(row.status)) {
    release(world, message);
    toStatus(world, message, "cancelled");
    return;
  }
  const zone = row.zone === "" ? null : row.zone;
  const at = retryAt({
    messageId: message.id,
    attempt: row.attempts,
    firstAttemptAt: row.firstAttemptAt ?? now,
    failedAt: now,
    window: campaign.sendWindow,
    zone,
  });
  if (at === null) {
    fail(world, message, row);
    return;
  }
  release(world, message);
  toStatus(world, message, "deferred");
  if (row.status !== "paused") {
    changeEnrollment(world, row, { ...backToQueue(row), dueAt: at, notBefore: at });
  }
  tellDeferred(world, message, at);
}

function fail(world: World, message: StepMessage, row: EnrollmentRow | undefined): void {
  release(world, message);
  toStatus(world, message, "failed");
  tellFailed(world, message);
  if (row !== undefined) {
    endEnrollment(world, row, "failed", "refused");
  }
}

/** It may have been delivered: it counts against the caps, and a person decides. */
export function settleUnknown(
  world: World,
  message: MessageRow,
  row: EnrollmentRow | undefined,
): void {
  if (message.kind === "placement") {
    notePlacementUnknown(world, message);
    return;
  }
  updateMessage(world.db, { ...message, status: "unknown" });
  tellFailed(world, message, true);
  if (message.kind === "step" && row !== undefined && isOpen(row.status)) {
    holdEnrollment(world, row, "unknown_send", message.response);
  }
}

/** A bug of ours keeps what became of a message from being recorded: a person decides, its mailbox goes on. */
export function settleUnrecorded(world: World, messageId: Id): void {
  const message = messageById(world.db, messageId);
  if (message?.status === "sending") {
    const response = "what became of it could not be recorded; the log says why";
    settleUnknown(world, { ...message, response }, enrollmentById(world.db, message.enrollmentId));
    wakeAccount(world, message.accountId);
  }
}

/**
 * The recipient's provider refuses the mailbox: nothing was sent, and the mailbox takes another email at
 * once, since this one took no turn of its pace.
 */
export function passReceiver(world: World, messageId: Id, receiver: Receiver, now: UnixMs): void {
  learnReceiver(world, receiver);
  withdraw(world, messageId, "receiver", now);
  const account = accountById(world.db, messageById(world.db, messageId)?.accountId ?? null);
  if (account !== undefined) {
    updateAccount(world.db, { ...account, lastClaimAt: null });
  }
}

/** The mail was stopped before its body: nothing was sent, and the claim is undone. */
export function withdraw(world: World, messageId: Id, why: Withdrawal, now: UnixMs): void {
  const message = messageById(world.db, messageId);
  if (message === undefined || message.status !== "sending") {
    return;
  }
  const row = enrollmentById(world.db, message.enrollmentId);
  if (message.kind === "manual") {
    withdrawAnswer(world, message, { why, again: why === "restart" || why === "storage", now });
  } else if (message.kind === "placement") {
    withdrawPlacement(world, message, { why, again: why !== "run", now });
  } else if (row !== undefined && isOpen(row.status)) {
    const status = why === "step" ? "cancelled" : "deferred";
    const response = `stopped before sending: ${why}`;
    untouched(world, { ...message, response }, row, now, status);
  } else {
    release(world, message);
    toStatus(world, message, "cancelled");
  }
  wakeOthers(world, message, now);
  wakeAccount(world, message.accountId);
}

/** A crash left this message without an outcome, and it was found in the Sent folder. */
export function settleFound(world: World, messageId: Id, folder: string, now: UnixMs): void {
  const message = messageById(world.db, messageId);
  if (message?.status === "sending") {
    const row = enrollmentById(world.db, message.enrollmentId);
    const response = `found in ${folder}`;
    if (message.kind === "manual") {
      noteAnswered(world, message, response, message.dataAt ?? now);
    } else if (message.kind === "placement") {
      notePlacementSent(world, message, response, message.dataAt ?? now);
    } else {
      settleAccepted(world, message, row, response, message.dataAt ?? now);
    }
    wakeAccount(world, message.accountId);
  }
}

/**
 * What was given back, a lead or a place under a cap, may be another mailbox's. They look at the next full
 * minute, so that a network that is down for thousands of mailboxes does not wake each for each.
 */
function wakeOthers(world: World, { teamId }: MessageRow, now: UnixMs): void {
  wakeAccountsBy(world.db, teamId, unixMs(Math.ceil(now / MINUTE_MS) * MINUTE_MS));
}

function wakeAccount(world: World, accountId: Id): void {
  const account = accountById(world.db, accountId);
  if (account === undefined) {
    return;
  }
  if (account.status === "active" || nextAnswerAt(world, account) !== undefined) {
    updateAccount(world.db, { ...account, wakeAt: world.clock.now() });
  }
}
