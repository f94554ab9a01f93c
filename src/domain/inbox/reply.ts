/**
 * What a person wrote in a reply, without what the client quoted, the signature block and the
 * telephone's line. Works by lines, reads each once, and looks a fixed number of lines ahead.
 */

import { fold } from "./fold.ts";
import {
  ANY_HEADER_LINE,
  ATTRIBUTION_MARK,
  ATTRIBUTIONS,
  CLIENT_LINES,
  DASHED_TITLE,
  FROM_LINES,
  HAS_ADDRESS,
  HAS_DAY_AND_TIME,
  HEADER_LINES,
  NARROW_ROWS,
  SEPARATORS,
} from "./quote-phrases.ts";

/** Text beyond this is not read: nobody writes a reply this long. */
export const REPLY_CHARS_MAX = 50_000;
const LINES_MAX = 2000;
/** Lines over which an attribution may be wrapped, and its length. */
const ATTRIBUTION_LINES_MAX = 4;
const ATTRIBUTION_CHARS_MAX = 400;

/** The writer's own words; empty where there are none. Paragraphs stay, blank lines in a row do not. */
export function stripReply(text: string): string {
  const lines = text
    .slice(0, REPLY_CHARS_MAX)
    .split(/\r\n?|\n/)
    .slice(0, LINES_MAX);
  const kept: string[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? "";
    const attribution = attributionLines(lines, at);
    if (
      isEnd(lines, at) ||
      (attribution > 0 && !isQuoted(lines[nextText(lines, at + attribution)]))
    ) {
      break;
    }
    if (attribution > 0) {
      at += attribution;
    } else {
      if (!isQuoted(line)) {
        kept.push(line.trimEnd());
      }
      at += 1;
    }
  }
  return withoutClientLine(kept)
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** Without the invisible signs that turn Arabic and Hebrew the right way. */
function foldLine(line: string | undefined): string {
  return fold((line ?? "").slice(0, ATTRIBUTION_CHARS_MAX).replace(DIRECTION_MARKS, ""));
}

const DIRECTION_MARKS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

function isQuoted(line: string | undefined): boolean {
  return line?.trimStart().startsWith(">") ?? false;
}

function nextText(lines: readonly string[], from: number): number {
  const at = lines.findIndex((line, index) => index >= from && line.trim() !== "");
  return at === -1 ? lines.length : at;
}

/** True where nothing below is the writer's own. */
function isEnd(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? "";
  if (line === "-- " || line === "--") {
    return true;
  }
  const folded = foldLine(line);
  if (SEPARATORS.some((separator) => separator.test(folded))) {
    return !/^[_-]{20,}$/.test(folded) || isHeaderBlock(lines, nextText(lines, at + 1));
  }
  return (
    isHeaderBlock(lines, at) ||
    (DASHED_TITLE.test(folded) && isHeaderBlock(lines, nextText(lines, at + 1)))
  );
}

/**
 * "From: …" with two more header lines right below it; in a language without a row, an address, then the
 * day and the time, and three such lines at least.
 */
function isHeaderBlock(lines: readonly string[], at: number): boolean {
  const first = foldLine(lines[at]);
  if (!ANY_HEADER_LINE.test(first)) {
    return false;
  }
  const below = lines.slice(at + 1, at + 7).map((line) => foldLine(line));
  if (FROM_LINES.test(first) && below.filter((line) => HEADER_LINES.test(line)).length >= 2) {
    return true;
  }
  const end = below.findIndex((line) => !ANY_HEADER_LINE.test(line));
  const others = below.slice(0, end === -1 ? below.length : end);
  return (
    others.length >= 2 &&
    HAS_ADDRESS.test(first) &&
    others.slice(0, 2).some((line) => HAS_DAY_AND_TIME.test(line))
  );
}

/** How many lines from `at` on say who wrote what follows; 0 where they do not. */
function attributionLines(lines: readonly string[], at: number): number {
  const first = foldLine(lines[at]);
  if (first === "" || isQuoted(lines[at])) {
    return 0;
  }
  let joined = "";
  for (let count = 1; count <= ATTRIBUTION_LINES_MAX; count += 1) {
    const line = lines[at + count - 1] ?? "";
    if (line.trim() === "" || isQuoted(line)) {
      return 0;
    }
    joined = foldLine(`${joined} ${line}`);
    // The widest rows are for one line, or for two of which the first alone has the day.
    const isWide =
      count === 1 || (count === 2 && isBegun(first) && !HAS_DAY_AND_TIME.test(foldLine(line)));
    if (isAttribution(joined, isWide)) {
      return count;
    }
  }
  return 0;
}

function isBegun(line: string): boolean {
  return HAS_DAY_AND_TIME.test(line) && !/[.!?]$/.test(line);
}

function isAttribution(line: string, isWide: boolean): boolean {
  return (
    ATTRIBUTION_MARK.test(line) &&
    ATTRIBUTIONS.some(({ start, end }, row) => {
      return (isWide || row < NARROW_ROWS) && start.test(line) && end.test(line);
    })
  );
}

/** Without "Sent from my …" at the end. */
function withoutClientLine(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => line.trim() !== "");
  const folded = fold((lines[last] ?? "").slice(0, 200));
  return CLIENT_LINES.some((pattern) => pattern.test(folded)) ? lines.slice(0, last) : lines;
}
