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
  shareOut,
} from "#domain/experiments/experiment.ts";
import { checkGuardrails } from "#domain/experiments/guardrail.ts";
import { conflict, invalid } from "#domain/problem.ts";
import { DAY_MS, plus } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import { stepById } from "#store/campaigns/steps.ts";
import { epochOf, updateExperiment, variantsOf } from "#store/experiments/experiments.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { ExperimentRow, VariantRow } from "#store/tables/experiments.ts";
import { nextReview } from "#usecases/campaigns/exposures.ts";
import { audit } from "#usecases/events/record.ts";
import { checkRenderable } from "#usecases/sending/preview.ts";
import { moveExperiment } from "./experiment-moves.ts";
import { emitChanged, withAllocation } from "./experiment-run.ts";
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
      checkSendable(env, row, old, given);
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
  before: readonly VariantRow[],
  given: readonly VariantFields[],
): void {
  const campaign = campaignById(env.db, row.campaignId);
  const step = row.stepId === null ? undefined : stepById(env.db, row.stepId);
  const isAsked = row.firstSentAt === null || given.length > before.length;
  if (isAsked && campaign?.status === "active" && step !== undefined) {
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

/** What the experiment is to have: checked, and complete. */
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
  const whole = given.map((variant) => {
    const known = before.find(({ id }) => id === variant.id);
    const { id, config, weight, isActive = (known?.outAt ?? null) === null } = variant;
    const fields = { name: variant.name.trim(), config, weight, isActive };
    return id === undefined ? fields : { id, ...fields };
  });
  if (row.firstSentAt !== null || !isUnderWay(row.status)) {
    checkCompared(row, before, whole);
  }
  checkActive(before, whole);
  return whole;
}

/**
 * Throws `conflict` for a change of what is compared, once leads have been emailed. Switching a variant off or on
 * is none, nor is a new one in a bandit: a new epoch begins, and variants are compared within epochs.
 */
function checkCompared(
  { status, optimizationMode }: ExperimentRow,
  before: readonly VariantRow[],
  given: readonly VariantFields[],
): void {
  const compared = (variants: readonly VariantFields[]) =>
    JSON.stringify(variants.map(({ id, config, weight }) => ({ id, config, weight })));
  const known = before.map(fieldsOf);
  if (compared(given.slice(0, known.length)) !== compared(known)) {
    throw conflict(
      "can't be changed anymore because leads have been emailed; to stop sending one, set its is_active to false",
      "variants",
    );
  }
  const isAdded = given.length > known.length;
  if (isAdded && optimizationMode !== "thompson_sampling") {
    throw conflict(
      "can't be added anymore because leads have been emailed; only thompson_sampling takes new variants then",
      "variants",
    );
  }
  const isSwitched = known.some(({ isActive }, place) => isActive !== given[place]?.isActive);
  if ((isAdded || isSwitched) && !governsStep(status)) {
    throw conflict(`the experiment is ${status}, so its variants get no more leads`, "variants");
  }
}

/** Throws `conflict` where nobody would get a lead, or one is switched on that was taken out. */
function checkActive(before: readonly VariantRow[], given: readonly VariantFields[]): void {
  if (given.every(({ isActive }) => !isActive)) {
    throw conflict(
      "one variant at least must be active; pause or cancel the experiment",
      "variants",
    );
  }
  for (const { id, outReason } of before) {
    const place = given.findIndex((variant) => variant.id === id);
    if (given[place]?.isActive && outReason !== null && outReason !== "switched_off") {
      const why =
        outReason === "guardrail"
          ? "bounces, opt-outs, or negative replies"
          : "being clearly behind";
      throw conflict(
        `was taken out for ${why}, so it can't be switched on`,
        `variants.${place}.is_active`,
      );
    }
  }
}

/** Stores them, and begins an epoch where leads are shared out anew. */
function storeVariants(
  env: Environment,
  row: ExperimentRow,
  before: readonly VariantRow[],
  given: readonly VariantFields[],
): void {
  const shares = epochOf(env.db, row.id, row.epoch)?.allocation ?? [];
  putVariants(env, row, before, given);
  if (row.firstSentAt === null) {
    return;
  }
  const wasActive = (id?: Id) => before.some((one) => one.id === id && one.outAt === null);
  const isJoined = given.some(({ id, isActive }) => isActive === true && !wasActive(id));
  const out = given.map(({ isActive }) => isActive === false);
  const from = isJoined ? given.map(({ weight }) => weight) : given.map((_, at) => shares[at] ?? 0);
  withAllocation(env, row, shareOut(from, out), env.clock.now());
}
