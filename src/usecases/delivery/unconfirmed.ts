/**
 * Unconfirmed emails: nobody knows whether they were delivered. A person decides about one, or an email
 * that comes back shows it.
 */

import { conflict, notFound } from "#domain/problem.ts";
import type { Caller, Environment } from "#environment.ts";
import { findMessage } from "#store/sending/messages.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { MatchedBy, MessageRow } from "#store/tables/messages.ts";
import { audit } from "#usecases/events/record.ts";
import type { Verdict } from "#usecases/leads/unconfirmed.ts";
import { outgoing } from "./kinds.ts";

/**
 * Throws `not_found`, and `conflict` for a message that is not unconfirmed, or that cannot be sent
 * again because of its mailbox or its recipient.
 */
export function resolveMessage(env: Environment, caller: Caller, id: Id, verdict: Verdict): void {
  const message = findMessage(env.db, caller.teamId, id);
  if (message === undefined || message.recipient === "") {
    throw notFound("message");
  }
  if (message.status !== "unknown") {
    throw conflict("this message is not unconfirmed");
  }
  outgoing(message).resolve(env, message, verdict);
  audit(env, caller, { action: `message.${verdict}`, target: `message:${id}` });
}

/** Signs that only somebody can give who has had the email. */
const PROOFS: ReadonlySet<MatchedBy> = new Set(["token", "message_id", "provider_id"]);
const NAMED = "a received email refers to it";

/** An email has come back that belongs to the message: by such a sign it was sent, and its lead goes on. */
export function settleDelivered(env: Environment, message: MessageRow, by: MatchedBy): void {
  if (message.status !== "unknown" || !PROOFS.has(by)) {
    return;
  }
  outgoing(message).confirmed(env, message, NAMED, message.dataAt ?? message.claimedAt);
}
