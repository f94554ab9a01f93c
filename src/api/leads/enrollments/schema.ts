import { type Static, Type } from "@sinclair/typebox";
import { defined } from "#api/defined.ts";
import { listQuery } from "#api/filter.ts";
import { LEAD_EMAIL, leadTexts, readTexts } from "#api/leads/schema.ts";
import {
  AsIs,
  CappedPage,
  Count,
  Documented,
  IdOf,
  Instant,
  inFlight,
  leftAlone,
  Nullable,
  OneOf,
  Search,
  Shape,
  TimestampOf,
  UpdatedAt,
  warningOf,
} from "#api/schema.ts";
import { present } from "#api/wire.ts";
import { CAMPAIGN_STATUSES } from "#domain/campaigns/campaign.ts";
import { ENROLLMENT_STATUSES, HOLD_REASONS, INTERESTS } from "#domain/campaigns/enrollment.ts";
import { STEPS_MAX } from "#domain/campaigns/step.ts";
import {
  EXISTING_RULES,
  IMPORT_ERRORS,
  LEADS_PER_IMPORT_MAX,
  SKIP_REASONS,
} from "#domain/leads/lead.ts";
import { ADDRESS_REASONS } from "#domain/mailboxes/address-check.ts";
import { currentStepsOf } from "#store/campaigns/steps.ts";
import { CAMPAIGN_LEAD_LIST } from "#store/filter/lists.ts";
import type { CampaignLead as CampaignLeadRow } from "#store/leads/campaign-leads.ts";
import { assignedByEnrollment } from "#store/sending/exposures.ts";
import { countInFlight } from "#store/sending/messages.ts";
import type { Db } from "#store/sqlite/database.ts";
import type { CampaignRow } from "#store/tables/campaigns.ts";
import type { EnrollmentRow } from "#store/tables/leads.ts";
import { nextAttempt } from "#usecases/leads/campaign-leads.ts";
import type { ImportOptions } from "#usecases/leads/import/import.ts";
import type { ImportResult } from "#usecases/leads/import/import-result.ts";
import type { ImportItem } from "#usecases/leads/import/import-row.ts";

const writable = {
  status: OneOf(ENROLLMENT_STATUSES, {
    description:
      "`pending` until the first email is sent. You can set `active`, `paused`, `completed` and `unsubscribed`",
  }),
  interest: Nullable(
    OneOf(INTERESTS, { description: "Interest, as classified or set by hand; null when unknown" }),
  ),
  next_attempt_at: Nullable(Instant("When the next step is due; null when nothing is planned")),
  current_step: Type.Integer({
    minimum: 0,
    maximum: STEPS_MAX,
    description: "Position of the last step that was sent or done; 0 at first",
  }),
};

export const CampaignLead = Shape({
  id: IdOf("Id of the campaign lead, also called enrollment: this lead in this campaign"),
  campaign_id: IdOf("The campaign's id"),
  lead_id: IdOf("The lead's id"),
  email: Type.String({ description: "The lead's address", examples: [LEAD_EMAIL] }),
  ...writable,
  account_id: Nullable(IdOf("Account that emails the lead; null before the first email")),
  hold_reason: Nullable(
    OneOf(HOLD_REASONS, { description: "Why the lead is on hold; null when it is not" }),
  ),
  hold_detail: Nullable(
    Type.String({
      description: "More about the hold, for example the missing variables; null without one",
      examples: ["company"],
    }),
  ),
  stop_reason: Nullable(
    Type.String({
      description: "Why the sequence ended; null while it has not",
      examples: ["reply"],
    }),
  ),
  attempts: Count("Attempts to send the current step"),
  last_sent_at: Nullable(TimestampOf("When the last email was sent; null before the first")),
  assignments: Type.Array(
    Shape({
      experiment_id: IdOf("The experiment's id"),
      variant_id: IdOf("The variant's id"),
    }),
    { description: "Variants that the lead was sent, one for each experiment; empty without one" },
  ),
  enrolled_at: TimestampOf("When the lead was added to the campaign"),
  updated_at: UpdatedAt,
});
export type CampaignLead = Static<typeof CampaignLead>;

/** As it is after a change. */
export const CampaignLeadChanged = Shape({
  ...CampaignLead.properties,
  ...inFlight,
  ...leftAlone,
});

export const CampaignLeadPage = CappedPage(CampaignLead);

const RefusalWords = Type.String({
  minLength: 1,
  maxLength: 200,
  description:
    "Only leads whose email was permanently rejected with this text from the mail server",
  examples: ["5.7.26"],
});

/** What a list of campaign leads, and a change of many of them, selects by. */
export const leadFilters = {
  status: OneOf(ENROLLMENT_STATUSES, { description: "Only leads with this status" }),
  hold_reason: OneOf(HOLD_REASONS, { description: "Only leads on hold for this reason" }),
  interest: OneOf(INTERESTS, { description: "Only leads with this interest" }),
  response: RefusalWords,
};

export const CampaignLeadQuery = listQuery(CAMPAIGN_LEAD_LIST, {
  ...Type.Partial(Shape(leadFilters)).properties,
  email: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 254,
      description: "Only the lead with this address",
      examples: [LEAD_EMAIL],
    }),
  ),
  search: Search("the lead's address, fields or variables"),
});

export const CampaignLeadPatch = Type.Partial(Shape(writable), { additionalProperties: false });

export const CampaignLeadParams = Shape({
  id: IdOf("The campaign's id"),
  leadId: IdOf("The lead's id, or the id of the campaign lead"),
});

export const Resolve = Shape({
  action: OneOf(["treat_as_sent", "send_again"], {
    description: "Whether the unconfirmed email counts as sent or is sent again",
  }),
  message_id: Type.Optional(IdOf("Which email; required when several are unconfirmed")),
});

/** A string that is no address is an error row and refuses nothing; so are variables that cannot be. */
export const ImportLead = Shape({
  email: Type.String({ description: "Email address", examples: [LEAD_EMAIL] }),
  ...Type.Partial(Shape(leadTexts)).properties,
  tags: Type.Optional(
    Type.Array(Type.String(), {
      description: "Tags to add; what cannot be one is an error of this item",
      examples: [["dach"]],
    }),
  ),
  variables: Type.Optional(
    Type.Object(
      {},
      {
        additionalProperties: true,
        description: "Values for templates, by name: strings, numbers and booleans, 200 at most",
      },
    ),
  ),
});

export const IMPORT_DEFAULTS: ImportOptions = {
  existing: "merge",
  skipIfInOtherCampaign: false,
  dryRun: false,
};

/** What an import does to the record of an address that is known. */
export const EXISTING = OneOf(EXISTING_RULES, {
  description:
    "What to do with leads that the team knows already: `keep` their fields, `merge` in the new ones, or `replace` them",
});

export const skipElsewhere = Type.Boolean({
  description: "Skip leads that are in another campaign",
});

export const ImportBody = Shape({
  leads: Type.Array(ImportLead, {
    maxItems: LEADS_PER_IMPORT_MAX,
    description: "Leads to add: the address of each and what else is known",
  }),
  existing: Type.Optional(Documented(EXISTING, { default: IMPORT_DEFAULTS.existing })),
  skip_if_in_other_campaign: Type.Optional(
    Documented(skipElsewhere, { default: IMPORT_DEFAULTS.skipIfInOtherCampaign }),
  ),
  strict: Type.Optional(
    Documented(
      Type.Boolean({
        description:
          "Whether a malformed item, for example one with an unknown field, refuses the whole request; otherwise it is an error of its own",
      }),
      { default: true },
    ),
  ),
  dry_run: Type.Optional(
    Documented(Type.Boolean({ description: "Return the result without storing anything" }), {
      default: IMPORT_DEFAULTS.dryRun,
    }),
  ),
});
export type ImportBody = Static<typeof ImportBody>;

const byReason = Object.fromEntries(
  ADDRESS_REASONS.map((reason) => [
    reason,
    Type.Optional(Count(`Addresses with the reason ${reason}`)),
  ]),
);
/** What is known of addresses when they are imported. */
export const AddressCounts = AsIs(
  Shape(
    {
      risky: Count("Leads whose address is risky"),
      invalid: Count("Leads whose address takes no email"),
      reasons: Shape(byReason, { description: "These leads by reason; one may have several" }),
    },
    { description: "Addresses of the imported leads, as far as they could be checked at once" },
  ),
);

export const ImportOutcome = Shape({
  imported: Count("Leads that were added to the campaign"),
  skipped: Count("Leads that are fine but were not added"),
  errors: Type.Array(
    Shape({
      email: Type.String({ description: "The address as given" }),
      reason: OneOf([...IMPORT_ERRORS, "invalid_item"], {
        description: "What is wrong with the item",
      }),
      field: Type.Optional(
        Type.String({
          description: "Field at fault; only for the first hundred with reason `invalid_item`",
          examples: ["frist_name"],
        }),
      ),
      message: Type.Optional(
        Type.String({
          description: "What was wrong and what would be right; where `field` is",
          examples: ["unknown field"],
        }),
      ),
    }),
    { description: "Items that could not be used" },
  ),
  skipped_details: Type.Array(
    Shape({
      email: Type.String({ description: "The address as given" }),
      reason: OneOf(SKIP_REASONS, { description: "Why it was not added" }),
    }),
    { description: "The skipped leads, with the reason of each" },
  ),
  addresses: AddressCounts,
  campaign_status: OneOf(CAMPAIGN_STATUSES, {
    description: "The campaign's status after the import; only an active campaign sends",
  }),
  warning: Nullable(
    Type.String({
      description: "Why the imported leads get no email; null when they do",
    }),
  ),
});

export function presentCampaignLead(db: Db, row: CampaignLeadRow): CampaignLead {
  return campaignLeadsOf(db, [row])(row);
}

/** What presents `rows`, the leads of one answer. */
export function campaignLeadsOf(
  db: Db,
  rows: readonly CampaignLeadRow[],
): (row: CampaignLeadRow) => CampaignLead {
  const standing = standingsOf(db, rows);
  return (row) => present(CampaignLead, standing(row));
}

/** Where each of `rows` stands: their steps and assignments are read at once. */
export function standingsOf<Row extends EnrollmentRow>(db: Db, rows: readonly Row[]) {
  const currentStep = currentStepsOf(db);
  const assigned = assignedByEnrollment(
    db,
    rows.map(({ id }) => id),
  );
  return (row: Row) => ({
    ...row,
    currentStep: currentStep(row),
    nextAttemptAt: nextAttempt(row),
    assignments: assigned.get(row.id) ?? [],
  });
}

export function readItem(input: Static<typeof ImportLead>): ImportItem {
  const { email, variables, tags, ...texts } = input;
  return { email, ...readTexts(texts), ...defined({ variables, tags }) };
}

export function readOptions(body: ImportBody): ImportOptions {
  return {
    existing: body.existing ?? IMPORT_DEFAULTS.existing,
    skipIfInOtherCampaign: body.skip_if_in_other_campaign ?? IMPORT_DEFAULTS.skipIfInOtherCampaign,
    dryRun: body.dry_run ?? IMPORT_DEFAULTS.dryRun,
  };
}

/** With what is to be known of a lead that goes on. */
export function presentResumed(
  db: Db,
  row: CampaignLeadRow,
  campaign: CampaignRow,
): Static<typeof CampaignLeadChanged> {
  return { ...presentCampaignLead(db, row), ...warningOf(true, campaign) };
}

/** With how many emails to it could no longer be stopped. */
export function presentStopped(db: Db, row: CampaignLeadRow): Static<typeof CampaignLeadChanged> {
  const in_flight = countInFlight(db, row.teamId, { enrollmentId: row.id });
  return { ...presentCampaignLead(db, row), in_flight };
}

export function presentImport(
  result: ImportResult,
  campaign: CampaignRow,
  malformed: Static<typeof ImportOutcome>["errors"],
): Static<typeof ImportOutcome> {
  return {
    imported: result.imported,
    skipped: result.skipped.length,
    errors: [...result.errors, ...malformed],
    skipped_details: result.skipped,
    addresses: result.addresses,
    campaign_status: campaign.status,
    warning: warningOf(result.imported > 0, campaign).warning ?? null,
  };
}
