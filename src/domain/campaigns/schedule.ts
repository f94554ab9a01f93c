/**
 * When an enrollment is due: the wait before a follow-up, and another try after a fault.
 *
 * Source: a wait counts calendar days at the recipient's wall-clock time, then minutes of real
 * time (ours: the seed gives `wait_days` and nothing more); the times of retries are ours, within RFC 5321 §4.5.4.1's advice.
 */

import { hash01 } from "#domain/random.ts";
import { HOUR_MS, MINUTE_MS, plus, type UnixMs, unixMs } from "#domain/time.ts";
import type { Wait } from "./step.ts";
import { nextOpening, type SendWindow } from "./window.ts";

/**
 * `waitDays` calendar days after `sentAt`, at the same time on the recipient's wall, and `waitMinutes` later, or
 * the window's next opening after that. `zone` is the lead's own, null where it has none.
 */
export function followUpDueAt(
  window: SendWindow,
  zone: string | null,
  sentAt: UnixMs,
  { waitDays, waitMinutes }: Wait,
): UnixMs {
  const sent = Temporal.Instant.fromEpochMilliseconds(sentAt);
  const due = sent.toZonedDateTimeISO(zone ?? window.timezone).add({ days: waitDays });
  const at = unixMs(due.epochMilliseconds + waitMinutes * MINUTE_MS);
  return nextOpening(window, zone, at).at;
}

/** What decides when a lead is next written to. */
export interface Waiting {
  /** Its own zone, '' where it has none. */
  zone: string;
  enrolledAt: UnixMs;
  /** When the step before was done; null where none was. */
  waitsFrom: UnixMs | null;
  /** Set by a person. */
  bookedAt: UnixMs | null;
  notBefore: UnixMs | null;
}

/** When a lead is due for a step: as a person has set it, or after the step's wait and what puts it off. */
export function dueAtFor(window: SendWindow, waiting: Waiting, wait: Wait): UnixMs {
  const { zone, enrolledAt, waitsFrom, bookedAt, notBefore } = waiting;
  const waited = () =>
    waitsFrom === null
      ? enrolledAt
      : followUpDueAt(window, zone === "" ? null : zone, waitsFrom, wait);
  return later(bookedAt ?? waited(), notBefore);
}

function later(a: UnixMs, b: UnixMs | null): UnixMs {
  return b !== null && b > a ? b : a;
}

/** Minutes to wait after the first, second … failed try: five retries, six tries in all. */
const RETRY_MINUTES = [5, 15, 45, 120, 360] as const;
/** A wait is this much longer or shorter, so that what failed together does not return together. */
const RETRY_SPREAD = 0.2;
/** Nothing is tried again later than this after the first try, except that a closed window may open later. */
const TRYING_MS_MAX = 48 * HOUR_MS;

export interface Retry {
  messageId: string;
  /** Tries made, the one that just failed included: 1 after the first. */
  attempt: number;
  firstAttemptAt: UnixMs;
  failedAt: UnixMs;
  window: SendWindow;
  /** The lead's own, or null. */
  zone: string | null;
}

/** When to try again inside the window, or null when it has been tried often or long enough. */
export function retryAt(retry: Retry): UnixMs | null {
  const minutes = RETRY_MINUTES[retry.attempt - 1];
  if (minutes === undefined) {
    return null;
  }
  const spread = 1 - RETRY_SPREAD + 2 * RETRY_SPREAD * hash01(retry.messageId, retry.attempt);
  const at = plus(retry.failedAt, minutes * MINUTE_MS * spread);
  return at - retry.firstAttemptAt > TRYING_MS_MAX
    ? null
    : nextOpening(retry.window, retry.zone, at).at;
}

/** Saturday, as ISO 8601 counts. */
const WEEKEND_FROM = 6;
const WEEK_DAYS = 7;

/**
 * When to write again to somebody who is back on `returnsOn` (`2026-03-13`): the window's first opening on
 * the working day after it, Monday to Friday, by the recipient's calendar. The first day back is for the
 * email that has piled up.
 */
export function afterOutOfOffice(
  window: SendWindow,
  zone: string | null,
  returnsOn: string,
): UnixMs {
  const next = Temporal.PlainDate.from(returnsOn).add({ days: 1 });
  const skipped = next.dayOfWeek < WEEKEND_FROM ? 0 : WEEK_DAYS + 1 - next.dayOfWeek;
  const day = next.add({ days: skipped }).toZonedDateTime(zone ?? window.timezone);
  return nextOpening(window, zone, unixMs(day.epochMilliseconds)).at;
}
