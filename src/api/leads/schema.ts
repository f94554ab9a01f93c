import { type Static, Type } from "@sinclair/typebox";
import { defined } from "#api/defined.ts";
import {
  CursorPage,
  CursorQuery,
  Documented,
  Id,
  Line,
  Nullable,
  OneOf,
  Search,
  Shape,
  Timestamp,
} from "#api/schema.ts";
import { type Inner, read } from "#api/wire.ts";
import { ENROLLMENT_STATUSES, INTERESTS } from "#domain/campaigns/enrollment.ts";
import {
  type LeadVariables,
  mergeVariables,
  VARIABLE_NAME_MAX,
  VARIABLES_MAX,
} from "#domain/leads/lead.ts";
import { invalid } from "#domain/problem.ts";
import type { LeadFields } from "#usecases/leads/leads.ts";

const FIELD_MAX = 500;
const ADDRESS_MAX = 254;

/** The fields of a lead beside its address, as an import and a PATCH take them. */
export const leadTexts = {
  first_name: Nullable(Line(FIELD_MAX, { minLength: 0 })),
  last_name: Nullable(Line(FIELD_MAX, { minLength: 0 })),
  company: Nullable(Line(FIELD_MAX, { minLength: 0 })),
  website: Nullable(Line(FIELD_MAX, { minLength: 0 })),
  phone: Nullable(Line(FIELD_MAX, { minLength: 0 })),
  timezone: Nullable(
    Documented(
      Line(64, { minLength: 0, description: "IANA name; replaces the campaign's for this lead" }),
      { format: "timezone" },
    ),
  ),
};

const Variable = Type.Union([Type.String(), Type.Number(), Type.Boolean()]);

export const Lead = Shape({
  id: Id,
  team_id: Id,
  email: Type.String(),
  ...leadTexts,
  variables: Type.Record(Type.String(), Variable, { maxProperties: VARIABLES_MAX }),
  created_at: Timestamp,
  updated_at: Timestamp,
});

export const LeadPage = CursorPage(Lead);

export const LeadQuery = Shape({
  ...CursorQuery.properties,
  email: Type.Optional(Line(ADDRESS_MAX, { description: "The whole address" })),
  search: Search("the address or another field or variable"),
  status: Type.Optional(
    OneOf(ENROLLMENT_STATUSES, { description: "Where they stand in one of their campaigns" }),
  ),
  interest: Type.Optional(
    OneOf(INTERESTS, { description: "In one of their campaigns; with `status` in the same one" }),
  ),
});

export const VariablesPatch = Documented(
  Type.Record(Type.String(), Nullable(Variable), {
    description: "Merged into what is there; null takes a variable away",
  }),
  { propertyNames: { minLength: 1, maxLength: VARIABLE_NAME_MAX } },
);

export const LeadPatch = Shape({
  ...Type.Partial(Shape(leadTexts)).properties,
  email: Type.Optional(Type.String({ description: "Only as it was read: it cannot be changed" })),
  variables: Type.Optional(VariablesPatch),
});
export type LeadPatch = Static<typeof LeadPatch>;

/** What the ETag covers. */
export const LeadTag = Type.Omit(LeadPatch, ["email"]);

const Texts = Type.Partial(Shape(leadTexts));

/** Wire to use case: only what was given. An empty text is none. */
export function readTexts(input: Static<typeof Texts>): Inner<typeof Texts> {
  const given = Object.entries(read(Texts, input));
  return Object.fromEntries(given.map(([name, text]) => [name, text?.trim() || null]));
}

/** Variables for somebody who has none yet. Throws `validation_error` for those that cannot be. */
export function readVariables(
  given: Readonly<Record<string, unknown>>,
  within: string,
): LeadVariables {
  const merged = mergeVariables({}, given);
  if ("fault" in merged) {
    const { name, message } = merged.fault;
    throw invalid(`${within}.variables${name === null ? "" : `.${name}`}`, message);
  }
  return merged.variables;
}

export function readLead(input: LeadPatch): Partial<LeadFields> {
  return { ...readTexts(input), ...defined({ email: input.email, variables: input.variables }) };
}
