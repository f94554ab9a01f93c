/** HTML made of plain text, and how to tell the two apart. */

import { escapeHtml } from "./escape-html.ts";

/** Elements that people write in messages; a text with one of their tags is HTML. */
const TAG =
  /<\/?(?:!doctype|a|b|blockquote|body|br|center|code|div|em|font|h[1-6]|head|hr|html|i|img|li|ol|p|pre|section|small|span|strong|style|sub|sup|table|tbody|td|th|tr|u|ul)(?=[\s/>])[^<>]*>/i;

/** What a body is written in. */
export const BODY_FORMATS = ["plain", "html"] as const;
export type BodyFormat = (typeof BODY_FORMATS)[number];

/** A body's format: the one that its writer named, or what it looks like. */
export function formatOf(body: string, named: BodyFormat | null): BodyFormat {
  return named ?? (isHtml(body) ? "html" : "plain");
}

/** True when `source` holds the tag of a known element; `a < b` and `<ada@example.com>` are text. */
export function isHtml(source: string): boolean {
  return TAG.test(source);
}

/** Paragraphs at blank lines, line breaks within them, web addresses as links; all else escaped. */
export function textToHtml(text: string): string {
  return text
    .trim()
    .split(/\n[ \t]*(?:\n[ \t]*)+/)
    .map((paragraph) => `<p>${withLinks(paragraph).replaceAll("\n", "<br>\n")}</p>\n`)
    .join("");
}

const LINK = /\b(?:https?:\/\/|mailto:)[^\s<>"]+/g;

function withLinks(text: string): string {
  return linkedParts(text)
    .map(({ text: part, href }) => {
      const escaped = escapeHtml(part);
      return href === null ? escaped : `<a href="${escaped}">${escaped}</a>`;
    })
    .join("");
}

/** A text cut into web addresses and what stands between. */
export function linkedParts(text: string): { text: string; href: string | null }[] {
  const parts: { text: string; href: string | null }[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(LINK)) {
    const href = withoutTail(found);
    parts.push({ text: text.slice(end, index), href: null }, { text: href, href });
    end = index + href.length;
  }
  return [...parts, { text: text.slice(end), href: null }];
}

/** A web address without the punctuation of the sentence around it. */
function withoutTail(found: string): string {
  const marks = found.includes("(") ? ".,;:!?'*_]}" : ".,;:!?'*_]})";
  let end = found.length;
  while (end > 0 && marks.includes(found.charAt(end - 1))) {
    end -= 1;
  }
  return found.slice(0, end);
}
