/** What needs somebody: gathered from what each part of the API says of itself. */

import type { Account } from "#client.ts";
import { api } from "../../lib/api.ts";
import { count, percent, plural, words } from "../../lib/format.ts";
import { can } from "../../lib/session.ts";
import { refusedOf } from "../accounts/words.ts";
import { holdNeeds } from "../campaigns/on-hold.tsx";
import type { Need } from "./need-list.tsx";

/** Campaigns that are looked at for leads on hold. */
const CAMPAIGNS_MAX = 100;
const PLAN_SHARE = 0.9;
const NEWS_MS = 7 * 86_400_000;

/** The most urgent first. What the role may not read is left out. */
export async function loadNeeds(): Promise<Need[]> {
  const parts = [
    accounts(),
    campaigns(),
    webhooks(),
    holds(),
    can("billing:read") ? plan() : [],
    replies(),
    tasks(),
    experiments(),
  ];
  return (await Promise.all(parts)).flat();
}

const ACCOUNT_REASONS: Readonly<Record<string, string>> = {
  health: "Low health: too many of its emails failed, bounced, or drew complaints",
  auth: "Its mail server rejects the login",
  smtp_errors: "Its mail server failed several times in a row",
};

async function accounts(): Promise<Need[]> {
  const { data } = await api().listAccounts();
  return data.flatMap((account): Need[] => {
    const { id, email, status, status_reason, ready, last_error } = account;
    const needsAttention =
      status === "error" || (status === "paused" && status_reason !== "manual");
    if (!needsAttention && (ready || status !== "active")) {
      return refusedNeed(account);
    }
    const reason = ACCOUNT_REASONS[status_reason ?? ""] ?? "It isn’t ready to send yet";
    return [
      {
        id,
        about: "account",
        tone: needsAttention ? "bad" : "warn",
        title: `${email} isn’t sending`,
        detail: last_error === null ? `${reason}.` : `${reason}: ${last_error}`,
        page: `accounts/${id}`,
        look: "Look at it",
        ...(status === "paused"
          ? {
              remedy: {
                name: "Resume",
                question: `${reason}. If you resume it, ${email} starts sending again right away.`,
                done: `${email} resumed`,
                run: () => api().patchAccount({ id, body: { status: "active" } }),
              },
            }
          : {}),
      },
    ];
  });
}

/** It sends, though not to everybody. */
function refusedNeed(account: Account): Need[] {
  const refused = refusedOf(account);
  if (refused === null) {
    return [];
  }
  const { id, email } = account;
  const { tone, text: detail } = refused;
  const title = `Some recipients’ providers refuse ${email}`;
  return [
    { id, about: "account", tone, title, detail, page: `accounts/${id}`, look: "Look at it" },
  ];
}

const CAMPAIGN_REASONS: Readonly<Record<string, string>> = {
  bounce_rate: "Paused automatically because too many emails bounced",
  complaint_rate: "Paused automatically because of too many complaints",
  plan_limit: "Your plan’s limit is reached",
};

async function campaigns(): Promise<Need[]> {
  const { data } = await api().listCampaigns({ status: "paused", limit: 100 });
  return data.flatMap(({ id, name, status_reason }): Need[] => {
    const reason = CAMPAIGN_REASONS[status_reason ?? ""];
    if (reason === undefined) {
      return [];
    }
    return [
      {
        id,
        about: "campaign",
        tone: "bad",
        title: `${name} is paused`,
        detail: `${reason}.`,
        page: `campaigns/${id}`,
        look: "Look at it",
        remedy: {
          name: "Resume",
          question: `${reason}. If you resume it, ${name} sends again and its bounce and complaint rates are counted from zero.`,
          done: `${name} resumed`,
          run: () => api().resumeCampaign({ id }),
        },
      },
    ];
  });
}

async function webhooks(): Promise<Need[]> {
  const { data } = await api().listWebhooks({ limit: 100 });
  return data.flatMap((webhook): Need[] => {
    const { id, url, active, disabled_reason, consecutive_failures: failures } = webhook;
    const isOff = !active && disabled_reason !== null;
    if (!isOff && failures === 0) {
      return [];
    }
    return [
      {
        id,
        about: "webhook",
        tone: isOff ? "bad" : "warn",
        title: `${new URL(url).host} isn’t accepting events`,
        detail: isOff
          ? "It failed for so long that Outrider turned it off."
          : `${plural(failures, "attempt")} failed in a row. Outrider keeps retrying.`,
        page: `developers/webhooks/${id}`,
        look: "Look at it",
        ...(isOff
          ? {
              remedy: {
                name: "Turn on webhook",
                question: null,
                done: "Webhook turned on",
                run: () => api().patchWebhook({ id, body: { active: true } }),
              },
            }
          : {}),
      },
    ];
  });
}

/** Leads that wait for a person; tasks are counted by themselves. */
async function holds(): Promise<Need[]> {
  const { data } = await api().listCampaigns({ limit: CAMPAIGNS_MAX });
  return data
    .filter(({ status }) => status !== "archived")
    .flatMap((campaign) => holdNeeds(campaign, `in ${campaign.name} `))
    .filter(({ about }) => about !== "task");
}

async function plan(): Promise<Need[]> {
  const { plan: name, usage } = await api().getBillingSubscription();
  return Object.entries(usage as Record<string, { used: number; limit: number | null }>).flatMap(
    ([what, { used, limit }]): Need[] =>
      limit === null || used < limit * PLAN_SHARE
        ? []
        : [
            {
              id: `plan-${what}`,
              about: "plan",
              tone: used >= limit ? "bad" : "warn",
              title: `${words(what)}: ${count(used)} of ${count(limit)} used`,
              detail: `${percent(used / Math.max(1, limit))} of the ${words(name)} plan’s limit.`,
              page: "settings/billing",
              look: "See plans",
            },
          ],
  );
}

async function replies(): Promise<Need[]> {
  const { total } = await api().listInboxThreads({
    unread: true,
    interest: "interested",
    limit: 1,
  });
  return total === 0
    ? []
    : [
        {
          id: "replies",
          about: "reply",
          tone: "good",
          title: plural(total, "unread interested reply", "unread interested replies"),
          detail: "Reply while they’re still interested.",
          page: "inbox?show=interested",
          look: "Read replies",
        },
      ];
}

async function tasks(): Promise<Need[]> {
  const { total } = await api().listTasks({ done: false, limit: 1 });
  return total === 0
    ? []
    : [
        {
          id: "tasks",
          about: "task",
          tone: "warn",
          title: `${plural(total, "task")} to do`,
          detail: "Leads wait until their tasks are done or skipped.",
          page: "tasks",
          look: "View tasks",
        },
      ];
}

/** Experiments that have ended lately. */
async function experiments(): Promise<Need[]> {
  const all = await api().listExperiments({ status: "completed" });
  const newest = Math.max(...all.map(({ completed_at }) => Date.parse(completed_at ?? "")), 0);
  return all.flatMap(
    ({ id, name, completed_at, winner_variant_id: winner, winner_applied_at }): Need[] => {
      const isNews = Date.parse(completed_at ?? "") > newest - NEWS_MS;
      if (!isNews || winner === null || winner_applied_at !== null) {
        return [];
      }
      return [
        {
          id,
          about: "experiment",
          tone: "brand",
          title: `${name} has a winner`,
          detail: "The step doesn’t use the winner yet.",
          page: `experiments/${id}`,
          look: "View results",
          remedy: {
            name: "Apply winner",
            question:
              "The winner’s content is written into the step. Emails sent from now on use it.",
            done: "The step now uses the winner",
            run: () => api().applyExperimentWinner({ id }),
          },
        },
      ];
    },
  );
}
