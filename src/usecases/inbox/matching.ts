/**
 * Whose reply a received email is: the message of ours that it belongs to, looked for by the surest sign
 * first. A report (bounce, delay, complaint) is believed by what it returns, never by who sent it.
 *
 * Source: ours; RFC 5322 §3.6.4 for threads, RFC 3464 §2.3 for reports.
 */

import { domainOf } from "#domain/email-address.ts";
import type { Classification } from "#domain/inbox/classify.ts";
import { bareSubject, detailOf } from "#domain/inbox/conversation.ts";
import type { ParsedMail } from "#domain/inbox/mail.ts";
import { matchKeys } from "#domain/inbox/match.ts";
import { quotedRecipients } from "#domain/inbox/quoted-recipients.ts";
import { isCompanyDomain } from "#domain/leads/company.ts";
import { ownAddresses } from "#domain/mailboxes/account.ts";
import { DAY_MS, plus, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { inboundByHeader } from "#store/inbox/inbound.ts";
import { threadById } from "#store/inbox/threads.ts";
import { enrollmentById, enrollmentsOfLead } from "#store/leads/enrollments.ts";
import { leadByEmail } from "#store/leads/leads.ts";
import { accountByEmail } from "#store/mailboxes/accounts.ts";
import {
  messageByHeader,
  messageById,
  messageByProviderId,
  messagesOf,
  messagesTo,
  messagesToCompany,
  threadIdOf,
} from "#store/sending/messages.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { EnrollmentRow } from "#store/tables/leads.ts";
import type { MatchedBy, MessageRow } from "#store/tables/messages.ts";
import { readUnsubscribeToken } from "#usecases/leads/unsubscribe.ts";
import { domainsOf } from "#usecases/mailboxes/aliases.ts";
import type { Arrived } from "./inbox.ts";

/** A sender to whom we sent nothing within this time is not replying to us. */
const SENDER_MATCH_MS = 30 * DAY_MS;
/** Messages and people that are looked at for a guess by sender or company. */
const MESSAGES_MAX = 20;
const COLLEAGUES_MAX = 20;
/** Addresses that are looked at for a plus detail. */
const ADDRESSES_MAX = 20;

export interface Match {
  by: MatchedBy;
  /** The message that is replied to; undefined where only the conversation is known. */
  message: MessageRow | undefined;
  /** Undefined: the conversation belongs to no campaign, or to nobody any more. */
  row: EnrollmentRow | undefined;
  threadId: Id;
  /** The mailto form of the opt-out: its subject carries the token of the message. */
  optOut: boolean;
}

/** Undefined for what replies to nothing of ours, or to an email to somebody who was erased since. */
export function findMatch(
  env: Environment,
  account: AccountRow,
  arrived: Arrived,
): Match | undefined {
  const isReport = isReportKind(arrived.reading.kind);
  const found = byNames(env, account, arrived) ?? byPeople(env, account, arrived, isReport);
  if (found === undefined || found.teamId !== account.teamId) {
    return undefined;
  }
  return found.match.message?.recipient === "" ? undefined : found.match;
}

/** Whether an email itself says which conversation it belongs to, be it whose it may. */
export function namesConversation(
  env: Environment,
  account: AccountRow,
  arrived: Arrived,
): boolean {
  return byNames(env, account, arrived)?.teamId === account.teamId;
}

/** The emptied message to an erased person that an email names. */
export function findErased(
  env: Environment,
  account: AccountRow,
  arrived: Arrived,
): Named | undefined {
  const named = namedMessage(env, account, arrived);
  const isErased = named !== undefined && named.message.recipientHash !== null;
  return isErased && named.message.teamId === account.teamId ? named : undefined;
}

function byNames(env: Environment, account: AccountRow, arrived: Arrived): Found | undefined {
  const named = namedMessage(env, account, arrived);
  if (named !== undefined) {
    return replyTo(env, named.message, named.by, named.optOut);
  }
  const { mail, reading } = arrived;
  return isReportKind(reading.kind)
    ? undefined
    : byThread(env, account, matchKeys(mail, reading).messageIds);
}

/** A message of ours that an email itself names. */
export interface Named {
  message: MessageRow;
  by: MatchedBy;
  /** The mailto form of the opt-out. */
  optOut: boolean;
}

function namedMessage(env: Environment, account: AccountRow, arrived: Arrived): Named | undefined {
  return byOptOut(env, arrived) ?? byDetail(env, account, arrived) ?? byIds(env, account, arrived);
}

interface Found {
  teamId: Id;
  match: Match;
}

export function isReportKind(kind: Classification["kind"]): boolean {
  return kind === "bounce" || kind === "notice" || kind === "complaint";
}

/**
 * The account's own email, a copy of a message of ours, or a colleague's mailbox writing: never a reply,
 * unless the colleague's mailbox is the lead that was written to.
 */
export function isOwnMail(
  env: Environment,
  account: AccountRow,
  { mail, reading }: Arrived,
): boolean {
  if (reading.kind === "own") {
    return true;
  }
  // One form of complaint is our own message, sent back with marks.
  if (isReportKind(reading.kind)) {
    return false;
  }
  if (mail.messageId !== null && messageByHeader(env.db, mail.messageId) !== undefined) {
    return true;
  }
  const from = mail.from?.address ?? "";
  if (accountByEmail(env.db, account.teamId, from) === undefined) {
    return false;
  }
  const ids = matchKeys(mail, reading).messageIds;
  return !ids.some((id) => messageByHeader(env.db, id)?.recipient === from);
}

function byOptOut(env: Environment, { mail }: Arrived): Named | undefined {
  const messageId = readUnsubscribeToken(env, mail.subject);
  const message = messageId === null ? undefined : messageById(env.db, messageId);
  return message && { message, by: "token", optOut: true };
}

/** `ann+<left part of a Message-ID>@…`, where email is addressed so; a report is addressed as it likes. */
function byDetail(
  env: Environment,
  account: AccountRow,
  { mail, reading }: Arrived,
): Named | undefined {
  if (isReportKind(reading.kind)) {
    return undefined;
  }
  const domains = [...domainsOf(account)];
  for (const address of [...mail.deliveredTo, ...mail.to].slice(0, ADDRESSES_MAX)) {
    const detail = detailOf(address);
    const named = detail ? domains.map((domain) => `<${detail}@${domain}>`) : [];
    const found = named.map((id) => messageByHeader(env.db, id));
    const message = found.find((one) => one !== undefined && one.dataAt !== null);
    if (message !== undefined) {
      return { message, by: "token", optOut: false };
    }
  }
  return undefined;
}

/**
 * Whoever names an id has had the email, whatever we know of it: one in doubt may have been delivered, and
 * be on its way once more because a person said so.
 */
function byIds(
  env: Environment,
  account: AccountRow,
  { mail, reading }: Arrived,
): Named | undefined {
  const { messageIds } = matchKeys(mail, reading);
  const isOurs = (message: MessageRow | undefined): message is MessageRow =>
    message?.teamId === account.teamId;
  for (const id of messageIds) {
    const message = messageByHeader(env.db, id);
    if (isOurs(message)) {
      return { message, by: "message_id", optOut: false };
    }
  }
  for (const id of messageIds) {
    const message = messageByProviderId(env.db, id) ?? byBareId(env, id);
    if (isOurs(message)) {
      return { message, by: "provider_id", optOut: false };
    }
  }
  return undefined;
}

/** Amazon returns the left part alone, and adds a domain of its own. */
function byBareId(env: Environment, id: string): MessageRow | undefined {
  const bare = /^<([^<>@\s]{20,200})@[a-z0-9.-]*amazonses\.com>$/i.exec(id)?.[1];
  return bare === undefined ? undefined : messageByProviderId(env.db, bare);
}

/** It replies to an earlier email of theirs that we have. */
function byThread(
  env: Environment,
  account: AccountRow,
  messageIds: readonly string[],
): Found | undefined {
  for (const id of messageIds) {
    const earlier = inboundByHeader(env.db, account.id, id);
    if (earlier !== undefined) {
      const message =
        earlier.repliesTo === null ? undefined : messageById(env.db, earlier.repliesTo);
      const row =
        earlier.enrollmentId === null ? undefined : enrollmentById(env.db, earlier.enrollmentId);
      const match = { message, row, threadId: earlier.threadId, optOut: false };
      return { teamId: earlier.teamId, match: { by: "thread", ...match } };
    }
  }
  return undefined;
}

function byPeople(
  env: Environment,
  account: AccountRow,
  { mail, reading, received }: Arrived,
  isReport: boolean,
): Found | undefined {
  if (reading.kind === "unrelated" || (isReport && reading.originalMessageIds.length > 0)) {
    return undefined;
  }
  const subject = bareSubject(mail.subject);
  const since = plus(received.receivedAt, -SENDER_MATCH_MS);
  const writtenTo = (addresses: readonly string[], by: MatchedBy): Found | undefined => {
    for (const address of addresses) {
      const range = { since, limit: MESSAGES_MAX };
      const written = messagesTo(env.db, account.id, address, range);
      const message = written.find((one) => bareSubject(one.subject) === subject) ?? written[0];
      if (message !== undefined) {
        return replyTo(env, message, by);
      }
    }
    return undefined;
  };
  const { senders } = matchKeys(mail, reading);
  if (isReport) {
    return writtenTo(senders, "recipient");
  }
  return (
    writtenTo(senders, "sender") ??
    writtenTo(
      isColleague(account, mail) ? [] : quotedRecipients(mail.text, ownAddresses(account)),
      "quote",
    ) ??
    byGroup(env, account, mail, { subject, since }) ??
    byCompany(env, account, { from: mail.from?.address, subject, since })
  );
}

/** A colleague of the mailbox's owner, who was shown an email to a lead and says something of it. */
function isColleague(account: AccountRow, { from }: ParsedMail): boolean {
  const domain = domainOf(from?.address ?? "");
  return isCompanyDomain(domain) && domainsOf(account).has(domain);
}

/**
 * A lead writes to a group's address, which delivers to a mailbox that may never have written to them. Only
 * their own address counts, and only where the mailbox isn't addressed itself: people who are leads may
 * have other business with its owner.
 */
function byGroup(
  env: Environment,
  account: AccountRow,
  mail: ParsedMail,
  { subject, since }: { subject: string; since: UnixMs },
): Found | undefined {
  const from = mail.from?.address ?? "";
  const own = ownAddresses(account);
  const isGroups = mail.to.length > 0 && !mail.to.some((address) => own.includes(address));
  const lead = isGroups ? leadByEmail(env.db, account.teamId, from) : undefined;
  if (lead === undefined) {
    return undefined;
  }
  const written = enrollmentsOfLead(env.db, lead.id)
    .slice(-MESSAGES_MAX)
    .flatMap(({ id }) => messagesOf(env.db, id))
    .filter(({ recipient, dataAt }) => recipient === from && dataAt !== null && dataAt > since)
    .toSorted((a, b) => (b.dataAt ?? 0) - (a.dataAt ?? 0));
  const message = written.find((one) => bareSubject(one.subject) === subject) ?? written[0];
  return message && replyTo(env, message, "sender");
}

/** Somebody else at the same company replies under the same subject. */
function byCompany(
  env: Environment,
  account: AccountRow,
  { from, subject, since }: { from: string | undefined; subject: string; since: UnixMs },
): Found | undefined {
  const domain = domainOf(from ?? "");
  if (domain === "" || subject === "" || !isCompanyDomain(domain)) {
    return undefined;
  }
  const message = messagesToCompany(env.db, account.id, domain, COLLEAGUES_MAX)
    .filter(({ dataAt }) => dataAt !== null && dataAt > since)
    .toSorted((a, b) => (b.dataAt ?? 0) - (a.dataAt ?? 0))
    .find((one) => bareSubject(one.subject) === subject);
  return message && replyTo(env, message, "company");
}

function replyTo(
  env: Environment,
  message: MessageRow,
  by: MatchedBy,
  optOut = false,
): Found | undefined {
  const row = enrollmentById(env.db, message.enrollmentId);
  const threadId = threadIdOf(message);
  // An email that was found after a restore begins a conversation, which a reply to it makes.
  const begins = threadId === message.id;
  if (row === undefined && !begins && threadById(env.db, threadId) === undefined) {
    return undefined;
  }
  const match = { by, message, row, threadId, optOut };
  return { teamId: message.teamId, match };
}
