/**
 * Billing by Stripe: Checkout for buying, its portal for changing and managing, its word for what a team
 * has. Stripe tells of changes in any order and more than once, so an event only names a subscription,
 * and what its customer has now is looked up.
 */

import type Stripe from "stripe";
import type { PaidPlan } from "#domain/sending/plan.ts";
import { messageOf } from "#domain/thrown.ts";
import { SECOND_MS } from "#domain/time.ts";
import type { Fetch } from "#platform/http/fetch.ts";
import type { BillingOutcome, BillingPort } from "#platform/ports/billing.ts";
import {
  customerOf,
  newsOf,
  type Prices,
  readSubscription,
  stateOf,
  teamOf,
} from "./stripe-reading.ts";

export interface StripeOptions {
  secretKey: string;
  /** Signs what Stripe tells us. */
  webhookSecret: string;
  /** Price id of each plan that is sold. */
  prices: Prices;
  fetch: Fetch;
  /** Where a stand-in answers, in tests: `http://127.0.0.1:12111`. */
  server?: URL;
}

const ANSWER_MS_MAX = 20 * SECOND_MS;
const RETRIES = 2;

/** The customer's newest subscriptions and invoices, of which a team has one or a few. */
const LISTED_MAX = 100;

type Client = () => Promise<Stripe>;

export function createStripeBilling(options: StripeOptions): BillingPort {
  let made: Promise<Stripe> | undefined;
  const client = () => {
    made ??= createClient(options);
    return made;
  };
  return {
    kind: "stripe",
    ...pages(options, client),
    ...lookUps(options, client),
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

type Pages = Pick<BillingPort, "startCheckout" | "closeCheckout" | "startChange" | "openPortal">;

function pages(options: StripeOptions, client: Client): Pages {
  return {
    startCheckout: ({ checkoutId, teamId, plan, customer, baseUrl }) =>
      outcome(async () => {
        const price = priceOf(options, plan);
        const metadata = { team_id: teamId, plan };
        const stripe = await client();
        const { id, url } = await stripe.checkout.sessions.create(
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
        if (url === null) {
          throw new Error("Stripe made a checkout without an address");
        }
        return { url, session: id };
      }),
    closeCheckout: (session) =>
      outcome(async () => {
        const { sessions } = (await client()).checkout;
        const page =
          (await sessions.expire(session).catch(unlessRefused)) ??
          (await sessions.retrieve(session).catch(unlessRefused));
        if (page?.status === "open") {
          throw new Error(`the checkout ${session} does not close`);
        }
        const customer = page?.status === "complete" ? page.customer : null;
        return typeof customer === "object" ? (customer?.id ?? null) : (customer ?? null);
      }),
    startChange: ({ subscription: { id, customer, item }, plan, baseUrl }) =>
      outcome(async () => {
        const price = priceOf(options, plan);
        const return_url = `${baseUrl}/billing/thanks`;
        const { url } = await (await client()).billingPortal.sessions.create({
          customer,
          return_url: baseUrl,
          flow_data: {
            type: "subscription_update_confirm",
            subscription_update_confirm: {
              subscription: id,
              items: [{ id: item, price, quantity: 1 }],
            },
            after_completion: { type: "redirect", redirect: { return_url } },
          },
        });
        return url;
      }),
    openPortal: (customer, returnUrl) =>
      outcome(async () => {
        const { url } = await (await client()).billingPortal.sessions.create({
          customer,
          return_url: returnUrl,
        });
        return url;
      }),
  };
}

function lookUps(
  { prices }: StripeOptions,
  client: Client,
): Pick<BillingPort, "findPayer" | "findSubscriptions"> {
  return {
    findPayer: (id) =>
      outcome(async () => {
        const found = await (await client()).subscriptions.retrieve(id).catch(unlessRefused);
        const teamId = found && teamOf(found);
        return found === undefined || teamId === undefined
          ? null
          : { customer: customerOf(found), teamId };
      }),
    findSubscriptions: ({ customer, teamId }) =>
      outcome(async () => {
        const stripe = await client();
        const of = { customer, limit: LISTED_MAX };
        const all = await stripe.subscriptions.list({ ...of, status: "all" }).catch(unlessRefused);
        const ours = all?.data.filter((each) => teamOf(each) === teamId) ?? [];
        const isPaid = ours.length === 0 || ours.some((each) => stateOf(each) === "active");
        const paid = isPaid ? [] : (await stripe.invoices.list({ ...of, status: "paid" })).data;
        return ours.flatMap((each) => readSubscription(each, paid, prices));
      }),
  };
}

/** The library is loaded when it is first needed: most who start the program take no money. */
async function createClient(options: StripeOptions): Promise<Stripe> {
  const { default: Client } = await import("stripe");
  return new Client(options.secretKey, {
    timeout: ANSWER_MS_MAX,
    maxNetworkRetries: RETRIES,
    telemetry: false,
    httpClient: Client.createFetchHttpClient(options.fetch as typeof globalThis.fetch),
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

function priceOf({ prices }: StripeOptions, plan: PaidPlan): string {
  const price = prices[plan];
  if (price === undefined) {
    throw new Error(`the plan "${plan}" has no price in stripe_prices`);
  }
  return price;
}

/** Undefined where Stripe says that there is no such thing, or that it is past that. */
function unlessRefused(error: unknown): undefined {
  const { statusCode } = error as Partial<Stripe.errors.StripeError>;
  if (statusCode !== 400 && statusCode !== 404) {
    throw error;
  }
}
