/**
 * Instants and durations. An instant is whole milliseconds since 1970 (`UnixMs`), branded so that a
 * duration cannot be handed over for one. Calendar arithmetic is Temporal's; nothing here reads a
 * clock.
 */

import { Problem } from "./problem.ts";

/** Milliseconds since 1970-01-01T00:00Z. */
export type UnixMs = number & { readonly __unixMs: true };

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Brands a number as an instant, rounding half a millisecond away. */
export function unixMs(value: number): UnixMs {
  return Math.round(value) as UnixMs;
}

/** `instant` moved by `durationMs`, which may be negative. */
export function plus(instant: UnixMs, durationMs: number): UnixMs {
  return unixMs(instant + durationMs);
}

/** Whether an instant has come; `undefined` stands for "never". */
export function isDue(at: UnixMs | undefined, now: UnixMs): boolean {
  return at !== undefined && at <= now;
}

/** The earlier of two instants; `undefined` stands for "never". */
export function earlier(a: UnixMs | undefined, b: UnixMs | undefined): UnixMs | undefined {
  if (a === undefined) {
    return b;
  }
  return b === undefined || a <= b ? a : b;
}

/** `2026-03-01T09:30:00.000Z`. */
export function toIso(instant: UnixMs): string {
  return Temporal.Instant.fromEpochMilliseconds(instant).toString({ fractionalSecondDigits: 3 });
}

/** {@link toIso} for a value that may not exist yet. */
export function toIsoOrNull(instant: UnixMs | null): string | null {
  return instant === null ? null : toIso(instant);
}

/** Throws a `validation_error` naming `field` when `text` is no ISO 8601 date-time with an offset. */
export function fromIso(text: string, field: string): UnixMs {
  try {
    return unixMs(Temporal.Instant.from(text).epochMilliseconds);
  } catch {
    throw new Problem(
      "validation_error",
      "must be an ISO 8601 date-time with an offset, for example 2026-03-01T09:30:00.000Z",
      field,
    );
  }
}
