/** Recipients' domains as they were last looked up: whose servers they are behind, and whether they have any. */

import { eq, lt, type SQLWrapper, sql } from "drizzle-orm";
import {
  domainsOfProvider,
  MX_FRESH_MS,
  type MxAnswer,
  PROVIDER_DOMAINS,
  providerOfDomain,
  type Receiver,
} from "#domain/mailboxes/mail-provider.ts";
import type { Barred } from "#domain/sending/ledger.ts";
import { plus, type UnixMs, unixMs } from "#domain/time.ts";
import { type Id, idToBytes } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { idsIn, isNoneOf } from "#store/sqlite/earliest.ts";
import {
  callouts,
  domainLookups,
  type MailDomainRow,
  mailDomains,
} from "#store/tables/accounts.ts";

const FREE_MAILBOXES = PROVIDER_DOMAINS.map((name) => `'${name}'`).join(", ");

const byDomain = prepared((db) =>
  db.orm
    .select()
    .from(mailDomains)
    .where(eq(mailDomains.domain, sql.placeholder("domain")))
    .prepare(),
);

/** Undefined: nobody has looked it up yet. */
export function findDomain(db: Db, domain: string): MailDomainRow | undefined {
  return byDomain(db).get({ domain });
}

const recording = prepared((db) =>
  db.raw.prepare<null, [string, string, string, number | null]>(
    `insert into mail_domains (domain, provider, mx, looked_up_at) values (?1, ?2, ?3, ?4)
       on conflict (domain) do update set provider = ?2, mx = ?3, looked_up_at = ?4`,
  ),
);

export function recordDomain(db: Db, { domain, provider, mx, lookedUpAt }: MailDomainRow): void {
  db.rows.writeTables([], () => recording(db).run(domain, provider, mx, lookedUpAt));
}

const prune = prepared((db) =>
  db.orm
    .delete(mailDomains)
    .where(lt(mailDomains.lookedUpAt, sql.placeholder("before")))
    .prepare(),
);

/** The last answer of the name servers, however old; undefined where there was none. */
export function lastAnswer(db: Db, domain: string): MxAnswer | undefined {
  return providerOfDomain(domain) === null ? findDomain(db, domain)?.mx : "found";
}

const catchAll = prepared((db) =>
  db.orm
    .select({ catchAll: callouts.catchAll })
    .from(callouts)
    .where(eq(callouts.name, sql.placeholder("domain")))
    .prepare(),
);

/** True where the domain takes email for any address, as its server last showed. */
export function isCatchAll(db: Db, domain: string): boolean {
  return catchAll(db).get({ domain })?.catchAll === true;
}

/** The domain is looked up again before anybody is written to there. */
export function forgetAnswer(db: Db, domain: string): void {
  const set = { lookedUpAt: null, mx: "unknown" } as const;
  db.orm.update(mailDomains).set(set).where(eq(mailDomains.domain, domain)).run();
}

const want = prepared(({ raw }) =>
  raw.prepare<null, [Uint8Array, string, number]>(
    `insert or ignore into domain_lookups (domain, team_id) select value, ?1 from json_each(?2)
       where not exists (select 1 from mail_domains where domain = value and looked_up_at > +?3)`,
  ),
);

/** Has domains looked up that have not been lately. */
export function wantDomains(db: Db, teamId: Id, domains: readonly string[], now: UnixMs): void {
  const unknown = domains.filter((domain) => providerOfDomain(domain) === null);
  if (unknown.length > 0) {
    want(db).run(idToBytes(teamId), JSON.stringify(unknown), plus(now, -MX_FRESH_MS));
  }
}

const wantOwn = prepared(({ raw }) =>
  raw.prepare<null, [number]>(
    `insert or ignore into domain_lookups (domain, team_id)
       select substr(email, instr(email, '@') + 1) as own, team_id from accounts
       where own not in (${FREE_MAILBOXES})
         and not exists (select 1 from mail_domains where domain = own and looked_up_at > +?1)`,
  ),
);

/** The same for the domains of all mailboxes. */
export function wantOwnDomains(db: Db, now: UnixMs): void {
  wantOwn(db).run(plus(now, -MX_FRESH_MS));
}

const wanted = prepared((db) =>
  db.orm
    .select()
    .from(domainLookups)
    .where(isNoneOf(domainLookups.teamId, "teams"))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** Domains to look up, but for those of some teams. */
export function wantedDomains(
  db: Db,
  limit: number,
  teams: readonly Id[] = [],
): { domain: string; teamId: Id }[] {
  return wanted(db).all({ limit, teams: idsIn(teams) });
}

/** At once, as soon as there are any. */
export function nextWantedAt(db: Db): UnixMs | undefined {
  return wantedDomains(db, 1).length > 0 ? unixMs(0) : undefined;
}

const remove = prepared(({ raw }) =>
  raw.prepare<null, [string]>(
    "delete from domain_lookups where domain in (select value from json_each(?))",
  ),
);

export function removeWanted(db: Db, domains: readonly string[]): void {
  remove(db).run(JSON.stringify(domains));
}

/** Forgets domains that nobody has looked up since. */
export function pruneDomains(db: Db, before: UnixMs): void {
  prune(db).run({ before });
}

/** Whose servers a domain is behind, as last heard. */
export function receiverOf(db: Db, domain: string): Receiver {
  const own = providerOfDomain(domain);
  const row = own === null ? findDomain(db, domain) : undefined;
  const isKnown = own !== null || (row !== undefined && row.mx !== "unknown");
  return { provider: own ?? row?.provider ?? "custom", isKnown };
}

const given = (name: string) => sql`(select value from json_each(${sql.placeholder(name)}))`;

/** Of a queue: leads at a domain that isn't barred, each asked for by its key. */
export const notBarred = (domain: SQLWrapper) => sql`${domain} not in ${given("domains")}
  and not coalesce(
    (select m.provider in ${given("providers")} or (${sql.placeholder("unknown")} and m.mx = 'unknown')
      from mail_domains m where m.domain = ${domain}),
    ${sql.placeholder("unknown")} and ${domain} not in (${sql.raw(FREE_MAILBOXES)}))`;

/** What {@link notBarred} is given. */
export function barredValues({ domains, providers, unknown }: Barred) {
  const own = providers.flatMap((name) => domainsOfProvider(name) ?? []);
  return {
    domains: JSON.stringify([...domains, ...own]),
    providers: JSON.stringify(providers),
    unknown: unknown ? 1 : 0,
  };
}
