/**
 * The links by which a recipient opts out. A token names a message of ours and is signed, so that nobody
 * can opt others out by counting; it holds for good, because an old email is still somebody's email.
 *
 * Source: RFC 8058 for the one-click form; the form of the token is ours.
 */

import type { Environment } from "#environment.ts";
import { stepById, updateStep } from "#store/campaigns/steps.ts";
import { enrollmentById } from "#store/leads/enrollments.ts";
import { messageById } from "#store/sending/messages.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { MessageRow } from "#store/tables/messages.ts";
import { type Cause, newCause, note } from "#usecases/events/effect-log.ts";
import { endEnrollment } from "./enrollments.ts";
import { suppressRecipient } from "./suppressions.ts";

const PURPOSE = "unsubscribe";
const ENVIRONMENT_LETTER = { live: "l", test: "t" } as const;

/** Names the message in a link: a letter for the environment, then a signed id. Safe in a URL. */
export function unsubscribeToken(env: Environment, messageId: Id): string {
  return ENVIRONMENT_LETTER[env.name] + env.vault.sign(PURPOSE, messageId);
}

/**
 * Both forms of the opt-out: https is null where no public address is configured; the inbox worker honours an
 * email to `address` whose subject names the message.
 */
export function unsubscribeLinks(
  env: Environment,
  address: string,
  messageId: Id,
): { https: string | null; mailto: string } {
  const token = unsubscribeToken(env, messageId);
  return {
    https: env.publicUrl === null ? null : `${env.publicUrl}/u/${token}`,
    mailto: `mailto:${address}?subject=unsubscribe%20${token}`,
  };
}

/**
 * The message that a text names by its token: the subject of an email to the opt-out address, which people
 * and programs write around. Null when there is no token of this environment in it that we signed.
 */
export function readUnsubscribeToken(env: Environment, text: string): Id | null {
  for (const [token] of text.slice(0, TEXT_MAX).matchAll(TOKEN)) {
    const id = idOf(env, token);
    if (id !== null) {
      return id;
    }
  }
  return null;
}

/** The letter, then 32 bytes in base64url. */
const TOKEN = /(?<![A-Za-z0-9_-])[lt][A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/g;
const TEXT_MAX = 10_000;

function idOf(env: Environment, token: string): Id | null {
  return token.startsWith(ENVIRONMENT_LETTER[env.name])
    ? env.vault.verify(PURPOSE, token.slice(1))
    : null;
}

/** A message whose token this is, and the environment that it is of. */
export interface OptOut {
  env: Environment;
  message: MessageRow;
}

/** The message that `token` names, or null for anything that we did not sign or no longer have. */
export function findOptOut(
  environments: { readonly live: Environment; readonly test: Environment },
  token: string,
): OptOut | null {
  for (const env of [environments.live, environments.test]) {
    const id = idOf(env, token);
    const message = id === null ? undefined : messageById(env.db, id);
    if (message !== undefined) {
      return { env, message };
    }
  }
  return null;
}

/**
 * The recipient of a message wants no more mail: the address is suppressed and what is under way to it
 * ends, also where the sequence had ended by itself. Once is as good as often. Null when there is no
 * such message; `email` is empty when the person has been erased, whose hash is suppressed.
 */
export function unsubscribeByMessage(
  env: Environment,
  messageId: Id,
  cause: Cause = newCause(env),
): { email: string } | null {
  const message = messageById(env.db, messageId);
  if (message === undefined) {
    return null;
  }
  if (message.kind === "placement") {
    // A mailbox of our own: whoever tried its link has nothing to opt out of.
    return { email: message.recipient };
  }
  const enrollment = enrollmentById(env.db, message.enrollmentId);
  if (enrollment !== undefined) {
    endEnrollment(env, enrollment, "unsubscribed", "unsubscribe", cause);
    if (enrollment.status !== "unsubscribed") {
      countForStep(env, message, cause);
    }
  }
  suppressRecipient(env, message, "unsubscribe", cause);
  return { email: message.recipient };
}

/** The step after which somebody had enough. */
function countForStep(env: Environment, message: MessageRow, cause: Cause): void {
  const step = stepById(env.db, message.stepId);
  if (step !== undefined) {
    updateStep(env.db, { ...step, unsubscribed: step.unsubscribed + 1 });
    const whose = { teamId: message.teamId, subjectId: step.id };
    note(env, cause, whose, "step_unsubscribed", [null, 1]);
  }
}
