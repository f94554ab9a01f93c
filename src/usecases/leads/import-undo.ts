/**
 * Undoing an import: what it added goes as if it had never been, records that it changed are what they
 * were, but for those that somebody has changed since: what those were stays kept. In slices, so that other
 * requests get their turn; one that breaks off, or left something, can be asked for again.
 */

import { conflict } from "#domain/problem.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import {
  countChanges,
  dropChange,
  dropSlice,
  hasWritten,
  lastChanges,
  type Removed,
  removeMade,
  slicesOf,
} from "#store/leads/imports.ts";
import { findLeadById, updateLead } from "#store/leads/leads.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { ImportChangeRow, ImportRow } from "#store/tables/imports.ts";
import type { LeadRow } from "#store/tables/leads.ts";
import { countLeads, lessCounts } from "#usecases/campaigns/campaigns.ts";
import { audit } from "#usecases/events/journal.ts";
import type { Caller, World } from "#world.ts";
import { fingerprintOf } from "./import-record.ts";
import { changeImport, claimImport, endImport, ownImport } from "./imports.ts";
import { noteChange } from "./leads.ts";

const CHANGES_SLICE_MAX = 500;

/**
 * Throws `conflict` where the import is under way, was a dry run or is undone whole, where what it needs to
 * know is no longer kept, and where anybody was written to before it was first asked for.
 */
export async function undoImport(world: World, caller: Caller, id: Id): Promise<ImportRow> {
  const release = claimImport(world, caller.teamId, id);
  try {
    await world.commit(() => beginUndo(world, caller, id));
    const { campaignId } = ownImport(world, caller, id);
    for (const slice of slicesOf(world.db, id)) {
      await world.commit(() => {
        const gone = removeMade(world.db, caller.teamId, campaignId, slice);
        discount(world, campaignId, gone);
        dropSlice(world.db, slice.seq);
        const row = ownImport(world, caller, id);
        const [removed, left] = [row.removed + gone.removed, row.left + gone.left];
        changeImport(world, row, { removed, left });
      });
    }
    let from: number | undefined = Number.MAX_SAFE_INTEGER;
    while (from !== undefined) {
      const before: number = from;
      from = await world.commit(() => restoreSome(world, caller, id, before));
    }
    return await world.commit(() => endUndo(world, caller, id));
  } finally {
    release();
  }
}

function beginUndo(world: World, caller: Caller, id: Id): void {
  const row = ownImport(world, caller, id);
  const isUndone = row.status === "undone" && countChanges(world.db, id) === 0;
  if (row.status === "running" || isUndone || row.dryRun) {
    const why = row.dryRun ? "a dry run has added nothing" : `the import is ${row.status}`;
    throw conflict(`${why}; there is nothing to undo`, "status");
  }
  if (row.isForgotten) {
    throw conflict(
      "what this import added and changed is no longer kept apart: it is too long ago",
    );
  }
  const [first] = slicesOf(world.db, id);
  const isBegun = row.removed + row.left + row.restored + row.notRestored > 0;
  if (first !== undefined && !isBegun && hasWritten(world.db, id, row.campaignId, first.firstId)) {
    throw conflict(
      "somebody of this import has been written to, so it stays; remove single leads instead",
    );
  }
  changeImport(world, row, { status: "undoing", error: null });
}

function endUndo(world: World, caller: Caller, id: Id): ImportRow {
  const row = ownImport(world, caller, id);
  const notRestored = countChanges(world.db, id);
  audit(world, caller, {
    action: "import.undo",
    target: `import:${id}`,
    after: {
      removed: row.removed,
      left: row.left,
      restored: row.restored,
      not_restored: notRestored,
    },
  });
  world.wake();
  return endImport(world, { ...row, notRestored }, "undone", null);
}

/** The campaign counts who is gone no more; with nobody left to write to it is done. */
function discount(world: World, campaignId: Id, { removed, onHold }: Removed): void {
  const campaign = campaignById(world.db, campaignId);
  if (campaign !== undefined && removed > 0) {
    countLeads(world, campaign, lessCounts({}, { enrolled: removed, open: removed, onHold }));
  }
}

/**
 * Records go back, unless somebody has changed them since: what those were stays kept. Looks at the changes
 * before number `before`; returns the number to go on from, undefined after the last.
 */
function restoreSome(world: World, caller: Caller, id: Id, before: number): number | undefined {
  const changes = lastChanges(world.db, id, before, CHANGES_SLICE_MAX);
  const now = world.clock.now();
  let restored = 0;
  for (const change of changes) {
    const lead = findLeadById(world.db, change.leadId);
    if (lead === undefined) {
      dropChange(world.db, change.seq);
    } else if (isAsLeft(change, lead)) {
      const after = { ...lead, ...change.before, updatedAt: now };
      updateLead(world.db, after);
      noteChange(world, lead, after);
      dropChange(world.db, change.seq);
      restored += 1;
    }
  }
  const row = ownImport(world, caller, id);
  changeImport(world, row, { restored: row.restored + restored });
  return changes.at(-1)?.seq;
}

/** The record is what the import made of it. */
function isAsLeft({ after, at }: ImportChangeRow, lead: LeadRow): boolean {
  return after === null
    ? lead.updatedAt <= at
    : Buffer.compare(after, fingerprintOf({ texts: lead, variables: lead.variables })) === 0;
}
