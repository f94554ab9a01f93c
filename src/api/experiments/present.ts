/** Experiments on the wire: rows and readings to the seed's records. */

import type { Static } from "@sinclair/typebox";
import { isSignificant, type PairReading } from "#domain/experiments/experiment-pairs.ts";
import { pendingOf } from "#domain/experiments/exposure.ts";
import { toIso, toIsoOrNull } from "#domain/time.ts";
import type { ExperimentRow } from "#store/tables/experiments.ts";
import type { PlanReading } from "#usecases/experiments/experiment-plan.ts";
import type { Results, VariantResult } from "#usecases/experiments/experiment-results.ts";
import { byId, presentEstimate } from "./estimate-schema.ts";
import type {
  Experiment,
  ExperimentDetail,
  ExperimentPlan,
  ExperimentResults,
  Variant,
} from "./schema.ts";

/** Row to wire. The return type makes the compiler check every field against the schema. */
export function presentExperiment(row: ExperimentRow): Experiment {
  return {
    id: row.id,
    team_id: row.teamId,
    campaign_id: row.campaignId,
    name: row.name,
    status: row.status,
    primary_metric: row.primaryMetric,
    optimization_mode: row.optimizationMode,
    duration_days: row.durationDays,
    attribution_window_days: row.attributionWindowDays,
    early_stopping: row.earlyStopping,
    auto_drop: row.autoDrop,
    step_position: row.stepPosition,
    started_at: toIso(row.startedAt),
    ends_at: toIso(row.endsAt),
    completed_at: row.status === "completed" ? toIsoOrNull(row.closedAt) : null,
    winner_variant_id: row.winnerVariantId,
    winner_applied_at: toIsoOrNull(row.appliedAt),
    created_at: toIso(row.createdAt),
    updated_at: toIso(row.updatedAt),
  };
}

export function presentDetail(results: Results): Static<typeof ExperimentDetail> {
  const { experiment, variants, reading, epoch } = results;
  return {
    ...presentExperiment(experiment),
    variants: variants.map(presentVariant),
    win_probabilities: byId(variants, reading.winProbabilities),
    allocation: byId(variants, epoch?.allocation ?? []),
    convergence: reading.convergence,
  };
}

function presentVariant({ row, counts }: VariantResult): Variant {
  return {
    id: row.id,
    experiment_id: row.experimentId,
    name: row.name,
    config: { ...row.config },
    weight: row.weight,
    emails_sent: counts.sent,
    replies: counts.replies,
    interested: counts.interested,
    bounced: counts.bounced,
    successes: counts.successes,
    failures: counts.failures,
    contents: row.contents.map(({ subject, body, since }) => ({
      subject,
      body,
      since: toIso(since),
    })),
    out_reason: row.outReason,
    created_at: toIso(row.createdAt),
  };
}

export function presentResults(results: Results): Static<typeof ExperimentResults> {
  const { experiment: row, variants, reading, recommendation, warnings } = results;
  const winner = variants.find((variant) => variant.row.id === winnerOf(results));
  return {
    experiment: {
      id: row.id,
      name: row.name,
      status: row.status,
      primary_metric: row.primaryMetric,
      days_elapsed: results.daysElapsed,
      days_remaining: results.daysRemaining,
    },
    variants: variants.map((variant) => ({ ...presentVariant(variant), ...ratesOf(variant) })),
    significance: reading.pairs.map((pair) => presentPair(results, pair)),
    winner: winner?.row.name ?? null,
    recommendation: recommendation.sentence,
    recommendation_code: recommendation.code,
    recommendation_params: { ...recommendation.params },
    is_final: reading.isFinal,
    quality: presentQuality(results),
    final_estimate: presentEstimate(results),
    warnings: warnings.map(({ code, message }) => ({ code, message })),
  };
}

/** Of a closed experiment what was decided, else who has won so far. */
function winnerOf({ experiment, variants, reading }: Results): string | null {
  return experiment.closedAt === null
    ? (variants[reading.winner ?? -1]?.row.id ?? null)
    : experiment.winnerVariantId;
}

function ratesOf({ counts }: VariantResult) {
  const { sent, replies, interested, bounced } = counts;
  const share = (count: number) => (sent === 0 ? 0 : count / sent);
  return {
    reply_rate: share(replies),
    interested_rate: share(interested),
    bounce_rate: share(bounced),
  };
}

type Significance = Static<typeof ExperimentResults>["significance"][number];

function presentPair({ variants, reading }: Results, pair: PairReading): Significance {
  const [a, b] = [variants[pair.a]?.row, variants[pair.b]?.row];
  return {
    variant_a: a?.name ?? "",
    variant_b: b?.name ?? "",
    variant_a_id: a?.id ?? "",
    variant_b_id: b?.id ?? "",
    significant: isSignificant(pair) && !reading.split.alarm,
    p_value: pair.pValue,
    confidence: 1 - pair.pValue,
    better: variants[pair.better ?? -1]?.row.name ?? null,
    test: pair.test,
    p_value_anytime: pair.pAnytime,
    p_value_fixed: pair.pFixed,
    p_value_stratified: pair.pStratified,
    lift_ratio: pair.ratio,
    lift_ratio_low: pair.ratioLow,
    lift_ratio_high: pair.ratioHigh,
    difference: pair.difference?.value ?? null,
    difference_low: pair.difference?.low ?? null,
    difference_high: pair.difference?.high ?? null,
    prob_b_beats_a: pair.probBBeatsA,
  };
}

function presentQuality({ variants, reading }: Results) {
  const { split, expectedLoss } = reading;
  const idOf = (place: number) => variants[place]?.row.id ?? "";
  return {
    srm_detected: split.alarm,
    srm_p_value: split.pValue,
    srm_p_value_anytime: split.pAnytime,
    // Results that were frozen before it was told have none.
    srm_p_value_decisive: split.pDecisive ?? split.pAnytime,
    pending: variants.reduce((total, { counts }) => total + Math.max(0, pendingOf(counts)), 0),
    leader_id: reading.leader === null ? null : idOf(reading.leader),
    expected_loss: expectedLoss === null ? null : byId(variants, expectedLoss),
    value_remaining_95: reading.valueRemaining,
    credible_intervals: byId(variants, reading.credibleIntervals),
    mde_ratio: reading.mdeRatio,
    estimated_days_to_decision: reading.daysToDecision,
    eliminated: reading.eliminated.map(idOf),
    guardrails: reading.breaches.map(({ arm, rate, reason }) => ({
      variant_id: idOf(arm),
      bounce_rate: rate,
      reason,
    })),
  };
}

export function presentPlan(plan: PlanReading): Static<typeof ExperimentPlan> {
  return {
    leads: plan.leads,
    leads_per_day: plan.leadsPerDay,
    baseline: plan.baseline,
    variants: plan.variants,
    duration_days: plan.durationDays,
    attribution_window_days: plan.windowDays,
    leads_by_end: plan.leadsByEnd,
    leads_per_variant: plan.leadsPerVariant,
    minimum_detectable_ratio: plan.detectable.ratio,
    minimum_detectable_rate: plan.detectable.rate,
    can_answer: plan.canAnswer,
    sizes: plan.sizes.map(({ ratio, rate, leadsPerVariant, days, fits }) => ({
      ratio,
      rate,
      leads_per_variant: leadsPerVariant,
      days,
      fits,
    })),
    test_and_roll: { leads_per_variant: plan.testAndRoll },
    recommendation: plan.recommendation,
  };
}
