/** When mail goes out: of a campaign in the next days, and to one lead. */

import { resource } from "#api/context.ts";
import { CampaignLeadParams } from "#api/enrollments/schema.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { IdParams } from "#api/schema.ts";
import { ownCampaignLead } from "#usecases/campaign-leads.ts";
import { ownCampaign } from "#usecases/campaigns.ts";
import { explainEnrollment, forecastCampaign } from "#usecases/forecast.ts";
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
    ({ world, caller, params, request }) => {
      const { days, as_if_started: asIfStarted } = readQuery(ForecastQuery, request);
      const row = ownCampaign(world, caller, params.id);
      return presentForecast(row, forecastCampaign(world, row, { days, asIfStarted }));
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
    ({ world, caller, params }) => {
      const row = ownCampaignLead(world, caller, params.id, params.leadId);
      return presentExplanation(row.id, explainEnrollment(world, row));
    },
    {
      params: CampaignLeadParams,
      response: { 200: Explained },
      detail: { summary: "Why a lead has not been written to, and when it will be" },
    },
  );
