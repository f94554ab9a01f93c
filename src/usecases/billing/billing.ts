/**
 * Subscriptions: asked for over the API, bought on a page, written down here. With local billing the page
 * is ours and so is the word of whoever has its link; with a payment provider only the provider's own
 * record counts, looked up each time that it says something has changed.
 */

import { readCheckoutToken } from "#billing/local.ts";
import { type Licence, readLicence, splitLicenceKey } from "#domain/billing/licence.ts";
import {
  GRACE_MS,
  type SubscriptionSource,
  type SubscriptionState,
  stateAt,
} from "#domain/billing/subscription.ts";
import { conflict, found, invalid } from "#domain/problem.ts";
import { type Limit, type PaidPlan, type Plan, readPaidPlan } from "#domain/sending/plan.ts";
import { ENVS } from "#domain/team/api-key.ts";
import { DAY_MS, plus, toIso, type UnixMs } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import type { PlanChange } from "#platform/ports/billing.ts";
import { inTurn } from "#platform/queues.ts";
import { verifySignature } from "#platform/secrets/crypto.ts";
import {
  checkoutById,
  insertCheckout,
  isLicenceTaken,
  pruneCheckouts,
  subscriptionOf,
  updateCheckout,
} from "#store/billing/billing.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { CheckoutRow, SubscriptionRow } from "#store/tables/billing.ts";
import { findTeam } from "#store/team/teams.ts";
import {
  allowanceOf,
  billingNow,
  monthOf,
  type Usage,
  usageOfAll,
} from "#usecases/events/limits.ts";
import { audit } from "#usecases/events/record.ts";
import { putPlan } from "./plan-source.ts";
import { answered, runningOf } from "./remote-billing.ts";

/** How long a checkout page can be used. */
export const CHECKOUT_MS = DAY_MS;
/** How long one is remembered after that. */
const CHECKOUTS_KEPT_MS = 7 * DAY_MS;

/**
 * The address of the page on which `plan` is bought, or on which the subscription that there is changes to
 * it. Throws `validation_error` for a word that is no plan, `conflict` for the plan that the team has,
 * `upstream_error` where the provider does not answer.
 */
export function subscribe(
  env: Environment,
  caller: Caller,
  word: string,
  baseUrl: string,
): Promise<string> {
  const plan = readPaidPlan(word);
  refuseSame(env, caller.teamId, plan);
  return inTurn(caller.teamId, async () => {
    const running = await runningOf(env, caller.teamId);
    refuseSame(env, caller.teamId, plan);
    return running === undefined
      ? await buy(env, caller, plan, baseUrl)
      : await change(env, caller, { subscription: running, plan, baseUrl });
  });
}

function refuseSame(env: Environment, teamId: Id, plan: PaidPlan): void {
  const row = subscriptionOf(env.db, teamId) ?? null;
  if (row?.plan === plan && stateAt(row, billingNow(env)) === "active") {
    throw conflict(`the plan "${plan}" is already active`, "plan");
  }
}

async function buy(
  env: Environment,
  caller: Caller,
  plan: PaidPlan,
  baseUrl: string,
): Promise<string> {
  const { teamId } = caller;
  const checkout = await env.commit(() => openCheckout(env, caller, plan));
  const customer = subscriptionOf(env.db, teamId)?.stripeCustomer ?? null;
  const order = { checkoutId: checkout.id, teamId, plan, customer, baseUrl };
  const { url, session } = answered(env, await env.billing.startCheckout(order));
  if (session !== null) {
    await env.commit(() => updateCheckout(env.db, { ...checkout, session }));
  }
  return url;
}

/** A subscription that Stripe cannot change as it is, for want of a payment or else, is managed first. */
async function change(env: Environment, caller: Caller, wanted: PlanChange): Promise<string> {
  const { subscription, plan, baseUrl } = wanted;
  const row = subscriptionOf(env.db, caller.teamId) ?? null;
  if (row?.source === "licence" && stateAt(row, billingNow(env)) === "active") {
    throw conflict(
      "the plan comes from a license, and the paid subscription is still running; " +
        "use POST /billing/portal to change or cancel it",
      "plan",
    );
  }
  await env.commit(() => auditSubscribe(env, caller, plan));
  if (subscription.state === "active") {
    const started = await env.billing.startChange(wanted);
    if (started.kind === "ok") {
      return started.value;
    }
    env.log.warn("the payment provider does not change a subscription", {
      ...{ subscription: subscription.id, cause: started.reason },
    });
  }
  return answered(env, await env.billing.openPortal(subscription.customer, baseUrl));
}

/** The address of the page on which the subscription is managed. */
export async function openPortal(
  env: Environment,
  caller: Caller,
  baseUrl: string,
): Promise<string> {
  const customer = subscriptionOf(env.db, caller.teamId)?.stripeCustomer;
  if (env.billing.kind === "local") {
    throw conflict(
      "this installation has no payment provider; change the plan with POST /billing/subscribe",
    );
  }
  if (customer === null || customer === undefined) {
    throw conflict("the team has no subscription yet; start one with POST /billing/subscribe");
  }
  return answered(env, await env.billing.openPortal(customer, baseUrl));
}

/** The team's subscription as it stands, with what its plan allows and what is used of it. */
export interface SubscriptionView {
  plan: Plan;
  state: SubscriptionState;
  source: SubscriptionSource | null;
  startedAt: UnixMs | null;
  endsAt: UnixMs | null;
  graceUntil: UnixMs | null;
  month: string;
  usage: Record<Limit, Usage>;
}

export function subscriptionView(env: Environment, teamId: Id): SubscriptionView {
  const row = subscriptionOf(env.db, teamId) ?? null;
  const endsAt = row?.endsAt ?? null;
  return {
    plan: allowanceOf(env, teamId).plan,
    state: stateAt(row, billingNow(env)),
    source: row?.source ?? null,
    startedAt: row?.startedAt ?? null,
    endsAt,
    graceUntil: endsAt === null ? null : plus(endsAt, GRACE_MS),
    month: monthOf(env.clock.now()).month,
    usage: usageOfAll(env, teamId),
  };
}

function openCheckout(env: Environment, caller: Caller, plan: PaidPlan): CheckoutRow {
  const now = billingNow(env);
  const row: CheckoutRow = {
    id: env.ids.next(now),
    teamId: caller.teamId,
    plan,
    createdAt: now,
    expiresAt: plus(now, CHECKOUT_MS),
    usedAt: null,
    session: null,
  };
  insertCheckout(env.db, row);
  auditSubscribe(env, caller, plan);
  return row;
}

function auditSubscribe(env: Environment, caller: Caller, plan: PaidPlan): void {
  audit(env, caller, {
    action: "billing.subscribe",
    target: `team:${caller.teamId}`,
    after: { plan },
  });
}

/** A checkout page as its visitor finds it. */
export interface OpenCheckout {
  env: Environment;
  checkout: CheckoutRow;
  teamName: string;
  /** Why it can no longer be used. */
  spent: "used" | "expired" | null;
}

/** What a link names, in whichever environment; null where it was not signed here. */
export function findCheckout(
  environments: { live: Environment; test: Environment },
  token: string,
): OpenCheckout | null {
  for (const envName of ENVS) {
    const env = environments[envName];
    const id = readCheckoutToken(envName, env.vault, token);
    const checkout = id === null ? undefined : checkoutById(env.db, id);
    if (checkout !== undefined) {
      const teamName = findTeam(env.db, checkout.teamId)?.name ?? "";
      return { env, checkout, teamName, spent: spentOf(env, checkout) };
    }
  }
  return null;
}

function spentOf(env: Environment, checkout: CheckoutRow): OpenCheckout["spent"] {
  if (checkout.usedAt !== null) {
    return "used";
  }
  return billingNow(env) >= checkout.expiresAt ? "expired" : null;
}

/** The plan of the page becomes the team's, once. Runs inside a commit. */
export function confirmCheckout(env: Environment, checkoutId: Id): SubscriptionRow {
  const checkout = takeCheckout(env, checkoutId);
  return putPlan(env, checkout.teamId, {
    plan: checkout.plan,
    source: "local",
    limits: null,
    endsAt: null,
    licenceId: null,
  });
}

/** The plan of a pasted licence becomes the team's; the page is used up. Runs inside a commit. */
export function confirmByLicence(
  env: Environment,
  checkoutId: Id,
  pasted: string,
): SubscriptionRow {
  const before = found(checkoutById(env.db, checkoutId), "checkout");
  const licence = checkLicence(env, before.teamId, pasted);
  takeCheckout(env, checkoutId);
  return useLicence(env, before.teamId, licence);
}

/** A licence added by the operator. Runs inside a commit. Throws as {@link checkLicence} does. */
export function addLicence(env: Environment, teamId: Id, pasted: string): SubscriptionRow {
  return useLicence(env, teamId, checkLicence(env, teamId, pasted));
}

/** The same by somebody of the team. */
export function enterLicence(env: Environment, caller: Caller, pasted: string): void {
  const { licenceId } = addLicence(env, caller.teamId, pasted);
  audit(env, caller, {
    action: "billing.licence",
    target: `team:${caller.teamId}`,
    after: { licence_id: licenceId },
  });
}

function takeCheckout(env: Environment, id: Id): CheckoutRow {
  const checkout = found(checkoutById(env.db, id), "checkout");
  const spent = spentOf(env, checkout);
  if (spent !== null) {
    throw conflict(spent === "used" ? "this page has been used" : "this page has expired");
  }
  updateCheckout(env.db, { ...checkout, usedAt: billingNow(env) });
  return checkout;
}

/**
 * The licence in a pasted text. Throws `validation_error` on `licence` saying why it is refused: no
 * licence, not signed by a key that this installation trusts, another team's, not begun, run out.
 */
export function checkLicence(env: Environment, teamId: Id, pasted: string): Licence {
  const parts = splitLicenceKey(pasted);
  if (parts === null) {
    throw invalid(
      "licence",
      `isn't a license key; paste the whole key, which starts with "key/" and contains a dot`,
    );
  }
  if (env.licenceKeys.length === 0) {
    throw invalid("licence", "can't be verified because license_keys isn't set on this server");
  }
  const isSigned = env.licenceKeys.some((key) =>
    verifySignature(key, parts.signed, parts.signature),
  );
  const licence = isSigned
    ? readLicence(Buffer.from(parts.payload, "base64url").toString("utf8"))
    : null;
  if (licence === null) {
    throw invalid("licence", "isn't signed by a key in this server's license_keys");
  }
  const now = billingNow(env);
  if (licence.team !== null && licence.team !== teamId) {
    throw invalid("licence", "was issued to another team");
  }
  if (isLicenceTaken(env.db, licence.id, teamId)) {
    throw invalid("licence", "is already used by another team");
  }
  if (now < licence.startsAt) {
    throw invalid("licence", `does not start before ${toIso(licence.startsAt)}`);
  }
  if (now >= licence.endsAt) {
    throw invalid("licence", `expired on ${toIso(licence.endsAt)}`);
  }
  return licence;
}

function useLicence(env: Environment, teamId: Id, licence: Licence): SubscriptionRow {
  const { plan, limits, endsAt } = licence;
  return putPlan(env, teamId, { plan, limits, endsAt, source: "licence", licenceId: licence.id });
}

/** Upkeep, inside a commit. */
export function forgetCheckouts(env: Environment): void {
  pruneCheckouts(env.db, plus(env.wall.now(), -CHECKOUTS_KEPT_MS));
}
