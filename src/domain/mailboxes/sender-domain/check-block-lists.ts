/**
 * Whether the addresses that a mailbox's email leaves from stand on block lists that DNS tells of.
 *
 * Source: RFC 5782 §2.1 (names and answers), §5 (127.0.0.1 is never listed); Spamhaus answers 127.255.255.x
 * where it doesn't answer, which others have taken over.
 */

import { includeFor } from "./check-spf.ts";
import { type DomainFinding, type DomainSubject, finding } from "./finding.ts";
import { addressBytes, isWithin } from "./ip.ts";
import { type Asking, askAll, type DnsAnswer } from "./question.ts";

/** Addresses that are asked about, each at every list. */
const ADDRESSES_MAX = 8;

export interface Listing {
  ip: string;
  zone: string;
  /** Null: the list doesn't say. */
  listed: boolean | null;
}

/** Nothing where no list is set. `hostAddresses` are the SMTP server's. */
export function* checkBlockLists(
  subject: DomainSubject,
  hostAddresses: readonly string[],
): Asking<{ findings: DomainFinding[]; listings: Listing[] }> {
  const { blockLists, sentFrom, isPublic } = subject;
  if (blockLists.length === 0) {
    return { findings: [], listings: [] };
  }
  const isOwn = includeFor(subject) === null && !subject.isProviderDomain;
  const known = new Set([...sentFrom, ...(isOwn ? hostAddresses : [])]);
  const addresses = [...known].filter(isPublic).slice(0, ADDRESSES_MAX);
  if (addresses.length === 0) {
    const message = "no public address is known that this mailbox's email leaves from";
    const remedy = "Start a placement run.";
    return { findings: [finding("block_lists", "unknown", message, { remedy })], listings: [] };
  }
  const asked = addresses.flatMap((ip) => blockLists.map((zone) => ({ ip, zone })));
  const answers = yield* askAll(
    asked.map(({ ip, zone }) => ({ type: "address", name: `${reversed(ip)}.${zone}` })),
  );
  const told = asked.map((one, nth) => ({ ...one, listed: isListed(answers[nth]) }));
  return { findings: [summed(told)], listings: told };
}

function summed(told: readonly Listing[]): DomainFinding {
  const found = told.map(({ ip, zone, listed }) => {
    return `${ip}: ${listed === null ? "no response from" : listed ? "listed by" : "not listed by"} ${zone}`;
  });
  const listed = told.filter((one) => one.listed === true);
  if (listed.length > 0) {
    const message = listed.map(({ ip, zone }) => `${ip} is listed by ${zone}`).join(", ");
    return finding("block_lists", "warning", message, { remedy: REMEDY, found });
  }
  return told.every((one) => one.listed === null)
    ? finding("block_lists", "unknown", "no block list responded", { found })
    : finding("block_lists", "ok", "no block list that responded has its addresses", { found });
}

const REMEDY =
  "Find the cause first, then follow the removal steps on that list's own website. If the server isn't yours, ask your provider.";

/** Null: the list doesn't say. */
function isListed(answer: DnsAnswer | undefined): boolean | null {
  if (answer?.kind !== "records") {
    return null;
  }
  const isCode = (ip: string) =>
    isWithin(ip, "127.0.0.0/8") && !isWithin(ip, "127.255.255.0/24") && ip !== "127.0.0.1";
  return answer.records.some(isCode) ? true : answer.records.length === 0 ? false : null;
}

function reversed(ip: string): string {
  const bytes = addressBytes(ip) ?? [];
  const parts =
    bytes.length === 4
      ? bytes.map(String)
      : bytes.flatMap((byte) => [...byte.toString(16).padStart(2, "0")]);
  return parts.toReversed().join(".");
}
