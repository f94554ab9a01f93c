/**
 * An email that came in: it is matched to the message that it replies to, stored in its conversation, and takes
 * effect, all in one transaction. Without a match it has no effect; a stranger's is not even kept, for a
 * mailbox holds its owner's own email too.
 */

import type { Classification } from "#domain/inbox/classify.ts";
import type { ParsedMail } from "#domain/inbox/mail.ts";
import { matchKeys } from "#domain/inbox/match.ts";
import { ownAddresses } from "#domain/mailboxes/account.ts";
import type { ReceivedReport } from "#domain/mailboxes/domain-reports/report.ts";
import type { Environment } from "#environment.ts";
import type { ReceivedMail } from "#platform/ports/mail.ts";
import { inboundOf, insertInbound, isKnownMail } from "#store/inbox/inbound.ts";
import { refreshThread } from "#store/inbox/threads.ts";
import { enrollmentById } from "#store/leads/enrollments.ts";
import { leadByEmail } from "#store/leads/leads.ts";
import { lastMessageTo, messageByHeader, messageById } from "#store/sending/messages.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { InboundMailRow } from "#store/tables/messages.ts";
import { settleDelivered } from "#usecases/delivery/unconfirmed.ts";
import { newCause } from "#usecases/events/effect-log.ts";
import { emit } from "#usecases/events/record.ts";
import { takeReport } from "#usecases/mailboxes/domain-reports.ts";
import { recount } from "./counted-replies.ts";
import { takeEffect } from "./effects.ts";
import { isOfErased, takeErased, takeNamed } from "./erased-people.ts";
import { findErased, findMatch, isOwnMail, isReportKind, type Match } from "./matching.ts";
import { namedOptOuts } from "./named-opt-outs.ts";
import { takeTestReport } from "./placement-reports.ts";

const SUBJECT_MAX = 998;
const NAME_MAX = 255;
const ADDRESS_MAX = 320;
const OTHERS_MAX = 20;
const TEXT_MAX = 100_000;
/** Message-IDs that a manual reply goes on from. */
const REFERENCES_MAX = 50;

export interface Arrived {
  received: ReceivedMail;
  mail: ParsedMail;
  reading: Classification;
  /** What it reports of a sending domain; absent or null: it's another email. */
  report?: ReceivedReport | null;
}

/** Stands for an email that we fail to read: kept as it came, shown, without effect. */
export function unreadable(received: ReceivedMail): Arrived {
  return { received, mail: NOTHING_READ, reading: NO_READING };
}

const NOTHING_READ: ParsedMail = {
  messageId: null,
  inReplyTo: null,
  references: [],
  from: null,
  replyTo: null,
  to: [],
  deliveredTo: [],
  subject: "",
  date: null,
  headers: [],
  text: "",
  html: null,
  parts: [],
  truncated: true,
};

const NO_READING: Classification = {
  kind: "unrelated",
  severity: null,
  status: null,
  recipients: [],
  originalMessageIds: [],
  returnsOn: null,
  hasLeft: false,
  newContact: null,
  optOut: false,
  text: "",
  interest: null,
  feedbackType: null,
  confidence: "low",
  evidence: "our reader failed",
};

/** What became of an email. */
export type Received = "known" | "own" | "report" | "test" | "stranger" | "untracked" | "tracked";

/** Stores an email and carries out what it asks for. Runs inside a commit; a known email does nothing. */
export function receiveMail(env: Environment, account: AccountRow, arrived: Arrived): Received {
  const { received, mail } = arrived;
  const place = { accountId: account.id, folder: received.folder, uid: received.uid };
  if (isKnownMail(env.db, { ...place, messageId: mail.messageId, raw: received.raw })) {
    return "known";
  }
  if (isOwnMail(env, account, arrived)) {
    return "own";
  }
  if (arrived.report && takeReport(env, account, arrived.report, mail)) {
    return "report";
  }
  if (takeTestReport(env, account, arrived)) {
    return "test";
  }
  if (isOfErased(env, account, arrived)) {
    takeErased(env, account, arrived, newCause(env));
    return "stranger";
  }
  const match = confirmed(env, findMatch(env, account, arrived));
  if (match === undefined) {
    return receiveUnmatched(env, account, arrived);
  }
  const row = mailRow(env, account, asOptOut(arrived, match), match);
  const earlier = match.row === undefined ? [] : inboundOf(env.db, match.row.id);
  insertInbound(env.db, row);
  const { raw: _raw, ...stored } = row;
  if (match.row !== undefined) {
    recount(env, match.row.campaignId, earlier, [...earlier, stored]);
  }
  const { message, row: enrollment } = match;
  takeEffect(env, { mail: stored, message, row: enrollment, byPerson: false });
  const interest = enrollment && enrollmentById(env.db, enrollment.id)?.interest;
  refreshThread(env.db, row.threadId, env.clock.now(), interest ?? null);
  return "tracked";
}

/** Whoever replies to a message, or reports of it, shows that it was sent. */
function confirmed(env: Environment, match: Match | undefined): Match | undefined {
  if (match?.message?.status !== "unknown") {
    return match;
  }
  settleDelivered(env, match.message, match.by);
  const row = match.row && enrollmentById(env.db, match.row.id);
  return { ...match, message: messageById(env.db, match.message.id), row };
}

function asOptOut(arrived: Arrived, { optOut }: Match): Arrived {
  const evidence = "unsubscribe address";
  return optOut
    ? { ...arrived, reading: { ...arrived.reading, kind: "unsubscribe", evidence } }
    : arrived;
}

/**
 * Shown, so that a person can attach it: an email of somebody whom we know as a lead, a reply to a message
 * whose lead is gone, a report about somebody whom this mailbox wrote to, and what cannot be read.
 */
function receiveUnmatched(env: Environment, account: AccountRow, arrived: Arrived): Received {
  const { mail, reading } = arrived;
  const from = mail.from?.address ?? "";
  const lead = leadByEmail(env.db, account.teamId, from);
  const named = findErased(env, account, arrived);
  if (named?.optOut === true || !isWorthShowing(env, account, arrived, lead !== undefined)) {
    takeNamed(env, arrived, named, newCause(env));
    return "stranger";
  }
  const row = mailRow(env, account, arrived, undefined, lead?.id ?? null);
  insertInbound(env.db, row);
  takeNamed(env, arrived, named, row.id);
  refreshThread(env.db, row.threadId, env.clock.now());
  if (reading.kind === "reply" || reading.kind === "unsubscribe") {
    emit(env, account.teamId, "reply.untracked", {
      mail_id: row.id,
      thread_id: row.threadId,
      lead_id: lead?.id ?? null,
      account_id: account.id,
      from: from === "" ? null : from,
      subject: row.subject,
    });
  }
  return "untracked";
}

function isWorthShowing(
  env: Environment,
  account: AccountRow,
  { mail, reading }: Arrived,
  isKnown: boolean,
): boolean {
  if (isReportKind(reading.kind)) {
    return reading.recipients.some(
      (recipient) => lastMessageTo(env.db, account.id, recipient) !== undefined,
    );
  }
  if (mail.from === null) {
    return true;
  }
  return (
    reading.kind !== "unrelated" &&
    (isKnown ||
      matchKeys(mail, reading).messageIds.some(
        (id) => messageByHeader(env.db, id)?.teamId === account.teamId,
      ))
  );
}

function mailRow(
  env: Environment,
  account: AccountRow,
  { received, mail, reading }: Arrived,
  match: Match | undefined,
  leadId: Id | null = null,
): InboundMailRow {
  const storedAt = env.clock.now();
  const id = env.ids.next(storedAt);
  const { text, evidence, ...rest } = reading;
  return {
    id,
    teamId: account.teamId,
    accountId: account.id,
    folder: received.folder,
    uid: received.uid,
    messageId: mail.messageId,
    references: referencesOf(mail),
    replyTo: mail.replyTo?.address.slice(0, ADDRESS_MAX) ?? null,
    fromAddress: mail.from?.address.slice(0, ADDRESS_MAX) ?? "",
    fromName: mail.from?.name.slice(0, NAME_MAX) ?? "",
    subject: mail.subject.slice(0, SUBJECT_MAX),
    receivedAt: received.receivedAt,
    storedAt,
    kind: reading.kind,
    severity: reading.severity,
    evidence:
      mail.from === null
        ? `cannot be read: no sender; ${evidence}`
        : namedWords(env, account, mail.from.address, reading) + evidence,
    reading: rest,
    matchedBy: match?.by ?? null,
    labelledBy: null,
    effectiveAt: storedAt,
    threadId: match?.threadId ?? id,
    repliesTo: match?.message?.id ?? null,
    enrollmentId: match?.row?.id ?? null,
    leadId: match?.row?.leadId ?? leadId,
    campaignId: match?.row?.campaignId ?? null,
    text: text.slice(0, TEXT_MAX),
    others: othersOf(mail, account),
    raw: received.raw,
    sizeBytes: received.sizeBytes ?? null,
    read: false,
  };
}

/** Whom else it was sent to, in the order in which it names them. */
function othersOf(mail: ParsedMail, account: AccountRow): string[] {
  const others = mail.to.map((address) => address.toLowerCase().slice(0, ADDRESS_MAX));
  return [...new Set(others).difference(new Set(ownAddresses(account)))].slice(0, OTHERS_MAX);
}

/** What people are told about addresses that an opt-out names and its sender cannot speak for. */
function namedWords(
  env: Environment,
  { id: accountId, teamId }: AccountRow,
  fromAddress: string,
  { optOutAddresses: addresses = [] }: Classification,
): string {
  const { shown } = namedOptOuts(env, { teamId, accountId, fromAddress, addresses });
  const verb = shown.length === 1 ? "is" : "are";
  return shown.length === 0 ? "" : `names ${shown.join(", ")}, which ${verb} not suppressed; `;
}

/** The chain that leads to this email, its own id last. */
function referencesOf({ references, inReplyTo, messageId }: ParsedMail): string[] {
  const before = references.length > 0 ? references : [inReplyTo];
  const chain = [...before, messageId].filter((id) => id !== null && id !== undefined);
  return [...new Set(chain)].slice(-REFERENCES_MAX);
}
