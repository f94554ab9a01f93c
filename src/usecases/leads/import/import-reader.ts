/**
 * The text of a file that comes in pieces, as rows: its encoding, its dialect and its columns are found
 * in the first pieces and remembered in the import, so that it can be read on from any row.
 */

import {
  type ColumnMap,
  guessColumns,
  isAddressOf,
  mapColumns,
} from "#domain/leads/import/columns.ts";
import {
  type CsvDialect,
  csvReader,
  type LineReader,
  type Numbered,
  sniffCsv,
} from "#domain/leads/import/csv.ts";
import {
  bytesOf,
  type Encoding,
  SNIFF_BYTES,
  sniffEncoding,
} from "#domain/leads/import/encoding.ts";
import { COLUMNS_MAX, type ImportKind } from "#domain/leads/import/import.ts";
import { jsonReader } from "#domain/leads/import/json.ts";
import { ndjsonReader } from "#domain/leads/import/ndjson.ts";
import { invalid, Problem } from "#domain/problem.ts";
import type { ImportRow } from "#store/tables/imports.ts";
import type { ItemReader, RowRead } from "./import-items.ts";

/** Rows that a guess of columns looks at, and that a preview shows. */
export const SAMPLE_ROWS = 20;

/** What the sender says of a file, or leaves to be found. */
export interface FileHints {
  encoding: Encoding | null;
  delimiter: CsvDialect["delimiter"] | null;
  map: ColumnMap;
}

/** What is known of a file once its first bytes are read; kept in the import's row. */
export type FileFacts = Pick<
  ImportRow,
  "encoding" | "delimiter" | "newline" | "columns" | "offset" | "line"
>;

/** Reads rows from an import's offset on. */
export interface FileReader<Item> {
  /** Throws {@link Problem} where the bytes are no text of the file's encoding. */
  push(bytes: Uint8Array): void;
  /** Up to `rowsMax` rows, and the bytes up to the end of the last of them. */
  take(rowsMax: number, isLast: boolean): { rows: Numbered<RowRead<Item>>[]; bytes: number };
  /** The number of the line that comes next. */
  readonly line: number;
}

/**
 * Finds out how the file is written whose first bytes are `start`. Throws a {@link Problem} that names
 * what it is instead of text, or what its columns lack.
 */
export function inspectFile(
  { kind, format }: { kind: ImportKind; format: ImportRow["format"] },
  start: Uint8Array,
  isWhole: boolean,
  hints: FileHints,
): FileFacts & { samples: readonly (readonly string[])[] } {
  const sniffed = sniffEncoding(start.subarray(0, SNIFF_BYTES), hints.encoding, isWhole);
  if ("fault" in sniffed) {
    throw new Problem("invalid_request", sniffed.fault, "charset");
  }
  const { encoding, markBytes } = sniffed;
  const found = { encoding, delimiter: null, newline: null, columns: null };
  if (format !== "csv") {
    return { ...found, offset: markBytes, line: 1, samples: [] };
  }
  // As the rest is read: a character that were replaced or left out would move where the rows begin.
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  const text = decoded(decoder, start.subarray(markBytes), isWhole);
  const guessed = sniffCsv(text);
  const dialect = { ...guessed, delimiter: hints.delimiter ?? guessed.delimiter };
  const reader = csvReader(dialect);
  reader.push(text);
  const head = firstRow(reader, isWhole);
  const headings = head.row?.map((cell) => cell.trim());
  if (headings === undefined) {
    throw invalid("body", "the file is empty, or its first line is longer than 64 KiB");
  }
  if (headings.length > COLUMNS_MAX) {
    throw invalid("body", `the file has ${headings.length} columns; at most ${COLUMNS_MAX}`);
  }
  const below = reader.take(SAMPLE_ROWS, isWhole).rows.map(({ row }) => row);
  // A file whose first row holds an address has no headings.
  const isBare = headings.some((cell) => isAddressOf(kind, cell));
  const names = isBare ? headings.map((_, index) => `Column ${index + 1}`) : headings;
  const samples = isBare ? [headings, ...below].slice(0, SAMPLE_ROWS) : below;
  return {
    ...found,
    ...dialect,
    columns: mapColumns(guessColumns(names, samples, kind), hints.map, kind),
    offset: markBytes + (isBare ? 0 : bytesOf(head.text, encoding)),
    line: isBare ? 1 : 1 + linesOf(head.text, dialect.newline),
    samples,
  };
}

function decoded(decoder: TextDecoder, start: Uint8Array, isWhole: boolean): string {
  try {
    return decoder.decode(start, { stream: !isWhole });
  } catch {
    const message = `the file's beginning is not ${decoder.encoding}; set charset to the file's encoding`;
    throw new Problem("invalid_request", message, "charset");
  }
}

/** A reader of the bytes that follow `facts.offset`. */
export function readFile<Item>(
  format: ImportRow["format"],
  facts: FileFacts,
  items: ItemReader<Item>,
): FileReader<Item> {
  const encoding = facts.encoding ?? "utf-8";
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  const rows = rowReader(format, facts, items);
  const decode = (bytes: Uint8Array | undefined) => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      const message = `what follows line ${rows.line} is not ${encoding}; set charset to the file's encoding`;
      throw new Problem("invalid_request", message, "charset");
    }
  };
  return {
    push: (bytes) => {
      rows.push(decode(bytes));
    },
    take: (rowsMax, isLast) => {
      if (isLast) {
        rows.push(decode(undefined));
      }
      const taken = rows.take(rowsMax, isLast);
      return { rows: taken.rows, bytes: bytesOf(taken.text, encoding) };
    },
    get line() {
      return rows.line;
    },
  };
}

function rowReader<Item>(
  format: ImportRow["format"],
  facts: FileFacts,
  { ofCells, ofJson }: ItemReader<Item>,
): LineReader<RowRead<Item>> {
  if (format !== "csv") {
    return mapped(format === "json" ? jsonReader(facts.line) : ndjsonReader(facts.line), ofJson);
  }
  const { delimiter, newline, columns } = facts;
  if (delimiter === null || newline === null || columns === null) {
    throw new Error("a CSV import without its dialect");
  }
  return mapped(csvReader({ delimiter, newline }, facts.line), (cells) => ofCells(columns, cells));
}

function mapped<From, To>(reader: LineReader<From>, change: (row: From) => To): LineReader<To> {
  return {
    push: (text) => {
      reader.push(text);
    },
    take: (rowsMax, isLast) => {
      const { rows, text } = reader.take(rowsMax, isLast);
      return { rows: rows.map(({ row, line }) => ({ row: change(row), line })), text };
    },
    get line() {
      return reader.line;
    },
  };
}

/** Empty lines may stand before it. */
function firstRow(reader: LineReader<readonly string[]>, isWhole: boolean) {
  let text = "";
  for (;;) {
    const taken = reader.take(1, isWhole);
    text += taken.text;
    if (taken.rows.length > 0 || taken.text === "") {
      return { row: taken.rows[0]?.row, text };
    }
  }
}

function linesOf(text: string, newline: string): number {
  return text.split(newline).length - 1;
}
