/**
 * Reads the messages that are captured, as far as a simulated recipient and a developer look at them:
 * headers, plain text, HTML. It reads what our own composer writes; of anything else what can be read.
 *
 * Source: RFC 5322 §2.2, RFC 2045 §6, RFC 2046 §5.1, RFC 2047 §2.
 */

export interface MailHeaders {
  /** As they stand, unfolded, in order. */
  headers: readonly { name: string; value: string }[];
  /** The header block as it stood, with CRLF line ends. */
  headerBlock: string;
}

export interface ReadMail extends MailHeaders {
  text: string;
  html: string | null;
}

/** Parts looked into, those inside others counted. */
const PARTS_MAX = 50;

export function readMail(raw: Uint8Array): ReadMail {
  const { block, body } = split(characters(raw));
  const found: Found = { text: null, html: null, parts: 0 };
  walk(block, body, found);
  return {
    ...present(block),
    text: (found.text ?? "").replace(/\r\n/g, "\n"),
    html: found.html,
  };
}

/** Without a look at the body. */
export function readHeaders(raw: Uint8Array): MailHeaders {
  return present(split(characters(raw)).block);
}

/** One character a byte, so that parts can be decoded by their own charset. */
function characters(raw: Uint8Array): string {
  return Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString("latin1");
}

function present(block: string): MailHeaders {
  return {
    headers: headersOf(block).map(({ name, value }) => ({ name, value: utf8(value) })),
    headerBlock: utf8(block.replace(/\r?\n/g, "\r\n")),
  };
}

/** The first header of this name, decoded (RFC 2047); null where there is none. */
export function headerOf(mail: MailHeaders, name: string): string | null {
  const wanted = name.toLowerCase();
  const header = mail.headers.find((one) => one.name.toLowerCase() === wanted);
  return header === undefined ? null : decodeWords(header.value);
}

/** `"Ada Lovelace" <ada@example.com>` or a bare address, of a header with one. */
export function mailboxOf(value: string | null): { name: string; address: string } | null {
  if (value === null) {
    return null;
  }
  const open = value.lastIndexOf("<");
  const close = value.indexOf(">", open);
  if (open === -1 || close === -1) {
    const address = value.trim();
    return address.includes("@") ? { name: "", address } : null;
  }
  const name = value.slice(0, open).trim().replace(/^"|"$/g, "").replace(/\\(.)/g, "$1");
  return { name, address: value.slice(open + 1, close).trim() };
}

interface Found {
  text: string | null;
  html: string | null;
  parts: number;
}

function walk(block: string, body: string, found: Found): void {
  found.parts += 1;
  if (found.parts > PARTS_MAX) {
    return;
  }
  const headers = headersOf(block);
  const value = (name: string) => headers.find((one) => one.name.toLowerCase() === name)?.value;
  const type = (value("content-type") ?? "text/plain").toLowerCase();
  const boundary = parameter(value("content-type") ?? "", "boundary");
  if (type.startsWith("multipart/") && boundary !== undefined) {
    for (const part of partsOf(body, boundary)) {
      const inner = split(part);
      walk(inner.block, inner.body, found);
    }
    return;
  }
  const charset = parameter(type, "charset") ?? "utf-8";
  const content = () => decodeBody(body, value("content-transfer-encoding") ?? "", charset);
  if (type.startsWith("text/plain")) {
    found.text ??= content();
  } else if (type.startsWith("text/html")) {
    found.html ??= content();
  }
}

function split(whole: string): { block: string; body: string } {
  const end = /\r?\n\r?\n/.exec(whole);
  return end === null
    ? { block: whole, body: "" }
    : { block: whole.slice(0, end.index), body: whole.slice(end.index + end[0].length) };
}

function headersOf(block: string): { name: string; value: string }[] {
  return block
    .replace(/\r?\n[ \t]+/g, " ")
    .split(/\r?\n/)
    .flatMap((line) => {
      const colon = line.indexOf(":");
      return colon <= 0
        ? []
        : [{ name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() }];
    });
}

function parameter(value: string, name: string): string | undefined {
  const match = new RegExp(`;\\s*${name}=(?:"([^"]*)"|([^;\\s]*))`, "i").exec(value);
  return match?.[1] ?? match?.[2];
}

function partsOf(body: string, boundary: string): string[] {
  const parts = `\n${body}`.split(`\n--${boundary}`).slice(1);
  const last = parts.findIndex((part) => part.startsWith("--"));
  return (last === -1 ? parts : parts.slice(0, last)).map((part) => {
    return part.slice(part.indexOf("\n") + 1).replace(/\r$/, "");
  });
}

function decodeBody(body: string, encoding: string, charset: string): string {
  switch (encoding.trim().toLowerCase()) {
    case "base64":
      return decode(Buffer.from(body, "base64"), charset);
    case "quoted-printable":
      return decode(unquote(body.replace(/=[ \t]*\r?\n/g, "")), charset);
    default:
      return decode(Buffer.from(body, "latin1"), charset);
  }
}

function unquote(text: string): Uint8Array {
  const plain = text.replace(/=([0-9A-Fa-f]{2})/g, (_match, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(plain, "latin1");
}

function decodeWords(value: string): string {
  return value
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?([^?\s]+)\?([bq])\?([^?]*)\?=/gi, (_match, charset: string, how: string, text) => {
      const bytes =
        how.toLowerCase() === "b"
          ? Buffer.from(text, "base64")
          : unquote(String(text).replaceAll("_", " "));
      return decode(bytes, charset);
    });
}

function utf8(latin1: string): string {
  return Buffer.from(latin1, "latin1").toString("utf8");
}

function decode(bytes: Uint8Array, charset: string): string {
  try {
    return new TextDecoder(charset as "utf-8").decode(bytes);
  } catch {
    return new TextDecoder("utf-8").decode(bytes);
  }
}
