/** How far each enrollment has come in a projected future. */

import { dueAtFor, type Waiting } from "#domain/campaigns/schedule.ts";
import { nextStep, type Sequence } from "#domain/campaigns/sequence.ts";
import type { UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { sequenceOf } from "#store/campaigns/steps.ts";
import { enrollmentById } from "#store/leads/enrollments.ts";
import { findLeadById } from "#store/leads/leads.ts";
import { stepsSentTo } from "#store/sending/messages.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { CampaignRow, StepRow } from "#store/tables/campaigns.ts";
import type { EnrollmentRow, LeadRow } from "#store/tables/leads.ts";
import { barOf } from "#usecases/sending/claim-step.ts";

export interface Progress {
  /** As they are in the file. */
  row: EnrollmentRow;
  lead: LeadRow | undefined;
  placeId: Id | null;
  waiting: Waiting;
  sent: Set<Id>;
  /** The projection has sent it something. */
  isWritten: boolean;
  /** It must not be written to. */
  isBarred: boolean;
}

export interface ProjectedProgress {
  /** Undefined where there is no such enrollment. What is changed in it stays changed. */
  of(enrollmentId: Id): Progress | undefined;
  /** Of a lead that comes into a campaign. */
  add(row: EnrollmentRow): void;
  /** The step that comes next, or undefined after the last. */
  next(progress: Progress): StepRow | undefined;
  /** It was sent a step at `at`. `isUnderWay`: claimed before the projection began. */
  advance(progress: Progress, sent: { stepId: Id; at: UnixMs; isUnderWay: boolean }): void;
}

export function projectProgress(env: Environment): ProjectedProgress {
  const known = new Map<Id, Progress>();
  const sequences = new Map<Id, Sequence<StepRow>>();
  const sequence = (campaignId: Id) => {
    let found = sequences.get(campaignId);
    if (found === undefined) {
      found = sequenceOf(env.db, campaignId);
      sequences.set(campaignId, found);
    }
    return found;
  };
  return {
    of: (enrollmentId) => {
      let progress = known.get(enrollmentId);
      const row = progress === undefined ? enrollmentById(env.db, enrollmentId) : undefined;
      if (row !== undefined) {
        progress = progressOf(env, row);
        known.set(enrollmentId, progress);
      }
      return progress;
    },
    add: (row) => void known.set(row.id, progressOf(env, row)),
    next: ({ row, placeId, sent }) => nextStep(sequence(row.campaignId), placeId, sent),
    advance: (progress, { stepId, at, isUnderWay }) => {
      const { row, waiting } = progress;
      const step = sequence(row.campaignId).steps.find(({ id }) => id === stepId);
      const placeId = isUnderWay ? row.nextPlaceId : step?.placeId;
      progress.placeId = placeId ?? progress.placeId;
      const isKept = isUnderWay && row.status === "paused";
      const bookings = isKept ? {} : { bookedAt: null, notBefore: null };
      progress.waiting = { ...waiting, ...bookings, waitsFrom: at };
      progress.sent.add(stepId);
      progress.isWritten = true;
    },
  };
}

/** Tens of thousands are kept at once in a long projection: nothing in it is there twice. */
function progressOf(env: Environment, row: EnrollmentRow): Progress {
  const { placeId, zone, enrolledAt, waitsFrom, bookedAt, notBefore } = row;
  const lead = findLeadById(env.db, row.leadId);
  return {
    ...{ row, lead, placeId },
    waiting: { zone, enrolledAt, waitsFrom, bookedAt, notBefore },
    sent: stepsSentTo(env.db, row),
    isWritten: false,
    isBarred: lead === undefined || barOf(env, row, lead.email) !== null,
  };
}

/** When the projection finds it due for `step`. */
export function projectedDueAt(
  campaign: CampaignRow,
  { waiting }: Progress,
  step: StepRow,
): UnixMs {
  return dueAtFor(campaign.sendWindow, waiting, step);
}

/** Until when it waits although it is in the queue at `at`, as the claim finds too; undefined: it is its turn. */
export function waitsOn(
  campaign: CampaignRow | undefined,
  progress: Progress,
  step: StepRow,
  at: UnixMs,
): UnixMs | undefined {
  if (campaign === undefined || progress.isBarred || progress.isWritten) {
    return undefined;
  }
  const dueAt = projectedDueAt(campaign, progress, step);
  return dueAt > at ? dueAt : undefined;
}
