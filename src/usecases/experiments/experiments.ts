/** Experiments: creating one, and what every change of one keeps to. */

import {
  checkTestAndRoll,
  checkVariants,
  EXPERIMENT_DEFAULTS,
  EXPERIMENTS_MAX,
  governsStep,
  type OptimizationMode,
  overrideContent,
  type PrimaryMetric,
  shareOut,
  type VariantInput,
} from "#domain/experiments/experiment.ts";
import { checkGuardrails, type Guardrail } from "#domain/experiments/guardrail.ts";
import { conflict, found, invalid } from "#domain/problem.ts";
import { DAY_MS, plus, type UnixMs } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import { findCampaign } from "#store/campaigns/campaigns.ts";
import { stepsOf } from "#store/campaigns/steps.ts";
import {
  countExperiments,
  findExperiment,
  insertExperiment,
  insertVariant,
  openExperiments,
  putEpoch,
  removeVariant,
  updateVariant,
  variantsOf,
} from "#store/experiments/experiments.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { StepRow } from "#store/tables/campaigns.ts";
import type { ExperimentRow, VariantRow } from "#store/tables/experiments.ts";
import { checkCarried } from "#usecases/campaigns/attachments.ts";
import { ensureCapacity } from "#usecases/events/limits.ts";
import { audit } from "#usecases/events/record.ts";
import { checkRenderable } from "#usecases/sending/preview.ts";

/** What a person may set, absent where it stays. */
export interface ExperimentFields {
  name: string;
  primaryMetric: PrimaryMetric;
  optimizationMode: OptimizationMode;
  durationDays: number;
  attributionWindowDays: number;
  earlyStopping: boolean;
  autoDrop: boolean;
  stepPosition: number;
  guardrails: readonly Guardrail[];
}

/** A variant as it is given; `id` where it is one that the experiment has. Without `isActive` that stays. */
export type VariantFields = VariantInput & { id?: Id; isActive?: boolean };

/**
 * Creates an experiment that runs at once. Throws `validation_error` for a campaign or a step that is
 * none and for variants that cannot be, `conflict` where another experiment governs the step.
 */
export function createExperiment(
  env: Environment,
  caller: Caller,
  input: Partial<ExperimentFields> & {
    campaignId: Id;
    name: string;
    variants: readonly VariantFields[];
  },
): ExperimentRow {
  const { campaignId, variants, ...fields } = input;
  const set = { ...EXPERIMENT_DEFAULTS, ...fields };
  const campaign = findCampaign(env.db, caller.teamId, campaignId);
  if (campaign === undefined) {
    throw invalid("campaign_id", "no such campaign");
  }
  const stepPosition = input.stepPosition ?? EXPERIMENT_DEFAULTS.stepPosition;
  const step = stepAt(env, campaign.id, stepPosition, input.stepPosition !== undefined);
  if (countExperiments(env.db, caller.teamId) >= EXPERIMENTS_MAX) {
    throw conflict(`a team may have at most ${EXPERIMENTS_MAX} experiments`);
  }
  checkVariants(variants, stepPosition);
  checkTestAndRoll(set.optimizationMode, stepPosition, variants);
  checkGuardrails(set.guardrails);
  if (step !== undefined && campaign.status === "active") {
    checkRenderable(env, campaign, step, variants);
  }
  const now = env.clock.now();
  const row: ExperimentRow = {
    ...set,
    id: env.ids.next(now),
    teamId: caller.teamId,
    campaignId: campaign.id,
    stepId: step?.id ?? null,
    testLeads: null,
    status: "running",
    startedAt: now,
    endsAt: plus(now, set.durationDays * DAY_MS),
    firstSentAt: null,
    pausedAt: null,
    pausedMs: 0,
    closedAt: null,
    epoch: 1,
    replanned: false,
    stepChangedAt: null,
    dueAt: null,
    winnerVariantId: null,
    appliedAt: null,
    result: null,
    createdAt: now,
    updatedAt: now,
  };
  checkFree(env, row);
  ensureCapacity(env, caller.teamId, "running_experiments");
  insertExperiment(env.db, row);
  putVariants(env, row, [], variants);
  audit(env, caller, {
    action: "experiment.create",
    target: `experiment:${row.id}`,
    after: facts(row, variantsOf(env.db, row.id)),
  });
  return row;
}

/** Throws `validation_error` where the step is a task, or was asked for and is not there. */
export function stepAt(
  env: Environment,
  campaignId: Id,
  position: number,
  isAsked: boolean,
): StepRow | undefined {
  const step = stepsOf(env.db, campaignId).find((one) => one.position === position);
  if (step === undefined && isAsked) {
    throw invalid("step_position", "the campaign has no such step");
  }
  if (step?.type === "task") {
    throw invalid("step_position", "this step is a task, so it has no content to test");
  }
  return step;
}

/** Throws `conflict` where another experiment assigns the leads of the same step. */
export function checkFree(env: Environment, row: ExperimentRow): void {
  const other = openExperiments(env.db, row.campaignId).find(
    (one) => one.id !== row.id && governsStep(one.status) && isSameStep(one, row),
  );
  if (other !== undefined) {
    throw conflict(
      `the experiment "${other.name}" (${other.id}) is ${other.status} on this step`,
      "step_position",
    );
  }
}

function isSameStep(a: ExperimentRow, b: ExperimentRow): boolean {
  return a.stepId === null || b.stepId === null
    ? a.stepPosition === b.stepPosition
    : a.stepId === b.stepId;
}

const EMPTY = { subject: null, body: null, format: null };

/**
 * Stores the variants in the order given, those with an id of `before` over what they were, and until the first
 * email how leads are shared out. Throws
 * `validation_error` for a text whose images can't be sent.
 */
export function putVariants(
  env: Environment,
  row: ExperimentRow,
  before: readonly VariantRow[],
  given: readonly VariantFields[],
): void {
  const now = env.clock.now();
  for (const { id } of before) {
    if (!given.some((variant) => variant.id === id)) {
      removeVariant(env.db, id);
    }
  }
  const step = stepsOf(env.db, row.campaignId).find((one) =>
    row.stepId === null ? one.position === row.stepPosition : one.id === row.stepId,
  );
  const attachmentIds = step?.attachmentIds ?? [];
  for (const [place, { id, name, config, weight, isActive = true }] of given.entries()) {
    const { body, format } = overrideContent(EMPTY, config);
    checkCarried(env, row.teamId, { attachmentIds, body, format }, `variants.${place}.config.body`);
    const known = before.find((variant) => variant.id === id);
    const fields = { place, name: name.trim(), config, weight };
    if (known !== undefined) {
      updateVariant(env.db, { ...known, ...fields, ...outOf(known, isActive, now) });
    } else {
      insertVariant(env.db, {
        ...fields,
        id: env.ids.next(now),
        teamId: row.teamId,
        experimentId: row.id,
        contents: [],
        ...outOf(undefined, isActive, now),
        createdAt: now,
      });
    }
  }
  if (row.firstSentAt !== null) {
    return;
  }
  putEpoch(env.db, {
    teamId: row.teamId,
    experimentId: row.id,
    number: row.epoch,
    allocation: shareOut(
      given.map(({ weight }) => weight),
      given.map(({ isActive = true }) => !isActive),
    ),
    since: now,
  });
}

/** Whether a variant is out once a person wants it active or not; why it was out before stays. */
export function outOf(
  known: VariantRow | undefined,
  isActive: boolean,
  now: UnixMs,
): Pick<VariantRow, "outAt" | "outReason"> {
  if (isActive) {
    return { outAt: null, outReason: null };
  }
  return { outAt: known?.outAt ?? now, outReason: known?.outReason ?? "switched_off" };
}

/** Throws `not_found` for another team's experiment as for one that never was. */
export function requireExperiment(env: Environment, caller: Caller, id: Id): ExperimentRow {
  return found(findExperiment(env.db, caller.teamId, id), "experiment");
}

/** The settable part for the audit log. */
export function facts(
  row: ExperimentRow,
  variants: readonly VariantRow[],
): Record<string, unknown> {
  return {
    name: row.name,
    status: row.status,
    primary_metric: row.primaryMetric,
    optimization_mode: row.optimizationMode,
    duration_days: row.durationDays,
    attribution_window_days: row.attributionWindowDays,
    early_stopping: row.earlyStopping,
    auto_drop: row.autoDrop,
    step_position: row.stepPosition,
    guardrails: row.guardrails,
    variants: variants.map((variant) => {
      const { isActive, ...fields } = fieldsOf(variant);
      return { ...fields, is_active: isActive };
    }),
  };
}

export function fieldsOf({ id, name, config, weight, outAt }: VariantRow): VariantFields {
  return { id, name, config, weight, isActive: outAt === null };
}
