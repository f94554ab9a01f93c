/** Leads of a team: create, patch and erase. Many at once are created by imports (`import.ts`). */

import { domainOf, parseAddress } from "#domain/email-address.ts";
import { mergeVariables } from "#domain/leads/lead.ts";
import { ownReasons } from "#domain/mailboxes/address-check.ts";
import { found, invalid, Problem } from "#domain/problem.ts";
import { readTimezone } from "#domain/timezone.ts";
import type { Caller, Environment } from "#environment.ts";
import { tagsOf } from "#store/campaigns/tags.ts";
import { findLead, insertLead, leadByEmail, setZone, updateLead } from "#store/leads/leads.ts";
import { wakeAccounts } from "#store/mailboxes/accounts.ts";
import { wantDomains } from "#store/mailboxes/mail-domains.ts";
import { isBeingSent } from "#store/operations/erasure.ts";
import type { Looked } from "#store/operations/erasure-traces.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { ErasureReceiptRow, LeadRow } from "#store/tables/leads.ts";
import { setTags } from "#usecases/campaigns/tags.ts";
import { ensureCapacity } from "#usecases/events/limits.ts";
import { audit } from "#usecases/events/record.ts";
import { erasePersons, lookForPerson, personsOf } from "./erasures.ts";
import { retryLead } from "./holds.ts";

/** What a person may set, absent where it stays. */
export interface LeadFields {
  firstName: string | null;
  lastName: string | null;
  company: string | null;
  website: string | null;
  phone: string | null;
  timezone: string | null;
  /** A merge patch: null takes a variable away. */
  variables: Readonly<Record<string, unknown>>;
  /** Cannot change: the address is what makes a lead. */
  email: string;
}

/**
 * Merges `patch` into the lead. Its enrollments follow its time zone, and those that were held for a
 * missing variable are tried anew. Throws `validation_error` for another address, an unknown zone or a
 * variable that cannot be.
 */
export function patchLead(
  env: Environment,
  caller: Caller,
  id: Id,
  patch: Partial<LeadFields>,
): LeadRow {
  const before = requireLead(env, caller, id);
  const { email, variables, ...texts } = patch;
  if (email !== undefined && parseAddress(email)?.address !== before.email) {
    throw invalid("email", "can't be changed; create a lead for the other address");
  }
  const after: LeadRow = { ...before, ...texts };
  if (texts.timezone !== undefined && texts.timezone !== null) {
    after.timezone = readTimezone(texts.timezone, "timezone");
  }
  if (variables !== undefined) {
    after.variables = checkVariables(before, variables);
  }
  const changed = Object.keys(after).filter(
    (name) => JSON.stringify(after[name as never]) !== JSON.stringify(before[name as never]),
  );
  if (changed.length === 0) {
    return before;
  }
  const row = { ...after, updatedAt: env.clock.now() };
  updateLead(env.db, row);
  recordChange(env, before, row);
  // Names of fields only: what they held is erased with the lead, and the audit log stays.
  audit(env, caller, { action: "lead.patch", target: `lead:${id}`, after: { changed } });
  wakeAccounts(env.db, caller.teamId);
  env.wake();
  return row;
}

/** What is absent stays as it is; tags are added. */
export type LeadInput = Partial<Omit<LeadFields, "email">> & {
  email: string;
  tags?: readonly string[];
};

export interface Upserted {
  row: LeadRow;
  created: boolean;
}

/**
 * Inside a commit: all or none. Throws `validation_error` naming the field below `leads.N`, and `plan_limit`.
 */
export function upsertLeads(
  env: Environment,
  caller: Caller,
  inputs: readonly LeadInput[],
): Upserted[] {
  const addresses = inputs.map(({ email }, at) => {
    const address = parseAddress(email)?.address;
    if (address === undefined) {
      throw invalid(`leads.${at}.email`, "must be an email address, for example ann@example.com");
    }
    return address;
  });
  const isNew = (email: string) => leadByEmail(env.db, caller.teamId, email) === undefined;
  const adding = new Set(addresses.filter(isNew)).size;
  if (adding > 0) {
    ensureCapacity(env, caller.teamId, "leads", adding);
  }
  return inputs.map((input, at) => {
    try {
      return upsert(env, caller, { ...input, email: addresses[at] ?? "" });
    } catch (error) {
      throw error instanceof Problem && error.field !== null
        ? new Problem(error.type, error.message, `leads.${at}.${error.field}`)
        : error;
    }
  });
}

function upsert(
  env: Environment,
  caller: Caller,
  { email, tags = [], ...fields }: LeadInput,
): Upserted {
  const known = leadByEmail(env.db, caller.teamId, email);
  const { id } = known ?? createLead(env, caller, email);
  patchLead(env, caller, id, fields);
  if (tags.length > 0) {
    setTags(env, caller, { kind: "lead", id }, [...tagsOf(env.db, id), ...tags]);
  }
  return { row: requireLead(env, caller, id), created: known === undefined };
}

function createLead(env: Environment, caller: Caller, email: string): LeadRow {
  const now = env.clock.now();
  const row: LeadRow = {
    id: env.ids.next(now),
    teamId: caller.teamId,
    email,
    firstName: null,
    lastName: null,
    company: null,
    website: null,
    phone: null,
    timezone: null,
    variables: {},
    softBounces: 0,
    addressReasons: ownReasons(email),
    callout: null,
    calloutAt: null,
    createdAt: now,
    updatedAt: now,
  };
  insertLead(env.db, row);
  wantDomains(env.db, caller.teamId, [domainOf(email)], now);
  audit(env, caller, { action: "lead.create", target: `lead:${row.id}` });
  return row;
}

/** What follows from a changed record: zones of its enrollments, and holds that may be lifted. */
export function recordChange(
  env: Environment,
  before: { timezone: string | null },
  after: { id: Id; timezone: string | null },
): void {
  if (before.timezone !== after.timezone) {
    setZone(env.db, after.id, after.timezone ?? "");
  }
  retryLead(env, after.id);
}

/**
 * Erases a person: the lead, its enrollments and what was written to and fro. Events and audit keep ids,
 * counters their sums, a suppression its hash. Throws `conflict` while a message to it is being sent. Returns the
 * receipt.
 */
export async function deleteLead(
  env: Environment,
  caller: Caller,
  id: Id,
): Promise<ErasureReceiptRow> {
  const at = env.wall.now();
  const people = personsOf(env, requireLead(env, caller, id));
  const looked = new Map<string, Looked>();
  for (const person of people) {
    looked.set(person.email, await lookForPerson(env, person));
  }
  return env.commit(() => {
    const lead = requireLead(env, caller, id);
    if (isBeingSent(env.db, lead)) {
      const message = "a message to this lead is being sent; try again shortly";
      throw new Problem("conflict", message, null, { "Retry-After": "60" });
    }
    const asked = { caller, leadId: lead.id, at };
    const receipt = erasePersons(env, personsOf(env, lead), looked, asked);
    const after = { receiptId: receipt.id };
    audit(env, caller, { action: "lead.erase", target: `lead:${lead.id}`, after });
    env.wake();
    return receipt;
  });
}

/** Throws `not_found` for another team's lead as for one that never was. */
export function requireLead(env: Environment, caller: Caller, id: Id): LeadRow {
  return found(findLead(env.db, caller.teamId, id), "lead");
}

function checkVariables(lead: LeadRow, change: LeadFields["variables"]): LeadRow["variables"] {
  const merged = mergeVariables(lead.variables, change);
  if ("fault" in merged) {
    const { name, message } = merged.fault;
    throw invalid(name === null ? "variables" : `variables.${name}`, message);
  }
  return merged.variables;
}
