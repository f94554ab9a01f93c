/** When mail goes out: of a campaign in the next days, and to one lead. */

import { resource } from "#api/context.ts";
import { CampaignLeadParams } from "#api/enrollments/schema.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { IdParams } from "#api/schema.ts";
import { ownCampaign } from "#usecases/campaigns/campaigns.ts";
import { explainEnrollment } from "#usecases/forecast/explain-lead.ts";
import { forecastCampaign } from "#usecases/forecast/forecast.ts";
import { ownCampaignLead } from "#usecases/leads/campaign-leads.ts";
import {
  Explained,
  Forecast,
  ForecastQuery,
  presentExplanation,
  presentForecast,
} from "./schema.ts";

export const forecastRoutes = resource("campaigns", "/campaigns/:id")
  .get(
    "/forecast",
    async ({ world, caller, params, request, state }) => {
      const options = readQuery(ForecastQuery, request);
      const row = ownCampaign(world, caller, params.id);
      state.neverIdle();
      return presentForecast(row, await forecastCampaign(world, row, options, request.signal));
    },
    {
      params: IdParams,
      response: { 200: Forecast },
      detail: {
        summary: "What will be sent, if nobody answers and nothing fails or is changed",
        ...queryOf(ForecastQuery),
      },
    },
  )
  .get(
    "/leads/:leadId/explain",
    async ({ world, caller, params, request, state }) => {
      const row = ownCampaignLead(world, caller, params.id, params.leadId);
      state.neverIdle();
      return presentExplanation(row.id, await explainEnrollment(world, row, request.signal));
    },
    {
      params: CampaignLeadParams,
      response: { 200: Explained },
      detail: { summary: "Why a lead has not been written to, and when it will be" },
    },
  );
