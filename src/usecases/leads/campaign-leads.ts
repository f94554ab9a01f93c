/** Leads of a campaign as people change them: pause, resume, end, book, move, judge, remove. */

import {
  type EnrollmentStatus,
  type Interest,
  isOpen,
  SETTABLE_STATUSES,
} from "#domain/campaigns/enrollment.ts";
import { conflict, found, invalid } from "#domain/problem.ts";
import type { UnixMs } from "#domain/time.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import { currentStepOf, stepsOf } from "#store/campaigns/steps.ts";
import { type CampaignLead, findCampaignLead } from "#store/leads/campaign-leads.ts";
import { enrollmentById, removeEnrollment } from "#store/leads/enrollments.ts";
import { messagesOf } from "#store/sending/messages.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { EnrollmentRow } from "#store/tables/leads.ts";
import {
  countLeads,
  type LeadCounts,
  lessCounts,
  ownCampaign,
} from "#usecases/campaigns/campaigns.ts";
import { newCause } from "#usecases/events/effect-log.ts";
import { audit } from "#usecases/events/journal.ts";
import type { Caller, World } from "#world.ts";
import {
  bookEnrollment,
  changeEnrollment,
  endEnrollment,
  moveToStep,
  pauseEnrollment,
  resumeEnrollment,
  setInterest,
  shareOf,
  statusInSequence,
} from "./enrollments.ts";
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
export function ownCampaignLead(
  world: World,
  caller: Caller,
  campaignId: Id,
  id: Id,
): CampaignLead {
  const campaign = ownCampaign(world, caller, campaignId);
  return found(findCampaignLead(world.db, campaign.id, id), "lead in this campaign");
}

/**
 * Carries out what differs from the record: a status that it has already, or the next attempt that it
 * shows, is no change, so that a record may be sent back whole. Throws `conflict` for what only the
 * engine may set, `validation_error` for a step that is not there.
 */
export function patchCampaignLead(
  world: World,
  caller: Caller,
  campaignId: Id,
  id: Id,
  patch: CampaignLeadPatch,
): CampaignLead {
  const found = ownCampaignLead(world, caller, campaignId, id);
  const before = rowOf(world, found.id);
  const known = facts(world, before);
  let row = before;
  const { status, interest, currentStep } = patch;
  const nextAttemptAt = patch.nextAttemptAt === nextAttempt(row) ? undefined : patch.nextAttemptAt;
  if (currentStep !== undefined && currentStep !== currentStepOf(world.db, row)) {
    row = toStep(world, row, currentStep);
  }
  const isRetried = status === "active" && row.holdReason === "planning_failed";
  if (status !== undefined && (status !== row.status || isRetried)) {
    row = toStatus(world, caller, row, status, found.email);
  }
  if (nextAttemptAt !== undefined) {
    row = book(world, row, nextAttemptAt);
  }
  if (interest !== undefined) {
    row = setInterest(world, row, interest);
  }
  if (row !== before) {
    audit(world, caller, {
      action: "campaign_lead.patch",
      target: `enrollment:${row.id}`,
      before: known,
      after: facts(world, rowOf(world, row.id)),
    });
  }
  return { ...rowOf(world, row.id), email: found.email };
}

/** A person decides about an unconfirmed message to the lead. Throws as {@link resolveLead}. */
export function resolveCampaignLead(
  world: World,
  caller: Caller,
  campaignId: Id,
  id: Id,
  { action, messageId }: { action: Verdict; messageId?: Id },
): CampaignLead {
  const found = ownCampaignLead(world, caller, campaignId, id);
  const before = rowOf(world, found.id);
  const known = facts(world, before);
  resolveLead(world, before, action, messageId);
  const row = rowOf(world, found.id);
  audit(world, caller, {
    action: `campaign_lead.${action}`,
    target: `enrollment:${row.id}`,
    before: known,
    after: facts(world, row),
  });
  return { ...row, email: found.email };
}

/** Takes a lead out of a campaign: gone as if it had never been added, or ended once it was written to. */
export function removeCampaignLead(world: World, caller: Caller, campaignId: Id, id: Id): void {
  const found = ownCampaignLead(world, caller, campaignId, id);
  const row = rowOf(world, found.id);
  if (messagesOf(world.db, row.id).length > 0 || row.placeId !== null) {
    endEnrollment(world, row, "completed", "removed", newCause(world));
  } else {
    removeEnrollment(world.db, row.id);
    discount(world, row, { enrolled: 1, ...shareOf(row) });
  }
  audit(world, caller, {
    action: "campaign_lead.remove",
    target: `enrollment:${row.id}`,
    before: { lead_id: row.leadId, campaign_id: row.campaignId, status: row.status },
  });
}

/** The row of an enrollment is gone, and keeps its campaign from completing no more; how it ended stays counted. */
export function closeRow(world: World, row: EnrollmentRow): void {
  const { open = 0, onHold = {} } = shareOf(row);
  discount(world, row, { open, onHold });
}

function discount(world: World, row: EnrollmentRow, share: LeadCounts): void {
  const campaign = campaignById(world.db, row.campaignId);
  if (campaign !== undefined) {
    countLeads(world, campaign, lessCounts({}, share));
  }
}

/** When it is next taken up, as people see it: a new lead that is not yet booked has no such time. */
export function nextAttempt(row: EnrollmentRow): UnixMs | null {
  return row.status === "pending" && row.dueAt === row.enrolledAt ? null : row.dueAt;
}

function toStep(world: World, row: EnrollmentRow, currentStep: number): EnrollmentRow {
  const count = stepsOf(world.db, row.campaignId).length;
  if (currentStep > count) {
    throw invalid("current_step", `must be 0 to ${count}, the number of steps`);
  }
  return moveToStep(world, row, currentStep);
}

function toStatus(
  world: World,
  caller: Caller,
  row: EnrollmentRow,
  status: EnrollmentStatus,
  email: string,
): EnrollmentRow {
  switch (status) {
    case "paused":
      return pauseEnrollment(world, row, null, MANUAL);
    case "active":
      return resume(world, row);
    case "completed":
      if (!isOpen(row.status)) {
        throw conflict(`a lead that is ${row.status} has ended already`, "status");
      }
      return endEnrollment(world, row, "completed", MANUAL, newCause(world));
    case "unsubscribed": {
      const cause = newCause(world);
      const ended = endEnrollment(world, row, "unsubscribed", MANUAL, cause);
      suppress(world, caller, { email, reason: "unsubscribe" }, cause);
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
function resume(world: World, row: EnrollmentRow): EnrollmentRow {
  if (row.status === "failed" && row.stopReason === "refused") {
    const fresh = row.lastSentAt === null ? { accountId: null } : {};
    const untried = { ...fresh, attempts: 0, firstAttemptAt: null };
    return resumeEnrollment(world, changeEnrollment(world, row, untried));
  }
  if (!isOpen(row.status)) {
    throw conflict(`a lead that is ${row.status} has ended and cannot go on`, "status");
  }
  if (row.holdReason === "planning_failed") {
    return resumeEnrollment(world, row);
  }
  if (row.status !== "paused") {
    return row;
  }
  if (row.holdReason === null) {
    return resumeEnrollment(world, row);
  }
  return changeEnrollment(world, row, { status: statusInSequence(row), stopReason: null });
}

function book(world: World, row: EnrollmentRow, at: UnixMs | null): EnrollmentRow {
  if (at !== null) {
    return bookEnrollment(world, row, at);
  }
  if (row.status !== "paused") {
    throw conflict(
      "a lead that goes on has a next attempt; pause it to stop it",
      "next_attempt_at",
    );
  }
  const unbooked = changeEnrollment(world, row, { bookedAt: null });
  return pauseEnrollment(world, unbooked, null, row.stopReason ?? MANUAL);
}

function rowOf(world: World, id: Id): EnrollmentRow {
  const row = enrollmentById(world.db, id);
  if (row === undefined) {
    throw new Error(`enrollment ${id} vanished inside one synchronous function`);
  }
  return row;
}

function facts(world: World, row: EnrollmentRow): Record<string, unknown> {
  return {
    status: row.status,
    current_step: currentStepOf(world.db, row),
    next_attempt_at: nextAttempt(row),
    interest: row.interest,
    hold_reason: row.holdReason,
  };
}
