/** Addresses of leads, checked: what is known of one, the domains that are looked up for it, and what waits for a person. */

import { domainOf } from "#domain/email-address.ts";
import {
  type AddressCheck,
  checkAddress,
  consequenceOf,
  ownReasons,
} from "#domain/mailboxes/address-check.ts";
import type { UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import { setAddressReasons, uncheckedLeads } from "#store/leads/leads.ts";
import {
  findDomain,
  isCatchAll,
  lastAnswer,
  removeWanted,
  wantedDomains,
} from "#store/mailboxes/mail-domains.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";
import type { Passed } from "#store/sqlite/earliest.ts";
import type { EnrollmentRow, LeadRow } from "#store/tables/leads.ts";
import { freshDomain, learnDomain, lookUpDomain } from "./mail-domains.ts";

type Checked = Pick<LeadRow, "email" | "addressReasons" | "softBounces" | "callout">;

/** What is known of a lead's address by now, and when its domain was looked up. */
export function addressOf(db: Db, lead: Checked): AddressCheck & { checkedAt: UnixMs | null } {
  const domain = domainOf(lead.email);
  const checkedAt = findDomain(db, domain)?.lookedUpAt ?? null;
  return { ...checkAddress({ ...factsOf(db, lead), mx: lastAnswer(db, domain) }), checkedAt };
}

/** What is known beside the name servers' word. */
function factsOf(db: Db, lead: Checked) {
  return { ...lead, own: ownOf(lead), isCatchAll: isCatchAll(db, domainOf(lead.email)) };
}

function ownOf({ email, addressReasons }: Checked) {
  return addressReasons ?? ownReasons(email);
}

/** What its address keeps the lead from; null: nothing. What is not known lately keeps nobody from an email. */
export function addressConsequence(env: Environment, row: EnrollmentRow, lead: Checked) {
  const mx = freshDomain(env, domainOf(lead.email), env.clock.now())?.mx;
  const check = checkAddress({ ...factsOf(env.db, lead), mx });
  const reason = consequenceOf(check, {
    risky: campaignById(env.db, row.campaignId)?.riskyAddresses ?? "send",
    isFirst: row.lastSentAt === null,
    isAccepted: row.riskAccepted,
  });
  return reason === null ? null : { reason, detail: check.reasons.join(", ") };
}

/** Domains of a team that are asked for at once. */
const AT_ONCE_MAX = 32;
/** Leads of one transaction. */
const UNCHECKED_MAX = 500;

/** Domains that imports of a team brought; its id. */
export interface WantedDomains {
  id: Id;
  teamId: Id;
  domains: readonly string[];
}

/** The next domains to look up, by team. */
export function domainsByTeam(
  db: Db,
  { limit, passed }: { limit: number; passed: Passed },
): WantedDomains[] {
  const wanted = wantedDomains(db, limit * AT_ONCE_MAX, passed.teams);
  return [...Map.groupBy(wanted, ({ teamId }) => teamId)].map(([id, rows]) => {
    return { id, teamId: id, domains: rows.slice(0, AT_ONCE_MAX).map(({ domain }) => domain) };
  });
}

export async function lookUpWanted(
  env: Environment,
  { teamId, domains }: WantedDomains,
): Promise<void> {
  const found = await Promise.all(domains.map((domain) => lookUpDomain(env, domain, teamId)));
  await env.commit(() => {
    for (const one of found) {
      learnDomain(env, one);
    }
    removeWanted(env.db, domains);
  });
}

/** Checks leads from before addresses were. Resolves to true where there are more. */
export async function checkUnchecked(env: Environment): Promise<boolean> {
  const isUnchecked = uncheckedLeads(env.db, 1).length > 0;
  return isUnchecked && (await env.commit(() => checkOld(env.db)));
}

/**
 * By what the addresses say; their domains are looked up before their first emails. Reads what it writes anew, since
 * a lead may have changed before the commit. True: there are more.
 */
function checkOld(db: Db): boolean {
  const leads = uncheckedLeads(db, UNCHECKED_MAX);
  for (const lead of leads) {
    setAddressReasons(db, lead, ownReasons(lead.email));
  }
  return leads.length === UNCHECKED_MAX;
}
