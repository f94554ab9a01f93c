/** The Idempotency-Key of a request: the name under which it can be repeated. */

import { invalid, type Problem } from "#domain/problem.ts";

const SHAPE = /^[\x21-\x7e]{1,255}$/;

/** Null where there is none. A pair of quotes around it is no part of it. Throws `validation_error`. */
export function idempotencyKey({ headers }: Request): string | null {
  const header = headers.get("idempotency-key");
  if (header === null) {
    return null;
  }
  const key = header.replace(/^"(.*)"$/, "$1");
  if (!SHAPE.test(key)) {
    throw invalid("Idempotency-Key", "must be 1 to 255 printable ASCII characters without spaces");
  }
  return key;
}

/** For a request that differs from the one that `field` names already. */
export function idempotencyConflict(field: string): Problem {
  return invalid(field, "was already used for another request; use a new key");
}
