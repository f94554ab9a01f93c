/** Time zones by their IANA names; a bare offset is none, because it knows no summer time. */

import { invalid } from "./problem.ts";

const TIMEZONE_MAX = 64;
const NAME = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/;

/** `text` with the registry's capitals, `Europe/Berlin`; null when there is no such zone. */
export function canonicalTimezone(text: string): string | null {
  if (text.length > TIMEZONE_MAX || !NAME.test(text)) {
    return null;
  }
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(text).timeZoneId;
  } catch {
    return null;
  }
}

/** {@link canonicalTimezone}, or a `validation_error` naming `field`. */
export function readTimezone(text: string, field: string): string {
  const zone = canonicalTimezone(text);
  if (zone === null) {
    throw invalid(field, "must be an IANA time zone name, for example Europe/Berlin");
  }
  return zone;
}
