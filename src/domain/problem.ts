/**
 * Problems: what a caller did wrong, or what stands in the way, in words meant for that caller.
 * `api/plugins/errors.ts` gives each type its status. Any other exception is a bug of ours.
 *
 * Source: the body `{type, message, field, status}` is the seed's; the types and `errors` are ours.
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

/** One thing that is wrong. */
export interface Fault {
  /** As in {@link Problem}. */
  readonly field: string | null;
  readonly message: string;
  /** The known name that an unknown one is nearest to; null where none is near, and for any other fault. */
  readonly didYouMean: string | null;
}

/** Faults that are reported at once. */
export const FAULTS_MAX = 50;

export class Problem extends Error {
  readonly type: ProblemType;
  /** Dotted path into the body or query, for example `send_window.timezone`; null if none is to blame. */
  readonly field: string | null;
  /** Extra response headers, for example `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Everything that is wrong, at least one; the first is that of `field` and `message`. */
  readonly faults: readonly Fault[];

  constructor(
    type: ProblemType,
    message: string,
    field: string | null = null,
    headers: Readonly<Record<string, string>> = {},
    faults: readonly Fault[] = [{ field, message, didYouMean: null }],
  ) {
    super(message);
    this.name = "Problem";
    this.type = type;
    this.field = field;
    this.headers = headers;
    this.faults = faults;
  }

  get status(): number {
    return PROBLEM_STATUS[this.type];
  }
}

/** A value that is well formed but wrong. `field` is the dotted path of what is to be fixed. */
export function invalid(field: string, message: string): Problem {
  return new Problem("validation_error", message, field);
}

/** Several values that are wrong, of which the first gives the problem its words. */
export function invalidAll([first, ...others]: readonly [Fault, ...Fault[]]): Problem {
  const faults = [first, ...others].slice(0, FAULTS_MAX);
  return new Problem("validation_error", first.message, first.field, {}, faults);
}

/**
 * What each of `checks` returns. Those that throw a `validation_error` don't keep the others from being
 * made: one problem then names everything. Any other exception is thrown at once.
 */
export function together<const Results extends readonly unknown[]>(
  ...checks: { readonly [Index in keyof Results]: () => Results[Index] }
): Results {
  const faults: Fault[] = [];
  const results = checks.map((check) => {
    try {
      return check();
    } catch (error) {
      if (!(error instanceof Problem) || error.type !== "validation_error") {
        throw error;
      }
      faults.push(...error.faults);
      return undefined;
    }
  });
  const [first, ...others] = faults;
  if (first !== undefined) {
    throw invalidAll([first, ...others]);
  }
  return results as unknown as Results;
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
