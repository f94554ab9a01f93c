/**
 * What an experiment says: read from its sums while it is under way, and from what was frozen once it is
 * closed, so that a late reply moves the counters and never the verdict.
 */

import { placesAfter } from "#domain/campaigns/sequence.ts";
import { daysElapsed, daysRemaining } from "#domain/experiments/experiment.ts";
import type { Answered } from "#domain/experiments/experiment-answer.ts";
import { PAST_MAX, pastLiftsOf } from "#domain/experiments/experiment-expected.ts";
import type { Arm, Figures, Outlook, Stratum } from "#domain/experiments/experiment-figures.ts";
import { type Price, pricesOf } from "#domain/experiments/experiment-price.ts";
import { type Reading, readExperiment } from "#domain/experiments/experiment-reading.ts";
import { tellApplied } from "#domain/experiments/experiment-test-and-roll.ts";
import {
  mayStopEarly,
  type Recommendation,
  recommend,
} from "#domain/experiments/experiment-verdict.ts";
import {
  type NotApplied,
  type VariantOnHold,
  type Warning,
  warningsOf,
} from "#domain/experiments/experiment-warnings.ts";
import { addCounts, type Counts, NO_COUNTS, pendingOf } from "#domain/experiments/exposure.ts";
import type { LogLift } from "#domain/experiments/stats/shrinkage.ts";
import type { MailProvider } from "#domain/mailboxes/mail-provider.ts";
import type { UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { sequenceOf, stepById } from "#store/campaigns/steps.ts";
import { epochsOf, experimentsEnded, variantsOf } from "#store/experiments/experiments.ts";
import { leadsMissing } from "#store/leads/campaign-leads.ts";
import { talliesOf } from "#store/sending/exposures.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { EpochRow, ExperimentRow, TallyRow, VariantRow } from "#store/tables/experiments.ts";
import { draw } from "#usecases/campaigns/exposures.ts";
import { outlookOf } from "./experiment-outlook.ts";
import { currentShare, type Share } from "./experiment-share.ts";

/** Leads on hold that one reading looks at. */
const HELD_MAX = 500;

/** Everything that a read of an experiment shows. */
export interface Results {
  experiment: ExperimentRow;
  variants: VariantResult[];
  epoch: EpochRow | undefined;
  /** Place of the variant that the others are held against. */
  present: number;
  reading: Reading;
  recommendation: Recommendation;
  warnings: readonly Warning[];
  daysElapsed: number;
  daysRemaining: number;
  /** Once it is closed; beside the verdict, which stays. */
  estimate: Estimate | null;
  /** What its key figure and its notes are told from. */
  answered: Answered;
  /** The link to its report, where there is one. */
  share: Share | null;
  /** What `reading` was computed from; null of a verdict from before it was kept. */
  basis: Basis | null;
}

export interface Basis {
  figures: Figures;
  leadsByEnd: number;
}

export interface VariantResult {
  row: VariantRow;
  counts: Counts;
  perReply: Price;
  perInterested: Price;
}

const NO_PRICE: Price = { emails: null, emailsLow: null, emailsHigh: null };

/** What all leads have come to, those too that were in flight when the experiment closed. */
export interface Estimate {
  /** No window is open any more. */
  isComplete: boolean;
  /** By variant: the success rate, with its interval. */
  rates: Reading["credibleIntervals"];
  pairs: Reading["pairs"];
  challengers: Reading["challengers"];
  /** By variant: what the verdict was based on. */
  judged: Frozen["judged"];
}

/** What is frozen when an experiment closes. */
export interface Frozen {
  reading: Reading;
  recommendation: Recommendation;
  warnings: readonly Warning[];
  /** By variant: what was measured. */
  judged: readonly { successes: number; failures: number }[];
  /** What the reading was computed from. Absent in older verdicts. */
  basis?: FrozenBasis;
}

interface FrozenBasis {
  figures: Omit<Figures, "strata">;
  /** None where there were more than {@link STRATA_KEPT_MAX}. */
  strata: readonly Stratum[];
  leadsByEnd: number;
}

/** Mailboxes by provider whose counts are kept with a verdict: some ten thousand characters. */
const STRATA_KEPT_MAX = 100;

export function resultsOf(env: Environment, row: ExperimentRow): Results {
  const now = env.clock.now();
  const frozen = row.result as Frozen | null;
  const results = frozen === null ? openResults(env, row, now) : closedResults(env, row, frozen);
  const { recommendation, variants } = results;
  const sentence = tellApplied(recommendation.sentence, row.appliedAt !== null);
  const place = variants.findIndex((variant) => variant.row.id === row.winnerVariantId);
  const answered: Answered = {
    ...{
      metric: row.primaryMetric,
      mode: row.optimizationMode,
      windowDays: row.attributionWindowDays,
    },
    ...{ present: results.present, reading: results.reading, status: row.status },
    arms: variants.map(({ row: { name }, counts }) => ({ name, counts })),
    code: recommendation.code,
    winner: place < 0 ? null : place,
    judged: frozen && sumOf(frozen.judged),
  };
  return {
    ...results,
    recommendation: { ...recommendation, sentence },
    answered,
    experiment: row,
    daysElapsed: daysElapsed(row, now),
    daysRemaining: daysRemaining(row, now),
    share: currentShare(env, row.id),
  };
}

function sumOf(judged: Frozen["judged"]): number {
  return judged.reduce((sum, { successes, failures }) => sum + successes + failures, 0);
}

function openResults(env: Environment, row: ExperimentRow, now: UnixMs) {
  const state = examine(env, row, now);
  const { reading, recommendation, warnings } = freeze(row, state, {
    onHold: onHold(env, row, state),
  });
  const { figures, outlook, epochs } = state;
  return {
    variants: variantsOfState(state),
    epoch: epochs.at(-1),
    present: figures.present,
    ...{ reading, recommendation, warnings },
    estimate: null,
    basis: { figures, leadsByEnd: outlook.leadsByEnd },
  };
}

function variantsOfState({ variants, figures }: State): VariantResult[] {
  const [replies, interested] = [
    pricesOf(figures, "reply_rate"),
    pricesOf(figures, "interested_rate"),
  ];
  return variants.map((row, place) => ({
    row,
    counts: figures.arms[place]?.counts ?? { ...NO_COUNTS },
    perReply: replies[place] ?? NO_PRICE,
    perInterested: interested[place] ?? NO_PRICE,
  }));
}

/** The verdict as it was frozen, and what the leads in flight have come to since. */
function closedResults(env: Environment, row: ExperimentRow, frozen: Frozen) {
  const state = examine(env, row, env.clock.now(), true);
  const { arms, present } = state.figures;
  const variants = variantsOfState(state);
  const { reading, recommendation, warnings, judged } = frozen;
  const estimate: Estimate = {
    isComplete: arms.every(({ counts }) => pendingOf(counts) <= 0),
    rates: state.reading.credibleIntervals,
    pairs: state.reading.pairs,
    challengers: state.reading.challengers,
    judged,
  };
  // Nothing is left to be decided, or nothing ever will be.
  const daysToDecision = row.status === "completed" ? 0 : null;
  const epoch = state.epochs.at(-1);
  const closed = { ...reading, daysToDecision };
  const basis = basisOf(frozen);
  return { variants, epoch, present, reading: closed, recommendation, warnings, estimate, basis };
}

function basisOf({ basis }: Frozen): Basis | null {
  if (basis === undefined) {
    return null;
  }
  const { figures, strata, leadsByEnd } = basis;
  return { figures: { ...figures, strata: () => strata }, leadsByEnd };
}

/** An experiment as it stands, with its analysis. */
export interface State {
  variants: readonly VariantRow[];
  epochs: readonly EpochRow[];
  figures: Figures;
  outlook: Outlook;
  reading: Reading;
}

/** `isFinal`: every lead has been measured, and the planned end is over. */
export function examine(
  env: Environment,
  row: ExperimentRow,
  now: UnixMs,
  isFinal: boolean = false,
): State {
  const variants = variantsOf(env.db, row.id);
  const epochs = epochsOf(env.db, row.id);
  const figures = figuresOf(env, row, { variants, epochs, isFinal });
  const outlook = outlookOf(env, row, figures, now);
  return { variants, epochs, figures, outlook, reading: readExperiment(figures, outlook) };
}

/** What is reported of a state, and kept when the experiment closes with it. */
export function freeze(
  row: ExperimentRow,
  state: State,
  {
    selected,
    onHold = [],
    notApplied = null,
  }: {
    selected?: number | null;
    onHold?: readonly VariantOnHold[];
    notApplied?: NotApplied | null;
  } = {},
): Frozen {
  const { figures, reading, outlook } = state;
  const isNotApplied = notApplied !== null;
  const verdict = { figures, reading, outlook, status: row.status, isNotApplied };
  return {
    reading,
    recommendation: recommend(selected === undefined ? verdict : { ...verdict, selected }),
    warnings: warningsOf(figures, reading, {
      stepChanged: row.stepChangedAt !== null,
      replanned: row.replanned,
      onHold,
      notApplied,
    }),
    judged: figures.arms.map(({ counts: { successes, failures } }) => ({ successes, failures })),
    basis: keptBasis(state),
  };
}

/** Of strata only a last reading needs to know. */
function keptBasis({ figures: { strata, ...figures }, outlook }: State): FrozenBasis {
  const kept = figures.isFinal ? strata() : [];
  return {
    figures,
    strata: kept.length > STRATA_KEPT_MAX ? [] : kept,
    leadsByEnd: outlook.leadsByEnd,
  };
}

/**
 * Variants that leads are assigned to and nobody was sent, while leads wait for what their words ask for.
 * Who waits has no assignment on file; the draw says which it would be.
 */
function onHold(
  env: Environment,
  row: ExperimentRow,
  { variants, figures }: State,
): VariantOnHold[] {
  const unsent = variants.filter((_, place) => figures.arms[place]?.counts.sent === 0);
  if (row.status !== "running" || unsent.length === 0) {
    return [];
  }
  const step = row.stepId === null ? undefined : stepById(env.db, row.stepId);
  const before = (step?.position ?? row.stepPosition) - 1;
  const places = placesAfter(sequenceOf(env.db, row.campaignId), before);
  const held = leadsMissing(env.db, row.campaignId, places, HELD_MAX).map((lead) => {
    return { ...lead, variant: draw(env, row, lead.leadId).variant.id };
  });
  return unsent.flatMap(({ id, name }) => {
    const own = held.filter(({ variant }) => variant === id);
    const missing = [...new Set(own.flatMap(({ missing }) => missing?.split(", ") ?? []))];
    return own.length === 0 ? [] : [{ name, leads: own.length, missing }];
  });
}

/** True when a fixed split may complete before its end. */
export function isDecided(row: ExperimentRow, state: State): boolean {
  return row.earlyStopping && mayStopEarly(state);
}

/** The sums of an experiment in the form of the analysis. */
export function figuresOf(
  env: Environment,
  row: ExperimentRow,
  given: { variants: readonly VariantRow[]; epochs: readonly EpochRow[]; isFinal: boolean },
): Figures {
  const { variants, epochs, isFinal } = given;
  const sums = talliesOf(env.db, row.id, "variant");
  const counts = countsByVariant(sums);
  const inOrder = (of: readonly TallyRow[] = []) =>
    variants.map(({ id }) => countsOf(of.find(({ variantId }) => variantId === id)));
  const ofEpoch = byBucket(talliesOf(env.db, row.id, "epoch"));
  return {
    metric: row.primaryMetric,
    mode: row.optimizationMode,
    windowDays: row.attributionWindowDays,
    arms: variants.map(
      ({ id, name, weight, outReason }): Arm => ({
        id,
        name,
        weight,
        counts: counts.get(id) ?? { ...NO_COUNTS },
        out: outReason,
      }),
    ),
    present: Math.max(
      0,
      variants.findIndex(({ config }) => Object.keys(config).length === 0),
    ),
    epochs: epochs.map(({ number, allocation }) => ({
      allocation,
      counts: inOrder(ofEpoch.get(String(number))),
    })),
    guardrails: row.guardrails,
    past: () => pastLifts(env, row),
    strata: () =>
      [...byBucket(talliesOf(env.db, row.id, "stratum"))].map(([bucket, of]): Stratum => {
        const [accountId = "", provider = "custom"] = bucket.split(" ");
        return { accountId, provider: provider as MailProvider, counts: inOrder(of) };
      }),
    isFinal,
    readsFixed: !row.replanned,
  };
}

/** Of the team's latest experiments that ended before this one. A bandit's plain counts mislead. */
function pastLifts(env: Environment, row: ExperimentRow): LogLift[] {
  const before = row.closedAt ?? env.clock.now();
  return experimentsEnded(env.db, row, before, PAST_MAX).flatMap(({ id }) => {
    const counts = countsByVariant(talliesOf(env.db, id, "variant"));
    const inOrder = variantsOf(env.db, id).map((variant) => counts.get(variant.id) ?? NO_COUNTS);
    return pastLiftsOf(row.primaryMetric, inOrder);
  });
}

function byBucket(sums: readonly TallyRow[]): Map<string, TallyRow[]> {
  return Map.groupBy(sums, ({ bucket }) => bucket);
}

function countsByVariant(sums: readonly TallyRow[]): Map<Id, Counts> {
  return new Map(sums.map((sum) => [sum.variantId, countsOf(sum)]));
}

function countsOf(sum: Counts | undefined): Counts {
  return addCounts(NO_COUNTS, sum ?? NO_COUNTS);
}
