/**
 * Imports: leads by their addresses into a campaign. Work is done in slices, each in a transaction of
 * its own, so that other requests get their turn; inside a slice rows are written in the order of their
 * addresses, which keeps the index on them in the cache.
 *
 * Every item ends as exactly one of imported, skipped or error. An import never subscribes anyone again.
 */

import { parseAddress } from "#domain/email-address.ts";
import {
  type ExistingRule,
  type ImportError,
  type LeadVariables,
  mergeVariables,
  type SkipReason,
} from "#domain/lead.ts";
import { conflict } from "#domain/problem.ts";
import { canonicalTimezone } from "#domain/timezone.ts";
import { sha256 } from "#runtime/crypto.ts";
import { wakeAccounts } from "#store/accounts.ts";
import { campaignById } from "#store/campaigns.ts";
import type { Id } from "#store/columns.ts";
import { type ImportStore, importStore, type KnownLead, type LeadTexts } from "#store/import.ts";
import type { Caller, World } from "#world.ts";
import { ownCampaign, reviveCampaign } from "./campaigns.ts";
import { audit, emit } from "./journal.ts";
import { noteChange } from "./leads.ts";
import { ensureRoom, roomFor, tellOfLeads } from "./limits.ts";

/** Items in one transaction, and lead ids in one event. */
export const IMPORT_SLICE_MAX = 1_000;

/** One line of an import. What is absent, null or empty is not given. */
export interface ImportItem extends Partial<LeadTexts> {
  email: string;
  variables?: Readonly<Record<string, unknown>>;
}

export interface ImportOptions {
  existing: ExistingRule;
  skipIfInOtherCampaign: boolean;
  /** Judges every item and stores nothing. */
  dryRun: boolean;
}

/** `imported + skipped.length + errors.length` is the number of items. Addresses as they were given. */
export interface ImportResult {
  imported: number;
  skipped: { email: string; reason: SkipReason }[];
  errors: { email: string; reason: ImportError }[];
}

/** An import under way: what its slices share. */
export interface ImportRun {
  /** New leads that the plan still has room for. */
  room: number;
  readonly options: ImportOptions;
  readonly result: ImportResult;
  readonly seen: Set<string>;
  readonly zones: Map<string, string | null>;
  /** Hashes of `@domain`. */
  readonly domains: Map<string, Uint8Array>;
}

/** Zones and domains remembered by a run. */
const REMEMBERED_MAX = 10_000;

export function startImport(options: ImportOptions): ImportRun {
  const result: ImportResult = { imported: 0, skipped: [], errors: [] };
  return { options, result, room: 0, seen: new Set(), zones: new Map(), domains: new Map() };
}

/** All slices of an import one after another. Slices that were stored stay when a later one fails. */
export async function importLeads(
  world: World,
  caller: Caller,
  campaignId: Id,
  items: readonly ImportItem[],
  options: ImportOptions,
): Promise<ImportResult> {
  const run = startImport(options);
  let from = 0;
  do {
    const slice = items.slice(from, from + IMPORT_SLICE_MAX);
    await world.commit(() => importSlice(world, caller, campaignId, slice, run));
    from += IMPORT_SLICE_MAX;
  } while (from < items.length);
  return run.result;
}

/**
 * Judges and stores up to {@link IMPORT_SLICE_MAX} items, inside a commit, and adds to the run's result.
 * Throws `not_found`, or `conflict` for an archived campaign.
 */
export function importSlice(
  world: World,
  caller: Caller,
  campaignId: Id,
  items: readonly ImportItem[],
  run: ImportRun,
): void {
  const campaign = ownCampaign(world, caller, campaignId);
  if (campaign.status === "archived") {
    throw conflict("the campaign is archived; set it to paused first", "status");
  }
  const now = world.clock.now();
  const store = importStore(world.db, caller.teamId, campaign.id, now);
  run.room = roomFor(world, caller.teamId, "leads");
  const rows = items.map((item) => readItem(run, item));
  for (const row of rows.filter(isUsable).sort(byAddress)) {
    row.verdict = placeLead(world, store, run, row);
  }
  if (rows.some(({ verdict }) => verdict === "plan_limit") && !isAnyTaken(run, rows)) {
    ensureRoom(world, caller.teamId, "leads");
  }
  const leadIds: Id[] = [];
  for (const row of rows) {
    if (row.verdict === "imported" && !run.options.dryRun) {
      store.enroll(world.ids.next(now), row.leadId, row.timezone ?? "", row.domain);
      leadIds.push(row.leadId);
    }
    report(run.result, row);
  }
  if (!run.options.dryRun) {
    // Also where nobody was added: who is known may have been held for what the import says of them.
    wakeAccounts(world.db, caller.teamId);
    world.wake();
  }
  if (leadIds.length === 0) {
    return;
  }
  store.count(leadIds.length);
  tellOfLeads(world, caller.teamId);
  emit(world, caller.teamId, "lead.enrolled", { campaign_id: campaign.id, lead_ids: leadIds });
  audit(world, caller, {
    action: "campaign.import",
    target: `campaign:${campaign.id}`,
    after: { imported: leadIds.length },
  });
  const counted = campaignById(world.db, campaign.id);
  if (counted !== undefined) {
    reviveCampaign(world, counted);
  }
}

/** Has this import enrolled anybody? Where the plan leaves room for none it is refused whole. */
function isAnyTaken(run: ImportRun, rows: readonly Row[]): boolean {
  return run.result.imported > 0 || rows.some(({ verdict }) => verdict === "imported");
}

type Verdict = "imported" | SkipReason | ImportError;

/** An item on its way: first what it says, then what became of it. */
interface Row {
  item: ImportItem;
  address: string;
  domain: string;
  /** Canonical, once the lead is placed the lead's own. */
  timezone: string | null;
  variables: LeadVariables;
  /** Null: not judged yet. */
  verdict: Verdict | null;
  /** Set once placed. */
  leadId: Id;
}

const NONE: LeadVariables = {};
const UNREAD = {
  address: "",
  domain: "",
  timezone: null,
  variables: NONE,
  verdict: null,
  leadId: "",
} as const;

function readItem(run: ImportRun, item: ImportItem): Row {
  const row: Row = { item, ...UNREAD };
  const parsed = parseAddress(item.email);
  if (parsed === null) {
    return { ...row, verdict: "invalid_email" };
  }
  row.address = parsed.address;
  row.domain = parsed.domain;
  if (run.seen.has(row.address)) {
    return { ...row, verdict: "duplicate_in_request" };
  }
  run.seen.add(row.address);
  if (item.variables !== undefined) {
    const merged = mergeVariables(NONE, item.variables);
    if ("fault" in merged) {
      return { ...row, verdict: "variables_invalid" };
    }
    row.variables = merged.variables;
  }
  const given = orNull(item.timezone);
  if (given !== null) {
    row.timezone = remembered(run.zones, given, canonicalTimezone);
    if (row.timezone === null) {
      return { ...row, verdict: "timezone_invalid" };
    }
  }
  return row;
}

function isUsable(row: Row): boolean {
  return row.verdict === null;
}

/** By code unit, as SQLite compares. */
function byAddress(a: Row, b: Row): number {
  return a.address < b.address ? -1 : 1;
}

/** Finds or makes the lead of a row, unless it must not be enrolled. */
function placeLead(world: World, store: ImportStore, run: ImportRun, row: Row): Verdict {
  const barred = bar(store, run, row);
  if (barred !== null) {
    return barred;
  }
  const known = store.lead(row.address);
  if (known === undefined) {
    if (run.room < 1) {
      return "plan_limit";
    }
    run.room -= 1;
    row.leadId = world.ids.next(world.clock.now());
    if (!run.options.dryRun) {
      store.insertLead(row.leadId, row.address, textsOf(row), row.variables);
    }
    return "imported";
  }
  row.leadId = known.id;
  const enrolled = store.isEnrolled(known.id);
  if (!enrolled && run.options.skipIfInOtherCampaign && store.isElsewhere(known.id)) {
    return "in_other_campaign";
  }
  const after = changed(known, row, run.options.existing);
  if ("fault" in after) {
    return "variables_invalid";
  }
  row.timezone = after.texts.timezone;
  if (!run.options.dryRun && differs(known, after)) {
    store.updateLead(known.id, after.texts, after.variables);
    noteChange(world, known, { id: known.id, timezone: after.texts.timezone });
  }
  return enrolled ? "already_enrolled" : "imported";
}

/** Why this address is enrolled nowhere, or null. */
function bar(store: ImportStore, run: ImportRun, row: Row): SkipReason | null {
  if (store.suppresses) {
    if (store.isSuppressed(sha256(row.address))) {
      return "suppressed";
    }
    if (store.isSuppressed(remembered(run.domains, row.domain, (name) => sha256(`@${name}`)))) {
      return "suppressed_domain";
    }
  }
  return store.isSeed(row.address) ? "placement_seed" : null;
}

type Facts = { texts: LeadTexts; variables: LeadVariables };

/** The record of a known lead after the import. */
function changed(known: KnownLead, row: Row, rule: ExistingRule): Facts | { fault: unknown } {
  if (rule === "keep") {
    return { texts: known, variables: known.variables };
  }
  const given = textsOf(row);
  if (rule === "replace") {
    return { texts: given, variables: row.variables };
  }
  const merged = mergeVariables(known.variables, row.variables);
  const texts = { ...known, ...withoutNulls(given) };
  return "fault" in merged ? merged : { texts, variables: merged.variables };
}

function differs(known: KnownLead, { texts, variables }: Facts): boolean {
  return (
    TEXT_NAMES.some((name) => known[name] !== texts[name]) ||
    JSON.stringify(known.variables) !== JSON.stringify(variables)
  );
}

const TEXT_NAMES = ["firstName", "lastName", "company", "website", "phone", "timezone"] as const;

function textsOf({ item, timezone }: Row): LeadTexts {
  return {
    firstName: orNull(item.firstName),
    lastName: orNull(item.lastName),
    company: orNull(item.company),
    website: orNull(item.website),
    phone: orNull(item.phone),
    timezone,
  };
}

function withoutNulls(texts: LeadTexts): Partial<LeadTexts> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== null));
}

/** Spaces and nothing are not given. */
function orNull(text: string | null | undefined): string | null {
  const trimmed = text?.trim();
  return trimmed === undefined || trimmed === "" ? null : trimmed;
}

function report(result: ImportResult, { item: { email }, verdict }: Row): void {
  switch (verdict) {
    case "imported":
      result.imported += 1;
      return;
    case "invalid_email":
    case "variables_invalid":
    case "timezone_invalid":
    case "plan_limit":
      result.errors.push({ email, reason: verdict });
      return;
    case null:
      throw new Error("an item was not judged");
    default:
      result.skipped.push({ email, reason: verdict });
  }
}

function remembered<Value>(
  known: Map<string, Value>,
  name: string,
  find: (name: string) => Value,
): Value {
  let value = known.get(name);
  if (value === undefined) {
    value = find(name);
    if (known.size < REMEMBERED_MAX) {
      known.set(name, value);
    }
  }
  return value;
}
