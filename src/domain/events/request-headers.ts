/**
 * Headers of a webhook's own: names, bounds, and those that it cannot set because the request depends on
 * them.
 *
 * Source: RFC 9110, sections 5.1, 5.5 and 7.6.1; bounds ours.
 */

import { invalid } from "#domain/problem.ts";

export const HEADERS_MAX = 10;
export const HEADER_NAME_MAX = 64;
export const HEADER_VALUE_MAX = 1_000;

/** What stands in responses for a value; sent back, the value stays. */
export const MASKED_VALUE = "…";

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Visible ASCII, with spaces inside. */
const VALUE = /^[!-~](?:[ !-~]*[!-~])?$/;

/** Set by the request itself, or meant for one connection. */
const RESERVED: ReadonlySet<string> = new Set([
  "accept-encoding",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "date",
  "expect",
  "host",
  "http2-settings",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "user-agent",
]);
const RESERVED_FAMILY = /^(?:webhook|proxy|outrider|sec)-/;

/** Values by name. */
export type RequestHeaders = Readonly<Record<string, string>>;

/**
 * `before` with `patch` merged in: null removes a header, a masked value leaves it as it is. Names are
 * compared in any case. Throws `validation_error` naming `headers` or `headers.<name>`.
 */
export function mergeHeaders(
  before: RequestHeaders,
  patch: Readonly<Record<string, string | null>>,
): RequestHeaders {
  const merged = new Map(
    Object.entries(before).map(([name, value]) => [name.toLowerCase(), { name, value }]),
  );
  const given = new Set<string>();
  for (const [name, value] of Object.entries(patch)) {
    const key = name.toLowerCase();
    if (given.has(key)) {
      throw invalid(`headers.${name}`, "is given twice; names are the same in any case");
    }
    given.add(key);
    const known = merged.get(key);
    if (value === null) {
      merged.delete(key);
    } else if (value !== MASKED_VALUE || known === undefined) {
      checkHeader(name, key, value);
      merged.set(key, { name, value });
    }
  }
  if (merged.size > HEADERS_MAX) {
    throw invalid("headers", `must be at most ${HEADERS_MAX} headers`);
  }
  return Object.fromEntries([...merged.values()].map(({ name, value }) => [name, value]));
}

/** The name of a header that `patch` leaves as it is; undefined where there is none. */
export function keptOf(
  before: RequestHeaders,
  patch: Readonly<Record<string, string | null>>,
): string | undefined {
  const changed = Object.entries(patch).filter(([, value]) => value !== MASKED_VALUE);
  const names = new Set(changed.map(([name]) => name.toLowerCase()));
  return Object.keys(before).find((name) => !names.has(name.toLowerCase()));
}

function checkHeader(name: string, key: string, value: string): void {
  const field = `headers.${name}`;
  if (!NAME.test(name) || name.length > HEADER_NAME_MAX) {
    throw invalid(
      field,
      `must be named by at most ${HEADER_NAME_MAX} letters, digits and hyphens, like X-Token`,
    );
  }
  if (RESERVED.has(key) || RESERVED_FAMILY.test(key)) {
    throw invalid(field, "cannot be set, because the request sets it or depends on it");
  }
  if (!VALUE.test(value) || value.length > HEADER_VALUE_MAX) {
    throw invalid(
      field,
      `must be 1 to ${HEADER_VALUE_MAX} visible ASCII characters, with spaces inside only`,
    );
  }
}

/** What may be seen: the names. */
export function maskHeaders(headers: RequestHeaders): RequestHeaders {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, MASKED_VALUE]));
}
