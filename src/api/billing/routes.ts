/** `/billing`. */

import { Type } from "@sinclair/typebox";
import { resource } from "#api/context.ts";
import { AsIs, Documented, Nullable, OneOf, Shape, Text, Timestamp } from "#api/schema.ts";
import { present } from "#api/wire.ts";
import { act, actLater } from "#api/write.ts";
import { SUBSCRIPTION_SOURCES, SUBSCRIPTION_STATES } from "#domain/billing/subscription.ts";
import { LIMITS, PAID_PLANS, PLANS } from "#domain/sending/plan.ts";
import {
  enterLicence,
  openPortal,
  subscribe,
  subscriptionView,
} from "#usecases/billing/billing.ts";
import type { Caller, World } from "#world.ts";

const Subscribe = Shape({
  plan: Documented(Type.String({ maxLength: 64 }), { enum: PAID_PLANS }),
});

const LICENCE_CHARS_MAX = 8_000;
const Licence = Shape({
  licence: Text(LICENCE_CHARS_MAX, { description: 'As it was issued; it begins with "key/"' }),
});

const url = Type.String({ format: "uri", description: "Open it in a browser" });

const CheckoutLink = Shape({ url });
const PortalLink = Shape({ url });

const Used = Shape({
  used: Type.Integer({ minimum: 0 }),
  limit: Nullable(Type.Integer({ minimum: 0, description: "null: no limit" })),
});

const Subscription = Shape({
  plan: OneOf(PLANS, { description: "Whose limits hold now" }),
  status: OneOf(SUBSCRIPTION_STATES, {
    description: "grace: it has run out, and goes on for 14 days; none: nothing was subscribed to",
  }),
  source: Nullable(OneOf(SUBSCRIPTION_SOURCES)),
  started_at: Nullable(Timestamp),
  ends_at: Nullable(Timestamp),
  grace_until: Nullable(Timestamp),
  month: Type.String({ pattern: "^\\d{4}-\\d{2}$", description: "Whose mails are counted, UTC" }),
  usage: AsIs(
    Shape(Object.fromEntries(LIMITS.map((name) => [name, Used])), {
      description: "mails and placement_runs are the month's, the others what there is now",
    }),
  ),
});

export const billingRoutes = resource("billing", "/billing")
  .get("/subscription", ({ world, caller }) => shown(world, caller), {
    response: { 200: Subscription },
    detail: { summary: "The team's plan, and what it has used" },
  })
  .post(
    "/subscribe",
    (context) =>
      actLater(context, async () => {
        const { world, caller, body, request } = context;
        return { url: await subscribe(world, caller, body.plan, baseUrl(world, request)) };
      }),
    {
      body: Subscribe,
      response: { 200: CheckoutLink },
      detail: {
        summary: "Begin or change a subscription: the address of the page that completes it",
        description:
          "Where a subscription goes on at the payment provider, its page for changing it. An earlier " +
          "page on which a plan could be bought is closed.",
      },
    },
  )
  .post(
    "/licence",
    (context) =>
      act(context, () => {
        const { world, caller, body } = context;
        enterLicence(world, caller, body.licence);
        return shown(world, caller);
      }),
    {
      body: Licence,
      response: { 200: Subscription },
      detail: { summary: "Put the team on the plan of a licence" },
    },
  )
  .post(
    "/portal",
    (context) =>
      actLater(context, async () => {
        const { world, caller, request } = context;
        return { url: await openPortal(world, caller, baseUrl(world, request)) };
      }),
    {
      response: { 200: PortalLink },
      detail: { summary: "The page of the payment provider on which a subscription is managed" },
    },
  );

/** Where people reach us: as configured, else as this request did. */
function baseUrl(world: World, request: Request): string {
  return world.publicUrl ?? new URL(request.url).origin;
}

function shown(world: World, { teamId }: Caller) {
  const view = subscriptionView(world, teamId);
  return present(Subscription, { ...view, status: view.state });
}
