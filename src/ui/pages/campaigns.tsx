/** Pages of campaigns and their addresses. */

import type { ComponentChildren } from "preact";
import { Allowed } from "../parts/allowed.tsx";
import { CheckPage } from "./campaigns/launch/check.tsx";
import { CampaignLeadsPage } from "./campaigns/leads.tsx";
import { CampaignsPage } from "./campaigns/list.tsx";
import { NewCampaignPage, SetUpPage } from "./campaigns/new.tsx";
import { SchedulePage } from "./campaigns/schedule.tsx";
import { SequencePage } from "./campaigns/sequence.tsx";
import { SummaryPage } from "./campaigns/summary.tsx";

type Values = Readonly<Record<string, string>>;

export const CAMPAIGN_PAGES: readonly [
  pattern: string,
  page: (values: Values) => ComponentChildren,
][] = [
  ["campaigns", () => <CampaignsPage />],
  [
    "campaigns/new",
    () => (
      <Allowed scope="campaigns:write" title="New campaign">
        <NewCampaignPage />
      </Allowed>
    ),
  ],
  ["campaigns/:id", ({ id = "" }) => <SummaryPage key={id} id={id} />],
  ["campaigns/:id/sequence", ({ id = "" }) => <SequencePage key={id} id={id} />],
  ["campaigns/:id/leads", ({ id = "" }) => <CampaignLeadsPage key={id} id={id} />],
  ["campaigns/:id/schedule", ({ id = "" }) => <SchedulePage key={id} id={id} />],
  ["campaigns/:id/check", ({ id = "" }) => <CheckPage key={id} id={id} />],
  [
    "campaigns/:id/new/:step",
    ({ id = "", step = "" }) => (
      <Allowed scope="campaigns:write" title="New campaign">
        <SetUpPage key={id} id={id} step={step} />
      </Allowed>
    ),
  ],
];
