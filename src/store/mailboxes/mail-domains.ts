/** Whose servers a recipient's domain is behind, as far as that was asked for while a provider refused us. */

import { eq, sql } from "drizzle-orm";
import {
  domainsOfProvider,
  type MailProvider,
  providerOfDomain,
} from "#domain/mailboxes/mail-provider.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { mailDomains } from "#store/tables/accounts.ts";

const byDomain = prepared((db) =>
  db.orm
    .select({ provider: mailDomains.provider })
    .from(mailDomains)
    .where(eq(mailDomains.domain, sql.placeholder("domain")))
    .prepare(),
);

/** Undefined: nobody has asked yet. */
export function knownProvider(db: Db, domain: string): MailProvider | undefined {
  return providerOfDomain(domain) ?? byDomain(db).get({ domain })?.provider;
}

export function recordDomain(db: Db, domain: string, provider: MailProvider): void {
  db.orm
    .insert(mailDomains)
    .values({ domain, provider })
    .onConflictDoUpdate({ target: mailDomains.domain, set: { provider } })
    .run();
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
