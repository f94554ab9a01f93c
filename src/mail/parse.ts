/**
 * Received bytes as an email that can be classified. Whatever arrives is read as far as it can be:
 * broken MIME, unlabelled 8-bit headers, a message cut in the middle. Nothing here throws.
 */

import PostalMime, { type Address, decodeWords, type Email } from "postal-mime";
import type { Mailbox, MailPart, ParsedMail } from "#domain/inbox/mail.ts";
import { HTML_CHARS_MAX, htmlToText } from "#domain/sending/plain-text.ts";
import { instantOrNull, type UnixMs } from "#domain/time.ts";
import { RAW_BYTES_MAX } from "#platform/ports/mail.ts";

export const TEXT_CHARS_MAX = 200_000;
export const PARTS_MAX = 20;
export const PART_CHARS_MAX = 100_000;
export const HEADERS_MAX = 500;
export const HEADER_CHARS_MAX = 8_000;
/** References and recipients that are read. */
export const IDS_MAX = 100;
/** Lines that are read: many times those of an ordinary email, few enough to be quick. */
export const LINES_MAX = 50_000;
/** Lines that may be a boundary: each may open a part. */
const BOUNDARIES_MAX = 2_000;
const NESTING_MAX = 32;
const HEADERS_BYTES_MAX = 524_288;
/** What is looked at when the whole cannot be parsed. */
const HEAD_BYTES_MAX = 65_536;

export async function parseMail(raw: Uint8Array): Promise<ParsedMail> {
  const whole = withLineFeeds(withoutLeadingLines(raw.subarray(0, RAW_BYTES_MAX)));
  const start = firstLines(whole);
  const bytes = withUtf8Headers(start);
  const isCut = raw.length >= RAW_BYTES_MAX || start.length < whole.length;
  try {
    return withRawBody(present(await parse(bytes), isCut), bytes);
  } catch {
    return await headersOnly(bytes);
  }
}

function parse(bytes: Uint8Array): Promise<Email> {
  return PostalMime.parse(bytes, {
    forceRfc822Attachments: true,
    attachmentEncoding: "utf8",
    maxNestingDepth: NESTING_MAX,
    maxHeadersSize: HEADERS_BYTES_MAX,
  });
}

/** A body whose boundaries are broken has no parts: then it is read as it stands. */
function withRawBody(mail: ParsedMail, bytes: Uint8Array): ParsedMail {
  if (mail.text !== "" || mail.parts.length > 0) {
    return mail;
  }
  const body = bytes.subarray(headerEnd(bytes)).subarray(0, TEXT_CHARS_MAX);
  return { ...mail, text: new TextDecoder().decode(body).trim().toWellFormed() };
}

/** For a message whose parts nest without end, or whose headers do not end. */
async function headersOnly(bytes: Uint8Array): Promise<ParsedMail> {
  const end = Math.min(headerEnd(bytes), HEAD_BYTES_MAX);
  const head = new TextDecoder().decode(bytes.subarray(0, end));
  const plain = head.replace(/^(content-type|mime-version):.*(\r?\n[ \t].*)*\r?\n?/gim, "");
  const fallback = { headers: [], headerLines: [], attachments: [] };
  const email = await parse(new TextEncoder().encode(`${plain.trimEnd()}\r\n\r\n`)).catch(
    () => fallback,
  );
  return present(email, true);
}

function present(email: Email, isCut: boolean): ParsedMail {
  const text = email.text ?? htmlToText(email.html ?? "", { links: "drop" });
  const parts = partsOf(email);
  const isBounded =
    text.length > TEXT_CHARS_MAX ||
    (email.html?.length ?? 0) > HTML_CHARS_MAX ||
    parts.length > PARTS_MAX ||
    parts.some((part) => part.content.length > PART_CHARS_MAX) ||
    email.headers.length > HEADERS_MAX;
  return {
    messageId: messageIds(email.messageId)[0] ?? null,
    inReplyTo: messageIds(email.inReplyTo)[0] ?? null,
    references: messageIds(email.references).slice(-IDS_MAX),
    from: mailboxes(email.from === undefined ? [] : [email.from])[0] ?? null,
    replyTo: mailboxes(email.replyTo)[0] ?? null,
    to: mailboxes([...(email.to ?? []), ...(email.cc ?? [])]).map(({ address }) => address),
    deliveredTo: deliveredTo(email),
    subject: oneLine(email.subject ?? ""),
    date: instantOf(email.date),
    headers: email.headers.slice(0, HEADERS_MAX).map(({ key, value }) => {
      return { name: key, value: decodeWords(value.slice(0, HEADER_CHARS_MAX)).toWellFormed() };
    }),
    text: text.slice(0, TEXT_CHARS_MAX).toWellFormed(),
    html: email.html?.slice(0, HTML_CHARS_MAX).toWellFormed() ?? null,
    parts: parts.slice(0, PARTS_MAX).map((part) => {
      return { ...part, content: part.content.slice(0, PART_CHARS_MAX).toWellFormed() };
    }),
    truncated: isCut || isBounded,
  };
}

function partsOf(email: Email): MailPart[] {
  const bodies = [
    ...(email.text === undefined ? [] : [{ type: "text/plain", content: email.text }]),
    ...(email.html === undefined ? [] : [{ type: "text/html", content: email.html }]),
  ].map((part) => ({ ...part, disposition: null }));
  const attached = email.attachments
    .filter(({ mimeType }) => /^(text|message)\//.test(mimeType))
    .map(({ mimeType, disposition, content }) => {
      return { type: mimeType, disposition, content: typeof content === "string" ? content : "" };
    });
  return [...bodies, ...attached];
}

function mailboxes(addresses: readonly Address[] | undefined): Mailbox[] {
  return (addresses ?? [])
    .flatMap((entry) => entry.group ?? [entry])
    .slice(0, IDS_MAX)
    .map(({ name, address }) => {
      return { name: oneLine(name), address: oneLine(address ?? "").toLowerCase() };
    })
    .filter(({ address }) => address !== "");
}

const DELIVERY_HEADERS = new Set(["delivered-to", "x-original-to", "envelope-to"]);

function deliveredTo(email: Email): string[] {
  const addresses = email.headers
    .filter(({ key }) => DELIVERY_HEADERS.has(key))
    .slice(0, IDS_MAX)
    .map(({ value }) => value.replace(/[<>\s]/g, "").toLowerCase())
    .filter((address) => address !== "");
  return [...new Set(addresses)];
}

/** Every `<…>` of a header; a bare `a@b` counts where there are no brackets at all. */
function messageIds(value: string | undefined): string[] {
  const text = (value ?? "").slice(0, HEADER_CHARS_MAX * 4);
  const bracketed = text.match(/<[^<>\s]{1,998}>/g);
  if (bracketed !== null) {
    return bracketed;
  }
  const bare = /[^\s<>@]{1,500}@[^\s<>@]{1,500}/.exec(text)?.[0];
  return bare === undefined ? [] : [`<${bare}>`];
}

function instantOf(date: string | undefined): UnixMs | null {
  try {
    return date === undefined ? null : instantOrNull(Temporal.Instant.from(date).epochMilliseconds);
  } catch {
    return null;
  }
}

function oneLine(text: string): string {
  return text
    .slice(0, HEADER_CHARS_MAX)
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim();
}

const LF = 0x0a;
const CR = 0x0d;
const DASH = 0x2d;

/** Some bounces start with empty lines, which would end the headers before they began. */
function withoutLeadingLines(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (bytes[start] === LF || bytes[start] === CR) {
    start += 1;
  }
  return bytes.subarray(start);
}

/**
 * A header that holds a carriage return alone, which none may (RFC 5322 §2.2), is of an email whose lines end
 * in them; servers put their own lines in front.
 */
function withLineFeeds(bytes: Uint8Array): Uint8Array {
  const { length } = bytes;
  let bare = nextBareReturn(bytes, 0, headerEnd(bytes));
  if (bare === -1) {
    return bytes;
  }
  const lines = bytes.slice();
  for (; bare !== -1; bare = nextBareReturn(bytes, bare + 1, length)) {
    // Of several in a row each ends a line.
    for (let at = bare; bytes[at] === CR; at -= 1) {
      lines[at] = LF;
    }
  }
  return lines;
}

/** The last of the next carriage returns in a row that no line feed follows, begun before `end`; -1: there are none. */
function nextBareReturn(bytes: Uint8Array, from: number, end: number): number {
  for (let at = bytes.indexOf(CR, from); at !== -1 && at < end; at = bytes.indexOf(CR, at + 1)) {
    while (bytes[at + 1] === CR) {
      at += 1;
    }
    if (bytes[at + 1] !== LF) {
      return at;
    }
  }
  return -1;
}

/** The first {@link LINES_MAX} lines, with {@link BOUNDARIES_MAX} among them that begin with "--". */
function firstLines(bytes: Uint8Array): Uint8Array {
  let lines = 0;
  let boundaries = 0;
  for (let end = bytes.indexOf(LF); end !== -1; end = bytes.indexOf(LF, end + 1)) {
    lines += 1;
    if (bytes[end + 1] === DASH && bytes[end + 2] === DASH) {
      boundaries += 1;
    }
    if (lines === LINES_MAX || boundaries === BOUNDARIES_MAX) {
      return bytes.subarray(0, end + 1);
    }
  }
  return bytes;
}

/** Index after the empty line that ends the headers, or the length. */
function headerEnd(bytes: Uint8Array): number {
  for (let index = bytes.indexOf(LF); index !== -1; index = bytes.indexOf(LF, index + 1)) {
    const next = bytes[index + 1] === CR ? index + 2 : index + 1;
    if (bytes[next] === LF) {
      return next + 1;
    }
  }
  return bytes.length;
}

/** Headers with raw 8-bit characters that are no UTF-8 are read as Windows-1252. */
function withUtf8Headers(bytes: Uint8Array): Uint8Array {
  const end = headerEnd(bytes);
  const head = bytes.subarray(0, end);
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(head);
    return bytes;
  } catch {
    const text = new TextEncoder().encode(new TextDecoder("windows-1252").decode(head));
    const whole = new Uint8Array(text.length + bytes.length - end);
    whole.set(text);
    whole.set(bytes.subarray(end), text.length);
    return whole;
  }
}
