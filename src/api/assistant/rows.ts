/**
 * A file of the API (everything of a kind, as rows) in the hands of an assistant: a page of it at a time,
 * however long it is. Rows come as NDJSON, a record a line, so that a page ends where a row does.
 */

export interface RowPage {
  /** Whole lines, each with its line feed. */
  rows: string;
  count: number;
  /** Where the next page begins; null where this one holds the last row. */
  next: number | null;
}

/**
 * Rows of `body` from row `from` on: as many as have at most `charsMax` characters, and one at least.
 * What follows is not read.
 */
export async function readRows(
  body: ReadableStream<Uint8Array>,
  from: number,
  charsMax: number,
): Promise<RowPage> {
  const page: RowPage = { rows: "", count: 0, next: null };
  let row = 0;
  for await (const line of linesOf(body)) {
    if (row >= from) {
      if (page.count > 0 && page.rows.length + line.length + 1 > charsMax) {
        // Leaving the loop cancels the stream.
        return { ...page, next: row };
      }
      page.rows += `${line}\n`;
      page.count += 1;
    }
    row += 1;
  }
  return page;
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") {
    yield rest;
  }
}
