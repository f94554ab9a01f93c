/** The payment provider: where a plan is bought and where a subscription is looked up. */

import type { Purchase } from "#domain/billing/subscription.ts";
import type { PaidPlan } from "#domain/sending/plan.ts";

export interface CheckoutOrder {
  checkoutId: string;
  teamId: string;
  plan: PaidPlan;
  /** The provider's name for the team, where it has one. */
  customer: string | null;
  /** Base of our own addresses, without a slash at its end. */
  baseUrl: string;
}

/** A page of the provider's on which a plan is bought. */
export interface CheckoutPage {
  url: string;
  /** The provider's name for it; null where the page is ours. */
  session: string | null;
}

/** Which customer of the provider's is which team. */
export interface Payer {
  customer: string;
  teamId: string;
}

/** A subscription as the provider tells it now. */
export interface RemoteSubscription extends Purchase, Payer {
  /** What is exchanged when the plan changes. */
  item: string;
}

export interface PlanChange {
  subscription: RemoteSubscription;
  plan: PaidPlan;
  /** Base of our own addresses, without a slash at its end. */
  baseUrl: string;
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
  /** The page on which the plan is bought. */
  startCheckout(order: CheckoutOrder): Promise<BillingOutcome<CheckoutPage>>;
  /** Closes such a page for good. The value is the customer who has bought on it, null where nobody has. */
  closeCheckout(session: string): Promise<BillingOutcome<string | null>>;
  /** The address of the page on which a change of the plan is confirmed. */
  startChange(change: PlanChange): Promise<BillingOutcome<string>>;
  /** The address of the page on which a subscription is managed. */
  openPortal(customer: string, returnUrl: string): Promise<BillingOutcome<string>>;
  /** Whose a subscription is; null for one that is unknown or no team's. */
  findPayer(subscription: string): Promise<BillingOutcome<Payer | null>>;
  /** All that this customer has for the team, ended ones too. */
  findSubscriptions(payer: Payer): Promise<BillingOutcome<RemoteSubscription[]>>;
  readHook(body: string, signature: string): Promise<HookNews>;
}
