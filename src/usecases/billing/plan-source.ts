/** Where a team's plan comes from: one row a team, replaced as a whole, with its entry in the audit log. */

import type { Caller, Environment } from "#environment.ts";
import { putSubscription, subscriptionOf } from "#store/billing/billing.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { SubscriptionRow } from "#store/tables/billing.ts";
import { resumeWithinPlan } from "#usecases/campaigns/plan-pause.ts";
import { billingNow, rememberTime } from "#usecases/events/limits.ts";
import { audit } from "#usecases/events/record.ts";

export type Change = Pick<SubscriptionRow, "plan" | "source" | "limits" | "endsAt" | "licenceId"> &
  Partial<Pick<SubscriptionRow, "stripeCustomer" | "stripeSubscription">>;

/**
 * The team's plan becomes this one, and what only its plan had stopped goes on. Runs inside a commit.
 * Whatever the source, the provider's names stay known: a subscription there may go on.
 */
export function putPlan(env: Environment, teamId: Id, change: Change): SubscriptionRow {
  const before = subscriptionOf(env.db, teamId);
  const now = billingNow(env);
  const row: SubscriptionRow = {
    stripeCustomer: before?.stripeCustomer ?? null,
    stripeSubscription: before?.stripeSubscription ?? null,
    ...change,
    id: teamId,
    startedAt: before?.plan === change.plan ? before.startedAt : now,
    updatedAt: now,
  };
  putSubscription(env.db, row);
  rememberTime(env);
  const caller: Caller = { teamId, actor: "billing", scopes: ["admin"] };
  audit(env, caller, {
    action: "billing.change",
    target: `team:${teamId}`,
    before: before === undefined ? {} : facts(before),
    after: facts(row),
  });
  resumeWithinPlan(env, teamId);
  return row;
}

function facts({ plan, source, endsAt, licenceId }: SubscriptionRow): Record<string, unknown> {
  return { plan, source, ends_at: endsAt, licence_id: licenceId };
}
