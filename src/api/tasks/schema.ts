import { Type } from "@sinclair/typebox";
import { CursorPage, CursorQuery, Id, Nullable, OneOf, Shape, Timestamp } from "#api/schema.ts";
import { ENROLLMENT_STATUSES } from "#domain/campaigns/enrollment.ts";

const NOTE_MAX = 10_000;

const settable = {
  done: Type.Boolean({ description: "Done lets the lead go on; it cannot be undone" }),
  skipped: Type.Boolean({
    description:
      "Lets the lead go on although nobody did it, which then is `done`; cannot be undone",
  }),
  note: Nullable(Type.String({ maxLength: NOTE_MAX })),
};

export const Task = Shape({
  id: Id,
  team_id: Id,
  campaign_id: Id,
  lead_id: Id,
  enrollment_id: Id,
  step_id: Id,
  email: Type.String({ description: "The lead's address" }),
  lead_status: OneOf(ENROLLMENT_STATUSES),
  subject: Nullable(Type.String()),
  body: Nullable(Type.String()),
  ...settable,
  created_at: Timestamp,
  done_at: Nullable(Timestamp),
});

export const TaskPage = CursorPage(Task);

export const TaskQuery = Shape({
  ...CursorQuery.properties,
  done: Type.Optional(Type.Boolean()),
  campaign_id: Type.Optional(Id),
});

export const TaskPatch = Type.Partial(Shape(settable), { additionalProperties: false });
