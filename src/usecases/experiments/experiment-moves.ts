/** Moving an experiment between its states by a person's word, and sending its winner to everyone. */

import { checkMove, type ExperimentMove } from "#domain/experiments/experiment.ts";
import { conflict, invalid } from "#domain/problem.ts";
import { plus } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import { updateExperiment, variantsOf } from "#store/experiments/experiments.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { ExperimentRow } from "#store/tables/experiments.ts";
import { nextReview } from "#usecases/campaigns/exposures.ts";
import { audit } from "#usecases/events/record.ts";
import { applyWinner, closeExperiment, emitChanged } from "./experiment-run.ts";
import { checkFree, requireExperiment } from "./experiments.ts";

/**
 * Moves an experiment by a person's word. Throws `conflict` naming `status` for a move that is none, or
 * where another experiment has taken the step meanwhile.
 */
export function moveExperiment(
  env: Environment,
  caller: Caller,
  id: Id,
  move: ExperimentMove,
): ExperimentRow {
  const before = requireExperiment(env, caller, id);
  checkMove(before.status, move);
  switch (move) {
    case "pause":
      return store(env, caller, before, "pause", {
        status: "paused",
        pausedAt: env.clock.now(),
        dueAt: null,
      });
    case "resume":
      return resume(env, caller, before);
    case "cancel":
      closeExperiment(env, caller, before, { status: "cancelled" });
      return requireExperiment(env, caller, id);
    case "complete":
      return completeExperiment(env, caller, id);
    default:
      return move satisfies never;
  }
}

/** The pause does not count: the end moves by its length. */
function resume(env: Environment, caller: Caller, before: ExperimentRow): ExperimentRow {
  checkFree(env, before);
  const now = env.clock.now();
  const pause = before.firstSentAt === null ? 0 : now - (before.pausedAt ?? now);
  const row: ExperimentRow = {
    ...before,
    status: "running",
    pausedAt: null,
    pausedMs: before.pausedMs + pause,
    endsAt: plus(before.endsAt, pause),
  };
  const dueAt = nextReview(env, row, now);
  return store(env, caller, before, "resume", { ...row, dueAt });
}

function store(
  env: Environment,
  caller: Caller,
  before: ExperimentRow,
  verb: string,
  change: Partial<ExperimentRow>,
): ExperimentRow {
  const row = { ...before, ...change, updatedAt: env.clock.now() };
  updateExperiment(env.db, row);
  audit(env, caller, {
    action: `experiment.${verb}`,
    target: `experiment:${row.id}`,
    before: { status: before.status },
    after: { status: row.status },
  });
  emitChanged(env, row);
  return row;
}

/**
 * Completes an experiment before its end. With `winnerVariantId` that variant is the winner, null for
 * none; without it whoever has won by now, if anybody. Throws `conflict` once it is closed,
 * `validation_error` for a variant that is not the experiment's.
 */
export function completeExperiment(
  env: Environment,
  caller: Caller,
  id: Id,
  winnerVariantId?: Id | null,
): ExperimentRow {
  const before = requireExperiment(env, caller, id);
  checkMove(before.status, "complete");
  const place = variantsOf(env.db, id).findIndex(
    (variant) => variant.id === winnerVariantId?.toLowerCase(),
  );
  if (typeof winnerVariantId === "string" && place < 0) {
    throw invalid("winner_variant_id", "the experiment has no such variant");
  }
  const selected = winnerVariantId === null ? null : place;
  closeExperiment(env, caller, before, {
    status: "completed",
    ...(winnerVariantId === undefined ? {} : { selected }),
  });
  return requireExperiment(env, caller, id);
}

/** Writes the winner's content into the step, so that every new lead gets it. Throws `conflict`. */
export function applyWinnerNow(env: Environment, caller: Caller, id: Id): ExperimentRow {
  const row = requireExperiment(env, caller, id);
  if (row.status !== "completed") {
    throw conflict(`the experiment is ${row.status}; complete it first`, "status");
  }
  if (row.winnerVariantId === null) {
    throw conflict("the experiment has no winner", "winner_variant_id");
  }
  const fault = applyWinner(env, caller, row);
  if (fault !== null) {
    throw conflict(`the winner can't be written into the step: ${fault}`, "winner_variant_id");
  }
  return requireExperiment(env, caller, id);
}
