/** What became of the items of an import, and what is to be known of the addresses that it adds. */

import type { ImportError, SkipReason } from "#domain/leads/lead.ts";
import {
  type AddressCheck,
  type AddressTally,
  checkAddress,
  type DomainFacts,
  tallyCheck,
} from "#domain/mailboxes/address-check.ts";
import { isCatchAll, lastAnswer } from "#store/mailboxes/mail-domains.ts";
import type { Db } from "#store/sqlite/database.ts";
import { type Row, remembered, type Verdict } from "./import-row.ts";

/** `imported + skipped.length + errors.length` is the number of items. Addresses as they were given. */
export interface ImportResult {
  imported: number;
  skipped: { email: string; reason: SkipReason }[];
  errors: { email: string; reason: ImportError }[];
  /** Of those imported. */
  addresses: AddressTally;
}

/** What became of an item. */
export interface Placed {
  /** As it was given. */
  email: string;
  verdict: Verdict;
  /** The address was known before: its record was there, and is not new. */
  isKnown: boolean;
  /** Of the address, where it was imported. */
  check: AddressCheck | null;
}

/** `answers`: what the name servers said of a domain, as far as the import has asked the store. */
export function placedOf(db: Db, answers: Map<string, DomainFacts>, row: Row): Placed {
  const { item, address, domain, reasons: own, verdict, isKnown } = row;
  if (verdict === null) {
    throw new Error("an item was not judged");
  }
  const known = remembered(answers, domain, (name) => {
    return { mx: lastAnswer(db, name), isCatchAll: isCatchAll(db, name) };
  });
  const facts = { ...known, email: address, own, softBounces: 0, callout: null };
  const check = verdict === "imported" ? checkAddress(facts) : null;
  return { email: item.email, verdict, isKnown, check };
}

export function report(result: ImportResult, { email, verdict, check }: Placed): void {
  tallyCheck(result.addresses, check);
  switch (verdict) {
    case "imported":
      result.imported += 1;
      return;
    case "invalid_email":
    case "variables_invalid":
    case "timezone_invalid":
    case "tags_invalid":
    case "plan_limit":
      result.errors.push({ email, reason: verdict });
      return;
    default:
      result.skipped.push({ email, reason: verdict });
  }
}
