/**
 * What a team's subscription comes to now. A subscription that has run out keeps its plan for a time of
 * grace, since a payment that is late should stop nobody's work; then the team is back on `community`'s
 * place: the plan that an installation gives to those who have none.
 *
 * Source: ours. The 14 days are generous on purpose; nothing is ever deleted for want of a plan.
 */

import type { Limits, Plan } from "./plan.ts";
import { DAY_MS, plus, type UnixMs } from "./time.ts";

export const GRACE_MS = 14 * DAY_MS;

/** Who vouches for a plan. */
export const SUBSCRIPTION_SOURCES = ["local", "licence", "stripe"] as const;
export type SubscriptionSource = (typeof SUBSCRIPTION_SOURCES)[number];

/** As stored, however it came about. */
export interface Subscription {
  plan: Plan;
  source: SubscriptionSource;
  /** Past it, grace begins; null: it does not end by itself. */
  endsAt: UnixMs | null;
  /** Of this team alone, over the plan's. */
  limits: Partial<Limits> | null;
}

export const SUBSCRIPTION_STATES = ["none", "active", "grace", "expired"] as const;
export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number];

/** `none` where there is no subscription. */
export function stateAt(subscription: Subscription | null, now: UnixMs): SubscriptionState {
  if (subscription === null) {
    return "none";
  }
  const { endsAt } = subscription;
  if (endsAt === null || now < endsAt) {
    return "active";
  }
  return now < plus(endsAt, GRACE_MS) ? "grace" : "expired";
}

/** The plan whose limits hold now. */
export function planAt(subscription: Subscription | null, now: UnixMs): Plan {
  const state = stateAt(subscription, now);
  return subscription === null || state === "expired" ? "community" : subscription.plan;
}
