/**
 * CSV read piece by piece: rows as soon as they are whole, and how far they reach, so that a file can be
 * read on from there. Papa Parse splits; what it was measured against is in `docs/adr/imports-and-exports.md`.
 *
 * A line may end in LF, CRLF or both in one file, or in CR throughout. Source: RFC 4180, as programs
 * write it.
 */

import { Parser } from "papaparse";
import { LINE_CHARS_MAX } from "./import.ts";

export const DELIMITERS = [",", ";", "\t", "|"] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** Rows that a guess looks at. */
const SNIFF_ROWS = 10;

export interface CsvDialect {
  delimiter: Delimiter;
  newline: "\n" | "\r";
}

/** A line that is longer than {@link LINE_CHARS_MAX}, or a quote that is never closed. */
export class LineTooLong extends Error {
  readonly line: number;

  constructor(line: number) {
    super(
      `line ${line} is longer than ${LINE_CHARS_MAX} characters, or has a quote that is never closed`,
    );
    this.line = line;
  }
}

/** A row, and the number of the line on which it begins. */
export interface Numbered<Row> {
  row: Row;
  line: number;
}

/** Rows, and the text that they were, up to the end of the last of them. */
export interface Taken<Row> {
  rows: Numbered<Row>[];
  text: string;
}

/** Text goes in at one end and rows come out at the other. */
export interface LineReader<Row> {
  push(text: string): void;
  /**
   * Up to `rowsMax` rows that are whole; `isLast`: text without a line end counts as a row too. Lines with
   * nothing in them are passed over. Throws {@link LineTooLong}.
   */
  take(rowsMax: number, isLast: boolean): Taken<Row>;
  /** The number of the line that comes next. */
  readonly line: number;
}

/** `line`: the number of the first line that will be pushed. */
export function csvReader(dialect: CsvDialect, line = 1): LineReader<readonly string[]> {
  let rest = "";
  let number = line;
  return {
    push: (text) => {
      // CRLF becomes space and LF, the same length, so that offsets stay valid. Trailing spaces carry no meaning.
      rest = dialect.newline === "\n" ? (rest + text).replaceAll("\r\n", " \n") : rest + text;
    },
    take: (rowsMax, isLast) => {
      const { data, cursor } = parse(rest, dialect, rowsMax, isLast);
      if (data.length === 0 && rest.length > LINE_CHARS_MAX) {
        throw new LineTooLong(number);
      }
      const rows: Numbered<readonly string[]>[] = [];
      for (const row of data) {
        if (row.length > 1 || row[0]?.trim() !== "") {
          rows.push({ row, line: number });
        }
        number += 1 + linesWithin(row, dialect.newline);
      }
      const text = rest.slice(0, cursor);
      rest = rest.slice(cursor);
      return { rows, text };
    },
    get line() {
      return number;
    },
  };
}

interface Parsed {
  data: string[][];
  meta: { cursor: number };
}

function parse(text: string, { delimiter, newline }: CsvDialect, preview: number, isLast: boolean) {
  if (text === "") {
    return { data: [], cursor: 0 };
  }
  // Its fast mode miscounts where it stops early.
  const parser = new Parser({ delimiter, newline, preview, fastMode: false });
  const { data, meta } = parser.parse(text, 0, !isLast) as Parsed;
  // A text that ends in a line end has no row behind it.
  return { data, cursor: meta.cursor };
}

function linesWithin(cells: readonly string[], newline: string): number {
  let lines = 0;
  for (const cell of cells) {
    for (let at = cell.indexOf(newline); at !== -1; at = cell.indexOf(newline, at + 1)) {
      lines += 1;
    }
  }
  return lines;
}

/** The dialect in which the rows of `start`, a file's first text, have the most columns and agree on them. */
export function sniffCsv(start: string): CsvDialect {
  const newline = start.includes("\r") && !start.includes("\n") ? "\r" : "\n";
  let best: { delimiter: Delimiter; score: number } = { delimiter: ",", score: 0 };
  for (const delimiter of DELIMITERS) {
    const score = scoreOf(start, { delimiter, newline });
    if (score > best.score) {
      best = { delimiter, score };
    }
  }
  return { delimiter: best.delimiter, newline };
}

/** Columns of the first row, times the number of rows that have as many. */
function scoreOf(start: string, dialect: CsvDialect): number {
  const { data } = parse(start, dialect, SNIFF_ROWS, true);
  const rows = data.filter((row) => row.length > 1);
  const width = rows[0]?.length ?? 0;
  return width * rows.filter((row) => row.length === width).length;
}
