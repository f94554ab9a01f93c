/** What people do with experiments while leads are written to. */

import { OPTIMIZATION_MODES, PRIMARY_METRICS } from "#domain/experiments/experiment.ts";
import { stepsOf } from "#store/campaigns/steps.ts";
import { listExperiments, variantsOf } from "#store/experiments/experiments.ts";
import type { ExperimentRow } from "#store/tables/experiments.ts";
import {
  applyWinnerNow,
  completeExperiment,
  moveExperiment,
} from "#usecases/experiments/experiment-moves.ts";
import { patchExperiment } from "#usecases/experiments/experiment-patch.ts";
import { createExperiment } from "#usecases/experiments/experiments.ts";
import { type Deed, type Stage, someCampaign, write } from "./stage.ts";
import { drawVariants } from "./team.ts";

export const tryVariants: Deed = async (stage) => {
  const { id } = someCampaign(stage);
  const { draw, caller } = stage.team;
  const emails = stepsOf(stage.process.env.db, id).filter(({ type }) => type === "email");
  if (emails.length === 0) {
    return;
  }
  const step = draw.pick(emails);
  const fields = {
    campaignId: id,
    name: "Which one",
    stepPosition: step.position,
    variants: drawVariants(stage.team, step),
    primaryMetric: draw.pick(PRIMARY_METRICS),
    optimizationMode: draw.pick(OPTIMIZATION_MODES),
    durationDays: draw.int(1, 12),
    attributionWindowDays: draw.int(0, 4),
    autoDrop: draw.chance(0.5),
  };
  await write(stage, (env) => createExperiment(env, caller, fields));
};

function someExperiment({ team, process }: Stage): ExperimentRow | null {
  const rows = listExperiments(process.env.db, team.caller.teamId, { offset: 0 });
  return rows.length === 0 ? null : team.draw.pick(rows);
}

export const changeExperiment: Deed = async (stage) => {
  const row = someExperiment(stage);
  const { draw, caller } = stage.team;
  if (row === null) {
    return;
  }
  const { id } = row;
  const winners = variantsOf(stage.process.env.db, id).map((variant) => variant.id);
  const change = draw.pick(["pause", "resume", "cancel", "complete", "extend", "apply"] as const);
  const winner = draw.pick([null, ...winners]);
  const days = draw.int(1, 20);
  await write(stage, (env) => {
    switch (change) {
      case "complete":
        return completeExperiment(env, caller, id, winner);
      case "extend":
        return patchExperiment(env, caller, id, { durationDays: days });
      case "apply":
        return applyWinnerNow(env, caller, id);
      default:
        return moveExperiment(env, caller, id, change);
    }
  });
};
