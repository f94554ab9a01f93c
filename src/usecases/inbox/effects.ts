/**
 * What an email does to the lead, the address and the campaign, by what it is. All of it happens in the
 * transaction that stores or relabels the email, and is written down so that it can be taken back.
 *
 * A guess is not enough for everything: what came from a colleague of the lead ends a sequence as a reply
 * does, and neither suppresses nor pauses anybody.
 */

import { isOpen, LEFT_COMPANY } from "#domain/campaigns/enrollment.ts";
import { afterOutOfOffice } from "#domain/campaigns/schedule.ts";
import type { EventData } from "#domain/event-data.ts";
import { isFromRecipient } from "#domain/inbox/reports/complaint.ts";
import { snippetOf } from "#domain/inbox/snippet.ts";
import { isCompanyDomain } from "#domain/leads/company.ts";
import { DAY_MS, plus, type UnixMs, unixMs } from "#domain/time.ts";
import { type Environment, engineCaller } from "#environment.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import type { InboundMail } from "#store/inbox/inbound.ts";
import {
  enrollmentById,
  enrollmentsOfCompany,
  enrollmentsOfLead,
} from "#store/leads/enrollments.ts";
import { findLeadById, updateLead } from "#store/leads/leads.ts";
import { messagesOf } from "#store/sending/messages.ts";
import type { CampaignRow } from "#store/tables/campaigns.ts";
import type { EnrollmentRow } from "#store/tables/leads.ts";
import type { MessageRow } from "#store/tables/messages.ts";
import { countNegativeEvent } from "#usecases/campaigns/negative-events.ts";
import { note } from "#usecases/events/effect-log.ts";
import { emit } from "#usecases/events/record.ts";
import { endEnrollment, enrollmentFacts } from "#usecases/leads/enrollments.ts";
import { followReply, setInterest, stopMoved } from "#usecases/leads/interest.ts";
import { pauseEnrollment } from "#usecases/leads/pauses.ts";
import { suppress, suppressRecipient } from "#usecases/leads/suppressions.ts";
import { unsubscribeByMessage } from "#usecases/leads/unsubscribe.ts";
import { isToPresent, recordBounce } from "#usecases/sending/bounces.ts";
import { namedOptOuts } from "./named-opt-outs.ts";

/** An absence without a return date. */
const ABSENCE_MS = 3 * DAY_MS;

/** An email and its owner. */
export interface Case {
  mail: InboundMail;
  /** The message of ours that it replies to. */
  message: MessageRow | undefined;
  /** Undefined: it belongs to no campaign, and only bounces and opt-outs mean anything. */
  row: EnrollmentRow | undefined;
  /** A person says what it is: nothing is doubted. */
  byPerson: boolean;
}

export function takeEffect(env: Environment, given: Case): void {
  const { mail, row, byPerson } = given;
  if (mail.matchedBy === "company" && mail.kind !== "reply" && !byPerson) {
    return;
  }
  switch (mail.kind) {
    case "reply":
      if (row !== undefined) {
        recordReply(env, { ...given, row });
      }
      return;
    case "auto_reply":
      if (row !== undefined) {
        recordOutOfOffice(env, { ...given, row });
      }
      return;
    case "bounce":
      recordReport(env, given);
      return;
    case "complaint":
      if (byPerson || isFromRecipient(mail.reading.feedbackType)) {
        recordComplaint(env, given);
      }
      return;
    case "unsubscribe":
      recordOptOut(env, given);
      return;
    default:
  }
}

function recordReport(env: Environment, { mail, message, byPerson }: Case): void {
  if (message !== undefined && (byPerson || isAbout(mail, message))) {
    const { evidence: words, reading } = mail;
    const severity = mail.severity ?? "soft";
    recordBounce(env, message, { severity, status: reading.status, words }, mail.id);
  }
}

/** A report that names recipients must name ours: it may quote an email that somebody forwarded. */
function isAbout({ reading }: InboundMail, { recipient }: MessageRow): boolean {
  return reading.recipients.length === 0 || reading.recipients.includes(recipient);
}

type Tracked = Case & { row: EnrollmentRow };

function recordReply(env: Environment, given: Tracked): void {
  const { mail, row } = given;
  forgetSoftBounces(env, given);
  const campaign = campaignById(env.db, row.campaignId);
  if (campaign === undefined) {
    return;
  }
  emit(env, row.teamId, "reply.received", {
    ...factsOf(env, given),
    from: mail.fromAddress === "" ? null : mail.fromAddress,
    subject: mail.subject,
    snippet: snippetOf(mail.text),
    interest: mail.reading.interest,
    matched_by: mail.matchedBy,
  });
  const ended = campaign.stopOnReply
    ? endEnrollment(env, row, "replied", "reply", mail.id)
    : (enrollmentById(env.db, row.id) ?? row);
  const { interest } = mail.reading;
  stopMoved(env, row, mail.id);
  if (interest !== null) {
    setInterest(env, ended, interest, mail.id);
  }
  followReply(env, row, { interest, cause: mail.id });
  if (campaign.stopCompanyOnReply && isCompanyDomain(row.domain)) {
    stopCompany(env, campaign, given);
  }
}

/** Something got through, so what failed before is no row of failures. */
function forgetSoftBounces(env: Environment, { row, mail, message }: Tracked): void {
  const lead = findLeadById(env.db, row.leadId);
  const isPresent = message === undefined || isToPresent(env, message);
  if (lead !== undefined && lead.softBounces > 0 && isPresent) {
    updateLead(env.db, { ...lead, softBounces: 0 });
    const whose = { teamId: lead.teamId, subjectId: lead.id };
    note(env, mail.id, whose, "soft_bounces", [null, -lead.softBounces]);
  }
}

/**
 * Colleagues in the same campaign are left alone too. Also who has ended already: what ended them may be
 * taken back, and then this counts.
 */
function stopCompany(env: Environment, campaign: CampaignRow, { row, mail }: Tracked): void {
  for (const colleague of enrollmentsOfCompany(env.db, campaign.id, row.domain)) {
    if (colleague.id !== row.id) {
      endEnrollment(env, colleague, "completed", "company_replied", mail.id);
    }
  }
}

function recordOutOfOffice(env: Environment, given: Tracked): void {
  const { mail, row } = given;
  const { returnsOn, hasLeft, newContact } = mail.reading;
  const campaign = campaignById(env.db, row.campaignId);
  if (campaign === undefined) {
    return;
  }
  const away = { returns_on: returnsOn, left_company: hasLeft, new_contact: newContact };
  const told = { ...factsOf(env, given), ...away };
  emit(env, row.teamId, "reply.auto", told);
  if (hasLeft) {
    leave(env, given);
  } else if (campaign.stopOnAutoReply) {
    endEnrollment(env, row, "replied", "auto_reply", mail.id);
  } else {
    pause(env, campaign, given);
  }
}

/** Nobody reads that mailbox any more, whatever the campaign; the lead may have another one by now. */
function leave(env: Environment, { row, mail, message }: Tracked): void {
  if (message !== undefined && !isToPresent(env, message)) {
    return;
  }
  for (const other of enrollmentsOfLead(env.db, row.leadId)) {
    endEnrollment(env, other, "completed", LEFT_COMPANY, mail.id);
  }
}

/** Never shortens a wait, and never frees who was paused by hand or waits for a person. */
function pause(env: Environment, campaign: CampaignRow, { row, mail }: Tracked): void {
  const mayPause = row.status === "active" || (row.status === "paused" && row.dueAt !== null);
  if (!isOpen(row.status) || !mayPause || row.holdReason !== null) {
    return;
  }
  const until = resumeAt(env, campaign, row, mail);
  if (row.dueAt === null || until > row.dueAt) {
    pauseEnrollment(env, row, until, "auto_reply", mail.id);
  }
}

function resumeAt(
  env: Environment,
  campaign: CampaignRow,
  row: EnrollmentRow,
  { reading, receivedAt }: InboundMail,
): UnixMs {
  const zone = row.zone === "" ? null : row.zone;
  const { returnsOn } = reading;
  const until =
    returnsOn === null
      ? plus(receivedAt, ABSENCE_MS)
      : afterOutOfOffice(campaign.sendWindow, zone, returnsOn);
  return unixMs(Math.max(until, env.clock.now()));
}

function recordComplaint(env: Environment, given: Case): void {
  const { mail, row } = given;
  emit(env, mail.teamId, "complaint.received", factsOf(env, given));
  if (row !== undefined) {
    endEnrollment(env, row, "unsubscribed", "complaint", mail.id);
  }
  suppressWhom(env, given, "complaint");
  const about = given.message ?? (row && lastSentTo(env, row));
  if (about !== undefined) {
    countNegativeEvent(env, about, "complaint", mail.id);
  }
}

/** What a complaint that names no email is about. */
function lastSentTo(env: Environment, row: EnrollmentRow): MessageRow | undefined {
  return messagesOf(env.db, row.id).findLast(({ status }) => status === "sent");
}

function recordOptOut(env: Environment, given: Case): void {
  const { mail, row, message } = given;
  const addresses = mail.reading.optOutAddresses ?? [];
  for (const email of namedOptOuts(env, { ...mail, addresses }).suppressed) {
    suppress(env, engineCaller(mail.teamId), { email, reason: "unsubscribe" }, mail.id);
  }
  if (message !== undefined) {
    unsubscribeByMessage(env, message.id, mail.id);
    return;
  }
  if (row !== undefined) {
    endEnrollment(env, row, "unsubscribed", "unsubscribe", mail.id);
  }
  suppressWhom(env, given, "unsubscribe");
}

/** Whom we wrote to; where that is not known, the lead. */
function suppressWhom(
  env: Environment,
  { mail, row, message }: Case,
  reason: "complaint" | "unsubscribe",
): void {
  if (message !== undefined) {
    suppressRecipient(env, message, reason, mail.id);
    return;
  }
  const lead = row === undefined ? undefined : findLeadById(env.db, row.leadId);
  if (lead !== undefined) {
    suppress(env, engineCaller(lead.teamId), { email: lead.email, reason }, mail.id);
  }
}

const OF_NOBODY = {
  campaign_id: null,
  lead_id: null,
  enrollment_id: null,
  email: null,
  assignments: [],
};

function factsOf(env: Environment, { mail, message, row }: Case): EventData<"complaint.received"> {
  return {
    email_id: message?.id ?? null,
    mail_id: mail.id,
    thread_id: mail.threadId,
    ...(row === undefined ? OF_NOBODY : enrollmentFacts(env, row)),
    account_id: mail.accountId,
  };
}
