import { type Static, Type } from "@sinclair/typebox";
import { Attachments, attachmentOf } from "#api/campaigns/files.ts";
import { CampaignStats } from "#api/campaigns/schema.ts";
import { unsaved } from "#api/campaigns/steps/schema.ts";
import { defined } from "#api/defined.ts";
import {
  LEAD_EMAIL,
  leadTexts,
  readTexts,
  readVariables,
  VariablesPatch,
} from "#api/leads/schema.ts";
import { Count, Described, Documented, IdOf, Nullable, OneOf, Shape } from "#api/schema.ts";
import { present, read } from "#api/wire.ts";
import { totalOnHold } from "#domain/campaigns/campaign.ts";
import { STEPS_MAX } from "#domain/campaigns/step.ts";
import type { CampaignRow, StepRow } from "#store/tables/campaigns.ts";
import { LAUNCH_WARNINGS } from "#usecases/campaigns/launch.ts";
import {
  carriedIn,
  type PreviewInput,
  type Preview as PreviewResult,
} from "#usecases/sending/preview.ts";

export const PreviewBody = Shape({
  step_id: Type.Optional(IdOf("Step to render; either this or `position`")),
  position: Type.Optional(
    Documented(
      Type.Integer({
        minimum: 1,
        maximum: STEPS_MAX,
        description: "Position of the step to render",
      }),
      { default: 1 },
    ),
  ),
  lead_id: Type.Optional(IdOf("Lead to render the step for; either this or `lead`")),
  lead: Type.Optional(
    Shape(
      {
        email: Type.Optional(
          Described(Type.String({ maxLength: 254 }), "Email address", LEAD_EMAIL),
        ),
        ...Type.Partial(Shape(leadTexts)).properties,
        variables: Type.Optional(VariablesPatch),
      },
      { description: "Person to render the step for, who need not be a lead" },
    ),
  ),
  ...unsaved,
  roll: Type.Optional(
    Documented(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000,
        description: "Which of the spintax variations to render; 0 is the one that the lead gets",
      }),
      { default: 0 },
    ),
  ),
});
export type PreviewBody = Static<typeof PreviewBody>;

export const Preview = Shape({
  step_id: IdOf("The step's id"),
  position: Type.Integer({ minimum: 1, description: "Position of the step, from 1" }),
  subject: Nullable(
    Type.String({ description: "Rendered subject; null while values are missing" }),
  ),
  text: Nullable(Type.String({ description: "Plain-text part; null while values are missing" })),
  html: Nullable(Type.String({ description: "HTML part; null while values are missing" })),
  headers: Type.Array(
    Shape({
      name: Type.String({ description: "Name of the header", examples: ["From"] }),
      value: Type.String({ description: "Its value", examples: ["Ann Lee <ann@example.com>"] }),
    }),
    { description: "Headers of the email, except those that every sending makes anew" },
  ),
  attachments: Attachments("What the email carries; images in its text first"),
  missing: Type.Array(Type.String(), {
    description:
      "Variables without a value and without a default in the template; the lead would be put on hold",
  }),
});

export const LaunchCheck = Shape({
  ready: Type.Boolean({ description: "Whether the campaign can be started" }),
  problems: Type.Array(
    Shape({
      field: Type.String({ description: "Field at fault", examples: ["steps"] }),
      message: Type.String({ description: "What is wrong and how to fix it" }),
    }),
    { description: "What a start would be refused for" },
  ),
  warnings: Type.Array(
    Shape({
      code: OneOf(LAUNCH_WARNINGS, { description: "What the warning is about" }),
      message: Type.String({ description: "What to look at, in plain words" }),
    }),
    { description: "What does not prevent a start but needs attention" },
  ),
  held_leads: Count("Leads, of those scanned, that would be put on hold for a missing variable"),
  scanned: Count("Leads that were checked: the first 10,000 at most"),
});

/** Wire to use case. Throws `validation_error` for variables that cannot be. */
export function readPreview(body: PreviewBody): PreviewInput {
  const { lead } = body;
  const variables =
    lead?.variables === undefined ? undefined : readVariables(lead.variables, "lead");
  const { lead: _given, subject, body: text, format, ...rest } = read(PreviewBody, body);
  const input = { ...rest, words: defined({ subject, body: text, format }) };
  return lead === undefined
    ? input
    : { ...input, lead: { ...readTexts(lead), ...defined({ email: lead.email, variables }) } };
}

export function presentPreview(preview: PreviewResult): Static<typeof Preview> {
  const { step, content, headers, missing } = preview;
  const nothing = { subject: null, text: null, html: null };
  const place = { stepId: step.id, position: step.position };
  const attachments = carriedIn(preview).map(({ file, isInline }) =>
    attachmentOf({ ...file, fileId: file.id, isInline }),
  );
  return present(Preview, { ...nothing, ...content, ...place, headers, attachments, missing });
}

/** Replies are told by leads written to, bounces by messages. Null where nothing was sent. */
export function presentStats(
  row: CampaignRow,
  steps: readonly StepRow[],
): Static<typeof CampaignStats> {
  return present(CampaignStats, {
    ...row,
    campaignId: row.id,
    held: totalOnHold(row.onHold),
    // A reply attached by hand may be of a lead to whom nothing was sent.
    replyRate: row.contacted === 0 ? null : Math.min(1, row.replied / row.contacted),
    bounceRate: row.sent === 0 ? null : Math.min(1, row.bounced / row.sent),
    steps: steps.map((step) => ({ ...step, stepId: step.id })),
  });
}
