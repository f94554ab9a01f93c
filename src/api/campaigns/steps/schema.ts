import { type Static, Type } from "@sinclair/typebox";
import {
  CreatedAt,
  Described,
  Documented,
  Id,
  IdOf,
  Line,
  Nullable,
  OneOf,
  Shape,
  Text,
  UpdatedAt,
  warned,
  withDefaults,
} from "#api/schema.ts";
import { AFFECTED_MAX } from "#domain/campaigns/campaign.ts";
import { ATTACHMENTS_BYTES_MAX, ATTACHMENTS_MAX } from "#domain/campaigns/file.ts";
import { STEP_TYPES, STEPS_MAX, WAIT_DAYS_MAX, WAIT_MINUTES_MAX } from "#domain/campaigns/step.ts";
import { BODY_FORMATS } from "#domain/sending/text-to-html.ts";

export const SUBJECT_MAX = 998;
export const BODY_MAX = 100_000;

const position = Type.Integer({
  minimum: 1,
  maximum: STEPS_MAX,
  description: "Position in the sequence, from 1",
});

const writable = {
  type: OneOf(STEP_TYPES, {
    description: "An email is sent; a task holds the sequence until a person has done it",
  }),
  subject: Nullable(
    Line(SUBJECT_MAX, {
      minLength: 0,
      description:
        "Subject, with Liquid and spintax. Null on a later step continues the thread. Of a task, what to do",
      examples: ["Quick question about {{ company }}"],
    }),
  ),
  body: Nullable(
    Text(BODY_MAX, {
      minLength: 1,
      description:
        "Plain text or HTML, as `format` says, with Liquid and spintax; the other is made from it. " +
        'HTML shows an image of the team as `<img src="cid:FILE_ID">`',
      examples: ['{Hi|Hello} {{ first_name | default: "there" }}, …'],
    }),
  ),
  format: Nullable(
    OneOf(BODY_FORMATS, {
      description:
        "What the body is written in. Null: HTML if it has the tag of a known element, otherwise plain text",
    }),
  ),
  attachment_ids: Type.Array(Id, {
    maxItems: ATTACHMENTS_MAX,
    uniqueItems: true,
    description: `Files that the email carries, of \`/files\`; ${ATTACHMENTS_BYTES_MAX / 1024 / 1024} MB at most in all, with the images in its text`,
  }),
  wait_days: Type.Integer({
    minimum: 0,
    maximum: WAIT_DAYS_MAX,
    description:
      "Calendar days to wait after the previous step was sent. A new step waits 0 days when it is the first, otherwise 3",
    examples: [3],
  }),
  wait_minutes: Type.Integer({
    minimum: 0,
    maximum: WAIT_MINUTES_MAX,
    description:
      "Minutes to wait after these days, for example 90 for an hour and a half. An email whose wait ends " +
      "outside the send window is sent when it next opens",
    examples: [90],
  }),
  position: Described(
    position,
    "Position in the sequence, from 1. Inserting or moving a step shifts the others; a new step without one goes to the end",
  ),
};

/** What a step says that is being edited: in place of what is saved. */
export const unsaved = {
  subject: Type.Optional(
    Nullable(
      Line(SUBJECT_MAX, { minLength: 0, description: "Subject to use in place of the step's" }),
    ),
  ),
  body: Type.Optional(
    Text(BODY_MAX, { minLength: 1, description: "Body to use in place of the step's" }),
  ),
  format: Type.Optional(Described(writable.format, "Format to use in place of the step's")),
};

export const Step = Shape({
  id: IdOf("The step's id"),
  campaign_id: IdOf("Campaign that the step belongs to"),
  ...writable,
  position,
  revision: Type.Integer({
    minimum: 1,
    description:
      "Revision of the text and the attachments: 1 until the campaign is first started, then one more with each change",
  }),
  created_at: CreatedAt,
  updated_at: UpdatedAt,
});

export const StepQuery = Shape({
  dry_run: Type.Optional(
    Documented(
      Type.Boolean({
        description: "Return the leads that the change would affect, without changing anything",
      }),
      { default: false },
    ),
  ),
});

const { type, subject, wait_days, wait_minutes } = writable;
const NextStep = Shape({ position, type, subject, wait_days, wait_minutes });

const StepEffects = Shape({
  leads: Type.Integer({
    minimum: 0,
    maximum: AFFECTED_MAX,
    description: `Leads whose next step, or the wait before it, changes; counted up to ${AFFECTED_MAX}`,
  }),
  groups: Type.Array(
    Shape({
      leads: Type.Integer({ minimum: 1, description: "Leads in this group" }),
      next: Described(Nullable(NextStep), "Step that they get next; null when their sequence ends"),
      instead_of: Described(
        Nullable(NextStep),
        "Step that they would get without the change; null when nothing would follow",
      ),
    }),
    { description: "The affected leads, grouped by what changes for them" },
  ),
});

/** A step, and what its change means. */
export const StepMade = Shape({
  ...Step.properties,
  effects: Type.Optional(Described(StepEffects, "What the change affects; after a dry run only")),
  ...warned(
    "Which of subject and body isn't valid Liquid, and why: the step was stored, but no lead can get it",
    "body: tag {% if company %} not closed, line:1, col:1. No lead can get this step until you fix it.",
  ),
});
export type StepMade = Static<typeof StepMade>;

export const StepList = Shape({
  data: Type.Array(Step, { description: "The steps, in the order in which they are sent" }),
});

export const StepPatch = Type.Partial(Shape(writable), { additionalProperties: false });

export const StepCreate = withDefaults(Shape({ ...StepPatch.properties, type: writable.type }), {
  subject: null,
  body: null,
  format: null,
  attachmentIds: [],
  waitMinutes: 0,
});

export const StepParams = Shape({
  id: IdOf("The campaign's id"),
  stepId: IdOf("The step's id"),
});
