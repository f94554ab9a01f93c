/** The message of a step for one enrollment: rendered, threaded, and as it goes over the wire. */

import { withImageParts } from "#domain/campaigns/file.ts";
import { domainOf } from "#domain/email-address.ts";
import type { LEAD_FIELDS } from "#domain/leads/lead.ts";
import { asSender } from "#domain/mailboxes/account.ts";
import { Problem } from "#domain/problem.ts";
import {
  type ContentInput,
  isRenderable,
  type MessageContent,
  renderMessage,
} from "#domain/sending/message-content.ts";
import { scopeOf } from "#domain/sending/message-scope.ts";
import { renderTemplate } from "#domain/sending/template.ts";
import type { UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { composeMessage, type OutgoingMessage } from "#mail/compose.ts";
import type { Envelope } from "#platform/ports/mail.ts";
import { findInboundWhole } from "#store/inbox/inbound.ts";
import { findLeadById } from "#store/leads/leads.ts";
import { copiesOf, forwardOf } from "#store/sending/copies.ts";
import { type Carried, filesOfMessage } from "#store/sending/message-files.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { StepRow } from "#store/tables/campaigns.ts";
import type { MessageFileRow } from "#store/tables/files.ts";
import type { EnrollmentRow, LeadRow } from "#store/tables/leads.ts";
import type { MessageRow, StepMessage } from "#store/tables/messages.ts";
import { findTeam } from "#store/team/teams.ts";
import { type Carrying, carriedBy } from "#usecases/campaigns/attachments.ts";
import { governStep } from "#usecases/campaigns/exposures.ts";
import { contentOf as contentOfFile } from "#usecases/campaigns/files.ts";
import { trackedHtml } from "#usecases/campaigns/tracked-mail.ts";
import { unsubscribeLinks } from "#usecases/leads/unsubscribe.ts";
import { signed } from "#usecases/mailboxes/dkim.ts";
import { footerOf } from "./footer.ts";
import {
  continuing,
  isBlank,
  lastOf,
  NEW_THREAD,
  sentTo,
  type Thread,
  threadOf,
} from "./thread.ts";

/** What a draft still lacks: the claim gives it a state. */
export type DraftedMessage = Omit<
  StepMessage,
  "status" | "attempts" | "claimedAt" | "dataAt" | "reserved"
>;

const ALIAS_GONE = "the alias that wrote to this lead was removed from its mailbox";

export type Draft =
  | { kind: "ready"; message: DraftedMessage; carried: Carried[] }
  /** Names of variables that the lead lacks, or what else keeps the email from being made. */
  | { kind: "hold"; detail: string; reason?: "account_gone" }
  | { kind: "failed"; reason: string };

/** `earlier` is the message of an earlier try: it keeps its id, and its Message-ID for the same mailbox. */
export function draftMessage(
  env: Environment,
  mailbox: AccountRow,
  row: EnrollmentRow,
  step: StepRow,
  earlier: StepMessage | undefined,
): Draft {
  const lead = findLeadById(env.db, row.leadId);
  if (lead === undefined) {
    return { kind: "failed", reason: "the lead was deleted" };
  }
  const account = continuing(mailbox, lastOf(sentTo(env, row)));
  if (account === undefined) {
    return { kind: "hold", reason: "account_gone", detail: ALIAS_GONE };
  }
  const id = earlier?.id ?? env.ids.next(env.clock.now());
  const thread = threadOf(env, row, step);
  const content = render(env, {
    account,
    lead,
    step,
    thread,
    links: linksOf(env, account, id),
  });
  if (content.kind === "held") {
    return { kind: "hold", detail: content.missing.join(", ") };
  }
  if (content.kind === "failed") {
    // A step added to a running campaign that nobody has written yet ends no lead.
    if (isBlank(step.body)) {
      return { kind: "hold", detail: "body" };
    }
    return { kind: "failed", reason: `${content.field}: ${content.error}` };
  }
  // Most emails carry nothing, which is seen at once.
  const carriesNothing = step.attachmentIds.length === 0 && !content.html.includes("cid:");
  const carrying: Carrying = carriesNothing
    ? { kind: "ready", carried: [] }
    : carriedBy(env, row.teamId, step.attachmentIds, content.html);
  if (carrying.kind === "fault") {
    return { kind: "hold", detail: `${carrying.field}: ${carrying.message}` };
  }
  const sentAs = account.email === mailbox.email ? null : account.email;
  const keeps = earlier?.accountId === account.id && earlier.sentAs === sentAs;
  const message: DraftedMessage = {
    id,
    teamId: row.teamId,
    campaignId: row.campaignId,
    enrollmentId: row.id,
    leadId: row.leadId,
    accountId: account.id,
    stepId: step.id,
    kind: "step",
    stepPosition: step.position,
    stepRevision: step.revision,
    messageId: keeps ? earlier.messageId : mintMessageId(env, account),
    inReplyTo: thread.inReplyTo,
    references: thread.references,
    sentAs,
    recipient: lead.email,
    subject: content.subject,
    text: content.text,
    html: content.html,
    sentAt: null,
    response: null,
    code: null,
    // One that was in doubt, came back, and is sent again all the same: it is counted already.
    bouncedAt: earlier?.bouncedAt ?? null,
    repliedAt: null,
    copyDueAt: null,
    dueAt: null,
    providerId: null,
    recipientHash: null,
    threadId: null,
    placementTestId: null,
  };
  return { kind: "ready", message, carried: carrying.carried };
}

/** The step as a task for a lead has it: a text that lacks a value stays as it was written. */
export function taskFor(
  env: Environment,
  account: AccountRow,
  row: EnrollmentRow,
  step: StepRow,
): StepRow {
  const lead = findLeadById(env.db, row.leadId);
  if (lead === undefined) {
    return step;
  }
  const links = { https: null, mailto: "" };
  const content = contentOf(env, { account, lead, step, thread: NEW_THREAD, links });
  const scope = { ...scopeOf(content, "none"), unsubscribe_url: undefined };
  const filledIn = (source: string | null) => {
    const { seed, at } = content;
    const rendered = renderTemplate(source ?? "", scope, { seed, at, escape: "none" });
    return rendered.ok && source !== null ? rendered.text : source;
  };
  return { ...step, subject: filledIn(step.subject), body: filledIn(step.body) };
}

/** Somebody who is to be written to. */
export interface Recipient {
  row: EnrollmentRow;
  lead: LeadRow;
}

/** True when a message could be made of `step`. `inThread`: an earlier one will have been sent by then. */
export function checkDraft(
  env: Environment,
  { account, links }: Sender,
  { row, lead }: Recipient,
  step: StepRow,
  inThread: boolean,
): boolean {
  const governed = governStep(env, row, step).step;
  const thread = inThread ? { ...NEW_THREAD, subject: "a thread" } : threadOf(env, row, governed);
  return (
    !lacksSubject(governed, thread) &&
    isRenderable(contentOf(env, { account, lead, step: governed, thread, links }))
  );
}

/** A mailbox, and links as its messages carry them. */
export interface Sender {
  account: AccountRow;
  links: Links;
}

type Links = ContentInput["unsubscribe"];

/** The ways to opt out of a message. */
export function linksOf(env: Environment, account: AccountRow, messageId: Id): Links {
  return unsubscribeLinks(env, asSender(account).email, messageId);
}

interface RenderInput extends Sender {
  lead: LeadRow;
  step: StepRow;
  thread: Thread;
}

function render(env: Environment, input: RenderInput): MessageContent {
  if (lacksSubject(input.step, input.thread)) {
    return {
      kind: "failed",
      field: "subject",
      error: "the first email of a thread needs a subject",
    };
  }
  return renderMessage(contentOf(env, input));
}

function lacksSubject(step: StepRow, thread: Thread): boolean {
  return isBlank(step.subject) && thread.subject === null;
}

function contentOf(
  env: Environment,
  { account, lead, step, thread, links }: RenderInput,
): ContentInput {
  return {
    subject: step.subject,
    body: step.body ?? "",
    format: step.format,
    lead: { email: lead.email, fields: fieldsOf(lead), variables: lead.variables },
    sender: {
      email: account.email,
      name: account.displayName ?? "",
      signature: account.signature ?? "",
    },
    ...footerOf(findTeam(env.db, lead.teamId)),
    unsubscribe: links,
    threadSubject: thread.subject,
    seed: `${lead.id} ${step.id}`,
    at: env.clock.now(),
  };
}

/** The lead's fields under their template names. */
export function fieldsOf(lead: LeadRow): Record<(typeof LEAD_FIELDS)[number], string | null> {
  return {
    first_name: lead.firstName,
    last_name: lead.lastName,
    company: lead.company,
    website: lead.website,
    phone: lead.phone,
    timezone: lead.timezone,
  };
}

/** On the sender's own domain, as receivers expect. */
export function mintMessageId(env: Environment, account: AccountRow): string {
  return `<${env.ids.next(env.clock.now())}@${domainOf(asSender(account).email)}>`;
}

/**
 * The message as bytes. The same row gives the same bytes, so a later copy is a true copy. Throws `conflict` where a
 * file that it carried was deleted since.
 */
export async function envelopeOf(
  env: Environment,
  mailbox: AccountRow,
  message: MessageRow,
): Promise<Envelope> {
  const account = asSender(mailbox, message.sentAs);
  const lead = findLeadById(env.db, message.leadId);
  const isByHand = message.kind === "manual";
  const { cc, bcc } = copiesOf(env.db, message);
  const { https, mailto } = linksOf(env, account, message.id);
  const parts = filesOfMessage(env.db, message.id);
  const html = trackedHtml(env, message);
  const forms = https === null ? [`<${mailto}>`] : [`<${https}>`, `<${mailto}>`];
  const raw = await composeMessage({
    from: { name: account.displayName ?? "", address: account.email },
    to: { name: lead?.email === message.recipient ? nameOf(lead) : "", address: message.recipient },
    ...(cc.length > 0 && { cc }),
    attachments: [
      ...(await attachmentsOf(env, parts)),
      ...(isByHand ? forwardedFiles(env, message) : []),
    ],
    subject: message.subject,
    text: message.text,
    html: parts.length === 0 ? html : withImageParts(html, cidOf),
    messageId: message.messageId,
    date: message.claimedAt as UnixMs,
    timezone: account.timezone,
    inReplyTo: message.inReplyTo,
    references: message.references,
    // A manual reply is one person's to another.
    headers: isByHand
      ? []
      : [
          { name: "List-Unsubscribe", value: forms.join(", ") },
          ...(https === null
            ? []
            : [{ name: "List-Unsubscribe-Post", value: "List-Unsubscribe=One-Click" }]),
        ],
  });
  const { recipient: to, messageId } = message;
  const copies = [...cc, ...bcc];
  const envelope = { from: account.email, to, raw: await signed(env, account, raw), messageId };
  return copies.length === 0 ? envelope : { ...envelope, copies };
}

/** A mail program opens it with all that it came with, which no quotation has. */
function forwardedFiles(env: Environment, { id, teamId }: MessageRow): Attachment[] {
  const { mailId } = forwardOf(env.db, id) ?? {};
  const mail = mailId ? findInboundWhole(env.db, teamId, mailId) : undefined;
  const isWhole = mail !== undefined && mail.sizeBytes === null;
  return isWhole && HAS_FILES.test(headOf(mail.raw))
    ? [{ name: "forwarded.eml", content: [mail.raw] }]
    : [];
}

/**
 * Runs `work`, which has so many bytes of files in memory. Throws `unavailable` where they don't fit beside those of
 * other emails.
 */
export async function withinCapacity<Result>(
  { attachmentCapacity }: Environment,
  bytes: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const forget = attachmentCapacity.take(bytes);
  if (forget === undefined) {
    const message = "other emails with attachments are being sent; try again in a few seconds";
    throw new Problem("unavailable", message, null, { "Retry-After": "5" });
  }
  try {
    return await work();
  } finally {
    forget();
  }
}

export function attachmentsOf(env: Environment, parts: readonly Part[]): Promise<Attachment[]> {
  return Promise.all(
    parts.map(async ({ fileId, isInline, name, mediaType, bytes }) => {
      const content = await Array.fromAsync(contentOfFile(env, { id: fileId, name, bytes }));
      return { name, mediaType, content, ...(isInline && { cid: cidOf(fileId) }) };
    }),
  );
}

type Part = Pick<MessageFileRow, "fileId" | "isInline" | "name" | "mediaType" | "bytes">;

/** A Content-ID has the form of an address. */
export function cidOf(fileId: Id): string {
  return `${fileId}@files`;
}

type Attachment = NonNullable<OutgoingMessage["attachments"]>[number];

const HAS_FILES = /^content-type:\s*multipart\/mixed/im;
const HEAD_BYTES_MAX = 65_536;

function headOf(raw: Uint8Array): string {
  const head = new TextDecoder().decode(raw.subarray(0, HEAD_BYTES_MAX));
  return head.slice(0, head.search(/\r?\n\r?\n/) + 1 || head.length);
}

function nameOf(lead: LeadRow | undefined): string {
  return [lead?.firstName, lead?.lastName].filter((part) => part?.trim()).join(" ");
}
