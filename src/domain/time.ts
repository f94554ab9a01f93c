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

/**
 * Whether what was to last `msMax` at most is to last until `until` still. One that lies further ahead was
 * noted before the clock was set back, and is over.
 */
export function isAhead(until: UnixMs | undefined, now: UnixMs, msMax: number): boolean {
  return until !== undefined && now < until && until - now <= msMax;
}

/** The earlier of two instants; `undefined` stands for "never". */
export function earlier(a: UnixMs | undefined, b: UnixMs | undefined): UnixMs | undefined {
  if (a === undefined) {
    return b;
  }
  return b === undefined || a <= b ? a : b;
}

/** Of hours, minutes and seconds. */
const PAIRS = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, "0"));

/** The date of the day since 1970 that was asked for last: instants of one answer are mostly of few days. */
let lastDate = { day: Number.NaN, text: "" };

function dateOf(day: number): string {
  if (day !== lastDate.day) {
    const [text = ""] = Temporal.Instant.fromEpochMilliseconds(day * DAY_MS)
      .toString()
      .split("T");
    lastDate = { day, text };
  }
  return lastDate.text;
}

/** `2026-03-01T09:30:00.000Z`. */
export function toIso(instant: UnixMs): string {
  const day = Math.floor(instant / DAY_MS);
  const ms = instant - day * DAY_MS;
  const hour = PAIRS[Math.floor(ms / HOUR_MS)];
  const minute = PAIRS[Math.floor(ms / MINUTE_MS) % 60];
  const second = PAIRS[Math.floor(ms / SECOND_MS) % 60];
  return `${dateOf(day)}T${hour}:${minute}:${second}.${String(SECOND_MS + (ms % SECOND_MS)).slice(1)}Z`;
}

/** {@link toIso} for a value that may not exist yet. */
export function toIsoOrNull(instant: UnixMs | null): string | null {
  return instant === null ? null : toIso(instant);
}

/**
 * The last instant that anybody outside may name, the end of the year 9999; the first is 1970. Beyond it an
 * instant takes another form, and what is planned around the last that Temporal knows throws.
 */
export const INSTANT_MS_MAX = 253_402_300_799_999;

/** What somebody else has named as an instant; null for what is none between 1970 and 9999. */
export function instantOrNull(ms: number): UnixMs | null {
  return ms >= 0 && ms <= INSTANT_MS_MAX ? unixMs(ms) : null;
}

/**
 * Throws a `validation_error` naming `field` when `text` is no ISO 8601 date-time with an offset, or not
 * between 1970 and 9999.
 */
export function fromIso(text: string, field: string): UnixMs {
  const at = instantOrNull(parsed(() => Temporal.Instant.from(text).epochMilliseconds));
  if (at === null) {
    throw new Problem(
      "validation_error",
      "must be an ISO 8601 date-time with an offset, from 1970 to 9999, for example 2026-03-01T09:30:00.000Z",
      field,
    );
  }
  return at;
}

/** The last instant for which anything may be planned: beyond a century, a year was mistyped. */
export const PLANNED_MS_MAX = 4_133_980_799_999;

/** Throws a `validation_error` naming `field` for what would be planned for a year after 2100. */
export function checkPlanned(at: UnixMs | null | undefined, field: string): void {
  if (at !== null && at !== undefined && at > PLANNED_MS_MAX) {
    throw new Problem("validation_error", "must be no later than the year 2100", field);
  }
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Throws a `validation_error` naming `field` when `text` is no date from 1970 to 9999, as `2026-03-01`. */
export function dateFromIso(text: string, field: string): Temporal.PlainDate {
  const date = parsed(() => Temporal.PlainDate.from(text, { overflow: "reject" }));
  if (typeof date === "number" || !DATE.test(text) || date.year < 1970) {
    const words = "must be a date from 1970 to 9999, for example 2026-03-01";
    throw new Problem("validation_error", words, field);
  }
  return date;
}

/** NaN for what cannot be read. */
function parsed<Value>(read: () => Value): Value | number {
  try {
    return read();
  } catch {
    return Number.NaN;
  }
}
