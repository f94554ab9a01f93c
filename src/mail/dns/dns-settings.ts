/**
 * What the system says about names: its name servers, and the addresses of its own in the hosts file. Both
 * files are read again when they have changed.
 *
 * Source: resolv.conf(5) and hosts(5) of glibc.
 */

import { readFileSync, statSync } from "node:fs";
import { isIP, isIPv4 } from "node:net";
import { SECOND_MS } from "#domain/time.ts";
import type { NameServer } from "./dns-wire.ts";

export interface ResolverSettings {
  servers: readonly NameServer[];
  /** Longest wait for one server. */
  timeoutMs: number;
  /** How often each server is asked. */
  attempts: number;
  /** Domains that a name with fewer than `dots` dots may belong to. */
  search: readonly string[];
  dots: number;
}

export const DNS_PORT = 53;
const SERVERS_MAX = 3;
const SEARCH_MAX = 6;
/** Bounds of what options may say. */
const TIMEOUT_SECONDS = [1, 30] as const;
const ATTEMPTS = [1, 5] as const;
const DOTS = [0, 15] as const;

/** Asked where the system names none. */
export const OWN_SERVER: NameServer = { address: "127.0.0.1", port: DNS_PORT };

/** Of a `resolv.conf`; what it does not say is as glibc has it. */
export function readResolverSettings(text: string): ResolverSettings {
  const lines = text.split("\n").map((line) => {
    const [keyword = "", ...words] = line
      .replace(/[#;].*/, "")
      .trim()
      .split(/\s+/);
    return { keyword, words };
  });
  const servers = lines
    .filter(({ keyword, words: [address = ""] }) => keyword === "nameserver" && isIP(address) !== 0)
    .map(({ words: [address = ""] }) => ({ address, port: DNS_PORT }));
  const search = lines.findLast(({ keyword }) => keyword === "search" || keyword === "domain");
  const options = lines.filter(({ keyword }) => keyword === "options");
  const option = (name: string, fallback: number, [min, max]: readonly [number, number]) => {
    const found = options
      .flatMap(({ words }) => words)
      .findLast((word) => new RegExp(`^${name}:\\d{1,3}$`).test(word));
    const value = found === undefined ? fallback : Number(found.slice(name.length + 1));
    return Math.max(min, Math.min(max, value));
  };
  return {
    servers: servers.length === 0 ? [OWN_SERVER] : servers.slice(0, SERVERS_MAX),
    timeoutMs: option("timeout", 5, TIMEOUT_SECONDS) * SECOND_MS,
    attempts: option("attempts", 2, ATTEMPTS),
    search: (search?.words ?? []).map(plainName).slice(0, SEARCH_MAX),
    dots: option("ndots", 1, DOTS),
  };
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}

/** Addresses by name in lower case, IPv4 first. */
export function readHosts(text: string): ReadonlyMap<string, readonly string[]> {
  const hosts = new Map<string, string[]>();
  for (const line of text.split("\n")) {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().split(/\s+/);
    if (isIP(address) === 0) {
      continue;
    }
    for (const name of names.map(plainName)) {
      const known = hosts.get(name) ?? [];
      hosts.set(name, [...new Set([...known, address])]);
    }
  }
  for (const [name, addresses] of hosts) {
    hosts.set(name, [...addresses.filter(isIPv4), ...addresses.filter((ip) => !isIPv4(ip))]);
  }
  return hosts;
}

/** What `parse` makes of a file, as of its last change; of an empty one where there is none. */
export function following<Value>(path: string, parse: (text: string) => Value): () => Value {
  let seen: string | undefined;
  let value = parse("");
  return () => {
    const { mtimeMs, size, ino } = statSync(path, { throwIfNoEntry: false }) ?? {};
    const state = `${mtimeMs} ${size} ${ino}`;
    if (state !== seen) {
      seen = state;
      value = parse(mtimeMs === undefined ? "" : readOrNothing(path));
    }
    return value;
  };
}

function readOrNothing(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
