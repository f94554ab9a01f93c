/** The addresses of experiments, placement, accounts and the simulator. */

import type { ComponentChildren } from "preact";
import { ExperimentPage } from "./experiments/detail.tsx";
import { ExperimentsPage } from "./experiments/list.tsx";
import { NewExperimentPage } from "./experiments/new.tsx";

type Values = Readonly<Record<string, string>>;

export const IMPROVE_PAGES: readonly [
  pattern: string,
  page: (values: Values) => ComponentChildren,
][] = [
  ["experiments", () => <ExperimentsPage />],
  ["experiments/new", () => <NewExperimentPage />],
  ["experiments/:id", ({ id = "" }) => <ExperimentPage key={id} id={id} />],
];
