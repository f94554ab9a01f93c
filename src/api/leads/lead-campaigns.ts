/** A lead's campaigns, and where it stands in each. */

import { Type } from "@sinclair/typebox";
import { CampaignLead, standingsOf } from "#api/leads/enrollments/schema.ts";
import { Shape } from "#api/schema.ts";
import { present } from "#api/wire.ts";
import type { Db } from "#store/sqlite/database.ts";
import type { campaignsOfLead } from "#usecases/inbox/timeline.ts";

export const LeadCampaigns = Shape({
  data: Type.Array(
    Shape({
      ...CampaignLead.properties,
      campaign_name: Type.String({ description: "Name of the campaign" }),
    }),
    { description: "The lead in each of its campaigns, the latest first" },
  ),
});

export function presentLeadCampaigns(db: Db, rows: ReturnType<typeof campaignsOfLead>) {
  return present(LeadCampaigns, { data: rows.map(standingsOf(db, rows)) });
}
