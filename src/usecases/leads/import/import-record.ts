/** The record of a lead that an import meets again: what becomes of it. */

import { type ExistingRule, type LeadVariables, mergeVariables } from "#domain/leads/lead.ts";
import { sha256 } from "#platform/secrets/crypto.ts";
import type { KnownLead, LeadTexts } from "#store/leads/import.ts";

export interface LeadFacts {
  texts: LeadTexts;
  variables: LeadVariables;
}

/** The record of a known lead after the import. */
export function changedRecord(
  known: KnownLead,
  given: LeadFacts,
  rule: ExistingRule,
): LeadFacts | { fault: unknown } {
  if (rule === "keep") {
    return { texts: known, variables: known.variables };
  }
  if (rule === "replace") {
    return given;
  }
  const merged = mergeVariables(known.variables, given.variables);
  const texts = { ...known, ...withoutNulls(given.texts) };
  return "fault" in merged ? merged : { texts, variables: merged.variables };
}

export function differs(known: KnownLead, { texts, variables }: LeadFacts): boolean {
  return (
    TEXT_NAMES.some((name) => known[name] !== texts[name]) ||
    JSON.stringify(known.variables) !== JSON.stringify(variables)
  );
}

/** SHA-256 of a record: the same for the same values, in whatever order its variables stand. */
export function fingerprintOf({ texts, variables }: LeadFacts): Uint8Array {
  const given = Object.entries(variables).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sha256(JSON.stringify([TEXT_NAMES.map((name) => texts[name]), given]));
}

const TEXT_NAMES = ["firstName", "lastName", "company", "website", "phone", "timezone"] as const;

function withoutNulls(texts: LeadTexts): Partial<LeadTexts> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== null));
}
