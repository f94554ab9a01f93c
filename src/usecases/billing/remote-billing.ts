/**
 * What the payment provider has for a team, looked up and written down. Nothing is taken from what the
 * provider tells but whose turn it is: all look-ups of a team follow one another, and what a look-up finds
 * is stored before the next one begins, so the plan is always that of the last state that was seen.
 */

import {
  type PaidPurchase,
  runningPurchase,
  standingPurchase,
  stateAt,
} from "#domain/billing/subscription.ts";
import { Problem } from "#domain/problem.ts";
import type { UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import type { BillingOutcome, RemoteSubscription } from "#platform/ports/billing.ts";
import { inTurn } from "#platform/queues.ts";
import { checkoutsAtProvider, subscriptionOf, updateCheckout } from "#store/billing/billing.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { SubscriptionRow } from "#store/tables/billing.ts";
import { findTeam } from "#store/team/teams.ts";
import { billingNow } from "#usecases/events/limits.ts";
import { putPlan } from "./plan-source.ts";

/**
 * Brings the team of a subscription up to date. One that is unknown, or no team's, changes nothing.
 * Throws `upstream_error` where the provider does not answer, `unavailable` where too many wait.
 */
export async function followSubscription(env: Environment, id: string): Promise<void> {
  const payer = answered(env, await env.billing.findPayer(id));
  if (payer !== null && findTeam(env.db, payer.teamId) !== undefined) {
    const { teamId, customer } = payer;
    await inTurn(teamId, () => lookUp(env, teamId, customer));
  }
}

/**
 * The subscription that goes on at the provider, if there is one. Pages on which another could be bought
 * are closed before. To be called in the team's turn. Throws `upstream_error`.
 */
export async function runningOf(
  env: Environment,
  teamId: Id,
): Promise<RemoteSubscription | undefined> {
  let customer = subscriptionOf(env.db, teamId)?.stripeCustomer ?? null;
  const closed = checkoutsAtProvider(env.db, teamId);
  for (const { session } of closed) {
    const closing = session === null ? null : await env.billing.closeCheckout(session);
    customer = (closing && answered(env, closing)) ?? customer;
  }
  const all = customer === null ? [] : await lookUp(env, teamId, customer);
  if (closed.length > 0) {
    const usedAt = billingNow(env);
    await env.commit(() => {
      for (const checkout of closed) {
        updateCheckout(env.db, { ...checkout, usedAt });
      }
    });
  }
  return runningPurchase(all);
}

/** The value, or an `upstream_error` with the reason in the log. */
export function answered<Value>(env: Environment, outcome: BillingOutcome<Value>): Value {
  if (outcome.kind === "ok") {
    return outcome.value;
  }
  env.log.warn("the payment provider failed", { cause: outcome.reason });
  throw new Problem(
    "upstream_error",
    "the payment provider refused the request, so nothing has changed; try again later",
  );
}

/** All that the team has there: of this customer, and of the one who paid last. */
async function lookUp(
  env: Environment,
  teamId: Id,
  customer: string,
): Promise<RemoteSubscription[]> {
  const known = subscriptionOf(env.db, teamId)?.stripeCustomer ?? customer;
  const all: RemoteSubscription[] = [];
  for (const each of new Set([known, customer])) {
    const payer = { customer: each, teamId };
    all.push(...answered(env, await env.billing.findSubscriptions(payer)));
  }
  await env.commit(() => writeDown(env, teamId, all));
  return all;
}

function writeDown(env: Environment, teamId: Id, all: readonly RemoteSubscription[]): void {
  const active = all.filter(({ state }) => state === "active");
  if (active.length > 1) {
    const subscriptions = active.map(({ id }) => id).join(", ");
    env.log.warn("a team pays for more than one subscription", { team: teamId, subscriptions });
  }
  const standing = standingPurchase(all);
  const before = subscriptionOf(env.db, teamId);
  if (standing === undefined || !mayReplace(before, standing, billingNow(env))) {
    return;
  }
  const found = {
    plan: standing.paid.plan,
    source: "stripe",
    limits: null,
    endsAt: standing.paid.until,
    licenceId: null,
    stripeCustomer: standing.customer,
    stripeSubscription: standing.id,
  } as const;
  const names = Object.keys(found) as (keyof typeof found)[];
  if (names.some((name) => before?.[name] !== found[name])) {
    putPlan(env, teamId, found);
  }
}

/**
 * Another source gives way to what is paid at present, but a licence that holds not to the subscription
 * that the team had when it was entered.
 */
function mayReplace(
  before: SubscriptionRow | undefined,
  standing: PaidPurchase<RemoteSubscription>,
  now: UnixMs,
): boolean {
  if (before === undefined || before.source === "stripe") {
    return true;
  }
  const isNewer = before.source !== "licence" || before.stripeSubscription !== standing.id;
  return now < standing.paid.until && (isNewer || stateAt(before, now) !== "active");
}
