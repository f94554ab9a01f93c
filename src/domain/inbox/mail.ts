/**
 * A received email, parsed: what classification and matching read. The parser is `mail/parse.ts`;
 * nothing here trusts its content, for anybody may have written it.
 */

import type { UnixMs } from "#domain/time.ts";

export interface Mailbox {
  /** Display name, decoded; empty where there is none. */
  name: string;
  /** Trimmed and lower-cased; otherwise as the sender wrote it. */
  address: string;
}

export interface MailHeader {
  /** Lower case. */
  name: string;
  /** Unfolded; encoded words decoded. */
  value: string;
}

export interface MailPart {
  /** Lower case, without parameters: `message/delivery-status`. */
  type: string;
  /** Lower case, without parameters: `attachment`, `inline` or null. */
  disposition: string | null;
  /** Decoded text, cut at the parser's bound. */
  content: string;
}

export interface ParsedMail {
  /** With its angle brackets, as are all message ids here: `<a@b>`. */
  messageId: string | null;
  inReplyTo: string | null;
  /** Oldest first, as the header has them. */
  references: readonly string[];
  from: Mailbox | null;
  replyTo: Mailbox | null;
  /** Addresses of To and Cc, lower case. */
  to: readonly string[];
  /** Addresses of Delivered-To, X-Original-To and Envelope-To, lower case. */
  deliveredTo: readonly string[];
  subject: string;
  date: UnixMs | null;
  /** Every header in order, repeats included. */
  headers: readonly MailHeader[];
  /** The best plain text: the text part, else text made of the HTML part; empty where neither is. */
  text: string;
  html: string | null;
  /** The `text/*` and `message/*` parts in order, nested ones included. */
  parts: readonly MailPart[];
  /** Whether anything was cut because of a bound. */
  truncated: boolean;
}

/** Value of the first header called `name` (lower case), trimmed; null where there is none. */
export function header(mail: Pick<ParsedMail, "headers">, name: string): string | null {
  const found = mail.headers.find((candidate) => candidate.name === name);
  return found === undefined ? null : found.value.trim();
}
