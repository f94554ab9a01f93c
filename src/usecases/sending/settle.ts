/**
 * Sending from its claim on: *begin* records that the body is about to be handed over, *settle* what became
 * of it. Here is what all that goes out has in common; `outgoing.ts` says what differs.
 */

import { providerIdIn, type SendOutcome } from "#domain/mailboxes/send-outcome.ts";
import { judgeFault } from "#domain/mailboxes/smtp-fault.ts";
import type { MessageKind } from "#domain/sending/message.ts";
import { MINUTE_MS, type UnixMs, unixMs } from "#domain/time.ts";
import { accountById, updateAccount, wakeAccountsBy } from "#store/mailboxes/accounts.ts";
import { messageById, updateMessage } from "#store/sending/messages.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { MessageRow } from "#store/tables/messages.ts";
import { giveBackUsage } from "#usecases/campaigns/recount.ts";
import { noteFault } from "#usecases/mailboxes/account-faults.ts";
import { noteSmtpOk } from "#usecases/mailboxes/accounts.ts";
import { learnReceiver, noteTaken, type Receiver } from "#usecases/mailboxes/receivers.ts";
import { TEST } from "#usecases/placement/settle-placement.ts";
import type { World } from "#world.ts";
import { nextAnswerAt } from "./answers.ts";
import type { Outgoing, Withdrawal } from "./outgoing.ts";
import { SEQUENCE } from "./sequence.ts";
import { REPLY } from "./settle-answer.ts";

type Failure = Exclude<SendOutcome, { kind: "accepted" }>;

const OUTGOING: { [Kind in MessageKind]: Outgoing<Extract<MessageRow, { kind: Kind }>> } = {
  step: SEQUENCE,
  manual: REPLY,
  placement: TEST,
};

/** Who tried: the account as it was at the claim, and the receiver, where it was asked for. */
export interface Tried {
  account: AccountRow;
  receiver?: Receiver;
}

function outgoing({ kind }: MessageRow): Outgoing<MessageRow> {
  return OUTGOING[kind];
}

/** A message that is settled already stays as it is. */
function claimed(world: World, messageId: Id): MessageRow | undefined {
  const message = messageById(world.db, messageId);
  return message?.status === "sending" ? message : undefined;
}

/**
 * The last word before the body is handed over, in its own transaction: checks once more what may have
 * changed since the claim, then records that from here on the mail may have been delivered.
 */
export function beginBody(world: World, messageId: Id): Withdrawal | undefined {
  const message = claimed(world, messageId);
  if (message === undefined) {
    return "lead";
  }
  const account = accountById(world.db, message.accountId);
  const why = outgoing(message).bar(world, message, account);
  if (why === undefined) {
    updateMessage(world.db, { ...message, dataAt: world.clock.now() });
  }
  return why;
}

/** Records an outcome. Runs inside a commit. */
export function settle(
  world: World,
  messageId: Id,
  outcome: SendOutcome,
  now: UnixMs,
  tried?: Tried,
): void {
  const message = claimed(world, messageId);
  if (message === undefined) {
    return;
  }
  if (outcome.kind === "accepted") {
    accept(world, withCopy(world, message, now), outcome.response, now);
    if (tried?.receiver !== undefined) {
      noteTaken(world, message.accountId, tried.receiver);
    }
  } else {
    settleFailure(world, message, outcome, now, tried);
  }
  wakeAccount(world, message.accountId);
}

function accept(world: World, message: MessageRow, response: string, at: UnixMs): void {
  const providerId = providerIdIn(response, message.messageId);
  outgoing(message).sent(world, { ...message, providerId, code: 250 }, response, at);
  noteSmtpOk(world, message.accountId);
}

/** Only what was sent has a copy in the Sent folder: `recover.ts` takes what it finds there for sent. */
function withCopy(world: World, message: MessageRow, now: UnixMs): MessageRow {
  const account = accountById(world.db, message.accountId);
  const isErased = message.recipient === "";
  const files = account?.saveSent === true && account.imap !== null;
  return { ...message, copyDueAt: files && !isErased ? now : null };
}

function settleFailure(
  world: World,
  sending: MessageRow,
  outcome: Failure,
  now: UnixMs,
  tried: Tried | undefined,
): void {
  const [words, code, status] =
    outcome.kind === "unreachable"
      ? [outcome.reason, null, null]
      : [outcome.response, outcome.code, outcome.enhanced];
  const message = { ...sending, response: words, code };
  const fault = judgeFault(outcome);
  if (fault.kind === "unknown") {
    outgoing(message).unknown(world, message);
  } else {
    const why = { fault, status, words };
    outgoing(message).undelivered(world, givenBack(world, message), why, now);
  }
  wakeOthers(world, message, now);
  const { account, receiver } = tried ?? {};
  noteFault(world, { accountId: message.accountId, tried: account, receiver, fault, words, now });
}

/** What the claim reserved is given back, wherever it is counted by now: it was certainly not sent. */
function givenBack(world: World, message: MessageRow): MessageRow {
  giveBackUsage(world, message.reserved, message.claimedAt);
  return { ...message, reserved: [], dataAt: null };
}

/** It may have been delivered, and nobody knows. */
export function settleUnknown(world: World, message: MessageRow): void {
  outgoing(message).unknown(world, message);
}

/** A bug of ours keeps what became of a message from being recorded: a person decides, its mailbox goes on. */
export function settleUnrecorded(world: World, messageId: Id): void {
  const message = claimed(world, messageId);
  if (message !== undefined) {
    const response = "what became of it could not be recorded; the log says why";
    settleUnknown(world, { ...message, response });
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
  const message = claimed(world, messageId);
  if (message !== undefined) {
    outgoing(message).withdrawn(world, givenBack(world, message), why, now);
    wakeOthers(world, message, now);
    wakeAccount(world, message.accountId);
  }
}

/** A crash left this message without an outcome, and it was found in the Sent folder. */
export function settleFound(world: World, messageId: Id, folder: string, now: UnixMs): void {
  const message = claimed(world, messageId);
  if (message !== undefined) {
    accept(world, message, `found in ${folder}`, message.dataAt ?? now);
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
