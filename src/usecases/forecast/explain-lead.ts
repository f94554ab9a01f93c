/** Why a lead has not been written to, and when its turn comes. */

import {
  AHEAD_COUNTED_MAX,
  SENDING_MESSAGES,
  SENDING_STATUSES,
  type SendingStatus,
} from "#domain/campaigns/campaign.ts";
import { isOpen } from "#domain/campaigns/enrollment.ts";
import { localDay } from "#domain/campaigns/local-day.ts";
import { nextOpening, openMs, openStretch, windowFor } from "#domain/campaigns/window.ts";
import { found } from "#domain/problem.ts";
import { isLimited, waitsForOthers } from "#domain/sending/barred.ts";
import { DAY_MS, plus, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import type { Steps } from "#platform/side-thread.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import { enrollmentById } from "#store/leads/enrollments.ts";
import { countAhead, planAccount, storeLedger } from "#store/sending/ledger.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { CampaignRow } from "#store/tables/campaigns.ts";
import type { EnrollmentRow } from "#store/tables/leads.ts";
import { blockingReasons, HORIZON_DAYS, mailboxesOf } from "./forecast.ts";
import { foretell } from "./foresight.ts";
import { type PlannedSend, project } from "./project.ts";

/** Emails of the team that are gone through to find that of one lead; what comes later is estimated. */
const EXPLAINED_SENDS_MAX = 500;

/** What stands between a lead and its next email. */
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
  /** New leads of the campaign that come before this one in its queue, up to {@link AHEAD_COUNTED_MAX}; null for follow-ups. */
  ahead: number | null;
}

/** Why a lead has not been written to, and when it will be. Throws as {@link foretell}. */
export function explainEnrollment(
  env: Environment,
  { id, teamId }: EnrollmentRow,
  signal?: AbortSignal,
): Promise<Explanation> {
  return foretell(env, { teamId, kind: "explain", about: { id }, ask: explainSteps, signal });
}

/** Throws `not_found`. */
export function* explainSteps(env: Environment, { id }: { id: Id }): Steps<Explanation> {
  const row = found(enrollmentById(env.db, id), "lead");
  const nothing = { nextSendAt: null, estimated: false, ahead: null };
  const campaign = campaignById(env.db, row.campaignId);
  if (!isOpen(row.status)) {
    const why = row.stopReason === null ? "" : ` (${row.stopReason})`;
    return { reason: "ended", message: `the sequence has ended: ${row.status}${why}`, ...nothing };
  }
  if (row.holdReason !== null) {
    const detail = row.holdDetail === null ? "" : `: ${row.holdDetail}`;
    return {
      reason: "held",
      message: `on hold: ${row.holdReason}${detail}`,
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
      ? { reason: "paused_lead", message: "paused manually", ...nothing }
      : { reason: "sending_now", message: "an email is being sent right now", ...nothing };
  }
  return yield* explainQueued(env, campaign, row, row.dueAt);
}

function* explainQueued(
  env: Environment,
  campaign: CampaignRow,
  row: EnrollmentRow,
  dueAt: UnixMs,
): Steps<Explanation> {
  const usable = mailboxesOf(env, campaign);
  const own = mailboxesFor(env, campaign, row, usable);
  const isUnmatched = row.accountId === null && own.length === 0 && usable.length > 0;
  const status = isUnmatched
    ? "provider_match"
    : yield* blockingReasons(env, campaign, row.accountId === null ? own : usable);
  const why = ownReason(env, campaign, row, dueAt, { status, own });
  const reason = why === "sending" ? "in_queue" : why;
  const message = SENDING_MESSAGES[why] ?? "waiting for its turn in the queue";
  const isNew = row.accountId === null;
  const ahead = isNew ? countAhead(env.db, row, { dueAt, id: row.id }, AHEAD_COUNTED_MAX) : null;
  const projected = yield* turnInPlan(env, campaign, row, dueAt);
  if (projected.found !== null) {
    return { reason, message, nextSendAt: projected.found, estimated: false, ahead };
  }
  return {
    reason,
    message: ahead === AHEAD_COUNTED_MAX ? `${message}; ${MANY_AHEAD}` : message,
    nextSendAt:
      ahead === null
        ? dueUnlessPast(dueAt, projected.to)
        : turnOf(campaign, zoneOf(row), projected, ahead + 1),
    estimated: true,
    ahead,
  };
}

/** Mailboxes that may send to the lead now: its own, or those that its first email may come from. */
function mailboxesFor(
  env: Environment,
  campaign: CampaignRow,
  row: EnrollmentRow,
  usable: readonly AccountRow[],
): AccountRow[] {
  if (row.accountId !== null) {
    return usable.filter(({ id }) => id === row.accountId);
  }
  const ledger = storeLedger(env.db, campaign.teamId);
  const { provider } = ledger.receiverOf(row.domain);
  const at = { campaignId: campaign.id, provider, now: env.clock.now() };
  return usable.filter((one) => !waitsForOthers(ledger, planAccount(one, true), at));
}

/**
 * What holds this lead: what is nearest to it of what the planner looks at, else what holds its campaign on the
 * mailboxes that it may come from.
 */
function ownReason(
  env: Environment,
  campaign: CampaignRow,
  row: EnrollmentRow,
  dueAt: UnixMs,
  { status, own }: { status: SendingStatus; own: readonly AccountRow[] },
): SendingStatus {
  const now = env.clock.now();
  if (status === "no_active_account") {
    return status;
  }
  if (dueAt > now) {
    return "waiting_for_step_delay";
  }
  const { id, teamId, sendWindow, maxPerDomainPerDay: cap } = campaign;
  if (openStretch(sendWindow, zoneOf(row), now) === null) {
    return "outside_window";
  }
  const { date } = localDay(sendWindow.timezone, now);
  const ledger = storeLedger(env.db, teamId);
  if (status !== "sending") {
    return status;
  }
  if (cap !== null && ledger.cappedDomains(id, date, cap).includes(row.domain)) {
    return "domain_cap";
  }
  const isHeld = own.every((one) => isLimited(ledger, planAccount(one, true), row.domain, now));
  if (isHeld && own.length > 0) {
    return "provider_cap";
  }
  return row.spread ? "risky_share" : status;
}

function zoneOf({ zone }: EnrollmentRow): string | null {
  return zone === "" ? null : zone;
}

/** What was projected, up to the lead's own email or as far as it was looked. */
interface Projected {
  found: UnixMs | null;
  from: UnixMs;
  to: UnixMs;
  /** New leads of its queue that were written to. */
  passed: number;
  /** Those of them that stood before the lead. */
  passedAhead: number;
}

function* turnInPlan(
  env: Environment,
  campaign: CampaignRow,
  row: EnrollmentRow,
  dueAt: UnixMs,
): Steps<Projected> {
  const from = env.clock.now();
  const horizon = plus(from, HORIZON_DAYS * DAY_MS);
  const projected: Projected = { found: null, from, to: from, passed: 0, passedAhead: 0 };
  let looked = 0;
  for (const { at, send } of project(env, campaign.teamId, from, horizon)) {
    projected.to = at;
    if (send?.enrollmentId === row.id) {
      return { ...projected, found: at };
    }
    if (send?.campaignId === campaign.id && send.isNew && send.isSpread === row.spread) {
      projected.passed += 1;
      projected.passedAhead += Number(isAhead(env, send, { dueAt, id: row.id }));
    }
    looked += Number(send !== null);
    if (looked === EXPLAINED_SENDS_MAX) {
      break;
    }
    yield;
  }
  return projected;
}

/** Whoever is in another zone, or at another domain, may be written to before those who came first. */
function isAhead({ db }: Environment, { enrollmentId }: PlannedSend, place: Place): boolean {
  const other = enrollmentById(db, enrollmentId);
  const dueAt = other?.dueAt ?? place.dueAt;
  return dueAt < place.dueAt || (dueAt === place.dueAt && enrollmentId < place.id);
}

interface Place {
  dueAt: UnixMs;
  id: string;
}

/** A follow-up that is not reached is due later, or else waits for a reason that has no end yet. */
function dueUnlessPast(dueAt: UnixMs, reached: UnixMs): UnixMs | null {
  return dueAt > reached ? dueAt : null;
}

/** Beyond it nobody has use for a date. */
const ESTIMATE_DAYS_MAX = 3650;

/**
 * When the new lead in this place is written to, at the rate of what was projected, in the hours in which
 * the campaign sends to its zone, and no more a day than it may begin, spread over it. Null where the
 * projection reached none.
 */
function turnOf(
  { sendWindow, maxLeadsPerDay }: CampaignRow,
  zone: string | null,
  { from, to, passed, passedAhead }: Projected,
  place: number,
): UnixMs | null {
  const own = windowFor(sendWindow, zone);
  const open = openMs([sendWindow], from, to);
  if (passed === 0 || open === 0) {
    return null;
  }
  const msEach = open / passed;
  let left = Math.max(1, place - passedAhead);
  let at = to;
  for (let days = 0; days < ESTIMATE_DAYS_MAX; days += 1) {
    const day = localDay(sendWindow.timezone, at);
    const begun = from >= day.from ? passed : 0;
    const openToday = openMs([own], at, day.to);
    const most = Math.max(0, Math.min(maxLeadsPerDay - begun, openToday / msEach));
    if (left <= most) {
      const share = Math.max(0, left - 0.5) / most;
      return plus(nextOpening(own, null, at).at, share * openToday);
    }
    left -= most;
    at = day.to;
  }
  return null;
}

/** The date is then that of the first who has as many before them. */
const MANY_AHEAD = `${AHEAD_COUNTED_MAX.toLocaleString("en")} or more new leads are ahead of it`;
