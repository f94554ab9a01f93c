/** Changing an experiment by a merge patch: what may be changed when. */

import {
  checkMove,
  checkTestAndRoll,
  checkVariants,
  EXPERIMENT_MOVES,
  type ExperimentMove,
  type ExperimentStatus,
  governsStep,
  isUnderWay,
} from "#domain/experiments/experiment.ts";
import { checkGuardrails } from "#domain/experiments/guardrail.ts";
import { conflict, invalid } from "#domain/problem.ts";
import { DAY_MS, plus } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import { stepById } from "#store/campaigns/steps.ts";
import { updateExperiment, updateVariant, variantsOf } from "#store/experiments/experiments.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { ExperimentRow, VariantRow } from "#store/tables/experiments.ts";
import { nextReview } from "#usecases/campaigns/exposures.ts";
import { audit } from "#usecases/events/record.ts";
import { checkRenderable } from "#usecases/sending/preview.ts";
import { moveExperiment } from "./experiment-moves.ts";
import { emitChanged } from "./experiment-run.ts";
import {
  checkFree,
  type ExperimentFields,
  facts,
  fieldsOf,
  putVariants,
  requireExperiment,
  stepAt,
  type VariantFields,
} from "./experiments.ts";

export interface ExperimentPatch extends Partial<ExperimentFields> {
  status?: ExperimentStatus;
  variants?: readonly VariantFields[];
}

/** Settable only before the first lead was written to: later it would change what is compared. */
const FIXED_ONCE_BEGUN = [
  ["primaryMetric", "primary_metric"],
  ["optimizationMode", "optimization_mode"],
  ["attributionWindowDays", "attribution_window_days"],
  ["stepPosition", "step_position"],
] as const;

/**
 * Merges `patch` into the experiment; `status` among it moves it. Throws `conflict` naming the field for
 * what cannot be changed any more, `validation_error` for what cannot be.
 */
export function patchExperiment(
  env: Environment,
  caller: Caller,
  id: Id,
  patch: ExperimentPatch,
): ExperimentRow {
  const before = requireExperiment(env, caller, id);
  const { status, variants, ...fields } = patch;
  const move = status === undefined ? null : moveTo(before.status, status);
  const merged = mergeFields(env, before, fields);
  const old = variantsOf(env.db, id);
  const given = variants === undefined ? undefined : checkNewVariants(merged, old, variants);
  checkTestAndRoll(merged.optimizationMode, merged.stepPosition, given ?? old);
  const isSame =
    JSON.stringify(before) === JSON.stringify(merged) &&
    (given === undefined || JSON.stringify(given) === JSON.stringify(old.map(fieldsOf)));
  if (!isSame) {
    const row = { ...merged, updatedAt: env.clock.now() };
    if (given !== undefined) {
      checkSendable(env, row, given);
    }
    updateExperiment(env.db, row);
    if (given !== undefined) {
      storeVariants(env, row, old, given);
    }
    audit(env, caller, {
      action: "experiment.patch",
      target: `experiment:${id}`,
      before: facts(before, old),
      after: facts(row, variantsOf(env.db, id)),
    });
    emitChanged(env, row);
  }
  return move === null ? requireExperiment(env, caller, id) : moveExperiment(env, caller, id, move);
}

/** Throws `validation_error` for variants that leads of a running campaign would all be on hold for. */
function checkSendable(
  env: Environment,
  row: ExperimentRow,
  given: readonly VariantFields[],
): void {
  const campaign = campaignById(env.db, row.campaignId);
  const step = row.stepId === null ? undefined : stepById(env.db, row.stepId);
  if (row.firstSentAt === null && campaign?.status === "active" && step !== undefined) {
    checkRenderable(env, campaign, step, given);
  }
}

/** The move that a PATCH of `status` asks for; null where nothing moves. Throws `conflict`. */
function moveTo(from: ExperimentStatus, to: ExperimentStatus): ExperimentMove | null {
  if (from === to) {
    return null;
  }
  const moves = Object.keys(EXPERIMENT_MOVES) as ExperimentMove[];
  const move = moves.find((one) => EXPERIMENT_MOVES[one] === to);
  if (move === undefined) {
    throw conflict(
      "can't be evaluating; Outrider sets it when the last leads are being measured",
      "status",
    );
  }
  checkMove(from, move);
  return move;
}

function mergeFields(
  env: Environment,
  before: ExperimentRow,
  fields: Partial<ExperimentFields>,
): ExperimentRow {
  const hasBegun = before.firstSentAt !== null;
  for (const [name, wire] of FIXED_ONCE_BEGUN) {
    if (hasBegun && fields[name] !== undefined && fields[name] !== before[name]) {
      throw conflict("can't be changed anymore because leads have been emailed", wire);
    }
  }
  checkGuardrails(fields.guardrails ?? []);
  const merged = { ...before, ...fields };
  if (merged.stepPosition !== before.stepPosition) {
    merged.stepId = stepAt(env, before.campaignId, merged.stepPosition, true)?.id ?? null;
    checkFree(env, merged);
    checkVariants(variantsOf(env.db, before.id), merged.stepPosition);
  }
  if (merged.durationDays === before.durationDays) {
    return merged;
  }
  if (!governsStep(before.status)) {
    throw conflict(`the experiment is ${before.status}, so it can't be extended`, "duration_days");
  }
  const endsAt = plus(before.startedAt, merged.durationDays * DAY_MS + before.pausedMs);
  const moved = { ...merged, endsAt, replanned: before.replanned || hasBegun };
  const isRunning = moved.status === "running";
  return { ...moved, dueAt: isRunning ? nextReview(env, moved, env.clock.now()) : null };
}

/** Throws `conflict` for a change of what is compared, once leads have been written to. */
function checkNewVariants(
  row: ExperimentRow,
  before: readonly VariantRow[],
  given: readonly VariantFields[],
): VariantFields[] {
  for (const [place, { id }] of given.entries()) {
    if (id !== undefined && !before.some((variant) => variant.id === id)) {
      throw invalid(`variants.${place}.id`, "the experiment has no such variant");
    }
    if (id !== undefined && given.findIndex((other) => other.id === id) < place) {
      throw invalid(`variants.${place}.id`, "is listed twice");
    }
  }
  checkVariants(given, row.stepPosition);
  const compared = (variants: readonly VariantFields[]) =>
    JSON.stringify(variants.map(({ id, config, weight }) => ({ id, config, weight })));
  if (row.firstSentAt !== null || !isUnderWay(row.status)) {
    if (compared(given) !== compared(before.map(fieldsOf))) {
      throw conflict("can't be changed anymore because leads have been emailed", "variants");
    }
  }
  return given.map((variant) => ({ ...variant, name: variant.name.trim() }));
}

function storeVariants(
  env: Environment,
  row: ExperimentRow,
  before: readonly VariantRow[],
  given: readonly VariantFields[],
): void {
  if (row.firstSentAt === null) {
    putVariants(env, row, before, given);
    return;
  }
  for (const [place, variant] of before.entries()) {
    updateVariant(env.db, { ...variant, name: given[place]?.name ?? variant.name });
  }
}
