/**
 * The emails that come back: a person's reply, a holiday notice, a typed opt-out or one sent to the
 * List-Unsubscribe address, a bounce, a complaint. Each as a real server would write it, so that what
 * reads them is tested on the real thing.
 *
 * Source: RFC 5322 §3.6.4 (threads), RFC 3464 (bounces), RFC 3834 (automatic replies), RFC 5965
 * (complaints), RFC 2369 (List-Unsubscribe).
 */

import { toIso } from "#domain/time.ts";
import { type Headers, mailbox, singlePart, unstructured } from "./mime.ts";
import { longDate, PHRASES, type Phrases } from "./phrases.ts";
import { automaticHeaders } from "./providers.ts";
import { headerOf, mailboxOf, type ReadMail } from "./read-mail.ts";
import { complaint, deliveryReport } from "./reports.ts";
import type { PlayedKind } from "./settings.ts";
import {
  domainOf,
  envelopeHeaders,
  type Original,
  plain,
  threadHeaders,
  type Writing,
} from "./writing.ts";

export type { Original, Writing } from "./writing.ts";

/** Quoted lines of the original, so that a reply does not grow without bound. */
const QUOTED_LINES_MAX = 60;

export function writeReaction(kind: PlayedKind, original: Original, writing: Writing): Uint8Array {
  switch (kind) {
    case "reply":
    case "interested":
      return reply(original, writing, writing.text ?? wording(writing, kind));
    case "unsubscribe":
      return optOut(original, writing);
    case "auto_reply":
      return holidayNotice(original, writing);
    case "left_company":
      return leavingNotice(original, writing);
    case "newsletter":
      return newsletter(original, writing);
    case "hard_bounce":
    case "soft_bounce":
    case "block_bounce":
    case "delay":
      return deliveryReport(kind, original, writing);
    case "complaint":
      return complaint(original, writing);
  }
}

/** An email of somebody who was not written to, or not in this thread. */
export function writeFromStranger(
  to: string,
  writing: Writing & { from: string; text: string; subject: string },
): Uint8Array {
  const headers: Headers = [
    ...envelopeHeaders(writing, person(writing.from), to, domainOf(writing.from)),
    ["Subject", unstructured(writing.subject)],
  ];
  return singlePart(headers, plain(writing.text));
}

function reply(original: Original, writing: Writing, words: string): Uint8Array {
  const headers = [
    ...personHeaders(original, writing),
    ["Subject", unstructured(replySubject(original))],
    ...threadHeaders(original),
  ] as const;
  return singlePart(headers, plain(`${words}\n\n${quotation(original, writing)}\n`));
}

/** Typed into a reply, or, where the message offers an address for it, sometimes sent there. */
function optOut(original: Original, writing: Writing): Uint8Array {
  const words = writing.text ?? wording(writing, "unsubscribe");
  const target = writing.pick < MAILTO_SHARE ? unsubscribeTarget(original.mail) : undefined;
  if (target === undefined || writing.text !== undefined) {
    return reply(original, writing, words);
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
  const { language } = writing;
  const date = longDate(language, writing.returnsOn ?? returnDate(writing));
  const who = recipientName(original, writing);
  return automatic(original, writing, PHRASES[language].awayText(date, who));
}

/** Somebody else is there now. */
function leavingNotice(original: Original, writing: Writing): Uint8Array {
  const who = recipientName(original, writing);
  const office = `office@${domainOf(original.recipient)}`;
  return automatic(original, writing, PHRASES[writing.language].leftText(who, office));
}

function automatic(original: Original, writing: Writing, words: string): Uint8Array {
  const phrases = PHRASES[writing.language];
  const { host } = writing;
  const subject = headerOf(original.mail, "subject") ?? "";
  const headers: Headers = [
    ["Return-Path", "<>"],
    ...personHeaders(original, writing),
    ["Subject", unstructured(phrases.awaySubject(subject))],
    ...threadHeaders(original),
    ...automaticHeaders(host),
  ];
  return singlePart(headers, plain(writing.text ?? `${words}\n`));
}

/** The recipient's company writes to everybody it knows: it replies to nothing. */
function newsletter(original: Original, writing: Writing): Uint8Array {
  const domain = domainOf(original.recipient);
  const headers: Headers = [
    ...envelopeHeaders(writing, person(original.recipient), original.sender, domain),
    ["Subject", unstructured("News of the month")],
    ["List-Id", `<news.${domain}>`],
    ["List-Unsubscribe", `<mailto:leave@${domain}>`],
    ["Precedence", "bulk"],
  ];
  return singlePart(headers, plain(writing.text ?? "What is new with us this month.\n"));
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

function replySubject(original: Original): string {
  const subject = headerOf(original.mail, "subject") ?? "";
  return /^re:/i.test(subject) ? subject : `Re: ${subject}`;
}

/** Below the reply, as the host's mail program quotes. */
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
