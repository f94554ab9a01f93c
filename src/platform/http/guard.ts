/**
 * The address guard: which addresses the product may connect to when a user named the host. Every
 * address of a host is checked at connect time, and the connection goes to the address that was
 * checked, so a name that changes its mind in between gains nothing.
 *
 * Source: IANA special-purpose registries (RFC 6890 and its updates), multicast (RFC 5771, RFC
 * 4291) and class E (RFC 1112). Of IPv6 only the global unicast block 2000::/3 is reachable at
 * all.
 */

import { isIPv4, isIPv6 } from "node:net";
import { Problem } from "#domain/problem.ts";
import { type Dns, DnsFailure, type Team } from "#platform/ports/dns.ts";

/** A block of addresses: the leading `bits` of `bytes`, which are 4 (IPv4) or 16 (IPv6) long. */
export interface Cidr {
  readonly bytes: Uint8Array;
  readonly bits: number;
}

/** Blocks an operator may open. */
export const CIDRS_MAX = 100;

const REFUSED_V4 = blocks(
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24",
  "192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24",
  "224.0.0.0/4 240.0.0.0/4",
);
const GLOBAL_V6 = blocks("2000::/3");
const REFUSED_V6 = blocks("2001::/23 2001:db8::/32 2002::/16 3fff::/20");
const LOOPBACK = blocks("127.0.0.0/8 ::1/128");

/**
 * Whether a connection to `ip` may be made: it is a global unicast address, or lies in a block
 * that the operator opened. What is no address is refused; an IPv4 address in IPv6 clothes is
 * checked as IPv4.
 */
export function allowsAddress(ip: string, allowed: readonly Cidr[]): boolean {
  const bytes = addressBytes(ip);
  if (bytes === null) {
    return false;
  }
  if (within(bytes, allowed)) {
    return true;
  }
  return bytes.length === 4
    ? !within(bytes, REFUSED_V4)
    : within(bytes, GLOBAL_V6) && !within(bytes, REFUSED_V6);
}

/** Whether `ip` lies in one of `cidrs`. */
export function liesIn(ip: string, cidrs: readonly Cidr[]): boolean {
  const bytes = addressBytes(ip);
  return bytes !== null && within(bytes, cidrs);
}

/** Whether `ip` is this machine, however it is written. */
export function isLoopback(ip: string): boolean {
  return liesIn(ip, LOOPBACK);
}

export type Resolution =
  | { kind: "address"; ip: string }
  | { kind: "refused"; why: "dns" | "address_not_allowed"; reason: string };

export interface NamedHost {
  /** A name or an address. */
  host: string;
  /** Who named it. */
  team: Team;
}

/**
 * The address to connect to for `host`. Refused when it has none, or when
 * any of its addresses is: a mixed answer is an attack or a mistake. The reason names no address,
 * so that an answer shown to a user maps nobody's network.
 */
export async function resolveAllowed(
  dns: Pick<Dns, "lookup">,
  { host, team }: NamedHost,
  allowed: readonly Cidr[],
): Promise<Resolution> {
  const literal = host.replace(/^\[(.*)\]$/, "$1");
  let addresses: readonly string[];
  try {
    addresses = LOCALHOST.test(host)
      ? ownAddresses(allowed)
      : await addressesOf(dns, literal, { host, team });
  } catch (error) {
    if (error instanceof DnsFailure) {
      return { kind: "refused", why: "dns", reason: `no answer from DNS for ${host}` };
    }
    throw error;
  }
  const [first] = addresses;
  if (first === undefined) {
    return { kind: "refused", why: "dns", reason: `${host} has no address` };
  }
  if (!addresses.every((ip) => allowsAddress(ip, allowed))) {
    return {
      kind: "refused",
      why: "address_not_allowed",
      reason: `${host} is a private or reserved address; ask the operator to allow it with allow_cidrs`,
    };
  }
  return { kind: "address", ip: first };
}

const LOCALHOST = /^(.+\.)?localhost\.?$/i;

/**
 * This machine's own, of which one opened by the operator is enough: whoever opens 127.0.0.1 means
 * `localhost`, whatever else the name may stand for. Source: RFC 6761 §6.3, nobody need be asked.
 */
function ownAddresses(allowed: readonly Cidr[]): readonly string[] {
  const own = ["127.0.0.1", "::1"];
  const opened = own.filter((ip) => allowsAddress(ip, allowed));
  return opened.length > 0 ? opened : own;
}

async function addressesOf(
  dns: Pick<Dns, "lookup">,
  literal: string,
  { host, team }: NamedHost,
): Promise<readonly string[]> {
  return addressBytes(literal) === null ? await dns.lookup(host, team) : [literal];
}

/**
 * Reads `10.2.0.0/16, fd00::/8`: separated by commas or spaces, an address alone is a block of
 * one. Throws a `validation_error` naming `allow_cidrs` for anything else, or more than {@link
 * CIDRS_MAX}.
 */
export function parseCidrs(text: string): readonly Cidr[] {
  const words = text.split(/[\s,]+/).filter((word) => word !== "");
  if (words.length > CIDRS_MAX) {
    throw new Problem("validation_error", `at most ${CIDRS_MAX} blocks`, "allow_cidrs");
  }
  return words.map((word) => {
    const cidr = cidrOf(word);
    if (cidr === null) {
      const message = `not an address block: ${word}; write for example 10.2.0.0/16`;
      throw new Problem("validation_error", message, "allow_cidrs");
    }
    return cidr;
  });
}

function cidrOf(word: string): Cidr | null {
  const [address = "", length, ...rest] = word.split("/");
  const bytes = addressBytes(address);
  if (bytes === null || rest.length > 0) {
    return null;
  }
  if (length === undefined) {
    return { bytes, bits: bytes.length * 8 };
  }
  const bits = /^\d{1,3}$/.test(length) ? Number(length) : -1;
  return bits >= 0 && bits <= bytes.length * 8 ? { bytes, bits } : null;
}

function blocks(...lines: readonly string[]): readonly Cidr[] {
  return parseCidrs(lines.join(" "));
}

function within(bytes: Uint8Array, cidrs: readonly Cidr[]): boolean {
  return cidrs.some((cidr) => {
    if (cidr.bytes.length !== bytes.length) {
      return false;
    }
    for (let bit = 0; bit < cidr.bits; bit += 8) {
      const mask = 0xff & (0xff00 >> Math.min(8, cidr.bits - bit));
      if ((((bytes[bit / 8] ?? 0) ^ (cidr.bytes[bit / 8] ?? 0)) & mask) !== 0) {
        return false;
      }
    }
    return true;
  });
}

/** 4 bytes, or 16 for IPv6; null for anything that is no address, or that names an interface. */
export function addressBytes(ip: string): Uint8Array | null {
  if (isIPv4(ip)) {
    return Uint8Array.from(ip.split("."), Number);
  }
  if (!isIPv6(ip) || ip.includes("%")) {
    return null;
  }
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(ip);
  const plain = dotted === null ? ip : `${dotted[1]}${word(dotted, 2)}:${word(dotted, 4)}`;
  const [head = "", tail] = plain.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = new Array<string>(8 - left.length - right.length).fill("0");
  const groups = [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16));
  const bytes = Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  return isMapped ? bytes.slice(12) : bytes;
}

/** Two decimal octets of a dotted tail as one hexadecimal group. */
function word(match: RegExpExecArray, index: number): string {
  return (Number(match[index]) * 256 + Number(match[index + 1])).toString(16);
}
