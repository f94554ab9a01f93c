/** Which elements a rich text can hold, and what the others are called. */

import type { Mark, MarkName } from "./document.ts";

/** Without an end tag. */
export const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/;

export const LISTS: Readonly<Record<string, "bullet_list" | "ordered_list">> = {
  ul: "bullet_list",
  ol: "ordered_list",
};

/** Elements that begin a line of their own, and what is lost with them. */
const BLOCKS: readonly (readonly [RegExp, string | null])[] = [
  [/^(?:p|div)$/, null],
  [/^h[1-6]$/, "headings"],
  [/^(?:table|tbody|thead|tfoot|tr|td|th|caption|colgroup)$/, "tables"],
  [/^(?:html|head|body)$/, "a whole page"],
  [/^(?:section|article|header|footer|main|nav|aside|figure|figcaption|address)$/, "sections"],
  [/^(?:center|hr|pre|dl|dt|dd|form|fieldset|details|summary)$/, "elements such as <center>"],
];

/** What is lost with a block: null for nothing; undefined for what is no block. */
export function lostWithBlock(name: string): string | null | undefined {
  return BLOCKS.find(([names]) => names.test(name))?.[1];
}

const MARKS: Readonly<Record<string, MarkName>> = {
  ...{ b: "strong", strong: "strong", i: "em", em: "em", u: "underline", ins: "underline" },
};
export const MARK_ORDER: readonly MarkName[] = ["link", "strong", "em", "underline"];

export const isInlineKnown = (name: string) => name in MARKS || name === "a" || name === "span";

/** What an element does to the text in it. Word processors say it by styles, and take it back by them. */
export function marksOf(name: string, style: string): Mark[] {
  const says = (pattern: RegExp) => pattern.test(style);
  const isPlain = says(/font-weight\s*:\s*(?:normal|[1-4]00)/i);
  const found = new Set<MarkName>();
  const own = MARKS[name];
  if (own !== undefined && !(own === "strong" && isPlain)) {
    found.add(own);
  }
  if (says(/font-weight\s*:\s*(?:bold|[6-9]00)/i)) {
    found.add("strong");
  }
  if (says(/font-style\s*:\s*italic/i)) {
    found.add("em");
  }
  if (name !== "a" && says(/text-decoration(?:-line)?\s*:[^;:]*\bunderline/i)) {
    found.add("underline");
  }
  return [...found].map((type) => ({ type }));
}

/** Attributes that are kept. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  a: ["href"],
  img: ["src", "alt", "width", "height"],
};
const STYLING = /^(?:style|class|align|valign|bgcolor|color|face|size|border|dir|lang)$/;

/** What is lost with an element's attributes. */
export function lostWithAttributes(name: string, attributes: Iterable<string>): string[] {
  return [...attributes]
    .filter((attribute) => !KEPT[name]?.includes(attribute))
    .map((attribute) => (STYLING.test(attribute) ? "styles" : `“${attribute}” of <${name}>`));
}
