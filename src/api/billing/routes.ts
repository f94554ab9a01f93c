/** `/billing`. */

import { Type } from "@sinclair/typebox";
import { resource } from "#api/context.ts";
import { AsIs, Count, Documented, Nullable, OneOf, Shape, Text, TimestampOf } from "#api/schema.ts";
import { present } from "#api/wire.ts";
import { act, actLater } from "#api/write.ts";
import { SUBSCRIPTION_SOURCES, SUBSCRIPTION_STATES } from "#domain/billing/subscription.ts";
import { LIMITS, PAID_PLANS, PLANS } from "#domain/sending/plan.ts";
import type { Caller, Environment } from "#environment.ts";
import {
  enterLicence,
  openPortal,
  subscribe,
  subscriptionView,
} from "#usecases/billing/billing.ts";

const Subscribe = Shape({
  plan: Documented(Type.String({ maxLength: 64, description: "Plan to subscribe to" }), {
    enum: PAID_PLANS,
  }),
});

const LICENCE_CHARS_MAX = 8_000;
const Licence = Shape({
  licence: Text(LICENCE_CHARS_MAX, {
    description: 'License key as issued; it begins with "key/"',
    examples: ["key/eyJhY2NvdW50…"],
  }),
});

const url = Type.String({ format: "uri", description: "Page to open in a browser" });

const CheckoutLink = Shape({ url });
const PortalLink = Shape({ url });

const used = (name: string) =>
  Shape(
    {
      used: Count("How much is used"),
      limit: Nullable(Count("Limit of the plan; null for none")),
    },
    { description: `Usage and limit of ${name}` },
  );

export const Subscription = Shape({
  plan: OneOf(PLANS, { description: "Plan whose limits apply now" }),
  status: OneOf(SUBSCRIPTION_STATES, {
    description:
      "State of the subscription; `grace` for 14 days after it has run out, `none` without one",
  }),
  source: Nullable(
    OneOf(SUBSCRIPTION_SOURCES, { description: "What the plan was bought with; null without one" }),
  ),
  started_at: Nullable(TimestampOf("When the subscription started; null without one")),
  ends_at: Nullable(TimestampOf("When it ends; null when no end is set")),
  grace_until: Nullable(
    TimestampOf("When the grace period after its end is over; null when no end is set"),
  ),
  month: Type.String({
    pattern: "^\\d{4}-\\d{2}$",
    description: "Month that usage is counted in, UTC",
    examples: ["2026-03"],
  }),
  usage: AsIs(
    Shape(Object.fromEntries(LIMITS.map((name) => [name, used(name)])), {
      description: "Usage by limit: emails and placement runs of the month, the others as of now",
    }),
  ),
});

export const billingRoutes = resource("billing", "/billing")
  .get("/subscription", ({ env, caller }) => presentSubscription(env, caller), {
    response: { 200: Subscription },
    detail: {
      summary: "Get the subscription",
      description: "Returns the team's plan with its limits and usage.",
    },
  })
  .post(
    "/subscribe",
    (context) =>
      actLater(context, async () => {
        const { env, caller, body, request } = context;
        return { url: await subscribe(env, caller, body.plan, baseUrl(env, request)) };
      }),
    {
      body: Subscribe,
      response: { 200: CheckoutLink },
      detail: {
        summary: "Start or change a subscription",
        description:
          "Returns a page on which the subscription is completed; for a subscription that is under " +
          "way at the payment provider, the page on which it is changed. An earlier page for buying " +
          "a plan is closed.",
      },
    },
  )
  .post(
    "/licence",
    (context) =>
      act(context, () => {
        const { env, caller, body } = context;
        enterLicence(env, caller, body.licence);
        return presentSubscription(env, caller);
      }),
    {
      body: Licence,
      response: { 200: Subscription },
      detail: {
        summary: "Activate a license",
        description: "Puts the team on the plan of a license.",
      },
    },
  )
  .post(
    "/portal",
    (context) =>
      actLater(context, async () => {
        const { env, caller, request } = context;
        return { url: await openPortal(env, caller, baseUrl(env, request)) };
      }),
    {
      response: { 200: PortalLink },
      detail: {
        summary: "Open the billing portal",
        description:
          "Returns the page of the payment provider on which the subscription is managed.",
      },
    },
  );

/** Where people reach us: as configured, else as this request did. */
function baseUrl(env: Environment, request: Request): string {
  return env.publicUrl ?? new URL(request.url).origin;
}

export function presentSubscription(env: Environment, { teamId }: Caller) {
  const view = subscriptionView(env, teamId);
  return present(Subscription, { ...view, status: view.state });
}
