/** What is reported of an email of ours: the same facts whatever became of it. */

import type { EmailFacts } from "#domain/event-data.ts";
import { toIso, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { assignedByMessage } from "#store/sending/exposures.ts";
import { threadIdOf } from "#store/sending/messages.ts";
import type { MessageRow } from "#store/tables/messages.ts";
import { emit } from "./record.ts";

/** Facts that every `email.*` event has. */
export function emailFacts({ db }: Environment, message: MessageRow): EmailFacts {
  const assigned = assignedByMessage(db, [message]).get(message.id);
  return {
    email_id: message.id,
    kind: message.kind,
    thread_id: threadIdOf(message),
    campaign_id: message.campaignId,
    step_id: message.stepId,
    step_position: message.stepPosition,
    lead_id: message.leadId,
    enrollment_id: message.enrollmentId,
    experiment_id: assigned?.experimentId ?? null,
    variant_id: assigned?.variantId ?? null,
    account_id: message.accountId,
    message_id: message.messageId,
    to: message.recipient === "" ? null : message.recipient,
    subject: message.subject,
  };
}

export function emitSent(env: Environment, message: MessageRow): void {
  emit(env, message.teamId, "email.sent", emailFacts(env, message));
}

/** It is tried again at `at`. */
export function emitDeferred(env: Environment, message: MessageRow, at: UnixMs): void {
  const data = { ...withVerdict(env, message), next_attempt_at: toIso(at) };
  emit(env, message.teamId, "email.deferred", data);
}

/** `inDoubt`: it may have gone out. */
export function emitFailed(env: Environment, message: MessageRow, unconfirmed = false): void {
  const data = { ...withVerdict(env, message), in_doubt: unconfirmed };
  emit(env, message.teamId, "email.failed", data);
}

function withVerdict(env: Environment, message: MessageRow) {
  const { attempts, code, response } = message;
  return { ...emailFacts(env, message), attempts, code, response };
}
