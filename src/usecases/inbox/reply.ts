/** A person answers from the inbox: in the thread, from the mailbox that was written to, at once. */

import { parseAddress } from "#domain/email-address.ts";
import { isAnswerable } from "#domain/inbox/conversation.ts";
import { conflict, invalid } from "#domain/problem.ts";
import { SUBJECT_BYTES_MAX } from "#domain/sending/message-content.ts";
import { ownWords } from "#domain/sending/own-words.ts";
import type { Caller, Environment } from "#environment.ts";
import { type InboundMail, inboundOfThread, setThreadRead } from "#store/inbox/inbound.ts";
import { refreshThread, setAnswered } from "#store/inbox/threads.ts";
import { findLeadById } from "#store/leads/leads.ts";
import { accountByEmail, accountById, updateAccount } from "#store/mailboxes/accounts.ts";
import { insertMessage, messagesOfThread } from "#store/sending/messages.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { ThreadRow } from "#store/tables/inbox.ts";
import type { MessageRow } from "#store/tables/messages.ts";
import { audit } from "#usecases/events/journal.ts";
import { mayAnswer, mayAnswerFrom } from "#usecases/sending/answers.ts";
import { mintMessageId } from "#usecases/sending/draft.ts";
import { ownThread } from "./threads.ts";

const MAILS_MAX = 100;

export interface Answer {
  body: string;
  /** The thread's, with "Re:", where it is left out. */
  subject?: string;
}

/**
 * Puts an answer on its way; the send worker takes it up next. Throws `not_found`, `validation_error` for
 * an empty body, and `conflict` where the mailbox cannot send, nobody can be answered, or the person has
 * asked to be left alone and not written since.
 */
export function replyToThread(
  env: Environment,
  caller: Caller,
  threadId: Id,
  { body, subject }: Answer,
): MessageRow {
  const thread = ownThread(env, caller, threadId);
  const words = ownWords(body);
  if (words === null) {
    throw invalid("body", "must say something");
  }
  if (Buffer.byteLength(subject ?? "") > SUBJECT_BYTES_MAX) {
    throw invalid("subject", `must be ${SUBJECT_BYTES_MAX} bytes at most`);
  }
  const account = sendingAccount(env, thread);
  const answered = inboundOfThread(env.db, thread.id, MAILS_MAX).find(({ kind }) =>
    isAnswerable(kind),
  );
  const recipient = recipientOf(env, thread, answered);
  if (!mayAnswer(env, { teamId: thread.teamId, recipient, threadId: thread.id })) {
    throw conflict(
      "this address is suppressed, and nothing has come from it since; " +
        "lift the suppression to write to it",
    );
  }
  const now = env.clock.now();
  const id = env.ids.next(now);
  const message: MessageRow = {
    ...BLANK,
    ...words,
    ...threading(env, thread, answered),
    reserved: [],
    id,
    teamId: thread.teamId,
    campaignId: thread.campaignId,
    enrollmentId: thread.enrollmentId,
    leadId: thread.leadId,
    threadId: thread.id,
    accountId: account.id,
    messageId: mintMessageId(env, account),
    recipient,
    subject: subject?.trim() || answerSubject(subjectOf(env, thread, answered)),
    claimedAt: now,
    dueAt: now,
  };
  insertMessage(env.db, message);
  updateAccount(env.db, { ...account, wakeAt: now });
  setThreadRead(env.db, thread.id);
  refreshThread(env.db, thread.id, now);
  setAnswered(env.db, thread.id, now);
  // Of what was written only that it was: an erasure leaves the audit log as it is.
  audit(env, caller, { action: "thread.reply", target: `thread:${thread.id}`, after: { id } });
  env.wake();
  return message;
}

const BLANK = {
  kind: "manual",
  status: "queued",
  stepId: null,
  stepPosition: null,
  placementTestId: null,
  attempts: 0,
  dataAt: null,
  sentAt: null,
  response: null,
  code: null,
  bouncedAt: null,
  repliedAt: null,
  copyDueAt: null,
  providerId: null,
  recipientHash: null,
} as const satisfies Partial<Record<keyof MessageRow, unknown>>;

function sendingAccount(env: Environment, thread: ThreadRow): AccountRow {
  const account = accountById(env.db, thread.accountId);
  if (account === undefined) {
    throw conflict("the mailbox of this conversation has been deleted");
  }
  if (!mayAnswerFrom(env, account)) {
    throw conflict(
      `the mailbox ${account.email} cannot send: it is ${account.status}, see its record`,
    );
  }
  return account;
}

/** Where the last of their mails wants its answer, else who was written to. Never ourselves. */
function recipientOf(
  env: Environment,
  thread: ThreadRow,
  answered: InboundMail | undefined,
): string {
  const lead = thread.leadId === null ? undefined : findLeadById(env.db, thread.leadId);
  const candidates = [answered?.replyTo, answered?.fromAddress, lead?.email];
  for (const candidate of candidates) {
    const address = parseAddress(candidate ?? "")?.address;
    if (
      address !== undefined &&
      accountByEmail(env.db, thread.teamId, address)?.id !== thread.accountId
    ) {
      return address;
    }
  }
  throw conflict("there is nobody in this conversation to reply to");
}

function threading(
  env: Environment,
  thread: ThreadRow,
  answered: InboundMail | undefined,
): Pick<MessageRow, "inReplyTo" | "references"> {
  if (answered !== undefined) {
    const { messageId, references } = answered;
    return { inReplyTo: messageId ?? references.at(-1) ?? null, references };
  }
  const last = messagesOfThread(env.db, thread.id).findLast(({ dataAt }) => dataAt !== null);
  return last === undefined
    ? { inReplyTo: null, references: [] }
    : { inReplyTo: last.messageId, references: [...last.references, last.messageId] };
}

/** Of an automatic answer not its own: "Re: Automatic reply: Offer" is nobody's subject. */
function subjectOf(env: Environment, thread: ThreadRow, answered: InboundMail | undefined): string {
  const isOfProgram = answered?.kind === "auto_reply";
  const own = messagesOfThread(env.db, thread.id).findLast(({ dataAt }) => dataAt !== null);
  return (isOfProgram ? own?.subject : undefined) ?? answered?.subject ?? thread.subject;
}

function answerSubject(subject: string): string {
  const bare = subject.replace(/^(?:\s*re\s*:)+/i, "").trim();
  return `Re: ${bare}`.trim();
}
