/** Steps of a sequence: an email, or a task that waits for a person. */

export const STEP_TYPES = ["email", "task"] as const;
export type StepType = (typeof STEP_TYPES)[number];

/** Steps of one campaign. */
export const STEPS_MAX = 50;

/** How long to wait: calendar days, then minutes of real time. */
export interface Wait {
  waitDays: number;
  waitMinutes: number;
}
export const WAIT_DAYS_MAX = 365;
/** A day less a minute: whoever wants more waits a day more. */
export const WAIT_MINUTES_MAX = 24 * 60 - 1;

/** Days to wait before a step where none are given: none before the first, three before the others. */
export function defaultWaitDays(position: number): number {
  return position === 1 ? 0 : 3;
}
