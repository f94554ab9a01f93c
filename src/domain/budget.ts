/**
 * What a mailbox may send: caps by its local hour and day, a ramp for a new one, less for an unwell one,
 * and the gap between two messages, so that a day's quota spreads over the day.
 *
 * Source: ours. Every draw is a hash of (account, local date, ordinal), so a day can be replayed.
 */

import { localDay, localHour } from "./local-day.ts";
import { hash01 } from "./random.ts";
import { DAY_MS, plus, type UnixMs, unixMs } from "./time.ts";
import { openMs, openStretch, type SendWindow } from "./window.ts";

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
  /** 0 to 100. */
  healthScore: number;
  /** Active and ready. */
  sendable: boolean;
  backoffUntil: UnixMs | null;
  lastClaimAt: UnixMs | null;
  lastCampaignId: string | null;
}

/** Below these scores: caps are halved; no new leads; nothing is sent. */
const HALVED_BELOW = 80;
const NO_NEW_BELOW = 60;
const PAUSED_BELOW = 40;

/** A gap is this part of the even share, and up to {@link GAP_SPREAD} more. */
const GAP_LEAST = 0.55;
const GAP_SPREAD = 0.9;

export function isTooUnwell(account: PlanAccount): boolean {
  return account.healthScore < PAUSED_BELOW;
}

export function takesNewLeads(account: PlanAccount): boolean {
  return account.healthScore >= NO_NEW_BELOW;
}

/** Messages that the account may send on its local `date`. */
export function dailyCap(account: PlanAccount, date: string): number {
  const { ramp, dailyLimit } = account;
  const ramped =
    ramp === null ? dailyLimit : ramp.start + ramp.increment * daysBetween(ramp.from, date);
  return throttled(account, Math.min(dailyLimit, ramped));
}

export function hourlyCap(account: PlanAccount): number {
  return throttled(account, account.hourlyLimit);
}

function throttled(account: PlanAccount, cap: number): number {
  return account.healthScore < HALVED_BELOW && cap > 0 ? Math.max(1, Math.floor(cap / 2)) : cap;
}

/** Whole days from one date to a later one; 0 where it is not later. */
function daysBetween(from: string, to: string): number {
  const days = Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to)).days;
  return Math.max(0, days);
}

/** Counts against the caps at an instant, and the names under which they are kept. */
export interface AccountUse {
  date: string;
  sentToday: number;
  sentThisHour: number;
}

/**
 * The instant before which the account may send nothing at all, because of a back-off, a full hour or a
 * full day; `now` when none stands in the way. Undefined: its daily limit is 0.
 */
export function capFreeAt(account: PlanAccount, use: AccountUse, now: UnixMs): UnixMs | undefined {
  if (account.backoffUntil !== null && account.backoffUntil > now) {
    return account.backoffUntil;
  }
  if (account.dailyLimit === 0 || account.hourlyLimit === 0) {
    return undefined;
  }
  if (use.sentToday >= dailyCap(account, use.date)) {
    return localDay(account.zone, now).to;
  }
  return use.sentThisHour >= hourlyCap(account) ? localHour(account.zone, now).to : now;
}

/**
 * The instant from which the gap after the day's last message is over. Only for a day on which something
 * was sent; `windows` are those of the active campaigns that use the account.
 */
export function gapEndsAt(
  account: PlanAccount,
  use: AccountUse,
  windows: readonly SendWindow[],
  lastClaimAt: UnixMs,
): UnixMs {
  const day = localDay(account.zone, lastClaimAt);
  const quota = dailyCap(account, use.date);
  const left = Math.max(1, quota - use.sentToday);
  const remaining = openMs(windows, lastClaimAt, day.to);
  const share = remaining > 0 ? remaining / left : evenShare(account, use.date, windows, day);
  const draw = GAP_LEAST + GAP_SPREAD * hash01(account.id, use.date, use.sentToday);
  return plus(lastClaimAt, clampGap(account, share * draw));
}

/**
 * The instant at which the first message of a local day may go to a lead whose window opens with
 * `stretch`: mailboxes do not all start on the stroke of nine.
 */
export function firstSlotAt(
  account: PlanAccount,
  date: string,
  windows: readonly SendWindow[],
  lead: { window: SendWindow; zone: string | null },
  at: UnixMs,
): UnixMs {
  const stretch = openStretch(lead.window, lead.zone, at);
  if (stretch === null) {
    return at;
  }
  const day = localDay(account.zone, at);
  const opened = Math.max(stretch.from, day.from);
  const share = evenShare(account, date, windows, day);
  const offset = Math.min(
    share * hash01(account.id, date, 0),
    account.maxGapMs ?? Number.POSITIVE_INFINITY,
    (Math.min(stretch.to, day.to) - opened) / 2,
  );
  return unixMs(opened + offset);
}

/** The part of the day's open time that one message of its quota has. */
function evenShare(
  account: PlanAccount,
  date: string,
  windows: readonly SendWindow[],
  day: { from: UnixMs; to: UnixMs },
): number {
  const open = openMs(windows, day.from, day.to);
  return (open > 0 ? open : DAY_MS) / Math.max(1, dailyCap(account, date));
}

function clampGap(account: PlanAccount, gap: number): number {
  const most = account.maxGapMs ?? Number.POSITIVE_INFINITY;
  return Math.max(account.minGapMs, Math.min(gap, most));
}
