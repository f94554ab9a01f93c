/** The payment provider: where a plan is bought and where a subscription is looked up. */

import type { PaidPlan } from "#domain/plan.ts";
import type { UnixMs } from "#domain/time.ts";

export interface CheckoutOrder {
  checkoutId: string;
  teamId: string;
  plan: PaidPlan;
  /** The provider's name for the team, where it has one. */
  customer: string | null;
  /** Base of our own addresses, without a slash at its end. */
  baseUrl: string;
}

/** A subscription as the provider tells it now. */
export interface RemoteSubscription {
  id: string;
  customer: string;
  teamId: string;
  plan: PaidPlan;
  /** False once it is cancelled or unpaid for good. */
  isLive: boolean;
  /** Paid up to then. */
  paidUntil: UnixMs;
}

export type BillingOutcome<Value> =
  | { kind: "ok"; value: Value }
  /** The provider did not answer, or refused; `reason` is for the log and, shortened, for people. */
  | { kind: "failed"; reason: string };

/** What a call of the provider's is about. */
export type HookNews =
  /** Look this subscription up. */
  | { kind: "subscription"; id: string }
  /** Nothing of ours. */
  | { kind: "other" }
  /** Not from the provider, or too old. */
  | { kind: "forged"; reason: string };

export interface BillingPort {
  readonly kind: "local" | "stripe";
  /** The address of the page on which the plan is bought. */
  startCheckout(order: CheckoutOrder): Promise<BillingOutcome<string>>;
  /** The address of the page on which a subscription is managed. */
  openPortal(customer: string, returnUrl: string): Promise<BillingOutcome<string>>;
  findSubscription(id: string): Promise<BillingOutcome<RemoteSubscription | null>>;
  readHook(body: string, signature: string): Promise<HookNews>;
}
