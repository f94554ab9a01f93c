import { type Static, Type } from "@sinclair/typebox";
import { Id, Line, Nullable, OneOf, Shape, Timestamp } from "#api/schema.ts";
import { AFFECTED_MAX } from "#domain/campaigns/campaign.ts";
import { STEP_TYPES, STEPS_MAX } from "#domain/campaigns/step.ts";

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

export const Step = Shape({
  id: Id,
  campaign_id: Id,
  ...settable,
  created_at: Timestamp,
  updated_at: Timestamp,
});

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

export const StepCreate = Shape({ ...StepPatch.properties, type: settable.type });

export const StepParams = Shape({ id: Id, stepId: Id });
