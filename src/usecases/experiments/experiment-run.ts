/**
 * What becomes of an experiment by itself: variants that bounce leave the race, a bandit's shares follow
 * what has come back, a fixed split that is decided stops, and after the end the last replies are waited
 * for. Whatever is due is a column, so that a restart changes nothing.
 */

import { localDay } from "#domain/campaigns/local-day.ts";
import {
  type OptimizationMode,
  overrideContent,
  shareOut,
} from "#domain/experiments/experiment.ts";
import { nextShares } from "#domain/experiments/experiment-allocation.ts";
import { isBandit } from "#domain/experiments/experiment-figures.ts";
import { Problem } from "#domain/problem.ts";
import { MINUTE_MS, plus, type UnixMs } from "#domain/time.ts";
import { type Caller, type Environment, engineCaller } from "#environment.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import { stepById } from "#store/campaigns/steps.ts";
import {
  epochOf,
  epochsOf,
  experimentById,
  putEpoch,
  updateExperiment,
  updateVariant,
  variantsOf,
} from "#store/experiments/experiments.ts";
import { wakeAccounts } from "#store/mailboxes/accounts.ts";
import { isBeingExposed, lastWindowOf } from "#store/sending/exposures.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { ExperimentRow, VariantRow } from "#store/tables/experiments.ts";
import { nextReview } from "#usecases/campaigns/exposures.ts";
import { endAssigning } from "#usecases/campaigns/test-and-roll.ts";
import { audit, emit } from "#usecases/events/record.ts";
import { retryCampaign } from "#usecases/leads/holds.ts";
import { patchStep } from "#usecases/leads/steps.ts";
import { checkRenderable } from "#usecases/sending/preview.ts";
import { examine, figuresOf, freeze, isDecided, type State } from "./experiment-results.ts";

/** A reply may lie in a mailbox for as many readings of it before we know. */
const READINGS_WAITED = 2;
/** Looks again when an email was on its way at the end. */
const ON_ITS_WAY_MS = MINUTE_MS;
/** Shares that differ by less are the same. */
const SHARE_MIN = 1e-6;

/** Does what is due for one experiment, and books when it is next looked at. Runs inside a commit. */
export function reviewExperiment(env: Environment, id: Id, now: UnixMs): void {
  const row = experimentById(env.db, id);
  if (row?.status === "running" && row.firstSentAt !== null) {
    reviewRunning(env, row, now);
  } else if (row?.status === "evaluating") {
    finish(env, row, now);
  } else if (row !== undefined) {
    updateExperiment(env.db, { ...row, dueAt: null });
  }
}

/** Looks again later: it failed inside. */
export function postponeReview(env: Environment, id: Id, until: UnixMs): void {
  const row = experimentById(env.db, id);
  if (row !== undefined && row.dueAt !== null) {
    updateExperiment(env.db, { ...row, dueAt: until });
  }
}

function reviewRunning(env: Environment, row: ExperimentRow, now: UnixMs): void {
  const state = examine(env, row, now);
  const left = takeOut(env, row, state, now);
  if (now >= row.endsAt) {
    endAssigning(env, left, readingAt(env, left) ?? now);
  } else if (isDecided(left, state)) {
    closeExperiment(env, engineCaller(row.teamId), left, { status: "completed" });
  } else {
    const shared = isBandit(row.optimizationMode) ? reallocate(env, left, now) : left;
    updateExperiment(env.db, { ...shared, dueAt: nextReview(env, shared, now) });
  }
}

/** Variants that bounce too much, and where that is wanted those clearly behind. Never the last one. */
function takeOut(env: Environment, row: ExperimentRow, { reading, variants }: State, now: UnixMs) {
  const behind = row.autoDrop && reading.winner === null ? reading.eliminated : [];
  const out = [
    ...reading.breaches
      .filter(({ arm }) => arm !== reading.costly)
      .map(({ arm }) => ({ arm, reason: "guardrail" as const })),
    ...behind.map((arm) => ({ arm, reason: "eliminated" as const })),
  ];
  let changed = false;
  for (const { arm, reason } of out) {
    const current = variantsOf(env.db, row.id);
    const variant = current.find(({ id }) => id === variants[arm]?.id);
    const isLast = current.filter(({ outAt }) => outAt === null).length < 2;
    if (variant?.outAt === null && !isLast) {
      updateVariant(env.db, { ...variant, outAt: now, outReason: reason });
      emitVariantEnded(env, row, variant, reason);
      changed = true;
    }
  }
  return changed ? withAllocation(env, row, splitOf(variantsOf(env.db, row.id)), now) : row;
}

function splitOf(variants: readonly VariantRow[]): number[] {
  return shareOut(
    variants.map(({ weight }) => weight),
    variants.map(({ outAt }) => outAt !== null),
  );
}

function emitVariantEnded(
  env: Environment,
  row: ExperimentRow,
  variant: VariantRow,
  reason: string,
): void {
  audit(env, engineCaller(row.teamId), {
    action: "experiment.variant_out",
    target: `experiment:${row.id}`,
    after: { variant_id: variant.id, name: variant.name, reason },
  });
  emit(env, row.teamId, "experiment.variant_paused", {
    experiment_id: row.id,
    campaign_id: row.campaignId,
    variant_id: variant.id,
    variant: variant.name,
    reason,
  });
}

/** Begins an epoch with these shares, unless they are what holds already. */
export function withAllocation(
  env: Environment,
  row: ExperimentRow,
  allocation: readonly number[],
  since: UnixMs,
): ExperimentRow {
  const current = epochOf(env.db, row.id, row.epoch)?.allocation ?? [];
  if (allocation.every((share, place) => Math.abs(share - (current[place] ?? 0)) < SHARE_MIN)) {
    return row;
  }
  const number = row.epoch + 1;
  putEpoch(env.db, { teamId: row.teamId, experimentId: row.id, number, allocation, since });
  const after = { ...row, epoch: number };
  updateExperiment(env.db, after);
  return after;
}

/** Once a day of the campaign. */
function reallocate(env: Environment, row: ExperimentRow, now: UnixMs): ExperimentRow {
  const zone = campaignById(env.db, row.campaignId)?.sendWindow.timezone ?? "UTC";
  const since = epochOf(env.db, row.id, row.epoch)?.since ?? row.startedAt;
  if (localDay(zone, since).date === localDay(zone, now).date) {
    return row;
  }
  const variants = variantsOf(env.db, row.id);
  const epochs = epochsOf(env.db, row.id);
  const figures = figuresOf(env, row, { variants, epochs, isFinal: false });
  return withAllocation(env, row, nextShares(figures), now);
}

/** When the last window has closed and what came in it has been read; null where all are closed. */
function readingAt(env: Environment, row: ExperimentRow): UnixMs | null {
  const closes = lastWindowOf(env.db, row.id);
  return closes === null ? null : plus(closes, READINGS_WAITED * env.pollEveryMs);
}

function finish(env: Environment, row: ExperimentRow, now: UnixMs): void {
  const wait = isBeingExposed(env.db, row.id) ? plus(now, ON_ITS_WAY_MS) : readingAt(env, row);
  if (wait === null) {
    closeExperiment(env, engineCaller(row.teamId), row, { status: "completed", isFinal: true });
  } else {
    updateExperiment(env.db, { ...row, dueAt: wait });
  }
}

export interface Closing {
  status: "completed" | "cancelled";
  /** The planned end is over and every lead measured. */
  isFinal?: boolean;
  /** The place of the variant that a person has picked; null for none. */
  selected?: number | null;
}

/** Whose winner goes into the step. */
const APPLIED: ReadonlySet<OptimizationMode> = new Set(["auto_winner", "test_and_roll"]);

/** Freezes the result and tells it. */
export function closeExperiment(
  env: Environment,
  caller: Caller,
  before: ExperimentRow,
  { status, isFinal = false, selected }: Closing,
): void {
  const now = env.clock.now();
  const state = examine(env, before, now, isFinal);
  const closed: ExperimentRow = { ...before, status, closedAt: now, dueAt: null, updatedAt: now };
  const { winner: best, picked } = state.reading;
  const won = selected === undefined ? (best ?? picked) : selected;
  const winner = status === "cancelled" || won === null ? undefined : state.variants[won];
  const row: ExperimentRow = {
    ...closed,
    pausedAt: null,
    pausedMs: pausedMsAt(before, now),
    winnerVariantId: winner?.id ?? null,
  };
  updateExperiment(env.db, row);
  audit(env, caller, {
    action: `experiment.${status === "completed" ? "complete" : "cancel"}`,
    target: `experiment:${row.id}`,
    before: { status: before.status },
    after: { status, winner_variant_id: row.winnerVariantId },
  });
  const fault =
    winner !== undefined && APPLIED.has(row.optimizationMode)
      ? applyWinner(env, caller, row)
      : null;
  const result = freeze(row, state, {
    ...(selected === undefined ? {} : { selected }),
    notApplied: fault === null ? null : { name: winner?.name ?? "", fault },
  });
  updateExperiment(env.db, { ...(experimentById(env.db, row.id) ?? row), result });
  if (status === "completed") {
    emit(env, row.teamId, "experiment.completed", {
      experiment_id: row.id,
      campaign_id: row.campaignId,
      name: row.name,
      winner_variant_id: row.winnerVariantId,
      winner: winner?.name ?? null,
      recommendation_code: result.recommendation.code,
      recommendation: result.recommendation.sentence,
    });
  }
  emitChanged(env, row);
}

/** Leads get another text from now on: who is held for a hole in the old one is tried anew. */
export function emitChanged(env: Environment, { teamId, campaignId }: ExperimentRow): void {
  retryCampaign(env, campaignId);
  wakeAccounts(env.db, teamId);
  env.wake();
}

function pausedMsAt({ pausedAt, pausedMs, firstSentAt }: ExperimentRow, now: UnixMs): number {
  return pausedAt === null || firstSentAt === null ? pausedMs : pausedMs + now - pausedAt;
}

/**
 * Writes the winner's content into the step, unless none of the leads to come could be sent it. Returns what is against
 * it, null where nothing was.
 */
export function applyWinner(env: Environment, caller: Caller, row: ExperimentRow): string | null {
  const campaign = campaignById(env.db, row.campaignId);
  const step = row.stepId === null ? undefined : stepById(env.db, row.stepId);
  const winner = variantsOf(env.db, row.id).find(({ id }) => id === row.winnerVariantId);
  if (campaign === undefined || step === undefined || winner === undefined) {
    return "the step no longer exists";
  }
  try {
    checkRenderable(env, campaign, step, [winner]);
    patchStep(env, caller, campaign.id, step.id, overrideContent(step, winner.config));
  } catch (error) {
    if (error instanceof Problem) {
      return error.message;
    }
    throw error;
  }
  updateExperiment(env.db, { ...row, appliedAt: row.appliedAt ?? env.clock.now() });
  return null;
}
