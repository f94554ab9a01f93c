/** Tasks: a step that a person does. It holds the lead until it is done, then counts as an email sent. */

import { conflict, found } from "#domain/problem.ts";
import type { Caller, Environment } from "#environment.ts";
import { enrollmentById } from "#store/leads/enrollments.ts";
import {
  findTask,
  insertTask,
  type TaskWithLead,
  taskOfStep,
  updateTask,
} from "#store/leads/tasks.ts";
import { wakeAccounts } from "#store/mailboxes/accounts.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { StepRow } from "#store/tables/campaigns.ts";
import type { EnrollmentRow, TaskRow } from "#store/tables/leads.ts";
import { audit, emit } from "#usecases/events/record.ts";
import {
  advanceEnrollment,
  changeEnrollment,
  enrollmentFacts,
  holdEnrollment,
} from "./enrollments.ts";

/** An enrollment has come to a task: it waits until a person has done it. */
export function openTask(env: Environment, row: EnrollmentRow, step: StepRow): void {
  const now = env.clock.now();
  changeEnrollment(env, row, { nextPlaceId: step.placeId });
  holdEnrollment(env, row, "task", null);
  if (taskOfStep(env.db, row.id, step.id) !== undefined) {
    return;
  }
  const task: TaskRow = {
    id: env.ids.next(now),
    teamId: row.teamId,
    campaignId: row.campaignId,
    enrollmentId: row.id,
    leadId: row.leadId,
    stepId: step.id,
    subject: step.subject,
    body: step.body,
    note: null,
    createdAt: now,
    doneAt: null,
    skipped: false,
  };
  insertTask(env.db, task);
  emit(env, row.teamId, "task.created", {
    task_id: task.id,
    ...enrollmentFacts(env, row),
    step_id: task.stepId,
  });
}

interface TaskChange {
  done?: boolean;
  skipped?: boolean;
  note?: string | null;
}

/**
 * Notes, completes or skips a task. Either end lets the lead go on as an email sent does: the next step
 * waits from now. Throws `conflict` for undoing either, and for skipping what is done.
 */
export function patchTask(
  env: Environment,
  caller: Caller,
  id: Id,
  patch: TaskChange,
): TaskWithLead {
  const before = requireTask(env, caller, id);
  checkStays(before, patch);
  const now = env.clock.now();
  const isOver = patch.done === true || patch.skipped === true;
  const { email: _email, leadStatus: _status, ...task } = before;
  const after: TaskRow = {
    ...task,
    note: patch.note === undefined ? before.note : patch.note,
    doneAt: isOver ? (before.doneAt ?? now) : before.doneAt,
    skipped: patch.skipped ?? before.skipped,
  };
  if (after.note !== before.note || after.doneAt !== before.doneAt) {
    updateTask(env.db, after);
    if (before.doneAt === null && after.doneAt !== null) {
      goOn(env, after);
    }
    audit(env, caller, {
      action: "task.patch",
      target: `task:${id}`,
      before: { done: before.doneAt !== null, skipped: before.skipped },
      after: {
        done: after.doneAt !== null,
        skipped: after.skipped,
        note_changed: after.note !== before.note,
      },
    });
  }
  return requireTask(env, caller, id);
}

function checkStays({ doneAt, skipped }: TaskRow, change: TaskChange): void {
  if (doneAt === null) {
    return;
  }
  if (change.done === false) {
    throw conflict("a completed task can't be reopened because its lead has moved on", "done");
  }
  if (change.skipped !== undefined && change.skipped !== skipped) {
    const how = skipped ? "was skipped" : "is done";
    throw conflict(`a task that ${how} can't be changed because its lead has moved on`, "skipped");
  }
}

/** Throws `not_found` for another team's task as for one that never was. */
export function requireTask(env: Environment, caller: Caller, id: Id): TaskWithLead {
  return found(findTask(env.db, caller.teamId, id), "task");
}

/** A task whose step is gone lets its lead go on too. */
function goOn(env: Environment, task: TaskRow): void {
  const row = enrollmentById(env.db, task.enrollmentId);
  if (row?.holdReason !== "task") {
    return;
  }
  advanceEnrollment(env, row, "task", env.clock.now());
  wakeAccounts(env.db, task.teamId);
  env.wake();
}
