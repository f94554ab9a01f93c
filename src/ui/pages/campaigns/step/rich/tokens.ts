/** HTML in its tags, texts and template code, read once from left to right. Never throws, whatever it is given. */

import { endOfCode } from "#domain/sending/spintax.ts";

export type Token =
  | { type: "text"; text: string }
  /** A print or tag of Liquid, or a choice of spintax. */
  | { type: "code"; code: string }
  | { type: "open"; name: string; attributes: ReadonlyMap<string, string> }
  | { type: "close"; name: string }
  /** What a rich text can't hold and what shows nothing: a comment, a script with all that is in it. */
  | { type: "silent"; what: string };

/** Elements whose content is no HTML, or shows nothing. */
const SILENT =
  /^(?:script|style|title|textarea|iframe|noscript|noembed|xmp|svg|math|object|template|select)$/;
/** A tag, as a browser would take it for one. */
const TAG_START = /<[a-z/!?]/i;

export function* tokensOf(source: string): Generator<Token> {
  let [at, from] = [0, 0];
  while (at < source.length) {
    const next = found(source, at, /[<{]/g);
    const [token, end] = tokenAt(source, next);
    if (token !== undefined) {
      if (next > from) {
        yield { type: "text", text: source.slice(from, next) };
      }
      yield token;
      from = end;
    }
    at = Math.max(end, next + 1);
  }
  if (from < source.length) {
    yield { type: "text", text: source.slice(from) };
  }
}

/** Where `pattern` is next; the end of the source where it isn't. */
function found(source: string, at: number, pattern: RegExp): number {
  pattern.lastIndex = at;
  return pattern.exec(source)?.index ?? source.length;
}

function tokenAt(source: string, at: number): [Token | undefined, number] {
  if (source[at] === "{") {
    const end = endOfCode(source, at);
    const code = source.slice(at, end);
    if (TAG_START.test(code)) {
      return [{ type: "silent", what: "spintax or Liquid with HTML in it" }, at];
    }
    return end > at ? [{ type: "code", code }, end] : [undefined, at + 1];
  }
  if (source.startsWith("<!--", at)) {
    const end = source.indexOf("-->", at + 4);
    return [{ type: "silent", what: "comments" }, end === -1 ? source.length : end + 3];
  }
  const isClose = source[at + 1] === "/";
  const [name = ""] =
    /^[a-z][^ \t\n\r\f/>]*/i.exec(source.slice(at + (isClose ? 2 : 1), at + 50)) ?? [];
  if (name === "") {
    const isOther = /^<[!?/]/.test(source.slice(at, at + 2));
    const what = "declarations";
    return isOther ? [{ type: "silent", what }, found(source, at, />/g) + 1] : [undefined, at + 1];
  }
  return isClose
    ? [{ type: "close", name: name.toLowerCase() }, found(source, at, />/g) + 1]
    : elementAt(source, at, name);
}

function elementAt(source: string, at: number, name: string): [Token, number] {
  const attributes = new Map<string, string>();
  const end = readAttributes(source, at + 1 + name.length, attributes);
  const lower = name.toLowerCase();
  if (source[end - 1] !== ">") {
    return [{ type: "silent", what: "an unfinished tag" }, end];
  }
  if (!SILENT.test(lower)) {
    return [{ type: "open", name: lower, attributes }, end];
  }
  const close = new RegExp(`</${lower}[^<>]*>`, "gi");
  close.lastIndex = end;
  const isClosed = close.exec(source) !== null;
  return [{ type: "silent", what: `<${lower}>` }, isClosed ? close.lastIndex : source.length];
}

/** Reads up to the end of the tag and returns it. The first of two attributes of one name counts. */
function readAttributes(source: string, start: number, into: Map<string, string>): number {
  let at = start;
  while (at < source.length && source[at] !== ">") {
    const nameEnd = Math.max(found(source, at, /[ \t\n\r\f/>=]/g), at + 1);
    const name = source.slice(at, nameEnd).toLowerCase();
    if (/^[ \t\n\r\f/]/.test(name)) {
      at += 1;
      continue;
    }
    const equals = found(source, nameEnd, /[^ \t\n\r\f]/g);
    at = nameEnd;
    let value = "";
    if (source[equals] === "=") {
      const begin = found(source, equals + 1, /[^ \t\n\r\f]/g);
      const quote = source[begin] === '"' || source[begin] === "'" ? source[begin] : "";
      const valueAt = begin + quote.length;
      const end = endOfValue(source, valueAt, quote);
      value = source.slice(valueAt, end);
      at = end + quote.length;
    }
    if (!into.has(name)) {
      into.set(name, value);
    }
  }
  return Math.min(at + 1, source.length);
}

/** Liquid in a value may have quotes of its own. */
function endOfValue(source: string, start: number, quote: string): number {
  const ends = quote === "" ? /[ \t\n\r\f>{]/g : new RegExp(`[${quote}{]`, "g");
  let at = start;
  for (;;) {
    at = found(source, at, ends);
    if (source[at] !== "{") {
      return at;
    }
    at = Math.max(endOfCode(source, at), at + 1);
  }
}
