/**
 * Problems: what a caller did wrong, or what stands in the way, in words meant for that caller.
 * `api/plugins/errors.ts` gives each type its status. Any other exception is a bug of ours.
 *
 * Source: the body `{type, message, field, status}` is the seed's; the types are ours.
 */

export const PROBLEM_STATUS = {
  invalid_request: 400,
  authentication_error: 401,
  plan_limit: 402,
  permission_error: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  validation_error: 422,
  rate_limit_exceeded: 429,
  internal_error: 500,
  upstream_error: 502,
  unavailable: 503,
} as const;

export type ProblemType = keyof typeof PROBLEM_STATUS;

export class Problem extends Error {
  readonly type: ProblemType;
  /** Dotted path into the body or query, for example `send_window.timezone`; null if none is to blame. */
  readonly field: string | null;
  /** Extra response headers, for example `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    type: ProblemType,
    message: string,
    field: string | null = null,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = "Problem";
    this.type = type;
    this.field = field;
    this.headers = headers;
  }

  get status(): number {
    return PROBLEM_STATUS[this.type];
  }
}

/** A value that is well formed but wrong. `field` is the dotted path of what is to be fixed. */
export function invalid(field: string, message: string): Problem {
  return new Problem("validation_error", message, field);
}

/** The same words for an id that never was, another team's and another environment's. */
export function notFound(noun: string): Problem {
  return new Problem("not_found", `no such ${noun}`, null);
}

/** The row, where there is one; throws {@link notFound}. */
export function found<Row>(row: Row | undefined, noun: string): Row {
  if (row === undefined) {
    throw notFound(noun);
  }
  return row;
}

export function conflict(message: string, field: string | null = null): Problem {
  return new Problem("conflict", message, field);
}
