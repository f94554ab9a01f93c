/** When a weekly placement run is due, by its own wall clock. Source: ours. */

import { WEEKDAYS } from "#domain/campaigns/window.ts";
import { type UnixMs, unixMs } from "#domain/time.ts";

export interface WeeklySchedule {
  weekday: (typeof WEEKDAYS)[number];
  /** Local hour, 0 to 23. */
  hour: number;
  /** IANA zone. */
  timezone: string;
}

/**
 * The first instant after `after` at which the schedule's clock shows its weekday and hour. An hour that
 * the clocks skip maps to the first one after it; of a repeated one the first is meant.
 */
export function nextRunAt({ weekday, hour, timezone }: WeeklySchedule, after: UnixMs): UnixMs {
  const from = Temporal.Instant.fromEpochMilliseconds(after).toZonedDateTimeISO(timezone);
  const days = (WEEKDAYS.indexOf(weekday) + 1 - from.dayOfWeek + 7) % 7;
  const date = from.toPlainDate().add({ days });
  const at = (day: Temporal.PlainDate) =>
    unixMs(day.toZonedDateTime({ timeZone: timezone, plainTime: { hour } }).epochMilliseconds);
  const next = at(date);
  return next > after ? next : at(date.add({ days: 7 }));
}
