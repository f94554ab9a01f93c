/**
 * SPF: which servers may send for a domain, read as a receiver reads it: syntax, the records it includes,
 * and how many look-ups that costs. More than ten look-ups, or two that find nothing, are an error to a
 * receiver, and the whole record counts for nothing.
 *
 * Source: RFC 7208 §§4.5, 4.6.4, 5, 6, 12.
 */

import { type Asking, ask, type DnsAnswer } from "./question.ts";
import { parseSpf, type SpfQualifier, type SpfTerm } from "./spf-record.ts";

export const SPF_LOOKUPS_MAX = 10;
export const SPF_VOIDS_MAX = 2;
/** We go on counting beyond the limit, so as to say by how much it is passed, up to this many. */
const LOOKUPS_FOLLOWED_MAX = 40;
/** Exchanges of one `mx` whose addresses a receiver looks up. */
const EXCHANGES_MAX = 10;
const NETWORKS_MAX = 1_000;

export interface SpfReport {
  /** The one record; null where there is none, or more than one. */
  record: string | null;
  /** How many there are. */
  records: number;
  /** DNS look-ups that a receiver makes; it stops at {@link SPF_LOOKUPS_MAX}. */
  lookups: number;
  /** Those of them that find nothing. */
  voids: number;
  /** Domains that are included, in any depth. */
  includes: string[];
  /** Networks that may send. */
  networks: string[];
  /** What happens to everybody else; null: the record does not say. */
  all: SpfQualifier | null;
  /** What makes a receiver give up on the record, in words. */
  errors: string[];
  /** What works and should not be there, in words. */
  advice: string[];
  /** Names about which DNS gave no answer. */
  silent: string[];
}

/** Reads the record of `domain` and whatever it leads to. */
export function* examineSpf(domain: string): Asking<SpfReport> {
  const walk: SpfReport = {
    ...{ record: null, records: 0, lookups: 0, voids: 0, all: null },
    ...{ includes: [], networks: [], errors: [], advice: [], silent: [] },
  };
  const found = recordsIn(yield* ask({ type: "txt", name: domain }));
  if (found === null) {
    walk.silent.push(domain);
    return walk;
  }
  walk.records = found.length;
  if (found.length > 1) {
    walk.errors.push(`there are ${found.length} SPF records; publish only one`);
  }
  const [record] = found;
  if (found.length === 1 && record !== undefined) {
    walk.record = record;
    walk.all = yield* follow(walk, domain, record, [domain]);
    count(walk);
  }
  return walk;
}

function count(walk: SpfReport): void {
  if (walk.lookups > SPF_LOOKUPS_MAX) {
    const many = walk.lookups >= LOOKUPS_FOLLOWED_MAX ? "at least " : "";
    walk.errors.push(
      `it needs ${many}${walk.lookups} DNS lookups; receivers stop at ${SPF_LOOKUPS_MAX}`,
    );
  }
  if (walk.voids > SPF_VOIDS_MAX) {
    walk.errors.push(
      `${walk.voids} of its lookups find nothing; receivers stop at ${SPF_VOIDS_MAX}`,
    );
  }
}

/** Null where DNS did not answer. */
function recordsIn(answer: DnsAnswer): string[] | null {
  return answer.kind === "silent"
    ? null
    : answer.records.filter((text) => /^v=spf1(?: |$)/i.test(text));
}

/** Follows one record; `path` are the domains that led here. Returns its verdict on everybody else. */
function* follow(
  walk: SpfReport,
  domain: string,
  record: string,
  path: readonly string[],
): Asking<SpfQualifier | null> {
  const { terms, redirect, errors } = parseSpf(record);
  walk.errors.push(...errors.map((error) => `${where(domain, path)}${error}`));
  let all: SpfQualifier | null = null;
  for (const term of terms) {
    if (walk.lookups >= LOOKUPS_FOLLOWED_MAX) {
      return all;
    }
    if (term.mechanism === "all") {
      all = term.qualifier;
      break;
    }
    yield* followTerm(walk, term, domain, path);
  }
  if (redirect !== null && all === null) {
    walk.lookups += 1;
    return yield* into(walk, redirect, `redirect=${redirect}`, path);
  }
  return all;
}

function where(domain: string, path: readonly string[]): string {
  return path.length > 1 ? `in the record of ${domain}: ` : "";
}

function* followTerm(
  walk: SpfReport,
  { qualifier, mechanism, value, text }: SpfTerm,
  domain: string,
  path: readonly string[],
): Asking<void> {
  const target = (value ?? domain).replace(/\/.*$/, "").toLowerCase() || domain;
  const isKnown = !target.includes("%");
  switch (mechanism) {
    case "ip4":
    case "ip6":
      allow(walk, qualifier, value ?? "");
      return;
    case "include":
      walk.lookups += 1;
      if (isKnown) {
        walk.includes.push(target);
        yield* into(walk, target, text, path);
      }
      return;
    case "a":
      walk.lookups += 1;
      if (isKnown) {
        const hosts = yield* addressesOf(walk, target);
        hosts.forEach((ip) => void allow(walk, qualifier, ip + lengthFor(ip, text)));
      }
      return;
    case "mx":
      walk.lookups += 1;
      if (isKnown) {
        yield* exchanges(walk, { qualifier, target, text });
      }
      return;
    case "ptr":
      walk.lookups += 1;
      walk.advice.push("it uses ptr, which receivers may ignore (RFC 7208 §5.5)");
      return;
    case "exists":
      walk.lookups += 1;
      return;
  }
}

function allow(walk: SpfReport, qualifier: SpfQualifier, network: string): void {
  if (qualifier === "+" && walk.networks.length < NETWORKS_MAX) {
    walk.networks.push(network);
  }
}

/** The prefix length of `a/24//64` that is for this version of address. */
function lengthFor(ip: string, text: string): string {
  const match = /[^/](?:\/(\d+))?(?:\/\/(\d+))?$/.exec(text);
  const bits = ip.includes(":") ? match?.[2] : match?.[1];
  return bits === undefined ? "" : `/${bits}`;
}

function* exchanges(
  walk: SpfReport,
  { qualifier, target, text }: { qualifier: SpfQualifier; target: string; text: string },
): Asking<void> {
  const answer = yield* ask({ type: "mx", name: target });
  if (answer.kind === "silent") {
    walk.silent.push(target);
    return;
  }
  walk.voids += answer.records.length === 0 ? 1 : 0;
  if (answer.records.length > EXCHANGES_MAX) {
    walk.errors.push(`${text}: ${target} has more than ${EXCHANGES_MAX} mail exchanges`);
  }
  for (const exchange of answer.records.slice(0, EXCHANGES_MAX)) {
    const found = yield* ask({ type: "address", name: exchange });
    const hosts = found.kind === "records" ? found.records : [];
    hosts.forEach((ip) => void allow(walk, qualifier, ip + lengthFor(ip, text)));
  }
}

function* addressesOf(walk: SpfReport, host: string): Asking<readonly string[]> {
  const answer = yield* ask({ type: "address", name: host });
  if (answer.kind === "silent") {
    walk.silent.push(host);
    return [];
  }
  walk.voids += answer.records.length === 0 ? 1 : 0;
  return answer.records;
}

/** The record of a domain that another record names. */
function* into(
  walk: SpfReport,
  target: string,
  text: string,
  path: readonly string[],
): Asking<SpfQualifier | null> {
  if (path.includes(target)) {
    walk.errors.push(`${text} loops back to a record already read`);
    return null;
  }
  const answer = yield* ask({ type: "txt", name: target });
  const found = recordsIn(answer);
  if (found === null) {
    walk.silent.push(target);
    return null;
  }
  walk.voids += answer.kind === "records" && answer.records.length === 0 ? 1 : 0;
  const [record] = found;
  if (record === undefined || found.length > 1) {
    const how = found.length === 0 ? "no SPF record" : `${found.length} SPF records`;
    walk.errors.push(`${text}: ${target} has ${how}`);
    return null;
  }
  return yield* follow(walk, target, record, [...path, target]);
}
