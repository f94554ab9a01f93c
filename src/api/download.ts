/**
 * Downloads of any size: a page is read from the store when the client has taken the one before, and in a
 * turn of the event loop of its own, so that neither memory nor a lock grows with the file, and other
 * requests are served between two pages however quick the client is.
 */

import { OneOf } from "#api/schema.ts";
import { holding, ownTurn } from "#platform/turns.ts";
import { type Cell, csvLine } from "./csv.ts";

const EXPORT_FORMATS = ["csv", "ndjson"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** For a query. */
export const exportFormat = OneOf(EXPORT_FORMATS, {
  description: "Format of the file",
  default: "csv",
});

/** Rows of a page, read at once. */
export const PAGE_ROWS = 100;

/** Headings, and the cell of each for a row. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => Cell>>;

export interface Download<Row> {
  /** Without its ending. */
  name: string;
  format: ExportFormat;
  /** The rows that follow `last`; none where that was the end. */
  next(last: Row | undefined): readonly Row[];
  columns: Columns<Row>;
  /** A row as NDJSON has it; its columns if left out. */
  object?(row: Row): object;
  /** The last line of an NDJSON file. */
  trailer?(): object;
}

const TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: "text/csv; charset=utf-8",
  ndjson: "application/x-ndjson; charset=utf-8",
};

export function downloadOf<Row>(download: Download<Row>): Response {
  const { name, format, columns } = download;
  const encoder = new TextEncoder();
  const cells = Object.values(columns);
  const reader = holding();
  let last: Row | undefined;
  let isOpen = false;
  let isCancelled = false;
  const write =
    format === "csv"
      ? (row: Row) => csvLine(cells.map((cell) => cell(row)))
      : (row: Row) => `${JSON.stringify(download.object?.(row) ?? objectOf(columns, row))}\n`;
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        await ownTurn(reader);
        if (isCancelled) {
          return;
        }
        const head = !isOpen && format === "csv" ? csvLine(Object.keys(columns)) : "";
        isOpen = true;
        const rows = download.next(last);
        last = rows.at(-1) ?? last;
        const end = rows.length === 0 && format === "ndjson" ? download.trailer?.() : undefined;
        const text =
          head + rows.map(write).join("") + (end === undefined ? "" : `${JSON.stringify(end)}\n`);
        if (text !== "") {
          controller.enqueue(encoder.encode(text));
        }
        if (rows.length === 0) {
          controller.close();
        }
      },
      cancel: () => {
        isCancelled = true;
      },
    },
    { highWaterMark: 1 },
  );
  const headers = {
    "Content-Type": TYPES[format],
    "Content-Disposition": `attachment; filename="${name}.${format}"`,
  };
  return new Response(body, { headers });
}

/** A row as its columns say it. */
export function objectOf<Row>(columns: Columns<Row>, row: Row): object {
  return Object.fromEntries(Object.entries(columns).map(([name, cell]) => [name, cell(row)]));
}

/** For the detail of an operation that answers a file. */
export function fileResponse(description: string): Record<string, unknown> {
  return {
    responses: {
      200: {
        description,
        content: {
          "text/csv": { schema: { type: "string" } },
          "application/x-ndjson": { schema: { type: "string" } },
        },
      },
    },
  };
}
