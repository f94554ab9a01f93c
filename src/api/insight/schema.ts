import { type Static, Type } from "@sinclair/typebox";
import { CampaignStats } from "#api/campaigns/schema.ts";
import { defined } from "#api/defined.ts";
import { leadTexts, readTexts, readVariables, VariablesPatch } from "#api/leads/schema.ts";
import { Id, Line, Nullable, OneOf, Shape, Text } from "#api/schema.ts";
import { BODY_MAX, SUBJECT_MAX } from "#api/steps/schema.ts";
import { present, read } from "#api/wire.ts";
import { totalOnHold } from "#domain/campaigns/campaign.ts";
import { STEPS_MAX } from "#domain/campaigns/step.ts";
import type { CampaignRow, StepRow } from "#store/tables/campaigns.ts";
import { LAUNCH_WARNINGS } from "#usecases/campaigns/launch.ts";
import type { PreviewInput, Preview as PreviewResult } from "#usecases/sending/preview.ts";

export const PreviewBody = Shape({
  step_id: Type.Optional(Id),
  position: Type.Optional(
    Type.Integer({ minimum: 1, maximum: STEPS_MAX, description: "The first step when absent" }),
  ),
  lead_id: Type.Optional(Id),
  lead: Type.Optional(
    Shape(
      {
        email: Type.Optional(Type.String({ maxLength: 254 })),
        ...Type.Partial(Shape(leadTexts)).properties,
        variables: Type.Optional(VariablesPatch),
      },
      { description: "Somebody who need not be a lead; a nameless one when absent" },
    ),
  ),
  subject: Type.Optional(
    Nullable(Line(SUBJECT_MAX, { minLength: 0, description: "In place of the step's own" })),
  ),
  body: Type.Optional(Text(BODY_MAX, { minLength: 1, description: "In place of the step's own" })),
  roll: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      description: "Another choice of the spintax than the lead's own, which is 0",
    }),
  ),
});
export type PreviewBody = Static<typeof PreviewBody>;

export const Preview = Shape({
  step_id: Id,
  position: Type.Integer(),
  subject: Nullable(Type.String({ description: "null while something is missing" })),
  text: Nullable(Type.String()),
  html: Nullable(Type.String()),
  headers: Type.Array(Shape({ name: Type.String(), value: Type.String() }), {
    description: "Of the mail, without those that each sending makes anew",
  }),
  missing: Type.Array(Type.String(), {
    description: "Variables without a value and without a fallback: this lead would be held",
  }),
});

export const LaunchCheck = Shape({
  ready: Type.Boolean(),
  problems: Type.Array(Shape({ field: Type.String(), message: Type.String() }), {
    description: "What a start would be refused for",
  }),
  warnings: Type.Array(Shape({ code: OneOf(LAUNCH_WARNINGS), message: Type.String() })),
  held_leads: Type.Integer({ description: "Open leads, among those looked at, with a hole" }),
  scanned: Type.Integer({ description: "Open leads looked at: the first ones, 10,000 at most" }),
});

/** Wire to use case. Throws `validation_error` for variables that cannot be. */
export function readPreview(body: PreviewBody): PreviewInput {
  const { lead } = body;
  const variables =
    lead?.variables === undefined ? undefined : readVariables(lead.variables, "lead");
  const { lead: _given, ...rest } = read(PreviewBody, body);
  return lead === undefined
    ? rest
    : { ...rest, lead: { ...readTexts(lead), ...defined({ email: lead.email, variables }) } };
}

export function presentPreview(preview: PreviewResult): Static<typeof Preview> {
  const { step, content, headers, missing } = preview;
  const nothing = { subject: null, text: null, html: null };
  const place = { stepId: step.id, position: step.position };
  return present(Preview, { ...nothing, ...content, ...place, headers, missing });
}

/**
 * Replies are told by leads written to, which is the most that one step was sent; bounces by messages.
 * Null where nothing was sent.
 */
export function presentStats(
  row: CampaignRow,
  steps: readonly StepRow[],
): Static<typeof CampaignStats> {
  const written = Math.max(0, ...steps.map(({ sent }) => sent));
  return present(CampaignStats, {
    ...row,
    campaignId: row.id,
    held: totalOnHold(row.onHold),
    replyRate: written === 0 ? null : Math.min(1, row.replied / written),
    bounceRate: row.sent === 0 ? null : Math.min(1, row.bounced / row.sent),
    steps: steps.map((step) => ({ ...step, stepId: step.id })),
  });
}
