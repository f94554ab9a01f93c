/**
 * Who was erased, remembered beside the databases: one that is put back to a state of before knows the person
 * again, and the next start erases them again.
 *
 * The line is on the disk before the erasure is. A program that is killed between the two carries the erasure
 * out at its next start, since somebody asked for it.
 */

import type { ErasureFacts } from "#domain/leads/erasure.ts";
import { isId } from "#store/sqlite/columns.ts";
import { type Line, listAt, type NumberedList } from "./numbered-list.ts";

export const ERASURE_LIST = "erasures.ndjson";

interface Facts {
  /** Of the last address of whoever had several: the receipt of all of them. */
  receipt?: ErasureFacts;
}

export type Erasure = Line<Facts>;
export type ErasureList = NumberedList<Facts>;

/** The list in the file at `path`. */
export function erasureListAt(path: string): ErasureList {
  return listAt<Facts>(path, {
    write: ({ receipt }) => ({ receipt }),
    read: ({ receipt }) => readReceipt(receipt),
  });
}

/** Lines of earlier versions have none. */
function readReceipt(value: unknown): Facts {
  const receipt = Object(value ?? {}) as Partial<ErasureFacts>;
  const isWhole =
    [receipt.id, receipt.leadId].every(isId) &&
    typeof receipt.actor === "string" &&
    [receipt.askedAt, receipt.erasedAt].every(Number.isSafeInteger);
  const { requestId = null, removed = {} } = receipt;
  return isWhole ? { receipt: { ...(receipt as ErasureFacts), requestId, removed } } : {};
}
