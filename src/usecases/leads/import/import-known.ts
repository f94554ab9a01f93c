/** Leads that the team has, into a campaign. */

import { addTally, noTally } from "#domain/mailboxes/address-check.ts";
import type { Caller, Environment } from "#environment.ts";
import { findLead } from "#store/leads/leads.ts";
import type { Id } from "#store/sqlite/columns.ts";
import { type ImportOptions, importLeadsAtOnce } from "./import.ts";
import type { ImportResult } from "./import-result.ts";

/** Leads that one transaction enrolls: others get their turn between two. */
const SLICE_LEADS = 200;

/**
 * Who was erased since they were found is left out: an import would make them anew. What was enrolled before a
 * slice that fails stays. Throws `not_found`, or `conflict` for an archived campaign.
 */
export async function enrollKnown(
  env: Environment,
  caller: Caller,
  campaignId: Id,
  leads: readonly { id: Id; email: string }[],
  options: Omit<ImportOptions, "existing">,
): Promise<ImportResult> {
  const whole: ImportResult = { imported: 0, skipped: [], errors: [], addresses: noTally() };
  for (let from = 0; from < leads.length || from === 0; from += SLICE_LEADS) {
    const slice = leads.slice(from, from + SLICE_LEADS);
    const { imported, skipped, errors, addresses } = await env.commit(() => {
      const items = slice
        .filter(({ id }) => findLead(env.db, caller.teamId, id) !== undefined)
        .map(({ email }) => ({ email }));
      return importLeadsAtOnce(env, caller, campaignId, items, { existing: "keep", ...options });
    });
    whole.imported += imported;
    whole.skipped.push(...skipped);
    whole.errors.push(...errors);
    addTally(whole.addresses, addresses);
  }
  return whole;
}
