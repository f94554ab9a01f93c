/**
 * Reports of servers about a message: not delivered, not yet delivered, refused for what it is, unwanted.
 *
 * Source: RFC 3464 (delivery), RFC 5965 (complaints).
 */

import { plus, SECOND_MS, toIso } from "#domain/time.ts";
import { type Headers, mailbox, mailDate, multipart, unstructured } from "./mime.ts";
import {
  bounceSubject,
  daemonOf,
  delayed,
  type Failure,
  type Host,
  judgedSpam,
  mailboxFull,
  unknownUser,
} from "./providers.ts";
import { headerOf } from "./read-mail.ts";
import {
  boundaryOf,
  domainOf,
  envelopeHeaders,
  type Original,
  plain,
  threadHeaders,
  type Writing,
} from "./writing.ts";

export const DELIVERY_REPORTS = ["hard_bounce", "soft_bounce", "block_bounce", "delay"] as const;
export type DeliveryReport = (typeof DELIVERY_REPORTS)[number];

const FAILURES: Readonly<Record<DeliveryReport, (host: Host, recipient: string) => Failure>> = {
  hard_bounce: unknownUser,
  soft_bounce: mailboxFull,
  block_bounce: judgedSpam,
  delay: delayed,
};

/** RFC 3464: a text for people, a status for programs, the headers of what could not be delivered. */
export function deliveryReport(
  kind: DeliveryReport,
  original: Original,
  writing: Writing,
): Uint8Array {
  const { recipient, sender } = original;
  const { host } = writing;
  const domain = domainOf(recipient);
  const failure = FAILURES[kind](host, recipient);
  const isDelay = kind === "delay";
  const subject = headerOf(original.mail, "subject") ?? "";
  const from = daemonOf(host, domain);
  const headers: Headers = [
    ["Return-Path", "<>"],
    ...envelopeHeaders(writing, mailbox(from.name, from.address), sender, domain),
    ["Subject", unstructured(isDelay ? DELAY_SUBJECT : bounceSubject(host, subject))],
    ["Auto-Submitted", "auto-replied"],
    ...threadHeaders(original),
    ...(host === "google" && !isDelay ? ([["X-Failed-Recipients", recipient]] as const) : []),
  ];
  const status = [
    `Reporting-MTA: dns; mx.${domain}`,
    `Arrival-Date: ${mailDate(original.sentAt)}`,
    "",
    `Final-Recipient: rfc822; ${recipient}`,
    `Original-Recipient: rfc822; ${recipient}`,
    `Action: ${isDelay ? "delayed" : "failed"}`,
    `Status: ${failure.status}`,
    `Remote-MTA: dns; mx.${domain}`,
    `Diagnostic-Code: smtp; ${failure.diagnostic}`,
    `Last-Attempt-Date: ${mailDate(plus(writing.at, -SECOND_MS))}`,
    "",
  ];
  const outcome = isDelay ? "has not been delivered yet" : "could not be delivered";
  const words = writing.text ?? `Your message "${subject}" ${outcome}.\n\n${failure.words}\n`;
  return multipart(headers, "report; report-type=delivery-status", boundaryOf(writing), [
    plain(words),
    { type: "message/delivery-status", content: status.join("\n"), asIs: true },
    { type: "text/rfc822-headers", content: `${original.mail.headerBlock}\n`, asIs: true },
  ]);
}

const DELAY_SUBJECT = "Delivery Status Notification (Delay)";

/** RFC 5965: the recipient has pressed "spam". */
export function complaint(original: Original, writing: Writing): Uint8Array {
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
