/**
 * What a mailbox may send: caps by its local hour and day, a ramp for a new one, less for an unwell one,
 * and the gap between two messages, so that a day's quota spreads over the day.
 *
 * Source: ours. Every draw is a hash of (account, local date, ordinal), so a day can be replayed.
 */

import { HALVED_BELOW, NO_NEW_BELOW, PAUSED_BELOW } from "./health.ts";
import { type LocalDay, type LocalHour, localDay, localHour } from "./local-day.ts";
import { hash01 } from "./random.ts";
import { DAY_MS, plus, type UnixMs, unixMs } from "./time.ts";
import { openMs, type SendWindow, type Stretch } from "./window.ts";

/** A mailbox as the planner sees it. */
export interface PlanAccount {
  id: string;
  /** IANA zone of its caps. */
  zone: string;
  dailyLimit: number;
  hourlyLimit: number;
  minGapMs: number;
  /** Null: no upper bound. */
  maxGapMs: number | null;
  /** `from` is the local date on which `start` messages were allowed. */
  ramp: { start: number; increment: number; from: string } | null;
  /** 0 to 100: the score that the rules go by. */
  healthScore: number;
  /** Back from a pause for the sake of health: half caps whatever the score. */
  onTrial: boolean;
  /** Active and ready. */
  sendable: boolean;
  backoffUntil: UnixMs | null;
  lastClaimAt: UnixMs | null;
  /** The campaign served last with what it prefers, and the one served last with what it does not. */
  lastCampaignId: string | null;
  lastOtherCampaignId: string | null;
}

/** A gap is this part of the even share, and up to {@link GAP_SPREAD} more. */
const GAP_LEAST = 0.55;
const GAP_SPREAD = 0.9;

/**
 * Shares of open time kept free after the day's last message. A day begins with half a share on average
 * (the first offset) and so ends with one; without it every other day's last message would miss the
 * window, which of a quota of two is a quarter.
 */
const CLOSING_SHARE = 0.5;

export function isTooUnwell(account: PlanAccount): boolean {
  return account.healthScore < PAUSED_BELOW;
}

export function takesNewLeads(account: PlanAccount): boolean {
  return account.healthScore >= NO_NEW_BELOW;
}

export function isThrottled({ healthScore, onTrial }: PlanAccount): boolean {
  return onTrial || healthScore < HALVED_BELOW;
}

/** The day's cap of a mailbox in good health: its limit, or what its ramp has reached. */
export function rampedLimit({ ramp, dailyLimit }: PlanAccount, date: string): number {
  const ramped =
    ramp === null ? dailyLimit : ramp.start + ramp.increment * daysBetween(ramp.from, date);
  return Math.min(dailyLimit, ramped);
}

/** Messages that the account may send on its local `date`. */
export function dailyCap(account: PlanAccount, date: string): number {
  return throttled(account, rampedLimit(account, date));
}

export function hourlyCap(account: PlanAccount): number {
  return throttled(account, account.hourlyLimit);
}

function throttled(account: PlanAccount, cap: number): number {
  return isThrottled(account) && cap > 0 ? Math.max(1, Math.floor(cap / 2)) : cap;
}

/** Whole days from one date to a later one; 0 where it is not later. */
function daysBetween(from: string, to: string): number {
  const days = Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to)).days;
  return Math.max(0, days);
}

/** Where an instant stands in the mailbox's local day, and what has been counted there. */
export interface AccountUse {
  day: LocalDay;
  hour: LocalHour;
  sentToday: number;
  sentThisHour: number;
}

/** `count` answers for a local date or hour. */
export function useOf(
  account: PlanAccount,
  now: UnixMs,
  count: (kind: "account_day" | "account_hour", bucket: string) => number,
): AccountUse {
  const day = localDay(account.zone, now);
  const hour = localHour(account.zone, now);
  const sentToday = count("account_day", day.date);
  return { day, hour, sentToday, sentThisHour: count("account_hour", hour.key) };
}

/**
 * The instant before which the account may send nothing at all, because of a back-off, a full hour or a
 * full day; `now` when none stands in the way. Undefined: its limit is 0, so never.
 */
export function capFreeAt(account: PlanAccount, use: AccountUse, now: UnixMs): UnixMs | undefined {
  if (account.dailyLimit === 0 || account.hourlyLimit === 0) {
    return undefined;
  }
  const { day, hour, sentToday, sentThisHour } = use;
  let free: number = Math.max(now, account.backoffUntil ?? now);
  if (sentThisHour >= hourlyCap(account)) {
    free = Math.max(free, hour.to);
  }
  if (sentToday >= dailyCap(account, day.date)) {
    free = Math.max(free, day.to);
  }
  return unixMs(free);
}

/** How a mailbox spaces what it sends on one local day. */
export interface Pace {
  /** The gap after its last message is over; null: it has never sent. */
  readyAt: UnixMs | null;
  /** How long after an opening it begins, where it stood ready before. */
  offsetMs: number;
}

/**
 * The pace at this point of the day. `windows` are those of the active campaigns that use the account,
 * each in its own zone: their union is the time over which the quota is spread.
 */
export function paceOf(
  account: PlanAccount,
  use: AccountUse,
  windows: readonly SendWindow[],
): Pace {
  const { day, sentToday } = use;
  const { lastClaimAt } = account;
  const cap = Math.max(1, dailyCap(account, day.date));
  const draw = hash01(account.id, day.date, sentToday);
  const open = openMs(windows, day.from, day.to);
  const share = (open > 0 ? open : DAY_MS) / cap;
  const offsetMs = Math.min(share * draw, account.maxGapMs ?? Number.POSITIVE_INFINITY);
  if (lastClaimAt === null) {
    return { readyAt: null, offsetMs };
  }
  if (lastClaimAt < day.from) {
    return { readyAt: plus(lastClaimAt, account.minGapMs), offsetMs };
  }
  const left = Math.max(1, cap - sentToday) + CLOSING_SHARE;
  const remaining = openMs(windows, lastClaimAt, day.to);
  const gap = (remaining > 0 ? remaining / left : share) * (GAP_LEAST + GAP_SPREAD * draw);
  return { readyAt: plus(lastClaimAt, clampGap(account, gap)), offsetMs };
}

/**
 * The earliest instant of the day at which a message may go out in `stretch`, an opening of its lead's
 * window: when the gap is over, or, where it was over before, a while after the opening, because
 * mailboxes that all start on the stroke of nine look like a machine.
 */
export function slotIn(stretch: Stretch, { day }: AccountUse, pace: Pace): UnixMs {
  const opens = Math.max(stretch.from, day.from);
  const closes = Math.min(stretch.to, day.to);
  if (pace.readyAt !== null && pace.readyAt >= opens) {
    return pace.readyAt;
  }
  return unixMs(Math.floor(opens + Math.min(pace.offsetMs, (closes - opens) / 2)));
}

function clampGap(account: PlanAccount, gap: number): number {
  const most = account.maxGapMs ?? Number.POSITIVE_INFINITY;
  return Math.max(account.minGapMs, Math.min(gap, most));
}
