/**
 * What a team's subscription comes to now. A subscription that has run out keeps its plan for a time of
 * grace, since a payment that is late should stop nobody's work; then the team is back on `community`'s
 * place: the plan that an installation gives to those who have none.
 *
 * Source: ours. The 14 days are generous on purpose; nothing is ever deleted for want of a plan.
 */

import type { Limits, PaidPlan, Plan } from "#domain/sending/plan.ts";
import { DAY_MS, plus, type UnixMs } from "#domain/time.ts";

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

/**
 * `active`: nothing is due. `owing`: it goes on, and a payment is due. `ended`: it is over, or its first
 * payment never came.
 */
export type PurchaseState = "active" | "owing" | "ended";

/** A subscription that a payment provider keeps for the team. */
export interface Purchase {
  id: string;
  state: PurchaseState;
  createdAt: UnixMs;
  /** What has been paid for, until when. Null: nothing, or what is no plan of ours. */
  paid: { plan: PaidPlan; until: UnixMs } | null;
}

export type PaidPurchase<Of extends Purchase> = Of & { paid: NonNullable<Purchase["paid"]> };

/**
 * The one of a team's purchases that its plan comes from: the oldest that is active, else the one that is
 * paid the longest. Undefined where nothing was ever paid. It depends on nothing but what is there, so the
 * order in which changes become known cannot matter.
 */
export function standingPurchase<Of extends Purchase>(
  all: readonly Of[],
): PaidPurchase<Of> | undefined {
  const paid = all.filter((each): each is PaidPurchase<Of> => each.paid !== null);
  return (
    byAge(paid).find(({ state }) => state === "active") ??
    byAge(paid).toSorted((one, other) => other.paid.until - one.paid.until)[0]
  );
}

/** The one that has to be changed instead of buying another; undefined where all have ended. */
export function runningPurchase<Of extends Purchase>(all: readonly Of[]): Of | undefined {
  const running = byAge(all).filter(({ state }) => state !== "ended");
  return running.find(({ state }) => state === "active") ?? running[0];
}

function byAge<Of extends Purchase>(all: readonly Of[]): Of[] {
  return all.toSorted(
    (one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1),
  );
}
