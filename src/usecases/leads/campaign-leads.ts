/** Leads of a campaign as people change them: pause, resume, end, book, move, judge, remove. */

import {
  type EnrollmentStatus,
  type Interest,
  isOpen,
  SETTABLE_STATUSES,
  shareOf,
} from "#domain/campaigns/enrollment.ts";
import { conflict, found, invalid } from "#domain/problem.ts";
import { checkPlanned, type UnixMs } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import { currentStepOf, stepsOf } from "#store/campaigns/steps.ts";
import { type CampaignLead, findCampaignLead } from "#store/leads/campaign-leads.ts";
import { enrollmentById, enrollmentsOfLead } from "#store/leads/enrollments.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { EnrollmentRow } from "#store/tables/leads.ts";
import { countLeads, lessCounts, requireCampaign } from "#usecases/campaigns/campaigns.ts";
import { newCause } from "#usecases/events/effect-log.ts";
import { audit } from "#usecases/events/record.ts";
import {
  bookEnrollment,
  changeEnrollment,
  endEnrollment,
  moveToStep,
  resumeEnrollment,
  statusInSequence,
} from "./enrollments.ts";
import { setInterest } from "./interest.ts";
import { dropEnrollment, isWrittenTo } from "./moves.ts";
import { pauseEnrollment } from "./pauses.ts";
import { suppress } from "./suppressions.ts";
import { resolveLead, type Verdict } from "./unconfirmed.ts";

/** What a person may ask for, absent where it stays. */
export interface CampaignLeadPatch {
  status?: EnrollmentStatus;
  interest?: Interest | null;
  nextAttemptAt?: UnixMs | null;
  currentStep?: number;
}

const MANUAL = "manual";

/** Throws `not_found` for what is another team's or another campaign's. `id`: the lead's or its own. */
export function requireCampaignLead(
  env: Environment,
  caller: Caller,
  campaignId: Id,
  id: Id,
): CampaignLead {
  const campaign = requireCampaign(env, caller, campaignId);
  return found(findCampaignLead(env.db, campaign.id, id), "lead in this campaign");
}

/**
 * Carries out what differs from the record: a status that it has already, or the next attempt that it
 * shows, is no change, so that a record may be sent back whole. Throws `conflict` for what only the
 * engine may set, `validation_error` for a step that is not there.
 */
export function patchCampaignLead(
  env: Environment,
  caller: Caller,
  campaignId: Id,
  id: Id,
  patch: CampaignLeadPatch,
): CampaignLead {
  const found = requireCampaignLead(env, caller, campaignId, id);
  const before = rowOf(env, found.id);
  const known = facts(env, before);
  let row = before;
  const { status, interest, currentStep } = patch;
  const nextAttemptAt = patch.nextAttemptAt === nextAttempt(row) ? undefined : patch.nextAttemptAt;
  if (currentStep !== undefined && currentStep !== currentStepOf(env.db, row)) {
    row = toStep(env, row, currentStep);
  }
  const isRetried = status === "active" && row.holdReason === "planning_failed";
  if (status !== undefined && (status !== row.status || isRetried)) {
    row = toStatus(env, caller, row, status, found.email);
  }
  if (nextAttemptAt !== undefined) {
    checkPlanned(nextAttemptAt, "next_attempt_at");
    row = book(env, row, nextAttemptAt);
  }
  if (interest !== undefined) {
    row = setInterest(env, row, interest);
  }
  if (row !== before) {
    audit(env, caller, {
      action: "campaign_lead.patch",
      target: `enrollment:${row.id}`,
      before: known,
      after: facts(env, rowOf(env, row.id)),
    });
  }
  return { ...rowOf(env, row.id), email: found.email };
}

/** A person decides about an unconfirmed message to the lead. Throws as {@link resolveLead}. */
export function resolveCampaignLead(
  env: Environment,
  caller: Caller,
  campaignId: Id,
  id: Id,
  { action, messageId }: { action: Verdict; messageId?: Id },
): CampaignLead {
  const found = requireCampaignLead(env, caller, campaignId, id);
  const before = rowOf(env, found.id);
  const known = facts(env, before);
  resolveLead(env, before, action, messageId);
  const row = rowOf(env, found.id);
  audit(env, caller, {
    action: `campaign_lead.${action}`,
    target: `enrollment:${row.id}`,
    before: known,
    after: facts(env, row),
  });
  return { ...row, email: found.email };
}

/** Takes a lead out of a campaign: gone as if it had never been added, or ended once it was written to. */
export function removeCampaignLead(env: Environment, caller: Caller, campaignId: Id, id: Id): void {
  const found = requireCampaignLead(env, caller, campaignId, id);
  const row = rowOf(env, found.id);
  const theirs = enrollmentsOfLead(env.db, row.leadId);
  if (theirs.some((one) => one.campaignId === row.campaignId && isWrittenTo(env, one))) {
    endEnrollment(env, row, "completed", "removed", newCause(env));
  } else {
    dropEnrollment(env, row);
  }
  audit(env, caller, {
    action: "campaign_lead.remove",
    target: `enrollment:${row.id}`,
    before: { lead_id: row.leadId, campaign_id: row.campaignId, status: row.status },
  });
}

/** The row of an enrollment is gone, and keeps its campaign from completing no more; how it ended stays counted. */
export function closeRow(env: Environment, row: EnrollmentRow): void {
  const { open, onHold, statuses } = shareOf(row);
  const campaign = campaignById(env.db, row.campaignId);
  if (campaign !== undefined) {
    countLeads(env, campaign, lessCounts({}, { open, onHold, statuses }));
  }
}

/** When it is next claimed, as people see it: a new lead that is not yet booked has no such time. */
export function nextAttempt(row: EnrollmentRow): UnixMs | null {
  return row.status === "pending" && row.dueAt === row.enrolledAt ? null : row.dueAt;
}

function toStep(env: Environment, row: EnrollmentRow, currentStep: number): EnrollmentRow {
  const count = stepsOf(env.db, row.campaignId).length;
  if (currentStep > count) {
    throw invalid("current_step", `must be 0 to ${count}, the number of steps`);
  }
  return moveToStep(env, row, currentStep);
}

function toStatus(
  env: Environment,
  caller: Caller,
  row: EnrollmentRow,
  status: EnrollmentStatus,
  email: string,
): EnrollmentRow {
  switch (status) {
    case "paused":
      return pauseEnrollment(env, row, null, MANUAL);
    case "active":
      return resume(env, row);
    case "completed":
      if (!isOpen(row.status)) {
        throw conflict(`a lead that is ${row.status} has already ended`, "status");
      }
      return endEnrollment(env, row, "completed", MANUAL, newCause(env));
    case "unsubscribed": {
      const cause = newCause(env);
      const ended = endEnrollment(env, row, "unsubscribed", MANUAL, cause);
      suppress(env, caller, { email, reason: "unsubscribe" }, cause);
      return ended;
    }
    default:
      throw conflict(
        `a lead becomes ${status} by itself only; you may set ${SETTABLE_STATUSES.join(", ")}`,
        "status",
      );
  }
}

/**
 * One that is not paused goes on anyway; a hold outlasts a pause, but for one whose planning failed: that is
 * planned anew. One that a server refused for good is tried anew, as one that was never tried.
 */
function resume(env: Environment, row: EnrollmentRow): EnrollmentRow {
  if (row.merged > 0) {
    throw conflict("a sequence that gave way when leads were merged can't continue", "status");
  }
  if (row.status === "failed" && row.stopReason === "refused") {
    const fresh = row.lastSentAt === null ? { accountId: null } : {};
    const untried = { ...fresh, attempts: 0, firstAttemptAt: null };
    return resumeEnrollment(env, changeEnrollment(env, row, untried));
  }
  if (!isOpen(row.status)) {
    throw conflict(`a lead that is ${row.status} has ended and can't continue`, "status");
  }
  if (row.holdReason === "planning_failed") {
    return resumeEnrollment(env, row);
  }
  if (row.status !== "paused") {
    return row;
  }
  if (row.holdReason === null) {
    return resumeEnrollment(env, row);
  }
  return changeEnrollment(env, row, { status: statusInSequence(row), stopReason: null });
}

function book(env: Environment, row: EnrollmentRow, at: UnixMs | null): EnrollmentRow {
  if (at !== null) {
    return bookEnrollment(env, row, at);
  }
  if (row.status !== "paused") {
    throw conflict(
      "can't be null for an active lead; pause the lead to stop its emails",
      "next_attempt_at",
    );
  }
  const unbooked = changeEnrollment(env, row, { bookedAt: null });
  return pauseEnrollment(env, unbooked, null, row.stopReason ?? MANUAL);
}

function rowOf(env: Environment, id: Id): EnrollmentRow {
  const row = enrollmentById(env.db, id);
  if (row === undefined) {
    throw new Error(`enrollment ${id} vanished inside one synchronous function`);
  }
  return row;
}

function facts(env: Environment, row: EnrollmentRow): Record<string, unknown> {
  return {
    status: row.status,
    current_step: currentStepOf(env.db, row),
    next_attempt_at: nextAttempt(row),
    interest: row.interest,
    hold_reason: row.holdReason,
  };
}
