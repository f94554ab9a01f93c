/** NDJSON read piece by piece: one JSON value a line. Source: ndjson.org; RFC 8259. */

import { parseJson } from "#domain/json-text.ts";
import { type LineReader, LineTooLong, type Numbered } from "./csv.ts";
import { LINE_CHARS_MAX } from "./import.ts";

const DEPTH_MAX = 64;

/** `undefined`: the line is no JSON, or not as `parseJson` wants it. */
export function ndjsonReader(line = 1): LineReader<unknown> {
  let rest = "";
  let number = line;
  return {
    push: (text) => {
      rest += text;
    },
    take: (rowsMax, isLast) => {
      const rows: Numbered<unknown>[] = [];
      let from = 0;
      while (rows.length < rowsMax && from < rest.length) {
        const end = endOf(rest, from, isLast);
        if (end === null) {
          break;
        }
        checkLength(end - from, number);
        const text = rest.slice(from, end).trim();
        if (text !== "") {
          rows.push({ row: readLine(text), line: number });
        }
        number += 1;
        from = Math.min(end + 1, rest.length);
      }
      checkLength(rows.length === 0 ? rest.length - from : 0, number);
      const text = rest.slice(0, from);
      rest = rest.slice(from);
      return { rows, text };
    },
    get line() {
      return number;
    },
  };
}

/** Where the line that begins at `from` ends; null where its end has not come yet. */
function endOf(text: string, from: number, isLast: boolean): number | null {
  const found = text.indexOf("\n", from);
  if (found !== -1) {
    return found;
  }
  return isLast ? text.length : null;
}

function checkLength(length: number, line: number): void {
  if (length > LINE_CHARS_MAX) {
    throw new LineTooLong(line);
  }
}

function readLine(text: string): unknown {
  try {
    return parseJson(text, DEPTH_MAX);
  } catch {
    return undefined;
  }
}
