/**
 * HTML of an email as a page that asks nothing of anybody. Only tags and attributes that lay out text are
 * left: no address that a browser would look up, connect to or go to stays in it. Policy and sandbox of
 * the frame stand behind this, since a browser may open a connection before it asks them.
 *
 * Source: ours. A frame's address was connected to although the policy forbids frames.
 */

import sanitize from "sanitize-html";
import { withoutTokens } from "#domain/inbox/opt-out-token.ts";

/** More than other mail programs show (Gmail clips at 102 kB), and 40 ms of the thread. */
const HTML_CHARS_MAX = 128 * 1024;
/** Depth costs its square. */
const TAGS_MAX = 6_000;
/** Elements within elements; what lies deeper is dropped. */
const NESTING_MAX = 128;

/** Functions that a style may call: none of them takes an address. */
const STYLE_FUNCTION = /(?<![\w-])(?:rgba?|hsla?|calc|min|max|clamp)$/i;
const UNCLEAR_STYLE = /[\\@<>{}]|\/\*/;
const PICTURE = /^data:image\/(?:png|jpe?g|gif|webp);base64,/i;
const FILE = /^cid:([0-9a-f-]{36})$/i;

const LAID_OUT = ["align", "bgcolor", "color", "dir", "height", "lang", "style", "valign", "width"];
const TABLE = ["border", "cellpadding", "cellspacing"];
const CELL = ["colspan", "rowspan"];

const TAGS = [
  ...["a", "abbr", "address", "article", "b", "bdi", "bdo", "big", "blockquote", "br", "caption"],
  ...["center", "cite", "code", "col", "colgroup", "dd", "del", "dfn", "div", "dl", "dt", "em"],
  ...["figcaption", "figure", "font", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr"],
  ...[
    "i",
    "img",
    "ins",
    "kbd",
    "li",
    "main",
    "mark",
    "ol",
    "p",
    "pre",
    "q",
    "s",
    "samp",
    "section",
  ],
  ...["small", "span", "strike", "strong", "sub", "sup", "table", "tbody", "td", "tfoot", "th"],
  ...["thead", "time", "tr", "tt", "u", "ul", "var", "wbr"],
];

/** What a mail program put round the email that it answers: it is folded. */
const QUOTE = /^cite$|\b(?:gmail_quote|yahoo_quoted|protonmail_quote|moz-cite-prefix)\b/;

/** Their text is no text of the email. */
const WITHOUT_TEXT = [
  ...[
    "applet",
    "audio",
    "canvas",
    "embed",
    "frame",
    "frameset",
    "head",
    "iframe",
    "math",
    "noembed",
  ],
  ...["noframes", "noscript", "object", "option", "picture", "plaintext", "script", "select"],
  ...["source", "style", "svg", "template", "textarea", "title", "track", "video", "xmp"],
];

const OPTIONS: sanitize.IOptions = {
  allowedTags: [...TAGS, "details"],
  nonTextTags: WITHOUT_TEXT,
  allowedAttributes: {
    "*": LAID_OUT,
    a: ["title"],
    font: ["face", "size"],
    img: ["alt", "src"],
    ol: ["start", "type"],
    table: TABLE,
    td: CELL,
    th: CELL,
  },
  allowedSchemes: [],
  allowedSchemesByTag: { img: ["data"] },
  allowProtocolRelative: false,
  nestingLimit: NESTING_MAX,
  // Styles are read below: a parser for each attribute costs more than all else.
  parseStyleAttributes: false,
  transformTags: {
    "*": (tagName, attribs) => ({ tagName, attribs: quietAttributes(attribs) }),
    // Where a link would lead can be read and not followed.
    a: (tagName, { href = "", ...attribs }) => ({
      tagName,
      attribs: { ...quietAttributes(attribs), title: withoutTokens(href) },
    }),
    blockquote: (tagName, { type = "", class: name = "", ...attribs }) =>
      QUOTE.test(type) || QUOTE.test(name)
        ? { tagName: "details", attribs: {} }
        : { tagName, attribs },
    details: "div",
  },
  textFilter: withoutTokens,
  exclusiveFilter: ({ tag, attribs }) => tag === "img" && !PICTURE.test(attribs["src"] ?? ""),
};

/** For email of ours, whose images are files of the team, below `files`. */
function ownOptions(files: string): sanitize.IOptions {
  return {
    ...OPTIONS,
    transformTags: {
      ...OPTIONS.transformTags,
      img: (tagName, { src = "", ...attribs }) => {
        const file = FILE.exec(src)?.[1];
        const shown = file === undefined ? src : `${files}/${file}/download`;
        const isShown = file !== undefined || PICTURE.test(src);
        return { tagName, attribs: isShown ? { ...attribs, src: shown } : {} };
      },
    },
    exclusiveFilter: ({ tag, attribs }) => tag === "img" && attribs["src"] === undefined,
  };
}

/**
 * `html` without all that loads, runs, leads or sends; null: it is too long to be shown. `files`: below what the
 * images of an email of ours are; those of others stay away.
 */
export function quietHtml(html: string, files?: string): string | null {
  const isShown = html.length <= HTML_CHARS_MAX && html.split("<", TAGS_MAX + 1).length <= TAGS_MAX;
  return isShown
    ? sanitize(html, files === undefined ? OPTIONS : ownOptions(files)).replaceAll(
        "<details>",
        "<details><summary>Quoted text</summary>",
      )
    : null;
}

/** An address has no place in the others. */
const FREE_TEXT: readonly string[] = ["alt", "src", "title"];

function quietAttributes(attribs: sanitize.Attributes): sanitize.Attributes {
  const quiet = Object.entries(attribs).flatMap(([name, value]) => {
    if (name === "style") {
      return [[name, quietStyle(value)] as const];
    }
    return FREE_TEXT.includes(name) || !/[:(\\]/.test(value) ? [[name, value] as const] : [];
  });
  return Object.fromEntries(quiet);
}

/** The declarations of `style` that name no address, in whatever disguise. */
function quietStyle(style: string): string {
  return style
    .split(";")
    .filter((declaration) => !UNCLEAR_STYLE.test(declaration))
    .filter((declaration) =>
      declaration
        .split("(")
        .slice(0, -1)
        .every((before) => STYLE_FUNCTION.test(before.trimEnd())),
    )
    .join(";");
}
