/**
 * What a mailbox may send: caps by its local hour and day, a ramp for a new one, less for an unwell one,
 * and the gap between two messages, so that a day's quota spreads over the day, an hour's over the hour.
 *
 * Source: ours. Every draw is a hash of (account, local date, ordinal), so a day can be replayed.
 */

import { type LocalDay, type LocalHour, localDay, localHour } from "#domain/campaigns/local-day.ts";
import { openMs, type SendWindow, type Stretch } from "#domain/campaigns/window.ts";
import { HALVED_BELOW, NO_NEW_BELOW, PAUSED_BELOW } from "#domain/mailboxes/health.ts";
import type { MailProvider, ProviderLimits } from "#domain/mailboxes/mail-provider.ts";
import { hash01 } from "#domain/random.ts";
import { DAY_MS, plus, type UnixMs, unixMs } from "#domain/time.ts";
import type { Refusals } from "./refusals.ts";

/** A mailbox as the planner sees it. */
export interface PlanAccount {
  id: string;
  /** IANA zone of its caps. */
  zone: string;
  dailyLimit: number;
  hourlyLimit: number;
  providerLimits: ProviderLimits;
  minGapMs: number;
  /** Null: no upper bound. */
  maxGapMs: number | null;
  /** `from` is the local date on which `start` messages were allowed. */
  ramp: { start: number; increment: number; from: string } | null;
  /** 0 to 100: the score that the rules go by. */
  healthScore: number;
  /** Back from a pause for the sake of health: half caps whatever the score. */
  onTrial: boolean;
  /** Of its address; and whose server it sends through, `custom` for any but a known provider's. */
  domain: string;
  server: MailProvider;
  /** Active and ready. */
  sendable: boolean;
  /** In error: it sends again once its fault is fixed. */
  fails: boolean;
  backoffUntil: UnixMs | null;
  /** Recipient providers that refuse it as a sender. */
  refusals: readonly Refusals[];
  lastClaimAt: UnixMs | null;
  /** The campaign served last with what it prefers, and the one served last with what it does not. */
  lastCampaignId: string | null;
  lastOtherCampaignId: string | null;
}

/** A gap is this part of the even share, and up to {@link GAP_SPREAD} more. */
const GAP_LEAST = 0.55;
const GAP_SPREAD = 0.9;

/**
 * Shares of open time kept free after the last message of a day, or of an hour. A day begins with half a share on average
 * (the first offset) and so ends with one; without it every other day's last message would miss the
 * window, which of a quota of two is a quarter.
 */
const CLOSING_SHARE = 0.5;

export function isTooUnwell(account: PlanAccount): boolean {
  return account.healthScore < PAUSED_BELOW;
}

export function takesNewLeads({ healthScore }: Pick<PlanAccount, "healthScore">): boolean {
  return healthScore >= NO_NEW_BELOW;
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

/** What `count` returns for a local date or hour. */
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
  /** From then on another pace applies, which may be quicker: the end of its day, or of its hour. */
  to: UnixMs;
}

/**
 * The pace at this point of the day. `windows` are those of the active campaigns that use the account,
 * each in its own zone: their union is the time over which the quota is spread. Where the quota of the
 * hour allows less than that of the day, it is spread over the hour in the same way.
 */
export function paceOf(
  account: PlanAccount,
  use: AccountUse,
  windows: readonly SendWindow[],
): Pace {
  const { day, hour, sentToday } = use;
  const { lastClaimAt } = account;
  const cap = Math.max(1, dailyCap(account, day.date));
  const draw = hash01(account.id, day.date, sentToday);
  const dayShare = (openMs(windows, day.from, day.to) || DAY_MS) / cap;
  const hourShare = shareOfHour(account, use, windows);
  const offset = (share: number) => Math.min(share * draw, account.maxGapMs ?? share);
  const offsetMs = offset(Math.max(dayShare, hourShare));
  if (lastClaimAt === null || lastClaimAt < day.from) {
    const readyAt = lastClaimAt && plus(lastClaimAt, account.minGapMs);
    return { readyAt, offsetMs, to: hourShare > dayShare ? hour.to : day.to };
  }
  const left = Math.max(1, cap - sentToday) + CLOSING_SHARE;
  const ofDay = openMs(windows, lastClaimAt, day.to) / left || dayShare;
  const gapOf = (share: number) => clampGap(account, share * (GAP_LEAST + GAP_SPREAD * draw));
  const after = (ms: number) => plus(lastClaimAt, ms);
  if (hourShare <= ofDay) {
    return { readyAt: after(gapOf(ofDay)), offsetMs, to: day.to };
  }
  if (lastClaimAt >= hour.from) {
    return { readyAt: after(gapOf(hourShare)), offsetMs, to: hour.to };
  }
  // An hour begins as a day does, and not right behind the last message of the hour before.
  const least = after(clampGap(account, GAP_LEAST * hourShare));
  const begins = Math.max(after(gapOf(ofDay)), least, hour.from + offset(hourShare));
  return { readyAt: unixMs(begins), offsetMs, to: hour.to };
}

/** The even share of what is left of the hour since the last message in it; 0 where nothing is open. */
function shareOfHour(
  account: PlanAccount,
  { hour, sentThisHour }: AccountUse,
  windows: readonly SendWindow[],
): number {
  const cap = Math.max(1, hourlyCap(account));
  const { lastClaimAt } = account;
  return lastClaimAt === null || lastClaimAt < hour.from
    ? openMs(windows, hour.from, hour.to) / cap
    : openMs(windows, lastClaimAt, hour.to) / (Math.max(1, cap - sentThisHour) + CLOSING_SHARE);
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

/**
 * {@link slotIn} as far as it is known at this point of the day: no later than another pace may apply. The
 * while after an opening follows from the hour's quota too, so the next hour may be quicker.
 */
export function knownSlotIn(stretch: Stretch, use: AccountUse, pace: Pace): UnixMs {
  const slot = slotIn(stretch, use, pace);
  return unixMs(Math.min(slot, pace.to, slot === pace.readyAt ? pace.to : use.hour.to));
}

function clampGap(account: PlanAccount, gap: number): number {
  const most = account.maxGapMs ?? Number.POSITIVE_INFINITY;
  return Math.max(account.minGapMs, Math.min(gap, most));
}
