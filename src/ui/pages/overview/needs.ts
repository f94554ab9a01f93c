/** What needs somebody, in words, and what can be done about it. */

import type { Account, Attention } from "#client.ts";
import { api } from "../../lib/api.ts";
import { count, percent, plural, words } from "../../lib/format.ts";
import { refusedOf } from "../accounts/words.ts";
import { holdNeeds } from "../campaigns/on-hold.tsx";
import { PAUSE_REASONS } from "../campaigns/words.ts";
import type { Need } from "./need-list.tsx";

const PLAN_SHARE = 0.9;

export interface Waiting {
  setup: Attention["setup"];
  needs: Need[];
}

/** The most urgent first. What the role may not read is left out. */
export async function loadNeeds(): Promise<Waiting> {
  const all = await api().getAttention();
  const needs = [
    ...all.accounts.flatMap(accountNeeds),
    ...all.domains.map(domainNeed),
    ...all.campaigns.flatMap(pauseNeeds),
    ...all.webhooks.map(webhookNeed),
    ...all.campaigns.flatMap(leadNeeds),
    ...planNeeds(all.subscription),
    ...replyNeeds(all.interested_threads),
    ...taskNeeds(all.open_tasks),
    ...all.experiments.map(winnerNeed),
  ];
  return { setup: all.setup, needs };
}

const ACCOUNT_REASONS: Readonly<Record<string, string>> = {
  health: "Low health: too many of its emails failed, bounced, or drew complaints",
  auth: "Its mail server rejects the login",
  smtp_errors: "Its mail server failed several times in a row",
};

function accountNeeds(account: Account): Need[] {
  const { id, email, status, status_reason, ready, last_error } = account;
  if (status === "active" && ready) {
    return refusedNeed(account);
  }
  const reason = ACCOUNT_REASONS[status_reason ?? ""] ?? "It isn’t ready to send yet";
  return [
    {
      id,
      about: "account",
      tone: status === "active" ? "warn" : "bad",
      title: `${email} isn’t sending`,
      detail: last_error === null ? `${reason}.` : `${reason}: ${last_error}`,
      page: `accounts/${id}`,
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
  return [{ id, about: "account", tone, title, detail, page: `accounts/${id}` }];
}

function domainNeed({ domain, broken }: Attention["domains"][number]): Need {
  return {
    id: domain,
    about: "account",
    tone: "bad",
    title: `${domain} needs attention`,
    detail: `${broken[0]?.message}`,
    page: `domains/${domain}`,
  };
}

function pauseNeeds({ id, name, status, status_reason }: Attention["campaigns"][number]): Need[] {
  if (status !== "paused" || status_reason === null || status_reason === "manual") {
    return [];
  }
  return [
    {
      id,
      about: "campaign",
      tone: "bad",
      title: `${name} is paused`,
      detail: `${PAUSE_REASONS[status_reason]}.`,
      page: `campaigns/${id}`,
      remedy: {
        name: "Resume",
        question: `${PAUSE_REASONS[status_reason]}. If you resume it, ${name} sends again and its bounce and complaint rates are counted from zero.`,
        done: `${name} resumed`,
        run: () => api().resumeCampaign({ id }),
      },
    },
  ];
}

function webhookNeed(webhook: Attention["webhooks"][number]): Need {
  const { id, url, active, consecutive_failures: failures } = webhook;
  return {
    id,
    about: "webhook",
    tone: active ? "warn" : "bad",
    title: `${new URL(url).host} isn’t accepting events`,
    detail: active
      ? `${plural(failures, "attempt")} failed in a row. Outrider keeps retrying.`
      : "It failed for so long that Outrider turned it off.",
    page: `developers/webhooks/${id}`,
    ...(active
      ? {}
      : {
          remedy: {
            name: "Turn on webhook",
            question: null,
            done: "Webhook turned on",
            run: () => api().patchWebhook({ id, body: { active: true } }),
          },
        }),
  };
}

/** Leads that wait for a person; tasks are counted by themselves. */
function leadNeeds(campaign: Attention["campaigns"][number]): Need[] {
  return holdNeeds(campaign, `in ${campaign.name} `).filter(({ about }) => about !== "task");
}

function planNeeds(subscription: Attention["subscription"]): Need[] {
  if (subscription === null) {
    return [];
  }
  const { plan: name, usage } = subscription;
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

function replyNeeds(total: number): Need[] {
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

function taskNeeds(total: number): Need[] {
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

function winnerNeed({ id, name }: Attention["experiments"][number]): Need {
  return {
    id,
    about: "experiment",
    tone: "brand",
    title: `${name} has a winner`,
    detail: "The step doesn’t use the winner yet.",
    page: `experiments/${id}`,
    look: "View results",
    remedy: {
      name: "Apply winner",
      question: "The winner’s content is written into the step. Emails sent from now on use it.",
      done: "The step now uses the winner",
      run: () => api().applyExperimentWinner({ id }),
    },
  };
}
