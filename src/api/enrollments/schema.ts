import { type Static, Type } from "@sinclair/typebox";
import { leadTexts, readTexts } from "#api/leads/schema.ts";
import {
  CursorPage,
  CursorQuery,
  Id,
  Instant,
  inFlight,
  leftAlone,
  Nullable,
  OneOf,
  Search,
  Shape,
  Timestamp,
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
import { currentStepOf } from "#store/campaigns/steps.ts";
import type { CampaignLead as CampaignLeadRow } from "#store/leads/campaign-leads.ts";
import { countInFlight } from "#store/sending/messages.ts";
import type { Db } from "#store/sqlite/database.ts";
import type { CampaignRow } from "#store/tables/campaigns.ts";
import { nextAttempt } from "#usecases/leads/campaign-leads.ts";
import type { ImportOptions, ImportResult } from "#usecases/leads/import.ts";
import type { ImportItem } from "#usecases/leads/import-row.ts";

const settable = {
  status: OneOf(ENROLLMENT_STATUSES, {
    description: "A person may set active, paused, completed and unsubscribed",
  }),
  interest: Nullable(OneOf(INTERESTS)),
  next_attempt_at: Nullable(Instant("When the next step is tried; null: nothing is due")),
  current_step: Type.Integer({
    minimum: 0,
    maximum: STEPS_MAX,
    description: "Position of the last step that is done, 0 at first",
  }),
};

export const CampaignLead = Shape({
  id: Id,
  campaign_id: Id,
  lead_id: Id,
  email: Type.String(),
  ...settable,
  account_id: Nullable(Id),
  hold_reason: Nullable(OneOf(HOLD_REASONS, { description: "Why it waits for a person" })),
  hold_detail: Nullable(Type.String()),
  stop_reason: Nullable(Type.String()),
  attempts: Type.Integer({ description: "Tries of the step under way" }),
  last_sent_at: Nullable(Timestamp),
  enrolled_at: Timestamp,
  updated_at: Timestamp,
});
export type CampaignLead = Static<typeof CampaignLead>;

/** As it is after a change. */
export const CampaignLeadChanged = Shape({
  ...CampaignLead.properties,
  ...inFlight,
  ...leftAlone,
});

export const CampaignLeadPage = CursorPage(CampaignLead);

export const RefusalWords = Type.String({ minLength: 1, maxLength: 200 });

export const CampaignLeadQuery = Shape({
  ...CursorQuery.properties,
  status: Type.Optional(OneOf(ENROLLMENT_STATUSES)),
  hold_reason: Type.Optional(OneOf(HOLD_REASONS)),
  interest: Type.Optional(OneOf(INTERESTS)),
  email: Type.Optional(Type.String({ minLength: 1, maxLength: 254 })),
  response: Type.Optional(RefusalWords),
  search: Search("the address or another field or variable of the lead"),
});

export const CampaignLeadPatch = Type.Partial(Shape(settable), { additionalProperties: false });

export const CampaignLeadParams = Shape({
  id: Id,
  leadId: Type.String({ ...Id, description: "The lead's id, or the id of the campaign lead" }),
});

export const Resolve = Shape({
  action: OneOf(["treat_as_sent", "send_again"]),
  message_id: Type.Optional(
    Type.String({ ...Id, description: "Needed where several messages are unconfirmed" }),
  ),
});

/** A string that is no address is an error row and refuses nothing; so are variables that cannot be. */
const ImportLead = Shape({
  email: Type.String({ description: "An email address" }),
  ...Type.Partial(Shape(leadTexts)).properties,
  variables: Type.Optional(
    Type.Object(
      {},
      { additionalProperties: true, description: "Flat: strings, numbers, booleans; at most 200" },
    ),
  ),
});

export const ImportBody = Shape({
  leads: Type.Array(ImportLead, { maxItems: LEADS_PER_IMPORT_MAX }),
  existing: Type.Optional(
    OneOf(EXISTING_RULES, {
      description: "What happens to the record of an address that is known already: merge",
    }),
  ),
  skip_if_in_other_campaign: Type.Optional(Type.Boolean()),
  dry_run: Type.Optional(Type.Boolean({ description: "Judges every item and stores nothing" })),
});
export type ImportBody = Static<typeof ImportBody>;

export const ImportAnswer = Shape({
  imported: Type.Integer({ minimum: 0 }),
  skipped: Type.Integer({ minimum: 0 }),
  errors: Type.Array(Shape({ email: Type.String(), reason: OneOf(IMPORT_ERRORS) })),
  skipped_details: Type.Array(Shape({ email: Type.String(), reason: OneOf(SKIP_REASONS) })),
  campaign_status: OneOf(CAMPAIGN_STATUSES, {
    description: "After the import. Only an active campaign writes to its leads",
  }),
  warning: Nullable(
    Type.String({
      description: "Why nothing is sent to those who were imported, where that is so",
    }),
  ),
});

export function presentCampaignLead(db: Db, row: CampaignLeadRow): CampaignLead {
  return present(CampaignLead, campaignLeadOf(db, row));
}

export function campaignLeadOf(db: Db, row: CampaignLeadRow) {
  return { ...row, nextAttemptAt: nextAttempt(row), currentStep: currentStepOf(db, row) };
}

export function readItem(input: Static<typeof ImportLead>): ImportItem {
  const { email, variables } = input;
  return { email, ...readTexts(input), ...(variables === undefined ? {} : { variables }) };
}

export function readOptions(body: ImportBody): ImportOptions {
  return {
    existing: body.existing ?? "merge",
    skipIfInOtherCampaign: body.skip_if_in_other_campaign ?? false,
    dryRun: body.dry_run ?? false,
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
): Static<typeof ImportAnswer> {
  return {
    imported: result.imported,
    skipped: result.skipped.length,
    errors: result.errors,
    skipped_details: result.skipped,
    campaign_status: campaign.status,
    warning: warningOf(result.imported > 0, campaign).warning ?? null,
  };
}
