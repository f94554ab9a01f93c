/**
 * An email above the size that is fetched whole: its headers, its text, and what reports say in parts of
 * their own, put together as a message of the same form without the rest.
 */

import type { FetchMessageObject, ImapFlow, MessageStructureObject } from "imapflow";

/** Headers of the email that are read. */
export const HEAD_BYTES_MAX = 131_072;
/** Of each part of text. */
export const TEXT_BYTES_MAX = 262_144;
/** Parts of text that are read. */
export const TEXTS_MAX = 4;
const PART_HEAD_BYTES_MAX = 8_192;
/** Parts that are looked at, and how deep. */
const PARTS_MAX = 100;
const DEPTH_MAX = 8;

/** What a report tells (RFC 3464, RFC 5965) and which message it is about. */
const REPORT_TYPES = new Set([
  "message/delivery-status",
  "message/global-delivery-status",
  "message/feedback-report",
  "text/rfc822-headers",
]);

/**
 * Undefined where its structure cannot be followed: then the beginning of the whole has to do. Bodies
 * are peeked at.
 */
export async function fetchLarge(client: ImapFlow, uid: number): Promise<Uint8Array | undefined> {
  const first = await fetchOne(client, uid, {
    bodyStructure: true,
    bodyParts: [{ key: "HEADER", maxLength: HEAD_BYTES_MAX }],
  });
  const structure = first?.bodyStructure;
  const head = first?.headers;
  if (structure === undefined || head === undefined) {
    return undefined;
  }
  if (!structure.type.startsWith("multipart/")) {
    const body = isText(structure) ? await fetchText(client, uid) : undefined;
    return Buffer.concat([wholeLines(head), body ?? new Uint8Array()]);
  }
  const boundary = structure.parameters?.["boundary"];
  if (boundary === undefined || !/^[\x20-\x7e]{1,200}$/.test(boundary)) {
    return undefined;
  }
  const parts = await fetchParts(client, uid, partsOf(structure));
  const pieces = parts.flatMap((part) => [line(`--${boundary}`), ...part, line("")]);
  return Buffer.concat([wholeLines(head), ...pieces, line(`--${boundary}--`)]);
}

/** Of a message without parts. */
async function fetchText(client: ImapFlow, uid: number): Promise<Uint8Array | undefined> {
  const bodyParts = [{ key: "TEXT", maxLength: TEXT_BYTES_MAX }];
  const message = await fetchOne(client, uid, { bodyParts });
  return message?.bodyParts?.get("text");
}

/** Each part as its headers and its body. */
async function fetchParts(
  client: ImapFlow,
  uid: number,
  selected: readonly MessageStructureObject[],
): Promise<Uint8Array[][]> {
  const keys = selected.flatMap(({ part = "", type }) =>
    type === "message/rfc822"
      ? [{ key: `${part}.HEADER`, maxLength: HEAD_BYTES_MAX }]
      : [
          { key: `${part}.MIME`, maxLength: PART_HEAD_BYTES_MAX },
          { key: part, maxLength: TEXT_BYTES_MAX },
        ],
  );
  const message = keys.length === 0 ? undefined : await fetchOne(client, uid, { bodyParts: keys });
  const got = (key: string) => message?.bodyParts?.get(key.toLowerCase()) ?? new Uint8Array();
  return selected.map(({ part = "", type }) =>
    type === "message/rfc822"
      ? [line("Content-Type: text/rfc822-headers"), line(""), got(`${part}.HEADER`)]
      : [wholeLines(got(`${part}.MIME`)), got(part)],
  );
}

/** The parts worth reading, in their order: texts, a report's fields, the headers of what it returns. */
function partsOf(structure: MessageStructureObject): MessageStructureObject[] {
  const parts = leavesOf(structure, 0)
    .slice(0, PARTS_MAX)
    .filter(({ part }) => part !== undefined && /^\d+(\.\d+)*$/.test(part));
  const texts = parts.filter(isText).slice(0, TEXTS_MAX);
  return parts.filter(
    (one) => texts.includes(one) || REPORT_TYPES.has(one.type) || one.type === "message/rfc822",
  );
}

function leavesOf(node: MessageStructureObject, depth: number): MessageStructureObject[] {
  if (!node.type.startsWith("multipart/")) {
    return [node];
  }
  const children = depth < DEPTH_MAX ? (node.childNodes ?? []).slice(0, PARTS_MAX) : [];
  return children.flatMap((child) => leavesOf(child, depth + 1));
}

function isText({ type, disposition }: MessageStructureObject): boolean {
  return (type === "text/plain" || type === "text/html") && disposition !== "attachment";
}

async function fetchOne(
  client: ImapFlow,
  uid: number,
  query: Parameters<ImapFlow["fetchOne"]>[1],
): Promise<FetchMessageObject | undefined> {
  const message = await client.fetchOne(String(uid), { uid: true, ...query }, { uid: true });
  return message === false || message?.uid !== uid ? undefined : message;
}

/** Headers up to the empty line behind them, which is added where they were cut. */
function wholeLines(head: Uint8Array): Uint8Array {
  const text = Buffer.from(head);
  const end = text.lastIndexOf("\r\n");
  const isWhole = text.subarray(-4).toString("latin1") === "\r\n\r\n";
  return isWhole || text.equals(Buffer.from("\r\n"))
    ? text
    : Buffer.concat([text.subarray(0, end === -1 ? 0 : end + 2), line("")]);
}

function line(text: string): Uint8Array {
  return Buffer.from(`${text}\r\n`, "latin1");
}
