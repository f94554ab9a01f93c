/**
 * Feedback reports: a recipient pressed "spam", or a provider tells of something else.
 *
 * Source: RFC 5965 (ARF); RFC 6692 (Original-Rcpt-To and others); Hotmail's older form, which encloses
 * the message and has no report part.
 */

import {
  addressOf,
  type FieldGroup,
  field,
  findAddresses,
  parseFields,
} from "#domain/inbox/fields.ts";
import { fold } from "#domain/inbox/fold.ts";
import { header, type ParsedMail } from "#domain/inbox/mail.ts";
import { originalOf } from "./original.ts";
import { readSesEvent } from "./ses-event.ts";

export interface FeedbackReport {
  /** `notice`: the recipient took it back (`not-spam`). */
  kind: "complaint" | "notice";
  /** Lower case: `abuse`, `fraud`, `opt-out` … */
  feedbackType: string;
  recipients: readonly string[];
  originalMessageIds: readonly string[];
  evidence: string;
}

/**
 * No recipient complained: a server found a virus (RFC 5965 §7.3) or failed to authenticate (RFC 6591,
 * RFC 7489), or somebody took a complaint back (RFC 6430).
 */
const MACHINE_TYPES: ReadonlySet<string> = new Set(["auth-failure", "dmarc", "virus", "not-spam"]);

/**
 * Whether a feedback report of this type means that a recipient wants no more mail: `abuse`, `fraud`,
 * the providers' own `opt-out` and `opt-out-list`, and `other`, as which a type that is not registered
 * counts. Where it is doubtful an email too few is the smaller harm.
 */
export function isFromRecipient(feedbackType: string | null): boolean {
  return !MACHINE_TYPES.has(feedbackType ?? "");
}

const RECIPIENT_FIELDS = [
  "original-rcpt-to",
  "removal-recipient",
  "redacted-address",
  "original-recipient",
  "final-recipient",
];

/** Null for an email that is no feedback report. */
export function findComplaint(mail: ParsedMail): FeedbackReport | null {
  const part = mail.parts.find(({ type }) => type === "message/feedback-report");
  if (part !== undefined) {
    return byFields(mail, parseFields(part.content), "feedback-report");
  }
  const inText = parseFields(mail.text).filter((group) => group.has("feedback-type"));
  if (inText.length > 0 && mail.inReplyTo === null) {
    return byFields(mail, inText, "feedback-type in the text");
  }
  return byEvent(mail) ?? byOldForm(mail);
}

function byEvent(mail: ParsedMail): FeedbackReport | null {
  const event = readSesEvent(mail);
  if (event?.type !== "complaint") {
    return null;
  }
  const feedbackType = event.feedbackType || "abuse";
  return {
    kind: feedbackType === "not-spam" ? "notice" : "complaint",
    feedbackType,
    recipients: event.recipients,
    originalMessageIds: event.messageIds,
    evidence: `ses: complaint, ${feedbackType}`.slice(0, 120),
  };
}

function byFields(mail: ParsedMail, groups: readonly FieldGroup[], sign: string): FeedbackReport {
  const type = groups.map((group) => field(group, "feedback-type")).find((value) => value !== null);
  const feedbackType = (type ?? "abuse").toLowerCase().trim();
  const original = originalOf(mail);
  const named = groups.flatMap((group) =>
    RECIPIENT_FIELDS.flatMap((name) => (group.get(name) ?? []).map(addressOf)),
  );
  const given = named.filter((address) => address !== "");
  return {
    kind: feedbackType === "not-spam" ? "notice" : "complaint",
    feedbackType,
    recipients: [...new Set(given.length > 0 ? given : original.recipients)],
    originalMessageIds: original.messageIds,
    evidence: `${sign}: ${feedbackType}`.slice(0, 120),
  };
}

const OLD_SENDERS = /^(?:staff@hotmail\.com|feedbackloop@|fbl@|complaints?@|abuse@|scomp@)/;
const OLD_SUBJECTS =
  /^(?:complaint about message from|fw: complaint|abuse report|email feedback report|fbl report)/;

function byOldForm(mail: ParsedMail): FeedbackReport | null {
  const subject = fold(mail.subject);
  const marked = header(mail, "x-hmxmroriginalrecipient");
  if (marked !== null && /staff@hotmail\.com/i.test(header(mail, "return-path") ?? "")) {
    return {
      kind: "complaint",
      feedbackType: "abuse",
      recipients: findAddresses(marked),
      originalMessageIds: mail.messageId === null ? [] : [mail.messageId],
      evidence: "x-hmxmroriginalrecipient",
    };
  }
  const isFromDesk = OLD_SENDERS.test(mail.from?.address ?? "");
  const original = originalOf(mail);
  const isEnclosed = mail.parts.some(({ type }) => type === "message/rfc822");
  if (
    !isFromDesk ||
    !OLD_SUBJECTS.test(subject) ||
    !(isEnclosed || original.messageIds.length > 0)
  ) {
    return null;
  }
  const { finalRecipients, recipients, messageIds } = original;
  return {
    kind: "complaint",
    feedbackType: "abuse",
    recipients: finalRecipients.length > 0 ? finalRecipients : recipients,
    originalMessageIds: messageIds,
    evidence: `complaint desk: ${subject}`.slice(0, 120),
  };
}
