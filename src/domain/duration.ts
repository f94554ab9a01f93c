/** Durations as people write them: `3d`, `90m`, `1h30m`, `45s`. Source: ours. */

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "./time.ts";

/** Units from the largest down, each at most once; no more than nine digits each. */
const SHAPE = /^(?:(\d{1,9})d)?(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})s)?$/;
const UNITS = [DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS] as const;

/** Milliseconds, or null when `text` is no duration. `0s` is one; the empty text is not. */
export function parseDuration(text: string): number | null {
  const match = SHAPE.exec(text);
  if (match === null || text === "") {
    return null;
  }
  return UNITS.reduce((sum, unit, index) => sum + Number(match[index + 1] ?? 0) * unit, 0);
}
