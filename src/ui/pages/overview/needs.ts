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
  health: "Its health has fallen: too much of its mail bounced or was complained of",
  auth: "Its mail server refuses the login",
  smtp_errors: "Its mail server has failed several times in a row",
};

async function accounts(): Promise<Need[]> {
  const { data } = await api().listAccounts();
  return data.flatMap((account): Need[] => {
    const { id, email, status, status_reason, ready, last_error } = account;
    const isIll = status === "error" || (status === "paused" && status_reason !== "manual");
    if (!isIll && (ready || status !== "active")) {
      return refusedNeed(account);
    }
    const reason = ACCOUNT_REASONS[status_reason ?? ""] ?? "It cannot send yet";
    return [
      {
        id,
        about: "account",
        tone: isIll ? "bad" : "warn",
        title: `${email} does not send`,
        detail: last_error === null ? `${reason}.` : `${reason}: ${last_error}`,
        page: `accounts/${id}`,
        look: "Look at it",
        ...(status === "paused"
          ? {
              remedy: {
                name: "Resume",
                question: `${reason}. Resumed, ${email} sends again at once.`,
                done: `${email} sends again`,
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
  const title = `${email} is refused as a sender`;
  return [
    { id, about: "account", tone, title, detail, page: `accounts/${id}`, look: "Look at it" },
  ];
}

const CAMPAIGN_REASONS: Readonly<Record<string, string>> = {
  bounce_rate: "Its guard stopped it: too many mails bounced",
  complaint_rate: "Its guard stopped it: too many people complained",
  plan_limit: "The plan has no room for it",
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
          question: `${reason}. Resumed, ${name} sends again, and its guard counts anew.`,
          done: `${name} goes on`,
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
        title: `${new URL(url).host} does not take events`,
        detail: isOff
          ? "It failed for so long that it was turned off."
          : `${plural(failures, "delivery", "deliveries")} in a row have failed; they are tried again.`,
        page: `developers/webhooks/${id}`,
        look: "Look at it",
        ...(isOff
          ? {
              remedy: {
                name: "Turn on",
                question: null,
                done: "Events are sent there again",
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
    .flatMap((campaign) => holdNeeds(campaign, `of ${campaign.name} `))
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
              title: `${words(what)}: ${count(used)} of ${count(limit)} of the plan are used`,
              detail: `${percent(used / Math.max(1, limit))} of what the ${words(name)} plan has.`,
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
          title: `${plural(total, "interested reply", "interested replies")} not read yet`,
          detail: "Who answers within the hour is answered back most often.",
          page: "inbox?show=interested",
          look: "Read",
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
          detail: "The leads wait until they are done.",
          page: "tasks",
          look: "Do them",
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
          detail: "Its words are not in the step yet.",
          page: `experiments/${id}`,
          look: "See the result",
          remedy: {
            name: "Use the winner",
            question: "The step gets the winner's words. Mails that are still to come use them.",
            done: "The winner's words are in the step",
            run: () => api().applyExperimentWinner({ id }),
          },
        },
      ];
    },
  );
}
