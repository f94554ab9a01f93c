/** Sizes as people read them. */

const UNITS = ["B", "kB", "MB", "GB", "TB"] as const;
const STEP = 1000;

/** "340 B", "1.2 MB". */
export function size(bytes: number): string {
  let value = bytes;
  let at = 0;
  while (value >= STEP && at < UNITS.length - 1) {
    value /= STEP;
    at += 1;
  }
  return `${value.toFixed(at === 0 || value >= 100 ? 0 : 1)} ${UNITS[at]}`;
}
