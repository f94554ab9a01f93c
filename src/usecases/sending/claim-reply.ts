/**
 * Manual replies on their way out: claimed before anything of a sequence, by the same worker and with the
 * same guarantees. They are counted against the mailbox's hour and day and held by neither, nor by
 * windows, gaps or a pause; only a mailbox that cannot send, and a recipient who must not be written to,
 * keep them.
 */

import { slotsOf } from "#domain/campaigns/counters.ts";
import { localDay, localHour } from "#domain/campaigns/local-day.ts";
import type { SuppressionReason } from "#domain/leads/suppression.ts";
import { isReady } from "#domain/mailboxes/account.ts";
import { HOUR_MS, plus, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { sha256 } from "#platform/secrets/crypto.ts";
import { mailsOfMonth } from "#store/billing/limits.ts";
import { inboundOfThread } from "#store/inbox/inbound.ts";
import { suppressionByHash } from "#store/leads/suppressions.ts";
import { updateAccount } from "#store/mailboxes/accounts.ts";
import { copiesOf } from "#store/sending/copies.ts";
import { bytesOf, filesOfMessage } from "#store/sending/message-files.ts";
import { nextReply, updateMessage } from "#store/sending/messages.ts";
import { addUsage } from "#store/sending/usage.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { MessageRow, ReplyMessage } from "#store/tables/messages.ts";
import { emitFailed } from "#usecases/events/email-events.ts";
import { monthOf } from "#usecases/events/limits.ts";
import type { Claim } from "./outgoing.ts";

/** Replies that turn out not to be sendable, in one claim. */
const DETOURS_MAX = 50;
/** A reply that could not be sent for so long would come as a surprise. */
const TRYING_MS_MAX = 48 * HOUR_MS;
/** Emails of a thread among which the last word of the other side is looked for. */
const MAILS_MAX = 100;

/** May a person write from this account? A pause is for sequences. */
export function mayReplyFrom(env: Environment, account: AccountRow | undefined): boolean {
  const isOn = account?.status === "active" || account?.status === "paused";
  return account !== undefined && isOn && isReady(account, env.name);
}

/** Claims the next reply of an account that is due. Runs inside a commit. */
export function claimReply(env: Environment, account: AccountRow, now: UnixMs): Claim {
  for (let detours = 0; detours < DETOURS_MAX; detours += 1) {
    const waiting = mayReplyFrom(env, account) ? nextReply(env.db, account.id) : undefined;
    if (waiting === undefined || waiting.dueAt === null || waiting.dueAt > now) {
      return { kind: "wait", until: waiting?.dueAt ?? undefined };
    }
    const why = refusal(env, waiting, now);
    if (why === null) {
      const bytes = bytesOf(filesOfMessage(env.db, waiting.id));
      return { kind: "send", message: claim(env, account, waiting, now), account, bytes };
    }
    giveUp(env, waiting, why);
  }
  return { kind: "wait", until: now };
}

/** When the account has to be looked at again for a reply; undefined: none is waiting. */
export function nextReplyAt(env: Environment, account: AccountRow): UnixMs | undefined {
  return mayReplyFrom(env, account)
    ? (nextReply(env.db, account.id)?.dueAt ?? undefined)
    : undefined;
}

function claim(
  env: Environment,
  account: AccountRow,
  message: ReplyMessage,
  now: UnixMs,
): ReplyMessage {
  const { id: owner, timezone } = account;
  const counters = [
    { kind: "account_day", owner, bucket: localDay(timezone, now).date },
    { kind: "account_hour", owner, bucket: localHour(timezone, now).key },
    mailsOfMonth(account.teamId, monthOf(now).month),
  ];
  // Its row says when it was written, not when it was claimed: the slot has to be named.
  const reserved = [...counters, ...slotsOf(counters, now)];
  addUsage(env.db, reserved, 1, now);
  const attempts = message.attempts + 1;
  const status = "sending" as const;
  const claimed = { ...message, status, attempts, reserved, dueAt: null, dataAt: null };
  updateMessage(env.db, claimed);
  updateAccount(env.db, { ...account, wakeAt: null });
  return claimed;
}

function refusal(env: Environment, message: ReplyMessage, now: UnixMs): string | null {
  if (now > plus(message.claimedAt, TRYING_MS_MAX)) {
    return "it couldn't be sent within two days";
  }
  return mayStillReply(env, message) ? null : "suppressed";
}

/** Its recipient, and all who get a copy. */
export function mayStillReply(env: Environment, message: ReplyMessage): boolean {
  const { cc, bcc } = copiesOf(env.db, message);
  const isOpen = (address: string) => !isBarred(env, message.teamId, address);
  return mayReply(env, message) && [...cc, ...bcc].every(isOpen);
}

/** Somebody who hasn't written in this conversation must not be written to at all. */
export function isBarred(env: Environment, teamId: Id, address: string): boolean {
  return standingAgainst(env, teamId, address).length > 0;
}

function standingAgainst(env: Environment, teamId: Id, recipient: string) {
  const domain = recipient.slice(recipient.lastIndexOf("@"));
  return [recipient, domain]
    .map((entry) => suppressionByHash(env.db, teamId, sha256(entry)))
    .filter((row) => row !== undefined);
}

/** It is not sent any more, and says why. */
export function giveUp(env: Environment, message: MessageRow, why: string): void {
  const failed = { ...message, status: "failed" as const, dueAt: null, response: why };
  updateMessage(env.db, failed);
  emitFailed(env, failed);
}

/**
 * Somebody who must not be written to may still get a reply: what they wrote after the suppression is
 * their own wish to talk. A complaint is final.
 */
export function mayReply(
  env: Environment,
  to: { teamId: Id; recipient: string; threadId: Id },
): boolean {
  const { teamId, recipient, threadId } = to;
  const standing = standingAgainst(env, teamId, recipient);
  if (standing.length === 0) {
    return true;
  }
  if (standing.some(({ reason }) => FINAL.includes(reason))) {
    return false;
  }
  const last = inboundOfThread(env.db, threadId, MAILS_MAX).find(({ kind }) => kind === "reply");
  return last !== undefined && standing.every(({ createdAt }) => last.receivedAt > createdAt);
}

const FINAL: readonly SuppressionReason[] = ["complaint"];
