/** The product in front of a Stripe that keeps state, told of changes by events that Stripe's library signs. */

import Stripe from "stripe";
import { createStripeBilling } from "#billing/stripe.ts";
import { SECOND_MS } from "#domain/time.ts";
import { createTestApp, START, type TestApp, type TestAppOptions } from "../support/app.ts";
import { FakeStripe, type StripeEvent } from "../support/stripe.ts";

export const PRICES = { starter: "price_starter", pro: "price_pro" } as const;
export const OPTIONS = { secretKey: "sk_test_123", webhookSecret: "whsec_test", prices: PRICES };

const signer = new Stripe(OPTIONS.secretKey);

export interface Signing {
  secret?: string;
  /** Seconds since 1970; now if left out. */
  timestamp?: number;
}

export interface Seller {
  app: TestApp;
  stripe: FakeStripe;
  /** What Stripe sends, signed; answers our status. */
  tell(event: StripeEvent, signing?: Signing): Promise<number>;
  /** The same one after the other. */
  notifyAll(events: readonly StripeEvent[]): Promise<void>;
  /** `GET /billing/subscription` of the first team, or of the key's. */
  // biome-ignore lint/suspicious/noExplicitAny: as the tests' own call
  plan(key?: string): Promise<any>;
}

export async function createSeller(options: TestAppOptions = {}): Promise<Seller> {
  let now = () => START as number;
  const stripe = new FakeStripe(() => Math.floor(now() / SECOND_MS));
  const billing = createStripeBilling({ ...OPTIONS, fetch: stripe.fetch });
  const app = await createTestApp({ billing, ...options });
  now = () => app.wall.now();
  const tell = async ({ type, object }: StripeEvent, signing: Signing = {}) => {
    const payload = JSON.stringify({ id: `evt_${type}`, object: "event", type, data: { object } });
    const signature = await signer.webhooks.generateTestHeaderStringAsync({
      payload,
      secret: OPTIONS.webhookSecret,
      ...signing,
    });
    const request = new Request("http://localhost/hooks/stripe", {
      method: "POST",
      headers: { "stripe-signature": signature },
      body: payload,
    });
    return (await app.fetch(request)).status;
  };
  return {
    app,
    stripe,
    tell,
    notifyAll: async (events) => {
      for (const event of events) {
        await tell(event);
      }
    },
    plan: async (key = app.keys.live) =>
      (await app.live("GET", "/billing/subscription", undefined, { key })).body,
  };
}
