/**
 * The links of an HTML text: where their addresses stand, and the text with other ones in their places.
 * The HTML may be anybody's; it is read once from left to right, and nothing else of it is touched.
 */

/** Links of one text that are looked at; those after them stay as they are. */
export const LINKS_MAX = 100;

interface Place {
  /** Of the attribute's value, quotes not included. */
  start: number;
  end: number;
  /** The address, absolute and normalised. */
  url: string;
}

/** Addresses of the links in `html`, in order, of the schemes http and https only. */
export function linksOf(html: string): string[] {
  return placesOf(html).map(({ url }) => url);
}

/** `html` with each address replaced by what `replace` says for it; null leaves it as it is. */
export function replaceLinks(
  html: string,
  replace: (url: string, index: number) => string | null,
): string {
  let result = "";
  let from = 0;
  for (const [index, { start, end, url }] of placesOf(html).entries()) {
    const other = replace(url, index);
    if (other !== null) {
      result += html.slice(from, start) + quoted(html, start, escapeAttribute(other));
      from = end;
    }
  }
  return result + html.slice(from);
}

/** A value that stood without quotes gets them where the new one needs them. */
function quoted(html: string, start: number, value: string): string {
  const before = html[start - 1];
  return before === '"' || before === "'" ? value : `"${value}"`;
}

function placesOf(html: string): Place[] {
  const places: Place[] = [];
  let at = html.indexOf("<");
  while (at !== -1 && places.length < LINKS_MAX) {
    const isLink = /^<a[\s/]/i.test(html.slice(at, at + 3));
    const next = isLink ? readTag(html, at + 2, places) : at + 1;
    if (next === null) {
      break;
    }
    at = html.indexOf("<", next);
  }
  return places;
}

const SPACE = /[\s/]/;

/** Reads the attributes of a link from `at` on; where the tag ends, null where it does not. */
function readTag(html: string, at: number, places: Place[]): number | null {
  let position = at;
  let address: { start: number; end: number } | undefined;
  while (position < html.length) {
    while (SPACE.test(html[position] ?? "")) {
      position += 1;
    }
    if (html[position] === ">") {
      const url = address && webAddress(html.slice(address.start, address.end));
      if (address !== undefined && url !== null && url !== undefined) {
        places.push({ ...address, url });
      }
      return position + 1;
    }
    const attribute = readAttribute(html, position);
    if (attribute === null) {
      return null;
    }
    const { name, start, end, next } = attribute;
    if (name === "href") {
      address ??= { start, end };
    }
    position = next;
  }
  return null;
}

const NAME_END = /[\s/>=]/;

/** Where an attribute's name and value stand; null where the text ends within it. */
function readAttribute(html: string, at: number) {
  let position = at + 1;
  while (position < html.length && !NAME_END.test(html[position] ?? "")) {
    position += 1;
  }
  const name = html.slice(at, position).toLowerCase();
  while (/\s/.test(html[position] ?? "")) {
    position += 1;
  }
  if (html[position] !== "=") {
    return { name, start: position, end: position, next: position };
  }
  position += 1;
  while (/\s/.test(html[position] ?? "")) {
    position += 1;
  }
  const quote = html[position];
  if (quote === '"' || quote === "'") {
    const end = html.indexOf(quote, position + 1);
    return end === -1 ? null : { name, start: position + 1, end, next: end + 1 };
  }
  const start = position;
  while (position < html.length && !/[\s>]/.test(html[position] ?? "")) {
    position += 1;
  }
  return { name, start, end: position, next: position };
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
