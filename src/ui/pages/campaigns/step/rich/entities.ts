/** Characters of a template between its text and its HTML. What Liquid reads is no HTML yet and stays as it is. */

import { endOfCode } from "#domain/sending/spintax.ts";

/** Those that people and email programs write. */
const NAMED: Readonly<Record<string, string>> = {
  ...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0", shy: "\u00ad" },
  ...{ ndash: "–", mdash: "—", hellip: "…", bull: "•", middot: "·", zwnj: "\u200c", zwj: "\u200d" },
  ...{
    lsquo: "‘",
    rsquo: "’",
    sbquo: "‚",
    ldquo: "“",
    rdquo: "”",
    bdquo: "„",
    laquo: "«",
    raquo: "»",
  },
  ...{ euro: "€", pound: "£", yen: "¥", cent: "¢", copy: "©", reg: "®", trade: "™", deg: "°" },
  ...{ times: "×", rarr: "→", larr: "←", auml: "ä", ouml: "ö", uuml: "ü", szlig: "ß" },
  ...{ Auml: "Ä", Ouml: "Ö", Uuml: "Ü", eacute: "é", egrave: "è", agrave: "à", ccedil: "ç" },
  ...{ ntilde: "ñ", aring: "å", oslash: "ø", aelig: "æ" },
};
const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z][\da-z]{1,30}));/gi;
/** A browser reads these without their semicolon. */
const CUT_ENTITY = /&(?:amp|lt|gt|quot|nbsp|copy|reg)(?![\da-z;=])/i;

/** `change` of all that stands outside of Liquid's prints and tags. */
function outsideOfLiquid(source: string, change: (text: string) => string): string {
  let [made, from] = ["", 0];
  for (let at = source.indexOf("{"); at !== -1; at = source.indexOf("{", at)) {
    const end = /[{%]/.test(source[at + 1] ?? "") ? endOfCode(source, at) : at;
    if (end > at) {
      made += change(source.slice(from, at)) + source.slice(at, end);
      from = end;
    }
    at = Math.max(end, at + 1);
  }
  return made + change(source.slice(from));
}

/** The text that `html` shows, which has no tags. `unknown` is told of what it can't read. */
export function decode(html: string, unknown: (what: string) => void): string {
  return outsideOfLiquid(html, (part) => {
    if (CUT_ENTITY.test(part)) {
      unknown("characters written without a semicolon");
    }
    return part.replace(ENTITY, (whole, decimal?: string, hex?: string, name?: string) => {
      const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
      const known = name === undefined ? characterOf(code) : NAMED[name];
      if (known === undefined) {
        unknown(`the character ${whole}`);
      }
      return known ?? whole;
    });
  });
}

/** Undefined for what is no character, or one that HTML can't hold. */
function characterOf(code: number): string | undefined {
  const isControl = code < 32 || (code > 126 && code < 160);
  const isHalf = code >= 0xd800 && code <= 0xdfff;
  return isControl || isHalf || code > 0x10ffff ? undefined : String.fromCodePoint(code);
}

export function encode(text: string): string {
  return outsideOfLiquid(text, (part) =>
    part
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll("\u00a0", "&nbsp;"),
  );
}

export function encodeAttribute(text: string): string {
  return outsideOfLiquid(text, (part) =>
    part.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;"),
  );
}
