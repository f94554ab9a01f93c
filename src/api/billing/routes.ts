/** `/billing`. */

import { resource } from "#api/context.ts";
import { act, actLater } from "#api/write.ts";
import {
  enterLicence,
  openPortal,
  subscribe,
  subscriptionView,
} from "#usecases/billing/billing.ts";
import type { World } from "#world.ts";
import {
  CheckoutLink,
  Licence,
  PortalLink,
  presentSubscription,
  Subscribe,
  Subscription,
} from "./schema.ts";

export const billingRoutes = resource("billing", "/billing")
  .get(
    "/subscription",
    ({ world, caller }) => presentSubscription(subscriptionView(world, caller.teamId)),
    {
      response: { 200: Subscription },
      detail: { summary: "The team's plan, and what it has used" },
    },
  )
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
        return presentSubscription(subscriptionView(world, caller.teamId));
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
