/** Lifts holds when what was missing may have come: a lead's record or a template has changed. */

import { releaseMissing } from "#store/campaign-leads.ts";
import { campaignById, updateCampaign } from "#store/campaigns.ts";
import type { Id } from "#store/columns.ts";
import type { World } from "#world.ts";
import { reviveCampaign } from "./campaigns.ts";

/**
 * Enrollments of a campaign or of a lead that are held for a missing variable are tried anew; one whose
 * variable is still missing is held again when its turn comes. Waking the lanes is the caller's.
 */
export function retryMissing(world: World, whose: { campaignId: Id } | { leadId: Id }): void {
  const released = new Map<Id, number>();
  for (const campaignId of releaseMissing(world.db, whose, world.clock.now())) {
    released.set(campaignId, (released.get(campaignId) ?? 0) + 1);
  }
  for (const [campaignId, count] of released) {
    const campaign = campaignById(world.db, campaignId);
    if (campaign !== undefined) {
      const row = { ...campaign, open: campaign.open + count };
      updateCampaign(world.db, row);
      reviveCampaign(world, row);
    }
  }
}
