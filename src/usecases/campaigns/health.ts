/**
 * The health of a mailbox as it moves: scored anew in the transaction that changes what it is made of,
 * and by the upkeep worker at the mailbox's midnight. Everything that pauses, throttles or frees a mailbox
 * for its health's sake passes here.
 */

import { localDay } from "#domain/campaigns/local-day.ts";
import {
  assessHealth,
  beginTrial,
  type HealthFacts,
  type HealthInputs,
  type HealthPart,
  type HealthPoints,
  healthScore,
  isAlarming,
  isPausedForHealth,
  isWorthTelling,
  limitsOf,
  mainCause,
  PAUSED_BELOW,
  tallyOf,
  windowStart,
} from "#domain/mailboxes/health.ts";
import { DAY_MS, plus, toIsoOrNull, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { healthDays, pruneHealth, putHealthScore } from "#store/campaigns/health.ts";
import { accountById, updateAccount, wakeAccounts } from "#store/mailboxes/accounts.ts";
import { inboxRateOf } from "#store/placement/placement-tests.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import { auditEngine, emit } from "#usecases/events/record.ts";

/** Days of history that are kept. */
export const HEALTH_KEPT_DAYS = 400;

/** What an account's health is assessed by at `now`. */
export function healthFacts(env: Environment, row: AccountRow, now: UnixMs): HealthFacts {
  const from = windowStart(row.timezone, now);
  return {
    now,
    zone: row.timezone,
    days: healthDays(env.db, row.id, from.date),
    smtpErrors: row.consecutiveSmtpErrors,
    ...inboxRateOf(env.db, row.id, from.from),
    refusals: (row.refusals ?? []).filter(({ until }) => until !== null).length,
  };
}

/** What the facts say of the whole window. */
export function inputsOf(facts: HealthFacts): HealthInputs {
  const { zone, now, days, smtpErrors, inboxRate, inboxRateHigh, refusals } = facts;
  const tally = tallyOf(days, windowStart(zone, now).date);
  return { ...tally, smtpErrors, inboxRate, inboxRateHigh, refusals };
}

/** Assesses an account by what is known now, stores what follows and tells what is worth it. */
export function refreshHealth(env: Environment, id: Id): void {
  const row = accountById(env.db, id);
  if (row === undefined) {
    return;
  }
  const now = env.clock.now();
  const facts = healthFacts(env, row, now);
  const judged = assessHealth(row, facts);
  const { points } = healthScore(inputsOf(facts));
  const isNews = isMoved(row, judged) || isWorthTelling(row.health.told, judged.healthScore);
  const after = isNews ? emitHealth(env, row, judged, points) : judged;
  if (row.healthScore !== after.healthScore || row.healthAt !== null) {
    const { date } = localDay(row.timezone, now);
    const { teamId, healthScore: score } = after;
    putHealthScore(env.db, { teamId, accountId: id, date, score, points: rounded(points) });
  }
  if (JSON.stringify(row) !== JSON.stringify(after)) {
    store(env, row, after, now);
  }
}

/** Paused or freed by its health. */
function isMoved(before: AccountRow, after: AccountRow): boolean {
  return before.status !== after.status;
}

function store(env: Environment, before: AccountRow, after: AccountRow, now: UnixMs): void {
  const isFreed = after.status === "active" && before.status !== "active";
  const isPaused = after.status !== "active" && before.status === "active";
  if (isFreed || isPaused) {
    auditEngine(env, after.teamId, {
      action: isPaused ? "account.pause" : "account.resume",
      target: `account:${after.id}`,
      before: factsAudited(before),
      after: factsAudited(after),
    });
  }
  const wakeAt = isPaused ? null : hasMoreCapacity(before, after) ? now : after.wakeAt;
  const updatedAt = isFreed || isPaused ? now : after.updatedAt;
  updateAccount(env.db, { ...after, wakeAt, updatedAt });
  if (isFreed) {
    wakeAccounts(env.db, after.teamId);
  }
  if (wakeAt !== before.wakeAt) {
    env.wake();
  }
}

function factsAudited({ status, statusReason, healthScore, health }: AccountRow) {
  return { status, statusReason, healthScore, pausedUntil: toIsoOrNull(health.pausedUntil) };
}

/** It may have waited for that. */
function hasMoreCapacity(before: AccountRow, after: AccountRow): boolean {
  const [was, is] = [limitsOf(before.health), limitsOf(after.health)];
  return (
    after.status === "active" && ((was.halved && !is.halved) || (!was.startsNew && is.startsNew))
  );
}

function emitHealth(
  env: Environment,
  before: AccountRow,
  after: AccountRow,
  points: HealthPoints,
): AccountRow {
  const { halved, startsNew } = limitsOf(after.health);
  const cause = mainCause(points);
  emit(env, after.teamId, "account.health_changed", {
    account_id: after.id,
    email: after.email,
    previous: before.health.told,
    current: after.healthScore,
    cause: cause === null ? null : PART_NAMES[cause],
    points: presentPoints(points),
    halved,
    starts_new_leads: startsNew,
    status: after.status,
    paused_until: toIsoOrNull(after.health.pausedUntil),
  });
  return { ...after, health: { ...after.health, told: after.healthScore } };
}

/** The parts as they are called on the wire. */
export const PART_NAMES = {
  hardBounces: "hard_bounces",
  complaints: "complaints",
  smtpErrors: "smtp_errors",
  placement: "placement",
} as const satisfies Record<HealthPart, string>;

/** To hundredths. */
export function presentPoints(points: HealthPoints) {
  const { hardBounces, complaints, smtpErrors, placement } = rounded(points);
  return { hard_bounces: hardBounces, complaints, smtp_errors: smtpErrors, placement };
}

function rounded({ hardBounces, complaints, smtpErrors, placement }: HealthPoints): HealthPoints {
  const round = (points: number) => Math.round(points * 100) / 100;
  return {
    hardBounces: round(hardBounces),
    complaints: round(complaints),
    smtpErrors: round(smtpErrors),
    placement: round(placement),
  };
}

/**
 * A person wants the account to send though its health had paused it, or would: it is on trial from now
 * on. `row` as it is to be stored.
 */
export function onTrial(env: Environment, before: AccountRow, row: AccountRow): AccountRow {
  const isTooLow = isPausedForHealth(before) || before.health.judged < PAUSED_BELOW;
  if (row.status !== "active" || before.status === "active" || !isTooLow) {
    return row;
  }
  const now = env.clock.now();
  const { days } = healthFacts(env, row, now);
  return { ...row, health: { ...row.health, trial: beginTrial(row.timezone, days, now) } };
}

/**
 * After harm: where that is alarming, it is looked soon where the account's email arrives. The health worker
 * begins the run (`health-turns.ts`).
 */
export function requestHealthRun(env: Environment, id: Id): void {
  const row = accountById(env.db, id);
  const facts = row && healthFacts(env, row, env.clock.now());
  if (row !== undefined && facts !== undefined && isAlarming(inputsOf(facts))) {
    const health = { ...row.health, wantsRun: true };
    updateAccount(env.db, { ...row, health, healthAt: env.clock.now() });
    env.wake();
  }
}

/** Forgets history that is older than {@link HEALTH_KEPT_DAYS}. */
export function forgetHealth(env: Environment, now: UnixMs): void {
  const before = localDay("UTC", plus(now, -HEALTH_KEPT_DAYS * DAY_MS));
  pruneHealth(env.db, before.date);
}
