/**
 * What Stripe's objects mean here: what a subscription is, what of it has been paid, which subscription an
 * event is about.
 *
 * Source: Stripe's documentation, "How subscriptions work" and "Using webhooks with subscriptions".
 */

import type Stripe from "stripe";
import type { Purchase, PurchaseState } from "#domain/billing/subscription.ts";
import { PAID_PLANS, type PaidPlan } from "#domain/sending/plan.ts";
import { SECOND_MS, type UnixMs, unixMs } from "#domain/time.ts";
import type { HookNews, RemoteSubscription } from "#platform/ports/billing.ts";

export type Prices = Readonly<Partial<Record<PaidPlan, string>>>;

type Paid = Purchase["paid"];

const STATES: Readonly<Record<string, PurchaseState>> = {
  active: "active",
  trialing: "active",
  past_due: "owing",
  unpaid: "owing",
  paused: "owing",
  canceled: "ended",
  incomplete: "ended",
  incomplete_expired: "ended",
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The team that a subscription was bought for; undefined for one that was not bought here. */
export function teamOf({ metadata }: Stripe.Subscription): string | undefined {
  const id = metadata["team_id"];
  return id !== undefined && UUID.test(id) ? id : undefined;
}

export function customerOf({ customer }: Stripe.Subscription): string {
  return typeof customer === "string" ? customer : customer.id;
}

/** A state that is not known yet counts as one with a payment due: nothing is sold beside it. */
export function stateOf({ status }: Stripe.Subscription): PurchaseState {
  return STATES[status] ?? "owing";
}

/**
 * `invoices`: the customer's paid ones, newest first. They are read where the status does not say that
 * all is paid: then the period is one that Stripe has only begun to ask a payment for.
 */
export function readSubscription(
  found: Stripe.Subscription,
  invoices: readonly Stripe.Invoice[],
  prices: Prices,
): RemoteSubscription[] {
  const teamId = teamOf(found);
  const item = found.items.data[0];
  if (teamId === undefined || item === undefined) {
    return [];
  }
  const state = stateOf(found);
  const plan = planOf(item.price.id, prices);
  const current = plan && { plan, until: instantOf(item.current_period_end) };
  const paid = state === "active" ? (current ?? null) : paidBy(found, invoices, prices);
  return [
    {
      ...{ id: found.id, customer: customerOf(found), teamId, item: item.id, state },
      createdAt: instantOf(found.created),
      paid: endedBy(paid, found.ended_at),
    },
  ];
}

/** The line that reaches furthest; of those that reach as far, the one that was billed last. */
function paidBy(
  { id }: Stripe.Subscription,
  invoices: readonly Stripe.Invoice[],
  prices: Prices,
): Paid {
  let paid: Paid = null;
  for (const { parent, lines } of invoices) {
    const of = parent?.subscription_details?.subscription;
    const isOurs = (typeof of === "string" ? of : of?.id) === id;
    // What is taken back for a plan that was changed is a line below 0.
    for (const { period, pricing } of isOurs ? lines.data.filter((line) => line.amount >= 0) : []) {
      const plan = planOf(priceOf(pricing), prices);
      const until = instantOf(period.end);
      if (plan !== undefined && (paid === null || until > paid.until)) {
        paid = { plan, until };
      }
    }
  }
  return paid;
}

function endedBy(paid: Paid, endedAt: number | null): Paid {
  const end = endedAt === null ? undefined : instantOf(endedAt);
  return paid === null || end === undefined || paid.until <= end ? paid : { ...paid, until: end };
}

function priceOf(pricing: Stripe.InvoiceLineItem["pricing"]): string | undefined {
  const price = pricing?.price_details?.price;
  return typeof price === "string" ? price : price?.id;
}

function planOf(price: string | undefined, prices: Prices): PaidPlan | undefined {
  return PAID_PLANS.find((name) => price !== undefined && prices[name] === price);
}

function instantOf(seconds: number): UnixMs {
  return unixMs(seconds * SECOND_MS);
}

const SUBSCRIPTION_NEWS = /^customer\.subscription\./;
const CHECKOUT_NEWS = ["checkout.session.completed", "checkout.session.async_payment_succeeded"];
const INVOICE_NEWS = ["invoice.paid", "invoice.payment_failed"];

export function newsOf({ type, data }: Stripe.Event): HookNews {
  const told = data.object as unknown as Record<string, unknown>;
  const id = SUBSCRIPTION_NEWS.test(type)
    ? told["id"]
    : CHECKOUT_NEWS.includes(type)
      ? told["subscription"]
      : INVOICE_NEWS.includes(type)
        ? subscriptionOfInvoice(told)
        : undefined;
  return typeof id === "string" ? { kind: "subscription", id } : { kind: "other" };
}

function subscriptionOfInvoice(invoice: Record<string, unknown>): unknown {
  const parent = invoice["parent"] as
    | { subscription_details?: { subscription?: unknown } }
    | null
    | undefined;
  return parent?.subscription_details?.subscription;
}
