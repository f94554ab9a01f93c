/** What a campaign will send and when, and why it does not send now. */

import type { SendingStatus } from "#domain/campaigns/campaign.ts";
import { localDay } from "#domain/campaigns/local-day.ts";
import { found } from "#domain/problem.ts";
import { decide, type Reason } from "#domain/sending/plan-sends.ts";
import { DAY_MS, plus, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import type { Steps } from "#platform/side-thread.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import { accountsOf } from "#store/mailboxes/accounts.ts";
import { mayUse, planAccount, storeLedger } from "#store/sending/ledger.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { CampaignRow } from "#store/tables/campaigns.ts";
import { isSendable } from "#usecases/sending/claim-step.ts";
import { foretell } from "./foresight.ts";
import { type PlannedSend, project } from "./project.ts";
import { ensure } from "./projected-queues.ts";

/** How far the next send of a campaign or lead is looked for. */
export const HORIZON_DAYS = 7;
export const FORECAST_DAYS_MAX = 31;

export interface ForecastDay {
  /** Local date of the campaign. */
  date: string;
  newLeads: number;
  followUps: number;
}

export interface ForecastAccount {
  accountId: Id;
  /** One count for each day of the forecast. */
  sends: number[];
}

export interface Forecast {
  from: UnixMs;
  to: UnixMs;
  days: ForecastDay[];
  accounts: ForecastAccount[];
  total: number;
  /** The first of them, as many as were asked for. */
  sends: PlannedSend[];
}

export interface ForecastOptions {
  days: number;
  /** A draft, or one that is paused, taken as if it were started now. */
  asIfStarted: boolean;
  /** Emails that are listed one by one; all are counted. */
  listed: number;
}

/**
 * The emails of one campaign in the next `days` days, while the team's other campaigns go on too.
 * Throws as {@link foretell}.
 */
export function forecastCampaign(
  env: Environment,
  { id, teamId }: CampaignRow,
  { days, asIfStarted, listed }: ForecastOptions,
  signal?: AbortSignal,
): Promise<Forecast> {
  const about = { id, days, asIfStarted, listed };
  return foretell(env, { teamId, kind: "forecast", about, ask: forecastSteps, signal });
}

/** Throws `not_found`. */
export function* forecastSteps(
  env: Environment,
  { id, days, asIfStarted, listed }: ForecastOptions & { id: Id },
): Steps<Forecast> {
  const campaign = found(campaignById(env.db, id), "campaign");
  const from = env.clock.now();
  const to = plus(from, days * DAY_MS);
  const sends: PlannedSend[] = [];
  const tally = createTally(campaign.sendWindow.timezone, from, to);
  const isIdle = campaign.status === "draft" || campaign.status === "paused";
  const also = asIfStarted && isIdle ? campaign : undefined;
  for (const { send } of project(env, campaign.teamId, from, to, also)) {
    if (send?.campaignId === campaign.id) {
      tally.add(send);
      if (sends.length < listed) {
        sends.push(send);
      }
    }
    yield;
  }
  return { from, to, ...tally.result(), sends };
}

/** Counts by day and mailbox as the emails come; every day of the range is there, those without one too. */
function createTally(zone: string, from: UnixMs, to: UnixMs) {
  const days: ForecastDay[] = [];
  const places = new Map<string, number>();
  for (let at = from; at < to; at = localDay(zone, at).to) {
    const { date } = localDay(zone, at);
    places.set(date, days.length);
    days.push({ date, newLeads: 0, followUps: 0 });
  }
  const accounts = new Map<Id, number[]>();
  let total = 0;
  return {
    add: ({ accountId, at, isNew }: PlannedSend) => {
      total += 1;
      const place = places.get(localDay(zone, at).date) ?? -1;
      const day = days[place];
      const counts = ensure(accounts, accountId, () => days.map(() => 0));
      if (day !== undefined) {
        day[isNew ? "newLeads" : "followUps"] += 1;
        counts[place] = (counts[place] ?? 0) + 1;
      }
    },
    /** Mailboxes that write, busiest first; their counts stand under the days. */
    result: () => ({ days, accounts: busiestFirst(accounts), total }),
  };
}

function busiestFirst(accounts: ReadonlyMap<Id, number[]>): ForecastAccount[] {
  const total = (row: readonly number[]) => row.reduce((sum, value) => sum + value, 0);
  return [...accounts]
    .map(([accountId, sends]) => ({ accountId, sends }))
    .sort((a, b) => total(b.sends) - total(a.sends));
}

export interface Sending {
  status: SendingStatus;
  nextSendAt: UnixMs | null;
}

/** Whether a campaign is sending, and if not, what holds it. Throws as {@link foretell}. */
export function sendingStatus(
  env: Environment,
  campaign: CampaignRow,
  signal?: AbortSignal,
): Promise<Sending> {
  const resting = restingStatus(campaign);
  if (resting !== undefined) {
    return Promise.resolve(resting);
  }
  const { id, teamId } = campaign;
  return foretell(env, { teamId, kind: "status", about: { id }, ask: statusSteps, signal });
}

/** Of a campaign that sends nothing whatever the time is. */
function restingStatus({ status }: CampaignRow): Sending | undefined {
  if (status === "active") {
    return undefined;
  }
  if (status === "draft") {
    return { status, nextSendAt: null };
  }
  return { status: status === "completed" ? "nothing_due" : "paused", nextSendAt: null };
}

/** Throws `not_found`. */
export function* statusSteps(env: Environment, { id }: { id: Id }): Steps<Sending> {
  const campaign = found(campaignById(env.db, id), "campaign");
  const resting = restingStatus(campaign);
  if (resting !== undefined) {
    return resting;
  }
  const status = yield* blockingReasons(env, campaign);
  const nextSendAt = status === "no_active_account" ? null : yield* firstSend(env, campaign);
  return { status, nextSendAt };
}

/** In the order in which one that applies is named before another. */
const NAMED_FIRST: readonly SendingStatus[] = [
  "sending",
  "account_caps",
  "account_health",
  "sender_refused",
  "provider_cap",
  "provider_match",
  "campaign_limit",
  "domain_cap",
  "new_lead_cap",
  "risky_share",
  "waiting_for_experiment",
  "outside_window",
  "waiting_for_step_delay",
  "nothing_due",
];

const STATUS_OF: Readonly<Record<Reason, SendingStatus>> = {
  outside_window: "outside_window",
  new_lead_cap: "new_lead_cap",
  campaign_limit: "campaign_limit",
  domain_cap: "domain_cap",
  risky_share: "risky_share",
  account_caps: "account_caps",
  sender_refused: "sender_refused",
  provider_cap: "provider_cap",
  provider_match: "provider_match",
  pacing: "sending",
  waiting_for_step_delay: "waiting_for_step_delay",
  no_active_account: "no_active_account",
  health: "account_health",
  experiment: "waiting_for_experiment",
  nothing_due: "nothing_due",
};

/** Mailboxes that may send for it now. */
export function mailboxesOf(env: Environment, campaign: CampaignRow): AccountRow[] {
  return accountsOf(env.db, campaign.teamId).filter(
    (row) => mayUse(campaign, row.id) && isSendable(env, row),
  );
}

/** Of what holds the campaign on each of these of its mailboxes, what is named first. */
export function* blockingReasons(
  env: Environment,
  campaign: CampaignRow,
  usable: readonly AccountRow[] = mailboxesOf(env, campaign),
): Steps<SendingStatus> {
  const now = env.clock.now();
  const ledger = storeLedger(env.db, campaign.teamId);
  if (usable.length === 0) {
    return "no_active_account";
  }
  const statuses = new Set<SendingStatus>();
  for (const row of usable) {
    const decision = decide(ledger, planAccount(row, true), now);
    const status =
      decision.kind === "send"
        ? "sending"
        : STATUS_OF[decision.blocked().get(campaign.id)?.reason ?? "nothing_due"];
    if (status === NAMED_FIRST[0]) {
      return status;
    }
    statuses.add(status);
    yield;
  }
  const named: SendingStatus | undefined = NAMED_FIRST.find((status) => statuses.has(status));
  return named ?? "nothing_due";
}

function* firstSend(env: Environment, campaign: CampaignRow): Steps<UnixMs | null> {
  const from = env.clock.now();
  const horizon = plus(from, HORIZON_DAYS * DAY_MS);
  for (const { send } of project(env, campaign.teamId, from, horizon)) {
    if (send?.campaignId === campaign.id) {
      return send.at;
    }
    yield;
  }
  return null;
}
