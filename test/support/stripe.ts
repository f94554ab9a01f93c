/**
 * A Stripe that keeps state, as far as subscriptions, their invoices and the pages on which they are bought
 * and managed go. Each move does what Stripe's documentation says of it and returns the events that Stripe
 * would send; requests are answered with the present state, however late the answer arrives.
 *
 * Source: docs.stripe.com, "How subscriptions work" (statuses), "Using webhooks with subscriptions"
 * (events), "Prorations". Field names are checked against stripe-mock in `test/billing/stripe.test.ts`.
 */

import type { Fetch } from "#platform/http/fetch.ts";
import {
  type Bill,
  type HeldSubscription,
  invoiceBody,
  type Line,
  type Session,
  type Status,
  sessionBody,
  subscriptionBody,
} from "./stripe-bodies.ts";

/** A month of the stand-in's. */
export const PERIOD_S = 30 * 86_400;

/** As Stripe sends it, before it is signed. */
export interface StripeEvent {
  type: string;
  object: Record<string, unknown>;
}

/** A request that Stripe got: method and path, and its form. */
export interface StripeRequest {
  route: string;
  form: Record<string, string>;
}

export class FakeStripe {
  readonly subscriptions = new Map<string, HeldSubscription>();
  readonly bills: Bill[] = [];
  readonly sessions = new Map<string, Session>();
  readonly requests: StripeRequest[] = [];
  isDown = false;
  /** Where the portal cannot change a subscription, as its configuration may say. */
  refusesChanges = false;
  /** Milliseconds until the answer to a request arrives. */
  latency: () => number = () => 0;
  private count = 0;

  /** Seconds since 1970. */
  private readonly now: () => number;

  constructor(now: () => number) {
    this.now = now;
  }

  /** In place of the network. */
  readonly fetch: Fetch = async (url, init) => {
    const { pathname, search } = new URL(url);
    const form = Object.fromEntries(new URLSearchParams(String(init?.body ?? "") || search));
    const route = `${init?.method ?? "GET"} ${pathname}`;
    this.requests.push({ route, form });
    const answer = this.answer(route, form);
    const body = JSON.stringify(answer.body);
    const wait = this.latency();
    if (wait > 0) {
      await Bun.sleep(wait);
    }
    return new Response(body, {
      status: answer.status,
      headers: { "Content-Type": "application/json", "Stripe-Should-Retry": "false" },
    });
  };

  /** Requests of one route, in order. */
  sent(route: RegExp): StripeRequest[] {
    return this.requests.filter((request) => route.test(request.route));
  }

  // Moves.

  /** A subscription as Checkout makes it: `active` once its first invoice is paid, else `incomplete`. */
  subscribe(
    order: { teamId: string | null; price: string; customer?: string; id?: string },
    paid = true,
  ): { id: string; events: StripeEvent[] } {
    const at = this.now();
    const held: HeldSubscription = {
      id: order.id ?? this.name("sub"),
      customer: order.customer ?? this.name("cus"),
      teamId: order.teamId,
      price: order.price,
      status: paid ? "active" : "incomplete",
      created: at,
      periodStart: at,
      periodEnd: at + PERIOD_S,
      endedAt: null,
      cancelsAtEnd: false,
    };
    this.subscriptions.set(held.id, held);
    const bill = this.bill(held, "subscription_create", paid, [this.line(held)]);
    const session = { id: this.name("cs"), object: "checkout.session", subscription: held.id };
    return {
      id: held.id,
      events: [
        this.told("created", held),
        this.billed(bill),
        ...(paid ? [{ type: "checkout.session.completed", object: session }] : []),
      ],
    };
  }

  /** A trial: its invoice is over nothing, and paid. */
  trial(order: { teamId: string; price: string }): { id: string; events: StripeEvent[] } {
    const made = this.subscribe(order);
    this.held(made.id).status = "trialing";
    return made;
  }

  /** The oldest open invoice is paid. Paid in full, the subscription is active. */
  pay(id: string): StripeEvent[] {
    const held = this.held(id);
    const bill = this.bills.find((one) => one.subscription === id && one.status === "open");
    if (bill === undefined || held.endedAt !== null) {
      return [];
    }
    bill.status = "paid";
    const owes = this.bills.some((one) => one.subscription === id && one.status === "open");
    held.status = owes ? held.status : "active";
    return [this.billed(bill), this.told("updated", held)];
  }

  /** The next period begins: it is paid, or the payment fails; or the subscription was cancelled to it. */
  renew(id: string, paid: boolean): StripeEvent[] {
    const held = this.held(id);
    if (held.endedAt !== null || held.status === "incomplete") {
      return [];
    }
    if (held.cancelsAtEnd) {
      return this.end(held, "canceled", held.periodEnd);
    }
    const owes = held.status === "past_due" || held.status === "unpaid";
    held.periodStart = held.periodEnd;
    held.periodEnd += PERIOD_S;
    const bill = this.bill(held, "subscription_cycle", paid && !owes, [this.line(held)]);
    held.status = owes ? held.status : paid ? "active" : "past_due";
    return [this.told("updated", held), this.billed(bill)];
  }

  /** 23 hours without the first payment, or the last try to collect a later one. */
  giveUp(id: string, to: "canceled" | "unpaid"): StripeEvent[] {
    const held = this.held(id);
    if (held.status === "incomplete") {
      for (const bill of this.bills.filter((one) => one.subscription === id)) {
        bill.status = "void";
      }
      held.status = "incomplete_expired";
      held.endedAt = this.now();
      return [this.told("updated", held)];
    }
    if (held.status !== "past_due") {
      return [];
    }
    if (to === "canceled") {
      return this.end(held, "canceled", this.now());
    }
    held.status = "unpaid";
    return [this.told("updated", held)];
  }

  /** Another price: what is left of the period is credited and billed anew, paid or not. */
  change(id: string, price: string, paid = true): StripeEvent[] {
    const held = this.held(id);
    if (held.status !== "active" || held.price === price) {
      return [];
    }
    const at = this.now();
    const credit = { price: held.price, start: at, end: held.periodEnd, amount: -1000 };
    held.price = price;
    held.status = paid ? "active" : "past_due";
    const debit = { price, start: at, end: held.periodEnd, amount: 2000 };
    const bill = this.bill(held, "subscription_update", paid, [credit, debit]);
    return [this.told("updated", held), this.billed(bill)];
  }

  cancelNow(id: string): StripeEvent[] {
    const held = this.held(id);
    return held.endedAt === null && held.status !== "incomplete"
      ? this.end(held, "canceled", this.now())
      : [];
  }

  cancelAtEnd(id: string): StripeEvent[] {
    const held = this.held(id);
    if (held.endedAt !== null) {
      return [];
    }
    held.cancelsAtEnd = true;
    return [this.told("updated", held)];
  }

  /** Somebody pays on the page of an open session. Null where it is no longer open. */
  complete(sessionId: string): { id: string; events: StripeEvent[] } | null {
    const session = this.sessions.get(sessionId);
    if (session?.status !== "open") {
      return null;
    }
    const customer = session.customer ?? this.name("cus");
    const { teamId, price } = session;
    const made = this.subscribe({ teamId, price, customer });
    Object.assign(session, { status: "complete", customer, subscription: made.id });
    return made;
  }

  held(id: string): HeldSubscription {
    const held = this.subscriptions.get(id);
    if (held === undefined) {
      throw new Error(`no subscription ${id}`);
    }
    return held;
  }

  // What is behind them.

  private end(held: HeldSubscription, status: Status, at: number): StripeEvent[] {
    Object.assign(held, { status, endedAt: at });
    return [this.told("deleted", held)];
  }

  private name(kind: string): string {
    this.count += 1;
    return `${kind}_${this.count}`;
  }

  private line({ price, periodStart, periodEnd, status }: HeldSubscription): Line {
    const amount = status === "trialing" ? 0 : 2900;
    return { price, start: periodStart, end: periodEnd, amount };
  }

  private bill(
    { id, customer }: HeldSubscription,
    reason: Bill["reason"],
    paid: boolean,
    lines: Line[],
  ): Bill {
    const status = paid ? "paid" : "open";
    const created = this.now();
    const made: Bill = {
      ...{ id: this.name("in"), subscription: id, customer, status, reason, created, lines },
    };
    this.bills.push(made);
    return made;
  }

  private told(word: string, held: HeldSubscription): StripeEvent {
    return { type: `customer.subscription.${word}`, object: subscriptionBody(held) };
  }

  private billed(bill: Bill): StripeEvent {
    const type = bill.status === "paid" ? "invoice.paid" : "invoice.payment_failed";
    return { type, object: invoiceBody(bill) };
  }

  private answer(route: string, form: Record<string, string>): { status: number; body: object } {
    if (this.isDown) {
      return { status: 503, body: { error: { message: "down" } } };
    }
    const [, kind = "", id = "", verb = ""] =
      /^\w+ \/v1\/(subscriptions|invoices|checkout\/sessions|billing_portal\/sessions)\/?([^/]*)\/?(\w*)$/.exec(
        route,
      ) ?? [];
    if (route === "POST /v1/checkout/sessions") {
      return ok(this.openSession(form));
    }
    if (kind === "checkout/sessions") {
      return this.session(id, verb);
    }
    if (route === "POST /v1/billing_portal/sessions") {
      return this.refusesChanges && form["flow_data[type]"] !== undefined
        ? refused(400, "This subscription cannot be updated.")
        : ok({ id: this.name("bps"), url: `https://portal.stripe.example/${this.count}` });
    }
    const wanted = (one: { customer: string; status: string }) =>
      (form["customer"] === undefined || one.customer === form["customer"]) &&
      (form["status"] === "all" || one.status === form["status"]);
    if (route === "GET /v1/subscriptions") {
      return ok(listed([...this.subscriptions.values()].filter(wanted).map(subscriptionBody)));
    }
    if (route === "GET /v1/invoices") {
      return ok(listed(this.bills.filter(wanted).map(invoiceBody)));
    }
    const held = kind === "subscriptions" ? this.subscriptions.get(id) : undefined;
    return held === undefined
      ? refused(404, "No such object", "resource_missing")
      : ok(subscriptionBody(held));
  }

  private openSession(form: Record<string, string>): object {
    const session: Session = {
      id: this.name("cs"),
      status: "open",
      customer: form["customer"] ?? null,
      teamId: form["subscription_data[metadata][team_id]"] ?? "",
      price: form["line_items[0][price]"] ?? "",
      subscription: null,
    };
    this.sessions.set(session.id, session);
    return sessionBody(session);
  }

  private session(id: string, verb: string): { status: number; body: object } {
    const session = this.sessions.get(id);
    if (session === undefined) {
      return refused(404, "No such session", "resource_missing");
    }
    if (verb === "expire") {
      if (session.status !== "open") {
        return refused(400, "Only Checkout Sessions with a status in [open] can be expired.");
      }
      session.status = "expired";
    }
    return ok(sessionBody(session));
  }
}

const ok = (body: object) => ({ status: 200, body });
const refused = (status: number, message: string, code?: string) => {
  return { status, body: { error: { type: "invalid_request_error", message, code } } };
};

/** The newest first. */
function listed(data: readonly object[]) {
  return { object: "list", data: [...data].reverse(), has_more: false };
}
