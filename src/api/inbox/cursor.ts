/** Cursors of lists in order of time: instant and id of the last row, so that any page costs the same. */

import { invalid } from "#domain/problem.ts";
import { unixMs } from "#domain/time.ts";
import type { ThreadPlace } from "#store/inbox/threads.ts";
import { bytesToId, idToBytes } from "#store/sqlite/columns.ts";

const TIME_BYTES = 8;
const ID_BYTES = 16;

export function cursorTo({ at, id }: ThreadPlace): string {
  const bytes = Buffer.alloc(TIME_BYTES + ID_BYTES);
  bytes.writeBigInt64BE(BigInt(at));
  bytes.set(idToBytes(id), TIME_BYTES);
  return bytes.toString("base64url");
}

/** Throws `validation_error` naming `after` for what no page has returned. */
export function readPlace(text: string): ThreadPlace {
  const bytes = Buffer.from(text, "base64url");
  const isWhole =
    bytes.byteLength === TIME_BYTES + ID_BYTES && bytes.toString("base64url") === text;
  const at = isWhole ? Number(bytes.readBigInt64BE()) : Number.NaN;
  if (!Number.isSafeInteger(at)) {
    throw invalid("after", "must be the next_cursor of an earlier page");
  }
  return { at: unixMs(at), id: bytesToId(bytes.subarray(TIME_BYTES)) };
}
