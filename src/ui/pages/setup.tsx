/** Pages on which a campaign is set up: written, filled with leads, timed, and started. */

import { Allowed } from "../parts/allowed.tsx";
import type { Pages } from "../parts/form/area.tsx";
import { CheckPage } from "./campaigns/launch/check.tsx";
import { NewCampaignPage, SetUpPage } from "./campaigns/new.tsx";
import { RulesPage } from "./campaigns/rules.tsx";
import { SchedulePage } from "./campaigns/schedule.tsx";
import { SequencePage } from "./campaigns/sequence.tsx";
import { ImportPage, ImportStartPage } from "./leads/import.tsx";

export const SET_UP_PAGES: Pages = [
  [
    "campaigns/new",
    () => (
      <Allowed scope="campaigns:write" title="New campaign">
        <NewCampaignPage />
      </Allowed>
    ),
  ],
  ["campaigns/:id/sequence", ({ id = "" }) => <SequencePage key={id} id={id} />],
  ["campaigns/:id/schedule", ({ id = "" }) => <SchedulePage key={id} id={id} />],
  ["campaigns/:id/rules", ({ id = "" }) => <RulesPage key={id} id={id} />],
  ["campaigns/:id/check", ({ id = "" }) => <CheckPage key={id} id={id} />],
  [
    "campaigns/:id/new/:step",
    ({ id = "", step = "" }) => (
      <Allowed scope="campaigns:write" title="New campaign">
        <SetUpPage key={id} id={id} step={step} />
      </Allowed>
    ),
  ],
  ["campaigns/:id/import", ({ id = "" }) => <ImportPage key={id} id={id} />],
  ["import", () => <ImportStartPage />],
];
