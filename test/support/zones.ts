/** Zones whose clocks do something unusual, moments near the nights on which they do it, and an oracle. */

import fc from "fast-check";
import { DAY_MS, HOUR_MS, plus, type UnixMs, unixMs } from "#domain/time.ts";

export const ZONES = [
  "UTC",
  "America/New_York",
  "Europe/Berlin",
  "Africa/Cairo",
  "Africa/Casablanca",
  "America/Santiago",
  "America/Sao_Paulo",
  "America/Havana",
  "America/St_Johns",
  "Atlantic/Azores",
  "Asia/Beirut",
  "Asia/Kathmandu",
  "Asia/Tokyo",
  "Australia/Lord_Howe",
  "Pacific/Apia",
  "Pacific/Auckland",
  "Pacific/Chatham",
  "Pacific/Kiritimati",
  "Antarctica/Troll",
] as const;

export function at(iso: string): UnixMs {
  return unixMs(Temporal.Instant.from(iso).epochMilliseconds);
}

/** What a clock on the wall shows. */
export function wallClock(zone: string, moment: UnixMs): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone);
}

export function anyZone(): fc.Arbitrary<string> {
  return fc.constantFrom(...ZONES);
}

/** 2025 to 2027, every other time within a day of a change of clocks. */
export function anyMoment(): fc.Arbitrary<UnixMs> {
  const [min, max] = [at("2025-01-01T00:00Z"), at("2028-01-01T00:00Z")];
  const near = fc
    .tuple(fc.constantFrom(...changes(min, max)), fc.integer({ min: -DAY_MS, max: DAY_MS }))
    .map(([change, distance]) => plus(change, distance));
  const beside = fc
    .tuple(fc.constantFrom(...changes(min, max)), fc.integer({ min: -3, max: 3 }))
    .map(([change, hours]) => plus(change, hours * HOUR_MS));
  return fc.oneof(fc.integer({ min, max }).map(unixMs), near, beside);
}

function changes(min: UnixMs, max: UnixMs): UnixMs[] {
  return ZONES.flatMap((zone) => {
    const found: UnixMs[] = [];
    let next = wallClock(zone, min).getTimeZoneTransition("next");
    while (next !== null && next.epochMilliseconds < max) {
      found.push(unixMs(next.epochMilliseconds));
      next = next.getTimeZoneTransition("next");
    }
    return found;
  });
}
