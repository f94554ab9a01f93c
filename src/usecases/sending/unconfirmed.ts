/**
 * Messages of ours of which nobody knows whether they were delivered, of a sequence or manual replies: a
 * person decides about one, or an email that comes back shows it.
 */

import { conflict, notFound } from "#domain/problem.ts";
import type { Caller, Environment } from "#environment.ts";
import { enrollmentById } from "#store/leads/enrollments.ts";
import { accountById, updateAccount } from "#store/mailboxes/accounts.ts";
import { findMessage, updateMessage } from "#store/sending/messages.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { MatchedBy, MessageRow, ReplyMessage } from "#store/tables/messages.ts";
import { audit } from "#usecases/events/journal.ts";
import { noteSent } from "#usecases/leads/enrollments.ts";
import { passStep, resolveStep, type Verdict } from "#usecases/leads/unconfirmed.ts";
import { mayReply, mayReplyFrom } from "./replies.ts";
import { REPLY } from "./settle-reply.ts";

/**
 * Throws `not_found`, and `conflict` for a message that is not in doubt, or that cannot be sent again
 * because its mailbox or its recipient stands against it.
 */
export function resolveMessage(env: Environment, caller: Caller, id: Id, verdict: Verdict): void {
  const message = findMessage(env.db, caller.teamId, id);
  if (message === undefined || message.recipient === "") {
    throw notFound("message");
  }
  if (message.status !== "unknown" || message.kind === "placement") {
    throw conflict("this message is not unconfirmed");
  }
  if (message.kind === "manual") {
    resolveReply(env, message, verdict);
  } else {
    resolveStep(env, message, verdict);
  }
  audit(env, caller, { action: `message.${verdict}`, target: `message:${id}` });
}

/** Signs that only somebody can give who has had the email. */
const PROOFS: ReadonlySet<MatchedBy> = new Set(["token", "message_id", "provider_id"]);
const PROVEN = "a mail that came back names it";

/** An email has come back that belongs to the message: by such a sign it was sent, and its lead goes on. */
export function settleDelivered(env: Environment, message: MessageRow, by: MatchedBy): void {
  if (message.status !== "unknown" || !PROOFS.has(by)) {
    return;
  }
  const at = message.dataAt ?? message.claimedAt;
  if (message.kind === "manual") {
    REPLY.sent(env, message, PROVEN, at);
  } else if (message.kind === "step") {
    noteSent(env, message, at, PROVEN);
    const row = enrollmentById(env.db, message.enrollmentId);
    if (row !== undefined) {
      passStep(env, row, message, at);
    }
  }
}

/** Sent again it is the same message, with its own Message-ID, from the same mailbox. */
function resolveReply(env: Environment, message: ReplyMessage, verdict: Verdict): void {
  const now = env.clock.now();
  if (verdict === "treat_as_sent") {
    REPLY.sent(env, message, "treated as sent", message.dataAt ?? now);
    return;
  }
  const account = accountById(env.db, message.accountId);
  if (account === undefined || !mayReplyFrom(env, account)) {
    throw conflict("the mailbox of this message cannot send: see its record");
  }
  if (!mayReply(env, message)) {
    throw conflict("this address is suppressed, and nothing has come from it since");
  }
  // It may have been delivered: until it is claimed again, a reply to it still counts.
  updateMessage(env.db, {
    ...message,
    status: "deferred",
    attempts: 0,
    claimedAt: now,
    dueAt: now,
  });
  updateAccount(env.db, { ...account, wakeAt: now });
  env.wake();
}
