/** An email of a conversation passed on to somebody who is no part of it, with a person's own words before it. */

import { canBeRepliedTo } from "#domain/inbox/conversation.ts";
import { conflict, found, invalid } from "#domain/problem.ts";
import { textToHtml } from "#domain/sending/text-to-html.ts";
import type { UnixMs } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import { mailDate } from "#mail/compose.ts";
import { inboundOfThread } from "#store/inbox/inbound.ts";
import { accountById } from "#store/mailboxes/accounts.ts";
import { insertForward } from "#store/sending/copies.ts";
import { messagesOfThread } from "#store/sending/messages.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { ThreadRow } from "#store/tables/inbox.ts";
import type { MessageRow } from "#store/tables/messages.ts";
import { audit } from "#usecases/events/record.ts";
import { blank, openAddress, queue, readCopies, readWords, sendingAccount } from "./reply.ts";
import { requireThread, THREAD_MAILS_MAX } from "./threads.ts";

export interface ForwardInput {
  to: string;
  cc?: readonly string[];
  bcc?: readonly string[];
  /** Files that it carries beside what the email had. */
  attachmentIds?: readonly Id[];
  /** What stands before the email; may be empty. */
  body?: string;
  /** The latest email that a person wrote, where it is left out. */
  messageId?: Id;
}

/** What is passed on. */
interface Passed {
  /** Null for a message of ours. */
  mailId: Id | null;
  from: string;
  to: string;
  at: UnixMs;
  subject: string;
  text: string;
}

/**
 * Queues it as a reply by hand is, from the same mailbox. Throws `not_found`, `validation_error` for an address that
 * is none or must not be written to and for a message of another conversation, and `conflict` where the
 * mailbox can't send or nobody has written yet.
 */
export function forwardMail(
  env: Environment,
  caller: Caller,
  threadId: Id,
  { to, body = "", messageId, attachmentIds = [], ...copied }: ForwardInput,
): MessageRow {
  const thread = requireThread(env, caller, threadId);
  const account = sendingAccount(env, thread);
  const recipient = openAddress(env, thread.teamId, to, "to");
  const copies = readCopies(env, thread, recipient, copied);
  const passed = passedOn(env, thread, messageId?.toLowerCase());
  const words = readWords(body);
  const quoted = quotation(passed);
  const message: MessageRow = {
    ...blank(env, thread, account),
    // Its recipient is nobody's lead: figures, bounces and replies aren't the lead's.
    ...{ campaignId: null, enrollmentId: null, leadId: null },
    ...{ inReplyTo: null, references: [] },
    recipient,
    subject: `Fwd: ${passed.subject.replace(/^(?:\s*(?:fwd?|wg)\s*:)+/i, "").trim()}`.trim(),
    text: [words?.text, quoted].filter((part) => part !== undefined).join("\n\n"),
    html: `${words?.html ?? ""}${textToHtml(quoted)}`,
  };
  queue(env, account, message, { ...copies, attachmentIds });
  insertForward(env.db, message, { mailId: passed.mailId, leadId: thread.leadId });
  // Of what was written only that it was: an erasure leaves the audit log as it is.
  const after = { id: message.id };
  audit(env, caller, { action: "thread.forward", target: `thread:${thread.id}`, after });
  return message;
}

function passedOn(env: Environment, thread: ThreadRow, id: Id | undefined): Passed {
  const mails = inboundOfThread(env.db, thread.id, THREAD_MAILS_MAX);
  const own = accountById(env.db, thread.accountId)?.email ?? "";
  const wanted = ({ id: one, kind }: (typeof mails)[number]) =>
    id === undefined ? canBeRepliedTo(kind) : one === id;
  const mail = mails.find(wanted);
  if (mail !== undefined) {
    const from = mail.fromName === "" ? mail.fromAddress : `${mail.fromName} <${mail.fromAddress}>`;
    const { subject, text, receivedAt: at } = mail;
    return { mailId: mail.id, from, to: own, at, subject, text };
  }
  if (id === undefined) {
    throw conflict("nobody has written in this conversation yet; name a message to forward");
  }
  const ours = messagesOfThread(env.db, thread.id).find((one) => one.id === id);
  const isSent = ours?.dataAt != null && ours.recipient !== "";
  const { recipient, subject, text, dataAt } = found(isSent ? ours : undefined, "message");
  if (dataAt === null) {
    throw invalid("message_id", "must be an email that was sent or received");
  }
  return { mailId: null, from: ours?.sentAs ?? own, to: recipient, at: dataAt, subject, text };
}

/** As mail programs write it. */
function quotation({ from, to, at, subject, text }: Passed): string {
  const head = [`From: ${from}`, `Date: ${mailDate(at)}`, `Subject: ${subject}`, `To: ${to}`];
  return ["---------- Forwarded message ----------", ...head, "", text].join("\n");
}
