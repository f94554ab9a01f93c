/** The beginning of a reply on one line, for who reads it elsewhere: a channel, a table, a notification. */

import { withoutFooters } from "./footer.ts";

export const SNIPPET_CHARS_MAX = 200;

/**
 * `text` is a stripped reply. Without footers, line breaks and control characters; cut at a word where one
 * ends near, with `…`. Null where nothing is left.
 */
export function snippetOf(text: string): string | null {
  const line = (withoutFooters(text) || text)
    .slice(0, 4 * SNIPPET_CHARS_MAX)
    .replace(/[\s\p{Cc}\p{Cf}\p{Cs}]+/gu, " ")
    .trim();
  const characters = Array.from(line);
  if (characters.length <= SNIPPET_CHARS_MAX) {
    return line === "" ? null : line;
  }
  const cut = characters.slice(0, SNIPPET_CHARS_MAX - 1).join("");
  return `${cut.replace(/\s+\S{0,20}$/u, "")}…`;
}
