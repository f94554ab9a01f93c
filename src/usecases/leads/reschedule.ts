/**
 * Due times follow the steps: after a change of a campaign's steps each lead that waits is due when the step
 * that it comes to now says. The first leads follow at once, the others in slices of the upkeep lane; in the
 * meantime the claim looks at the step itself, so that nobody is written to before the wait is over.
 */

import type { UnixMs } from "#domain/time.ts";
import { campaignById, campaignToReschedule, updateCampaign } from "#store/campaigns/campaigns.ts";
import { campaignSlice, FIRST_ID } from "#store/leads/enrollment-scan.ts";
import { enrollmentById } from "#store/leads/enrollments.ts";
import { wakeAccounts } from "#store/mailboxes/accounts.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { World } from "#world.ts";
import { changeEnrollment, dueAtOf, upcomingStep } from "./enrollments.ts";

/** Leads that follow in the transaction of the change. */
const AT_ONCE_MAX = 50;
const SLICE_LEADS = 100;

/** The steps of a campaign have changed. Waking the lanes is the caller's. */
export function rescheduleCampaign(world: World, campaignId: Id): void {
  const campaign = campaignById(world.db, campaignId);
  if (campaign !== undefined && campaign.startedAt !== null) {
    updateCampaign(world.db, { ...campaign, rescheduleAfter: FIRST_ID });
    rescheduleSlice(world, campaignId, FIRST_ID, AT_ONCE_MAX);
  }
}

/** Upkeep: the next slice of leads. Resolves to when there are more. */
export async function rescheduleDue(world: World, now: UnixMs): Promise<UnixMs | undefined> {
  if (campaignToReschedule(world.db) !== undefined) {
    await world.commit(() => rescheduleNext(world));
  }
  return campaignToReschedule(world.db) && now;
}

function rescheduleNext(world: World): void {
  const campaign = campaignToReschedule(world.db);
  if (campaign !== undefined && campaign.rescheduleAfter !== null) {
    rescheduleSlice(world, campaign.id, campaign.rescheduleAfter, SLICE_LEADS);
    wakeAccounts(world.db, campaign.teamId);
    world.wake();
  }
}

function rescheduleSlice(world: World, campaignId: Id, after: Id, limit: number): void {
  const slice = campaignSlice(world.db, campaignId, after, limit);
  for (const { id, waits } of slice) {
    if (waits === 1) {
      reschedule(world, id);
    }
  }
  const campaign = campaignById(world.db, campaignId);
  if (campaign !== undefined) {
    const last = slice.length < limit ? undefined : slice.at(-1);
    updateCampaign(world.db, { ...campaign, rescheduleAfter: last?.id ?? null });
  }
}

/** One whom no step follows any more waits on, in case one is added, and has finished when its time comes. */
function reschedule(world: World, id: Id): void {
  const row = enrollmentById(world.db, id);
  const step = row && upcomingStep(world, row);
  if (row === undefined || step === undefined || row.dueAt === null) {
    return;
  }
  const dueAt = dueAtOf(world, row, step);
  const now = world.clock.now();
  if (dueAt !== row.dueAt && (dueAt > now || row.dueAt > now)) {
    changeEnrollment(world, row, { dueAt });
  }
}
