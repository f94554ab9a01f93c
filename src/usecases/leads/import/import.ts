/**
 * Imports: leads by their addresses into a campaign. Work is done in slices, each in a transaction of
 * its own, so that other requests get their turn; inside a slice rows are written in the order of their
 * addresses, which keeps the index on them in the cache.
 *
 * Every item ends as exactly one of imported, skipped or error. An import never subscribes anyone again.
 */

import { TAGS_MAX } from "#domain/campaigns/tag.ts";
import type { ExistingRule, SkipReason } from "#domain/leads/lead.ts";
import { type DomainFacts, noTally } from "#domain/mailboxes/address-check.ts";
import { conflict } from "#domain/problem.ts";
import { type UnixMs, unixMs } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import { sha256 } from "#platform/secrets/crypto.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import { addTag, tagsOf } from "#store/campaigns/tags.ts";
import { type ImportStore, importStore, type KnownLead } from "#store/leads/import.ts";
import { wakeAccounts } from "#store/mailboxes/accounts.ts";
import { wantDomains } from "#store/mailboxes/mail-domains.ts";
import type { Id } from "#store/sqlite/columns.ts";
import { requireCampaign, reviveCampaign } from "#usecases/campaigns/campaigns.ts";
import { emitLeadLimit, ensureCapacity, remaining } from "#usecases/events/limits.ts";
import { audit, emit } from "#usecases/events/record.ts";
import { recordChange } from "#usecases/leads/leads.ts";
import { changedRecord, differs, type LeadFacts } from "./import-record.ts";
import { type ImportResult, type Placed, placedOf, report } from "./import-result.ts";
import {
  byAddress,
  type ImportItem,
  type ItemMemory,
  type Row,
  readItem,
  recognize,
  remembered,
  textsOf,
  type Verdict,
} from "./import-row.ts";

/** Items in one transaction at most, and lead ids in one event. */
export const IMPORT_SLICE_MAX = 1_000;
/** Items of a request in one transaction: about 15 ms of work, and then others get their turn. */
const REQUEST_SLICE = 250;

export interface ImportOptions {
  existing: ExistingRule;
  skipIfInOtherCampaign: boolean;
  /** Checks every item and stores nothing. */
  dryRun: boolean;
}

/** What an import of a file wants to know beside the verdicts. */
export interface ImportWatch {
  /** True where this very import has enrolled the lead already. */
  isOwn(leadId: Id): boolean;
  /** A known lead's record is changed from `before` to `after`, at the instant of its slice. */
  changing(before: KnownLead, after: LeadFacts, how: { at: UnixMs; addedTags: string[] }): void;
  /** The first and the last id that a slice made. */
  made(firstId: Id, lastId: Id): void;
}

/** An import under way: what its slices share. */
export interface ImportRun extends ItemMemory {
  /** New leads that the plan still has room for. */
  room: number;
  /** Items enrolled so far. */
  imported: number;
  /** New leads that a dry run has only thought of: they take no room in the store. */
  supposed: number;
  /** The instant of the slice under way: one for all that it makes and changes. */
  now: UnixMs;
  /** Known records that the slice under way has changed. */
  changed: number;
  /** The first id that the slice under way has made. */
  firstId: Id | undefined;
  readonly options: ImportOptions;
  readonly watch: ImportWatch | null;
  /** Hashes of `@domain`. */
  readonly domains: Map<string, Uint8Array>;
  /** What the name servers said of a domain. */
  readonly answers: Map<string, DomainFacts>;
}

export function startImport(
  options: ImportOptions,
  isRepeated: (address: string) => boolean,
  watch: ImportWatch | null = null,
): ImportRun {
  return {
    options,
    isRepeated,
    watch,
    room: 0,
    imported: 0,
    supposed: 0,
    now: unixMs(0),
    changed: 0,
    firstId: undefined,
    ...{ zones: new Map(), domains: new Map(), answers: new Map() },
  };
}

/** All slices of an import one after another. Slices that were stored stay when a later one fails. */
export async function importLeads(
  env: Environment,
  caller: Caller,
  campaignId: Id,
  items: readonly ImportItem[],
  options: ImportOptions,
): Promise<ImportResult> {
  const slices = importSlices(env, caller, campaignId, items, options);
  for (;;) {
    const slice = await env.commit(() => slices.next());
    if (slice.done === true) {
      return slice.value;
    }
  }
}

/** Inside a commit: all slices of an import, which stay or are undone together. */
export function importLeadsAtOnce(...asked: Parameters<typeof importSlices>): ImportResult {
  const slices = importSlices(...asked);
  for (;;) {
    const slice = slices.next();
    if (slice.done === true) {
      return slice.value;
    }
  }
}

/** The slices of an import: each step is one, and is taken inside a commit. */
function* importSlices(
  env: Environment,
  caller: Caller,
  campaignId: Id,
  items: readonly ImportItem[],
  options: ImportOptions,
): Generator<undefined, ImportResult, void> {
  const seen = new Set<string>();
  const run = startImport(options, (address) => {
    const isRepeated = seen.has(address);
    seen.add(address);
    return isRepeated;
  });
  const result: ImportResult = { imported: 0, skipped: [], errors: [], addresses: noTally() };
  for (let from = 0; ; from += REQUEST_SLICE) {
    const slice = items.slice(from, from + REQUEST_SLICE);
    for (const item of importSlice(env, caller, campaignId, slice, run)) {
      report(result, item);
    }
    if (from + REQUEST_SLICE >= items.length) {
      return result;
    }
    yield;
  }
}

/**
 * Checks and stores up to {@link IMPORT_SLICE_MAX} items, inside a commit, and says what became of each,
 * in their order. Throws `not_found`, or `conflict` for an archived campaign.
 */
export function importSlice(
  env: Environment,
  caller: Caller,
  campaignId: Id,
  items: readonly ImportItem[],
  run: ImportRun,
): Placed[] {
  const campaign = requireCampaign(env, caller, campaignId);
  if (campaign.status === "archived") {
    throw conflict("the campaign is archived; set it to paused first", "status");
  }
  run.now = env.clock.now();
  const store = importStore(env.db, caller.teamId, campaign.id, run.now);
  run.room = remaining(env, caller.teamId, "leads") - run.supposed;
  run.firstId = undefined;
  const rows = items.map((item) => readItem(run, item));
  const usable = rows.filter(({ verdict }) => verdict === null).sort(byAddress);
  for (const row of usable) {
    row.verdict = placeLead(env, store, run, row);
  }
  recordMade(store, run, usable);
  if (rows.some(({ verdict }) => verdict === "plan_limit") && !isAnyTaken(run, rows)) {
    ensureCapacity(env, caller.teamId, "leads");
  }
  const leadIds = run.options.dryRun ? [] : enrollAll(env, store, run, rows);
  const placed = rows.map((row) => placedOf(env.db, run.answers, row));
  run.imported += placed.filter(({ verdict }) => verdict === "imported").length;
  if (!run.options.dryRun) {
    // Also where nobody was added: who is known may have been held for what the import says of them.
    wakeAccounts(env.db, caller.teamId);
    const domains = new Set(placed.flatMap(({ check }, at) => (check && rows[at]?.domain) ?? []));
    wantDomains(env.db, caller.teamId, [...domains], run.now);
    env.wake();
  }
  if (leadIds.length > 0) {
    store.count(leadIds.length);
    emitImported(env, caller, campaign.id, leadIds);
  }
  return placed;
}

/** `placed`: in the order in which they were, which is that of the ids of the leads that are new. */
function recordMade(store: ImportStore, run: ImportRun, placed: readonly Row[]): void {
  const made = placed.filter(({ verdict, isKnown }) => verdict === "imported" && !isKnown);
  const [first, last] = [made[0], made.at(-1)];
  if (first !== undefined && last !== undefined && !run.options.dryRun) {
    store.made(made.length, first.leadId, last.leadId);
  }
}

/** Enrolls whom the slice has placed. Returns the leads, in the order of the items. */
function enrollAll(
  env: Environment,
  store: ImportStore,
  run: ImportRun,
  rows: readonly Row[],
): Id[] {
  const leadIds: Id[] = [];
  let lastId: Id | undefined;
  for (const row of rows) {
    if (row.verdict === "imported") {
      lastId = env.ids.next(run.now);
      store.enroll(lastId, row.leadId, row.timezone ?? "", row.domain);
      leadIds.push(row.leadId);
      run.firstId ??= lastId;
    }
  }
  if (lastId !== undefined && run.firstId !== undefined) {
    run.watch?.made(run.firstId, lastId);
  }
  return leadIds;
}

function emitImported(
  env: Environment,
  caller: Caller,
  campaignId: Id,
  leadIds: readonly Id[],
): void {
  emitLeadLimit(env, caller.teamId);
  emit(env, caller.teamId, "lead.enrolled", { campaign_id: campaignId, lead_ids: [...leadIds] });
  audit(env, caller, {
    action: "campaign.import",
    target: `campaign:${campaignId}`,
    after: { imported: leadIds.length },
  });
  const counted = campaignById(env.db, campaignId);
  if (counted !== undefined) {
    reviveCampaign(env, counted);
  }
}

/** Has this import enrolled anybody? Where the plan leaves room for none it is refused whole. */
function isAnyTaken(run: ImportRun, rows: readonly Row[]): boolean {
  return run.imported > 0 || rows.some(({ verdict }) => verdict === "imported");
}

/** Finds or makes the lead of a row, unless it must not be enrolled. */
function placeLead(env: Environment, store: ImportStore, run: ImportRun, row: Row): Verdict {
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
    row.leadId = env.ids.next(run.now);
    run.firstId ??= row.leadId;
    if (run.options.dryRun) {
      run.supposed += 1;
    } else {
      store.insertLead(row.leadId, row.address, { ...row, texts: textsOf(row) });
      tagLead(env, store, row);
    }
    return "imported";
  }
  if (recognize(row, known, run.isRepeated)) {
    return "duplicate_in_request";
  }
  const enrolled = store.isEnrolled(known.id);
  const skipped = skipKnown(store, run, known.id, enrolled);
  if (skipped !== null) {
    return skipped;
  }
  const given = { texts: textsOf(row), variables: row.variables };
  const after = changedRecord(known, given, run.options.existing);
  if ("fault" in after) {
    return "variables_invalid";
  }
  const tags = newTags(env, run, known.id, row);
  if (tags === null) {
    return "tags_invalid";
  }
  row.timezone = after.texts.timezone;
  if (tags.length > 0 || differs(known, after)) {
    changeKnown(env, store, run, { known, after, tags });
  }
  return enrolled ? "already_enrolled" : "imported";
}

/** Why a known lead is left as it is, or null. */
function skipKnown(
  store: ImportStore,
  run: ImportRun,
  id: Id,
  enrolled: boolean,
): SkipReason | null {
  if (enrolled) {
    return run.watch?.isOwn(id) ? "duplicate_in_request" : null;
  }
  return run.options.skipIfInOtherCampaign && store.isElsewhere(id) ? "in_other_campaign" : null;
}

function changeKnown(
  env: Environment,
  store: ImportStore,
  run: ImportRun,
  { known, after, tags }: { known: KnownLead; after: LeadFacts; tags: string[] },
): void {
  if (!run.options.dryRun) {
    run.changed += 1;
    run.watch?.changing(known, after, { at: run.now, addedTags: tags });
    store.updateLead(known.id, after.texts, after.variables);
    tagLead(env, store, { leadId: known.id, tags });
    recordChange(env, known, { id: known.id, timezone: after.texts.timezone });
  }
}

/** Those that a known lead gets; null where it would have too many. */
function newTags(
  { db }: Environment,
  { options }: ImportRun,
  id: Id,
  { tags }: Pick<Row, "tags">,
): string[] | null {
  if (tags.length === 0 || options.existing === "keep") {
    return [];
  }
  const own = tagsOf(db, id);
  const added = tags.filter((name) => !own.includes(name));
  return own.length + added.length > TAGS_MAX ? null : added;
}

function tagLead(
  env: Environment,
  { teamId }: ImportStore,
  { leadId, tags }: Pick<Row, "leadId" | "tags">,
): void {
  for (const name of tags) {
    addTag(env.db, { teamId, kind: "lead", targetId: leadId }, name);
  }
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
