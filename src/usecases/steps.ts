/**
 * Steps: create, patch, move, delete. Positions run from 1 without holes; whoever inserts, moves or
 * deletes a step shifts the others. A campaign's steps may change while it runs.
 */

import { invalid, notFound, Problem } from "#domain/problem.ts";
import { defaultWaitDays, STEPS_MAX, type StepType } from "#domain/step.ts";
import { wakeAccounts } from "#store/accounts.ts";
import type { Id } from "#store/columns.ts";
import { findStep, insertStep, removeStep, stepsOf, updateStep } from "#store/steps.ts";
import type { StepRow } from "#store/tables/campaigns.ts";
import type { Caller, World } from "#world.ts";
import { ownCampaign } from "./campaigns.ts";
import { noteStepChanged } from "./exposures.ts";
import { retryMissing } from "./holds.ts";
import { audit } from "./journal.ts";

/** What a person may set, absent where it stays. */
export interface StepFields {
  type: StepType;
  subject: string | null;
  body: string | null;
  waitDays: number;
  /** 1-based; on creation absent means at the end. */
  position: number;
}

/** Throws `validation_error` for a position past the end or one step too many. */
export function createStep(
  world: World,
  caller: Caller,
  campaignId: Id,
  input: Partial<StepFields> & { type: StepType },
): StepRow {
  const campaign = ownCampaign(world, caller, campaignId);
  const others = stepsOf(world.db, campaign.id);
  if (others.length >= STEPS_MAX) {
    throw new Problem("validation_error", `a campaign has at most ${STEPS_MAX} steps`);
  }
  const now = world.clock.now();
  const position = input.position ?? others.length + 1;
  const row: StepRow = {
    id: world.ids.next(now),
    teamId: caller.teamId,
    campaignId: campaign.id,
    position,
    type: input.type,
    subject: orNull(input.subject),
    body: input.body ?? null,
    waitDays: input.waitDays ?? defaultWaitDays(position),
    sent: 0,
    replied: 0,
    bounced: 0,
    unsubscribed: 0,
    createdAt: now,
    updatedAt: now,
  };
  insertStep(world.db, row);
  arrange(world, insertAt(others, row, position));
  audit(world, caller, { action: "step.create", target: `step:${row.id}`, after: facts(row) });
  wake(world, caller);
  return row;
}

/** Merges `patch` into the step. One that changes nothing leaves `updated_at` alone. */
export function patchStep(
  world: World,
  caller: Caller,
  campaignId: Id,
  id: Id,
  patch: Partial<StepFields>,
): StepRow {
  const before = ownStep(world, caller, campaignId, id);
  const after: StepRow = { ...before, ...patch };
  after.subject = orNull(after.subject);
  if (JSON.stringify(before) === JSON.stringify(after)) {
    return before;
  }
  const others = stepsOf(world.db, before.campaignId).filter((step) => step.id !== before.id);
  const order = insertAt(others, after, after.position);
  const row = { ...after, updatedAt: world.clock.now() };
  updateStep(world.db, row);
  arrange(world, order);
  audit(world, caller, {
    action: "step.patch",
    target: `step:${row.id}`,
    before: facts(before),
    after: facts(row),
  });
  if (before.subject !== row.subject || before.body !== row.body || before.type !== row.type) {
    retryMissing(world, { campaignId: row.campaignId });
    noteStepChanged(world, row);
  }
  wake(world, caller);
  return row;
}

/**
 * Closes the gap that the step leaves. Enrollments go on from the number that they have reached, and an
 * open task outlives its step: done, it lets its lead go on.
 */
export function deleteStep(world: World, caller: Caller, campaignId: Id, id: Id): void {
  const row = ownStep(world, caller, campaignId, id);
  removeStep(world.db, row.id);
  arrange(world, stepsOf(world.db, row.campaignId));
  retryMissing(world, { campaignId: row.campaignId });
  audit(world, caller, { action: "step.delete", target: `step:${row.id}`, before: facts(row) });
  wake(world, caller);
}

/** Throws `not_found` for another campaign's step as for one that never was. */
export function ownStep(world: World, caller: Caller, campaignId: Id, id: Id): StepRow {
  const campaign = ownCampaign(world, caller, campaignId);
  const row = findStep(world.db, caller.teamId, id);
  if (row === undefined || row.campaignId !== campaign.id) {
    throw notFound("step");
  }
  return row;
}

function insertAt(others: readonly StepRow[], row: StepRow, position: number): StepRow[] {
  if (position < 1 || position > others.length + 1) {
    throw invalid("position", `must be 1 to ${others.length + 1}: positions have no holes`);
  }
  return [...others.slice(0, position - 1), row, ...others.slice(position - 1)];
}

/** Writes the positions that differ from the order of `rows`. */
function arrange(world: World, rows: readonly StepRow[]): void {
  const now = world.clock.now();
  for (const [index, row] of rows.entries()) {
    if (row.position !== index + 1) {
      updateStep(world.db, { ...row, position: index + 1, updatedAt: now });
    }
  }
}

/** An empty subject is none: a follow-up in the same thread. */
function orNull(subject: string | null | undefined): string | null {
  return subject === undefined || subject === null || subject.trim() === "" ? null : subject;
}

function wake(world: World, caller: Caller): void {
  wakeAccounts(world.db, caller.teamId);
  world.wake();
}

/** The settable part for the audit log. */
function facts({ position, type, subject, body, waitDays }: StepRow): Record<string, unknown> {
  return { position, type, subject, body, wait_days: waitDays };
}
