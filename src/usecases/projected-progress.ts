/** How far each enrollment has come in a projected future. */

import { nextStep } from "#domain/step.ts";
import type { Id } from "#store/columns.ts";
import { enrollmentById } from "#store/enrollments.ts";
import { stepsSentTo } from "#store/messages.ts";
import { stepsOf } from "#store/steps.ts";
import type { StepRow } from "#store/tables/campaigns.ts";
import type { EnrollmentRow } from "#store/tables/leads.ts";
import type { World } from "#world.ts";
import { barOf } from "./outbox.ts";

export interface Progress {
  /** As it is in the file. */
  row: EnrollmentRow;
  currentStep: number;
  sent: Set<Id>;
  /** It must not be written to. */
  isBarred: boolean;
}

export interface ProjectedProgress {
  /** Undefined where there is no such enrollment. What is changed in it stays changed. */
  of(enrollmentId: Id): Progress | undefined;
  /** The step that comes next, or undefined after the last. */
  next(progress: Progress): StepRow | undefined;
}

export function projectProgress(world: World): ProjectedProgress {
  const known = new Map<Id, Progress>();
  const steps = new Map<Id, StepRow[]>();
  return {
    of: (enrollmentId) => {
      let progress = known.get(enrollmentId);
      const row = progress === undefined ? enrollmentById(world.db, enrollmentId) : undefined;
      if (row !== undefined) {
        const sent = stepsSentTo(world.db, row.id);
        const isBarred = barOf(world, row) !== null;
        progress = { row, currentStep: row.currentStep, sent, isBarred };
        known.set(enrollmentId, progress);
      }
      return progress;
    },
    next: ({ row, currentStep, sent }) => {
      let list = steps.get(row.campaignId);
      if (list === undefined) {
        list = stepsOf(world.db, row.campaignId);
        steps.set(row.campaignId, list);
      }
      return nextStep(list, currentStep, sent);
    },
  };
}
