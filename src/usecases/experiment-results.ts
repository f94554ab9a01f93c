/**
 * What an experiment says: read from its sums while it is under way, and from what was frozen once it is
 * closed, so that a late reply moves the counters and never the verdict.
 */

import { daysElapsed, daysRemaining, elapsedMs, isUnderWay } from "#domain/experiment.ts";
import {
  type Arm,
  type Figures,
  isBandit,
  type Outlook,
  type Stratum,
} from "#domain/experiment-figures.ts";
import { type Reading, readExperiment } from "#domain/experiment-reading.ts";
import { mayStopEarly, type Recommendation, recommend } from "#domain/experiment-verdict.ts";
import { type Warning, warningsOf } from "#domain/experiment-warnings.ts";
import { type Counts, NO_COUNTS } from "#domain/exposure.ts";
import type { MailProvider } from "#domain/mail-provider.ts";
import { DAY_MS, plus, type UnixMs, unixMs } from "#domain/time.ts";
import { campaignById } from "#store/campaigns.ts";
import type { Id } from "#store/columns.ts";
import { epochsOf, variantsOf } from "#store/experiments.ts";
import { lastWindowOf, talliesOf } from "#store/exposures.ts";
import { stepById } from "#store/steps.ts";
import type { EpochRow, ExperimentRow, TallyRow, VariantRow } from "#store/tables/experiments.ts";
import type { World } from "#world.ts";

/** Everything that a read of an experiment shows. */
export interface Results {
  experiment: ExperimentRow;
  variants: VariantResult[];
  epoch: EpochRow | undefined;
  reading: Reading;
  recommendation: Recommendation;
  warnings: readonly Warning[];
  daysElapsed: number;
  daysRemaining: number;
}

export interface VariantResult {
  row: VariantRow;
  counts: Counts;
}

/** What is frozen when an experiment closes. */
export interface Frozen {
  reading: Reading;
  recommendation: Recommendation;
  warnings: readonly Warning[];
  /** By variant: what was judged. */
  judged: readonly { successes: number; failures: number }[];
}

export function resultsOf(world: World, row: ExperimentRow): Results {
  const now = world.clock.now();
  const base = {
    experiment: row,
    daysElapsed: daysElapsed(row, now),
    daysRemaining: daysRemaining(row, now),
  };
  if (row.result !== null) {
    return { ...base, ...frozenResults(world, row, row.result as Frozen) };
  }
  const state = examine(world, row, now);
  const { reading, recommendation, warnings } = freeze(row, state);
  const variants = state.variants.map((variant, place) => ({
    row: variant,
    counts: state.figures.arms[place]?.counts ?? { ...NO_COUNTS },
  }));
  return { ...base, variants, epoch: state.epochs.at(-1), reading, recommendation, warnings };
}

function frozenResults(world: World, row: ExperimentRow, frozen: Frozen) {
  const counts = countsByVariant(talliesOf(world.db, row.id, "variant"));
  const variants = variantsOf(world.db, row.id).map((variant, place) => ({
    row: variant,
    counts: { ...(counts.get(variant.id) ?? NO_COUNTS), ...frozen.judged[place] },
  }));
  const { reading, recommendation, warnings } = frozen;
  return { variants, epoch: epochsOf(world.db, row.id).at(-1), reading, recommendation, warnings };
}

/** An experiment as it stands, with its analysis. */
export interface State {
  variants: readonly VariantRow[];
  epochs: readonly EpochRow[];
  figures: Figures;
  outlook: Outlook;
  reading: Reading;
}

/** `isFinal`: every lead has been judged, and the planned end is over. */
export function examine(
  world: World,
  row: ExperimentRow,
  now: UnixMs,
  isFinal: boolean = false,
): State {
  const variants = variantsOf(world.db, row.id);
  const epochs = epochsOf(world.db, row.id);
  const figures = figuresOf(world, row, { variants, epochs, isFinal });
  const outlook = outlookOf(world, row, figures, now);
  return { variants, epochs, figures, outlook, reading: readExperiment(figures, outlook) };
}

/** What is told of a state, and kept when the experiment closes with it. */
export function freeze(row: ExperimentRow, state: State, chosen?: number | null): Frozen {
  const { figures, reading, outlook } = state;
  const verdict = { figures, reading, outlook, status: row.status };
  return {
    reading,
    recommendation: recommend(chosen === undefined ? verdict : { ...verdict, chosen }),
    warnings: warningsOf(figures, reading, {
      stepChanged: row.stepChangedAt !== null,
      replanned: row.replanned,
    }),
    judged: figures.arms.map(({ counts: { successes, failures } }) => ({ successes, failures })),
  };
}

/** True when a fixed split may complete before its end. */
export function isDecided(row: ExperimentRow, state: State): boolean {
  return row.earlyStopping && mayStopEarly(state);
}

/** The sums of an experiment in the form of the analysis. */
export function figuresOf(
  world: World,
  row: ExperimentRow,
  given: { variants: readonly VariantRow[]; epochs: readonly EpochRow[]; isFinal: boolean },
): Figures {
  const { variants, epochs, isFinal } = given;
  const sums = talliesOf(world.db, row.id, "variant");
  const counts = countsByVariant(sums);
  const inOrder = (of: readonly TallyRow[] = []) =>
    variants.map(({ id }) => countsOf(of.find(({ variantId }) => variantId === id)));
  const ofEpoch = byBucket(talliesOf(world.db, row.id, "epoch"));
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
    epochs: epochs.map(({ number, allocation }) => ({
      allocation,
      counts: inOrder(ofEpoch.get(String(number))),
    })),
    strata: () =>
      [...byBucket(talliesOf(world.db, row.id, "stratum"))].map(([bucket, of]): Stratum => {
        const [accountId = "", provider = "custom"] = bucket.split(" ");
        return { accountId, provider: provider as MailProvider, counts: inOrder(of) };
      }),
    isFinal,
    readsFixed: !(row.replanned || isBandit(row.optimizationMode)),
  };
}

function byBucket(sums: readonly TallyRow[]): Map<string, TallyRow[]> {
  return Map.groupBy(sums, ({ bucket }) => bucket);
}

function countsByVariant(sums: readonly TallyRow[]): Map<Id, Counts> {
  return new Map(sums.map((sum) => [sum.variantId, countsOf(sum)]));
}

function countsOf(sum: Counts | undefined): Counts {
  const { sent, replies, interested, bounced, successes, failures } = sum ?? NO_COUNTS;
  return { sent, replies, interested, bounced, successes, failures };
}

function outlookOf(world: World, row: ExperimentRow, figures: Figures, now: UnixMs): Outlook {
  const windowMs = row.attributionWindowDays * DAY_MS;
  const ranMs = elapsedMs(row, now);
  const sent = figures.arms.reduce((total, { counts }) => total + counts.sent, 0);
  const isAssigning = row.status === "running";
  const leadsPerDay = paceOf(world, row, sent, ranMs);
  const from = row.firstSentAt === null ? row.startedAt : (row.pausedAt ?? now);
  const daysLeft = isUnderWay(row.status) ? Math.max(0, row.endsAt - from) / DAY_MS : 0;
  const toCome = Math.min(leadsLeft(world, row, sent), leadsPerDay * daysLeft);
  const firstWindow = plus(row.firstSentAt ?? now, windowMs);
  const lastWindow = plus(row.endsAt, windowMs);
  return {
    isAssigning,
    elapsedMs: ranMs,
    endsAt: row.endsAt,
    now,
    firstReadingAt: firstWindow > now ? firstWindow : plus(now, DAY_MS),
    lastReadingAt:
      row.status === "evaluating"
        ? (lastWindowOf(world.db, row.id) ?? now)
        : unixMs(Math.max(now, lastWindow)),
    leadsByEnd: sent + Math.floor(toCome),
    leadsPerDay,
  };
}

/** By what has been sent; before a day is over by what the campaign may send. */
function paceOf(world: World, row: ExperimentRow, sent: number, ranMs: number): number {
  const campaign = campaignById(world.db, row.campaignId);
  return ranMs < DAY_MS ? (campaign?.maxLeadsPerDay ?? 0) : (sent * DAY_MS) / ranMs;
}

/** Leads that may still come to the step. */
function leadsLeft(world: World, row: ExperimentRow, sent: number): number {
  const campaign = campaignById(world.db, row.campaignId);
  const step = row.stepId === null ? undefined : stepById(world.db, row.stepId);
  if (campaign === undefined) {
    return 0;
  }
  return Math.max(0, Math.min(campaign.open, campaign.enrolled - (step?.sent ?? sent)));
}
