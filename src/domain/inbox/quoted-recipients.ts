/**
 * To whom the email that a reply quotes was written, by the header lines that programs put before a quote. Somebody
 * who was handed an email, by a group's address say, names its recipient there and often nowhere else.
 */

import { ANY_HEADER_LINE } from "./quote-phrases.ts";
import { REPLY_CHARS_MAX } from "./reply.ts";

/** Header lines below the one that names the sender, those that are wrapped counted. */
const BLOCK_LINES_MAX = 8;
const RECIPIENTS_MAX = 20;
const ADDRESS = /[^\s<>"'(),:;[\]@]{1,64}@[a-z0-9.-]{1,253}[a-z0-9]/g;
/** What quotes, marks bold, and turns text from right to left. */
const MARKS = /^[>\s]+|[*\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Addresses in lower case, by the first header block that names one of `senders`: below it stand emails that
 * were passed on. None where none names them. Their own aren't among them.
 */
export function quotedRecipients(text: string, senders: readonly string[]): string[] {
  const lines = text
    .slice(0, REPLY_CHARS_MAX)
    .toLowerCase()
    .split(/\r\n?|\n/)
    .map((line) => line.replaceAll(MARKS, ""));
  const at = lines.findIndex(
    (line) => ANY_HEADER_LINE.test(line) && senders.includes(addressesIn(line)[0] ?? ""),
  );
  const found = at === -1 ? [] : addressesBelow(lines, at);
  return [...new Set(found).difference(new Set(senders))].slice(0, RECIPIENTS_MAX);
}

/** Of the rest of a block of header lines, up to the first blank line. */
function addressesBelow(lines: readonly string[], from: number): string[] {
  const below = lines.slice(from + 1, from + 1 + BLOCK_LINES_MAX);
  const end = below.findIndex((line) => line.trim() === "");
  return below.slice(0, end === -1 ? below.length : end).flatMap(addressesIn);
}

function addressesIn(line: string): string[] {
  return line.slice(0, 1_000).match(ADDRESS) ?? [];
}
