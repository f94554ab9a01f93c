/** What a campaign will send and when, why it does not send now, and when a lead's turn comes. */

import { AHEAD_COUNTED_MAX, SENDING_STATUSES, type SendingStatus } from "#domain/campaign.ts";
import { isOpen } from "#domain/enrollment.ts";
import { localDay } from "#domain/local-day.ts";
import { decide, type Reason } from "#domain/plan-sends.ts";
import { DAY_MS, plus, type UnixMs } from "#domain/time.ts";
import { nextOpening, openMs } from "#domain/window.ts";
import { accountsOf } from "#store/accounts.ts";
import { campaignById } from "#store/campaigns.ts";
import type { Id } from "#store/columns.ts";
import { readTogether } from "#store/commit.ts";
import { countAhead, mayUse, planAccount, storeLedger } from "#store/ledger.ts";
import type { CampaignRow } from "#store/tables/campaigns.ts";
import type { EnrollmentRow } from "#store/tables/leads.ts";
import type { World } from "#world.ts";
import { isSendable } from "./outbox.ts";
import { type PlannedSend, project } from "./project.ts";

/** How far the next send of a campaign or lead is looked for. */
const HORIZON_DAYS = 7;
/** Mails of the team that are gone through to find that of one lead; what comes later is estimated. */
const EXPLAINED_SENDS_MAX = 500;
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
  sends: PlannedSend[];
}

/**
 * The mails of one campaign in the next `days` days, while the team's other campaigns go on too.
 * `asIfStarted`: a draft, or one that is paused, taken as if it were started now.
 */
export function forecastCampaign(
  world: World,
  campaign: CampaignRow,
  { days, asIfStarted }: { days: number; asIfStarted: boolean },
): Forecast {
  const from = world.clock.now();
  const to = plus(from, days * DAY_MS);
  const sends: PlannedSend[] = [];
  const note = (send: PlannedSend) => {
    if (send.campaignId === campaign.id) {
      sends.push(send);
    }
    return true;
  };
  const isIdle = campaign.status === "draft" || campaign.status === "paused";
  const also = asIfStarted && isIdle ? campaign : undefined;
  readTogether(world.db, () => project(world, campaign.teamId, from, to, note, also));
  const list = byDay(campaign, from, to, sends);
  return { from, to, days: list, accounts: byAccount(campaign, list, sends), sends };
}

/** One row for each mailbox that writes, busiest first; its counts stand under the days of `days`. */
function byAccount(
  campaign: CampaignRow,
  days: readonly ForecastDay[],
  sends: readonly PlannedSend[],
): ForecastAccount[] {
  const zone = campaign.sendWindow.timezone;
  const places = new Map(days.map(({ date }, place) => [date, place]));
  const counts = new Map<Id, number[]>();
  for (const { accountId, at } of sends) {
    const row = counts.get(accountId) ?? days.map(() => 0);
    const place = places.get(localDay(zone, at).date);
    if (place !== undefined) {
      row[place] = (row[place] ?? 0) + 1;
    }
    counts.set(accountId, row);
  }
  const total = (row: readonly number[]) => row.reduce((sum, value) => sum + value, 0);
  return [...counts]
    .map(([accountId, sent]) => ({ accountId, sends: sent }))
    .sort((a, b) => total(b.sends) - total(a.sends));
}

/** Every day of the range, those without a mail too. */
function byDay(
  campaign: CampaignRow,
  from: UnixMs,
  to: UnixMs,
  sends: readonly PlannedSend[],
): ForecastDay[] {
  const zone = campaign.sendWindow.timezone;
  const days = new Map<string, ForecastDay>();
  for (let at = from; at < to; at = localDay(zone, at).to) {
    const { date } = localDay(zone, at);
    days.set(date, { date, newLeads: 0, followUps: 0 });
  }
  for (const send of sends) {
    const day = days.get(localDay(zone, send.at).date);
    if (day !== undefined) {
      day.newLeads += send.isNew ? 1 : 0;
      day.followUps += send.isNew ? 0 : 1;
    }
  }
  return [...days.values()];
}

export interface Sending {
  status: SendingStatus;
  nextSendAt: UnixMs | null;
}

/** Whether a campaign is sending, and if not, what holds it. */
export function sendingStatus(world: World, campaign: CampaignRow): Sending {
  if (campaign.status === "draft") {
    return { status: "draft", nextSendAt: null };
  }
  if (campaign.status !== "active") {
    const status = campaign.status === "completed" ? "nothing_due" : "paused";
    return { status, nextSendAt: null };
  }
  return readTogether(world.db, () => {
    const status = blockingReasons(world, campaign);
    const nextSendAt = status === "no_active_account" ? null : firstSend(world, campaign);
    return { status, nextSendAt };
  });
}

/** In the order in which one that applies is named before another. */
const NAMED_FIRST: readonly SendingStatus[] = [
  "sending",
  "account_caps",
  "new_lead_cap",
  "outside_window",
  "waiting_for_step_delay",
  "nothing_due",
];

const STATUS_OF: Readonly<Record<Reason, SendingStatus>> = {
  outside_window: "outside_window",
  new_lead_cap: "new_lead_cap",
  campaign_limit: "account_caps",
  domain_cap: "account_caps",
  account_caps: "account_caps",
  pacing: "sending",
  waiting_for_step_delay: "waiting_for_step_delay",
  no_active_account: "no_active_account",
  health: "account_caps",
  nothing_due: "nothing_due",
};

function blockingReasons(world: World, campaign: CampaignRow): SendingStatus {
  const now = world.clock.now();
  const ledger = storeLedger(world.db, campaign.teamId);
  const usable = accountsOf(world.db, campaign.teamId).filter(
    (row) => mayUse(campaign, row.id) && isSendable(world, row),
  );
  if (usable.length === 0) {
    return "no_active_account";
  }
  const found = new Set<SendingStatus>();
  for (const row of usable) {
    const decision = decide(ledger, planAccount(row, true), now);
    if (decision.kind === "send") {
      found.add("sending");
    } else {
      const reason = decision.blocked().get(campaign.id)?.reason ?? "nothing_due";
      found.add(STATUS_OF[reason]);
    }
  }
  const named: SendingStatus | undefined = NAMED_FIRST.find((status) => found.has(status));
  return named ?? "nothing_due";
}

function firstSend(world: World, campaign: CampaignRow): UnixMs | null {
  const from = world.clock.now();
  let first: UnixMs | null = null;
  project(world, campaign.teamId, from, plus(from, HORIZON_DAYS * DAY_MS), (send) => {
    if (send.campaignId === campaign.id) {
      first = send.at;
    }
    return first === null;
  });
  return first;
}

/** What stands between a lead and its next mail. */
export const EXPLAIN_REASONS = [
  ...SENDING_STATUSES,
  "ended",
  "held",
  "paused_lead",
  "in_queue",
  "sending_now",
] as const;

export interface Explanation {
  reason: (typeof EXPLAIN_REASONS)[number];
  /** In words, for people. */
  message: string;
  nextSendAt: UnixMs | null;
  /** True where the date lies beyond what is projected exactly. */
  estimated: boolean;
  /** New leads of the campaign that come before this one, up to {@link AHEAD_COUNTED_MAX}; null for follow-ups. */
  ahead: number | null;
}

/** Why a lead has not been written to, and when it will be. */
export function explainEnrollment(world: World, row: EnrollmentRow): Explanation {
  return readTogether(world.db, () => explain(world, row));
}

function explain(world: World, row: EnrollmentRow): Explanation {
  const nothing = { nextSendAt: null, estimated: false, ahead: null };
  const campaign = campaignById(world.db, row.campaignId);
  if (!isOpen(row.status)) {
    const why = row.stopReason === null ? "" : ` (${row.stopReason})`;
    return { reason: "ended", message: `the sequence has ended: ${row.status}${why}`, ...nothing };
  }
  if (row.holdReason !== null) {
    const detail = row.holdDetail === null ? "" : `: ${row.holdDetail}`;
    return {
      reason: "held",
      message: `waits for a person: ${row.holdReason}${detail}`,
      ...nothing,
    };
  }
  if (campaign === undefined || campaign.status !== "active") {
    const status = campaign?.status ?? "gone";
    const reason = status === "draft" ? "draft" : "paused";
    return { reason, message: `the campaign is ${status}`, ...nothing };
  }
  if (row.dueAt === null) {
    return row.status === "paused"
      ? { reason: "paused_lead", message: "paused by hand", ...nothing }
      : { reason: "sending_now", message: "a message is under way", ...nothing };
  }
  return explainQueued(world, campaign, row, row.dueAt);
}

function explainQueued(
  world: World,
  campaign: CampaignRow,
  row: EnrollmentRow,
  dueAt: UnixMs,
): Explanation {
  const now = world.clock.now();
  const reason = blockingReasons(world, campaign);
  const isNew = row.accountId === null;
  const ahead = isNew
    ? countAhead(world.db, campaign.id, { dueAt, id: row.id }, AHEAD_COUNTED_MAX)
    : null;
  const until = plus(now, HORIZON_DAYS * DAY_MS);
  let found: UnixMs | null = null;
  let passed = 0;
  let looked = 0;
  const reached = project(world, campaign.teamId, now, until, (send) => {
    if (send.enrollmentId === row.id) {
      found = send.at;
    }
    passed += Number(send.campaignId === campaign.id && send.isNew);
    looked += 1;
    return found === null && looked < EXPLAINED_SENDS_MAX;
  });
  if (found !== null) {
    const why = dueAt > now ? "waiting_for_step_delay" : reason;
    return {
      reason: why === "sending" ? "in_queue" : why,
      message: MESSAGES[why] ?? "its turn comes in the order of the queue",
      nextSendAt: found,
      estimated: false,
      ahead,
    };
  }
  const message = MESSAGES[reason] ?? "its turn comes in the order of the queue";
  return {
    reason: reason === "sending" ? "in_queue" : reason,
    message: ahead === AHEAD_COUNTED_MAX ? `${message}; ${MANY_AHEAD}` : message,
    nextSendAt:
      ahead === null
        ? dueUnlessPast(dueAt, reached)
        : turnOf(campaign, { from: now, to: reached, passed }, ahead + 1),
    estimated: true,
    ahead,
  };
}

/** A follow-up that is not reached is due later, or else waits for a reason that has no end yet. */
function dueUnlessPast(dueAt: UnixMs, reached: UnixMs): UnixMs | null {
  return dueAt > reached ? dueAt : null;
}

/** What was projected: so many new leads of the campaign were written to. */
interface Projected {
  from: UnixMs;
  to: UnixMs;
  passed: number;
}

/** Beyond it nobody has use for a date. */
const ESTIMATE_DAYS_MAX = 3650;

/**
 * When the new lead in this place is written to, at the rate of what was projected, in the hours in which
 * the campaign sends, and no more a day than it may begin, spread over it. Null where the projection
 * reached none.
 */
function turnOf(
  { sendWindow, maxLeadsPerDay }: CampaignRow,
  { from, to, passed }: Projected,
  place: number,
): UnixMs | null {
  const open = openMs([sendWindow], from, to);
  if (passed === 0 || open === 0) {
    return null;
  }
  const msEach = open / passed;
  let left = place - passed;
  let at = to;
  for (let days = 0; days < ESTIMATE_DAYS_MAX; days += 1) {
    const day = localDay(sendWindow.timezone, at);
    const begun = from >= day.from ? passed : 0;
    const openToday = openMs([sendWindow], at, day.to);
    const most = Math.min(maxLeadsPerDay - begun, openToday / msEach);
    if (left <= most) {
      return plus(nextOpening(sendWindow, null, at).at, (left / most) * openToday);
    }
    left -= most;
    at = day.to;
  }
  return null;
}

/** The date is then that of the first who has as many before them. */
const MANY_AHEAD = `${AHEAD_COUNTED_MAX.toLocaleString("en")} new leads or more come first`;

const MESSAGES: Partial<Record<SendingStatus, string>> = {
  outside_window: "the send window is closed",
  new_lead_cap: "today's number of new leads has been started",
  account_caps: "the mailboxes have reached their limits",
  waiting_for_step_delay: "the wait before the next step is not over",
  no_active_account: "no account of this campaign can send",
  nothing_due: "nothing of this campaign is due",
};
