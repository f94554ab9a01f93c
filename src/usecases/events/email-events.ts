/** What is reported of an email of ours: the same facts whatever became of it. */

import type { EmailFacts } from "#domain/event-data.ts";
import { toIso, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { threadIdOf } from "#store/sending/messages.ts";
import type { MessageRow } from "#store/tables/messages.ts";
import { emit } from "./record.ts";

/** Facts that every `email.*` event has. */
export function emailFacts(message: MessageRow): EmailFacts {
  return {
    email_id: message.id,
    kind: message.kind,
    thread_id: threadIdOf(message),
    campaign_id: message.campaignId,
    step_id: message.stepId,
    step_position: message.stepPosition,
    lead_id: message.leadId,
    enrollment_id: message.enrollmentId,
    account_id: message.accountId,
    message_id: message.messageId,
    to: message.recipient === "" ? null : message.recipient,
    subject: message.subject,
  };
}

export function emitSent(env: Environment, message: MessageRow): void {
  emit(env, message.teamId, "email.sent", emailFacts(message));
}

/** It is tried again at `at`. */
export function emitDeferred(env: Environment, message: MessageRow, at: UnixMs): void {
  const data = { ...withVerdict(message), next_attempt_at: toIso(at) };
  emit(env, message.teamId, "email.deferred", data);
}

/** `inDoubt`: it may have gone out. */
export function emitFailed(env: Environment, message: MessageRow, unconfirmed = false): void {
  emit(env, message.teamId, "email.failed", { ...withVerdict(message), in_doubt: unconfirmed });
}

function withVerdict(message: MessageRow) {
  const { attempts, code, response } = message;
  return { ...emailFacts(message), attempts, code, response };
}
