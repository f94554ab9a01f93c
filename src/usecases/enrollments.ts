/**
 * Enrollments: every move of a lead through a sequence. The engine, people and what comes back all pass
 * here, so that counters, events and the campaign's completion follow in the same transaction.
 */

import {
  type EnrollmentStatus,
  type HoldReason,
  type Interest,
  isOpen,
  mayEndAs,
} from "#domain/enrollment.ts";
import { conflict } from "#domain/problem.ts";
import { followUpDueAt } from "#domain/schedule.ts";
import { nextStep } from "#domain/step.ts";
import { type UnixMs, unixMs } from "#domain/time.ts";
import { nextOpening } from "#domain/window.ts";
import { hasAccount, wakeAccounts } from "#store/accounts.ts";
import { campaignById, updateCampaign } from "#store/campaigns.ts";
import { enrollmentById, updateEnrollment } from "#store/enrollments.ts";
import { deferredSteps, messagesOf, NO_ID, stepsSentTo, updateMessage } from "#store/messages.ts";
import { stepById, stepsOf, updateStep } from "#store/steps.ts";
import type { CampaignRow, StepRow } from "#store/tables/campaigns.ts";
import type { EnrollmentRow } from "#store/tables/leads.ts";
import type { MessageRow } from "#store/tables/messages.ts";
import { setThreadInterest } from "#store/threads.ts";
import type { World } from "#world.ts";
import { completeCampaign, reviveCampaign } from "./campaigns.ts";
import { type Cause, note, noteEnrollment } from "./effect-log.ts";
import { tellSent } from "./email-events.ts";
import { noteExposed, noteInterest } from "./exposures.ts";
import { countAt } from "./figures.ts";
import { countSend } from "./harms.ts";
import { emit } from "./journal.ts";

/** True while an enrollment keeps its campaign from completing: it can still go on by itself. */
function isCounted(row: EnrollmentRow): boolean {
  return isOpen(row.status) && row.holdReason === null;
}

/** The counter of the campaign that an end adds to. */
const ENDS: Partial<Record<EnrollmentStatus, keyof CampaignRow & Counter>> = {
  completed: "completed",
  bounced: "bounced",
  unsubscribed: "unsubscribed",
  failed: "failed",
};
type Counter = "completed" | "bounced" | "unsubscribed" | "failed";

/**
 * Changes an enrollment, with everything that follows from the difference. All changes end here. `row`
 * says which one: what is changed is the enrollment as it is now, so an older copy does no harm.
 */
export function changeEnrollment(
  world: World,
  row: EnrollmentRow,
  change: Partial<EnrollmentRow>,
): EnrollmentRow {
  const before = enrollmentById(world.db, row.id) ?? row;
  const after = strand(world, { ...before, ...change, updatedAt: world.clock.now() });
  updateEnrollment(world.db, after);
  const campaign = campaignById(world.db, after.campaignId);
  if (campaign !== undefined) {
    countChange(world, campaign, before, after);
  }
  if (before.interest !== after.interest) {
    noteInterest(world, after);
  }
  if (before.status !== after.status) {
    countUnsubscribed(world, before, after);
    tellStatus(world, before, after);
  }
  return after;
}

/** What would wait for a mailbox that is gone waits for a person instead. */
function strand(world: World, row: EnrollmentRow): EnrollmentRow {
  if (row.dueAt === null || row.accountId === null || hasAccount(world.db, row.accountId)) {
    return row;
  }
  return { ...row, dueAt: null, holdReason: "account_gone", holdDetail: null };
}

function countChange(
  world: World,
  campaign: CampaignRow,
  before: EnrollmentRow,
  after: EnrollmentRow,
): void {
  const opened = Number(isCounted(after)) - Number(isCounted(before));
  const row = { ...campaign, open: Math.max(0, campaign.open + opened) };
  if (before.status !== after.status) {
    const left = ENDS[before.status];
    const reached = ENDS[after.status];
    if (left !== undefined) {
      row[left] = Math.max(0, row[left] - 1);
    }
    if (reached !== undefined) {
      row[reached] += 1;
    }
  }
  if (opened !== 0 || before.status !== after.status) {
    updateCampaign(world.db, row);
  }
  if (opened > 0) {
    reviveCampaign(world, row);
  } else if (row.status === "active" && row.open === 0 && row.enrolled > 0) {
    completeCampaign(world, row);
  }
}

/** By when it ended so; nobody has written to who has no mailbox yet. */
function countUnsubscribed(world: World, before: EnrollmentRow, after: EnrollmentRow): void {
  for (const [row, by] of [
    [before, -1],
    [after, 1],
  ] as const) {
    if (row.status === "unsubscribed") {
      const { teamId, campaignId } = row;
      const accountId = row.accountId ?? NO_ID;
      countAt(world, { teamId, campaignId, accountId }, row.updatedAt, { unsubscribed: by });
    }
  }
}

function tellStatus(world: World, before: EnrollmentRow, after: EnrollmentRow): void {
  const data = {
    campaign_id: after.campaignId,
    lead_id: after.leadId,
    enrollment_id: after.id,
    previous: before.status,
    current: after.status,
    stop_reason: after.stopReason,
  };
  emit(world, after.teamId, "lead.status_changed", data);
  if (after.status === "completed") {
    emit(world, after.teamId, "lead.completed", data);
  }
  if (after.status === "unsubscribed") {
    emit(world, after.teamId, "lead.unsubscribed", data);
  }
}

/**
 * Ends an enrollment, or lets a late reply, bounce or opt-out override an earlier end. Returns it
 * unchanged where the earlier end stands. A message that waits for another try is not sent any more; one
 * that is under way is stopped before its body if that is still possible. What has a `cause` can be
 * taken back.
 */
export function endEnrollment(
  world: World,
  row: EnrollmentRow,
  status: EnrollmentStatus,
  stopReason: string,
  cause?: Cause,
): EnrollmentRow {
  const current = enrollmentById(world.db, row.id) ?? row;
  noteEnrollment(world, cause, current, { status, stopReason, dueAt: null });
  if (current.status === status || !mayEndAs(current.status, status)) {
    return current;
  }
  for (const message of deferredSteps(world.db, row.id)) {
    updateMessage(world.db, {
      ...message,
      status: "cancelled",
      response: `stopped: ${stopReason}`,
    });
  }
  return changeEnrollment(world, row, {
    status,
    stopReason,
    dueAt: null,
    holdReason: null,
    holdDetail: null,
  });
}

/** Pauses by hand (`until` null), or until an instant, after which the sequence goes on by itself. */
export function pauseEnrollment(
  world: World,
  row: EnrollmentRow,
  until: UnixMs | null,
  stopReason: string,
  cause?: Cause,
): EnrollmentRow {
  if (!isOpen(row.status)) {
    throw conflict(`a lead that is ${row.status} cannot be paused`, "status");
  }
  const dueAt = until === null ? null : intoWindow(world, row, until);
  const current = enrollmentById(world.db, row.id) ?? row;
  noteEnrollment(world, cause, current, { status: "paused", stopReason, dueAt });
  return changeEnrollment(world, row, { status: "paused", dueAt, stopReason });
}

/** Lets a paused or ended enrollment go on from where it was. */
export function resumeEnrollment(world: World, row: EnrollmentRow): EnrollmentRow {
  const opened = changeEnrollment(world, row, {
    status: row.currentStep === 0 && row.accountId === null ? "pending" : "active",
    stopReason: null,
    holdReason: null,
    holdDetail: null,
    dueAt: null,
  });
  const resumed = scheduleNext(world, opened, row.lastSentAt);
  wake(world, row);
  return resumed;
}

/** Leaves the enrollment waiting for a person. */
export function holdEnrollment(
  world: World,
  row: EnrollmentRow,
  reason: HoldReason,
  detail: string | null,
): EnrollmentRow {
  return changeEnrollment(world, row, { holdReason: reason, holdDetail: detail, dueAt: null });
}

/** Sets when it may next be taken; only an open enrollment has a next time. */
export function bookEnrollment(world: World, row: EnrollmentRow, at: UnixMs): EnrollmentRow {
  if (!isOpen(row.status) || row.holdReason !== null) {
    throw conflict(
      "this lead has no next attempt: it has ended or waits for a person",
      "next_attempt_at",
    );
  }
  if (row.dueAt === null && row.status !== "paused") {
    throw conflict("a message to this lead is under way; try again in a moment", "next_attempt_at");
  }
  const booked = changeEnrollment(world, row, { dueAt: unixMs(Math.max(at, row.enrolledAt + 1)) });
  wake(world, row);
  return booked;
}

/** A person's or a rule's judgement of a reply. */
export function setInterest(
  world: World,
  row: EnrollmentRow,
  interest: Interest | null,
  cause?: Cause,
): EnrollmentRow {
  const whose = { teamId: row.teamId, subjectId: row.id };
  note(world, cause, whose, "interest", [row.interest, interest]);
  if (row.interest === interest) {
    return row;
  }
  const after = changeEnrollment(world, row, { interest });
  setThreadInterest(world.db, row.id, interest);
  if (interest === "interested" || interest === "meeting") {
    emit(world, row.teamId, "lead.interested", {
      campaign_id: row.campaignId,
      lead_id: row.leadId,
      enrollment_id: row.id,
      interest,
    });
  }
  return after;
}

/** Sets the number of the step it has reached, 0 to the number of steps, and plans what follows. */
export function moveToStep(world: World, row: EnrollmentRow, currentStep: number): EnrollmentRow {
  if (!isOpen(row.status)) {
    throw conflict(`a lead that is ${row.status} has no next step`, "current_step");
  }
  const moved = changeEnrollment(world, row, { currentStep, attempts: 0, firstAttemptAt: null });
  wake(world, row);
  return row.dueAt === null ? moved : scheduleNext(world, moved, moved.lastSentAt);
}

/**
 * A step is done (sent at `at`, or a task finished): the enrollment stands at it, and the next one is
 * planned; without a next one the sequence is completed. An enrollment that has ended or was paused
 * meanwhile keeps that.
 */
export function advanceEnrollment(
  world: World,
  row: EnrollmentRow,
  step: StepRow | { position: number; type: StepRow["type"] },
  at: UnixMs,
): EnrollmentRow {
  const sent = step.type === "email" ? { lastSentAt: at } : {};
  const status = row.status === "pending" ? "active" : row.status;
  const moved = changeEnrollment(world, row, {
    ...sent,
    status,
    currentStep: Math.max(row.currentStep, step.position),
    attempts: 0,
    firstAttemptAt: null,
    holdReason: null,
    holdDetail: null,
  });
  if (!isOpen(moved.status) || (moved.status === "paused" && moved.dueAt === null)) {
    return moved;
  }
  return scheduleNext(world, moved, at, moved.dueAt);
}

/** Plans the next step by waiting from `from`; not before `notBefore`. Completes where there is none. */
export function scheduleNext(
  world: World,
  row: EnrollmentRow,
  from: UnixMs | null,
  notBefore: UnixMs | null = null,
): EnrollmentRow {
  const campaign = campaignById(world.db, row.campaignId);
  const step = upcomingStep(world, row);
  if (campaign === undefined || step === undefined) {
    return row.currentStep === 0 && row.lastSentAt === null
      ? changeEnrollment(world, row, { dueAt: row.enrolledAt })
      : endEnrollment(world, row, "completed", "sequence_finished");
  }
  if (from === null) {
    const dueAt = notBefore ?? row.enrolledAt;
    return changeEnrollment(world, row, { dueAt });
  }
  const zone = row.zone === "" ? null : row.zone;
  const dueAt = followUpDueAt(campaign.sendWindow, zone, from, step.waitDays);
  return changeEnrollment(world, row, {
    dueAt: notBefore !== null && notBefore > dueAt ? notBefore : dueAt,
  });
}

/** The step that an enrollment comes to next. */
export function upcomingStep(world: World, row: EnrollmentRow): StepRow | undefined {
  const steps = stepsOf(world.db, row.campaignId);
  return nextStep(steps, row.currentStep, stepsSentTo(world.db, row.id));
}

/**
 * A person decides about a message that may or may not have been delivered. Throws `conflict` when the
 * enrollment is not held for one.
 */
export function resolveUnknown(
  world: World,
  row: EnrollmentRow,
  action: "treat_as_sent" | "send_again",
): EnrollmentRow {
  const message = messagesOf(world.db, row.id).findLast(({ status, kind }) => {
    return kind === "step" && status === "unknown";
  });
  if (row.holdReason !== "unknown_send" || message === undefined) {
    throw conflict("no message to this lead is in doubt");
  }
  wake(world, row);
  if (action === "treat_as_sent") {
    const at = message.dataAt ?? message.claimedAt;
    noteSent(world, message, at, "treated as sent");
    const step = { position: message.stepPosition, type: "email" } as const;
    return advanceEnrollment(world, row, step, at);
  }
  // It may have been delivered: until it is taken up again an answer to it is still one to us.
  updateMessage(world.db, { ...message, status: "deferred" });
  return changeEnrollment(world, row, {
    holdReason: null,
    holdDetail: null,
    // Its mailbox may have written to this lead already, and stays the one that does.
    lastSentAt: row.lastSentAt ?? message.dataAt,
    dueAt: row.status === "paused" ? null : world.clock.now(),
  });
}

/** Records that a message was accepted: row, counters of campaign and step, event. */
export function noteSent(world: World, message: MessageRow, at: UnixMs, response: string): void {
  updateMessage(world.db, { ...message, status: "sent", sentAt: at, response });
  noteExposed(world, message, at);
  const campaign = campaignById(world.db, message.campaignId);
  if (campaign !== undefined) {
    updateCampaign(world.db, { ...campaign, sent: campaign.sent + 1 });
  }
  const step = stepById(world.db, message.stepId);
  if (step !== undefined) {
    updateStep(world.db, { ...step, sent: step.sent + 1 });
  }
  countAt(world, message, at, { sent: 1 });
  tellSent(world, message);
  countSend(world, message);
}

function intoWindow(world: World, row: EnrollmentRow, at: UnixMs): UnixMs {
  const campaign = campaignById(world.db, row.campaignId);
  const zone = row.zone === "" ? null : row.zone;
  return campaign === undefined ? at : nextOpening(campaign.sendWindow, zone, at).at;
}

function wake(world: World, row: EnrollmentRow): void {
  wakeAccounts(world.db, row.teamId);
  world.wake();
}
