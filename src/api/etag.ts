/**
 * ETags of single records. A tag covers the settable fields only, so that counters which the engine moves
 * do not make a person's edit stale.
 */

import type { TObject } from "@sinclair/typebox";
import { Problem } from "#domain/problem.ts";
import { sha256 } from "#platform/secrets/crypto.ts";

/** Twelve bytes of the digest. */
const TAG_CHARS = 16;

/** `writable` names what the tag covers, in its order. */
export function etagOf(record: object, writable: TObject): string {
  const fields = record as Readonly<Record<string, unknown>>;
  const text = JSON.stringify(Object.keys(writable.properties).map((name) => fields[name] ?? null));
  return `"${sha256(text).toBase64({ alphabet: "base64url" }).slice(0, TAG_CHARS)}"`;
}

/** Throws `precondition_failed` when the request's `If-Match` names another version of `record`. */
export function checkMatch(request: Request, record: object, writable: TObject): void {
  const wanted = request.headers.get("if-match");
  if (wanted === null || wanted.trim() === "*") {
    return;
  }
  const current = etagOf(record, writable);
  if (!wanted.split(",").some((tag) => tag.trim() === current)) {
    throw new Problem(
      "precondition_failed",
      "the record has changed since it was read; read it again",
      null,
      { ETag: current },
    );
  }
}

interface ReadContext {
  request: Request;
  set: { headers: Record<string, string | number> };
}

/** Sets the tag of a record that is about to be answered. */
export function withEtag<Row extends object>(
  { set }: ReadContext,
  record: Row,
  writable: TObject,
): Row {
  set.headers["ETag"] = etagOf(record, writable);
  return record;
}
