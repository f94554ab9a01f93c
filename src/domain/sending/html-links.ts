/**
 * The links of an HTML text, and the text with other addresses in their places. The HTML may be anybody's;
 * the runtime's own parser reads it once from left to right, and nothing but links is touched.
 */

/** Links of one text that are looked at; those after them stay as they are. */
export const LINKS_MAX = 100;

/** Addresses of the links in `html`, in order, of the schemes http and https only. */
export function linksOf(html: string): string[] {
  const found: string[] = [];
  replaceLinks(html, (url) => {
    found.push(url);
    return null;
  });
  return found;
}

/** `html` with each address replaced by what `replace` says for it; null leaves it as it is. */
export function replaceLinks(
  html: string,
  replace: (url: string, index: number) => string | null,
): string {
  let index = 0;
  const element = (link: HTMLRewriterTypes.Element) => {
    const url = index < LINKS_MAX ? webAddress(link.getAttribute("href") ?? "") : null;
    const other = url === null ? null : replace(url, index);
    index += url === null ? 0 : 1;
    if (other !== null) {
      link.setAttribute("href", escapeAttribute(other));
    }
  };
  return new HTMLRewriter().on("a[href]", { element }).transform(html);
}

const ADDRESS_CHARS_MAX = 4096;

/** The address that a browser would go to; null for another scheme and for what is none. */
export function webAddress(written: string): string | null {
  const text = decoded(written).trim();
  const url = text.length > ADDRESS_CHARS_MAX ? null : URL.parse(text);
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  return url !== null && isWeb && url.username === "" && url.password === "" ? url.href : null;
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,4}));/gi, (whole, ...found) => {
    const [decimal, hex, name] = found as (string | undefined)[];
    if (name !== undefined) {
      return ENTITIES[name.toLowerCase()] ?? whole;
    }
    const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

function escapeAttribute(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;")
    .replaceAll("<", "&lt;");
}
