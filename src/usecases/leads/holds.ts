/** Lifts holds when what was missing may have come: a lead's record or a template has changed. */

import { campaignById } from "#store/campaigns/campaigns.ts";
import { releaseMissing } from "#store/leads/campaign-leads.ts";
import { enrollmentsOfLead } from "#store/leads/enrollments.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { EnrollmentRow } from "#store/tables/leads.ts";
import { countLeads } from "#usecases/campaigns/campaigns.ts";
import type { World } from "#world.ts";
import { changeEnrollment } from "./enrollments.ts";

/**
 * Enrollments of a campaign that are on hold for a missing variable are tried anew; one whose variable is
 * still missing is on hold again when its turn comes. Waking the accounts is the caller's.
 */
export function retryCampaign(world: World, campaignId: Id): void {
  const { released, stranded } = releaseMissing(world.db, campaignId, world.clock.now());
  const campaign = campaignById(world.db, campaignId);
  if (campaign !== undefined && released + stranded > 0) {
    const onHold = { missing_variable: -released - stranded, account_gone: stranded };
    countLeads(world, campaign, { onHold });
  }
}

/** The same for the enrollments of one lead. */
export function retryLead(world: World, leadId: Id): void {
  for (const row of enrollmentsOfLead(world.db, leadId)) {
    if (row.holdReason === "missing_variable") {
      retryEnrollment(world, row);
    }
  }
}

/** A lead that got nothing yet goes back among the new ones. */
export function retryEnrollment(world: World, row: EnrollmentRow): void {
  const { lastSentAt, attempts, accountId, status, enrolledAt } = row;
  const dueAt = lastSentAt === null ? enrolledAt : world.clock.now();
  changeEnrollment(world, row, {
    holdReason: null,
    holdDetail: null,
    dueAt: status === "paused" ? null : dueAt,
    accountId: lastSentAt === null && attempts === 0 ? null : accountId,
  });
}
