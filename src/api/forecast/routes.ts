/** When email goes out: of a campaign in the next days, and to one lead. */

import { CampaignParams } from "#api/campaigns/schema.ts";
import { resource } from "#api/context.ts";
import { CampaignLeadParams } from "#api/leads/enrollments/schema.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { requireCampaign } from "#usecases/campaigns/campaigns.ts";
import { explainEnrollment } from "#usecases/forecast/explain-lead.ts";
import { forecastCampaign } from "#usecases/forecast/forecast.ts";
import { requireCampaignLead } from "#usecases/leads/campaign-leads.ts";
import {
  Explained,
  Forecast,
  ForecastQuery,
  presentExplanation,
  presentForecast,
  SENDS_MAX,
} from "./schema.ts";

export const forecastRoutes = resource("campaigns", "/campaigns/:id")
  .get(
    "/forecast",
    async ({ env, caller, params, request, state }) => {
      const options = { ...readQuery(ForecastQuery, request), listed: SENDS_MAX };
      const row = requireCampaign(env, caller, params.id);
      state.disableIdleTimeout();
      return presentForecast(row, await forecastCampaign(env, row, options, request.signal));
    },
    {
      params: CampaignParams,
      response: { 200: Forecast },
      detail: {
        summary: "Forecast a campaign",
        description:
          "Returns what will be sent in the next days, email by email, provided that nobody " +
          "replies, nothing fails and nothing is changed.",
        ...queryOf(ForecastQuery),
      },
    },
  )
  .get(
    "/leads/:leadId/explain",
    async ({ env, caller, params, request, state }) => {
      const row = requireCampaignLead(env, caller, params.id, params.leadId);
      state.disableIdleTimeout();
      return presentExplanation(row.id, await explainEnrollment(env, row, request.signal));
    },
    {
      params: CampaignLeadParams,
      response: { 200: Explained },
      detail: {
        summary: "Explain a lead's next email",
        description:
          "Returns when the lead gets its next email, and the limit or setting that it is waiting " +
          "for.",
      },
    },
  );
