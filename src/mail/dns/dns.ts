/**
 * The domain name system, asked by ourselves: no look-up takes a thread, so that a name server that never
 * answers holds up nothing else in the program.
 *
 * One question at a time for each record of a name: whoever asks while it is under way waits for the same
 * response. What is known lives as long as its owner says, a minute at most; "there is none" and failures
 * five seconds. Every team has places of its own for the questions that it is waiting for.
 *
 * Source: RFC 1034 §5.3 (a stub resolver), RFC 2308 §2 (no name, no data), RFC 6761 §6.3 (localhost). The
 * bounds are ours: a hundred mailboxes of one provider that start together would otherwise ask a hundred
 * times, and resolvers drop that.
 */

import { isIP } from "node:net";
import { isAhead, plus, type UnixMs } from "#domain/time.ts";
import { after } from "#mail/deadline.ts";
import type { Clock } from "#platform/clock.ts";
import { addressBytes } from "#platform/http/guard.ts";
import {
  type Dns,
  DnsFailure,
  type Team,
  TXT_CHARS_MAX,
  TXT_RECORDS_MAX,
} from "#platform/ports/dns.ts";
import { createAsker, nameOf } from "./dns-servers.ts";
import {
  following,
  type ResolverSettings,
  readHosts,
  readResolverSettings,
} from "./dns-settings.ts";
import { type NameServer, nameIn, type RecordType } from "./dns-wire.ts";

export const DNS_TTL_MS = 60_000;
export const DNS_NEGATIVE_TTL_MS = 5_000;
/** Longest wait for one response, all servers and tries together. */
export const DNS_MS_MAX = 10_000;
/** Longest wait for one of the team's places. */
export const DNS_WAIT_MS_MAX = 10_000;
/** Questions of one team that are under way, and that wait for a place. */
export const DNS_QUESTIONS_MAX = 64;
export const DNS_WAITING_MAX = 1_000;
/** Addresses, exchanges or names taken from one response. */
export const DNS_RECORDS_MAX = 32;
/** Responses kept of each type; the oldest makes room. */
const ENTRIES_MAX = 1_000;
/** The same for TXT records, which may be large. */
const TEXT_ENTRIES_MAX = 100;

export interface DnsOptions {
  clock: Clock;
  /** In place of the system's; none: the system's. */
  servers?: readonly NameServer[];
  /** In place of the system's files; tests. */
  files?: { hosts: string; settings: string };
  /** Replaces {@link DNS_MS_MAX}. */
  answerMs?: number;
}

const SYSTEM_FILES = { hosts: "/etc/hosts", settings: "/etc/resolv.conf" };

export function createDns(options: DnsOptions): Dns {
  const { clock, servers = [], files = SYSTEM_FILES, answerMs = DNS_MS_MAX } = options;
  const hosts = following(files.hosts, readHosts);
  const system = following(files.settings, readResolverSettings);
  const settings = (): ResolverSettings =>
    servers.length === 0 ? system() : { ...system(), servers };
  const places = new Places();
  const ask = createAsker(settings, answerMs);
  const remember = <T>(
    type: RecordType,
    take: (data: readonly unknown[], isAbsent: boolean) => readonly T[],
  ) =>
    remembering(
      clock,
      places,
      async (name) => {
        const { data, ttlMs, isAbsent } = await ask({ name, type });
        return { records: take(data, isAbsent), ttlMs };
      },
      type === "TXT" ? TEXT_ENTRIES_MAX : ENTRIES_MAX,
    );

  const ipv4 = remember("A", addresses);
  const ipv6 = remember("AAAA", addresses);
  const exchanges = remember("MX", mailExchanges);
  const absences = remember("MX", (_data, isAbsent) => (isAbsent ? [true] : []));
  const texts = remember("TXT", textsOf);
  const names = remember("PTR", hostNames);

  const resolve = async (name: string, team: Team): Promise<readonly string[]> => {
    const [four, six] = await Promise.allSettled([ipv4(name, team), ipv6(name, team)]);
    const found = [four, six].flatMap((one) => (one.status === "fulfilled" ? one.value : []));
    const failed = [four, six].find((one) => one.status === "rejected");
    if (found.length === 0 && failed !== undefined) {
      throw failed.reason;
    }
    return found;
  };

  /** Names that a short one may stand for, in the system's own domains. */
  const searched = (host: string, name: string): string[] => {
    const { search, dots } = settings();
    const isShort = !host.endsWith(".") && name.split(".").length <= dots;
    return isShort ? search.map((domain) => `${name}.${domain}`) : [];
  };

  return {
    lookup: async (host, team) => {
      const name = nameOf(host);
      if (name === null) {
        return [];
      }
      const known = isIP(name) === 0 ? hosts().get(name) : [name];
      const own = known ?? (LOCALHOST.test(name) ? LOOPBACK : undefined);
      return own ?? (await firstOf([name, ...searched(host, name)], (one) => resolve(one, team)));
    },
    mx: asked(exchanges),
    isAbsent: async (domain, team) => (await asked(absences)(domain, team)).length > 0,
    txt: asked(texts),
    ptr: async (ip, team) => {
      const bytes = addressBytes(ip);
      return bytes === null ? [] : await names(reverseName(bytes), team);
    },
  };
}

const LOCALHOST = /^(.+\.)?localhost$/;
const LOOPBACK = ["127.0.0.1", "::1"];

/** What is found of the first that has something. */
async function firstOf(
  names: readonly string[],
  find: (name: string) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  for (const name of names) {
    const found = await find(name);
    if (found.length > 0) {
      return found;
    }
  }
  return [];
}

type Ask<T> = (name: string, team: Team) => Promise<readonly T[]>;

function asked<T>(ask: Ask<T>): Ask<T> {
  return async (text, team) => {
    const name = nameOf(text);
    return name === null ? [] : await ask(name, team);
  };
}

function reverseName(bytes: Uint8Array): string {
  if (bytes.length === 4) {
    return `${[...bytes].reverse().join(".")}.in-addr.arpa`;
  }
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${[...digits].reverse().join(".")}.ip6.arpa`;
}

function addresses(data: readonly unknown[]): readonly string[] {
  const found = data.slice(0, DNS_RECORDS_MAX).map(String);
  if (!found.every((address) => isIP(address) !== 0)) {
    throw new DnsFailure("a malformed address");
  }
  return found;
}

function hostNames(data: readonly unknown[]): readonly string[] {
  return data.slice(0, DNS_RECORDS_MAX).map(nameIn);
}

function mailExchanges(data: readonly unknown[]) {
  return (
    (data as readonly { preference?: number; exchange: string }[])
      .map(({ exchange: host, preference = 0 }) => {
        return { exchange: nameIn(host), priority: preference };
      })
      // A lone dot says "no email here" (RFC 7505 §3); beside others it means nothing.
      .filter(({ exchange: host }, _at, { length }) => host !== "" || length === 1)
      .toSorted((a, b) => a.priority - b.priority)
      .slice(0, DNS_RECORDS_MAX)
  );
}

/** The strings of a record are one text, as whoever published it meant (RFC 7208 §3.3, RFC 6376 §3.6.2.2). */
function textsOf(data: readonly unknown[]): readonly string[] {
  return (data as readonly Uint8Array[][])
    .slice(0, TXT_RECORDS_MAX)
    .map((strings) => Buffer.concat(strings).toString("utf8").slice(0, TXT_CHARS_MAX));
}

interface Waiting {
  go: () => void;
}

/** Questions under way, by team: whoever has none left waits for its own team's alone. */
class Places {
  private readonly teams = new Map<Team, { taken: number; waiting: Waiting[] }>();

  /** Resolves to what gives the place back. Rejects with a {@link DnsFailure}. */
  async take(team: Team): Promise<() => void> {
    const own = this.teams.get(team) ?? { taken: 0, waiting: [] };
    this.teams.set(team, own);
    if (own.taken < DNS_QUESTIONS_MAX) {
      own.taken += 1;
    } else {
      await this.wait(own.waiting);
    }
    return () => {
      const next = own.waiting.shift();
      if (next !== undefined) {
        next.go();
        return;
      }
      own.taken -= 1;
      if (own.taken === 0) {
        this.teams.delete(team);
      }
    };
  }

  private async wait(queue: Waiting[]): Promise<void> {
    if (queue.length >= DNS_WAITING_MAX) {
      throw new DnsFailure("too many look-ups at once");
    }
    const turn = Promise.withResolvers<void>();
    const waiting = { go: turn.resolve };
    queue.push(waiting);
    const cancel = after(DNS_WAIT_MS_MAX, () => {
      queue.splice(queue.indexOf(waiting), 1);
      turn.reject(new DnsFailure("too many look-ups are waiting for a response"));
    });
    await turn.promise.finally(cancel);
  }
}

interface Entry<T> {
  records: Promise<readonly T[]>;
  /** Undefined while the response is under way. */
  expiresAt: UnixMs | undefined;
  ttlMs: number;
}

function remembering<T>(
  clock: Clock,
  places: Places,
  ask: (name: string) => Promise<{ records: readonly T[]; ttlMs: number }>,
  entriesMax: number,
): Ask<T> {
  const entries = new Map<string, Entry<T>>();
  const known = (name: string) => {
    const entry = entries.get(name);
    const isKnown =
      entry?.expiresAt === undefined || isAhead(entry.expiresAt, clock.now(), entry.ttlMs);
    return isKnown ? entry?.records : undefined;
  };
  const begin = (name: string): Promise<readonly T[]> => {
    const asking = ask(name);
    const entry: Entry<T> = {
      records: asking.then(({ records }) => records),
      expiresAt: undefined,
      ttlMs: 0,
    };
    const settle = (ttlMs: number) => {
      entry.ttlMs = ttlMs;
      entry.expiresAt = plus(clock.now(), ttlMs);
    };
    asking.then(
      ({ records, ttlMs }) =>
        settle(records.length > 0 ? Math.min(ttlMs, DNS_TTL_MS) : DNS_NEGATIVE_TTL_MS),
      () => settle(DNS_NEGATIVE_TTL_MS),
    );
    entries.delete(name);
    entries.set(name, entry);
    const [oldest] = entries.keys();
    if (entries.size > entriesMax && oldest !== undefined) {
      entries.delete(oldest);
    }
    return entry.records;
  };
  return async (name, team) => {
    const already = known(name);
    if (already !== undefined) {
      return await already;
    }
    const leave = await places.take(team);
    const meanwhile = known(name);
    const records = meanwhile ?? begin(name).finally(leave);
    if (meanwhile !== undefined) {
      leave();
    }
    return await records;
  };
}
