/** Lifts holds when what was missing may have come: a lead's record or a template has changed. */

import type { Environment } from "#environment.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import { releaseMissing } from "#store/leads/campaign-leads.ts";
import { enrollmentsOfLead } from "#store/leads/enrollments.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { EnrollmentRow } from "#store/tables/leads.ts";
import { countLeads } from "#usecases/campaigns/campaigns.ts";
import { changeEnrollment } from "./enrollments.ts";

/**
 * Enrollments of a campaign that are on hold for a missing variable are tried anew; one whose variable is
 * still missing is on hold again when its turn comes. Waking the accounts is the caller's.
 */
export function retryCampaign(env: Environment, campaignId: Id): void {
  const { released, stranded } = releaseMissing(env.db, campaignId, env.clock.now());
  const campaign = campaignById(env.db, campaignId);
  if (campaign !== undefined && released + stranded > 0) {
    const onHold = { missing_variable: -released - stranded, account_gone: stranded };
    countLeads(env, campaign, { onHold });
  }
}

/** The same for the enrollments of one lead. */
export function retryLead(env: Environment, leadId: Id): void {
  for (const row of enrollmentsOfLead(env.db, leadId)) {
    if (row.holdReason === "missing_variable") {
      retryEnrollment(env, row);
    }
  }
}

/** A lead that got nothing yet goes back among the new ones. */
export function retryEnrollment(env: Environment, row: EnrollmentRow): void {
  const { lastSentAt, attempts, accountId, status, enrolledAt } = row;
  const dueAt = lastSentAt === null ? enrolledAt : env.clock.now();
  changeEnrollment(env, row, {
    holdReason: null,
    holdDetail: null,
    dueAt: status === "paused" ? null : dueAt,
    accountId: lastSentAt === null && attempts === 0 ? null : accountId,
  });
}
