import { type Static, Type } from "@sinclair/typebox";
import { cursorTo, readCursor } from "#api/cursor.ts";
import { defined } from "#api/defined.ts";
import { Id, Nullable, OneOf, Shape } from "#api/schema.ts";
import { ENROLLMENT_STATUSES, HOLD_REASONS, INTERESTS } from "#domain/enrollment.ts";
import { invalid } from "#domain/problem.ts";
import {
  BULK_ACTIONS,
  BULK_LEADS_MAX,
  type BulkInput,
  type BulkResult,
} from "#usecases/bulk-leads.ts";

const Filter = Type.Partial(
  Shape({
    status: OneOf(ENROLLMENT_STATUSES),
    hold_reason: OneOf(HOLD_REASONS),
    interest: OneOf(INTERESTS),
  }),
  { additionalProperties: false, description: "As the list takes them; `{}` finds all" },
);

export const BulkBody = Shape({
  action: OneOf(BULK_ACTIONS),
  lead_ids: Type.Optional(
    Type.Array(Id, {
      maxItems: BULK_LEADS_MAX,
      description: "Ids of leads, or of campaign leads; either these or a filter",
    }),
  ),
  filter: Type.Optional(Filter),
  after: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: "next_cursor, with the same filter" }),
  ),
});
export type BulkBody = Static<typeof BulkBody>;

export const BulkAnswer = Shape({
  changed: Type.Integer({ minimum: 0 }),
  skipped: Type.Integer({
    minimum: 0,
    description: "Could not take the change: their sequence has ended, or they are not there",
  }),
  next_cursor: Nullable(
    Type.String({ description: `After ${BULK_LEADS_MAX} leads: call again with it as \`after\`` }),
  ),
});

/** Wire to use case. Throws `validation_error` unless there is either a list or a filter. */
export function readBulk({ action, lead_ids: leadIds, filter, after }: BulkBody): BulkInput {
  if (leadIds !== undefined && filter === undefined && after === undefined) {
    return { action, leadIds };
  }
  if (leadIds !== undefined || filter === undefined) {
    throw invalid("lead_ids", "give either lead_ids or a filter");
  }
  const { status, interest, hold_reason: holdReason } = filter;
  return {
    action,
    filter: defined({ status, interest, holdReason }),
    ...(after === undefined ? {} : { after: readCursor(after) }),
  };
}

export function presentBulk({ changed, skipped, last }: BulkResult): Static<typeof BulkAnswer> {
  return { changed, skipped, next_cursor: last === null ? null : cursorTo(last) };
}
