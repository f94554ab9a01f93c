/** What a campaign would say, what it lacks, and what it has done. */

import { CampaignParams, CampaignStats } from "#api/campaigns/schema.ts";
import { resource } from "#api/context.ts";
import { act } from "#api/write.ts";
import { stepsOf } from "#store/campaigns/steps.ts";
import { requireCampaign } from "#usecases/campaigns/campaigns.ts";
import {
  addressWarnings,
  launchProblems,
  launchWarnings,
  variantWarning,
} from "#usecases/campaigns/launch.ts";
import { contentWarnings } from "#usecases/sending/content-check.ts";
import { countHoles, previewStep } from "#usecases/sending/preview.ts";
import {
  LaunchCheck,
  Preview,
  PreviewBody,
  presentPreview,
  presentStats,
  readPreview,
} from "./schema.ts";

export const insightRoutes = resource("campaigns", "/campaigns/:id")
  .post(
    "/preview",
    (context) =>
      act(context, () => {
        const { env, caller, params, body } = context;
        return presentPreview(previewStep(env, caller, params.id, readPreview(body)));
      }),
    {
      params: CampaignParams,
      body: PreviewBody,
      response: { 200: Preview },
      detail: {
        summary: "Preview a step",
        description:
          "Renders a step for a lead as its email would read, without storing or sending anything. " +
          "Subject and body may be given in place of the step's own, to preview them while they are " +
          "edited.",
        // Whoever may read a step may read it as its readers do.
        ...{ "x-scope": "campaigns:read" },
      },
    },
  )
  .get(
    "/launch-check",
    async ({ env, caller, params }) => {
      const campaign = requireCampaign(env, caller, params.id);
      const problems = launchProblems(env, campaign);
      const content = problems.length === 0 ? contentWarnings(env, caller, campaign) : [];
      const { held, scanned, variants, addresses } = await countHoles(env, campaign);
      return {
        ready: problems.length === 0,
        problems,
        warnings: [
          ...launchWarnings(env, campaign),
          ...addressWarnings(addresses, scanned),
          ...variants.map(variantWarning),
          ...content,
        ],
        held_leads: held,
        scanned,
      };
    },
    {
      params: CampaignParams,
      response: { 200: LaunchCheck },
      detail: {
        summary: "Run the launch check",
        description:
          "Returns the problems for which a start would be refused, warnings that are worth a look, " +
          "and how many leads would be put on hold.",
      },
    },
  )
  .get(
    "/stats",
    ({ env, caller, params }) => {
      const campaign = requireCampaign(env, caller, params.id);
      const steps = stepsOf(env.db, campaign.id);
      return presentStats(campaign, steps);
    },
    {
      params: CampaignParams,
      response: { 200: CampaignStats },
      detail: {
        summary: "Get campaign statistics",
        description: "Returns totals of the campaign and of each of its steps.",
      },
    },
  );
