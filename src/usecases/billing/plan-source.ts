/** Where a team's plan comes from: one row a team, replaced as a whole, with its entry in the audit log. */

import { putSubscription, subscriptionOf } from "#store/billing/billing.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { SubscriptionRow } from "#store/tables/billing.ts";
import { resumeWithinPlan } from "#usecases/campaigns/plan-pause.ts";
import { audit } from "#usecases/events/journal.ts";
import { billingNow, rememberTime } from "#usecases/events/limits.ts";
import type { Caller, World } from "#world.ts";

export type Change = Pick<SubscriptionRow, "plan" | "source" | "limits" | "endsAt" | "licenceId"> &
  Partial<Pick<SubscriptionRow, "stripeCustomer" | "stripeSubscription">>;

/**
 * The team's plan becomes this one, and what only its plan had stopped goes on. Runs inside a commit.
 * Whatever the source, the provider's names stay known: a subscription there may go on.
 */
export function putPlan(world: World, teamId: Id, change: Change): SubscriptionRow {
  const before = subscriptionOf(world.db, teamId);
  const now = billingNow(world);
  const row: SubscriptionRow = {
    stripeCustomer: before?.stripeCustomer ?? null,
    stripeSubscription: before?.stripeSubscription ?? null,
    ...change,
    id: teamId,
    startedAt: before?.plan === change.plan ? before.startedAt : now,
    updatedAt: now,
  };
  putSubscription(world.db, row);
  rememberTime(world);
  const caller: Caller = { teamId, actor: "billing", scopes: ["admin"] };
  audit(world, caller, {
    action: "billing.change",
    target: `team:${teamId}`,
    before: before === undefined ? {} : facts(before),
    after: facts(row),
  });
  resumeWithinPlan(world, teamId);
  return row;
}

function facts({ plan, source, endsAt, licenceId }: SubscriptionRow): Record<string, unknown> {
  return { plan, source, ends_at: endsAt, licence_id: licenceId };
}
