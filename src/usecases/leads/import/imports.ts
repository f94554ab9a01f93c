/**
 * Imports of files, as records: begun, looked at, stopped, found interrupted. `import-file.ts` reads the
 * file, `import-undo.ts` takes back what it added.
 */

import type { CsvDialect } from "#domain/leads/import/csv.ts";
import { type ImportFormat, type ImportKind, NO_COUNTS } from "#domain/leads/import/import.ts";
import type { SuppressionReason } from "#domain/leads/suppression.ts";
import { conflict, found, Problem } from "#domain/problem.ts";
import { type Access, permits } from "#domain/team/api-key.ts";
import { DAY_MS, plus, type UnixMs } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import {
  findImport,
  importById,
  importsUnderWay,
  insertImport,
  pruneImports,
  updateImport,
} from "#store/leads/imports.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { ImportRow } from "#store/tables/imports.ts";
import { requireCampaign } from "#usecases/campaigns/campaigns.ts";
import { audit } from "#usecases/events/record.ts";
import type { ImportOptions } from "./import.ts";

/** Files that a team may send at once. */
export const IMPORTS_AT_ONCE_MAX = 4;

/** How long the lines of an import are kept. */
const KEPT_MS = 30 * DAY_MS;
/** Of each kind, in one transaction. */
const SLICE_ROWS = 1_000;
/** Forgotten in one go; the rest an hour later. */
const SLICES_MAX = 500;

/** Imports that this process is busy with, by environment: whatever else is `running` was left behind. */
const busy = new WeakMap<Environment, Map<Id, Id>>();

/** Imports that broke off when the store could not even be told so. */
const untold = new WeakMap<Environment, Set<Id>>();

/** Upkeep marks it as soon as the store can be written. */
export function leaveToUpkeep(env: Environment, id: Id): void {
  untold.set(env, (untold.get(env) ?? new Set()).add(id));
  env.wake();
}

function busyIn(env: Environment): Map<Id, Id> {
  const known = busy.get(env) ?? new Map<Id, Id>();
  busy.set(env, known);
  return known;
}

export function isBusy(env: Environment, id: Id): boolean {
  return busyIn(env).has(id);
}

/**
 * Claims an import for this process until what it returns is called. Throws `conflict` where somebody
 * else sends it just now, `rate_limit_exceeded` where the team sends too many.
 */
export function claimImport(env: Environment, teamId: Id, id: Id): () => void {
  const known = busyIn(env);
  if (known.has(id)) {
    throw conflict("this import is already running");
  }
  const own = [...known.values()].filter((team) => team === teamId).length;
  if (own >= IMPORTS_AT_ONCE_MAX) {
    const message = `at most ${IMPORTS_AT_ONCE_MAX} imports can run at once; wait for one to finish`;
    throw new Problem("rate_limit_exceeded", message, null, { "Retry-After": "30" });
  }
  known.set(id, teamId);
  return () => {
    known.delete(id);
  };
}

export interface NewImport {
  id: Id;
  /** Null: a file of suppressions. */
  campaignId: Id | null;
  /** Of suppressions: the reason of rows that give none. */
  reason: SuppressionReason | null;
  format: ImportFormat;
  fileName: string | null;
  totalBytes: number | null;
  delimiter: CsvDialect["delimiter"] | null;
  options: ImportOptions;
}

/**
 * The record of an import that begins. Throws `not_found`, or `conflict` for an archived campaign and
 * where the id is taken.
 */
export function beginImport(env: Environment, caller: Caller, input: NewImport): ImportRow {
  const campaign =
    input.campaignId === null ? null : requireCampaign(env, caller, input.campaignId);
  if (campaign?.status === "archived") {
    throw conflict("the campaign is archived; set it to paused first", "status");
  }
  if (importById(env.db, input.id) !== undefined) {
    throw conflict("another import has this id; choose another one", "import_id");
  }
  const now = env.clock.now();
  const row: ImportRow = {
    id: input.id,
    teamId: caller.teamId,
    campaignId: input.campaignId,
    reason: input.reason,
    status: "running",
    format: input.format,
    fileName: input.fileName,
    dryRun: input.options.dryRun,
    existing: input.options.existing,
    skipIfInOtherCampaign: input.options.skipIfInOtherCampaign,
    encoding: null,
    delimiter: input.delimiter,
    newline: null,
    columns: null,
    offset: 0,
    line: 1,
    totalBytes: input.totalBytes,
    counts: NO_COUNTS,
    kept: 0,
    removed: 0,
    left: 0,
    overwritten: 0,
    restored: 0,
    notRestored: 0,
    isForgotten: false,
    error: null,
    createdAt: now,
    updatedAt: now,
    finishedAt: null,
  };
  insertImport(env.db, row);
  audit(env, caller, {
    action: "import.start",
    target: `import:${row.id}`,
    after: { campaign_id: row.campaignId, dry_run: row.dryRun },
  });
  env.feed.notify(row.teamId);
  return row;
}

/**
 * Inside a commit: an interrupted import goes on with the bytes from `offset` on, `bytes` of them where the
 * sender said. Throws `conflict` for any other import and any other offset.
 */
export function resumeImport(
  env: Environment,
  caller: Caller,
  id: Id,
  { offset, bytes }: { offset: number; bytes: number | null },
): ImportRow {
  const row = requireImport(env, caller, id);
  if (row.status !== "interrupted") {
    throw conflict(
      `the import is ${row.status}; only an interrupted import can be resumed`,
      "status",
    );
  }
  if (offset !== row.offset) {
    throw conflict(`must be ${row.offset}, where the rest of the file begins`, "offset");
  }
  const totalBytes = bytes === null ? row.totalBytes : row.offset + bytes;
  return changeImport(env, row, {
    status: "running",
    error: null,
    finishedAt: null,
    totalBytes,
  });
}

export function kindOf({ campaignId }: Pick<ImportRow, "campaignId">): ImportKind {
  return campaignId === null ? "suppressions" : "leads";
}

/**
 * Throws `not_found` for another team's import as for one that never was, and `permission_error` for one of
 * suppressions where the caller may not do as much with them.
 */
export function requireImport(
  env: Environment,
  caller: Caller,
  id: Id,
  access: Access = "write",
): ImportRow {
  const row = found(findImport(env.db, caller.teamId, id), "import");
  if (!mayImport(caller, kindOf(row), access)) {
    const scope = `suppressions:${access}`;
    throw new Problem("permission_error", `an import of suppressions needs the scope "${scope}"`);
  }
  return row;
}

/** What the routes of imports do not ask for by themselves, which are those of leads. */
export function mayImport({ scopes }: Caller, kind: ImportKind, access: Access): boolean {
  return kind === "leads" || permits(scopes, "suppressions", access);
}

/** Inside a commit: the import as it now stands, told to whoever watches. */
export function changeImport(
  env: Environment,
  row: ImportRow,
  change: Partial<ImportRow>,
): ImportRow {
  const after = { ...row, ...change, updatedAt: env.clock.now() };
  updateImport(env.db, after);
  env.feed.notify(after.teamId);
  return after;
}

/** Ends it: nothing is read on by itself. */
export function endImport(
  env: Environment,
  row: ImportRow,
  status: ImportRow["status"],
  error: string | null,
): ImportRow {
  return changeImport(env, row, { status, error, finishedAt: env.clock.now() });
}

/**
 * Stops an import; what it has added stays. The request that sends the file is refused at its next
 * slice. Throws `conflict` where it has ended.
 */
export function cancelImport(env: Environment, caller: Caller, id: Id): ImportRow {
  const row = requireImport(env, caller, id);
  if (row.status !== "running" && row.status !== "interrupted") {
    throw conflict(`the import is ${row.status}; there is nothing to stop`, "status");
  }
  audit(env, caller, { action: "import.cancel", target: `import:${id}` });
  return endImport(env, row, "cancelled", null);
}

/** Upkeep: marks what {@link leaveToUpkeep} was told of. Rejects while the store still cannot be written. */
export async function markUntold(env: Environment): Promise<undefined> {
  const ids = [...(untold.get(env) ?? [])].filter((id) => !isBusy(env, id));
  if (ids.length > 0) {
    await env.commit(() => markInterrupted(env));
    for (const id of ids) {
      untold.get(env)?.delete(id);
    }
  }
}

/**
 * Inside a commit: imports that are said to be under way and are not: the program ended, or the store could not be
 * written when they broke off. Their rest may be sent. Returns how many there were.
 */
export function markInterrupted(env: Environment): number {
  const left = importsUnderWay(env.db).filter((id) => !isBusy(env, id));
  for (const id of left) {
    const row = importById(env.db, id);
    if (row?.status === "running") {
      endImport(env, row, "interrupted", "the server stopped before the file ended; send the rest");
    } else if (row?.status === "undoing") {
      endImport(env, row, "cancelled", "the undo was interrupted; undo the import again");
    }
  }
  return left.length;
}

/** Upkeep: forgets what old imports kept of their lines: what they were told, and what undoing them would need. */
export async function forgetImports(env: Environment, now: UnixMs): Promise<void> {
  for (let slices = 0; slices < SLICES_MAX; slices += 1) {
    const gone = await env.commit(() => pruneImports(env.db, plus(now, -KEPT_MS), SLICE_ROWS));
    if (gone === 0) {
      return;
    }
  }
}
