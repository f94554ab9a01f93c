import { type Static, Type } from "@sinclair/typebox";
import { Tags } from "#api/campaigns/tags/schema.ts";
import { defined } from "#api/defined.ts";
import { taggedQuery } from "#api/filter.ts";
import {
  CappedPage,
  Count,
  CreatedAt,
  CursorQuery,
  Described,
  Documented,
  IdOf,
  IdParamsOf,
  Line,
  Nullable,
  OneOf,
  Search,
  Shape,
  TeamId,
  TimestampOf,
  UpdatedAt,
} from "#api/schema.ts";
import { type Inner, present, read } from "#api/wire.ts";
import { ENROLLMENT_STATUSES, INTERESTS } from "#domain/campaigns/enrollment.ts";
import {
  type LeadVariables,
  mergeVariables,
  VARIABLE_NAME_MAX,
  VARIABLES_MAX,
} from "#domain/leads/lead.ts";
import { ADDRESS_REASONS, ADDRESS_VERDICTS } from "#domain/mailboxes/address-check.ts";
import { invalid } from "#domain/problem.ts";
import { INSTANT_MS_MAX } from "#domain/time.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import { tagsOf } from "#store/campaigns/tags.ts";
import { LEAD_LIST } from "#store/filter/lists.ts";
import { enrollmentsOfLead } from "#store/leads/enrollments.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";
import type { EnrollmentRow, LeadRow } from "#store/tables/leads.ts";
import type { LeadFields } from "#usecases/leads/leads.ts";
import { addressOf } from "#usecases/mailboxes/address-checks.ts";

const FIELD_MAX = 500;
const ADDRESS_MAX = 254;

export const LEAD_EMAIL = "ann.lee@example.com";

const lined = (description: string, example: string) =>
  Nullable(Line(FIELD_MAX, { minLength: 0, description, examples: [example] }));

/** The fields of a lead beside its address, as an import and a PATCH take them. */
export const leadTexts = {
  first_name: lined("First name", "Ann"),
  last_name: lined("Last name", "Lee"),
  company: lined("Company", "Acme"),
  website: lined("Company website", "https://acme.example"),
  phone: lined("Phone number, in any format", "+1 555 0100"),
  timezone: Nullable(
    Documented(
      Line(64, {
        minLength: 0,
        description: "IANA time zone; replaces the campaign's for this lead",
        examples: ["America/Chicago"],
      }),
      { format: "timezone" },
    ),
  ),
};

const VARIABLES_EXAMPLE = { city: "Denver", plan: "pro" };

const Variable = Type.Union([Type.String(), Type.Number(), Type.Boolean()]);

const AddressCheck = Shape(
  {
    verdict: OneOf(ADDRESS_VERDICTS, {
      description:
        "`valid`: the domain takes email and nothing speaks against the address, which may still bounce. " +
        "`unknown`: no name server has responded yet",
    }),
    reasons: Type.Array(OneOf(ADDRESS_REASONS), {
      description: "What speaks against the address",
      examples: [["role_address"]],
    }),
    suggestion: Nullable(
      Type.String({
        description: "The address that was probably meant; null unless `likely_typo`",
        examples: ["ann.lee@gmail.com"],
      }),
    ),
    checked_at: Nullable(
      TimestampOf(
        "When its domain was looked up; null for one that wasn't, as those of big providers",
      ),
    ),
  },
  { description: "What is known of the address before anybody writes to it" },
);

export const Lead = Shape({
  id: IdOf("The lead's id"),
  team_id: TeamId,
  email: Type.String({
    description: "Email address, trimmed and in lower case",
    examples: [LEAD_EMAIL],
  }),
  ...leadTexts,
  variables: Type.Record(Type.String(), Variable, {
    maxProperties: VARIABLES_MAX,
    description: "Values for templates, by name",
    examples: [VARIABLES_EXAMPLE],
  }),
  tags: Tags,
  address: AddressCheck,
  created_at: CreatedAt,
  updated_at: UpdatedAt,
});

/** With its tags, and what is known of its address, which are kept beside it. */
export function presentLead(db: Db, row: LeadRow): Static<typeof Lead> {
  return present(Lead, { ...row, ...besideOf(db, row) });
}

function besideOf(db: Db, row: LeadRow) {
  return { tags: tagsOf(db, row.id), address: addressOf(db, row) };
}

export const LeadParams = IdParamsOf("The lead's id");

/** As it is listed: with where it stands, where that is asked for. */
const LeadListed = Shape({
  ...Lead.properties,
  campaign: Nullable(
    Shape(
      {
        id: IdOf("The campaign's id"),
        name: Type.String({ description: "Name of the campaign", examples: ["Spring launch"] }),
        status: OneOf(ENROLLMENT_STATUSES, { description: "The lead's status in it" }),
        interest: Nullable(
          OneOf(INTERESTS, { description: "The lead's interest in it; null when unknown" }),
        ),
        last_sent_at: Nullable(
          TimestampOf("When it was last sent an email of it; null when it wasn't"),
        ),
        campaigns: Type.Integer({ minimum: 1, description: "Campaigns that the lead is in" }),
      },
      {
        description:
          "The campaign that wrote to the lead last, or else the latest one; null when it is in none, " +
          "and unless `include` asks for it",
      },
    ),
  ),
});
export const LeadPage = CappedPage(LeadListed);

/** `isStanding`: with the campaign that it was last written to by, which takes a look-up for each. */
export function presentListed(
  db: Db,
  row: LeadRow,
  isStanding: boolean,
): Static<typeof LeadListed> {
  const campaign = isStanding ? standingOf(db, row.id) : null;
  return present(LeadListed, { ...row, ...besideOf(db, row), campaign });
}

function standingOf(db: Db, leadId: Id) {
  const rows = enrollmentsOfLead(db, leadId).filter(({ merged }) => merged === 0);
  const latest = rows.toSorted((a, b) => lastOf(a) - lastOf(b)).at(-1);
  if (latest === undefined) {
    return null;
  }
  const { campaignId, status, interest, lastSentAt } = latest;
  const name = campaignById(db, campaignId)?.name ?? "";
  return { id: campaignId, name, status, interest, lastSentAt, campaigns: rows.length };
}

/** Whoever was written to comes before all who were not. */
function lastOf({ lastSentAt, enrolledAt }: EnrollmentRow): number {
  return lastSentAt ?? enrolledAt - INSTANT_MS_MAX;
}

export const LeadQuery = Shape({
  ...CursorQuery.properties,
  ...taggedQuery(LEAD_LIST),
  email: Type.Optional(
    Line(ADDRESS_MAX, { description: "Only the lead with this address", examples: [LEAD_EMAIL] }),
  ),
  include: Type.Optional(
    OneOf(["campaign"], { description: "`campaign` to get where each lead stands" }),
  ),
  search: Search("the lead's address, fields or variables"),
  status: Type.Optional(
    OneOf(ENROLLMENT_STATUSES, {
      description: "Only leads with this status in one of their campaigns",
    }),
  ),
  interest: Type.Optional(
    OneOf(INTERESTS, {
      description:
        "Only leads with this interest in one of their campaigns; together with `status`, in the same one",
    }),
  ),
});

export const VariablesPatch = Documented(
  Type.Record(Type.String(), Nullable(Variable), {
    description:
      "Values for templates, by name; merged into the existing ones, and null removes one",
    examples: [VARIABLES_EXAMPLE],
  }),
  { propertyNames: { minLength: 1, maxLength: VARIABLE_NAME_MAX } },
);

export const LeadPatch = Shape({
  ...Type.Partial(Shape(leadTexts)).properties,
  email: Type.Optional(
    Type.String({ description: "Accepted when it is the lead's own; it cannot be changed" }),
  ),
  variables: Type.Optional(VariablesPatch),
  tags: Type.Optional(Described(Tags, "Tags, which replace those that the lead has")),
});
export type LeadPatch = Static<typeof LeadPatch>;

export const LEADS_UPSERTED_MAX = 100;

const { email: _own, tags: _replaced, ...given } = LeadPatch.properties;

export const LeadUpsert = Shape({
  leads: Type.Array(
    Shape({
      email: Documented(
        Line(ADDRESS_MAX, { description: "Email address", examples: [LEAD_EMAIL] }),
        { format: "email" },
      ),
      ...given,
      tags: Type.Optional(Described(Tags, "Tags to add")),
    }),
    {
      minItems: 1,
      maxItems: LEADS_UPSERTED_MAX,
      description: "Leads, by their addresses. Fields that you leave out don't change",
    },
  ),
});

export const LeadsUpserted = Shape({
  created: Count("Leads that are new"),
  data: Type.Array(Lead, { description: "The leads as they are now, in the order of the request" }),
});

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
