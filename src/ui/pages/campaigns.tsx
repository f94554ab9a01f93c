/** Pages on which campaigns are watched, and their addresses; those on which one is set up come later. */

import type { Pages } from "../parts/form/area.tsx";
import { CampaignsPage } from "./campaigns/list.tsx";
import { SummaryPage } from "./campaigns/summary.tsx";

export const CAMPAIGN_PAGES: Pages = [
  ["campaigns", () => <CampaignsPage />],
  ["campaigns/:id", ({ id = "" }) => <SummaryPage key={id} id={id} />],
];
