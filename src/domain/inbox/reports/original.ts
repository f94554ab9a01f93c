/** The message of ours that a report returns, whole, as headers only, or quoted in its text. */

import { addressOf } from "#domain/inbox/fields.ts";
import type { ParsedMail } from "#domain/inbox/mail.ts";

export interface Original {
  /** With angle brackets; the most telling first. */
  messageIds: readonly string[];
  /** Addresses of its To header. */
  recipients: readonly string[];
  /** Its X-HmXmrOriginalRecipient and the like: who really got it. */
  finalRecipients: readonly string[];
}

const ENCLOSED = new Set([
  "message/rfc822",
  "message/global",
  "message/global-headers",
  "message/partial",
  "text/rfc822-headers",
  "text/rfc822-header",
  "message/rfc822-headers",
]);

const IDS_MAX = 10;
const TEXT_CHARS_MAX = 60_000;

export function originalOf(mail: ParsedMail): Original {
  const enclosed = mail.parts.filter(({ type }) => ENCLOSED.has(type));
  const texts = [...enclosed.map(({ content }) => content), mail.text, ...reportTexts(mail)]
    .slice(0, IDS_MAX)
    .map((text) => text.slice(0, TEXT_CHARS_MAX));
  return {
    messageIds: unique(texts.flatMap((text) => values(text, MESSAGE_ID))),
    recipients: unique(texts.flatMap((text) => values(text, TO)).map(addressOf)),
    finalRecipients: unique(texts.flatMap((text) => values(text, FINAL_TO)).map(addressOf)),
  };
}

/** Text parts that the parser does not take for the email's own text. */
function reportTexts(mail: ParsedMail): string[] {
  return mail.parts
    .filter(({ type, content }) => type === "text/plain" && content !== mail.text)
    .map(({ content }) => content);
}

const MESSAGE_ID =
  /^[> \t|]{0,8}(?:original-)?message-id:[ \t]*(?:\r?\n[ \t]+)?(<[^<>\s]{1,998}>)/gim;
const TO = /^[> \t|]{0,8}to:[ \t]*(?:\r?\n[ \t]+)?([^\r\n]{1,998})/gim;
const FINAL_TO =
  /^[> \t|]{0,8}x-(?:hmxmroriginalrecipient|rcpt-to|original-to):[ \t]*([^\r\n]{1,998})/gim;

function values(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].slice(0, IDS_MAX).map(([, value = ""]) => value);
}

function unique(found: readonly string[]): string[] {
  return [...new Set(found.filter((value) => value !== ""))].slice(0, IDS_MAX);
}
