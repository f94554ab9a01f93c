/**
 * How long requests took until their responses began, by status, since the program started. Observing one
 * costs a look into a map and a few comparisons.
 */

/** Upper bounds of the buckets, in seconds; the last bucket has none. */
export const BOUNDS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

export interface ResponseTimes {
  /** Responses by bucket, one more than there are bounds; each counts in one alone. */
  buckets: number[];
  seconds: number;
}

const times = new Map<number, ResponseTimes>();

export function observeResponse(status: number, ms: number): void {
  const known = times.get(status) ?? { buckets: [...BOUNDS_SECONDS.map(() => 0), 0], seconds: 0 };
  const seconds = ms / 1000;
  const at = BOUNDS_SECONDS.findIndex((bound) => seconds <= bound);
  const bucket = at === -1 ? BOUNDS_SECONDS.length : at;
  known.buckets[bucket] = (known.buckets[bucket] ?? 0) + 1;
  known.seconds += seconds;
  times.set(status, known);
}

/** By status. */
export function responseTimes(): ReadonlyMap<number, ResponseTimes> {
  return times;
}
