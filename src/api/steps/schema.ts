import { type Static, Type } from "@sinclair/typebox";
import { defined } from "#api/defined.ts";
import { Id, Line, Nullable, OneOf, Shape, Timestamp } from "#api/schema.ts";
import { STEP_TYPES, STEPS_MAX } from "#domain/campaigns/step.ts";
import { toIso } from "#domain/time.ts";
import type { StepRow } from "#store/tables/campaigns.ts";
import { AFFECTED_MAX, type ForeseenStep } from "#usecases/leads/step-effects.ts";
import type { StepFields } from "#usecases/leads/steps.ts";

export const SUBJECT_MAX = 998;
export const BODY_MAX = 100_000;

const settable = {
  type: OneOf(STEP_TYPES, { description: "A task stops the sequence until a person has done it" }),
  subject: Nullable(
    Line(SUBJECT_MAX, {
      minLength: 0,
      description: "Liquid and spintax; none on a later step continues the thread",
    }),
  ),
  body: Nullable(
    Type.String({
      minLength: 1,
      maxLength: BODY_MAX,
      pattern: "^[^\\u0000]*$",
      description: "Plain text or HTML, with Liquid and spintax",
    }),
  ),
  wait_days: Type.Integer({
    minimum: 0,
    maximum: 365,
    description: "Calendar days after the previous step was sent; by default 0 first, then 3",
  }),
  position: Type.Integer({
    minimum: 1,
    maximum: STEPS_MAX,
    description: "1-based; inserting or moving shifts the others; appended when absent",
  }),
};

/** Settable fields, in the order in which the ETag covers them. */
export const STEP_SETTABLE = Object.keys(settable);
export const STEP_READ_ONLY = ["updated_at"] as const;

export const Step = Shape({
  id: Id,
  campaign_id: Id,
  ...settable,
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Step = Static<typeof Step>;

export const StepQuery = Shape({
  dry_run: Type.Optional(
    Type.Boolean({ description: "Says which leads under way are affected, and changes nothing" }),
  ),
});

const { position, type, subject, wait_days } = settable;
const NextStep = Nullable(Shape({ position, type, subject, wait_days }));

const StepEffects = Shape({
  leads: Type.Integer({
    minimum: 0,
    maximum: AFFECTED_MAX,
    description: `Leads under way for whom the next step or its wait changes; counted up to ${AFFECTED_MAX}`,
  }),
  groups: Type.Array(
    Shape({
      leads: Type.Integer({ minimum: 1 }),
      next: NextStep,
      instead_of: NextStep,
    }),
    {
      description:
        "Leads by the step that they get next and the one that they would get without the change; null where nothing follows",
    },
  ),
});

/** A step, and what its change means. */
export const StepMade = Shape({
  ...Step.properties,
  effects: Type.Optional({ ...StepEffects, description: "After a dry run only" }),
});
export type StepMade = Static<typeof StepMade>;

export const StepList = Shape({ data: Type.Array(Step) });

export const StepPatch = Type.Partial(Shape(settable), { additionalProperties: false });
export type StepPatch = Static<typeof StepPatch>;

export const StepCreate = Shape({ ...StepPatch.properties, type: settable.type });

export const StepParams = Shape({ id: Id, stepId: Id });

export function presentStep(row: StepRow): Step {
  return {
    id: row.id,
    campaign_id: row.campaignId,
    type: row.type,
    subject: row.subject,
    body: row.body,
    wait_days: row.waitDays,
    position: row.position,
    created_at: toIso(row.createdAt),
    updated_at: toIso(row.updatedAt),
  };
}

/** What a dry run answers. */
export function presentForeseen({ row, groups }: ForeseenStep): StepMade {
  const leads = groups.reduce((sum, group) => sum + group.leads, 0);
  const present = (step: StepRow | null) => {
    return step === null
      ? null
      : {
          position: step.position,
          type: step.type,
          subject: step.subject,
          wait_days: step.waitDays,
        };
  };
  return {
    ...presentStep(row),
    effects: {
      leads,
      groups: groups.map((group) => ({
        leads: group.leads,
        next: present(group.next),
        instead_of: present(group.insteadOf),
      })),
    },
  };
}

/** Wire to use case: only what was given. */
export function readStep(input: StepPatch): Partial<StepFields> {
  return defined({
    type: input.type,
    subject: input.subject,
    body: input.body,
    waitDays: input.wait_days,
    position: input.position,
  });
}
