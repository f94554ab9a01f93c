import { type Static, Type } from "@sinclair/typebox";
import { CursorPage, CursorQuery, Id, Nullable, OneOf, Shape, Timestamp } from "#api/schema.ts";
import { ENROLLMENT_STATUSES } from "#domain/campaigns/enrollment.ts";
import { toIso, toIsoOrNull } from "#domain/time.ts";
import type { TaskWithLead } from "#store/leads/tasks.ts";

const NOTE_MAX = 10_000;

const settable = {
  done: Type.Boolean({ description: "Done lets the lead go on; it cannot be undone" }),
  skipped: Type.Boolean({
    description:
      "Lets the lead go on although nobody did it, which then is `done`; cannot be undone",
  }),
  note: Nullable(Type.String({ maxLength: NOTE_MAX })),
};

/** Settable fields, in the order in which the ETag covers them. */
export const TASK_SETTABLE = Object.keys(settable);
export const TASK_READ_ONLY = [
  "enrollment_id",
  "step_id",
  "email",
  "lead_status",
  "subject",
  "body",
  "done_at",
] as const;

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
export type Task = Static<typeof Task>;

export const TaskPage = CursorPage(Task);

export const TaskQuery = Shape({
  ...CursorQuery.properties,
  done: Type.Optional(Type.Boolean()),
  campaign_id: Type.Optional(Id),
});

export const TaskPatch = Type.Partial(Shape(settable), { additionalProperties: false });

export function presentTask(row: TaskWithLead): Task {
  return {
    id: row.id,
    team_id: row.teamId,
    campaign_id: row.campaignId,
    lead_id: row.leadId,
    enrollment_id: row.enrollmentId,
    step_id: row.stepId,
    email: row.email,
    lead_status: row.leadStatus,
    subject: row.subject,
    body: row.body,
    done: row.doneAt !== null,
    skipped: row.skipped,
    note: row.note,
    created_at: toIso(row.createdAt),
    done_at: toIsoOrNull(row.doneAt),
  };
}
