/** Recipients' domains as they were last looked up: whose servers they are behind, and whether they have any. */

import { eq, lt, sql } from "drizzle-orm";
import {
  domainsOfProvider,
  type MailProvider,
  providerOfDomain,
} from "#domain/mailboxes/mail-provider.ts";
import type { UnixMs } from "#domain/time.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { type MailDomainRow, mailDomains } from "#store/tables/accounts.ts";

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

/** Undefined: nobody has asked yet. */
export function knownProvider(db: Db, domain: string): MailProvider | undefined {
  return providerOfDomain(domain) ?? findDomain(db, domain)?.provider;
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

/** Forgets domains that nobody has looked up since. */
export function pruneDomains(db: Db, before: UnixMs): void {
  prune(db).run({ before });
}

const byProvider = prepared((db) =>
  db.orm
    .select({ domain: mailDomains.domain })
    .from(mailDomains)
    .where(eq(mailDomains.provider, sql.placeholder("provider")))
    .prepare(),
);

/** The domains that are known to be behind these; a receiver that is no provider is itself a domain. */
export function domainsByReceiver(db: Db, receivers: readonly string[]): string[] {
  return receivers.flatMap((receiver) => {
    const own = domainsOfProvider(receiver);
    return own === null
      ? [receiver]
      : [
          ...own,
          ...byProvider(db)
            .all({ provider: receiver })
            .map(({ domain }) => domain),
        ];
  });
}
