/**
 * The mails that come back: a person's reply, a holiday notice, a typed opt-out or one sent to the
 * List-Unsubscribe address, a bounce, a complaint. Each as a real server would write it, so that what
 * reads them is tested on the real thing.
 *
 * Source: RFC 5322 §3.6.4 (threads), RFC 3464 (bounces), RFC 3834 (automatic replies), RFC 5965
 * (complaints), RFC 2369 (List-Unsubscribe).
 */

import { plus, SECOND_MS, toIso, type UnixMs } from "#domain/time.ts";
import {
  type Headers,
  mailbox,
  mailDate,
  multipart,
  type Part,
  singlePart,
  unstructured,
} from "./mime.ts";
import { type Language, longDate, PHRASES, type Phrases } from "./phrases.ts";
import {
  automaticHeaders,
  bounceSubject,
  daemonOf,
  type Host,
  mailboxFull,
  unknownUser,
} from "./providers.ts";
import { headerOf, mailboxOf, type ReadMail } from "./read-mail.ts";
import type { ReactionKind } from "./settings.ts";

/** The message that is reacted to. */
export interface Original {
  raw: Uint8Array;
  mail: ReadMail;
  /** With its angle brackets. */
  messageId: string;
  /** The account's address, to which everything comes back. */
  sender: string;
  recipient: string;
  sentAt: UnixMs;
}

export interface Writing {
  /** Distinguishes this mail from all others; ASCII letters, digits, dots and dashes. */
  id: string;
  at: UnixMs;
  host: Host;
  language: Language;
  /** 0 to 1: which of the wordings. */
  pick: number;
  /** A person's own words in place of ours. */
  text?: string;
  /** Last day away plus one, `2026-03-16`. */
  returnsOn?: string;
  /** Another address than the recipient's: a colleague answers. */
  from?: string;
}

/** Quoted lines of the original, so that an answer does not grow without bound. */
const QUOTED_LINES_MAX = 60;
const REFERENCES_MAX = 50;

export function writeReaction(
  kind: ReactionKind,
  original: Original,
  writing: Writing,
): Uint8Array {
  switch (kind) {
    case "reply":
    case "interested":
      return answer(original, writing, writing.text ?? wording(writing, kind));
    case "unsubscribe":
      return optOut(original, writing);
    case "auto_reply":
      return holidayNotice(original, writing);
    case "hard_bounce":
    case "soft_bounce":
      return bounce(kind, original, writing);
    case "complaint":
      return complaint(original, writing);
  }
}

/** A mail of somebody who was not written to, or not in this thread. */
export function writeStranger(
  to: string,
  writing: Writing & { from: string; text: string; subject: string },
): Uint8Array {
  const headers: Headers = [
    ...envelopeHeaders(writing, person(writing.from), to, domainOf(writing.from)),
    ["Subject", unstructured(writing.subject)],
  ];
  return singlePart(headers, plain(writing.text));
}

function answer(original: Original, writing: Writing, words: string): Uint8Array {
  const headers = [
    ...personHeaders(original, writing),
    ["Subject", unstructured(replySubject(original))],
    ...threadHeaders(original),
  ] as const;
  return singlePart(headers, plain(`${words}\n\n${quotation(original, writing)}\n`));
}

/** Typed into an answer, or, where the message offers an address for it, sometimes sent there. */
function optOut(original: Original, writing: Writing): Uint8Array {
  const words = writing.text ?? wording(writing, "unsubscribe");
  const target = writing.pick < MAILTO_SHARE ? unsubscribeTarget(original.mail) : undefined;
  if (target === undefined || writing.text !== undefined) {
    return answer(original, writing, words);
  }
  const { recipient } = original;
  const headers: Headers = [
    ...envelopeHeaders(
      writing,
      person(writing.from ?? recipient),
      target.address,
      domainOf(recipient),
    ),
    ["Subject", unstructured(target.subject)],
  ];
  return singlePart(headers, plain(`${target.body}\n`));
}

const MAILTO_SHARE = 0.3;

function unsubscribeTarget(
  mail: ReadMail,
): { address: string; subject: string; body: string } | undefined {
  const mailto = /<mailto:([^>?\s]+)(?:\?([^>\s]*))?>/i.exec(
    headerOf(mail, "list-unsubscribe") ?? "",
  );
  if (mailto === null) {
    return undefined;
  }
  const fields = new URLSearchParams(mailto[2] ?? "");
  try {
    return {
      address: decodeURIComponent(mailto[1] ?? ""),
      subject: fields.get("subject") ?? "unsubscribe",
      body: fields.get("body") ?? "",
    };
  } catch {
    return undefined;
  }
}

function holidayNotice(original: Original, writing: Writing): Uint8Array {
  const { language, host } = writing;
  const who = recipientName(original, writing);
  const phrases = PHRASES[language];
  const date = longDate(language, writing.returnsOn ?? returnDate(writing));
  const subject = headerOf(original.mail, "subject") ?? "";
  const headers: Headers = [
    ["Return-Path", "<>"],
    ...personHeaders(original, writing),
    ["Subject", unstructured(phrases.awaySubject(subject))],
    ...threadHeaders(original),
    ...automaticHeaders(host),
  ];
  return singlePart(headers, plain(writing.text ?? `${phrases.awayText(date, who)}\n`));
}

/** A weekday, 2 to 15 days on. */
function returnDate(writing: Writing): string {
  const days = 2 + Math.floor(writing.pick * 12);
  const away = Temporal.Instant.fromEpochMilliseconds(writing.at)
    .toZonedDateTimeISO("UTC")
    .toPlainDate()
    .add({ days });
  return (away.dayOfWeek > 5 ? away.add({ days: 8 - away.dayOfWeek }) : away).toString();
}

/** RFC 3464: a text for people, a status for programs, the headers of what could not be delivered. */
function bounce(
  kind: "hard_bounce" | "soft_bounce",
  original: Original,
  writing: Writing,
): Uint8Array {
  const { recipient, sender } = original;
  const { host } = writing;
  const domain = domainOf(recipient);
  const failure =
    kind === "hard_bounce" ? unknownUser(host, recipient) : mailboxFull(host, recipient);
  const subject = headerOf(original.mail, "subject") ?? "";
  const from = daemonOf(host, domain);
  const headers: Headers = [
    ["Return-Path", "<>"],
    ...envelopeHeaders(writing, mailbox(from.name, from.address), sender, domain),
    ["Subject", unstructured(bounceSubject(host, subject))],
    ["Auto-Submitted", "auto-replied"],
    ...threadHeaders(original),
    ...(host === "google" ? ([["X-Failed-Recipients", recipient]] as const) : []),
  ];
  const status = [
    `Reporting-MTA: dns; mx.${domain}`,
    `Arrival-Date: ${mailDate(original.sentAt)}`,
    "",
    `Final-Recipient: rfc822; ${recipient}`,
    `Original-Recipient: rfc822; ${recipient}`,
    "Action: failed",
    `Status: ${failure.status}`,
    `Remote-MTA: dns; mx.${domain}`,
    `Diagnostic-Code: smtp; ${failure.diagnostic}`,
    `Last-Attempt-Date: ${mailDate(plus(writing.at, -SECOND_MS))}`,
    "",
  ];
  const words =
    writing.text ?? `Your message "${subject}" could not be delivered.\n\n${failure.words}\n`;
  return multipart(headers, "report; report-type=delivery-status", boundaryOf(writing), [
    plain(words),
    { type: "message/delivery-status", content: status.join("\n"), asIs: true },
    { type: "text/rfc822-headers", content: `${original.mail.headerBlock}\n`, asIs: true },
  ]);
}

/** RFC 5965: the recipient has pressed "spam". */
function complaint(original: Original, writing: Writing): Uint8Array {
  const { recipient, sender } = original;
  const domain = domainOf(recipient);
  const subject = headerOf(original.mail, "subject") ?? "";
  const headers: Headers = [
    ["Return-Path", "<>"],
    ...envelopeHeaders(writing, mailbox("Feedback Loop", `fbl@${domain}`), sender, domain),
    ["Subject", unstructured(`FW: ${subject}`)],
  ];
  const report = [
    "Feedback-Type: abuse",
    "User-Agent: Sandbox-FBL/1.0",
    "Version: 1",
    `Original-Mail-From: <${sender}>`,
    `Original-Rcpt-To: <${recipient}>`,
    `Arrival-Date: ${mailDate(original.sentAt)}`,
    `Reported-Domain: ${domainOf(sender)}`,
    "",
  ];
  const words = `${recipient} has reported a message of ${toIso(original.sentAt)} as unwanted.\n`;
  const enclosed = Buffer.from(original.raw).toString("utf8");
  return multipart(headers, "report; report-type=feedback-report", boundaryOf(writing), [
    plain(writing.text ?? words),
    { type: "message/feedback-report", content: report.join("\n"), asIs: true },
    { type: "message/rfc822", content: enclosed, asIs: true },
  ]);
}

function wording(writing: Writing, kind: "reply" | "interested" | "unsubscribe"): string {
  const options: Phrases[typeof kind] = PHRASES[writing.language][kind];
  return options[Math.floor(writing.pick * options.length)] ?? options[0] ?? "";
}

function personHeaders(original: Original, writing: Writing): Headers {
  const from = mailbox(recipientName(original, writing), writing.from ?? original.recipient);
  const to = headerOf(original.mail, "reply-to") ?? headerOf(original.mail, "from");
  const address = mailboxOf(to)?.address ?? original.sender;
  return envelopeHeaders(writing, from, address, domainOf(writing.from ?? original.recipient));
}

/** What every mail opens with. `from` is a whole mailbox, `to` an address. */
function envelopeHeaders(writing: Writing, from: string, to: string, domain: string): Headers {
  return [
    ["From", from],
    ["To", to],
    ["Date", mailDate(writing.at)],
    ["Message-ID", `<${writing.id}@${domain}>`],
  ];
}

function threadHeaders(original: Original): Headers {
  const earlier = (headerOf(original.mail, "references") ?? "").match(/<[^<>\s]{1,998}>/g) ?? [];
  const chain = [...earlier.slice(-REFERENCES_MAX), original.messageId];
  return [
    ["In-Reply-To", original.messageId],
    ["References", chain.join(" ")],
  ];
}

function replySubject(original: Original): string {
  const subject = headerOf(original.mail, "subject") ?? "";
  return /^re:/i.test(subject) ? subject : `Re: ${subject}`;
}

/** Under the answer, as the host's mail program quotes. */
function quotation(original: Original, writing: Writing): string {
  const { language, host } = writing;
  const lines = original.mail.text.trimEnd().split("\n").slice(0, QUOTED_LINES_MAX);
  const date = longDate(language, toIso(original.sentAt).slice(0, 10));
  const who = headerOf(original.mail, "from") ?? original.sender;
  if (host === "microsoft" && language === "en") {
    const subject = headerOf(original.mail, "subject") ?? "";
    return [
      "-----Original Message-----",
      `From: ${who}`,
      `Sent: ${date}`,
      `To: ${original.recipient}`,
      `Subject: ${subject}`,
      "",
      ...lines,
    ].join("\n");
  }
  return [PHRASES[language].wrote(date, who), ...lines.map((line) => `> ${line}`)].join("\n");
}

/** As we addressed them, else out of the address. */
function recipientName(original: Original, writing: Writing): string {
  if (writing.from !== undefined) {
    return nameOf(writing.from);
  }
  const to = mailboxOf(headerOf(original.mail, "to"));
  return to === null || to.name === "" ? nameOf(original.recipient) : to.name;
}

function person(address: string): string {
  return mailbox(nameOf(address), address);
}

/** `ada.lovelace+x@example.com` is Ada Lovelace. */
function nameOf(address: string): string {
  const local = (address.split("@")[0] ?? "").split("+")[0] ?? "";
  return local
    .split(/[._-]+/)
    .filter((word) => word !== "")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1);
}

function plain(content: string): Part {
  return { type: "text/plain; charset=utf-8", content };
}

function boundaryOf(writing: Writing): string {
  return `=_${writing.id}`;
}
