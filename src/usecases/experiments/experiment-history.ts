/** How an experiment came to be what it is: its mails by day, and its allocations. */

import { type ExposureDay, exposureDays } from "#store/experiments/experiment-history.ts";
import { epochsOf, variantsOf } from "#store/experiments/experiments.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { EpochRow, VariantRow } from "#store/tables/experiments.ts";
import type { Caller, World } from "#world.ts";
import { ownExperiment } from "./experiments.ts";

export interface ExperimentHistory {
  variants: readonly VariantRow[];
  days: readonly ExposureDay[];
  epochs: readonly EpochRow[];
}

/** Throws `not_found`. */
export function experimentHistory(world: World, caller: Caller, id: Id): ExperimentHistory {
  const { id: experimentId } = ownExperiment(world, caller, id);
  return {
    variants: variantsOf(world.db, experimentId),
    days: exposureDays(world.db, experimentId),
    epochs: epochsOf(world.db, experimentId),
  };
}
