/**
 * What a person wrote in a reply, without what the client quoted, the signature block and the
 * telephone's line. Works by lines, reads each once, and looks a fixed number of lines ahead.
 */

import { fold } from "./fold.ts";
import {
  ATTRIBUTIONS,
  CLIENT_LINES,
  FROM_LINES,
  HEADER_LINES,
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
  const folded = fold(line.slice(0, ATTRIBUTION_CHARS_MAX));
  if (SEPARATORS.some((separator) => separator.test(folded))) {
    return !/^[_-]{20,}$/.test(folded) || isHeaderBlock(lines, nextText(lines, at + 1));
  }
  return isHeaderBlock(lines, at);
}

/** "From: …" with two more header lines right below it. */
function isHeaderBlock(lines: readonly string[], at: number): boolean {
  if (!FROM_LINES.test(fold((lines[at] ?? "").slice(0, ATTRIBUTION_CHARS_MAX)))) {
    return false;
  }
  const below = lines.slice(at + 1, at + 7).map((line) => fold(line.slice(0, 60)));
  return below.filter((line) => HEADER_LINES.test(line)).length >= 2;
}

/** How many lines from `at` on say who wrote what follows; 0 where they do not. */
function attributionLines(lines: readonly string[], at: number): number {
  const first = fold((lines[at] ?? "").slice(0, ATTRIBUTION_CHARS_MAX));
  if (first === "" || isQuoted(lines[at])) {
    return 0;
  }
  let joined = "";
  for (let count = 1; count <= ATTRIBUTION_LINES_MAX; count += 1) {
    const line = lines[at + count - 1] ?? "";
    if (line.trim() === "" || isQuoted(line)) {
      return 0;
    }
    joined = fold(`${joined} ${line}`.slice(0, ATTRIBUTION_CHARS_MAX));
    const isAttribution = ATTRIBUTIONS.some(({ start, end }, row) => {
      // The widest rows are for one line only.
      return (count === 1 || row < 4) && start.test(joined) && end.test(joined);
    });
    if (isAttribution) {
      return count;
    }
  }
  return 0;
}

/** Without "Sent from my …" at the end. */
function withoutClientLine(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => line.trim() !== "");
  const folded = fold((lines[last] ?? "").slice(0, 200));
  return CLIENT_LINES.some((pattern) => pattern.test(folded)) ? lines.slice(0, last) : lines;
}
