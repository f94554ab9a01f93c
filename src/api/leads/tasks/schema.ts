import { Type } from "@sinclair/typebox";
import { listQuery } from "#api/filter.ts";
import {
  CreatedAt,
  FilteredCursorPage,
  IdOf,
  IdParamsOf,
  Nullable,
  OneOf,
  Shape,
  TeamId,
  TimestampOf,
} from "#api/schema.ts";
import { ENROLLMENT_STATUSES } from "#domain/campaigns/enrollment.ts";
import { TASK_LIST } from "#store/filter/lists.ts";

const NOTE_MAX = 10_000;

const writable = {
  done: Type.Boolean({
    description: "Whether the task is done, after which the lead continues; cannot be undone",
  }),
  skipped: Type.Boolean({
    description:
      "Whether the task was skipped, after which the lead continues, and which counts as done; cannot be undone",
  }),
  note: Nullable(
    Type.String({
      maxLength: NOTE_MAX,
      description: "Note for your team",
      examples: ["Left a voicemail"],
    }),
  ),
};

export const Task = Shape({
  id: IdOf("The task's id"),
  team_id: TeamId,
  campaign_id: IdOf("Campaign that the task belongs to"),
  lead_id: IdOf("Lead that the task is about"),
  enrollment_id: IdOf("Id of the campaign lead"),
  step_id: IdOf("Step that the task is"),
  email: Type.String({ description: "The lead's address", examples: ["ann.lee@example.com"] }),
  lead_status: OneOf(ENROLLMENT_STATUSES, { description: "The lead's status in the campaign" }),
  subject: Nullable(
    Type.String({ description: "What to do, with the lead's values", examples: ["Call Ann"] }),
  ),
  body: Nullable(Type.String({ description: "Details, with the lead's values" })),
  ...writable,
  created_at: CreatedAt,
  done_at: Nullable(TimestampOf("When the task was done or skipped; null before")),
});

export const TaskParams = IdParamsOf("The task's id");

export const TaskPage = FilteredCursorPage(Task);

export const TaskQuery = listQuery(TASK_LIST, {
  done: Type.Optional(Type.Boolean({ description: "Only tasks that are done, or only open ones" })),
  campaign_id: Type.Optional(IdOf("Only tasks of this campaign")),
});

export const TaskPatch = Type.Partial(Shape(writable), { additionalProperties: false });
