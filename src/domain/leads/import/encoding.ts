/**
 * In which encoding a file is written, told by its first bytes. UTF-8 and marked UTF-16 are read; bytes
 * that are neither are named, so that the sender can say what they are: a wrong guess would store wrong
 * names.
 */

export const ENCODINGS = ["utf-8", "utf-16le", "utf-16be", "windows-1252"] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Bytes that a guess looks at. */
export const SNIFF_BYTES = 64 * 1024;

/** `markBytes`: how long the byte order mark is that stands before the text. */
export type Sniffed = { encoding: Encoding; markBytes: number } | { fault: string };

/** Names of encodings as people and programs write them in `charset`. */
const NAMES: Readonly<Record<string, Encoding>> = {
  "utf-8": "utf-8",
  utf8: "utf-8",
  "us-ascii": "utf-8",
  "utf-16": "utf-16le",
  "utf-16le": "utf-16le",
  "utf-16be": "utf-16be",
  "windows-1252": "windows-1252",
  cp1252: "windows-1252",
  "iso-8859-1": "windows-1252",
  latin1: "windows-1252",
};

/** Null for one that is not read. Latin-1 is read as its superset Windows-1252, as browsers do. */
export function encodingNamed(name: string): Encoding | null {
  const key = name.trim().toLowerCase();
  return Object.hasOwn(NAMES, key) ? (NAMES[key] ?? null) : null;
}

/** `start`: the file's first bytes, all of them where it is short. `said`: what the sender calls it. */
export function sniffEncoding(start: Uint8Array, said: Encoding | null, isWhole: boolean): Sniffed {
  const marked = markOf(start);
  if (marked !== null) {
    return marked;
  }
  if (said !== null && said !== "utf-8") {
    return { encoding: said, markBytes: 0 };
  }
  const zeros = countZeros(start);
  if (zeros.all > 0) {
    return { fault: zerosFault(zeros, start.length) };
  }
  if (!isUtf8(start, isWhole)) {
    return {
      fault:
        "the file is not UTF-8; it looks like Windows-1252 (Latin-1). Save it as UTF-8, or set " +
        "charset=windows-1252",
    };
  }
  return { encoding: "utf-8", markBytes: 0 };
}

function markOf(start: Uint8Array): Sniffed | null {
  const [a, b, c] = start;
  if (a === 0xef && b === 0xbb && c === 0xbf) {
    return { encoding: "utf-8", markBytes: 3 };
  }
  if (a === 0xff && b === 0xfe) {
    return { encoding: "utf-16le", markBytes: 2 };
  }
  return a === 0xfe && b === 0xff ? { encoding: "utf-16be", markBytes: 2 } : null;
}

interface Zeros {
  all: number;
  even: number;
}

function countZeros(start: Uint8Array): Zeros {
  const zeros = { all: 0, even: 0 };
  for (let at = 0; at < start.length; at += 1) {
    if (start[at] === 0) {
      zeros.all += 1;
      zeros.even += at % 2 === 0 ? 1 : 0;
    }
  }
  return zeros;
}

/** Latin text in UTF-16 has a zero in every other byte, always on the same side. */
function zerosFault({ all, even }: Zeros, length: number): string {
  const isHalf = all > length * 0.3 && all < length * 0.6;
  if (isHalf && even < all * 0.05) {
    return "the file looks like UTF-16 (little endian) without a byte order mark; set charset=utf-16le";
  }
  if (isHalf && even > all * 0.95) {
    return "the file looks like UTF-16 (big endian) without a byte order mark; set charset=utf-16be";
  }
  return "the file is not text (it contains zero bytes); if it is a spreadsheet, export it as CSV";
}

function isUtf8(start: Uint8Array, isWhole: boolean): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(start, { stream: !isWhole });
    return true;
  } catch {
    return false;
  }
}

/** Bytes that `text` took in a file of this encoding. */
export function bytesOf(text: string, encoding: Encoding): number {
  if (encoding === "windows-1252") {
    return text.length;
  }
  return encoding === "utf-8" ? utf8Bytes(text) : text.length * 2;
}

function utf8Bytes(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit > 0x7f) {
      // A surrogate is half of a character of four bytes.
      bytes += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
    }
  }
  return bytes;
}
