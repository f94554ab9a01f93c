/** What a bounce does, whether it came at RCPT or as a report days later. */

import { SOFT_BOUNCES_MAX } from "#domain/leads/suppression.ts";
import type { Environment } from "#environment.ts";
import { negativeEventsOf } from "#store/campaigns/health.ts";
import { stepById, updateStep } from "#store/campaigns/steps.ts";
import { enrollmentById } from "#store/leads/enrollments.ts";
import { findLeadById, updateLead } from "#store/leads/leads.ts";
import { updateMessage } from "#store/sending/messages.ts";
import type { MessageRow } from "#store/tables/messages.ts";
import { recordBounced } from "#usecases/campaigns/exposures.ts";
import { countAt, countProvider } from "#usecases/campaigns/figures.ts";
import { countNegativeEvent } from "#usecases/campaigns/negative-events.ts";
import { type Cause, newCause, note } from "#usecases/events/effect-log.ts";
import { emailFacts } from "#usecases/events/email-events.ts";
import { emit } from "#usecases/events/record.ts";
import { endEnrollment } from "#usecases/leads/enrollments.ts";
import { isSuppressed, suppressRecipient } from "#usecases/leads/suppressions.ts";

export interface Bounce {
  /** `block` is the receiver's judgement of us, not of the address. */
  severity: "hard" | "soft" | "block";
  /** Enhanced status code, for example `5.1.1`. */
  status: string | null;
  words: string;
}

/**
 * Hard: the address is suppressed and its sequences end. Soft: counted, and the third in a row is hard.
 * Block: told, nothing more. A message bounces once, but the notice of a delay may still be followed by
 * that of the end.
 */
export function recordBounce(
  env: Environment,
  message: MessageRow,
  bounce: Bounce,
  cause: Cause = newCause(env),
): void {
  if (message.bouncedAt !== null && !(bounce.severity === "hard" && isFirstEnd(env, message))) {
    if (bounce.severity === "hard") {
      stopWriting(env, message, "hard", cause);
    }
    return;
  }
  const bouncedAt = message.bouncedAt ?? env.clock.now();
  updateMessage(env.db, { ...message, bouncedAt });
  recordBounced(env, { ...message, bouncedAt });
  if (message.bouncedAt === null && message.kind === "step") {
    countAt(env, message, bouncedAt, { bounced: 1 });
    countProvider(env, message, { bounced: 1 });
  }
  const { teamId } = message;
  note(env, cause, { teamId, subjectId: message.id }, "message_bounced", [null, bouncedAt]);
  emit(env, message.teamId, "email.bounced", {
    ...emailFacts(env, message),
    severity: bounce.severity,
    enhanced_status: bounce.status,
    response: bounce.words,
  });
  if (
    bounce.severity === "hard" ||
    (bounce.severity === "soft" && isLastStraw(env, message, cause))
  ) {
    const step = stepById(env.db, message.stepId);
    if (step !== undefined) {
      updateStep(env.db, { ...step, bounced: step.bounced + 1 });
      note(env, cause, { teamId, subjectId: step.id }, "step_bounced", [null, 1]);
    }
    stopWriting(env, message, bounce.severity, cause);
  }
  if (bounce.severity === "hard") {
    countNegativeEvent(env, message, "hard_bounce", cause);
  }
}

/** False for an email to an address that the lead had before a merge: what its mailbox reports is about that one. */
export function isToPresent({ db }: Environment, { leadId, recipient }: MessageRow): boolean {
  return findLeadById(db, leadId)?.email === recipient;
}

/** Whichever notice says so: when one of two turns out to be none, the other still stands. */
function stopWriting(
  env: Environment,
  message: MessageRow,
  severity: "hard" | "soft",
  cause: Cause,
): void {
  const row = enrollmentById(env.db, message.enrollmentId);
  if (row !== undefined && isToPresent(env, message)) {
    endEnrollment(env, row, "bounced", `bounce_${severity}`, cause);
  }
  suppressRecipient(env, message, "bounce", cause);
}

/**
 * True while no bounce for good has come: none of this email is counted, not even one whose suppression was
 * lifted since, and nothing keeps us from writing to the recipient.
 */
function isFirstEnd(env: Environment, { id, teamId, recipient }: MessageRow): boolean {
  const domain = recipient.slice(recipient.lastIndexOf("@") + 1);
  return (
    recipient !== "" &&
    !negativeEventsOf(env.db, id).some(({ kind }) => kind === "hard_bounce") &&
    isSuppressed(env.db, teamId, recipient, domain) === null
  );
}

/** Counts a soft bounce; true when it is one too many. At an address that the lead had before a merge it says nothing. */
function isLastStraw(env: Environment, message: MessageRow, cause: Cause): boolean {
  const lead = findLeadById(env.db, message.leadId);
  if (lead === undefined || !isToPresent(env, message)) {
    return false;
  }
  const softBounces = lead.softBounces + 1;
  updateLead(env.db, { ...lead, softBounces });
  const whose = { teamId: lead.teamId, subjectId: lead.id };
  note(env, cause, whose, "soft_bounces", [null, 1]);
  return softBounces >= SOFT_BOUNCES_MAX;
}
