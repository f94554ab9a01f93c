/** `/attention`: what waits for a person, of all resources in one response. */

import { Type } from "@sinclair/typebox";
import { presentSubscription, Subscription } from "#api/billing/routes.ts";
import { presentCampaign } from "#api/campaigns/routes.ts";
import { Campaign } from "#api/campaigns/schema.ts";
import { resource } from "#api/context.ts";
import { presentWebhook } from "#api/events/webhooks/routes.ts";
import { Webhook } from "#api/events/webhooks/schema.ts";
import { presentExperiment } from "#api/experiments/present.ts";
import { Experiment } from "#api/experiments/schema.ts";
import { presentDomain } from "#api/mailboxes/domain-routes.ts";
import { Domain } from "#api/mailboxes/domain-schema.ts";
import { presentAccount } from "#api/mailboxes/routes.ts";
import { Account } from "#api/mailboxes/schema.ts";
import { presentWorkspace, Workspace } from "#api/mailboxes/workspaces.ts";
import { Count, Described, IdOf, Nullable, Shape } from "#api/schema.ts";
import { isReady } from "#domain/mailboxes/account.ts";
import { permits, type ScopeResource } from "#domain/team/api-key.ts";
import { DAY_MS } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import { campaignsWaiting } from "#store/campaigns/campaigns.ts";
import { listWebhooks } from "#store/events/webhooks.ts";
import { listExperiments } from "#store/experiments/experiments.ts";
import { listThreads } from "#store/inbox/threads.ts";
import { listTasks } from "#store/leads/tasks.ts";
import { accountsOf } from "#store/mailboxes/accounts.ts";
import { domainsOf } from "#store/mailboxes/domains.ts";
import { workspacesOf } from "#store/mailboxes/workspaces.ts";
import { setupOf } from "#store/operations/setup.ts";

/** Records of each resource. */
const RECORDS_MAX = 100;
/** A winner that nobody has applied is news for this long after the newest result. */
const NEWS_MS = 7 * DAY_MS;
const PAGE = { limit: RECORDS_MAX, offset: 0 };
const ONE = { limit: 1, offset: 0 };

const Attention = Shape({
  accounts: Type.Array(Account, {
    description:
      "Accounts that don't send although nobody paused them, and those that a provider refuses",
  }),
  workspaces: Type.Array(Workspace, {
    description: "Workspaces whose consent is refused; their accounts wait, and aren't listed",
  }),
  campaigns: Type.Array(Campaign, {
    description: "Campaigns that were paused automatically, and those with leads on hold",
  }),
  domains: Type.Array(Domain, {
    description: "Sending domains with a check that passed once and fails now",
  }),
  webhooks: Type.Array(Webhook, {
    description: "Webhooks whose last attempts failed, and those turned off for it",
  }),
  experiments: Type.Array(Experiment, {
    description: "Experiments with a new winner that isn't applied to its step",
  }),
  subscription: Described(
    Nullable(Subscription),
    "The plan and its usage; null where the key may not read it",
  ),
  interested_threads: Count("Unread conversations whose interest is `interested`"),
  open_tasks: Count("Tasks that are not done"),
  setup: Described(
    Nullable(
      Shape({
        mailbox: Type.Boolean({ description: "Whether there is an account" }),
        leads: Type.Boolean({ description: "Whether there is a lead" }),
        sequence: Type.Boolean({ description: "Whether the latest campaign has a step" }),
        campaign_id: Nullable(IdOf("The latest campaign; null without one")),
      }),
    ),
    "What is there before a first campaign starts; null once one has",
  ),
});

export const attentionRoutes = resource("campaigns", "/attention").get(
  "",
  ({ env, caller }) => {
    const { db } = env;
    const { teamId, scopes } = caller;
    const may = <Value>(name: ScopeResource, read: () => Value, otherwise: Value): Value =>
      permits(scopes, name, "read") ? read() : otherwise;
    const interested = { unread: true, interest: "interested" } as const;
    return {
      accounts: may("accounts", () => accountsWaiting(env, caller), []),
      workspaces: may("accounts", () => workspacesRefused(env, caller), []),
      campaigns: campaignsWaiting(db, teamId, RECORDS_MAX).map(presentCampaign),
      domains: may("accounts", () => domainsBroken(env, caller), []),
      webhooks: may("webhooks", () => webhooksFailing(env, caller), []),
      experiments: may("experiments", () => winnersToApply(env, caller), []),
      subscription: may("billing", () => presentSubscription(env, caller), null),
      interested_threads: may("inbox", () => listThreads(db, teamId, interested, ONE).total, 0),
      open_tasks: may("leads", () => listTasks(db, teamId, { done: false }, ONE).total, 0),
      setup: setupOf(db, teamId),
    };
  },
  {
    response: { 200: Attention },
    detail: {
      summary: "Get what needs attention",
      description:
        "Returns what waits for a person: accounts, workspaces and webhooks that don't work, campaigns that were " +
        "paused or have leads on hold, winners to apply, unread interested replies, open tasks, and " +
        "the plan with its usage. Of each resource at most 100, and nothing of one that the key may " +
        "not read.",
    },
  },
);

function accountsWaiting(env: Environment, { teamId }: Caller) {
  return accountsOf(env.db, teamId)
    .filter((row) => {
      const { status, statusReason, refusals } = row;
      return status === "active"
        ? (!isReady(row, env.name) && row.notReadyReason !== "workspace") ||
            (refusals ?? []).some(({ until }) => until !== null)
        : status === "error" || (status === "paused" && statusReason !== "manual");
    })
    .slice(0, RECORDS_MAX)
    .map((row) => presentAccount(env, row));
}

function workspacesRefused(env: Environment, { teamId }: Caller) {
  return workspacesOf(env.db, teamId)
    .filter(({ lastError }) => lastError !== null)
    .map((row) => presentWorkspace(env, row));
}

function domainsBroken(env: Environment, { teamId }: Caller) {
  return domainsOf(env.db, teamId)
    .filter(({ watched }) => watched.broken.length > 0)
    .slice(0, RECORDS_MAX)
    .map((row) => presentDomain(env, row));
}

function webhooksFailing(env: Environment, caller: Caller) {
  return listWebhooks(env.db, caller.teamId, PAGE)
    .rows.filter(({ active, disabledReason, failures }) =>
      active ? failures > 0 : disabledReason !== null,
    )
    .map((row) => presentWebhook(env, caller, row));
}

function winnersToApply({ db }: Environment, { teamId }: Caller) {
  const completed = listExperiments(db, teamId, { status: "completed", offset: 0 });
  const newest = Math.max(0, ...completed.map(({ closedAt }) => closedAt ?? 0));
  return completed
    .filter(
      ({ closedAt, winnerVariantId, appliedAt }) =>
        (closedAt ?? 0) > newest - NEWS_MS && winnerVariantId !== null && appliedAt === null,
    )
    .slice(0, RECORDS_MAX)
    .map(presentExperiment);
}
