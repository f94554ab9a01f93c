/**
 * Billing by Stripe: Checkout for buying, its portal for managing, its word for what a team has. Stripe
 * tells of changes in any order and more than once, so news only name a subscription, which is then
 * looked up.
 */

import type Stripe from "stripe";
import { PAID_PLANS, type PaidPlan } from "#domain/plan.ts";
import { SECOND_MS, unixMs } from "#domain/time.ts";
import type {
  BillingOutcome,
  BillingPort,
  HookNews,
  RemoteSubscription,
} from "#runtime/ports/billing.ts";

export interface StripeOptions {
  secretKey: string;
  /** Signs what Stripe tells us. */
  webhookSecret: string;
  /** Price id of each plan that is sold. */
  prices: Readonly<Partial<Record<PaidPlan, string>>>;
  /** Where a stand-in answers, in tests: `http://127.0.0.1:12111`. */
  server?: URL;
}

const ANSWER_MS_MAX = 20 * SECOND_MS;
const RETRIES = 2;

/** States in which Stripe still hopes to be paid, or is. */
const LIVE: readonly Stripe.Subscription.Status[] = ["active", "trialing", "past_due"];

const SUBSCRIPTION_NEWS = /^customer\.subscription\./;
const CHECKOUT_NEWS = ["checkout.session.completed", "checkout.session.async_payment_succeeded"];
const INVOICE_NEWS = ["invoice.paid", "invoice.payment_failed"];

export function createStripeBilling(options: StripeOptions): BillingPort {
  let made: Promise<Stripe> | undefined;
  const client = () => {
    made ??= createClient(options);
    return made;
  };
  return {
    kind: "stripe",
    startCheckout: ({ checkoutId, teamId, plan, customer, baseUrl }) =>
      outcome(async () => {
        const price = options.prices[plan];
        if (price === undefined) {
          throw new Error(`the plan "${plan}" has no price in stripe_prices`);
        }
        const metadata = { team_id: teamId, plan };
        const stripe = await client();
        const session = await stripe.checkout.sessions.create(
          {
            mode: "subscription",
            line_items: [{ price, quantity: 1 }],
            client_reference_id: teamId,
            metadata,
            subscription_data: { metadata },
            success_url: `${baseUrl}/billing/thanks`,
            cancel_url: `${baseUrl}/billing/cancelled`,
            ...(customer === null ? {} : { customer }),
          },
          { idempotencyKey: `checkout:${checkoutId}` },
        );
        if (session.url === null) {
          throw new Error("Stripe made a checkout without an address");
        }
        return session.url;
      }),
    openPortal: (customer, returnUrl) =>
      outcome(async () => {
        const { url } = await (await client()).billingPortal.sessions.create({
          customer,
          return_url: returnUrl,
        });
        return url;
      }),
    findSubscription: (id) =>
      outcome(async () => {
        const stripe = await client();
        return remoteOf(await stripe.subscriptions.retrieve(id), options.prices);
      }),
    readHook: async (body, signature) => {
      try {
        const stripe = await client();
        return newsOf(
          await stripe.webhooks.constructEventAsync(body, signature, options.webhookSecret),
        );
      } catch (error) {
        return { kind: "forged", reason: messageOf(error) };
      }
    },
  };
}

/** The library is loaded when it is first needed: most who start the program take no money. */
async function createClient(options: StripeOptions): Promise<Stripe> {
  const { default: Client } = await import("stripe");
  return new Client(options.secretKey, {
    timeout: ANSWER_MS_MAX,
    maxNetworkRetries: RETRIES,
    telemetry: false,
    ...(options.server === undefined ? {} : standIn(options.server)),
  });
}

function standIn(server: URL) {
  return {
    host: server.hostname,
    port: Number(server.port),
    protocol: server.protocol === "http:" ? ("http" as const) : ("https" as const),
  };
}

async function outcome<Value>(run: () => Promise<Value>): Promise<BillingOutcome<Value>> {
  try {
    return { kind: "ok", value: await run() };
  } catch (error) {
    return { kind: "failed", reason: messageOf(error) };
  }
}

/** Null for a subscription that is not one of ours. */
function remoteOf(
  found: Stripe.Subscription,
  prices: StripeOptions["prices"],
): RemoteSubscription | null {
  const item = found.items.data[0];
  const teamId = found.metadata["team_id"];
  const plan = PAID_PLANS.find((name) => prices[name] === item?.price.id);
  if (item === undefined || teamId === undefined || plan === undefined) {
    return null;
  }
  return {
    id: found.id,
    customer: typeof found.customer === "string" ? found.customer : found.customer.id,
    teamId,
    plan,
    isLive: LIVE.includes(found.status),
    paidUntil: unixMs(item.current_period_end * SECOND_MS),
  };
}

function newsOf({ type, data }: Stripe.Event): HookNews {
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
