/** `/campaigns/{id}/duplicate`. */

import { Type } from "@sinclair/typebox";
import { PLAN_LIMITED, resource } from "#api/context.ts";
import { Documented, Line, Shape } from "#api/schema.ts";
import { actLater } from "#api/write.ts";
import { requireCampaign } from "#usecases/campaigns/campaigns.ts";
import { copyLeads, duplicateCampaign } from "#usecases/experiments/duplicate.ts";
import { presentCampaign } from "./routes.ts";
import { Campaign, CampaignParams } from "./schema.ts";

const option = (description: string) =>
  Type.Optional(Documented(Type.Boolean({ description }), { default: false }));

const CampaignDuplicate = Type.Optional(
  Shape({
    name: Type.Optional(
      Line(255, {
        description: "Name of the copy; without it, the campaign's name with (copy) behind it",
        examples: ["Spring launch, UK founders"],
      }),
    ),
    experiments: option("Also create the experiments that are running or paused, from the start"),
    leads: option("Also add the campaign's leads, who start from the first step"),
  }),
);

export const duplicateRoutes = resource("campaigns", "/campaigns").post(
  "/:id/duplicate",
  (context) =>
    actLater(context, async () => {
      const { env, caller, params, state } = context;
      const { name = null, experiments = false, leads = false } = context.body ?? {};
      const how = { name, experiments };
      const { id } = await env.commit(() => duplicateCampaign(env, caller, params.id, how));
      if (leads) {
        state.disableIdleTimeout();
        await copyLeads(env, caller, params.id, id);
      }
      return presentCampaign(requireCampaign(env, caller, id));
    }),
  {
    params: CampaignParams,
    body: CampaignDuplicate,
    response: { 200: Campaign },
    detail: {
      summary: "Duplicate a campaign",
      description:
        "Creates a draft with the campaign's settings, steps and tags; with its experiments and " +
        "leads only if you ask for them. Nothing is sent before you start it.",
      "x-optional-body": true,
      ...PLAN_LIMITED,
    },
  },
);
