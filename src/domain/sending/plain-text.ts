/** Text made of HTML. Bounded in time and depth, for the HTML may be anybody's. */

import { convert } from "html-to-text";

/** HTML beyond this is not looked at. */
export const HTML_CHARS_MAX = 200_000;

/** Tags that are looked at: what nests without end costs most. */
const HTML_TAGS_MAX = 10_000;

export interface PlainTextOptions {
  /** Whether the address of a link is kept beside its words. */
  links: "keep" | "drop";
}

/** The words of `html` without pictures; empty where it cannot be read. Lines are not wrapped. */
export function htmlToText(html: string, { links }: PlainTextOptions): string {
  try {
    return convert(firstTags(html.slice(0, HTML_CHARS_MAX)), {
      wordwrap: false,
      limits: { maxDepth: 100, maxChildNodes: 10_000, maxInputLength: HTML_CHARS_MAX },
      selectors: [
        { selector: "img", format: "skip" },
        {
          selector: "a",
          options: { ignoreHref: links === "drop", hideLinkHrefIfSameAsText: true },
        },
      ],
    });
  } catch {
    return "";
  }
}

function firstTags(html: string): string {
  let tags = 0;
  for (let at = html.indexOf("<"); at !== -1; at = html.indexOf("<", at + 1)) {
    tags += 1;
    if (tags > HTML_TAGS_MAX) {
      return html.slice(0, at);
    }
  }
  return html;
}
