/** Steps of a sequence: an email, or a task that waits for a person. */

export const STEP_TYPES = ["email", "task"] as const;
export type StepType = (typeof STEP_TYPES)[number];

/** Steps of one campaign. */
export const STEPS_MAX = 50;

/** Days to wait before a step where none are given: none before the first, three before the others. */
export function defaultWaitDays(position: number): number {
  return position === 1 ? 0 : 3;
}

/** What comes next for an enrollment. */
export interface StepPlace {
  id: string;
  /** 1-based. */
  position: number;
}

/**
 * The step that follows `currentStep`: the next position that was not yet sent to this enrollment, so
 * that inserting or moving steps never writes the same step to somebody twice. Undefined at the end.
 * `steps` are in order of position.
 */
export function nextStep<Step extends StepPlace>(
  steps: readonly Step[],
  currentStep: number,
  sentStepIds: ReadonlySet<string>,
): Step | undefined {
  return steps.find((step) => step.position > currentStep && !sentStepIds.has(step.id));
}
