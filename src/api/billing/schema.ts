import { type Static, Type } from "@sinclair/typebox";
import { Documented, Nullable, OneOf, Shape, Text, Timestamp } from "#api/schema.ts";
import { SUBSCRIPTION_SOURCES, SUBSCRIPTION_STATES } from "#domain/billing/subscription.ts";
import { LIMITS, PAID_PLANS, PLANS } from "#domain/sending/plan.ts";
import { toIsoOrNull } from "#domain/time.ts";
import type { SubscriptionView } from "#usecases/billing/billing.ts";

export const Subscribe = Shape({
  plan: Documented(Type.String({ maxLength: 64 }), { enum: PAID_PLANS }),
});

const LICENCE_CHARS_MAX = 8_000;
export const Licence = Shape({
  licence: Text(LICENCE_CHARS_MAX, { description: 'As it was issued; it begins with "key/"' }),
});

const url = Type.String({ format: "uri", description: "Open it in a browser" });

export const CheckoutLink = Shape({ url });
export const PortalLink = Shape({ url });

const Used = Shape({
  used: Type.Integer({ minimum: 0 }),
  limit: Nullable(Type.Integer({ minimum: 0, description: "null: no limit" })),
});

export const Subscription = Shape({
  plan: OneOf(PLANS, { description: "Whose limits hold now" }),
  status: OneOf(SUBSCRIPTION_STATES, {
    description: "grace: it has run out, and goes on for 14 days; none: nothing was subscribed to",
  }),
  source: Nullable(OneOf(SUBSCRIPTION_SOURCES)),
  started_at: Nullable(Timestamp),
  ends_at: Nullable(Timestamp),
  grace_until: Nullable(Timestamp),
  month: Type.String({ pattern: "^\\d{4}-\\d{2}$", description: "Whose mails are counted, UTC" }),
  usage: Type.Object(Object.fromEntries(LIMITS.map((name) => [name, Used])), {
    additionalProperties: false,
    description: "mails and placement_runs are the month's, the others what there is now",
  }),
});

export function presentSubscription(view: SubscriptionView): Static<typeof Subscription> {
  return {
    plan: view.plan,
    status: view.state,
    source: view.source,
    started_at: toIsoOrNull(view.startedAt),
    ends_at: toIsoOrNull(view.endsAt),
    grace_until: toIsoOrNull(view.graceUntil),
    month: view.month,
    usage: view.usage,
  };
}
