/** Experiments on the wire: rows and readings to the seed's records. */

import type { Static } from "@sinclair/typebox";
import { present } from "#api/wire.ts";
import { keyFigureOf, notesOf } from "#domain/experiments/experiment-answer.ts";
import { isSignificant, type PairReading } from "#domain/experiments/experiment-pairs.ts";
import type { Price } from "#domain/experiments/experiment-price.ts";
import type { Segments } from "#domain/experiments/experiment-segments.ts";
import { pendingOf } from "#domain/experiments/exposure.ts";
import type { ExperimentRow } from "#store/tables/experiments.ts";
import type { PlanReading } from "#usecases/experiments/experiment-plan.ts";
import type { Results, VariantResult } from "#usecases/experiments/experiment-results.ts";
import { byId, challengerOf, estimateOf } from "./estimate-schema.ts";
import { ExperimentPlan } from "./plan-schema.ts";
import { ExperimentResults } from "./results-schema.ts";
import { Experiment, ExperimentDetail } from "./schema.ts";
import { segmentsOn } from "./segments-schema.ts";

export function presentExperiment(row: ExperimentRow): Experiment {
  return present(Experiment, experimentOf(row));
}

function experimentOf(row: ExperimentRow) {
  const completedAt = row.status === "completed" ? row.closedAt : null;
  return { ...row, completedAt, winnerAppliedAt: row.appliedAt };
}

export function presentDetail(results: Results): Static<typeof ExperimentDetail> {
  const { experiment, variants, reading, epoch, share } = results;
  return present(ExperimentDetail, {
    ...experimentOf(experiment),
    variants: variants.map(variantOf),
    winProbabilities: byId(variants, reading.winProbabilities),
    allocation: byId(variants, epoch?.allocation ?? []),
    convergence: reading.convergence,
    share,
  });
}

function variantOf({ row, counts }: VariantResult) {
  return { ...counts, ...row, emailsSent: counts.sent, isActive: row.outAt === null };
}

/** Without `costPerLead` there are no costs, without `segments` none of these. */
export function presentResults(
  results: Results,
  costPerLead: number | null = null,
  segments: Segments | null = null,
): Static<typeof ExperimentResults> {
  const { experiment: row, variants, reading, recommendation } = results;
  const winner = variants.find((variant) => variant.row.id === winnerOf(results));
  return present(ExperimentResults, {
    ...results,
    experiment: { ...row, ...results },
    variants: variants.map((variant) => ({
      ...variantOf(variant),
      ...ratesOf(variant),
      perReply: priceOf(variant.perReply, costPerLead),
      perInterested: priceOf(variant.perInterested, costPerLead),
    })),
    significance: reading.pairs.map((pair) => pairOf(results, pair)),
    presentVariantId: variants[results.present]?.row.id ?? "",
    // Results that were frozen before there were such comparisons have none.
    againstPresent: (reading.challengers ?? []).map((one) => ({
      ...challengerOf(variants, one),
      significant: isSignificant(one) && !reading.split.alarm,
      better: variants[one.better ?? -1]?.row.name ?? null,
    })),
    winner: winner?.row.name ?? null,
    recommendation: recommendation.sentence,
    recommendationCode: recommendation.code,
    recommendationParams: { ...recommendation.params },
    keyFigure: keyFigureOf(results.answered),
    notes: notesOf(results.answered),
    isFinal: reading.isFinal,
    quality: qualityOf(results),
    finalEstimate: estimateOf(results),
    segments: segments && segmentsOn(variants, segments),
  });
}

/** Of a closed experiment what was decided, else who has won so far. */
function winnerOf({ experiment, variants, reading }: Results): string | null {
  return experiment.closedAt === null
    ? (variants[reading.winner ?? -1]?.row.id ?? null)
    : experiment.winnerVariantId;
}

function ratesOf({ counts }: VariantResult) {
  const { sent, replies, interested, negativeReplies, bounced, optedOut } = counts;
  const share = (count: number) => (sent === 0 ? 0 : count / sent);
  return {
    replyRate: share(replies),
    interestedRate: share(interested),
    negativeReplyRate: share(negativeReplies),
    bounceRate: share(bounced),
    optOutRate: share(optedOut),
  };
}

function priceOf(price: Price, costPerLead: number | null) {
  const cost = (emails: number | null) =>
    emails === null || costPerLead === null ? null : emails * costPerLead;
  return {
    ...price,
    cost: cost(price.emails),
    costLow: cost(price.emailsLow),
    costHigh: cost(price.emailsHigh),
  };
}

function pairOf({ variants, reading }: Results, pair: PairReading) {
  const [a, b] = [variants[pair.a]?.row, variants[pair.b]?.row];
  return {
    ...pair,
    variantA: a?.name ?? "",
    variantB: b?.name ?? "",
    variantAId: a?.id ?? "",
    variantBId: b?.id ?? "",
    significant: isSignificant(pair) && !reading.split.alarm,
    confidence: 1 - pair.pValue,
    better: variants[pair.better ?? -1]?.row.name ?? null,
    pValueAnytime: pair.pAnytime,
    // Results that were frozen before there were such looks have none.
    pValueSequential: pair.pSequential ?? null,
    pValueFixed: pair.pFixed,
    pValueStratified: pair.pStratified,
    // Results that were frozen before rates were kept have none.
    rateA: pair.rateA ?? null,
    rateB: pair.rateB ?? null,
    liftRatio: pair.ratio,
    liftExpected: pair.expected ?? null,
    liftRatioLow: pair.ratioLow,
    liftRatioHigh: pair.ratioHigh,
    difference: pair.difference?.value ?? null,
    differenceLow: pair.difference?.low ?? null,
    differenceHigh: pair.difference?.high ?? null,
  };
}

function qualityOf({ variants, reading }: Results) {
  const { split, expectedLoss } = reading;
  const idOf = (place: number) => variants[place]?.row.id ?? "";
  return {
    ...reading,
    srmDetected: split.alarm,
    srmPValue: split.pValue,
    srmPValueAnytime: split.pAnytime,
    // Results that were frozen before it was told have none.
    srmPValueDecisive: split.pDecisive ?? split.pAnytime,
    pending: variants.reduce((total, { counts }) => total + Math.max(0, pendingOf(counts)), 0),
    leaderId: reading.leader === null ? null : idOf(reading.leader),
    expectedLoss: expectedLoss === null ? null : byId(variants, expectedLoss),
    valueRemaining95: reading.valueRemaining,
    credibleIntervals: byId(variants, reading.credibleIntervals),
    estimatedDaysToDecision: reading.daysToDecision,
    eliminated: reading.eliminated.map(idOf),
    // Results that were frozen before opt-outs counted tell of bounces only, and older ones of no limit.
    guardrails: reading.breaches.map(({ arm, metric = "bounces", rate, reason, own = null }) => {
      const { sent = 0, bounced = 0 } = variants[arm]?.counts ?? {};
      const bounceRate = metric === "bounces" ? rate : bounced / sent;
      const [maxRate, maxRatio] = reason === "limit" ? [own, null] : [null, own];
      return { variantId: idOf(arm), metric, rate, bounceRate, reason, maxRate, maxRatio };
    }),
  };
}

export function presentPlan(plan: PlanReading): Static<typeof ExperimentPlan> {
  return present(ExperimentPlan, {
    ...plan,
    attributionWindowDays: plan.windowDays,
    minimumDetectableRatio: plan.detectable.ratio,
    minimumDetectableRate: plan.detectable.rate,
    testAndRoll: { leadsPerVariant: plan.testAndRoll },
  });
}
