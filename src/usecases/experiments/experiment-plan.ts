/** Whether a list of leads can answer a question, before anything is sent. */

import { leadsToCome } from "#domain/campaigns/campaign.ts";
import { BASELINE_DEFAULT } from "#domain/experiments/experiment.ts";
import { asCount, asPercent, asRatio, plural } from "#domain/experiments/experiment-words.ts";
import {
  type Detectable,
  daysToDecision,
  errorsAmong,
  minimumDetectable,
  sampleSize,
  testLeadsOf,
} from "#domain/experiments/stats/sample-size.ts";
import { invalid } from "#domain/problem.ts";
import type { Caller, Environment } from "#environment.ts";
import { findCampaign } from "#store/campaigns/campaigns.ts";
import { stepsOf } from "#store/campaigns/steps.ts";
import { accountsOf } from "#store/mailboxes/accounts.ts";
import { mayUse } from "#store/sending/ledger.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { CampaignRow } from "#store/tables/campaigns.ts";
import { baselineOf } from "#usecases/campaigns/test-and-roll.ts";

export interface PlanInput {
  /** Whose leads, pace and reply rate are taken, where they are not given. */
  campaignId?: Id;
  stepPosition?: number;
  leads?: number;
  leadsPerDay?: number;
  /** Success rate of today, above 0 and below 1. */
  baseline?: number;
  variants: number;
  durationDays: number;
  windowDays: number;
}

export interface PlanReading {
  leads: number;
  leadsPerDay: number;
  baseline: number;
  variants: number;
  durationDays: number;
  windowDays: number;
  /** Leads that will have been written to by the end. */
  leadsByEnd: number;
  leadsPerVariant: number;
  detectable: Detectable;
  canAnswer: boolean;
  sizes: PlanSize[];
  /** Leads a variant to test on before the leader gets the rest. */
  testAndRoll: number;
  recommendation: string;
  /** What it assumes. */
  basis: string;
}

/** What it takes to show that a variant does `ratio` times as well. */
export interface PlanSize {
  ratio: number;
  rate: number;
  leadsPerVariant: number;
  days: number | null;
  /** There are as many leads. */
  fits: boolean;
}

const RATIOS = [1.2, 1.5, 2, 3] as const;
/** A list that can only show more than this answers no question that people have. */
const RATIO_MAX = 2;
/** Where neither the request nor its campaign says it. */
export const LEADS_PER_DAY_DEFAULT = 50;

/** Throws `validation_error` where neither a campaign nor leads are given, or the campaign is none. */
export function planExperiment(env: Environment, caller: Caller, input: PlanInput): PlanReading {
  const known = input.campaignId === undefined ? null : campaignFacts(env, caller, input);
  const leads = input.leads ?? known?.leads;
  if (leads === undefined) {
    throw invalid("leads", "is required unless you set campaign_id");
  }
  const leadsPerDay = input.leadsPerDay ?? known?.leadsPerDay ?? LEADS_PER_DAY_DEFAULT;
  const baseline = input.baseline ?? known?.baseline ?? BASELINE_DEFAULT;
  const { variants, durationDays, windowDays } = input;
  const leadsByEnd = Math.min(leads, leadsPerDay * durationDays);
  const leadsPerVariant = Math.floor(leadsByEnd / variants);
  const errors = errorsAmong(variants);
  const detectable = minimumDetectable({ baseline, nPerVariant: leadsPerVariant, ...errors });
  const canAnswer = detectable.ratio !== null && detectable.ratio <= RATIO_MAX;
  const rolled = testLeadsOf({ leads, baseline, variants });
  const plan = { leads, leadsPerDay, baseline, variants, durationDays, windowDays, leadsByEnd };
  return {
    ...plan,
    leadsPerVariant,
    detectable,
    canAnswer,
    sizes: RATIOS.filter((ratio) => baseline * ratio < 1).map((ratio) => sizeOf(plan, ratio)),
    testAndRoll: rolled,
    recommendation: sentenceOf({ detectable, canAnswer, leadsByEnd, rolled }),
    basis: basisOf({ ...plan, leadsPerVariant }),
  };
}

function sizeOf(
  plan: Pick<PlanReading, "baseline" | "variants" | "leads" | "leadsPerDay" | "windowDays">,
  ratio: number,
): PlanSize {
  const { baseline, variants, leads, leadsPerDay, windowDays } = plan;
  const rate = baseline * ratio;
  const { nPerVariant } = sampleSize({ p1: baseline, p2: rate, ...errorsAmong(variants) });
  const { days } = daysToDecision({ variants, nPerVariant, dailyLeads: leadsPerDay, windowDays });
  return { ratio, rate, leadsPerVariant: nPerVariant, days, fits: nPerVariant * variants <= leads };
}

function sentenceOf(plan: {
  detectable: Detectable;
  canAnswer: boolean;
  leadsByEnd: number;
  rolled: number;
}): string {
  const { detectable, canAnswer, leadsByEnd, rolled } = plan;
  const leads = `${asCount(leadsByEnd)} leads by the end`;
  if (canAnswer) {
    return `${leads} can show a ${asRatio(detectable.ratio ?? 1)}x difference.`;
  }
  const only =
    detectable.ratio === null
      ? `${leads} can't show any difference`
      : `${leads} can only show a ${asRatio(detectable.ratio)}x difference`;
  return (
    `Add leads, run longer, or test a bolder change: ${only}. Or test each variant on ${asCount(rolled)} leads and ` +
    "send the better one to the rest, significant or not."
  );
}

function basisOf(
  plan: Pick<
    PlanReading,
    "leadsByEnd" | "leadsPerVariant" | "leadsPerDay" | "durationDays" | "baseline"
  >,
): string {
  return (
    `${plural(plan.leadsByEnd, "lead")} reach the step within ${plural(plan.durationDays, "day")}, ` +
    `${asCount(plan.leadsPerVariant)} for each variant, at about ${plural(plan.leadsPerDay, "lead")} a day. ` +
    `This assumes a rate of ${asPercent(plan.baseline)}%.`
  );
}

function campaignFacts(env: Environment, caller: Caller, { campaignId, stepPosition }: PlanInput) {
  const campaign = findCampaign(env.db, caller.teamId, campaignId ?? "");
  if (campaign === undefined) {
    throw invalid("campaign_id", "no such campaign");
  }
  const steps = stepsOf(env.db, campaign.id);
  const step = steps.find(({ position }) => position === (stepPosition ?? 1));
  if (step === undefined && stepPosition !== undefined) {
    throw invalid("step_position", "the campaign has no such step");
  }
  const sent = step?.sent ?? 0;
  return {
    leads: leadsToCome(campaign, sent),
    leadsPerDay: leadsPerDayOf(env, campaign),
    baseline: baselineOf(step),
  };
}

/** What the campaign allows and its mailboxes can send, one at least. */
function leadsPerDayOf(env: Environment, campaign: CampaignRow): number {
  const capacity = accountsOf(env.db, campaign.teamId)
    .filter((row) => row.status === "active" && mayUse(campaign, row.id))
    .reduce((total, { dailyLimit }) => total + dailyLimit, 0);
  return Math.max(1, Math.min(campaign.maxLeadsPerDay, capacity || campaign.maxLeadsPerDay));
}
