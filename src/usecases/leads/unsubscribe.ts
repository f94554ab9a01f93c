/**
 * The links by which a recipient opts out. A token names a message of ours and is signed, so that nobody
 * can opt others out by counting; it holds for good, because an old mail is still somebody's mail.
 *
 * Source: RFC 8058 for the one-click form; the form of the token is ours.
 */

import { stepById, updateStep } from "#store/campaigns/steps.ts";
import { enrollmentById } from "#store/leads/enrollments.ts";
import { messageById } from "#store/sending/messages.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { MessageRow } from "#store/tables/messages.ts";
import { type Cause, newCause, note } from "#usecases/events/effect-log.ts";
import type { World } from "#world.ts";
import { endEnrollment } from "./enrollments.ts";
import { suppressRecipient } from "./suppressions.ts";

const PURPOSE = "unsubscribe";
const WORLD_LETTER = { live: "l", test: "t" } as const;

/** Names the message in a link: a letter for the world, then a signed id. Safe in a URL. */
export function unsubscribeToken(world: World, messageId: Id): string {
  return WORLD_LETTER[world.env] + world.vault.sign(PURPOSE, messageId);
}

/** The https form of the opt-out, or null where no public address is configured. */
export function unsubscribeUrl(world: World, messageId: Id): string | null {
  return world.publicUrl === null
    ? null
    : `${world.publicUrl}/u/${unsubscribeToken(world, messageId)}`;
}

/**
 * The message that a text names by its token: the subject of a mail to the opt-out address, which people
 * and programs write around. Null when there is no token of this world in it that we signed.
 */
export function readUnsubscribeToken(world: World, text: string): Id | null {
  for (const [token] of text.slice(0, TEXT_MAX).matchAll(TOKEN)) {
    const id = idOf(world, token);
    if (id !== null) {
      return id;
    }
  }
  return null;
}

/** The letter, then 32 bytes in base64url. */
const TOKEN = /(?<![A-Za-z0-9_-])[lt][A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/g;
const TEXT_MAX = 10_000;

function idOf(world: World, token: string): Id | null {
  return token.startsWith(WORLD_LETTER[world.env])
    ? world.vault.verify(PURPOSE, token.slice(1))
    : null;
}

/** A message whose token this is, and the world that it is of. */
export interface OptOut {
  world: World;
  message: MessageRow;
}

/** The message that `token` names, or null for anything that we did not sign or no longer have. */
export function findOptOut(
  worlds: { readonly live: World; readonly test: World },
  token: string,
): OptOut | null {
  for (const world of [worlds.live, worlds.test]) {
    const id = idOf(world, token);
    const message = id === null ? undefined : messageById(world.db, id);
    if (message !== undefined) {
      return { world, message };
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
  world: World,
  messageId: Id,
  cause: Cause = newCause(world),
): { email: string } | null {
  const message = messageById(world.db, messageId);
  if (message === undefined) {
    return null;
  }
  if (message.kind === "placement") {
    // A mailbox of our own: whoever tried its link has nothing to opt out of.
    return { email: message.recipient };
  }
  const enrollment = enrollmentById(world.db, message.enrollmentId);
  if (enrollment !== undefined) {
    endEnrollment(world, enrollment, "unsubscribed", "unsubscribe", cause);
    if (enrollment.status !== "unsubscribed") {
      countForStep(world, message, cause);
    }
  }
  suppressRecipient(world, message, "unsubscribe", cause);
  return { email: message.recipient };
}

/** The step after which somebody had enough. */
function countForStep(world: World, message: MessageRow, cause: Cause): void {
  const step = stepById(world.db, message.stepId);
  if (step !== undefined) {
    updateStep(world.db, { ...step, unsubscribed: step.unsubscribed + 1 });
    const whose = { teamId: message.teamId, subjectId: step.id };
    note(world, cause, whose, "step_unsubscribed", [null, 1]);
  }
}
