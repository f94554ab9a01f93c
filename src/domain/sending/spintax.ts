/**
 * Spintax: `{Hi|Hello|Hey {there|you}}`, of which one alternative is sent.
 *
 * It is marked before Liquid sees the template, so that what a variable holds is never spun. Marking
 * turns each choice into three Liquid tags (`template-engine.ts` knows them), and one compiled template
 * then serves every lead. Liquid checks the rest: a block must close inside the alternative it opened
 * in, or the template does not parse.
 *
 * Braces without a bar stay as they are, and so does everything in `{{ }}`, in `{% %}`, between
 * `{% raw %}` or `{% comment %}` and its end, and in a `<style>` element.
 *
 * Source: ours; the notation is the one that outreach tools share.
 */

export const SPIN_TAGS = { open: "spin__", or: "or__", close: "endspin__" } as const;

/** Choices of one template that are spun; braces beyond them stay as they are. */
export const CHOICES_MAX = 1000;

interface OpenBrace {
  /** Index into the pieces. */
  at: number;
  bars: number[];
}

/**
 * `source` with its choices marked: `{a|b}` becomes `{%spin__ 0%}a{%or__%}b{%endspin__%}`. The number
 * is the choice's ordinal, in the order in which choices close. Reads the source once.
 */
export function markSpintax(source: string): string {
  if (!source.includes("|") || !source.includes("{")) {
    return source;
  }
  const pieces: string[] = [];
  const open: OpenBrace[] = [];
  let choices = 0;
  for (const piece of piecesOf(source)) {
    const brace = open.at(-1);
    if (piece === "{") {
      open.push({ at: pieces.length, bars: [] });
    } else if (piece === "|") {
      brace?.bars.push(pieces.length);
    } else if (piece === "}" && brace !== undefined) {
      open.pop();
      if (brace.bars.length > 0 && choices < CHOICES_MAX) {
        mark(pieces, brace, choices);
        choices += 1;
        continue;
      }
    }
    pieces.push(piece);
  }
  return pieces.join("");
}

function mark(pieces: string[], brace: OpenBrace, ordinal: number): void {
  pieces[brace.at] = `{%${SPIN_TAGS.open} ${ordinal}%}`;
  for (const bar of brace.bars) {
    pieces[bar] = `{%${SPIN_TAGS.or}%}`;
  }
  pieces.push(`{%${SPIN_TAGS.close}%}`);
}

const STYLE = "<style";

/** The source cut into braces, bars, and stretches without meaning here. Joined, they are the source. */
function* piecesOf(source: string): Generator<string> {
  const interesting = /[{}|<]/g;
  let at = 0;
  while (at < source.length) {
    interesting.lastIndex = at;
    const next = interesting.exec(source)?.index ?? source.length;
    if (next > at) {
      yield source.slice(at, next);
    }
    const end = next < source.length ? endOfPiece(source, next) : next;
    if (end > next) {
      yield source.slice(next, end);
    }
    at = end;
  }
}

function endOfPiece(source: string, at: number): number {
  if (source.startsWith("{%", at)) {
    return endOfTag(source, at);
  }
  // Liquid has no "{{{": the first brace opens a choice that begins with a variable.
  if (source.startsWith("{{", at) && source[at + 2] !== "{") {
    return endOfDelimited(source, at, "}}");
  }
  if (source[at] === "<" && source.slice(at, at + STYLE.length).toLowerCase() === STYLE) {
    return endOfStyle(source, at);
  }
  return at + 1;
}

/** After a tag; after the end tag of a block whose content is not a template. */
function endOfTag(source: string, at: number): number {
  const end = endOfDelimited(source, at, "%}");
  const name = /^\{%-?\s*(raw|comment)\b/.exec(source.slice(at, Math.min(end, at + 40)))?.[1];
  if (name === undefined) {
    return end;
  }
  const close = new RegExp(`\\{%-?\\s{0,20}end${name}\\s{0,20}-?%\\}`, "g");
  close.lastIndex = end;
  return close.exec(source) === null ? source.length : close.lastIndex;
}

/** After the delimiter, quoted ones left out; the end of the source where there is none. */
function endOfDelimited(source: string, at: number, delimiter: "}}" | "%}"): number {
  const marks = new RegExp(`["']|${delimiter}`, "g");
  marks.lastIndex = at + 2;
  for (let mark = marks.exec(source)?.[0]; mark !== undefined; mark = marks.exec(source)?.[0]) {
    if (mark === delimiter) {
      return marks.lastIndex;
    }
    const close = source.indexOf(mark, marks.lastIndex);
    marks.lastIndex = close === -1 ? source.length : close + 1;
  }
  return source.length;
}

function endOfStyle(source: string, at: number): number {
  const close = /<\/style/gi;
  close.lastIndex = at;
  return close.exec(source) === null ? source.length : close.lastIndex;
}

/** The choices of a template as they are written in it, each with those inside it. Reads the source once. */
export function choicesIn(source: string): string[] {
  const found: { from: number; to: number }[] = [];
  const open: { from: number; hasBar: boolean }[] = [];
  let at = 0;
  for (const piece of piecesOf(source)) {
    const brace = open.at(-1);
    if (piece === "{") {
      open.push({ from: at, hasBar: false });
    } else if (piece === "|" && brace !== undefined) {
      brace.hasBar = true;
    } else if (piece === "}" && open.pop()?.hasBar) {
      const from = brace?.from ?? 0;
      while ((found.at(-1)?.from ?? -1) > from) {
        found.pop();
      }
      found.push({ from, to: at + 1 });
    }
    at += piece.length;
  }
  return found.map(({ from, to }) => source.slice(from, to));
}

/** Longest stretch that {@link endOfCode} takes for one: whatever is longer is read as text. */
const CODE_CHARS_MAX = 4000;
/** Choices in choices that it follows: what opens more is code of another language, or hostile. */
const CHOICES_DEEP_MAX = 20;
/** A print or a tag that holds no other: one that isn't closed would swallow the text behind it. */
const PRINT_OR_TAG = /^\{(?:\{(?:[^{}"']|"[^"]*"|'[^']*')*\}\}|%(?:[^{}"']|"[^"]*"|'[^']*')*%\})/;
const VERBATIM = /^\{%-?\s*(?:raw|comment)\b/;

/**
 * The end of the print, the tag or the choice that begins at `at`; `at` itself where none does. For those who
 * show templates to people: what these parts are is decided by the rules above.
 */
export function endOfCode(source: string, at: number): number {
  return source[at] === "{" ? at + lengthOfCode(source.slice(at, at + CODE_CHARS_MAX)) : at;
}

/** Of the code at the beginning of `source`; 0 where there is none. */
function lengthOfCode(source: string): number {
  if (VERBATIM.test(source)) {
    const end = endOfTag(source, 0);
    return source.slice(0, end).endsWith("%}") ? end : 0;
  }
  const isLiquid = /^\{(?:%|\{(?!\{))/.test(source);
  return isLiquid ? (PRINT_OR_TAG.exec(source)?.[0].length ?? 0) : lengthOfChoice(source);
}

/** Of a choice at the beginning of `source`; 0 where it has no bar or no end. */
function lengthOfChoice(source: string): number {
  const hasBar: boolean[] = [];
  let at = 0;
  for (const piece of piecesOf(source)) {
    at += piece.length;
    const isChoice = piece === "}" && hasBar.pop() === true;
    if (piece === "{") {
      hasBar.push(false);
    } else if (piece === "|") {
      hasBar[hasBar.length - 1] = true;
    }
    if (hasBar.length === 0) {
      return isChoice ? at : 0;
    }
    if (hasBar.length > CHOICES_DEEP_MAX) {
      break;
    }
  }
  return 0;
}

/** Alternatives of a choice, as {@link endOfCode} finds it. */
export function alternativesOf(choice: string): string[] {
  const found = [""];
  let depth = 0;
  for (const piece of piecesOf(choice.slice(1, -1))) {
    depth += piece === "{" ? 1 : piece === "}" ? -1 : 0;
    if (piece === "|" && depth === 0) {
      found.push("");
    } else {
      found[found.length - 1] += piece;
    }
  }
  return found;
}
