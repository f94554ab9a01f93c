/**
 * Deleting a draft, and bringing it back. It may have many leads: they are set aside in slices, so that others get
 * their turn, and come back in slices.
 */

import { isOpen, shareOf } from "#domain/campaigns/enrollment.ts";
import { conflict, found } from "#domain/problem.ts";
import type { Caller, Environment } from "#environment.ts";
import { ownTurn } from "#platform/turns.ts";
import { findCampaign, updateCampaign } from "#store/campaigns/campaigns.ts";
import { enrollmentById } from "#store/leads/enrollments.ts";
import { findLeadById } from "#store/leads/leads.ts";
import {
  CAMPAIGN_TABLES,
  findDeleted,
  insertDeleted,
  putBack,
  removeDeleted,
  setAside,
} from "#store/operations/deleted.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { CampaignRow } from "#store/tables/campaigns.ts";
import {
  campaignFacts,
  countLeads,
  type LeadCounts,
  lessCounts,
  requireCampaign,
} from "#usecases/campaigns/campaigns.ts";
import { whileLeaving } from "#usecases/campaigns/leaving.ts";
import { audit } from "#usecases/events/record.ts";
import { endSuppressed, isSuppressed } from "#usecases/leads/suppressions.ts";

/** A slice takes a few milliseconds. */
const SLICE_MAX = 250;
/** That go in one transaction, as in a batch. */
const LEADS_MAX = 10_000;

/**
 * Takes nearly all leads out of a draft that is going to be deleted, while it is leaving (`leaving.ts`). Whoever is
 * interrupted leaves a draft with fewer leads and counts that are right; deleting it again, or bringing it back,
 * goes on from there.
 */
export async function emptyDraft(env: Environment, caller: Caller, id: Id): Promise<void> {
  while (await env.commit(() => emptySlice(env, caller, id))) {
    await ownTurn();
  }
}

/** True: there are more. */
function emptySlice(env: Environment, caller: Caller, id: Id): boolean {
  const row = findCampaign(env.db, caller.teamId, id);
  return row?.status === "draft" && takeLeads(env, row, SLICE_MAX) === SLICE_MAX;
}

function takeLeads(env: Environment, row: CampaignRow, limit?: number): number {
  const taken = setAside(env.db, row.id, "enrollments", limit);
  if (taken.length > 0) {
    writeLine(env, row);
    const standings = taken.map(
      ({ status, hold_reason: holdReason }) => ({ status, holdReason }) as Standing,
    );
    countLeads(env, row, lessCounts({}, countsOf(standings)));
  }
  return taken.length;
}

/** Throws `conflict` for what is no draft: what has sent email is archived, not deleted. */
export function requireDraft(env: Environment, caller: Caller, id: Id): CampaignRow {
  const row = requireCampaign(env, caller, id);
  if (row.status !== "draft") {
    throw conflict(
      `only a draft can be deleted; this campaign is ${row.status}: archive it`,
      "status",
    );
  }
  return row;
}

/**
 * At once: what has many leads is emptied before ({@link emptyDraft}). For a while it can be brought back. Throws as
 * {@link requireDraft}.
 */
export function deleteCampaign(env: Environment, caller: Caller, id: Id): void {
  const row = requireDraft(env, caller, id);
  if (row.enrolled > LEADS_MAX) {
    throw conflict(
      `the campaign has more than ${LEADS_MAX} leads: delete it in a request of its own`,
    );
  }
  takeLeads(env, row);
  writeLine(env, row);
  for (const table of CAMPAIGN_TABLES) {
    setAside(env.db, id, table);
  }
  const before = campaignFacts(row);
  audit(env, caller, { action: "campaign.delete", target: `campaign:${id}`, before });
}

/** Anew, in case an earlier deletion or restoration was interrupted. */
function writeLine(env: Environment, { id, teamId, name }: CampaignRow): void {
  const deletedAt = env.clock.now();
  removeDeleted(env.db, id);
  insertDeleted(env.db, {
    ...{ id, teamId, kind: "campaign", name, deletedAt },
    ...{ secrets: null, campaigns: [] },
  });
}

/**
 * Brings a draft back as it was: as a draft, which sends nothing until it is started. Leads who were suppressed
 * meanwhile are so there, too, and those who were erased are gone. One that is there already stays as it is. Throws
 * `not_found` for one that is purged.
 */
export async function restoreCampaign(
  env: Environment,
  caller: Caller,
  id: Id,
): Promise<CampaignRow> {
  return await whileLeaving(env, id, async () => {
    while (await env.commit(() => restoreSlice(env, caller, id))) {
      await ownTurn();
    }
    return await env.commit(() => endRestore(env, caller, id));
  });
}

/** True: there are more. */
function restoreSlice(env: Environment, caller: Caller, id: Id): boolean {
  if (findDeleted(env.db, caller.teamId, id)?.kind !== "campaign") {
    return false;
  }
  const { enrollments, looked } = putBack(env.db, id, SLICE_MAX);
  const rows = enrollments.flatMap((one) => enrollmentById(env.db, one) ?? []);
  const campaign = found(findCampaign(env.db, caller.teamId, id), "campaign");
  if (rows.length > 0) {
    countLeads(env, campaign, countsOf(rows));
  }
  for (const row of rows.filter(({ status }) => isOpen(status))) {
    const email = findLeadById(env.db, row.leadId)?.email ?? "";
    if (isSuppressed(env.db, row.teamId, email, row.domain) !== null) {
      endSuppressed(env, row, email);
    }
  }
  return looked === SLICE_MAX;
}

function endRestore(env: Environment, caller: Caller, id: Id): CampaignRow {
  const row = requireCampaign(env, caller, id);
  if (findDeleted(env.db, caller.teamId, id) !== undefined) {
    removeDeleted(env.db, id);
    updateCampaign(env.db, { ...row, updatedAt: env.clock.now() });
    const after = campaignFacts(row);
    audit(env, caller, { action: "campaign.restore", target: `campaign:${id}`, after });
    env.wake();
  }
  return requireCampaign(env, caller, id);
}

type Standing = Parameters<typeof shareOf>[0];

function countsOf(rows: readonly Standing[]): LeadCounts {
  return rows.reduce<LeadCounts>(
    (sum, row) => lessCounts(sum, lessCounts({}, { enrolled: 1, ...shareOf(row) })),
    {},
  );
}
