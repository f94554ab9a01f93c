/** Cursors of large lists: the id of the last row of a page, so that any page costs the same. */

import { invalid } from "#domain/problem.ts";
import { bytesToId, type Id, idToBytes } from "#store/sqlite/columns.ts";
import type { Total } from "#store/sqlite/total.ts";
import { defined } from "./defined.ts";

const ID_BYTES = 16;

interface Query {
  limit: number;
  offset: number;
  after?: string;
}

/** What a store function needs for a page: one row more than the page shows, to see whether it ends. */
export function rangeOf(query: Query): { limit: number; offset: number; after?: Id } {
  const after = query.after === undefined ? undefined : readCursor(query.after);
  return { limit: query.limit + 1, offset: query.offset, ...defined({ after }) };
}

/** The envelope of a page; `rows` were read with {@link rangeOf}. */
export function cursorEnvelope<Row extends { id: Id }, Item>(
  { rows, total }: { rows: readonly Row[]; total: number },
  { limit, offset }: Query,
  present: (row: Row) => Item,
) {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasMore = rows.length > limit;
  return {
    data: page.map(present),
    total,
    limit,
    offset,
    hasMore,
    next_cursor: hasMore && last !== undefined ? cursorTo(last.id) : null,
  };
}

/** The envelope of a page whose total may be capped. */
export function cappedEnvelope<Row extends { id: Id }, Item>(
  found: { rows: readonly Row[] } & Total,
  query: Query,
  present: (row: Row) => Item,
) {
  return { ...cursorEnvelope(found, query, present), total_is_capped: found.isCapped };
}

export function cursorTo(id: Id): string {
  return Buffer.from(idToBytes(id)).toString("base64url");
}

/** Throws `validation_error` naming `after`. */
export function readCursor(text: string): Id {
  const bytes = Buffer.from(text, "base64url");
  if (bytes.byteLength !== ID_BYTES || bytes.toString("base64url") !== text) {
    throw invalid("after", "must be the next_cursor of an earlier page");
  }
  return bytesToId(bytes);
}
