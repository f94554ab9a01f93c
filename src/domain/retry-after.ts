/** `Retry-After`: how long a server asks to be left alone. */

import { SECOND_MS, type UnixMs } from "#domain/time.ts";

const SECONDS = /^\d{1,10}$/;
const WEEKDAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)";
const HTTP_DATE = new RegExp(
  `^${WEEKDAY}, (\\d\\d) ([A-Z][a-z]{2}) (\\d{4}) (\\d\\d:\\d\\d:\\d\\d) GMT$`,
);
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/**
 * Milliseconds that a `Retry-After` asks for: seconds or a date (RFC 9110 §10.2.3). Null for what is
 * neither, or has passed.
 */
export function readRetryAfter(header: string | null, now: UnixMs): number | null {
  const text = header?.trim() ?? "";
  if (SECONDS.test(text)) {
    return Number(text) * SECOND_MS;
  }
  const [, day, name = "", year, time] = HTTP_DATE.exec(text) ?? [];
  const month = String(MONTHS.indexOf(name) + 1).padStart(2, "0");
  try {
    const at = Temporal.Instant.from(`${year}-${month}-${day}T${time}Z`).epochMilliseconds;
    return at > now ? at - now : null;
  } catch {
    return null;
  }
}
