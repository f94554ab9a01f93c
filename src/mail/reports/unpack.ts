/**
 * The text within an attached report: plain, gzipped, or the one file of a ZIP archive. Whatever the archive
 * promises, no more than {@link TEXT_BYTES_MAX} is unpacked, off this thread, and nothing is unpacked twice.
 *
 * Source: RFC 1952 §2.3.1; APPNOTE.TXT §§4.3.7, 4.3.12, 4.3.16 (ZIP).
 */

import { promisify } from "node:util";
import { gunzip, inflateRaw } from "node:zlib";

/** The largest reports have a few megabytes. */
export const TEXT_BYTES_MAX = 10 * 1024 * 1024;
/** Files of an archive that are looked at. */
const ENTRIES_MAX = 16;
/** The end of the directory lies within the last bytes, before a comment. */
const END_BYTES_MAX = 65_557;

const unzip = promisify(gunzip);
const inflate = promisify(inflateRaw);
const LIMIT = { maxOutputLength: TEXT_BYTES_MAX };

/** Null: broken, encrypted, too large, or no report. */
export async function unpack(bytes: Uint8Array): Promise<string | null> {
  try {
    const data = isGzip(bytes)
      ? await gunzipped(bytes)
      : isZip(bytes)
        ? await unzipFirst(bytes)
        : bytes;
    return data === null || data.byteLength > TEXT_BYTES_MAX ? null : textOf(data);
  } catch {
    return null;
  }
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b;
}

/** Some senders put a line end behind it. */
async function gunzipped(bytes: Uint8Array): Promise<Uint8Array> {
  let end = bytes.byteLength;
  while (bytes[end - 1] === 0x0a || bytes[end - 1] === 0x0d) {
    end -= 1;
  }
  const trimmed = unzip(bytes.subarray(0, end), LIMIT);
  return await (end === bytes.byteLength ? trimmed : trimmed.catch(() => unzip(bytes, LIMIT)));
}

const STORED = 0;
const DEFLATED = 8;

const ENTRY = 0x02014b50;
const FILE = 0x04034b50;
const END = 0x06054b50;
/** Bytes of each before its variable part. */
const ENTRY_BYTES = 46;
const FILE_BYTES = 30;
const END_BYTES = 22;

/** Of the first file, by the directory at the archive's end. Reading beyond its bounds throws. */
async function unzipFirst(bytes: Uint8Array): Promise<Uint8Array | null> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = directoryOf(view);
  for (let nth = 0; nth < ENTRIES_MAX && view.getUint32(at, true) === ENTRY; nth += 1) {
    const size = view.getUint32(at + 20, true);
    const isEncrypted = (view.getUint16(at + 8, true) & 1) !== 0;
    if (size > 0 && !isEncrypted) {
      const packed = fileAt(view, view.getUint32(at + 42, true), size);
      const method = view.getUint16(at + 10, true);
      return method === STORED ? packed : method === DEFLATED ? await inflate(packed, LIMIT) : null;
    }
    at += ENTRY_BYTES + lengths(view, at, [28, 30, 32]);
  }
  return null;
}

function directoryOf(view: DataView): number {
  let end = view.byteLength - END_BYTES;
  const from = Math.max(0, view.byteLength - END_BYTES_MAX);
  while (end > from && view.getUint32(end, true) !== END) {
    end -= 1;
  }
  return view.getUint32(end + 16, true);
}

function fileAt(view: DataView, at: number, size: number): Uint8Array {
  if (view.getUint32(at, true) !== FILE) {
    throw new RangeError("no file there");
  }
  const start = view.byteOffset + at + FILE_BYTES + lengths(view, at, [26, 28]);
  return new Uint8Array(view.buffer, start, size);
}

function lengths(view: DataView, at: number, places: readonly number[]): number {
  return places.reduce((sum, place) => sum + view.getUint16(at + place, true), 0);
}

/** In the encoding that its first bytes or its XML declaration name. */
function textOf(bytes: Uint8Array): string {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 200));
  const named = /^(?:ï»¿)?\s*<\?xml[^>]{0,100}\bencoding\s*=\s*["']([\w.:-]{1,40})["']/i.exec(
    head,
  )?.[1];
  const label = head.startsWith("ÿþ") ? "utf-16le" : head.startsWith("þÿ") ? "utf-16be" : named;
  try {
    return new TextDecoder(label as "utf-8" | undefined).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
