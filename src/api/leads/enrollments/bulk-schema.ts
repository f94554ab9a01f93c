import { type Static, Type } from "@sinclair/typebox";
import { cursorTo, readCursor } from "#api/cursor.ts";
import { leadTexts, readTexts, readVariables, VariablesPatch } from "#api/leads/schema.ts";
import { Count, Id, leftAlone, Nullable, OneOf, Shape } from "#api/schema.ts";
import { read } from "#api/wire.ts";
import { isBlank } from "#domain/leads/lead.ts";
import { invalid } from "#domain/problem.ts";
import {
  BULK_ACTIONS,
  BULK_LEADS_MAX,
  type BulkAction,
  type BulkInput,
  type BulkResult,
} from "#usecases/leads/bulk-leads.ts";
import type { Fill as FillInput } from "#usecases/leads/release.ts";
import { leadFilters } from "./schema.ts";

const Filter = Type.Partial(Shape(leadFilters), {
  additionalProperties: false,
  description: "Leads to change, as the list filters them; `{}` selects all",
});

const { timezone: _timezone, ...words } = leadTexts;
const Fill = Type.Partial(Shape({ ...words, variables: VariablesPatch }), {
  minProperties: 1,
  additionalProperties: false,
  description:
    "Values for leads on hold for a missing variable, where they have none; goes with the action `release`",
});

export const BulkBody = Shape({
  action: OneOf(BULK_ACTIONS, {
    description:
      "What to do with the leads. `release` resumes leads on hold: those with a missing variable are tried again, and a task is skipped",
  }),
  lead_ids: Type.Optional(
    Type.Array(Id, {
      maxItems: BULK_LEADS_MAX,
      description: "Ids of leads or of campaign leads; either these or `filter`",
    }),
  ),
  filter: Type.Optional(Filter),
  fill: Type.Optional(Fill),
  after: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: "`next_cursor` of the previous call, with the same filter",
    }),
  ),
});
export type BulkBody = Static<typeof BulkBody>;

export const BulkOutcome = Shape({
  changed: Count("Leads that were changed"),
  skipped: Count(
    "Leads that the action does not apply to: their sequence has ended, they are not in the campaign, or they are on hold for another reason",
  ),
  next_cursor: Nullable(
    Type.String({
      description: `Pass it as \`after\` to continue after ${BULK_LEADS_MAX} leads; null when all are done`,
    }),
  ),
  ...leftAlone,
});

/** Wire to use case. Throws `validation_error` unless there is either a list or a filter, and a fill fills. */
export function readBulk({ action, lead_ids: leadIds, filter, fill, after }: BulkBody): BulkInput {
  const change = { action, ...(fill === undefined ? {} : { fill: readFill(action, fill) }) };
  if (leadIds !== undefined && filter === undefined && after === undefined) {
    return { ...change, leadIds };
  }
  if (leadIds !== undefined || filter === undefined) {
    throw invalid("lead_ids", "use either lead_ids or filter");
  }
  return {
    ...change,
    filter: read(Filter, filter),
    ...(after === undefined ? {} : { after: readCursor(after) }),
  };
}

function readFill(action: BulkAction, fill: Static<typeof Fill>): FillInput {
  if (action !== "release") {
    throw invalid("fill", "works only with the action release");
  }
  const { variables, ...texts } = fill;
  for (const [name, value] of Object.entries({ ...texts, ...variables })) {
    if (isBlank(value)) {
      throw invalid(name in texts ? `fill.${name}` : `fill.variables.${name}`, "must not be blank");
    }
  }
  return {
    ...readTexts(texts),
    ...(variables === undefined ? {} : { variables: readVariables(variables, "fill") }),
  };
}

export function presentBulk({ changed, skipped, last }: BulkResult): Static<typeof BulkOutcome> {
  return { changed, skipped, next_cursor: last === null ? null : cursorTo(last) };
}
