/** Raw emails of parts: the few forms of MIME that the benchmark's emails come in. */

import { encodeLegacy } from "./legacy-charset.ts";

const LINE_BYTES_MAX = 72;
const WORD_CHARS_MAX = 12;

export interface TextPart {
  type: "text/plain" | "text/html";
  text: string;
  charset: string;
  encoding: "8bit" | "quoted-printable" | "base64";
}

/** The bytes of a part one by one as characters, headers included. */
export function textPart({ type, text, charset, encoding }: TextPart): string {
  const lines = text.replaceAll("\n", "\r\n");
  const legacy = charset === "utf-8" ? null : encodeLegacy(lines, charset);
  const bytes = Buffer.from(legacy ?? new TextEncoder().encode(lines));
  return [
    `Content-Type: ${type}; charset=${legacy === null ? "utf-8" : charset}`,
    `Content-Transfer-Encoding: ${encoding}`,
    "",
    encode(bytes, encoding),
  ].join("\r\n");
}

function encode(bytes: Buffer, encoding: TextPart["encoding"]): string {
  if (encoding === "base64") {
    return bytes.toString("base64").replace(/.{76}/g, "$&\r\n");
  }
  const text = bytes.toString("latin1");
  return encoding === "8bit" ? text : text.split("\r\n").map(quotedPrintable).join("\r\n");
}

function quotedPrintable(line: string): string {
  const codes = [...line].map((char) => (/[^\x20-\x3c\x3e-\x7e]/.test(char) ? hex(char) : char));
  const lines = [""];
  for (const code of codes) {
    const last = lines.at(-1) ?? "";
    if (last.length + code.length > LINE_BYTES_MAX) {
      lines.push(code);
    } else {
      lines[lines.length - 1] = last + code;
    }
  }
  return lines.join("=\r\n").replace(/ $/, "=20");
}

function hex(char: string): string {
  return `=${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}

/** A header's value with encoded words (RFC 2047) where it isn't ASCII. */
export function encodeWords(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) {
    return text;
  }
  const characters = [...text];
  const words: string[] = [];
  while (characters.length > 0) {
    const bytes = Buffer.from(characters.splice(0, WORD_CHARS_MAX).join(""));
    words.push(`=?utf-8?B?${bytes.toString("base64")}?=`);
  }
  return words.join("\r\n ");
}

export function multipart(type: string, parts: readonly string[]): string {
  const boundary = "=_benchmark";
  return [
    `Content-Type: multipart/${type}; boundary="${boundary}"`,
    "",
    ...parts.flatMap((part) => [`--${boundary}`, part]),
    `--${boundary}--`,
    "",
  ].join("\r\n");
}

/** Headers and a body (its own headers first) as bytes. */
export function message(headers: Readonly<Record<string, string>>, body: string): Uint8Array {
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from([...head, "MIME-Version: 1.0", body].join("\r\n"), "latin1");
}
