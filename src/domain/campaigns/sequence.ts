/**
 * The order of a campaign's steps while it changes under the leads who are on their way through it.
 *
 * A lead stands at a *place*: that of the last step it was sent. A step that is moved ahead takes its place
 * with it. One that is deleted or moved back leaves its place where it was, so that whoever stands there
 * goes on with the step behind it.
 *
 * Source: ours; the seed says nothing of steps that change while a campaign runs.
 */

/** What the order of a sequence needs to know of a step. */
export interface StepPlace {
  id: string;
  placeId: string;
}

export interface Sequence<Step extends StepPlace = StepPlace> {
  /** In order. */
  steps: readonly Step[];
  /** Places that steps have left, each with the number of steps that come before it. */
  left: ReadonlyMap<string, number>;
}

/** How many steps lie up to a place, the step at it included: the number of the last step sent. */
export function stepsUpTo({ steps, left }: Sequence, placeId: string | null): number {
  return placeId === null
    ? 0
    : (left.get(placeId) ?? steps.findIndex((step) => step.placeId === placeId) + 1);
}

/** The places up to which as many steps lie: what comes next to whoever stands there is the same. */
export function placesAfter(sequence: Sequence, steps: number): (string | null)[] {
  const left = [...sequence.left].filter(([, before]) => before === steps);
  return [placeOfStep(sequence, steps), ...left.map(([id]) => id)];
}

/** The place of the step with this number, 1-based; null before the first. */
export function placeOfStep({ steps }: Sequence, number: number): string | null {
  return steps[number - 1]?.placeId ?? null;
}

/** The first step behind a place that is not among `sentStepIds`; undefined at the end. */
export function nextStep<Step extends StepPlace>(
  sequence: Sequence<Step>,
  placeId: string | null,
  sentStepIds: ReadonlySet<string>,
): Step | undefined {
  const behind = sequence.steps.slice(stepsUpTo(sequence, placeId));
  return behind.find(({ id }) => !sentStepIds.has(id));
}

/** With `step` at `position`, 1-based: behind every place that lies between its two neighbors. */
export function withStep<Step extends StepPlace>(
  { steps, left }: Sequence<Step>,
  step: Step,
  position: number,
): Sequence<Step> {
  return {
    steps: steps.toSpliced(position - 1, 0, step),
    left: shifted(left, position, 1),
  };
}

/** Without the step, whose place is left behind. */
export function withoutStep<Step extends StepPlace>(
  sequence: Sequence<Step>,
  id: string,
): Sequence<Step> {
  const index = sequence.steps.findIndex((step) => step.id === id);
  const gone = sequence.steps[index];
  if (gone === undefined) {
    return sequence;
  }
  return {
    steps: sequence.steps.toSpliced(index, 1),
    left: shifted(sequence.left, index + 1, -1).set(gone.placeId, index),
  };
}

/**
 * With `step` at `position` in place of the step with its id. Moved back it gets the place `newPlaceId`;
 * those who were sent it stay where they are.
 */
export function withStepMoved<Step extends StepPlace>(
  sequence: Sequence<Step>,
  step: Step,
  position: number,
  newPlaceId: string,
): Sequence<Step> {
  const index = sequence.steps.findIndex(({ id }) => id === step.id);
  const { steps, left } = withoutStep(sequence, step.id);
  if (position > index + 1) {
    return withStep({ steps, left }, { ...step, placeId: newPlaceId }, position);
  }
  const others = new Map([...left].filter(([id]) => id !== step.placeId));
  return withStep({ steps, left: others }, step, position);
}

function shifted(left: ReadonlyMap<string, number>, from: number, by: number): Map<string, number> {
  return new Map([...left].map(([id, before]) => [id, before >= from ? before + by : before]));
}
