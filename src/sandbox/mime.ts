/**
 * Writes Internet messages for the simulated senders: headers folded and encoded, bodies in
 * quoted-printable, multiparts. Line ends are CRLF throughout.
 *
 * Source: RFC 5322 §§2–3, RFC 2045 §6.7, RFC 2046 §5.1, RFC 2047 §2.
 */

import type { UnixMs } from "#domain/time.ts";

export interface Part {
  /** Whole Content-Type, for example `text/plain; charset=utf-8`. */
  type: string;
  content: string;
  /** Content is written as it stands: ASCII, or UTF-8 of another's making. */
  asIs?: boolean;
}

export type Headers = readonly (readonly [name: string, value: string])[];

const LINE_MAX = 76;
/** Bytes of one encoded word: 60 characters of base64. */
const WORD_BYTES = 45;

/** A message of one part. */
export function singlePart(headers: Headers, part: Part): Uint8Array {
  return bytesOf([headerBlock([...headers, MIME_VERSION]), partText(part)].join("\r\n"));
}

/** `subtype` with its parameters, for example `report; report-type=delivery-status`. */
export function multipart(
  headers: Headers,
  subtype: string,
  boundary: string,
  parts: readonly Part[],
): Uint8Array {
  const type: [string, string] = ["Content-Type", `multipart/${subtype}; boundary="${boundary}"`];
  const body = parts.map((part) => `--${boundary}\r\n${partText(part)}\r\n`).join("");
  return bytesOf(
    `${headerBlock([...headers, MIME_VERSION, type])}\r\n\r\n${body}--${boundary}--\r\n`,
  );
}

const MIME_VERSION = ["MIME-Version", "1.0"] as const;

/** `Name: value` lines without the empty line after them; what is not ASCII is encoded. */
export function headerBlock(headers: Headers): string {
  return headers.map(([name, value]) => fold(`${name}: ${oneLine(value)}`)).join("\r\n");
}

/** A display name and an address as a header shows them. */
export function mailbox(name: string, address: string): string {
  if (name === "") {
    return address;
  }
  const shown = isAscii(name) ? `"${oneLine(name).replace(/["\\]/g, "\\$&")}"` : encodeWords(name);
  return `${shown} <${address}>`;
}

/** Text for a Subject: as it is, or in encoded words. */
export function unstructured(text: string): string {
  return isAscii(text) ? oneLine(text) : encodeWords(oneLine(text));
}

/** `Mon, 02 Mar 2026 15:00:00 +0000`. */
export function mailDate(at: UnixMs): string {
  const time = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO("UTC");
  const two = (value: number) => String(value).padStart(2, "0");
  const clock = [time.hour, time.minute, time.second].map(two).join(":");
  const day = DAYS[time.dayOfWeek - 1] ?? "";
  return `${day}, ${two(time.day)} ${MONTHS[time.month - 1] ?? ""} ${time.year} ${clock} +0000`;
}

const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const MONTHS = [
  ...["Jan", "Feb", "Mar", "Apr", "May", "Jun"],
  ...["Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
];

function partText({ type, content, asIs }: Part): string {
  const lines = content.replace(/\r?\n/g, "\r\n");
  if (asIs === true) {
    return `Content-Type: ${type}\r\n\r\n${lines}`;
  }
  const encoding = "Content-Transfer-Encoding: quoted-printable";
  return `Content-Type: ${type}\r\n${encoding}\r\n\r\n${quote(lines)}`;
}

/** Quoted-printable of UTF-8, soft line breaks included. */
function quote(text: string): string {
  return text.split("\r\n").map(quoteLine).join("\r\n");
}

function quoteLine(line: string): string {
  let done = "";
  let current = "";
  for (const [index, byte] of Buffer.from(line, "utf8").entries()) {
    const isPlain = (byte >= 33 && byte <= 126 && byte !== 61) || byte === 32;
    const piece = isPlain
      ? String.fromCharCode(byte)
      : `=${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    if (index > 0 && current.length + piece.length > LINE_MAX - 1) {
      done += `${current}=\r\n`;
      current = "";
    }
    current += piece;
  }
  return (done + current).replace(/ $/, "=20");
}

function encodeWords(text: string): string {
  const words: string[] = [];
  let chunk = "";
  for (const character of text) {
    if (Buffer.byteLength(chunk + character) > WORD_BYTES) {
      words.push(chunk);
      chunk = "";
    }
    chunk += character;
  }
  return [...words, chunk]
    .map((word) => `=?utf-8?B?${Buffer.from(word, "utf8").toString("base64")}?=`)
    .join(" ");
}

/** Breaks before spaces so that lines stay within {@link LINE_MAX} where the words allow. */
function fold(line: string): string {
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(" ")) {
    const next = current === "" ? word : `${current} ${word}`;
    if (next.length > LINE_MAX && current.trim() !== "") {
      lines.push(current);
      current = ` ${word}`;
    } else {
      current = next;
    }
  }
  return [...lines, current].join("\r\n");
}

function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
  return text.replace(/[\u0000-\u001f\u007f]+/g, " ").trim();
}

function bytesOf(text: string): Uint8Array {
  return Buffer.from(text, "utf8");
}
