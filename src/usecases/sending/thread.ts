/** What an email to a lead goes on from: the address that wrote to them, and the conversation. */

import { asSender, ownAddresses } from "#domain/mailboxes/account.ts";
import type { Environment } from "#environment.ts";
import { messagesOf } from "#store/sending/messages.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { StepRow } from "#store/tables/campaigns.ts";
import type { EnrollmentRow } from "#store/tables/leads.ts";
import type { MessageRow } from "#store/tables/messages.ts";

/** Where a message stands in its conversation. */
export interface Thread {
  /** Subject of the message that began it; null: this one begins it. */
  subject: string | null;
  inReplyTo: string | null;
  references: string[];
}

export const NEW_THREAD: Thread = { subject: null, inReplyTo: null, references: [] };

/** What the lead has been sent, or may have been. */
export function sentTo(env: Environment, { id }: EnrollmentRow): MessageRow[] {
  return messagesOf(env.db, id).filter(({ status }) => status === "sent" || status === "unknown");
}

export function lastOf(sent: readonly MessageRow[]): MessageRow | undefined {
  return sent.toSorted((a, b) => (a.sentAt ?? a.claimedAt) - (b.sentAt ?? b.claimedAt)).at(-1);
}

/**
 * The mailbox as it goes on after `last`: from the address that people know. Undefined where that was an alias
 * which the mailbox no longer has.
 */
export function continuing(
  mailbox: AccountRow,
  last: Pick<MessageRow, "accountId" | "sentAs"> | undefined,
): AccountRow | undefined {
  if (last?.accountId !== mailbox.id) {
    return asSender(mailbox);
  }
  const isGone = last.sentAs !== null && !ownAddresses(mailbox).includes(last.sentAs);
  return isGone ? undefined : asSender(mailbox, last.sentAs);
}

/**
 * A step without a subject goes on in the thread of the last message that was sent to this lead; one with
 * a subject begins a new one.
 */
export function threadOf(env: Environment, row: EnrollmentRow, step: StepRow): Thread {
  if (!isBlank(step.subject)) {
    return NEW_THREAD;
  }
  const sent = sentTo(env, row);
  const last = lastOf(sent);
  if (last === undefined) {
    return NEW_THREAD;
  }
  return {
    subject: subjectOf(sent, last).replace(/^(re:\s*)+/i, ""),
    inReplyTo: last.messageId,
    references: [...last.references, last.messageId],
  };
}

/** The sequence's own: a manual reply may have gone to an email with another subject. */
function subjectOf(sent: readonly MessageRow[], last: MessageRow): string {
  const own = sent.filter(({ kind }) => kind === "step");
  const named = own.findLast(({ messageId }) => last.references.includes(messageId));
  return (last.kind === "step" ? last : (named ?? own.at(-1) ?? last)).subject;
}

export function isBlank(text: string | null): boolean {
  return text === null || text.trim() === "";
}
