/**
 * Addresses that an opt-out names besides its sender's: "remove info@client.example from all your
 * sequences". Only some of them are the sender's to speak for.
 */

import { domainOf, parseAddress } from "#domain/email-address.ts";
import { isCompanyDomain } from "#domain/leads/company.ts";
import type { Environment } from "#environment.ts";
import { leadByEmail } from "#store/leads/leads.ts";
import { accountByEmail } from "#store/mailboxes/accounts.ts";
import { lastMessageTo } from "#store/sending/messages.ts";
import type { Id } from "#store/sqlite/columns.ts";

/** Where an opt-out came from and whom it names, lower case. */
export interface NamingOptOut {
  teamId: Id;
  accountId: Id;
  fromAddress: string;
  addresses: readonly string[];
}

export interface NamedOptOuts {
  /** Of the sender's own company, or a lead that the same mailbox has written to. */
  suppressed: string[];
  /** Anybody else's: a person decides. */
  shown: string[];
}

/** An opt-out that names more is a list of somebody's: all of it is for a person. */
const NAMED_MAX = 5;

/** The sender's own address and those of the team's mailboxes are in neither list. */
export function namedOptOuts(
  env: Environment,
  { teamId, accountId, fromAddress, addresses }: NamingOptOut,
): NamedOptOuts {
  const others = addresses
    .flatMap((text) => parseAddress(text)?.address ?? [])
    .filter((address) => {
      return address !== fromAddress && accountByEmail(env.db, teamId, address) === undefined;
    });
  const domain = domainOf(fromAddress);
  const isTheirs = (address: string) => {
    const isColleague = domainOf(address) === domain && isCompanyDomain(domain);
    const isInContact =
      leadByEmail(env.db, teamId, address) !== undefined &&
      lastMessageTo(env.db, accountId, address) !== undefined;
    return others.length <= NAMED_MAX && (isColleague || isInContact);
  };
  return {
    suppressed: others.filter(isTheirs),
    shown: others.filter((address) => !isTheirs(address)),
  };
}
