/** How an experiment came to be what it is: its emails by day, and its allocations. */

import type { Caller, Environment } from "#environment.ts";
import { type ExposureDay, exposureDays } from "#store/experiments/experiment-history.ts";
import { epochsOf, variantsOf } from "#store/experiments/experiments.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { EpochRow, VariantRow } from "#store/tables/experiments.ts";
import { requireExperiment } from "./experiments.ts";

export interface ExperimentHistory {
  variants: readonly VariantRow[];
  days: readonly ExposureDay[];
  epochs: readonly EpochRow[];
}

/** Throws `not_found`. */
export function experimentHistory(env: Environment, caller: Caller, id: Id): ExperimentHistory {
  const { id: experimentId } = requireExperiment(env, caller, id);
  return {
    variants: variantsOf(env.db, experimentId),
    days: exposureDays(env.db, experimentId),
    epochs: epochsOf(env.db, experimentId),
  };
}
