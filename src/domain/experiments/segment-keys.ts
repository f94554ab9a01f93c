/**
 * By what the leads of an experiment are put into segments, and what those of one lead are called: by its country,
 * or by a custom value. Both are what they are now, also where they have changed since the email.
 */

import { VARIABLE_NAME_MAX } from "#domain/leads/lead.ts";
import { invalid } from "#domain/problem.ts";

/** By what is kept with each email, and summed up already. */
const STRATUM_KEYS = ["provider", "mailbox"] as const;
export type StratumKey = (typeof STRATUM_KEYS)[number];

/** What `segment_by` may say, read. */
export type SegmentKey =
  | { by: StratumKey }
  | { by: "country" }
  /** By the custom value of this name. */
  | { by: "custom"; field: string };

const CUSTOM = "custom:";
/** Characters of a value that tell it from others. */
export const VALUE_CHARS_MAX = 100;
/** Values of a field that are told apart while leads are counted: with more of them it's no segment of anything. */
export const VALUES_MAX = 10_000;
/** Segments of leads without the value, or without a known country. */
export const NO_SEGMENT = "none";
/** What is left beyond the largest. */
export const OTHER_SEGMENT = "other";

export function isStratumKey(key: SegmentKey): key is { by: StratumKey } {
  return key.by === "provider" || key.by === "mailbox";
}

/** Throws `validation_error` naming `segment_by`. */
export function readSegmentKey(text: string): SegmentKey {
  const by = [...STRATUM_KEYS, "country" as const].find((key) => key === text);
  if (by !== undefined) {
    return { by };
  }
  const field = text.startsWith(CUSTOM) ? text.slice(CUSTOM.length) : "";
  if (field === "" || field.length > VARIABLE_NAME_MAX) {
    const keys = [...STRATUM_KEYS, "country", `${CUSTOM}NAME`].join(", ");
    throw invalid("segment_by", `must be one of ${keys}, where NAME is that of a custom value`);
  }
  return { by: "custom", field };
}

export function segmentKeyText(key: SegmentKey): string {
  return key.by === "custom" ? `${CUSTOM}${key.field}` : key.by;
}

/** What the leads with this value are called; null and blank: without one. */
export function segmentOfValue(value: string | null): string {
  const text = (value ?? "").trim();
  if (text.length > VALUE_CHARS_MAX) {
    return `${text.slice(0, VALUE_CHARS_MAX - 1)}…`;
  }
  const isReserved = text === NO_SEGMENT || text === OTHER_SEGMENT;
  return isReserved ? `"${text}"` : text || NO_SEGMENT;
}

/** Countries by the names of their time zones, and by older ones once they were asked for; all of them are there. */
const byZone = new Map<string, string | null>();
const countries = new Set<string>();
const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));

/** Takes a third of a second in all, so it's divided, and goes on where it was left. {@link countryOf} wants it done. */
export function* learnCountries(): Generator<undefined, void, void> {
  for (let code = codes.pop(); code !== undefined; code = codes.pop()) {
    for (const zone of new Intl.Locale(`und-${code}`).getTimeZones() ?? []) {
      byZone.set(zone, code);
      countries.add(code);
    }
    yield undefined;
  }
}

/** Two letters under which anybody registers, wherever they are (Google's list of generic country-code domains). */
const GENERIC = new Set("AD AI AS BZ CC CD CO DJ FM IO LA ME MS NU SC SR SU TK TV WS".split(" "));

/** The country of a lead's time zone, else that of its address's domain. */
export function countryOf({ email, timezone }: { email: string; timezone: string | null }): string {
  const domain = email.slice(email.lastIndexOf(".") + 1).toUpperCase();
  const code = domain === "UK" ? "GB" : domain;
  const ofDomain = countries.has(code) && !GENERIC.has(code) ? code : null;
  return (timezone === null ? null : countryOfZone(timezone)) ?? ofDomain ?? NO_SEGMENT;
}

function countryOfZone(zone: string): string | null {
  let country = byZone.get(zone);
  if (country === undefined) {
    const epoch = Temporal.Instant.fromEpochMilliseconds(0);
    const own = epoch.toZonedDateTimeISO(zone);
    // It may be an older name of a zone, or a newer one.
    const [, known = null] =
      [...byZone].find(([name]) => epoch.toZonedDateTimeISO(name).equals(own)) ?? [];
    byZone.set(zone, known);
    country = known;
  }
  return country;
}
