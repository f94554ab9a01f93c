/**
 * What a mail that came in does: it is matched to the message that it answers, stored, and takes effect,
 * all in one transaction. Without a match it has no effect.
 */

import { isCompanyDomain } from "#domain/company.ts";
import { isOpen } from "#domain/enrollment.ts";
import type { Classification } from "#domain/inbound/classify.ts";
import type { ParsedMail } from "#domain/inbound/mail.ts";
import { matchKeys } from "#domain/inbound/match.ts";
import { DAY_MS, plus, type UnixMs } from "#domain/time.ts";
import type { ReceivedMail } from "#runtime/ports/mail.ts";
import { campaignById, updateCampaign } from "#store/campaigns.ts";
import { enrollmentById, openOfCompany } from "#store/enrollments.ts";
import { inboundOf, insertInbound, isKnownMail } from "#store/inbound.ts";
import { findLeadById, leadByEmail, updateLead } from "#store/leads.ts";
import { lastMessageTo, messageByHeader, messageById, updateMessage } from "#store/messages.ts";
import { stepById, updateStep } from "#store/steps.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { CampaignRow } from "#store/tables/campaigns.ts";
import type { EnrollmentRow } from "#store/tables/leads.ts";
import type { InboundMailRow, MessageRow } from "#store/tables/messages.ts";
import { engineCaller, type World } from "#world.ts";
import { noteBounce } from "./bounces.ts";
import { endEnrollment, pauseEnrollment, setInterest } from "./enrollments.ts";
import { emit } from "./journal.ts";
import { suppress } from "./suppressions.ts";
import { readUnsubscribeToken, unsubscribeByMessage } from "./unsubscribe.ts";

/** A sender who never got mail from us within this time is not answering it. */
const SENDER_MATCH_MS = 30 * DAY_MS;
/** An absence without a return date. */
const ABSENCE_MS = 3 * DAY_MS;
const SUBJECT_MAX = 998;
const TEXT_MAX = 100_000;

export interface Arrived {
  received: ReceivedMail;
  mail: ParsedMail;
  reading: Classification;
}

/** Stores a mail and carries out what it asks for. Runs inside a commit; a known mail does nothing. */
export function receiveMail(world: World, account: AccountRow, arrived: Arrived): void {
  const { received, mail, reading } = arrived;
  const place = { accountId: account.id, folder: received.folder, uid: received.uid };
  if (reading.kind === "own" || isKnownMail(world.db, { ...place, messageId: mail.messageId })) {
    return;
  }
  if (honourToken(world, account, arrived)) {
    return;
  }
  const message = matchMessage(world, account, arrived);
  if (message === undefined) {
    noteUnmatched(world, account, arrived);
    return;
  }
  const row = enrollmentById(world.db, message.enrollmentId);
  const earlier = row === undefined ? [] : inboundOf(world.db, row.id);
  store(world, account, arrived, message);
  takeEffect(world, { arrived, message, row, earlier });
}

/** The mailto form of unsubscribing: the subject carries the token of the message. */
function honourToken(world: World, account: AccountRow, arrived: Arrived): boolean {
  const messageId = readUnsubscribeToken(world, arrived.mail.subject);
  const message = messageId === null ? undefined : messageById(world.db, messageId);
  if (message === undefined || message.teamId !== account.teamId) {
    return false;
  }
  const reading = {
    ...arrived.reading,
    kind: "unsubscribe",
    evidence: "unsubscribe address",
  } as const;
  store(world, account, { ...arrived, reading }, message);
  unsubscribeByMessage(world, message.id);
  return true;
}

function matchMessage(
  world: World,
  account: AccountRow,
  { mail, reading, received }: Arrived,
): MessageRow | undefined {
  const keys = matchKeys(mail, reading);
  for (const messageId of keys.messageIds) {
    const message = messageByHeader(world.db, messageId);
    if (message?.teamId === account.teamId && message.dataAt !== null) {
      return message;
    }
  }
  for (const sender of keys.senders) {
    const message = lastMessageTo(world.db, account.id, sender);
    const sentAt = message?.dataAt ?? null;
    if (sentAt !== null && sentAt > plus(received.receivedAt, -SENDER_MATCH_MS)) {
      return message;
    }
  }
  return undefined;
}

/** Somebody whom we know but did not write to from here is shown; strangers' mail is not kept. */
function noteUnmatched(world: World, account: AccountRow, arrived: Arrived): void {
  const from = arrived.mail.from?.address;
  const lead = from === undefined ? undefined : leadByEmail(world.db, account.teamId, from);
  if (lead === undefined || arrived.reading.kind !== "reply") {
    return;
  }
  store(world, account, arrived, undefined, lead.id);
  emit(world, account.teamId, "reply.untracked", {
    account_id: account.id,
    lead_id: lead.id,
    from,
    subject: arrived.mail.subject.slice(0, SUBJECT_MAX),
  });
}

function store(
  world: World,
  account: AccountRow,
  { received, mail, reading }: Arrived,
  message: MessageRow | undefined,
  leadId: string | null = null,
): void {
  const storedAt = world.clock.now();
  insertInbound(world.db, {
    id: world.ids.next(storedAt),
    teamId: account.teamId,
    accountId: account.id,
    folder: received.folder,
    uid: received.uid,
    messageId: mail.messageId,
    fromAddress: mail.from?.address ?? "",
    fromName: mail.from?.name ?? "",
    subject: mail.subject.slice(0, SUBJECT_MAX),
    receivedAt: received.receivedAt,
    storedAt,
    kind: reading.kind,
    severity: reading.severity,
    evidence: reading.evidence,
    repliesTo: message?.id ?? null,
    enrollmentId: message?.enrollmentId ?? null,
    leadId: message?.leadId ?? leadId,
    campaignId: message?.campaignId ?? null,
    text: reading.text.slice(0, TEXT_MAX),
    raw: received.raw,
    read: false,
  });
}

interface Match {
  arrived: Arrived;
  message: MessageRow;
  row: EnrollmentRow | undefined;
  earlier: readonly InboundMailRow[];
}

function takeEffect(world: World, match: Match): void {
  const { reading } = match.arrived;
  switch (reading.kind) {
    case "reply":
      noteReply(world, match);
      return;
    case "auto_reply":
      noteAbsence(world, match);
      return;
    case "bounce":
      if (isAbout(match)) {
        const { status, evidence, severity } = reading;
        noteBounce(world, match.message, { severity: severity ?? "soft", status, words: evidence });
      }
      return;
    case "complaint":
      noteComplaint(world, match);
      return;
    case "unsubscribe":
      unsubscribeByMessage(world, match.message.id);
      return;
    default:
      return;
  }
}

/** A report that names recipients must name ours: it may quote a mail that somebody forwarded. */
function isAbout({ arrived, message }: Match): boolean {
  const { recipients } = arrived.reading;
  return recipients.length === 0 || recipients.includes(message.recipient);
}

function noteReply(world: World, { arrived, message, row, earlier }: Match): void {
  const { mail, reading } = arrived;
  const now = world.clock.now();
  if (message.repliedAt === null) {
    updateMessage(world.db, { ...message, repliedAt: now });
  }
  const lead = findLeadById(world.db, message.leadId);
  if (lead !== undefined && lead.softBounces > 0) {
    updateLead(world.db, { ...lead, softBounces: 0 });
  }
  const campaign = campaignById(world.db, message.campaignId);
  if (row === undefined || campaign === undefined) {
    return;
  }
  if (!earlier.some(({ kind }) => kind === "reply")) {
    updateCampaign(world.db, { ...campaign, replied: campaign.replied + 1 });
    const step = stepById(world.db, message.stepId);
    if (step !== undefined) {
      updateStep(world.db, { ...step, replied: step.replied + 1 });
    }
  }
  emit(world, message.teamId, "reply.received", {
    ...factsOf(message),
    from: mail.from?.address ?? null,
    subject: mail.subject.slice(0, SUBJECT_MAX),
    interest: reading.interest,
  });
  const ended = campaign.stopOnReply ? endEnrollment(world, row, "replied", "reply") : row;
  if (reading.interest !== null) {
    setInterest(world, ended, reading.interest);
  }
  if (campaign.stopCompanyOnReply && isCompanyDomain(row.domain)) {
    stopCompany(world, campaign, row);
  }
}

/** Colleagues in the same campaign are left alone too. */
function stopCompany(world: World, campaign: CampaignRow, row: EnrollmentRow): void {
  for (const colleague of openOfCompany(world.db, campaign.id, row.domain)) {
    if (colleague.id !== row.id) {
      endEnrollment(world, colleague, "completed", "company_replied");
    }
  }
}

function noteAbsence(world: World, { arrived, message, row, earlier }: Match): void {
  const { reading, received } = arrived;
  const campaign = campaignById(world.db, message.campaignId);
  if (row === undefined || campaign === undefined) {
    return;
  }
  if (!earlier.some(({ kind }) => kind === "auto_reply")) {
    updateCampaign(world.db, { ...campaign, autoReplied: campaign.autoReplied + 1 });
  }
  emit(world, message.teamId, "reply.auto", { ...factsOf(message), returns_on: reading.returnsOn });
  if (campaign.stopOnAutoReply) {
    endEnrollment(world, row, "replied", "auto_reply");
    return;
  }
  const mayPause = row.status === "active" || (row.status === "paused" && row.dueAt !== null);
  if (isOpen(row.status) && mayPause && row.holdReason === null) {
    const until = resumeAt(campaign, row, reading.returnsOn, received.receivedAt);
    if (row.dueAt === null || until > row.dueAt) {
      pauseEnrollment(world, row, until, "auto_reply");
    }
  }
}

/** The start of the day after the last day of absence; the window then moves it to a working hour. */
function resumeAt(
  campaign: CampaignRow,
  row: EnrollmentRow,
  returnsOn: string | null,
  receivedAt: UnixMs,
): UnixMs {
  if (returnsOn === null) {
    return plus(receivedAt, ABSENCE_MS);
  }
  const zone = row.zone === "" ? campaign.sendWindow.timezone : row.zone;
  const day = Temporal.PlainDate.from(returnsOn).toZonedDateTime(zone);
  return day.epochMilliseconds as UnixMs;
}

function noteComplaint(world: World, { message, row }: Match): void {
  emit(world, message.teamId, "complaint.received", factsOf(message));
  if (row !== undefined) {
    endEnrollment(world, row, "unsubscribed", "complaint");
  }
  suppress(world, engineCaller(message.teamId), { email: message.recipient, reason: "complaint" });
}

function factsOf(message: MessageRow): Record<string, unknown> {
  return {
    email_id: message.id,
    campaign_id: message.campaignId,
    lead_id: message.leadId,
    enrollment_id: message.enrollmentId,
    account_id: message.accountId,
  };
}
