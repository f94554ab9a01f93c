/**
 * Steps: create, patch, move, delete. Positions run from 1 without holes; whoever inserts, moves or
 * deletes a step shifts the others. A campaign's steps may change while it runs: `domain/campaigns/sequence.ts` says
 * where that leaves the leads who are under way.
 */

import { type Sequence, withoutStep, withStep, withStepMoved } from "#domain/campaigns/sequence.ts";
import { defaultWaitDays, STEPS_MAX, type StepType } from "#domain/campaigns/step.ts";
import { invalid, notFound, Problem } from "#domain/problem.ts";
import type { BodyFormat } from "#domain/sending/text-to-html.ts";
import type { Caller, Environment } from "#environment.ts";
import {
  findStep,
  insertStep,
  removeStep,
  saveLeftPlaces,
  sequenceOf,
  updateStep,
} from "#store/campaigns/steps.ts";
import { listExperiments, updateExperiment } from "#store/experiments/experiments.ts";
import { wakeAccounts } from "#store/mailboxes/accounts.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { StepRow } from "#store/tables/campaigns.ts";
import { checkCarried, checkVariantsCarry } from "#usecases/campaigns/attachments.ts";
import { requireCampaign } from "#usecases/campaigns/campaigns.ts";
import { recordStepChanged } from "#usecases/campaigns/exposures.ts";
import { audit } from "#usecases/events/record.ts";
import { retryCampaign } from "./holds.ts";
import { rescheduleCampaign } from "./reschedule.ts";

/** What a person may set, absent where it stays. */
export interface StepFields {
  type: StepType;
  subject: string | null;
  body: string | null;
  /** Null: what the body looks like. */
  format: BodyFormat | null;
  /** Files that its emails carry. */
  attachmentIds: readonly Id[];
  waitDays: number;
  waitMinutes: number;
  /** 1-based; on creation absent means at the end. */
  position: number;
}

/** What a person asks of a campaign's steps. */
export type StepChange =
  | { kind: "create"; input: Partial<StepFields> & { type: StepType } }
  | { kind: "patch"; id: Id; patch: Partial<StepFields> }
  | { kind: "delete"; id: Id };

/** The steps of a campaign around a change. */
export interface StepPlan {
  before: Sequence<StepRow>;
  after: Sequence<StepRow>;
  /** The step that is changed, as it becomes or as it was; its position is that in `after`. */
  row: StepRow;
}

/**
 * What a change makes of the steps; writes nothing. Throws `not_found`, and `validation_error` for a
 * position past the end, one step too many, or files that its emails can't carry.
 */
export function planStep(
  env: Environment,
  caller: Caller,
  campaignId: Id,
  change: StepChange,
): StepPlan {
  const campaign = requireCampaign(env, caller, campaignId);
  const before = sequenceOf(env.db, campaign.id);
  if (change.kind === "create") {
    const row = newStep(env, caller, campaign.id, change.input, before.steps.length);
    checkCarried(env, caller.teamId, row);
    return { before, after: withStep(before, row, row.position), row };
  }
  const known = requireStep(env, caller, campaign.id, change.id);
  if (change.kind === "delete") {
    return { before, after: withoutStep(before, known.id), row: known };
  }
  const row: StepRow = {
    ...known,
    ...change.patch,
    attachmentIds: lowerCase(change.patch.attachmentIds ?? known.attachmentIds),
  };
  row.subject = orNull(row.subject);
  if (campaign.startedAt !== null && saysOther(known, row)) {
    row.revision += 1;
  }
  checkCarried(env, caller.teamId, row);
  if (change.patch.attachmentIds !== undefined) {
    checkVariantsCarry(env, { ...row, position: known.position });
  }
  checkPosition(row.position, before.steps.length);
  const newPlaceId = env.ids.next(env.clock.now());
  const after =
    row.position === known.position
      ? { ...before, steps: before.steps.with(row.position - 1, row) }
      : withStepMoved(before, row, row.position, newPlaceId);
  return { before, after, row };
}

/** Throws as {@link planStep}. */
export function createStep(
  env: Environment,
  caller: Caller,
  campaignId: Id,
  input: Partial<StepFields> & { type: StepType },
): StepRow {
  const plan = planStep(env, caller, campaignId, { kind: "create", input });
  const { row } = plan;
  carryOut(env, caller, plan);
  audit(env, caller, { action: "step.create", target: `step:${row.id}`, after: facts(row) });
  return row;
}

/** Merges `patch` into the step. One that changes nothing leaves `updated_at` alone. Throws as {@link planStep}. */
export function patchStep(
  env: Environment,
  caller: Caller,
  campaignId: Id,
  id: Id,
  patch: Partial<StepFields>,
): StepRow {
  const plan = planStep(env, caller, campaignId, { kind: "patch", id, patch });
  const before = plan.before.steps.find((step) => step.id === id) ?? plan.row;
  if (JSON.stringify(facts(before)) === JSON.stringify(facts(plan.row))) {
    return before;
  }
  carryOut(env, caller, plan);
  const row = requireStep(env, caller, campaignId, id);
  audit(env, caller, {
    action: "step.patch",
    target: `step:${row.id}`,
    before: facts(before),
    after: facts(row),
  });
  if (saysOther(before, row)) {
    retryCampaign(env, row.campaignId);
    recordStepChanged(env, row);
  }
  return row;
}

/**
 * Closes the gap that the step leaves. Who was sent it goes on with the step behind it, and an open task
 * outlives its step: done, it lets its lead go on. Throws as {@link planStep}.
 */
export function deleteStep(env: Environment, caller: Caller, campaignId: Id, id: Id): void {
  const plan = planStep(env, caller, campaignId, { kind: "delete", id });
  const { row } = plan;
  removeStep(env.db, row.id);
  carryOut(env, caller, plan);
  retryCampaign(env, row.campaignId);
  audit(env, caller, { action: "step.delete", target: `step:${row.id}`, before: facts(row) });
}

/** Throws `not_found` for another campaign's step as for one that never was. */
export function requireStep(env: Environment, caller: Caller, campaignId: Id, id: Id): StepRow {
  const campaign = requireCampaign(env, caller, campaignId);
  const row = findStep(env.db, caller.teamId, id);
  if (row === undefined || row.campaignId !== campaign.id) {
    throw notFound("step");
  }
  return row;
}

function newStep(
  env: Environment,
  caller: Caller,
  campaignId: Id,
  input: Partial<StepFields> & { type: StepType },
  others: number,
): StepRow {
  if (others >= STEPS_MAX) {
    throw new Problem("validation_error", `a campaign has at most ${STEPS_MAX} steps`);
  }
  const now = env.clock.now();
  const id = env.ids.next(now);
  const position = input.position ?? others + 1;
  checkPosition(position, others + 1);
  return {
    id,
    teamId: caller.teamId,
    campaignId,
    position,
    placeId: id,
    type: input.type,
    subject: orNull(input.subject),
    body: input.body ?? null,
    format: input.format ?? null,
    attachmentIds: lowerCase(input.attachmentIds ?? []),
    revision: 1,
    waitDays: input.waitDays ?? defaultWaitDays(position),
    waitMinutes: input.waitMinutes ?? 0,
    sent: 0,
    replied: 0,
    bounced: 0,
    unsubscribed: 0,
    createdAt: now,
    updatedAt: now,
  };
}

function checkPosition(position: number, most: number): void {
  if (position < 1 || position > most) {
    throw invalid("position", `must be 1 to ${most}, so that positions have no gaps`);
  }
}

/** Writes the steps that differ and what follows from their order. */
function carryOut(env: Environment, caller: Caller, { before, after, row }: StepPlan): void {
  const now = env.clock.now();
  const known = new Map(before.steps.map((step) => [step.id, step]));
  for (const [index, step] of after.steps.entries()) {
    const next = { ...step, position: index + 1 };
    const old = known.get(step.id);
    if (old === undefined) {
      insertStep(env.db, next);
    } else if (JSON.stringify(old) !== JSON.stringify(next)) {
      updateStep(env.db, { ...next, updatedAt: now });
    }
  }
  saveLeftPlaces(env.db, row, after.left);
  moveExperiments(env, before, after, row);
  rescheduleCampaign(env, row.campaignId);
  wakeAccounts(env.db, caller.teamId);
  env.wake();
}

/** Experiments go with their step; one without a step yet with the one that it would govern. */
function moveExperiments(
  env: Environment,
  before: Sequence<StepRow>,
  after: Sequence<StepRow>,
  { teamId, campaignId }: StepRow,
): void {
  for (const row of listExperiments(env.db, teamId, { campaignId, offset: 0 })) {
    const stepId = row.stepId ?? before.steps[row.stepPosition - 1]?.id;
    const index = after.steps.findIndex(({ id }) => id === stepId);
    if (index >= 0 && index + 1 !== row.stepPosition) {
      updateExperiment(env.db, { ...row, stepPosition: index + 1 });
    }
  }
}

function lowerCase(ids: readonly Id[]): Id[] {
  return ids.map((id) => id.toLowerCase());
}

/** An empty subject is none: a follow-up in the same thread. */
function orNull(subject: string | null | undefined): string | null {
  return subject === undefined || subject === null || subject.trim() === "" ? null : subject;
}

/** Whether emails made of the step now are others than those made before. */
function saysOther(before: StepRow, after: StepRow): boolean {
  const content = ({ type, subject, body, format, attachmentIds }: StepRow) =>
    JSON.stringify([type, subject, body, format, attachmentIds]);
  return content(before) !== content(after);
}

/** For the audit log, of which the history of a step's text is made. */
function facts(row: StepRow): Record<string, unknown> {
  const { position, type, subject, body, format, attachmentIds, revision } = row;
  const said = { position, type, subject, body, format, attachment_ids: attachmentIds, revision };
  return { ...said, wait_days: row.waitDays, wait_minutes: row.waitMinutes };
}
