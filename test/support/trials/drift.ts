/** How reply rates move while an experiment runs. */

/**
 * By what each day's rates are multiplied. Two move by the mailboxes: `joins`: those that are answered more write from
 * the middle on; `ramps`: they are new, and each day may write more.
 */
export const DRIFTS = ["rises", "falls", "steps", "weekday", "joins", "ramps"] as const;
export type Drift = (typeof DRIFTS)[number];

/** Of day `day` of `days`, from 0. */
export function factorOf(drift: Drift | undefined, day: number, days: number): number {
  const part = Math.min(1, day / (days - 1));
  switch (drift) {
    case "rises":
      return 1 + 3 * part;
    case "falls":
      return 4 - 3 * part;
    case "steps":
      return part < 0.5 ? 1 : 4;
    case "weekday":
      return day % 7 < 5 ? 4 : 1;
    case "joins":
    case "ramps":
    case undefined:
      return 1;
    default:
      return drift satisfies never;
  }
}
