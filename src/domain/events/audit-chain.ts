/**
 * The chain of a team's audit log: each entry's hash covers its content and the hash of the entry before it, so
 * that one that was changed, removed, added or moved is found, and where.
 *
 * Source: RFC 8785 (JSON Canonicalization Scheme) for the bytes that are hashed; RFC 6962 §1 for why a head
 * that somebody else keeps is what the rest is checked against.
 */

import { toIso, type UnixMs } from "../time.ts";

/** SHA-256 in lower-case hex. */
export type HashText = (text: string) => string;

/** Where a chain has come to: the number and the hash of an entry. */
export interface ChainEnd {
  position: number;
  hash: string;
}

export interface ChainContent {
  teamId: string;
  actor: string;
  action: string;
  target: string;
  at: UnixMs;
  before: Readonly<Record<string, unknown>> | null;
  after: Readonly<Record<string, unknown>> | null;
  requestId: string | null;
}

/** An entry as exports have it: what is hashed, in the order in which people read it. */
export function chained(entry: ChainContent, last: ChainEnd | null): Record<string, unknown> {
  return {
    position: (last?.position ?? 0) + 1,
    team_id: entry.teamId,
    created_at: toIso(entry.at),
    actor: entry.actor,
    action: entry.action,
    target: entry.target,
    request_id: entry.requestId,
    before: entry.before,
    after: entry.after,
    previous_hash: last?.hash ?? null,
  };
}

export const CHAIN_FAULTS = ["changed", "missing", "out_of_order", "wrong_link"] as const;
export type ChainFault = (typeof CHAIN_FAULTS)[number];

/** Why an entry does not follow `last`, null for the beginning; `line` is all of the entry but its hash. */
export function faultOf(
  line: Readonly<Record<string, unknown>>,
  hash: unknown,
  last: ChainEnd | null,
  hashText: HashText,
): ChainFault | null {
  const expected = (last?.position ?? 0) + 1;
  const position = line["position"];
  if (position !== expected) {
    return typeof position === "number" && position > expected ? "missing" : "out_of_order";
  }
  if (line["previous_hash"] !== (last?.hash ?? null)) {
    return "wrong_link";
  }
  return hashText(canonicalJson(line)) === hash ? null : "changed";
}

/**
 * One text for each JSON value: fields in the order of their UTF-16 code units, no spaces, numbers and strings as
 * ECMAScript writes them. Half of a surrogate pair, which no UTF-8 has, is U+FFFD.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === "string") {
    return JSON.stringify(value.toWellFormed());
  }
  if (typeof value !== "object" || value === null) {
    return JSON.stringify(value ?? null);
  }
  if (Array.isArray(value)) {
    return `[${value.map(canonicalJson).join(",")}]`;
  }
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${fields.map(([name, of]) => `${canonicalJson(name)}:${canonicalJson(of)}`).join(",")}}`;
}
