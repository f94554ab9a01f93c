/** Days as a journey in real time needs them: it starts today, and today may be any day. */

import { WEEKDAYS } from "#domain/campaigns/window.ts";

type Weekday = (typeof WEEKDAYS)[number];

/** On which somebody who was away is back at work. */
const WORKING_DAYS = WEEKDAYS.slice(0, 5);

export const ROUND_THE_CLOCK = {
  ...{ timezone: "UTC", days: [...WEEKDAYS] },
  ...{ start_hour: 0, end_hour: 24 },
};

export function today(): Temporal.PlainDate {
  return Temporal.Now.zonedDateTimeISO("UTC").toPlainDate();
}

function weekday(date: Temporal.PlainDate): Weekday {
  return WEEKDAYS[date.dayOfWeek - 1] ?? "monday";
}

/** So that a campaign of working days sends today, whatever day it is. */
export function workingDaysAnd(date: Temporal.PlainDate): Weekday[] {
  return [...new Set([...WORKING_DAYS, weekday(date)])];
}

/** The first day of a weekend, `least` days from now or later, that is not today's weekday. */
export function weekendAhead(least: number): Temporal.PlainDate {
  let date = today().add({ days: least });
  while (WEEKDAYS.indexOf(weekday(date)) < 5 || weekday(date) === weekday(today())) {
    date = date.add({ days: 1 });
  }
  return date;
}

/** Midnight (UTC) of the first working day from `from` on. */
export function firstWorkingDay(from: Temporal.PlainDate): string {
  let date = from;
  while (!WORKING_DAYS.includes(weekday(date))) {
    date = date.add({ days: 1 });
  }
  return `${date.toString()}T00:00:00.000Z`;
}
