/** A person's own words as a message: taken as they are, no template, the other form made from the one given. */

import { htmlToText } from "./plain-text.ts";
import { isHtml, textToHtml } from "./text-to-html.ts";

export const OWN_WORDS_MAX = 100_000;

/** Null where nothing is left to read. Line ends become LF; other controls but the tab go. */
export function ownWords(body: string): { text: string; html: string } | null {
  const clean = body
    .toWellFormed()
    .replace(/\r\n?/g, "\n")
    .replace(/[^\P{Cc}\n\t]/gu, "")
    .trim();
  const text = isHtml(clean) ? htmlToText(clean, { links: "keep" }).trim() : clean;
  if (text === "") {
    return null;
  }
  return { text, html: isHtml(clean) ? clean : textToHtml(clean) };
}
