/**
 * Enrollments: every move of a lead through a sequence. The engine, people and what comes back all pass
 * here, so that counters, events and the campaign's completion follow in the same transaction.
 */

import {
  type EnrollmentStatus,
  type HoldReason,
  isOpen,
  keptEnded,
  mayEndAs,
  shareOf,
} from "#domain/campaigns/enrollment.ts";
import { dueAtFor } from "#domain/campaigns/schedule.ts";
import { nextStep, placeOfStep } from "#domain/campaigns/sequence.ts";
import type { Wait } from "#domain/campaigns/step.ts";
import type { EnrollmentFacts } from "#domain/event-data.ts";
import { conflict } from "#domain/problem.ts";
import { type UnixMs, unixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { campaignById, updateCampaign } from "#store/campaigns/campaigns.ts";
import { sequenceOf, stepById, updateStep } from "#store/campaigns/steps.ts";
import { enrollmentById, standingBeside, updateEnrollment } from "#store/leads/enrollments.ts";
import { findLeadById } from "#store/leads/leads.ts";
import { hasAccount, wakeAccounts } from "#store/mailboxes/accounts.ts";
import { assignedByEnrollment } from "#store/sending/exposures.ts";
import {
  deferredSteps,
  firstSentTo,
  hasReply,
  stepsSentTo,
  updateMessage,
} from "#store/sending/messages.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { StepRow } from "#store/tables/campaigns.ts";
import type { EnrollmentRow } from "#store/tables/leads.ts";
import type { StepMessage } from "#store/tables/messages.ts";
import { countLeads, lessCounts } from "#usecases/campaigns/campaigns.ts";
import { recordExposed, recordInterest, recordOptedOut } from "#usecases/campaigns/exposures.ts";
import { countAt, countProvider } from "#usecases/campaigns/figures.ts";
import { countSend } from "#usecases/campaigns/negative-events.ts";
import { type Cause, recordEnrollment } from "#usecases/events/effect-log.ts";
import { emitSent } from "#usecases/events/email-events.ts";
import { emit } from "#usecases/events/record.ts";
import { moveByRule, withdrawMoves } from "./moves.ts";

/** Why a sequence without a next step has ended. */
const FINISHED = "sequence_finished";

/**
 * Changes an enrollment, with everything that follows from the difference. All changes end here. `row`
 * says which one: what is changed is the enrollment as it is now, so an older copy does no harm. Several
 * changes follow each other and are written once.
 */
export function changeEnrollment(
  env: Environment,
  row: EnrollmentRow,
  ...changes: readonly Partial<EnrollmentRow>[]
): EnrollmentRow {
  const states = [enrollmentById(env.db, row.id) ?? row];
  for (const change of changes) {
    const after = { ...(states.at(-1) ?? row), ...change, updatedAt: env.clock.now() };
    states.push(strand(env, keptEnded(after)));
  }
  const last = states.at(-1) ?? row;
  updateEnrollment(env.db, last);
  for (const [index, after] of states.slice(1).entries()) {
    follow(env, states[index] ?? row, after);
  }
  return last;
}

function follow(env: Environment, before: EnrollmentRow, after: EnrollmentRow): void {
  const campaign = campaignById(env.db, after.campaignId);
  const isMoved = before.status !== after.status;
  if (campaign !== undefined && (isMoved || before.holdReason !== after.holdReason)) {
    countLeads(env, campaign, lessCounts(shareOf(after), shareOf(before)));
  }
  if (before.interest !== after.interest) {
    recordInterest(env, after);
  }
  if (isMoved) {
    countUnsubscribed(env, before, after);
    if (before.status === "unsubscribed" || after.status === "unsubscribed") {
      recordOptedOut(env, after);
    }
    emitStatus(env, before, after);
    followSilence(env, before, after);
  }
}

/** Who was sent everything and hasn't replied may be moved on by a rule, and comes back with whatever ends that. */
function followSilence(env: Environment, before: EnrollmentRow, after: EnrollmentRow): void {
  if (isFinished(before)) {
    withdrawMoves(env, after, (on) => on === "completed");
  } else if (isFinished(after) && !hasReply(env.db, after.id)) {
    moveByRule(env, after, "completed");
  }
}

function isFinished({ status, stopReason }: EnrollmentRow): boolean {
  return status === "completed" && stopReason === FINISHED;
}

/** What would wait for a mailbox that is gone waits for a person instead. */
function strand(env: Environment, row: EnrollmentRow): EnrollmentRow {
  if (row.dueAt === null || row.accountId === null || hasAccount(env.db, row.accountId)) {
    return row;
  }
  return { ...row, dueAt: null, holdReason: "account_gone", holdDetail: null };
}

/** Under which figures of leads are counted to whom no mailbox has written yet. */
const NO_ACCOUNT: Id = "00000000-0000-0000-0000-000000000000";

/** By when it ended so; nobody has written to who has no mailbox yet. */
function countUnsubscribed(env: Environment, before: EnrollmentRow, after: EnrollmentRow): void {
  for (const [row, by] of [
    [before, -1],
    [after, 1],
  ] as const) {
    if (row.status === "unsubscribed") {
      const { teamId, campaignId } = row;
      const accountId = row.accountId ?? NO_ACCOUNT;
      countAt(env, { teamId, campaignId, accountId }, row.updatedAt, { unsubscribed: by });
    }
  }
}

/** What an event names an enrollment by. */
export function enrollmentFacts(
  { db }: Environment,
  { id, campaignId, leadId }: EnrollmentRow,
): EnrollmentFacts {
  return {
    campaign_id: campaignId,
    lead_id: leadId,
    enrollment_id: id,
    email: findLeadById(db, leadId)?.email ?? null,
    assignments: (assignedByEnrollment(db, [id]).get(id) ?? []).map(
      ({ experimentId: experiment_id, variantId: variant_id }) => ({ experiment_id, variant_id }),
    ),
  };
}

function emitStatus(env: Environment, before: EnrollmentRow, after: EnrollmentRow): void {
  const data = {
    ...enrollmentFacts(env, after),
    previous: before.status,
    current: after.status,
    stop_reason: after.stopReason,
  };
  emit(env, after.teamId, "lead.status_changed", data);
  if (after.status === "completed") {
    emit(env, after.teamId, "lead.completed", data);
  }
  if (after.status === "unsubscribed") {
    emit(env, after.teamId, "lead.unsubscribed", data);
  }
}

/**
 * Ends an enrollment, or lets a late reply, bounce or opt-out override an earlier end. Returns it
 * unchanged where the earlier end stands. A message that waits for another try is not sent any more; one
 * that is under way is stopped before its body if that is still possible. What has a `cause` can be
 * taken back.
 */
export function endEnrollment(
  env: Environment,
  row: EnrollmentRow,
  status: EnrollmentStatus,
  stopReason: string,
  cause?: Cause,
): EnrollmentRow {
  const current = enrollmentById(env.db, row.id) ?? row;
  const standing = current.merged > 0 ? standingBeside(env.db, current) : undefined;
  if (standing !== undefined && BY_PERSON.has(status)) {
    endEnrollment(env, standing, status, stopReason, cause);
  }
  recordEnrollment(env, cause, current, { status, stopReason, dueAt: null });
  if (current.status === status || !mayEndAs(current.status, status)) {
    return current;
  }
  cancelDeferred(env, row.id, stopReason);
  return changeEnrollment(env, row, endedAs(status, stopReason));
}

/** What a person does ends the sequence to them, whichever of their addresses they do it from. */
const BY_PERSON: ReadonlySet<EnrollmentStatus> = new Set(["replied", "unsubscribed", "suppressed"]);

function cancelDeferred(env: Environment, enrollmentId: Id, stopReason: string): void {
  for (const message of deferredSteps(env.db, enrollmentId)) {
    updateMessage(env.db, { ...message, status: "cancelled", response: `stopped: ${stopReason}` });
  }
}

function endedAs(status: EnrollmentStatus, stopReason: string): Partial<EnrollmentRow> {
  return { status, stopReason, dueAt: null, holdReason: null, holdDetail: null };
}

/** Lets a paused or ended enrollment go on from where it was, with what remains of its wait. */
export function resumeEnrollment(env: Environment, row: EnrollmentRow): EnrollmentRow {
  const opened = changeEnrollment(env, row, {
    status: statusInSequence(row),
    stopReason: null,
    holdReason: null,
    holdDetail: null,
    dueAt: null,
    notBefore: null,
  });
  const resumed = scheduleNext(env, opened);
  wake(env, row);
  return resumed;
}

/** How an enrollment that goes on is called. */
export function statusInSequence(row: EnrollmentRow): "pending" | "active" {
  return row.placeId === null && row.accountId === null ? "pending" : "active";
}

/** Leaves the enrollment waiting for a person. */
export function holdEnrollment(
  env: Environment,
  row: EnrollmentRow,
  reason: HoldReason,
  detail: string | null,
): EnrollmentRow {
  return changeEnrollment(env, row, { holdReason: reason, holdDetail: detail, dueAt: null });
}

/** Sets when it may next be taken; only an open enrollment has a next time. */
export function bookEnrollment(env: Environment, row: EnrollmentRow, at: UnixMs): EnrollmentRow {
  if (!isOpen(row.status) || row.holdReason !== null) {
    throw conflict(
      "this lead has no next email: its sequence has ended or is on hold",
      "next_attempt_at",
    );
  }
  if (row.dueAt === null && row.status !== "paused") {
    throw conflict("an email to this lead is being sent; try again in a moment", "next_attempt_at");
  }
  const bookedAt = unixMs(Math.max(at, row.enrolledAt + 1));
  const booked = changeEnrollment(env, row, { bookedAt, notBefore: null, dueAt: bookedAt });
  wake(env, row);
  return booked;
}

/** Sets the number of the step it has reached, 0 to the number of steps, and plans what follows. */
export function moveToStep(
  env: Environment,
  row: EnrollmentRow,
  currentStep: number,
): EnrollmentRow {
  if (!isOpen(row.status)) {
    throw conflict(`a lead that is ${row.status} has no next step`, "current_step");
  }
  const moved = changeEnrollment(env, row, {
    placeId: placeOfStep(sequenceOf(env.db, row.campaignId), currentStep),
    nextPlaceId: null,
    attempts: 0,
    firstAttemptAt: null,
    ...(row.status === "paused" ? {} : { bookedAt: null, notBefore: null }),
  });
  wake(env, row);
  return row.dueAt === null ? moved : scheduleNext(env, moved);
}

/**
 * The step is done that the enrollment was claimed for (sent at `at`, or a task finished): it stands
 * there, and the next one is planned; without a next one the sequence is completed. An enrollment that has
 * ended or was paused meanwhile keeps that.
 */
export function advanceEnrollment(
  env: Environment,
  row: EnrollmentRow,
  type: StepRow["type"],
  at: UnixMs,
): EnrollmentRow {
  const change = {
    ...(type === "email" ? { lastSentAt: at } : {}),
    status: row.status === "pending" ? "active" : row.status,
    placeId: row.nextPlaceId ?? row.placeId,
    nextPlaceId: null,
    waitsFrom: at,
    attempts: 0,
    firstAttemptAt: null,
    holdReason: null,
    holdDetail: null,
    ...(row.status === "paused" ? {} : { bookedAt: null, notBefore: null }),
  };
  const moved = { ...(enrollmentById(env.db, row.id) ?? row), ...change };
  if (!isOpen(moved.status) || (moved.status === "paused" && moved.dueAt === null)) {
    return changeEnrollment(env, row, change);
  }
  const step = upcomingStep(env, moved);
  if (step === undefined) {
    cancelDeferred(env, row.id, FINISHED);
    return changeEnrollment(env, row, change, endedAs("completed", FINISHED));
  }
  return changeEnrollment(env, row, { ...change, dueAt: dueAtOf(env, moved, step) });
}

/** Plans the next step. Completes where there is none. */
export function scheduleNext(env: Environment, row: EnrollmentRow): EnrollmentRow {
  const step = upcomingStep(env, row);
  if (step === undefined) {
    return row.placeId === null && row.waitsFrom === null
      ? changeEnrollment(env, row, { dueAt: row.enrolledAt })
      : endEnrollment(env, row, "completed", FINISHED);
  }
  return changeEnrollment(env, row, { dueAt: dueAtOf(env, row, step) });
}

/** When an enrollment is due for the step that it comes to next. */
export function dueAtOf(env: Environment, row: EnrollmentRow, step: Wait): UnixMs {
  const window = campaignById(env.db, row.campaignId)?.sendWindow;
  return window === undefined ? row.enrolledAt : dueAtFor(window, row, step);
}

/** The step that an enrollment comes to next. */
export function upcomingStep(env: Environment, row: EnrollmentRow): StepRow | undefined {
  const sequence = sequenceOf(env.db, row.campaignId);
  return nextStep(sequence, row.placeId, stepsSentTo(env.db, row));
}

/** Records that a message was accepted: row, counters of campaign and step, event. */
export function markSent(
  env: Environment,
  message: StepMessage,
  at: UnixMs,
  response: string,
): void {
  const first = firstSentTo(env.db, message.enrollmentId);
  updateMessage(env.db, { ...message, status: "sent", sentAt: at, response });
  recordExposed(env, message, at);
  const campaign = campaignById(env.db, message.campaignId);
  if (campaign !== undefined) {
    const contacted = campaign.contacted + Number(first === undefined);
    updateCampaign(env.db, { ...campaign, sent: campaign.sent + 1, contacted });
  }
  const step = stepById(env.db, message.stepId);
  if (step !== undefined) {
    updateStep(env.db, { ...step, sent: step.sent + 1 });
  }
  countAt(env, message, at, { sent: 1 });
  countProvider(env, message, { accepted: 1 });
  if (first === undefined || at < first.sentAt) {
    const contactedReplied = Number(hasReply(env.db, message.enrollmentId));
    countAt(env, message, at, { contacted: 1, contactedReplied });
    if (first !== undefined) {
      const taken = { contacted: -1, contactedReplied: -contactedReplied };
      countAt(env, first, first.sentAt, taken);
    }
  }
  emitSent(env, message);
  countSend(env, message);
}

function wake(env: Environment, row: EnrollmentRow): void {
  wakeAccounts(env.db, row.teamId);
  env.wake();
}
