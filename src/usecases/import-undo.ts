/**
 * Undoing an import: what it added goes as if it had never been, records that it changed are what they
 * were. In slices, so that other requests get their turn; one that breaks off can be asked for again.
 */

import { conflict } from "#domain/problem.ts";
import { campaignById, updateCampaign } from "#store/campaigns.ts";
import type { Id } from "#store/columns.ts";
import {
  dropChange,
  dropSlice,
  hasWritten,
  lastChanges,
  removeMade,
  slicesOf,
} from "#store/imports.ts";
import { findLeadById, updateLead } from "#store/leads.ts";
import type { ImportRow } from "#store/tables/imports.ts";
import type { Caller, World } from "#world.ts";
import { completeCampaign } from "./campaigns.ts";
import { changeImport, claimImport, endImport, ownImport } from "./imports.ts";
import { audit } from "./journal.ts";
import { noteChange } from "./leads.ts";

const CHANGES_SLICE_MAX = 500;

/**
 * Throws `conflict` where the import is under way, was a dry run or is undone, where what it needs to know
 * is no longer kept, and where anybody was written to.
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
    let restored = CHANGES_SLICE_MAX;
    while (restored === CHANGES_SLICE_MAX) {
      restored = await world.commit(() => restoreSome(world, id));
    }
    return await world.commit(() => endUndo(world, caller, id));
  } finally {
    release();
  }
}

function beginUndo(world: World, caller: Caller, id: Id): void {
  const row = ownImport(world, caller, id);
  if (row.status === "running" || row.status === "undone" || row.dryRun) {
    const why = row.dryRun ? "a dry run has added nothing" : `the import is ${row.status}`;
    throw conflict(`${why}; there is nothing to undo`, "status");
  }
  const [first] = slicesOf(world.db, id);
  if (first !== undefined && hasWritten(world.db, id, row.campaignId, first.firstId)) {
    throw conflict(
      "somebody of this import has been written to, so it stays; remove single leads instead",
    );
  }
  if (first === undefined && row.counts.new + row.counts.update > row.removed + row.left) {
    throw conflict("what this import added is no longer kept apart: it is too long ago");
  }
  changeImport(world, row, { status: "undoing", error: null });
}

function endUndo(world: World, caller: Caller, id: Id): ImportRow {
  const row = ownImport(world, caller, id);
  audit(world, caller, {
    action: "import.undo",
    target: `import:${id}`,
    after: { removed: row.removed, left: row.left },
  });
  world.wake();
  return endImport(world, row, "undone", null);
}

/** The campaign counts who is gone no more; with nobody left to write to it is done. */
function discount(world: World, campaignId: Id, gone: { removed: number; open: number }): void {
  const campaign = campaignById(world.db, campaignId);
  if (campaign === undefined || gone.removed === 0) {
    return;
  }
  const after = {
    ...campaign,
    enrolled: Math.max(0, campaign.enrolled - gone.removed),
    open: Math.max(0, campaign.open - gone.open),
  };
  updateCampaign(world.db, after);
  if (after.status === "active" && after.open === 0 && after.enrolled > 0) {
    completeCampaign(world, after);
  }
}

/** Records go back, unless somebody has changed them since. Returns how many were looked at. */
function restoreSome(world: World, id: Id): number {
  const changes = lastChanges(world.db, id, CHANGES_SLICE_MAX);
  for (const { seq, leadId, before, at } of changes) {
    const lead = findLeadById(world.db, leadId);
    if (lead !== undefined && lead.updatedAt === at) {
      const restored = { ...lead, ...before, updatedAt: world.clock.now() };
      updateLead(world.db, restored);
      noteChange(world, lead, restored);
    }
    dropChange(world.db, seq);
  }
  return changes.length;
}
