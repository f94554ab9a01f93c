/**
 * Leads that are one person become one. The record that stays is filled in from the others; their addresses stay
 * known as aliases, by which imports, opt-outs and people find it; what was sent and received stays where it is.
 *
 * Who refused at one address is not written to at another; a bounce is about an address.
 *
 * Source: ours.
 */

import { TAGS_MAX } from "#domain/campaigns/tag.ts";
import { isBlank, mergeVariables } from "#domain/leads/lead.ts";
import { isStronger, type SuppressionReason } from "#domain/leads/suppression.ts";
import { invalid, Problem } from "#domain/problem.ts";
import type { Caller, Environment } from "#environment.ts";
import { tagsOf } from "#store/campaigns/tags.ts";
import { findLead, updateLead } from "#store/leads/leads.ts";
import { insertAlias, moveAliases, moveHistory, removeLead } from "#store/leads/merge.ts";
import { wakeAccounts } from "#store/mailboxes/accounts.ts";
import { giveAside } from "#store/operations/deleted.ts";
import { isBeingSent } from "#store/operations/erasure.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { LeadRow } from "#store/tables/leads.ts";
import { setTags } from "#usecases/campaigns/tags.ts";
import { audit, emit } from "#usecases/events/record.ts";
import { joinSequences } from "./join-sequences.ts";
import { recordChange, requireLead } from "./leads.ts";
import { refusalsIn, suppress, suppressionsOf } from "./suppressions.ts";

type Value = string | number | boolean;

/** A field of which the leads have different values. */
export interface MergeConflict {
  field: string;
  kept: Value;
  others: Value[];
}

export interface Merged {
  row: LeadRow;
  merged: number;
  conflicts: MergeConflict[];
  /** Sequences that were ended, since the same person has another in the same campaign. */
  stopped: number;
  /** Why nothing is sent to the address that stays, where that follows from another of them. */
  suppressed: SuppressionReason | null;
}

/**
 * Inside a commit. Throws `not_found`, `validation_error` naming `lead_ids`, and `conflict` while an email to
 * one of them is being sent.
 */
export function mergeLeads(
  env: Environment,
  caller: Caller,
  leadId: Id,
  leadIds: readonly Id[],
): Merged {
  const before = requireLead(env, caller, leadId);
  const { id } = before;
  const others = leadIds.map((other, at) => otherLead(env, caller, id, other, at));
  if (new Set(others.map((other) => other.id)).size < others.length) {
    throw invalid("lead_ids", "must not name a lead twice");
  }
  if ([before, ...others].some((lead) => isBeingSent(env.db, lead))) {
    const message = "a message to one of these leads is being sent; try again shortly";
    throw new Problem("conflict", message, null, { "Retry-After": "60" });
  }
  const { row, conflicts } = fill(env, before, others);
  updateLead(env.db, row);
  const tags = [row, ...others].flatMap((lead) => tagsOf(env.db, lead.id));
  if (new Set(tags).size > TAGS_MAX) {
    throw invalid("lead_ids", `have more than ${TAGS_MAX} tags together`);
  }
  setTags(env, caller, { kind: "lead", id }, tags);
  const stopped = joinSequences(env, row, others);
  const suppressed = strongestOf(env, caller, others);
  for (const other of others) {
    moveHistory(env.db, other.id, id);
    moveAliases(env.db, other.id, id);
    giveAside(env.db, other.id, id);
    removeLead(env.db, other.id);
    const alias = { teamId: caller.teamId, email: other.email, leadId: id, formerId: other.id };
    insertAlias(env.db, alias);
  }
  if (suppressed !== null) {
    suppress(env, caller, { email: row.email, reason: suppressed });
  }
  recordChange(env, before, row);
  const merged_lead_ids = others.map((other) => other.id);
  emit(env, caller.teamId, "lead.merged", { lead_id: id, merged_lead_ids });
  audit(env, caller, {
    action: "lead.merge",
    target: `lead:${id}`,
    after: { merged: merged_lead_ids, stopped, suppressed },
  });
  wakeAccounts(env.db, caller.teamId);
  env.wake();
  return { row, merged: others.length, conflicts, stopped, suppressed };
}

function otherLead(env: Environment, caller: Caller, id: Id, other: Id, at: number): LeadRow {
  const row = findLead(env.db, caller.teamId, other);
  if (row === undefined) {
    throw invalid(`lead_ids.${at}`, "must be one of the team's leads");
  }
  if (row.id === id) {
    throw invalid(`lead_ids.${at}`, "must be another lead than the one that stays");
  }
  return row;
}

const TEXTS = {
  firstName: "first_name",
  lastName: "last_name",
  company: "company",
  website: "website",
  phone: "phone",
  timezone: "timezone",
} as const;
type TextName = keyof typeof TEXTS;

/** The record that stays keeps its values, and takes what it lacks from the first that has it. */
function fill(env: Environment, lead: LeadRow, others: readonly LeadRow[]) {
  const row: LeadRow = { ...lead, updatedAt: env.clock.now() };
  const conflicts: MergeConflict[] = [];
  const settle = (field: string, values: readonly (Value | null | undefined)[]) => {
    const given = values.filter((value): value is Value => !isBlank(value));
    const [kept, ...rest] = [...new Set(given)];
    if (kept !== undefined && rest.length > 0) {
      conflicts.push({ field, kept, others: rest });
    }
    return kept;
  };
  const all = [lead, ...others];
  for (const [name, field] of Object.entries(TEXTS) as [TextName, string][]) {
    const kept = settle(
      field,
      all.map((one) => one[name]),
    );
    row[name] = kept === undefined ? lead[name] : String(kept);
  }
  const names = new Set(all.flatMap(({ variables }) => Object.keys(variables)));
  const filled: Record<string, Value> = {};
  for (const name of names) {
    const kept = settle(
      `variables.${name}`,
      all.map(({ variables }) => variables[name]),
    );
    if (kept !== undefined) {
      filled[name] = kept;
    }
  }
  const merged = mergeVariables(lead.variables, filled);
  if ("fault" in merged) {
    throw invalid("lead_ids", `together they ${merged.fault.message}`);
  }
  return { row: { ...row, variables: merged.variables }, conflicts };
}

/** Of the other addresses and their domains; null where none is about the person. */
function strongestOf(
  env: Environment,
  { teamId }: Caller,
  others: readonly LeadRow[],
): SuppressionReason | null {
  return others
    .flatMap(({ email }) => suppressionsOf(env, teamId, email))
    .flatMap((row) => refusalsIn(env, row))
    .reduce<SuppressionReason | null>(
      (best, reason) => (best === null || isStronger(reason, best) ? reason : best),
      null,
    );
}
