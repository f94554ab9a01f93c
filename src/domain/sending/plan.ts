/**
 * Plans and what each lets a team have. `community` is what an installation of one's own runs on: no
 * limits. The others are for those who sell the service; their limits are configuration.
 *
 * Source: `pro` is the seed's; the other plans and all limits are ours.
 */

import { invalid } from "#domain/problem.ts";

export const PAID_PLANS = ["starter", "pro", "scale"] as const;
export type PaidPlan = (typeof PAID_PLANS)[number];
export const PLANS = ["community", ...PAID_PLANS] as const;
export type Plan = (typeof PLANS)[number];

/** `mails` and `placement_runs` are a calendar month's (UTC); the others are what there is at one time. */
export const LIMITS = [
  "accounts",
  "leads",
  "active_campaigns",
  "mails",
  "running_experiments",
  "placement_runs",
  "webhooks",
  "keys",
  "members",
] as const;
export type Limit = (typeof LIMITS)[number];

/** null: no limit. */
export type Limits = Readonly<Record<Limit, number | null>>;

const NO_LIMITS: Limits = {
  accounts: null,
  leads: null,
  active_campaigns: null,
  mails: null,
  running_experiments: null,
  placement_runs: null,
  webhooks: null,
  keys: null,
  members: null,
};

export type PlanLimits = Readonly<Record<Plan, Limits>>;

export const PLAN_LIMITS: PlanLimits = {
  community: NO_LIMITS,
  starter: {
    accounts: 3,
    leads: 5_000,
    active_campaigns: 5,
    mails: 5_000,
    running_experiments: 1,
    placement_runs: 10,
    webhooks: 3,
    keys: 10,
    members: 3,
  },
  pro: {
    accounts: 25,
    leads: 100_000,
    active_campaigns: 50,
    mails: 50_000,
    running_experiments: 10,
    placement_runs: 100,
    webhooks: 10,
    keys: 50,
    members: 15,
  },
  scale: {
    accounts: 250,
    leads: 2_000_000,
    active_campaigns: 500,
    mails: 1_000_000,
    running_experiments: 100,
    placement_runs: 1_000,
    webhooks: 20,
    keys: 200,
    members: 100,
  },
};

const LIMIT_MAX = 1_000_000_000;

export function isPlan(word: unknown): word is Plan {
  return PLANS.some((plan) => plan === word);
}

/** Throws `validation_error` for a word that is no plan that can be subscribed to. */
export function readPaidPlan(word: string): PaidPlan {
  const plan = PAID_PLANS.find((name) => name === word);
  if (plan === undefined) {
    throw invalid("plan", `must be one of ${PAID_PLANS.join(", ")}`);
  }
  return plan;
}

/**
 * The limits that `given` sets, over `base`: `{accounts: 5, leads: null}`. Throws a `RangeError` that
 * names what is no limit or no whole number from 0 to {@link LIMIT_MAX}.
 */
export function mergeLimits(base: Limits, given: unknown): Limits {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new RangeError("limits must be an object");
  }
  const merged: Record<Limit, number | null> = { ...base };
  for (const [name, value] of Object.entries(given)) {
    const limit = LIMITS.find((known) => known === name);
    if (limit === undefined) {
      throw new RangeError(`"${name}" is not a limit; limits are ${LIMITS.join(", ")}`);
    }
    if (value !== null && !isAmount(value)) {
      throw new RangeError(`${name} must be a whole number from 0 to ${LIMIT_MAX}, or null`);
    }
    merged[limit] = value;
  }
  return merged;
}

function isAmount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= LIMIT_MAX;
}

/**
 * {@link PLAN_LIMITS} with what a JSON text changes, for example `{"starter": {"accounts": 5}}`. Throws a
 * `RangeError` that says what is wrong with it.
 */
export function readPlanLimits(text: string): PlanLimits {
  if (text.trim() === "") {
    return PLAN_LIMITS;
  }
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw new RangeError("must be JSON: limits by plan");
  }
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new RangeError("must be an object: limits by plan");
  }
  const merged: Record<Plan, Limits> = { ...PLAN_LIMITS };
  for (const [name, limits] of Object.entries(given)) {
    if (!isPlan(name)) {
      throw new RangeError(`"${name}" is not a plan; plans are ${PLANS.join(", ")}`);
    }
    merged[name] = mergeLimits(merged[name], limits);
  }
  return merged;
}

/** Part of a limit at which the team is warned. */
export const WARNING_SHARE = 0.8;

/** What is told when `used` of `limit` is reached: nothing, a warning, or that it is reached. */
export function limitLevel(used: number, limit: number | null): "warning" | "reached" | null {
  if (limit === null) {
    return null;
  }
  if (used >= limit) {
    return "reached";
  }
  return used >= limit * WARNING_SHARE ? "warning" : null;
}
