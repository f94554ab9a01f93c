/**
 * A JSON array read piece by piece: its elements as soon as they are whole, however long the array is. What
 * stands between elements is passed over, so that an array can be read on from the end of any of them.
 * Source: RFC 8259.
 */

import { type LineReader, LineTooLong, type Numbered } from "./csv.ts";
import { LINE_CHARS_MAX } from "./import.ts";

const [QUOTE, BACKSLASH, NEWLINE] = [0x22, 0x5c, 0x0a];
/** `[`, `]`, `{`, `}`. */
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);
/** Between elements: white space, commas, and the brackets of the array itself. */
const BETWEEN = /[^\s,[\]]/g;
/** Where a bare element ends: a number, say, which is none of ours and becomes an error row. */
const BARE_END = /[\s,\]]/g;

/** `undefined`: the element is no JSON. */
export function jsonReader(line = 1): LineReader<unknown> {
  let rest = "";
  let number = line;
  return {
    push: (text) => {
      rest += text;
    },
    take: (rowsMax, isLast) => {
      const rows: Numbered<unknown>[] = [];
      let from = 0;
      while (rows.length < rowsMax) {
        BETWEEN.lastIndex = from;
        const start = BETWEEN.exec(rest)?.index ?? rest.length;
        number += linesIn(rest, from, start);
        from = start;
        const end = from === rest.length ? null : endOf(rest, from, isLast);
        const length = (end ?? rest.length) - from;
        if (length > LINE_CHARS_MAX) {
          throw new LineTooLong(number);
        }
        if (end === null) {
          break;
        }
        rows.push({ row: parsed(rest.slice(from, end)), line: number });
        number += linesIn(rest, from, end);
        from = end;
      }
      const text = rest.slice(0, from);
      rest = rest.slice(from);
      return { rows, text };
    },
    get line() {
      return number;
    },
  };
}

/** Where the element that begins at `from` ends; null where its end has not come yet. */
function endOf(text: string, from: number, isLast: boolean): number | null {
  const first = text.charCodeAt(from);
  const end = first === QUOTE || OPENING.has(first) ? closed(text, from) : bare(text, from);
  return end ?? (isLast ? text.length : null);
}

function bare(text: string, from: number): number | null {
  BARE_END.lastIndex = from;
  return BARE_END.exec(text)?.index ?? null;
}

/** The end of a string, or of what brackets enclose. */
function closed(text: string, from: number): number | null {
  let depth = 0;
  let inString = false;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      at += code === BACKSLASH ? 1 : 0;
      inString = code !== QUOTE;
    } else if (code === QUOTE) {
      inString = true;
    } else if (OPENING.has(code)) {
      depth += 1;
    } else if (CLOSING.has(code)) {
      depth -= 1;
    }
    if (depth === 0 && !inString) {
      return at + 1;
    }
  }
  return null;
}

function linesIn(text: string, from: number, until: number): number {
  let lines = 0;
  for (let at = from; at < until; at += 1) {
    lines += text.charCodeAt(at) === NEWLINE ? 1 : 0;
  }
  return lines;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
