/**
 * Imports of files, as records: begun, looked at, stopped, found interrupted. `import-file.ts` reads the
 * file, `import-undo.ts` takes back what it added.
 */

import type { CsvDialect } from "#domain/leads/import/csv.ts";
import type { ImportFormat } from "#domain/leads/import/import.ts";
import { NO_COUNTS } from "#domain/leads/import/import.ts";
import { conflict, found, Problem } from "#domain/problem.ts";
import { DAY_MS, plus, type UnixMs } from "#domain/time.ts";
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
import { ownCampaign } from "#usecases/campaigns/campaigns.ts";
import { audit } from "#usecases/events/journal.ts";
import type { Caller, World } from "#world.ts";
import type { ImportOptions } from "./import.ts";

/** Files that a team may send at once. */
export const IMPORTS_AT_ONCE_MAX = 4;

/** How long the lines of an import are kept. */
const KEPT_MS = 30 * DAY_MS;
/** Of each kind, in one transaction. */
const SLICE_ROWS = 1_000;
/** Forgotten in one go; the rest an hour later. */
const SLICES_MAX = 500;

/** Imports that this process is busy with, by world: whatever else is `running` was left behind. */
const busy = new WeakMap<World, Map<Id, Id>>();

/** Imports that broke off when the store could not even be told so. */
const untold = new WeakMap<World, Set<Id>>();

/** Upkeep marks it as soon as the store can be written. */
export function leaveToUpkeep(world: World, id: Id): void {
  untold.set(world, (untold.get(world) ?? new Set()).add(id));
  world.wake();
}

function busyIn(world: World): Map<Id, Id> {
  const known = busy.get(world) ?? new Map<Id, Id>();
  busy.set(world, known);
  return known;
}

export function isBusy(world: World, id: Id): boolean {
  return busyIn(world).has(id);
}

/**
 * Claims an import for this process until what it returns is called. Throws `conflict` where somebody
 * else sends it just now, `rate_limit_exceeded` where the team sends too many.
 */
export function claimImport(world: World, teamId: Id, id: Id): () => void {
  const known = busyIn(world);
  if (known.has(id)) {
    throw conflict("this import is under way already");
  }
  const own = [...known.values()].filter((team) => team === teamId).length;
  if (own >= IMPORTS_AT_ONCE_MAX) {
    const message = `at most ${IMPORTS_AT_ONCE_MAX} imports at once; wait for one to end`;
    throw new Problem("rate_limit_exceeded", message, null, { "Retry-After": "30" });
  }
  known.set(id, teamId);
  return () => {
    known.delete(id);
  };
}

export interface NewImport {
  id: Id;
  campaignId: Id;
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
export function beginImport(world: World, caller: Caller, input: NewImport): ImportRow {
  const campaign = ownCampaign(world, caller, input.campaignId);
  if (campaign.status === "archived") {
    throw conflict("the campaign is archived; set it to paused first", "status");
  }
  if (importById(world.db, input.id) !== undefined) {
    throw conflict("another import has this id; choose another one", "import_id");
  }
  const now = world.clock.now();
  const row: ImportRow = {
    id: input.id,
    teamId: caller.teamId,
    campaignId: campaign.id,
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
  insertImport(world.db, row);
  audit(world, caller, {
    action: "import.start",
    target: `import:${row.id}`,
    after: { campaign_id: campaign.id, dry_run: row.dryRun },
  });
  world.feed.notify(row.teamId);
  return row;
}

/**
 * Inside a commit: an interrupted import goes on with the bytes from `offset` on, `bytes` of them where the
 * sender said. Throws `conflict` for any other import and any other offset.
 */
export function resumeImport(
  world: World,
  caller: Caller,
  id: Id,
  { offset, bytes }: { offset: number; bytes: number | null },
): ImportRow {
  const row = ownImport(world, caller, id);
  if (row.status !== "interrupted") {
    throw conflict(`the import is ${row.status}; only one that was interrupted goes on`, "status");
  }
  if (offset !== row.offset) {
    throw conflict(`the rest of the file begins at byte ${row.offset}`, "offset");
  }
  const totalBytes = bytes === null ? row.totalBytes : row.offset + bytes;
  return changeImport(world, row, {
    status: "running",
    error: null,
    finishedAt: null,
    totalBytes,
  });
}

/** Throws `not_found` for another team's import as for one that never was. */
export function ownImport(world: World, caller: Caller, id: Id): ImportRow {
  return found(findImport(world.db, caller.teamId, id), "import");
}

/** Inside a commit: the import as it now stands, told to whoever watches. */
export function changeImport(world: World, row: ImportRow, change: Partial<ImportRow>): ImportRow {
  const after = { ...row, ...change, updatedAt: world.clock.now() };
  updateImport(world.db, after);
  world.feed.notify(after.teamId);
  return after;
}

/** Ends it: nothing is read on by itself. */
export function endImport(
  world: World,
  row: ImportRow,
  status: ImportRow["status"],
  error: string | null,
): ImportRow {
  return changeImport(world, row, { status, error, finishedAt: world.clock.now() });
}

/**
 * Stops an import; what it has added stays. The request that sends the file is refused at its next
 * slice. Throws `conflict` where it has ended.
 */
export function cancelImport(world: World, caller: Caller, id: Id): ImportRow {
  const row = ownImport(world, caller, id);
  if (row.status !== "running" && row.status !== "interrupted") {
    throw conflict(`the import is ${row.status}; there is nothing to stop`, "status");
  }
  audit(world, caller, { action: "import.cancel", target: `import:${id}` });
  return endImport(world, row, "cancelled", null);
}

/** Upkeep: marks what {@link leaveToUpkeep} was told of. Rejects while the store still cannot be written. */
export async function markUntold(world: World): Promise<undefined> {
  const ids = [...(untold.get(world) ?? [])].filter((id) => !isBusy(world, id));
  if (ids.length > 0) {
    await world.commit(() => markInterrupted(world));
    for (const id of ids) {
      untold.get(world)?.delete(id);
    }
  }
}

/**
 * Inside a commit: imports that are said to be under way and are not: the program ended, or the store could not be
 * written when they broke off. Their rest may be sent. Returns how many there were.
 */
export function markInterrupted(world: World): number {
  const left = importsUnderWay(world.db).filter((id) => !isBusy(world, id));
  for (const id of left) {
    const row = importById(world.db, id);
    if (row?.status === "running") {
      endImport(world, row, "interrupted", "the program ended in the middle; send the rest");
    } else if (row?.status === "undoing") {
      endImport(world, row, "cancelled", "undoing it broke off; ask for it again");
    }
  }
  return left.length;
}

/** Upkeep: forgets what old imports kept of their lines: what they were told, and what undoing them would need. */
export async function forgetImports(world: World, now: UnixMs): Promise<void> {
  for (let slices = 0; slices < SLICES_MAX; slices += 1) {
    const gone = await world.commit(() => pruneImports(world.db, plus(now, -KEPT_MS), SLICE_ROWS));
    if (gone === 0) {
      return;
    }
  }
}
