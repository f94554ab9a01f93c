/**
 * Due times follow the steps: after a change of a campaign's steps each lead that waits is due when the step
 * that it comes to now says. The first leads follow at once, the others in slices of the upkeep worker; in the
 * meantime the claim looks at the step itself, so that nobody is written to before the wait is over.
 */

import type { UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { campaignById, campaignToReschedule, updateCampaign } from "#store/campaigns/campaigns.ts";
import { campaignSlice, FIRST_ID } from "#store/leads/enrollment-scan.ts";
import { enrollmentById } from "#store/leads/enrollments.ts";
import { wakeAccounts } from "#store/mailboxes/accounts.ts";
import type { Id } from "#store/sqlite/columns.ts";
import { changeEnrollment, dueAtOf, upcomingStep } from "./enrollments.ts";

/** Leads that follow in the transaction of the change. */
const AT_ONCE_MAX = 50;
const SLICE_LEADS = 100;

/** The steps of a campaign have changed. Waking the workers is the caller's. */
export function rescheduleCampaign(env: Environment, campaignId: Id): void {
  const campaign = campaignById(env.db, campaignId);
  if (campaign !== undefined && campaign.startedAt !== null) {
    updateCampaign(env.db, { ...campaign, rescheduleAfter: FIRST_ID });
    rescheduleSlice(env, campaignId, FIRST_ID, AT_ONCE_MAX);
  }
}

/** Upkeep: the next slice of leads. Resolves to when there are more. */
export async function rescheduleDue(env: Environment, now: UnixMs): Promise<UnixMs | undefined> {
  if (campaignToReschedule(env.db) === undefined) {
    return undefined;
  }
  await env.commit(() => rescheduleNext(env));
  return campaignToReschedule(env.db) && now;
}

function rescheduleNext(env: Environment): void {
  const campaign = campaignToReschedule(env.db);
  if (campaign !== undefined && campaign.rescheduleAfter !== null) {
    rescheduleSlice(env, campaign.id, campaign.rescheduleAfter, SLICE_LEADS);
    wakeAccounts(env.db, campaign.teamId);
    env.wake();
  }
}

function rescheduleSlice(env: Environment, campaignId: Id, after: Id, limit: number): void {
  const slice = campaignSlice(env.db, campaignId, after, limit);
  for (const { id, waits } of slice) {
    if (waits === 1) {
      reschedule(env, id);
    }
  }
  const campaign = campaignById(env.db, campaignId);
  if (campaign !== undefined) {
    const last = slice.length < limit ? undefined : slice.at(-1);
    updateCampaign(env.db, { ...campaign, rescheduleAfter: last?.id ?? null });
  }
}

/** One whom no step follows any more waits on, in case one is added, and has finished when its time comes. */
function reschedule(env: Environment, id: Id): void {
  const row = enrollmentById(env.db, id);
  const step = row && upcomingStep(env, row);
  if (row === undefined || step === undefined || row.dueAt === null) {
    return;
  }
  const dueAt = dueAtOf(env, row, step);
  const now = env.clock.now();
  if (dueAt !== row.dueAt && (dueAt > now || row.dueAt > now)) {
    changeEnrollment(env, row, { dueAt });
  }
}
