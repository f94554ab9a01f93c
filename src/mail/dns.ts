/**
 * DNS with one question at a time for each name: whoever asks while an answer is under way waits
 * for the same one. Answers live a minute, "there is none" and failures five seconds.
 *
 * Source: ours. A hundred mailboxes of one provider that start together would otherwise ask a
 * hundred times, and resolvers drop that.
 */

import { lookup, resolveMx, resolveTxt, reverse } from "node:dns/promises";
import { plus, type UnixMs } from "#domain/time.ts";
import type { Clock } from "#runtime/clock.ts";
import {
  type Dns,
  DnsFailure,
  type MailExchange,
  TXT_CHARS_MAX,
  TXT_RECORDS_MAX,
} from "#runtime/ports/dns.ts";
import { within } from "./deadline.ts";

export const DNS_TTL_MS = 60_000;
export const DNS_NEGATIVE_TTL_MS = 5_000;
/** Answers kept of each kind; the oldest makes room. */
export const DNS_ENTRIES_MAX = 1_000;
/** The same for TXT records, which may be large. */
export const DNS_TEXT_ENTRIES_MAX = 100;
/** Longest wait for one answer. */
export const DNS_MS_MAX = 10_000;
/** Addresses, exchanges or names taken from one answer. */
export const DNS_RECORDS_MAX = 32;

/** What answers the questions: the operating system, or a test. Errors carry Node's `code`. */
export interface Resolver {
  lookup(host: string): Promise<readonly string[]>;
  mx(domain: string): Promise<readonly MailExchange[]>;
  /** Each record as its strings. */
  txt(name: string): Promise<readonly (readonly string[])[]>;
  ptr(ip: string): Promise<readonly string[]>;
}

export const systemResolver: Resolver = {
  lookup: async (host) => {
    const answers = await lookup(host, { all: true, order: "ipv4first" });
    return answers.map((answer) => answer.address);
  },
  mx: (domain) => resolveMx(domain),
  txt: (name) => resolveTxt(name),
  ptr: (ip) => reverse(ip),
};

/** `ENODATA` and `ENOTFOUND` say that there is none; every other code, that nobody knows. */
const ABSENT_CODES = new Set(["ENODATA", "ENOTFOUND", "ENONAME", "EAI_NONAME", "EAI_NODATA"]);

export function createDns(clock: Clock, resolver: Resolver = systemResolver): Dns {
  const addresses = remembering(clock, async (host) => resolver.lookup(host));
  const exchanges = remembering(clock, async (domain) => {
    const records = await resolver.mx(domain);
    return (
      records
        .map(({ exchange, priority }) => {
          return { exchange: exchange.toLowerCase().replace(/\.$/, ""), priority };
        })
        // A lone dot says "no mail here" (RFC 7505).
        .filter(({ exchange }) => exchange !== "")
        .toSorted((a, b) => a.priority - b.priority)
    );
  });
  const texts = remembering(
    clock,
    async (name) => {
      const records = await resolver.txt(name);
      return records
        .slice(0, TXT_RECORDS_MAX)
        .map((strings) => strings.join("").slice(0, TXT_CHARS_MAX));
    },
    { records: TXT_RECORDS_MAX, entries: DNS_TEXT_ENTRIES_MAX },
  );
  const names = remembering(clock, async (ip) => {
    const found = await resolver.ptr(ip);
    return found.map((name) => name.toLowerCase().replace(/\.$/, ""));
  });
  return { lookup: addresses, mx: exchanges, txt: texts, ptr: names };
}

interface Entry<T> {
  answer: Promise<readonly T[]>;
  /** Undefined while the answer is under way. */
  expiresAt: UnixMs | undefined;
}

const BOUNDS = { records: DNS_RECORDS_MAX, entries: DNS_ENTRIES_MAX };

function remembering<T>(
  clock: Clock,
  ask: (name: string) => Promise<readonly T[]>,
  bounds: { records: number; entries: number } = BOUNDS,
) {
  const entries = new Map<string, Entry<T>>();
  return (name: string): Promise<readonly T[]> => {
    const key = name.toLowerCase().replace(/\.$/, "");
    const known = entries.get(key);
    if (known !== undefined && (known.expiresAt === undefined || clock.now() < known.expiresAt)) {
      return known.answer;
    }
    const answer = answered(key, ask(key), bounds.records);
    const entry: Entry<T> = { answer, expiresAt: undefined };
    const settle = (ttlMs: number) => {
      entry.expiresAt = plus(clock.now(), ttlMs);
    };
    entry.answer.then(
      (records) => settle(records.length > 0 ? DNS_TTL_MS : DNS_NEGATIVE_TTL_MS),
      () => settle(DNS_NEGATIVE_TTL_MS),
    );
    entries.delete(key);
    entries.set(key, entry);
    for (const oldest of entries.keys()) {
      if (entries.size <= bounds.entries) {
        break;
      }
      entries.delete(oldest);
    }
    return entry.answer;
  };
}

async function answered<T>(
  name: string,
  answer: Promise<readonly T[]>,
  recordsMax: number,
): Promise<readonly T[]> {
  try {
    return (await within(answer, DNS_MS_MAX, "timed out")).slice(0, recordsMax);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (ABSENT_CODES.has(code.replace(/^DNS_/, ""))) {
      return [];
    }
    throw new DnsFailure(`${name}: ${code === "" ? "no answer" : code}`);
  }
}
