/**
 * Amazon SES tells of bounces, delays and complaints as JSON, which its notification service emails as
 * text, in an envelope of its own if the subscription asks for one.
 *
 * Source: the notification contents that Amazon SES documents for its SNS topics.
 */

import type { ParsedMail } from "#domain/inbox/mail.ts";

export interface SesEvent {
  type: "bounce" | "complaint" | "delivery" | "deliverydelay";
  /** `Permanent`, `Transient` or `Undetermined`; empty elsewhere. */
  bounceType: string;
  recipients: readonly string[];
  status: string;
  diagnostic: string;
  /** Lower case; empty where the provider names none. */
  feedbackType: string;
  messageIds: readonly string[];
}

const TEXT_CHARS_MAX = 100_000;
const RECIPIENTS_MAX = 50;

/** Null for a text that is no such notification. Cut JSON counts as none. */
export function readSesEvent(mail: ParsedMail): SesEvent | null {
  const text = withoutEnvelope(mail.text.slice(0, TEXT_CHARS_MAX));
  const type = /"(?:notification|event)Type"\s*:\s*"(bounce|complaint|delivery(?:delay)?)"/i.exec(
    text,
  )?.[1];
  if (type === undefined || mail.inReplyTo !== null || !text.trimStart().startsWith("{")) {
    return null;
  }
  const values = (name: string) => stringsOf(text, name);
  return {
    type: type.toLowerCase() as SesEvent["type"],
    bounceType: values("bounceType")[0] ?? "",
    recipients: [...new Set(values("emailAddress").map((one) => one.toLowerCase()))],
    status: values("status")[0] ?? "",
    diagnostic: (values("diagnosticCode")[0] ?? "").replace(/^smtp;\s*/i, ""),
    feedbackType: (values("complaintFeedbackType")[0] ?? "").toLowerCase(),
    messageIds: messageIdsOf(text, values("messageId")),
  };
}

/** The notification inside the envelope's string; its own quotes are escaped once more. */
function withoutEnvelope(text: string): string {
  const isEnvelope = /^\s*\{[^{}]{0,2000}"Message"\s*:\s*"\s*\{\s*\\"/.test(text);
  return isEnvelope ? text.replace(/\\(["\\])/g, "$1") : text;
}

/** Values of every string member called `name`; read by eye, for email breaks long lines of JSON. */
function stringsOf(text: string, name: string): string[] {
  const pattern = new RegExp(`"${name}"\\s*:\\s*"((?:[^"\\\\]|\\\\.){0,2000})"`, "g");
  return [...text.matchAll(pattern)]
    .slice(0, RECIPIENTS_MAX)
    .map(([, value = ""]) => value.replace(/\\(["\\/])/g, "$1"));
}

/** The header of the message, if the notification repeats it, and the id that SES gave it. */
function messageIdsOf(text: string, given: readonly string[]): string[] {
  const header = /"name"\s*:\s*"Message-ID"\s*,\s*"value"\s*:\s*"(<[^"<>\s]{1,500}>)"/i.exec(
    text,
  )?.[1];
  const ids = given.map((id) => (id.startsWith("<") ? id : `<${id}@email.amazonses.com>`));
  return [...new Set([...(header === undefined ? [] : [header]), ...ids])];
}
