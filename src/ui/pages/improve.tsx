/** The addresses of experiments, placement, accounts and the simulator. */

import type { Pages } from "../parts/form/area.tsx";
import { ProvidersPage } from "./accounts/by-provider.tsx";
import { AccountPage } from "./accounts/detail.tsx";
import { DomainPage } from "./accounts/domain.tsx";
import { AccountsPage } from "./accounts/list.tsx";
import { NewAccountPage } from "./accounts/new.tsx";
import { ExperimentPage } from "./experiments/detail.tsx";
import { ExperimentsPage } from "./experiments/list.tsx";
import { NewExperimentPage } from "./experiments/new.tsx";
import { RunPage } from "./placement/run.tsx";
import { PlacementPage } from "./placement/runs.tsx";
import { SchedulesPage } from "./placement/schedules.tsx";
import { SeedsPage } from "./placement/seeds.tsx";
import { SimulatorPage } from "./simulator/page.tsx";

export const IMPROVE_PAGES: Pages = [
  ["experiments", () => <ExperimentsPage />],
  ["experiments/new", () => <NewExperimentPage />],
  ["experiments/:id", ({ id = "" }) => <ExperimentPage key={id} id={id} />],
  ["placement", () => <PlacementPage />],
  ["placement/seeds", () => <SeedsPage />],
  ["placement/schedules", () => <SchedulesPage />],
  ["placement/runs/:id", ({ id = "" }) => <RunPage key={id} id={id} />],
  ["accounts", () => <AccountsPage />],
  ["accounts/providers", () => <ProvidersPage />],
  ["accounts/new", () => <NewAccountPage />],
  ["accounts/:id", ({ id = "" }) => <AccountPage key={id} id={id} />],
  ["domains/:id", ({ id = "" }) => <DomainPage key={id} domain={id} />],
  ["simulator", () => <SimulatorPage />],
];
