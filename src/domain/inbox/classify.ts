/**
 * What a received email is. The order of the questions is the point: reports carry the marks of automatic
 * replies, auto-replies read like people, and people quote both.
 *
 * Pure and bounded: any bytes that parse are classified, and the result carries its reason.
 */

import type { Interest } from "#domain/campaigns/enrollment.ts";
import { findAutoReply } from "#domain/inbox/auto-reply/auto-reply.ts";
import { findCalendar } from "#domain/inbox/auto-reply/calendar.ts";
import { findOptOut, isClientUnsubscribe } from "#domain/inbox/opt-out/opt-out.ts";
import { findBounce } from "#domain/inbox/reports/bounce.ts";
import { findComplaint } from "#domain/inbox/reports/complaint.ts";
import { findReceipt } from "#domain/inbox/reports/receipt.ts";
import type { Severity } from "#domain/inbox/reports/severity.ts";
import { type UnixMs, unixMs } from "#domain/time.ts";
import { withoutFooters } from "./footer.ts";
import { type InterestReading, readInterest, type TeamWords } from "./interest.ts";
import { header, type ParsedMail } from "./mail.ts";
import { stripReply } from "./reply.ts";
import { isReply } from "./reply-prefix.ts";

export type { Severity } from "#domain/inbox/reports/severity.ts";

export const INBOUND_KINDS = [
  "reply",
  "auto_reply",
  "bounce",
  "notice",
  "complaint",
  "unsubscribe",
  "own",
  "unrelated",
] as const;
/**
 * `notice`: a report of delay, success or reading, which changes nothing. `own`: sent by the account
 * itself. `unrelated`: newsletters and lists that reply to nothing.
 */
export type InboundKind = (typeof INBOUND_KINDS)[number];

export interface Classification {
  kind: InboundKind;
  /** Of a bounce, or of a notice of delay; else null. */
  severity: Severity | null;
  /** Enhanced status code, `5.1.1`. */
  status: string | null;
  /** Addresses that failed or complained, as far as the report names them. */
  recipients: readonly string[];
  /** Message-IDs of the message that a report returns, with angle brackets. */
  originalMessageIds: readonly string[];
  /** First day back of an absence, `2026-03-02`. */
  returnsOn: string | null;
  /** An auto-reply says that the person no longer works there. */
  hasLeft: boolean;
  /** Whom an auto-reply of somebody who left names instead, lower case. */
  newContact: string | null;
  /** The writer asks to be left alone, whatever else the text says. */
  optOut: boolean;
  /** Addresses that an opt-out names, lower case, the writer's own included; absent without any. */
  optOutAddresses?: readonly string[];
  /** The writer's own words, without quotes and signature. */
  text: string;
  interest: Interest | null;
  /** Of a feedback report: `abuse`, `opt-out` …; `opt-out` too where a client's button wrote. */
  feedbackType: string | null;
  confidence: "high" | "medium" | "low";
  /** What decided, for people. */
  evidence: string;
}

export interface OwnSide {
  /** Every address that the account sends from, lower case. */
  addresses: readonly string[];
  /** When it came; without it the email's own date is believed. */
  receivedAt?: UnixMs;
  /** Where the writer lives, as far as known; without it the offset of the email's date counts. */
  zone?: string;
  /** Where they are likely to: for an email whose date has no offset of its own, as servers write it. */
  likelyZone?: string;
}

/** Never throws. `words`: what a team wants read as interest, before the built-in phrases. */
export function classify(mail: ParsedMail, own: OwnSide, words: TeamWords = {}): Classification {
  const text = stripReply(mail.text);
  return (
    readReport(mail, text) ?? readOwn(mail, own, text) ?? readReply(mail, { own, text, words })
  );
}

const NOTHING = {
  severity: null,
  status: null,
  recipients: [],
  originalMessageIds: [],
  returnsOn: null,
  hasLeft: false,
  newContact: null,
  optOut: false,
  interest: null,
  feedbackType: null,
  confidence: "high",
} as const;

function readReport(mail: ParsedMail, text: string): Classification | null {
  const complaint = findComplaint(mail);
  if (complaint !== null) {
    return { ...NOTHING, ...complaint, optOut: complaint.feedbackType.startsWith("opt-out"), text };
  }
  const bounce = findBounce(mail);
  if (bounce !== null) {
    return { ...NOTHING, ...bounce, text };
  }
  const receipt = findReceipt(mail);
  return receipt === null ? null : { ...NOTHING, kind: "notice", text, evidence: receipt };
}

function readOwn(mail: ParsedMail, own: OwnSide, text: string): Classification | null {
  const isOwn = mail.from !== null && own.addresses.includes(mail.from.address);
  return isOwn ? { ...NOTHING, kind: "own", text, evidence: "sent by the account itself" } : null;
}

interface ReplyText {
  own: OwnSide;
  /** The writer's own words. */
  text: string;
  words: TeamWords;
}

function readReply(mail: ParsedMail, { own, text, words }: ReplyText): Classification {
  if (isClientUnsubscribe(mail)) {
    const evidence = "unsubscribe button of a mail client";
    return {
      ...NOTHING,
      kind: "unsubscribe",
      optOut: true,
      text,
      evidence,
      feedbackType: "opt-out",
    };
  }
  const calendar = findCalendar(mail);
  if (calendar !== null) {
    const { meets, evidence } = calendar;
    return { ...NOTHING, kind: "reply", interest: meets ? "meeting" : null, text, evidence };
  }
  const automatic = findAutoReply(mail, localDay(mail, own));
  if (automatic !== null) {
    return { ...NOTHING, ...automatic, kind: "auto_reply", text };
  }
  if (isBulk(mail)) {
    return { ...NOTHING, kind: "unrelated", text, confidence: "medium", evidence: "bulk mail" };
  }
  return readWords(mail, text, words);
}

/** What a person's own words say. Where there are none, the title stands for them. */
function readWords(mail: ParsedMail, text: string, words: TeamWords): Classification {
  const own = withoutFooters(text);
  const isFooterOnly = own === "" && text !== "";
  const optOut = findOptOut(isFooterOnly ? text : own || mail.subject, mail.from?.name ?? "");
  const reading = readInterest(own, words);
  if (optOut !== null && !isFooterOnly && !isWanted(readInterest(optOut.rest, words))) {
    const evidence = `asks for it: ${optOut.phrase}`;
    const named = optOut.addresses.length > 0 ? { optOutAddresses: optOut.addresses } : {};
    return { ...NOTHING, ...named, kind: "unsubscribe", optOut: true, text, evidence };
  }
  return {
    ...NOTHING,
    kind: "reply",
    optOut: optOut !== null,
    text,
    interest: reading?.interest ?? null,
    confidence: "medium",
    evidence: replyEvidence(optOut?.phrase ?? null, reading),
  };
}

/**
 * Beside interest a request may be a footer's ("delete this email"): a person decides. A bare "ja" is not
 * enough, for it may be another language's word (Portuguese "já").
 */
function isWanted(reading: InterestReading | null): boolean {
  const isYes = reading?.interest === "interested" || reading?.interest === "meeting";
  return isYes && reading.phrase !== "ja";
}

function replyEvidence(optOut: string | null, reading: InterestReading | null): string {
  if (optOut !== null) {
    return `no sign of an automated message; asks to be left alone: ${optOut}`;
  }
  return reading === null
    ? "no sign of an automated message"
    : `${reading.intent}: ${reading.phrase}`;
}

/** The writer's calendar day on which the email came. */
function localDay(mail: ParsedMail, own: OwnSide): Temporal.PlainDate {
  const instant = Temporal.Instant.fromEpochMilliseconds(own.receivedAt ?? mail.date ?? unixMs(0));
  const offset = /([+-]\d\d)(\d\d)\s*(?:\(|$)/.exec(header(mail, "date") ?? "");
  const isTheirs = offset !== null && !(offset[1]?.endsWith("00") && offset[2] === "00");
  const zones = [
    own.zone ?? "",
    isTheirs ? `${offset[1]}:${offset[2]}` : "",
    own.likelyZone ?? "",
    "UTC",
  ];
  for (const zone of zones) {
    try {
      return instant.toZonedDateTimeISO(zone).toPlainDate();
    } catch {
      // Not a zone: the next one.
    }
  }
  return instant.toZonedDateTimeISO("UTC").toPlainDate();
}

/** A newsletter or a list's email that replies to nothing. */
function isBulk(mail: ParsedMail): boolean {
  const isInThread = mail.inReplyTo !== null || mail.references.length > 0 || isReply(mail.subject);
  const marks = ["list-unsubscribe", "list-id"].some((name) => header(mail, name) !== null);
  const precedence = /^(?:bulk|list)/i.test(header(mail, "precedence") ?? "");
  return !isInThread && (marks || precedence);
}
