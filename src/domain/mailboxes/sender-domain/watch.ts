/**
 * What a daily look at a sending domain means beside the looks before it: what changed, what broke, what
 * works again, and since when an address is listed. Silence of DNS changes nothing.
 */

import type { UnixMs } from "#domain/time.ts";
import type { Listing } from "./check-block-lists.ts";
import type { DomainReport } from "./examine.ts";
import {
  type DomainCheck,
  type DomainFinding,
  type DomainVerdict,
  OPTIONAL_CHECKS,
} from "./finding.ts";

/** A check as it last had a response. */
export interface KnownCheck {
  verdict: DomainVerdict;
  message: string;
  found: string[];
}

export interface DomainChange {
  at: UnixMs;
  check: DomainCheck;
  was: KnownCheck;
  is: KnownCheck;
}

export interface BrokenCheck {
  check: DomainCheck;
  since: UnixMs;
  message: string;
}

export interface KnownListing {
  ip: string;
  zone: string;
  since: UnixMs;
}

export interface Watched {
  known: Partial<Record<DomainCheck, KnownCheck>>;
  /** Newest first. */
  changes: DomainChange[];
  /** What was right once and is wrong now. */
  broken: BrokenCheck[];
  listings: KnownListing[];
}

/** Changes that are kept of a domain. */
export const CHANGES_MAX = 100;

export const NOTHING_WATCHED: Watched = { known: {}, changes: [], broken: [], listings: [] };

/** Addresses behind a name rotate, so only of these are the records themselves compared. */
const RECORDS_COUNT: readonly DomainCheck[] = ["mx", "spf", "dkim", "dmarc", ...OPTIONAL_CHECKS];
/** Where a warning already costs deliverability. */
const WARNING_COUNTS: readonly DomainCheck[] = ["sending_host", "block_lists"];

/** `broke` and `recovered` hold what is news. */
export function watchOn(
  before: Watched,
  { checks, partial, listings }: DomainReport,
  now: UnixMs,
): { after: Watched; broke: DomainFinding[]; recovered: DomainFinding[] } {
  const answered = checks.filter(({ verdict }) => verdict !== "unknown");
  const isBroken = ({ check }: { check: DomainCheck }) =>
    before.broken.some((broken) => broken.check === check);
  const broke = answered.filter((one) => !isBroken(one) && breaks(before.known[one.check], one));
  const recovered = answered.filter((one) => isBroken(one) && !isBad(one));
  const known = { ...before.known };
  const changes: DomainChange[] = [];
  for (const { check, verdict, message, found } of answered) {
    const was = known[check];
    const isPartial = partial.includes(check) && was !== undefined;
    const is = { verdict, message, found: isPartial ? was.found : found };
    known[check] = is;
    if (was !== undefined && (was.verdict !== verdict || hasOtherRecords(check, was, is))) {
      changes.push({ at: now, check, was, is });
    }
  }
  const still = before.broken.filter(({ check }) => recovered.every((one) => one.check !== check));
  return {
    after: {
      known,
      changes: [...changes, ...before.changes].slice(0, CHANGES_MAX),
      broken: [...still, ...broke.map(({ check, message }) => ({ check, message, since: now }))],
      listings: listedSince(before.listings, listings, now),
    },
    broke,
    recovered,
  };
}

function breaks(was: KnownCheck | undefined, is: DomainFinding): boolean {
  return (
    was !== undefined && isBad(is) && !isBad({ ...was, check: is.check }) && !isUntouched(was, is)
  );
}

function hasOtherRecords(check: DomainCheck, was: KnownCheck, is: KnownCheck): boolean {
  const records = ({ found }: KnownCheck) => found.toSorted().join("\n");
  return RECORDS_COUNT.includes(check) && records(was) !== records(is);
}

function isBad({ check, verdict }: Pick<DomainFinding, "check" | "verdict">): boolean {
  return verdict === "fault" || (verdict === "warning" && WARNING_COUNTS.includes(check));
}

/** A new key that isn't published yet is no harm to the keys that are. */
function isUntouched(was: KnownCheck, { check, found }: DomainFinding): boolean {
  return check === "dkim" && was.found.every((record) => found.includes(record));
}

/** A list that doesn't respond takes nothing back. */
function listedSince(
  before: readonly KnownListing[],
  listings: readonly Listing[],
  now: UnixMs,
): KnownListing[] {
  return listings.flatMap(({ ip, zone, listed }) => {
    const known = before.find((one) => one.ip === ip && one.zone === zone);
    const isListed = listed ?? known !== undefined;
    return isListed ? [known ?? { ip, zone, since: now }] : [];
  });
}
