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
  lastAnswer,
  removeWanted,
  wantedDomains,
} from "#store/mailboxes/mail-domains.ts";
import type { Db } from "#store/sqlite/database.ts";
import type { EnrollmentRow, LeadRow } from "#store/tables/leads.ts";
import { freshDomain, learnDomain, lookUpDomain } from "./mail-domains.ts";

type Checked = Pick<LeadRow, "email" | "addressReasons" | "softBounces">;

/** What is known of a lead's address by now, and when its domain was looked up. */
export function addressOf(db: Db, lead: Checked): AddressCheck & { checkedAt: UnixMs | null } {
  const domain = domainOf(lead.email);
  const checkedAt = findDomain(db, domain)?.lookedUpAt ?? null;
  return { ...checkAddress({ ...lead, own: ownOf(lead), mx: lastAnswer(db, domain) }), checkedAt };
}

function ownOf({ email, addressReasons }: Checked) {
  return addressReasons ?? ownReasons(email);
}

/** What its address keeps the lead from; null: nothing. What is not known lately keeps nobody from an email. */
export function addressConsequence(env: Environment, row: EnrollmentRow, lead: Checked) {
  const mx = freshDomain(env, domainOf(lead.email), env.clock.now())?.mx;
  const check = checkAddress({ ...lead, own: ownOf(lead), mx });
  const reason = consequenceOf(check, {
    risky: campaignById(env.db, row.campaignId)?.riskyAddresses ?? "send",
    isFirst: row.lastSentAt === null,
    isAccepted: row.riskAccepted,
  });
  return reason === null ? null : { reason, detail: check.reasons.join(", ") };
}

/** Domains of one step, and those of them that are asked for at once. */
const LOOKUPS_MAX = 200;
const AT_ONCE_MAX = 32;
/** Leads of one transaction. */
const UNCHECKED_MAX = 500;

/** Looks up the next of the domains that imports brought, and checks leads from before addresses were. */
export async function checkAddresses(env: Environment, now: UnixMs): Promise<UnixMs | undefined> {
  const isUnchecked = uncheckedLeads(env.db, 1).length > 0;
  const left = isUnchecked && (await env.commit(() => checkOld(env.db)));
  const wanted = wantedDomains(env.db, LOOKUPS_MAX);
  for (let from = 0; from < wanted.length; from += AT_ONCE_MAX) {
    const slice = wanted.slice(from, from + AT_ONCE_MAX);
    const found = await Promise.all(
      slice.map(({ domain, teamId }) => lookUpDomain(env, domain, teamId)),
    );
    await env.commit(() => {
      for (const one of found) {
        learnDomain(env, one);
      }
      removeWanted(
        env.db,
        slice.map(({ domain }) => domain),
      );
    });
  }
  return left || wanted.length === LOOKUPS_MAX ? now : undefined;
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
