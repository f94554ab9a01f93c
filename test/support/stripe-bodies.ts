/** What the stand-in for Stripe keeps, and how Stripe writes it. */

import type Stripe from "stripe";

export type Status = Stripe.Subscription.Status;

export interface HeldSubscription {
  id: string;
  customer: string;
  teamId: string | null;
  price: string;
  status: Status;
  created: number;
  periodStart: number;
  periodEnd: number;
  endedAt: number | null;
  cancelsAtEnd: boolean;
}

export interface Line {
  price: string;
  start: number;
  end: number;
  amount: number;
}

export interface Bill {
  id: string;
  subscription: string;
  customer: string;
  status: "open" | "paid" | "void";
  reason: "subscription_create" | "subscription_cycle" | "subscription_update";
  created: number;
  lines: Line[];
}

export interface Session {
  id: string;
  status: "open" | "complete" | "expired";
  customer: string | null;
  teamId: string;
  price: string;
  subscription: string | null;
}

/** Of Stripe's own types, since stripe-mock's examples leave it out. */
type PriceDetails = Stripe.InvoiceLineItem.Pricing["price_details"];

export function subscriptionBody(held: HeldSubscription) {
  return {
    id: held.id,
    object: "subscription",
    customer: held.customer,
    status: held.status,
    created: held.created,
    ended_at: held.endedAt,
    cancel_at_period_end: held.cancelsAtEnd,
    metadata: held.teamId === null ? {} : { team_id: held.teamId },
    items: {
      object: "list",
      data: [
        {
          id: `si_${held.id}`,
          price: { id: held.price },
          current_period_start: held.periodStart,
          current_period_end: held.periodEnd,
        },
      ],
    },
  };
}

export function invoiceBody(bill: Bill) {
  const { id, customer, status, created, subscription } = bill;
  return {
    ...{ id, object: "invoice", customer, status, created, billing_reason: bill.reason },
    parent: { type: "subscription_details", subscription_details: { subscription } },
    lines: {
      object: "list",
      data: bill.lines.map(({ price, start, end, amount }) => ({
        amount,
        period: { start, end },
        pricing: {
          type: "price_details",
          price_details: { price, product: "prod_1" } satisfies PriceDetails,
        },
      })),
    },
  };
}

export function sessionBody(session: Session) {
  const { id, status, customer, subscription } = session;
  const url = status === "open" ? `https://checkout.stripe.example/${id}` : null;
  return { id, object: "checkout.session", status, url, customer, subscription };
}
