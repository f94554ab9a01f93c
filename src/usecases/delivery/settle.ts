/**
 * Sending from its claim on: *begin* records that the body is about to be handed over, *settle* what became
 * of it. Here is what everything that goes out has in common; `kinds.ts` says what differs.
 */

import { providerIdIn, type SendOutcome } from "#domain/mailboxes/send-outcome.ts";
import { classifyFault } from "#domain/mailboxes/smtp-fault.ts";
import { MINUTE_MS, type UnixMs, unixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { accountById, updateAccount, wakeAccountsBy } from "#store/mailboxes/accounts.ts";
import { messageById, updateMessage } from "#store/sending/messages.ts";
import type { Id } from "#store/sqlite/columns.ts";
import { damageOf } from "#store/sqlite/damage.ts";
import type { AccountRow, MailDomainRow } from "#store/tables/accounts.ts";
import type { MessageRow } from "#store/tables/messages.ts";
import { countProvider } from "#usecases/campaigns/figures.ts";
import { releaseUsage } from "#usecases/campaigns/recount.ts";
import { recordFault } from "#usecases/mailboxes/account-faults.ts";
import { recordSmtpOk } from "#usecases/mailboxes/accounts.ts";
import { learnDomain } from "#usecases/mailboxes/mail-domains.ts";
import { recordTaken } from "#usecases/mailboxes/receivers.ts";
import { nextReplyAt } from "#usecases/sending/claim-reply.ts";
import type { Withdrawal } from "#usecases/sending/outgoing.ts";
import { askAgainAt } from "./claim.ts";
import { outgoing } from "./kinds.ts";

type Failure = Exclude<SendOutcome, { kind: "accepted" }>;

/** Who tried: the account as it was at the claim, and the receiver, where it was asked for. */
export interface Tried {
  account: AccountRow;
  receiver?: MailDomainRow;
}

/** A message that is settled already stays as it is. */
function claimed(env: Environment, messageId: Id): MessageRow | undefined {
  const message = messageById(env.db, messageId);
  return message?.status === "sending" ? message : undefined;
}

/**
 * The last word before the body is handed over, in its own transaction: checks once more what may have
 * changed since the claim, then records that from here on the email may have been delivered.
 */
export function beginBody(env: Environment, messageId: Id): Withdrawal | undefined {
  if (damageOf(env.db) !== null) {
    return "storage";
  }
  const message = claimed(env, messageId);
  if (message === undefined) {
    return "lead";
  }
  const account = accountById(env.db, message.accountId);
  const why = outgoing(message).bar(env, message, account);
  if (why === undefined) {
    updateMessage(env.db, { ...message, dataAt: env.clock.now() });
  }
  return why;
}

/** Records an outcome. Runs inside a commit. */
export function settle(
  env: Environment,
  messageId: Id,
  outcome: SendOutcome,
  now: UnixMs,
  tried?: Tried,
): void {
  const message = claimed(env, messageId);
  if (message === undefined) {
    return;
  }
  if (tried?.receiver !== undefined) {
    learnDomain(env, tried.receiver);
  }
  if (outcome.kind === "accepted") {
    accept(env, withCopy(env, message, now), outcome.response, now);
    if (tried?.receiver !== undefined && tried.account.refusals !== null) {
      recordTaken(env, message.accountId, tried.receiver);
    }
  } else {
    settleFailure(env, message, outcome, now, tried);
  }
  wakeAccount(env, message.accountId);
}

function accept(env: Environment, message: MessageRow, response: string, at: UnixMs): void {
  const providerId = providerIdIn(response, message.messageId);
  outgoing(message).sent(env, { ...message, providerId, code: 250 }, response, at);
  recordSmtpOk(env, message.accountId);
}

/** Only what was sent has a copy in the Sent folder: `recover.ts` takes what it finds there for sent. */
function withCopy(env: Environment, message: MessageRow, now: UnixMs): MessageRow {
  const account = accountById(env.db, message.accountId);
  const isErased = message.recipient === "";
  const files = account?.saveSent === true && account.imap !== null;
  return { ...message, copyDueAt: files && !isErased ? now : null };
}

function settleFailure(
  env: Environment,
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
  if (outcome.kind !== "unreachable") {
    countProvider(env, message, { [outcome.kind]: 1 });
  }
  const fault = classifyFault(outcome);
  if (fault.kind === "unknown") {
    outgoing(message).unknown(env, message);
  } else {
    const why = { fault, status, words };
    outgoing(message).undelivered(env, givenBack(env, message), why, now);
  }
  wakeOthers(env, message, now);
  const { account, receiver } = tried ?? {};
  recordFault(env, { accountId: message.accountId, tried: account, receiver, fault, words, now });
}

/** What the claim reserved is given back, wherever it is counted by now: it was certainly not sent. */
function givenBack(env: Environment, message: MessageRow): MessageRow {
  releaseUsage(env, message.reserved, message.claimedAt);
  return { ...message, reserved: [], dataAt: null };
}

/** It may have been delivered, and nobody knows. */
export function settleUnknown(env: Environment, message: MessageRow): void {
  outgoing(message).unknown(env, message);
}

/** A bug of ours keeps what became of a message from being recorded: a person decides, its mailbox goes on. */
export function settleUnrecorded(env: Environment, messageId: Id): void {
  const message = claimed(env, messageId);
  if (message !== undefined) {
    const response = "the result couldn't be recorded; see the server's log";
    settleUnknown(env, { ...message, response });
    wakeAccount(env, message.accountId);
  }
}

/**
 * The recipient's provider refuses the mailbox or isn't the one that was counted, or its domain takes no email:
 * nothing was sent, and the mailbox takes another email at once, since this one took no turn of its pace.
 */
export function passReceiver(
  env: Environment,
  messageId: Id,
  receiver: MailDomainRow,
  why: "receiver" | "address",
  now: UnixMs,
): void {
  learnDomain(env, receiver);
  const account = accountById(env.db, messageById(env.db, messageId)?.accountId ?? null);
  if (account !== undefined) {
    updateAccount(env.db, { ...account, lastClaimAt: null });
  }
  withdraw(env, messageId, why, now);
}

/** The email was stopped before its body: nothing was sent, and the claim is undone. */
export function withdraw(env: Environment, messageId: Id, why: Withdrawal, now: UnixMs): void {
  const message = claimed(env, messageId);
  if (message !== undefined) {
    outgoing(message).withdrawn(env, givenBack(env, message), why, now);
    wakeOthers(env, message, now);
    wakeAccount(env, message.accountId);
  }
}

/** A crash left this message without an outcome, and it was found in the Sent folder. */
export function settleFound(env: Environment, messageId: Id, folder: string, now: UnixMs): void {
  const message = claimed(env, messageId);
  if (message !== undefined) {
    accept(env, message, `found in ${folder}`, message.dataAt ?? now);
    wakeAccount(env, message.accountId);
  }
}

/**
 * What was given back, a lead or a place under a cap, may be another mailbox's. They look at the next full
 * minute, so that a network that is down for thousands of mailboxes does not wake each for each.
 */
function wakeOthers(env: Environment, { teamId }: MessageRow, now: UnixMs): void {
  wakeAccountsBy(env.db, teamId, unixMs(Math.ceil(now / MINUTE_MS) * MINUTE_MS));
}

function wakeAccount(env: Environment, accountId: Id): void {
  const account = accountById(env.db, accountId);
  if (account === undefined) {
    return;
  }
  if (account.status === "active" || nextReplyAt(env, account) !== undefined) {
    updateAccount(env.db, { ...account, wakeAt: askAgainAt(env, account, env.clock.now()) });
  }
}
