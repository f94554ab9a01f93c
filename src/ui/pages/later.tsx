/** Pages that nobody opens first: their script comes after that of the first page. */

import type { Pages } from "../parts/form/area.tsx";
import { BUILD_PAGES } from "./build.tsx";
import { CampaignLeadsPage } from "./campaigns/leads.tsx";
import { IMPROVE_PAGES } from "./improve.tsx";
import { DuplicatesPage } from "./leads/duplicates.tsx";
import { ErasurePage } from "./leads/erasure.tsx";
import { SET_UP_PAGES } from "./setup.tsx";
import { SuppressionsPage } from "./suppressions.tsx";
import { TasksPage } from "./tasks.tsx";

export const LATER_PAGES: Pages = [
  ["campaigns/:id/leads", ({ id = "" }) => <CampaignLeadsPage key={id} id={id} />],
  ["suppressions", () => <SuppressionsPage />],
  ["tasks", () => <TasksPage />],
  ["leads/erased/:id", ({ id = "" }) => <ErasurePage key={id} id={id} />],
  ["leads/duplicates", () => <DuplicatesPage />],
  ...SET_UP_PAGES,
  ...IMPROVE_PAGES,
  ...BUILD_PAGES,
];
