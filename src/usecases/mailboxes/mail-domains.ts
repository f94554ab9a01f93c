/** Recipients' domains, looked up: whose servers they are behind, and whether they take email at all. */

import { domainOf } from "#domain/email-address.ts";
import {
  answerOf,
  countedAs,
  MX_FRESH_MS,
  type MxAnswer,
  providerOfDomain,
  providerOfExchanges,
} from "#domain/mailboxes/mail-provider.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, plus, type UnixMs, unixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { wakeForProvidersBy } from "#store/mailboxes/accounts.ts";
import {
  findDomain,
  pruneDomains,
  receiverOf,
  recordDomain,
  wantOwnDomains,
} from "#store/mailboxes/mail-domains.ts";
import type { MailDomainRow } from "#store/tables/accounts.ts";
import type { MessageRow } from "#store/tables/messages.ts";

/** Where no name server answered. */
const SILENCE_FRESH_MS = HOUR_MS;
/** Those that nobody writes to. */
const KEPT_MS = 90 * DAY_MS;

/** What is known of a domain without asking again; undefined: it has to be looked up. */
export function freshDomain(
  { db }: Environment,
  domain: string,
  now: UnixMs,
): MailDomainRow | undefined {
  const provider = providerOfDomain(domain);
  if (provider !== null) {
    return { domain, provider, mx: "found", lookedUpAt: now };
  }
  const row = findDomain(db, domain);
  const fresh = row?.mx === "unknown" ? SILENCE_FRESH_MS : MX_FRESH_MS;
  return row?.lookedUpAt != null && plus(row.lookedUpAt, fresh) > now ? row : undefined;
}

/**
 * Asks the name servers; where none answers, what was known of the provider stays. Never rejects, and records
 * nothing: `learnDomain` does.
 */
export async function lookUpDomain(
  env: Environment,
  domain: string,
  teamId: string,
): Promise<MailDomainRow> {
  try {
    const hosts = (await env.dns.mx(domain, teamId)).map(({ exchange }) => exchange);
    const provider = providerOfExchanges(hosts);
    const mx = hosts.length === 0 ? await withoutMx(env, domain, teamId) : answerOf(hosts);
    return { domain, provider, mx, lookedUpAt: env.clock.now() };
  } catch (error) {
    env.log.warn("a domain's mail exchanges are not known", { domain, cause: String(error) });
    const { provider } = receiverOf(env.db, domain);
    return { domain, provider, mx: "unknown", lookedUpAt: env.clock.now() };
  }
}

/** Of a domain without MX: whether email may go to its own address (RFC 5321 §5.1). */
async function withoutMx({ dns }: Environment, domain: string, teamId: string): Promise<MxAnswer> {
  if ((await dns.lookup(domain, teamId)).length > 0 || RESERVED.test(domain)) {
    return "none";
  }
  return (await dns.isAbsent(domain, teamId)) ? "no_domain" : "no_host";
}

/** Names that the public name servers deny, and a server of one's own may know (RFC 6761, RFC 6762, RFC 8375). */
const RESERVED = /\.(?:test|example|local|internal|home\.arpa)$/;

/**
 * Keeps what was learned, where it is news. A mailbox that waits for a provider's limit, or leaves its leads to others, may
 * write to a domain that has moved: it looks again at the next full minute, so that an import's domains don't wake it each. Runs inside a commit.
 */
export function learnDomain({ db, clock }: Environment, found: MailDomainRow): void {
  const { domain } = found;
  if (
    findDomain(db, domain)?.lookedUpAt === found.lookedUpAt ||
    providerOfDomain(domain) !== null
  ) {
    return;
  }
  const before = countedAs(receiverOf(db, domain));
  recordDomain(db, found);
  if (countedAs(receiverOf(db, domain)) !== before) {
    wakeForProvidersBy(db, unixMs(Math.ceil(clock.now() / MINUTE_MS) * MINUTE_MS));
  }
}

/** `afresh`: a domain may have moved since it was asked for. Never rejects. */
export async function findReceiver(
  env: Environment,
  { recipient, teamId }: Pick<MessageRow, "recipient" | "teamId">,
  { afresh }: { afresh: boolean },
): Promise<MailDomainRow> {
  const domain = domainOf(recipient);
  const known = afresh ? undefined : freshDomain(env, domain, env.clock.now());
  return known ?? (await lookUpDomain(env, domain, teamId));
}

/** Upkeep, inside a commit. The team's own domains say who runs its mailboxes: they're looked up anew. */
export function forgetDomains({ db }: Environment, now: UnixMs): void {
  wantOwnDomains(db, now);
  pruneDomains(db, plus(now, -KEPT_MS));
}
