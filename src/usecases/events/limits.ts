/**
 * What a team's plan lets it have, asked inside the transaction that takes a place, so that no two
 * requests share the last one. Teams without a plan, and plans without a limit, are not counted at all.
 */

import { planAt } from "#domain/billing/subscription.ts";
import { Problem } from "#domain/problem.ts";
import { LIMITS, type Limit, type Limits, limitLevel, type Plan } from "#domain/sending/plan.ts";
import { DAY_MS, plus, type UnixMs, unixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { recordLimit, subscriptionOf } from "#store/billing/billing.ts";
import { countLimit } from "#store/billing/limits.ts";
import { pruneUsage } from "#store/sending/usage.ts";
import type { Id } from "#store/sqlite/columns.ts";
import { readFact, writeFact } from "#store/sqlite/facts.ts";
import { emit } from "./record.ts";

/** Limits of a calendar month. */
const MONTHLY: readonly Limit[] = ["mails", "placement_runs"];

/** Since it was first counted: a week, and the longest day before. */
const USAGE_KEPT_MS = 9 * DAY_MS;
const MONTHS_KEPT_MS = 400 * DAY_MS;

/** The latest time that was ever seen, in milliseconds. */
const LATEST = "billing.latest_time";

/** The wall clock, but never before a time that has been seen: setting a clock back extends nothing. */
export function billingNow(env: Environment): UnixMs {
  return unixMs(Math.max(env.wall.now(), Number(readFact(env.db, LATEST) ?? 0)));
}

/** Remembers how late it is. Runs inside a commit, hourly by upkeep and with each change of a plan. */
export function rememberTime(env: Environment): void {
  writeFact(env.db, LATEST, String(billingNow(env)));
}

/** Upkeep, inside a commit. */
export function forgetUsage(env: Environment, now: UnixMs): void {
  pruneUsage(env.db, plus(now, -USAGE_KEPT_MS), plus(now, -MONTHS_KEPT_MS));
}

export interface Allowance {
  plan: Plan;
  limits: Limits;
}

/** The plan and the limits that hold for the team now. */
export function allowanceOf(env: Environment, teamId: Id): Allowance {
  const row = subscriptionOf(env.db, teamId) ?? null;
  if (row === null) {
    return { plan: "community", limits: env.plans.community };
  }
  const plan = planAt(row, billingNow(env));
  const own = plan === row.plan ? row.limits : null;
  return { plan, limits: { ...env.plans[plan], ...own } };
}

export interface Usage {
  used: number;
  limit: number | null;
}

export function usageOfAll(env: Environment, teamId: Id): Record<Limit, Usage> {
  const { limits } = allowanceOf(env, teamId);
  const entries = LIMITS.map((name) => {
    return [name, { used: taken(env, teamId, name), limit: limits[name] }] as const;
  });
  return Object.fromEntries(entries) as Record<Limit, Usage>;
}

/** Places that are left, of a limit a month in the month of `at`; Infinity where there is no limit. */
export function remaining(env: Environment, teamId: Id, name: Limit, at = env.clock.now()): number {
  const limit = allowanceOf(env, teamId).limits[name];
  if (limit === null) {
    return Number.POSITIVE_INFINITY;
  }
  return Math.max(0, limit - taken(env, teamId, name, at));
}

/**
 * Throws `plan_limit` naming the limit where `adding` more do not fit; tells the team when it comes near.
 * To be called in the transaction that adds them, before it does.
 */
export function ensureCapacity(env: Environment, teamId: Id, name: Limit, adding = 1): void {
  const { plan, limits } = allowanceOf(env, teamId);
  const limit = limits[name];
  if (limit === null) {
    return;
  }
  const used = taken(env, teamId, name);
  if (used + adding > limit) {
    throw new Problem(
      "plan_limit",
      `the plan "${plan}" allows ${limit} ${words(name)}, and ${used} are in use`,
      name,
    );
  }
  emitLimit(env, teamId, name, used + adding);
}

/** Emits `billing.limit_warning` or `billing.limit_reached`, each once a period. */
export function emitLimit(
  env: Environment,
  teamId: Id,
  name: Limit,
  used: number,
  at = env.clock.now(),
): void {
  const { plan, limits } = allowanceOf(env, teamId);
  const limit = limits[name];
  const level = limitLevel(used, limit);
  if (level === null || limit === null) {
    return;
  }
  const period = MONTHLY.includes(name) ? monthOf(at).month : plan;
  if (recordLimit(env.db, { teamId, limit: name, period, level })) {
    const type = level === "reached" ? "billing.limit_reached" : "billing.limit_warning";
    emit(env, teamId, type, { limit: name, used, allowed: limit, plan, period });
  }
}

/** After an email was counted for the month of `at`. */
export function emitEmailLimit(env: Environment, teamId: Id, at: UnixMs): void {
  const limit = allowanceOf(env, teamId).limits.mails;
  if (limit !== null) {
    emitLimit(env, teamId, "mails", taken(env, teamId, "mails", at), at);
  }
}

/** After leads were added. */
export function emitLeadLimit(env: Environment, teamId: Id): void {
  const limit = allowanceOf(env, teamId).limits.leads;
  if (limit !== null) {
    emitLimit(env, teamId, "leads", taken(env, teamId, "leads"));
  }
}

/** People are the team's in both environments, and all in one place. */
function taken(env: Environment, teamId: Id, name: Limit, at = env.clock.now()): number {
  const when = { now: env.wall.now(), ...monthOf(at) };
  return countLimit(name === "members" ? env.people : env.db, name, teamId, when);
}

interface Month {
  /** `2026-03`. */
  month: string;
  monthFrom: UnixMs;
  monthTo: UnixMs;
}

/** The one that was asked for last: each email asks for it again. */
let lastMonth: Month | undefined;

/** The calendar month (UTC) of an instant, its first instant and that of the next one. */
export function monthOf(at: UnixMs): Month {
  if (lastMonth === undefined || at < lastMonth.monthFrom || at >= lastMonth.monthTo) {
    lastMonth = monthAt(at);
  }
  return lastMonth;
}

function monthAt(at: UnixMs): Month {
  const day = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO("UTC");
  const first = day.with({ day: 1 }).startOfDay();
  return {
    month: first.toPlainDate().toPlainYearMonth().toString(),
    monthFrom: unixMs(first.epochMilliseconds),
    monthTo: unixMs(first.add({ months: 1 }).epochMilliseconds),
  };
}

function words(name: Limit): string {
  return name.replaceAll("_", " ");
}
