/** `/campaigns/{id}/leads/enroll`: leads that a filter or a saved view finds, into a campaign. */

import { type Static, Type } from "@sinclair/typebox";
import { CampaignParams } from "#api/campaigns/schema.ts";
import { PLAN_LIMITED, resource } from "#api/context.ts";
import { readFiltered } from "#api/filter.ts";
import { Documented, IdOf, Nullable, Shape } from "#api/schema.ts";
import { actLater } from "#api/write.ts";
import { FILTER_CHARS_MAX } from "#domain/filter.ts";
import { invalid } from "#domain/problem.ts";
import type { Caller, Environment } from "#environment.ts";
import { LEAD_LIST } from "#store/filter/lists.ts";
import { requireCampaign } from "#usecases/campaigns/campaigns.ts";
import { enrollKnown } from "#usecases/leads/import/import-known.ts";
import { requireLeadView } from "#usecases/leads/views.ts";
import { IMPORT_DEFAULTS, ImportOutcome, presentImport, skipElsewhere } from "./schema.ts";

/** Leads that one call adds. */
const ENROLLED_MAX = 1000;

const EnrollBody = Shape({
  view_id: Type.Optional(IdOf("Saved view whose leads are added; either this or `filter`")),
  filter: Type.Optional(
    Type.String({
      maxLength: FILTER_CHARS_MAX,
      description: "Filter, as the list of leads takes it; an empty one finds all leads",
      examples: ["tag:dach -status:active"],
    }),
  ),
  after: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: "`next_cursor` of the previous call, with the same view or filter",
    }),
  ),
  skip_if_in_other_campaign: Type.Optional(
    Documented(skipElsewhere, { default: IMPORT_DEFAULTS.skipIfInOtherCampaign }),
  ),
  dry_run: Type.Optional(
    Documented(Type.Boolean({ description: "Return the result without storing anything" }), {
      default: IMPORT_DEFAULTS.dryRun,
    }),
  ),
});

const EnrollOutcome = Shape({
  ...ImportOutcome.properties,
  next_cursor: Nullable(
    Type.String({
      description: `Pass it as \`after\` to continue after ${ENROLLED_MAX} leads; null when all are done`,
    }),
  ),
});

export const enrollRoutes = resource("leads", "/campaigns/:id/leads").post(
  "/enroll",
  (context) =>
    actLater(context, async () => {
      const { env, caller, params, body } = context;
      requireCampaign(env, caller, params.id);
      const { rows, page } = await readFiltered(env, caller, LEAD_LIST, {
        ...{ limit: ENROLLED_MAX, offset: 0, filter: filterOf(env, caller, body) },
        ...(body.after === undefined ? {} : { after: body.after }),
      });
      const options = {
        skipIfInOtherCampaign: body.skip_if_in_other_campaign ?? false,
        dryRun: body.dry_run ?? false,
      };
      const result = await enrollKnown(env, caller, params.id, rows, options);
      const campaign = requireCampaign(env, caller, params.id);
      return { ...presentImport(result, campaign, []), next_cursor: page.next_cursor };
    }),
  {
    params: CampaignParams,
    body: EnrollBody,
    response: { 200: EnrollOutcome },
    detail: {
      summary: "Add leads that a view or filter finds",
      description:
        "Adds leads that the team has to a campaign. Their fields don't change, and who is in the " +
        `campaign, suppressed, or in another campaign is skipped as an import does. Up to ${ENROLLED_MAX} ` +
        "leads per call; continue with `next_cursor`.",
      ...PLAN_LIMITED,
    },
  },
);

function filterOf(
  env: Environment,
  caller: Caller,
  { view_id: viewId, filter }: Static<typeof EnrollBody>,
): string {
  if ((viewId === undefined) === (filter === undefined)) {
    throw invalid("view_id", "use either view_id or filter");
  }
  return filter ?? requireLeadView(env, caller, viewId ?? "").filter;
}
