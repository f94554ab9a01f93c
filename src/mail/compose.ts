/**
 * Messages as they go over the wire: RFC 5322 headers, plain text and HTML as alternatives, CRLF.
 * The same input gives the same bytes.
 *
 * A value that goes into a header is one line when it gets there, whatever a lead's variable held.
 */

import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import * as base64 from "nodemailer/lib/base64";
import MailComposer from "nodemailer/lib/mail-composer";
import { foldLines } from "nodemailer/lib/mime-funcs";
import type MimeNode from "nodemailer/lib/mime-node";
import * as quotedPrintable from "nodemailer/lib/qp";
import type { UnixMs } from "#domain/time.ts";
import { inTurns } from "./pieces.ts";

export interface Correspondent {
  /** Display name; may be empty. */
  name: string;
  address: string;
}

export interface AttachedFile {
  name: string;
  /** An octet stream where it is left out. */
  mediaType?: string;
  /** In pieces, which are encoded one at a time. */
  content: readonly Uint8Array[];
  /** Of an image that the HTML shows by `cid:`. */
  cid?: string;
}

export interface OutgoingMessage {
  from: Correspondent;
  to: Correspondent;
  replyTo?: Correspondent;
  /** Addresses. */
  cc?: readonly string[];
  attachments?: readonly AttachedFile[];
  subject: string;
  text: string;
  /** Empty: the message is plain text alone. */
  html: string;
  /** With its angle brackets, as are all message ids here. */
  messageId: string;
  date: UnixMs;
  /** IANA zone whose clocks `Date` shows; UTC if left out. */
  timezone?: string;
  inReplyTo: string | null;
  /** Oldest first. */
  references: readonly string[];
  /** Further headers, for example List-Unsubscribe. */
  headers?: readonly { name: string; value: string }[];
}

/** Message ids kept in References: the first and the newest ones (RFC 5322 sets no bound). */
export const REFERENCES_MAX = 50;

/** Where a header is folded, if it has a space there (RFC 5322 §2.1.1). */
const LINE_CHARS_MAX = 78;

const HEADER_NAME = /^[A-Za-z][A-Za-z0-9-]{0,75}$/;
const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** Throws where a header's name is none: names come from code, never from users. */
export async function composeMessage(message: OutgoingMessage): Promise<Uint8Array> {
  // What is base64 goes by in pieces, so that nobody waits for ten megabytes.
  const hasFiles = (message.attachments ?? []).length > 0;
  if (hasFiles || message.text.length + message.html.length > AT_ONCE_CHARS_MAX) {
    return await treeOf(message).build();
  }
  const text = plainlyWritten(message) ?? closed(written(treeOf(message)));
  return new TextEncoder().encode(text);
}

/**
 * Longer emails are written by the library's streams, which cost three times as much for a short one. The
 * bytes are the same.
 */
const AT_ONCE_CHARS_MAX = 16_384;

const ASCII = /^\p{ASCII}*$/u;
const PLAIN_NAME = /^(?:[A-Za-z0-9]+(?: [A-Za-z0-9]+)*)?$/;
const PLAIN_ADDRESS = /^[A-Za-z0-9_-]+(?:[.+][A-Za-z0-9_-]+)*@[a-z0-9]+(?:[.-][a-z0-9]+)*$/;
const PLAIN_ID = /^<[A-Za-z0-9._+@-]+>$/;
const PLAIN_SUBJECT = /^[!#-~]+(?: [!#-~]+)*$/;
const PLAIN_WORDS = /^[!-~]+(?: [!-~]+)*$/;
const PLAIN_HEADER = /^List-[A-Z][a-z]+(?:-[A-Z][a-z]+)*$/;

/**
 * The message as the library would write it, where no header needs its care: names, addresses and ids of
 * letters and digits, a subject of ASCII. That is most email, and costs a tenth. Undefined for any other.
 */
function plainlyWritten(message: OutgoingMessage): string | undefined {
  const { from, to, replyTo, subject, text, html, messageId, inReplyTo } = message;
  const ids = [messageId, ...(inReplyTo === null ? [] : [inReplyTo]), ...message.references];
  const given = message.headers ?? [];
  const isPlain =
    replyTo === undefined &&
    (message.cc ?? []).length === 0 &&
    html !== "" &&
    ASCII.test(text) &&
    ASCII.test(html) &&
    [from, to].every((one) => PLAIN_NAME.test(one.name) && PLAIN_ADDRESS.test(one.address)) &&
    PLAIN_SUBJECT.test(subject) &&
    !subject.includes("=?") &&
    ids.every((id) => PLAIN_ID.test(id)) &&
    given.every(({ name, value }) => PLAIN_HEADER.test(name) && PLAIN_WORDS.test(value));
  if (!isPlain) {
    return undefined;
  }
  const boundary = `=_-${baseOf(message)}-Part_1`;
  const head = [
    ...given.map(({ name, value }) => `${name}: ${folded(name, value)}`),
    ...[
      `From: ${mailboxText(from)}`,
      `To: ${mailboxText(to)}`,
      ...(inReplyTo === null ? [] : [`In-Reply-To: ${inReplyTo}`]),
      ...(message.references.length === 0
        ? []
        : [`References: ${references(message.references).join(" ")}`]),
      `Subject: ${subject}`,
      `Message-ID: ${messageId}`,
      `Date: ${mailDate(message.date, message.timezone)}`,
      "MIME-Version: 1.0",
    ].map((line) => foldLines(line)),
    `Content-Type: multipart/alternative;\r\n boundary="${boundary}"`,
  ].join("\r\n");
  const parts = [plainPart("text/plain", text), plainPart("text/html", html)];
  const body = parts.map((one) => `--${boundary}\r\n${one}`).join("\r\n");
  return `${head}\r\n\r\n${body}\r\n--${boundary}--\r\n`;
}

function mailboxText({ name, address }: Correspondent): string {
  return name === "" ? address : `${name} <${address}>`;
}

function plainPart(type: string, content: string): string {
  const head = `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable`;
  return `${head}\r\n\r\n${encoded(withLines(content), "quoted-printable")}`;
}

/** The message as the library's tree of parts, which can write itself by streams. */
export function treeOf(message: OutgoingMessage): MimeNode {
  const composer = new MailComposer({
    from: correspondent(message.from),
    to: correspondent(message.to),
    ...(message.replyTo !== undefined && { replyTo: correspondent(message.replyTo) }),
    ...(message.cc !== undefined && {
      cc: message.cc.map((address) => correspondent({ name: "", address })),
    }),
    attachments: (message.attachments ?? []).map(attachment),
    subject: headerValue(message.subject),
    messageId: headerValue(message.messageId),
    date: mailDate(message.date, message.timezone),
    ...(message.inReplyTo !== null && { inReplyTo: headerValue(message.inReplyTo) }),
    ...(message.references.length > 0 && { references: references(message.references) }),
    headers: (message.headers ?? []).map(({ name, value }) => {
      if (!HEADER_NAME.test(name)) {
        throw new Error(`not a header name: ${JSON.stringify(name)}`);
      }
      return { key: name, value: preparedIfAscii(name, headerValue(value)) };
    }),
    text: part(message.text),
    ...(message.html !== "" && { html: part(message.html) }),
    newline: "win",
    // "=_" cannot occur in quoted-printable or base64, so no body can hold the boundary.
    boundaryPrefix: "=_",
    baseBoundary: baseOf(message),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile();
}

function attachment({ name, mediaType, content, cid }: AttachedFile) {
  return {
    filename: headerValue(name),
    contentType: mediaType ?? "application/octet-stream",
    contentTransferEncoding: "base64" as const,
    contentDisposition: cid === undefined ? ("attachment" as const) : ("inline" as const),
    content: Readable.from(inTurns(content), { objectMode: false }),
    ...(cid !== undefined && { cid }),
  };
}

/** What the boundaries of its parts are made of. */
function baseOf({ messageId }: OutgoingMessage): string {
  return createHash("sha256").update(messageId).digest("hex").slice(0, 24);
}

/** A part, or the message, with its headers: what the library's streams would write. */
function written(node: MimeNode): string {
  const head = `${node.buildHeaders()}\r\n\r\n`;
  if (node.childNodes.length > 0) {
    const children = node.childNodes.map((child) => `--${node.boundary}\r\n${written(child)}`);
    return `${head}${children.join("\r\n")}\r\n--${node.boundary}--\r\n`;
  }
  const { content } = node;
  if (typeof content !== "string") {
    throw new Error("a part of a mail of ours is text");
  }
  return head + encoded(content, node.getTransferEncoding());
}

function encoded(content: string, how: string | false): string {
  if (how === "base64") {
    return base64.wrap(base64.encode(content));
  }
  const lines = content
    .split("\r\n")
    .map((line) => (PRINTABLE.test(line) ? line : quotedPrintable.encode(line)));
  const text = lines.join("\r\n");
  const isLeftAlone = lines.every(({ length }) => length <= LINE_LEFT_ALONE_MAX);
  const last = lines.at(-1)?.length ?? 0;
  return isLeftAlone && last <= LAST_LEFT_ALONE_MAX ? text : quotedPrintable.wrap(text);
}

/** A line that stands for itself in quoted-printable: printable ASCII but "=", not ending in a space. */
const PRINTABLE = /^(?:[ -<>-~]*[!-<>-~])?$/;
/** Characters of a line, and of a last line without an end, that the library does not break. */
const LINE_LEFT_ALONE_MAX = 72;
const LAST_LEFT_ALONE_MAX = 50;

/** A message ends with its last line's end. */
function closed(text: string): string {
  return text.endsWith("\n") ? text : `${text}\r\n`;
}

/** `value` on one line: runs of control characters and line ends become one space. */
export function headerValue(value: string): string {
  return value
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .trim();
}

/**
 * `Sun, 01 Mar 2026 10:30:00 +0100` (RFC 5322 §3.3): what a person's mail program writes, whose clock is where they
 * are.
 */
export function mailDate(instant: UnixMs, timezone = "UTC"): string {
  const at = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timezone);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${WEEKDAYS[at.dayOfWeek - 1]}, ${two(at.day)} ${MONTHS[at.month - 1]} ${at.year}`;
  // "+01:00"; no zone has had seconds in it since 1972.
  const offset = at.offset.replace(":", "");
  return `${day} ${two(at.hour)}:${two(at.minute)}:${two(at.second)} ${offset}`;
}

function correspondent({ name, address }: Correspondent): Correspondent {
  return { name: headerValue(name), address: headerValue(address).replace(/[\s<>,;]/g, "") };
}

function references(ids: readonly string[]): string[] {
  const kept = ids.length > REFERENCES_MAX ? [ids[0] ?? "", ...ids.slice(1 - REFERENCES_MAX)] : ids;
  return kept.map(headerValue);
}

/**
 * A URL must arrive unchanged, so what is plain ASCII is never encoded, and folded at its spaces
 * alone; the first word stays on the line of the name, as some readers find nothing below it.
 */
function preparedIfAscii(name: string, value: string): string | { prepared: true; value: string } {
  return /^[\x20-\x7e]*$/.test(value) ? { prepared: true, value: folded(name, value) } : value;
}

function folded(name: string, value: string): string {
  let lines = "";
  let lineChars = name.length + 1;
  for (const word of value.split(" ")) {
    const isBroken = lines !== "" && lineChars + word.length >= LINE_CHARS_MAX;
    lines += lines === "" ? word : `${isBroken ? "\r\n" : ""} ${word}`;
    lineChars = (isBroken ? 0 : lineChars) + 1 + word.length;
  }
  return lines;
}

/** Mostly ASCII stays readable; the rest is shorter in base64. */
function part(content: string): { content: string; contentTransferEncoding: string } {
  const lines = withLines(content);
  const isAscii = lines.replace(/\p{ASCII}/gu, "").length < lines.length / 4;
  return { content: lines, contentTransferEncoding: isAscii ? "quoted-printable" : "base64" };
}

/** The library takes an empty part for an object that it cannot write. */
function withLines(content: string): string {
  return content.toWellFormed().replace(/\r\n?|\n/g, "\r\n") || "\r\n";
}
