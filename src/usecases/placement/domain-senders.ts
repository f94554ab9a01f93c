/** Who sends as a domain, as receivers report it, with the names of their servers. */

import type { TlsFailure } from "#domain/mailboxes/domain-reports/report.ts";
import { type Sender, sendersOf } from "#domain/mailboxes/domain-reports/senders.ts";
import { DAY_MS, plus } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { DnsFailure } from "#platform/ports/dns.ts";
import { reportsSince, sourcesSince } from "#store/mailboxes/domain-reports.ts";
import { accountsOfDomain } from "#store/mailboxes/domains.ts";
import { sentFromOf } from "#store/placement/placement-tests.ts";
import type { DomainRow } from "#store/tables/domains.ts";
import { SENT_FROM_MS } from "./domain-check.ts";

/** Days that are summed up. */
export const SENDERS_DAYS = 30;
/** Addresses that are shown and named. */
const SOURCES_MAX = 200;
/** Names that are asked for in one look. */
const NAMES_MAX = 30;
const REPORTS_READ_MAX = 1_000;

function periodOf({ clock }: Environment, { teamId, domain }: DomainRow) {
  return { teamId, domain, since: plus(clock.now(), -SENDERS_DAYS * DAY_MS) };
}

/** Reports that aren't confirmed count only while there are no others. */
function sourcesOf(env: Environment, row: DomainRow, verified: boolean) {
  return sourcesSince(env.db, { ...periodOf(env, row), verified, limit: SOURCES_MAX });
}

function reportsOf(env: Environment, row: DomainRow, verified: boolean) {
  return reportsSince(env.db, { ...periodOf(env, row), verified, limit: REPORTS_READ_MAX });
}

/** The names of the addresses that send, asked for where they aren't known. One that doesn't lead back counts as none. */
export async function namedSources(env: Environment, row: DomainRow): Promise<DomainRow["hosts"]> {
  const sources = [true, false].flatMap((verified) => sourcesOf(env, row, verified));
  const ips = sources.map(({ ip }) => ip);
  const known = ips.flatMap((ip) => {
    const host = row.hosts[ip];
    return host === undefined ? [] : [[ip, host] as const];
  });
  const unknown = ips.filter((ip) => row.hosts[ip] === undefined).slice(0, NAMES_MAX);
  const named = await Promise.all(
    unknown.map(async (ip) => [ip, await nameOf(env, row.teamId, ip)] as const),
  );
  const found = named.flatMap(([ip, host]) => (host === null ? [] : [[ip, host] as const]));
  return Object.fromEntries([...known, ...found]);
}

/** Null: DNS didn't respond. */
async function nameOf({ dns }: Environment, team: string, ip: string): Promise<string | null> {
  try {
    const [name = ""] = await dns.ptr(ip, team);
    const back = name === "" ? [] : await dns.lookup(name, team);
    return back.includes(ip) ? name.toLowerCase() : "";
  } catch (error) {
    if (error instanceof DnsFailure) {
      return null;
    }
    throw error;
  }
}

export interface Senders {
  /** The reports come from whom they say. */
  verified: boolean;
  reports: number;
  reporters: string[];
  senders: Sender[];
  tls: { passed: number; failed: number; failures: TlsFailure[] };
}

export function sendersAs(env: Environment, row: DomainRow): Senders {
  const confirmed = reportsOf(env, row, true);
  const verified = confirmed.length > 0;
  const reports = verified ? confirmed : reportsOf(env, row, false);
  const tls = reports.filter(({ kind }) => kind === "tls");
  const sentFrom = accountsOfDomain(env.db, row).flatMap(({ id }) =>
    sentFromOf(env.db, id, plus(env.clock.now(), -SENT_FROM_MS)),
  );
  const { domain, hosts, report } = row;
  const own = { domain, hosts, sentFrom, policy: report?.dmarcPolicy ?? null };
  return {
    verified,
    reports: reports.length,
    reporters: [...new Set(reports.map(({ reporter }) => reporter))].toSorted(),
    senders: sendersOf({ ...own, networks: report?.networks ?? [] }, sourcesOf(env, row, verified)),
    tls: {
      passed: tls.reduce((sum, { passed }) => sum + passed, 0),
      failed: tls.reduce((sum, { failed }) => sum + failed, 0),
      failures: summedFailures(tls.flatMap(({ failures }) => failures)),
    },
  };
}

function summedFailures(all: readonly TlsFailure[]): TlsFailure[] {
  const groups = Map.groupBy(all, ({ type, host }) => `${type} ${host}`);
  return [...groups.values()]
    .flatMap(([first, ...others]) =>
      first === undefined
        ? []
        : [{ ...first, sessions: others.reduce((sum, one) => sum + one.sessions, first.sessions) }],
    )
    .toSorted((a, b) => b.sessions - a.sessions);
}
