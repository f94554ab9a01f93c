/** A manual reply from the inbox: in the thread, from the mailbox that was written to, at once. */

import { imageIdsIn } from "#domain/campaigns/file.ts";
import { parseAddress } from "#domain/email-address.ts";
import { canBeRepliedTo } from "#domain/inbox/conversation.ts";
import { conflict, invalid } from "#domain/problem.ts";
import { SUBJECT_BYTES_MAX } from "#domain/sending/message-content.ts";
import { ownWords } from "#domain/sending/own-words.ts";
import type { Caller, Environment } from "#environment.ts";
import { type InboundMail, inboundOfThread, setThreadRead } from "#store/inbox/inbound.ts";
import { refreshThread, setRepliedAt } from "#store/inbox/threads.ts";
import { findLeadById } from "#store/leads/leads.ts";
import { accountByEmail, accountById, updateAccount } from "#store/mailboxes/accounts.ts";
import { type Copies, forwardOf, insertCopies } from "#store/sending/copies.ts";
import { saveFilesOfMessage } from "#store/sending/message-files.ts";
import { BLANK_MESSAGE, insertMessage, messagesOfThread } from "#store/sending/messages.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { ThreadRow } from "#store/tables/inbox.ts";
import type { MessageRow } from "#store/tables/messages.ts";
import { carriedBy } from "#usecases/campaigns/attachments.ts";
import { audit } from "#usecases/events/record.ts";
import { isBarred, mayReply, mayReplyFrom } from "#usecases/sending/claim-reply.ts";
import { mintMessageId } from "#usecases/sending/draft.ts";
import { continuing } from "#usecases/sending/thread.ts";
import { requireThread } from "./threads.ts";

const MAILS_MAX = 100;

/** Who gets a copy; each address once, and not the recipient's. */
interface Copied {
  cc?: readonly string[];
  bcc?: readonly string[];
}

export interface ManualReply extends Copied {
  /** Files that it carries. */
  attachmentIds?: readonly Id[];
  body: string;
  /** The thread's, with "Re:", where it is left out. */
  subject?: string;
}

/**
 * Queues a reply; the send worker claims it next. Throws `not_found`, `validation_error` for
 * an empty body, an address in copy that must not be written to or a file that it can't carry, and `conflict`
 * where the mailbox cannot send, there is nobody to reply to, or the person has asked to be left alone and not
 * written since.
 */
export function replyToThread(
  env: Environment,
  caller: Caller,
  threadId: Id,
  { body, subject, attachmentIds = [], ...copied }: ManualReply,
): MessageRow {
  const thread = requireThread(env, caller, threadId);
  const words = readWords(body);
  if (words === null) {
    throw invalid("body", "must not be empty");
  }
  if (Buffer.byteLength(subject ?? "") > SUBJECT_BYTES_MAX) {
    throw invalid("subject", `must be ${SUBJECT_BYTES_MAX} bytes at most`);
  }
  const account = sendingAccount(env, thread);
  const repliedTo = inboundOfThread(env.db, thread.id, MAILS_MAX).find(
    (mail) => canBeRepliedTo(mail.kind) && !isAside(env, mail),
  );
  const recipient = recipientOf(env, thread, repliedTo);
  if (!mayReply(env, { teamId: thread.teamId, recipient, threadId: thread.id })) {
    throw conflict(
      "this address is suppressed, and it hasn't written to you since; " +
        "lift the suppression to write to it",
    );
  }
  const copies = readCopies(env, thread, recipient, copied);
  const now = env.clock.now();
  const message: MessageRow = {
    ...blank(env, thread, account),
    ...words,
    ...threading(env, thread, repliedTo),
    campaignId: thread.campaignId,
    enrollmentId: thread.enrollmentId,
    leadId: thread.leadId,
    recipient,
    subject: subject?.trim() || replySubject(subjectOf(env, thread, repliedTo)),
  };
  queue(env, account, message, { ...copies, attachmentIds });
  setThreadRead(env.db, thread.id);
  refreshThread(env.db, thread.id, now);
  setRepliedAt(env.db, thread.id, now);
  // Of what was written only that it was: an erasure leaves the audit log as it is.
  const after = { id: message.id };
  audit(env, caller, { action: "thread.reply", target: `thread:${thread.id}`, after });
  return message;
}

/** Shared with what is forwarded. Throws `validation_error` for images alone; null where there is nothing. */
export function readWords(body: string): ReturnType<typeof ownWords> {
  const words = ownWords(body);
  if (words === null && imageIdsIn(body).length > 0) {
    throw invalid("body", "needs words beside the image, since many email programs hide images");
  }
  return words;
}

/** Shared with what is forwarded: a message of a conversation that waits for the send worker. */
export function blank(env: Environment, thread: ThreadRow, account: AccountRow) {
  const now = env.clock.now();
  const last = messagesOfThread(env.db, thread.id).findLast(({ dataAt }) => dataAt !== null);
  const sender = continuing(account, last);
  if (sender === undefined) {
    throw conflict(
      `this conversation was written from ${last?.sentAs}, which is no longer an alias of ` +
        `${account.email}; add it again to reply`,
    );
  }
  return {
    ...BLANK_MESSAGE,
    ...({ kind: "manual", status: "queued" } as const),
    id: env.ids.next(now),
    teamId: thread.teamId,
    threadId: thread.id,
    accountId: account.id,
    messageId: mintMessageId(env, sender),
    sentAs: sender.email === account.email ? null : sender.email,
    reserved: [],
    claimedAt: now,
    dueAt: now,
  };
}

/** The send worker claims it next. Throws `validation_error` for files that it can't carry. */
export function queue(
  env: Environment,
  account: AccountRow,
  message: MessageRow,
  { attachmentIds, ...copies }: Copies & { attachmentIds: readonly Id[] },
): void {
  const carrying = carriedBy(env, message.teamId, attachmentIds, message.html);
  if (carrying.kind === "fault") {
    throw invalid(carrying.field, carrying.message);
  }
  insertMessage(env.db, message);
  insertCopies(env.db, message, copies);
  saveFilesOfMessage(env.db, message, carrying.carried);
  updateAccount(env.db, { ...account, wakeAt: env.clock.now() });
  env.wake();
}

/** Throws `validation_error` naming the address that is none or is suppressed. */
export function readCopies(
  env: Environment,
  { teamId }: Pick<ThreadRow, "teamId">,
  recipient: string,
  { cc = [], bcc = [] }: Copied,
): Copies {
  const taken = new Set([recipient]);
  const read = (given: readonly string[], field: string) =>
    given.flatMap((text, at) => {
      const address = openAddress(env, teamId, text, `${field}.${at}`);
      const isNew = !taken.has(address);
      taken.add(address);
      return isNew ? [address] : [];
    });
  return { cc: read(cc, "cc"), bcc: read(bcc, "bcc") };
}

/** Throws `validation_error` naming `field` for what is no address, or one that must not be written to. */
export function openAddress(env: Environment, teamId: Id, text: string, field: string): string {
  const address = parseAddress(text)?.address;
  if (address === undefined) {
    throw invalid(field, "must be an email address");
  }
  if (isBarred(env, teamId, address)) {
    throw invalid(field, "is suppressed; lift the suppression to write to it");
  }
  return address;
}

/** Replies to what was forwarded: to us, and not the person whose conversation it is. */
function isAside(env: Environment, { repliesTo }: InboundMail): boolean {
  return repliesTo !== null && forwardOf(env.db, repliesTo) !== undefined;
}

export function sendingAccount(env: Environment, thread: ThreadRow): AccountRow {
  const account = accountById(env.db, thread.accountId);
  if (account === undefined) {
    throw conflict("the mailbox of this conversation was deleted, so you can't reply from it");
  }
  if (!mayReplyFrom(env, account)) {
    throw conflict(
      `the mailbox ${account.email} cannot send: it is ${account.status}, see its record`,
    );
  }
  return account;
}

/** The reply address of their last email, else who was written to. Never ourselves. */
function recipientOf(
  env: Environment,
  thread: ThreadRow,
  repliedTo: InboundMail | undefined,
): string {
  const lead = thread.leadId === null ? undefined : findLeadById(env.db, thread.leadId);
  const candidates = [repliedTo?.replyTo, repliedTo?.fromAddress, lead?.email];
  for (const candidate of candidates) {
    const address = parseAddress(candidate ?? "")?.address;
    if (
      address !== undefined &&
      accountByEmail(env.db, thread.teamId, address)?.id !== thread.accountId
    ) {
      return address;
    }
  }
  throw conflict("this conversation has no address to reply to");
}

function threading(
  env: Environment,
  thread: ThreadRow,
  repliedTo: InboundMail | undefined,
): Pick<MessageRow, "inReplyTo" | "references"> {
  if (repliedTo !== undefined) {
    const { messageId, references } = repliedTo;
    return { inReplyTo: messageId ?? references.at(-1) ?? null, references };
  }
  const last = messagesOfThread(env.db, thread.id).findLast(({ dataAt }) => dataAt !== null);
  return last === undefined
    ? { inReplyTo: null, references: [] }
    : { inReplyTo: last.messageId, references: [...last.references, last.messageId] };
}

/** Of an auto-reply not its own: "Re: Automatic reply: Offer" is nobody's subject. */
function subjectOf(
  env: Environment,
  thread: ThreadRow,
  repliedTo: InboundMail | undefined,
): string {
  const isOfProgram = repliedTo?.kind === "auto_reply";
  const own = messagesOfThread(env.db, thread.id).findLast(({ dataAt }) => dataAt !== null);
  return (isOfProgram ? own?.subject : undefined) ?? repliedTo?.subject ?? thread.subject;
}

function replySubject(subject: string): string {
  const bare = subject.replace(/^(?:\s*re\s*:)+/i, "").trim();
  return `Re: ${bare}`.trim();
}
