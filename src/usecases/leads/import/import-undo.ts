/**
 * Undoing an import: what it added goes as if it had never been, records that it changed are what they
 * were, but for those that somebody has changed since: what those were stays kept. In slices, so that other
 * requests get their turn; one that breaks off, or left something, can be asked for again.
 */

import { conflict } from "#domain/problem.ts";
import type { Caller, Environment } from "#environment.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import { removeTag } from "#store/campaigns/tags.ts";
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
import { audit } from "#usecases/events/record.ts";
import { recordChange } from "#usecases/leads/leads.ts";
import { fingerprintOf } from "./import-record.ts";
import { changeImport, claimImport, endImport, requireImport } from "./imports.ts";

const CHANGES_SLICE_MAX = 500;

/**
 * Throws `conflict` where the import is under way, was a dry run or is undone whole, where what it needs to
 * know is no longer kept, and where anybody was written to before it was first asked for.
 */
export async function undoImport(env: Environment, caller: Caller, id: Id): Promise<ImportRow> {
  return await undoing(env, caller, id, async ({ campaignId }) => {
    if (campaignId === null) {
      throw new Error("an import of leads without its campaign");
    }
    for (const slice of slicesOf(env.db, id)) {
      await env.commit(() => {
        const gone = removeMade(env.db, caller.teamId, campaignId, slice);
        discount(env, campaignId, gone);
        dropSlice(env.db, slice.seq);
        const row = requireImport(env, caller, id);
        const [removed, left] = [row.removed + gone.removed, row.left + gone.left];
        changeImport(env, row, { removed, left });
      });
    }
    let from: number | undefined = Number.MAX_SAFE_INTEGER;
    while (from !== undefined) {
      const before: number = from;
      from = await env.commit(() => restoreSome(env, caller, id, before));
    }
  });
}

/** The part that imports of every kind have in common; `takeBack` takes back what this one did, in slices. */
export async function undoing(
  env: Environment,
  caller: Caller,
  id: Id,
  takeBack: (row: ImportRow) => Promise<void>,
): Promise<ImportRow> {
  const release = claimImport(env, caller.teamId, id);
  try {
    await env.commit(() => beginUndo(env, caller, id));
    await takeBack(requireImport(env, caller, id));
    return await env.commit(() => endUndo(env, caller, id));
  } finally {
    release();
  }
}

function beginUndo(env: Environment, caller: Caller, id: Id): void {
  const row = requireImport(env, caller, id);
  const isUndone = row.status === "undone" && countChanges(env.db, id) === 0;
  if (row.status === "running" || isUndone || row.dryRun) {
    const why = row.dryRun ? "a dry run adds nothing" : `the import is ${row.status}`;
    throw conflict(`${why}; there is nothing to undo`, "status");
  }
  if (row.isForgotten) {
    throw conflict("this import is too old to undo: its changes are no longer stored");
  }
  const [first] = slicesOf(env.db, id);
  const isBegun = row.removed + row.left + row.restored + row.notRestored > 0;
  const { campaignId } = row;
  const isOfLeads = first !== undefined && campaignId !== null;
  if (isOfLeads && !isBegun && hasWritten(env.db, id, campaignId, first.firstId)) {
    throw conflict(
      "a lead of this import has already been emailed, so it can't be undone; remove leads one by one instead",
    );
  }
  changeImport(env, row, { status: "undoing", error: null });
}

function endUndo(env: Environment, caller: Caller, id: Id): ImportRow {
  const row = requireImport(env, caller, id);
  const notRestored = countChanges(env.db, id);
  audit(env, caller, {
    action: "import.undo",
    target: `import:${id}`,
    after: {
      removed: row.removed,
      left: row.left,
      restored: row.restored,
      not_restored: notRestored,
    },
  });
  env.wake();
  return endImport(env, { ...row, notRestored }, "undone", null);
}

/** The campaign counts who is gone no more; with nobody left to write to it is done. */
function discount(env: Environment, campaignId: Id, { removed, onHold, statuses }: Removed): void {
  const campaign = campaignById(env.db, campaignId);
  if (campaign !== undefined && removed > 0) {
    const share = { enrolled: removed, open: removed, onHold, statuses };
    countLeads(env, campaign, lessCounts({}, share));
  }
}

/**
 * Records go back, unless somebody has changed them since: what those were stays kept. Looks at the changes
 * before number `before`; returns the number to go on from, undefined after the last.
 */
function restoreSome(env: Environment, caller: Caller, id: Id, before: number): number | undefined {
  const changes = lastChanges(env.db, id, before, CHANGES_SLICE_MAX);
  const now = env.clock.now();
  let restored = 0;
  for (const change of changes) {
    const lead = findLeadById(env.db, change.leadId);
    if (lead === undefined) {
      dropChange(env.db, change.seq);
    } else if (isAsLeft(change, lead)) {
      const { addedTags = [], ...before } = change.before;
      const after = { ...lead, ...before, updatedAt: now };
      updateLead(env.db, after);
      for (const name of addedTags) {
        removeTag(env.db, lead.id, name);
      }
      recordChange(env, lead, after);
      dropChange(env.db, change.seq);
      restored += 1;
    }
  }
  const row = requireImport(env, caller, id);
  changeImport(env, row, { restored: row.restored + restored });
  return changes.at(-1)?.seq;
}

/** The record is what the import made of it. */
function isAsLeft({ after, at }: ImportChangeRow, lead: LeadRow): boolean {
  return after === null
    ? lead.updatedAt <= at
    : Buffer.compare(after, fingerprintOf({ texts: lead, variables: lead.variables })) === 0;
}
