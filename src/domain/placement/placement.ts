/**
 * Placement tests: an email from each sending account to each of the team's own seed mailboxes, and where
 * it is found there.
 *
 * Source: statuses, placements and figures of a run are the seed interface's; when is looked, what a
 * folder means and what counts are ours (`docs/adr/placement.md`).
 */

import { wilson } from "#domain/experiments/stats/intervals.ts";
import {
  type AccountUse,
  capFreeAt,
  isTooUnwell,
  type PlanAccount,
} from "#domain/sending/budget.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, plus, SECOND_MS, type UnixMs, unixMs } from "#domain/time.ts";

export const TRIGGER_TYPES = ["manual", "scheduled", "health"] as const;
export type TriggerType = (typeof TRIGGER_TYPES)[number];

export const RUN_STATUSES = ["pending", "running", "completed", "failed", "cancelled"] as const;
/** `pending`: no email of it has gone out yet. `failed`: none of its tests could be made. */
export type RunStatus = (typeof RUN_STATUSES)[number];

export const PLACEMENTS = ["inbox", "spam", "promotions", "not_delivered"] as const;
export type Placement = (typeof PLACEMENTS)[number];

export const TEST_STATUSES = ["waiting", "looking", "done", "failed", "cancelled"] as const;
/**
 * `waiting`: the email is still to be sent. `looking`: it was sent, or may have been. `failed`: nothing
 * can be said of where it would be.
 */
export type TestStatus = (typeof TEST_STATUSES)[number];

export const SEED_STATUSES = ["active", "paused", "error"] as const;
/** `paused`: left out of runs. `error`: its login is refused; its tests fail until that is fixed. */
export type SeedStatus = (typeof SEED_STATUSES)[number];

export const TABS = ["primary", "promotions", "social", "updates", "forums"] as const;
/** A category of Gmail's inbox. */
export type Tab = (typeof TABS)[number];

/** What a folder is to its owner. */
export type Place = "inbox" | "junk" | "trash" | "other";

/** Seeds of a team, and tests of a run. */
export const SEEDS_MAX = 200;
export const TESTS_MAX = 2_000;
export const SCHEDULES_MAX = 50;

/** After this long an email that was found nowhere is not delivered. */
export const DEADLINE_MS = 15 * MINUTE_MS;
/** For so long a run waits for what could not be sent, and a late email corrects its result. */
export const RUN_MS_MAX = DAY_MS;

/** Times after an email was sent at which it is looked for; the last ones for late email. */
const LOOKS_MS = [
  2 * SECOND_MS,
  5 * SECOND_MS,
  10 * SECOND_MS,
  20 * SECOND_MS,
  40 * SECOND_MS,
  80 * SECOND_MS,
  160 * SECOND_MS,
  5 * MINUTE_MS,
  10 * MINUTE_MS,
  DEADLINE_MS,
  HOUR_MS,
  6 * HOUR_MS,
  DAY_MS,
] as const;

/**
 * The next look after `now` for an email sent at `sentAt`; null when its run is too old for it. The last
 * look is that at the end of the run, or at the deadline of an email that was sent shortly before.
 */
export function nextLookAt(sentAt: UnixMs, now: UnixMs, endsAt: UnixMs): UnixMs | null {
  const last = Math.max(endsAt, plus(sentAt, DEADLINE_MS));
  const next = LOOKS_MS.map((ms) => plus(sentAt, ms)).find((at) => at > now);
  const at = Math.min(next ?? last, last);
  return at > now ? unixMs(at) : null;
}

/**
 * What a place means. A folder of the owner's own counts as the inbox: email got there by a rule of
 * theirs. What was thrown away nobody reads. Of Gmail's categories only promotions is another placement.
 */
export function placementAt(place: Place, tab: Tab | null): Placement {
  if (place === "junk" || place === "trash") {
    return "spam";
  }
  return place === "inbox" && tab === "promotions" ? "promotions" : "inbox";
}

/**
 * Milliseconds from handing over to arrival. `receivedAt` is the mailbox's own date, which has whole
 * seconds: its last millisecond is meant. Never below 0, nor beyond the look that found it.
 */
export function latencyOf(sentAt: UnixMs, receivedAt: UnixMs | null, foundAt: UnixMs): number {
  const arrived = receivedAt === null ? foundAt : Math.floor(receivedAt / SECOND_MS) * SECOND_MS;
  const latest = receivedAt === null ? foundAt : Math.min(foundAt, arrived + SECOND_MS - 1);
  return Math.max(0, Math.round(latest - sentAt));
}

export interface TestResult {
  status: TestStatus;
  placement: Placement | null;
}

/** `inbox + spam + promotions + notDelivered + pending` is `total`. */
export interface RunTotals {
  /** Tests that have a placement or are to get one: without those that failed or were cancelled. */
  total: number;
  inbox: number;
  spam: number;
  promotions: number;
  notDelivered: number;
  pending: number;
  failed: number;
  /** 0 to 1, of the tests that have a placement; 0 while none has. */
  inboxRate: number;
}

export function totalsOf(tests: readonly TestResult[]): RunTotals {
  const placed = (wanted: Placement) =>
    tests.filter(({ status, placement }) => status === "done" && placement === wanted).length;
  const [inbox, spam, promotions] = [placed("inbox"), placed("spam"), placed("promotions")];
  const notDelivered = placed("not_delivered");
  const pending = tests.filter(isPending).length;
  const failed = tests.filter(({ status }) => status === "failed").length;
  const known = inbox + spam + promotions + notDelivered;
  const inboxRate = known === 0 ? 0 : inbox / known;
  return {
    ...{ total: known + pending, inbox, spam, promotions, notDelivered },
    ...{ pending, failed, inboxRate },
  };
}

export function isPending({ status }: Pick<TestResult, "status">): boolean {
  return status === "waiting" || status === "looking";
}

/** True while something of the run is still to happen by itself. */
export function isUnderWay(status: RunStatus): boolean {
  return status === "pending" || status === "running";
}

/** Shares of the tests that have a placement, with Wilson's 95 % bands; 0 to 1 while none has. */
export interface Bands {
  inboxRateLow: number;
  inboxRateHigh: number;
  spamRate: number;
  spamRateLow: number;
  spamRateHigh: number;
}

export function bandsOf(counts: Pick<RunTotals, "total" | "pending" | "inbox" | "spam">): Bands {
  const { inbox, spam } = counts;
  const n = counts.total - counts.pending;
  const [ofInbox, ofSpam] = [wilson({ x: inbox, n }), wilson({ x: spam, n })];
  return {
    inboxRateLow: ofInbox.lower,
    inboxRateHigh: ofInbox.upper,
    spamRate: n === 0 ? 0 : spam / n,
    spamRateLow: ofSpam.lower,
    spamRateHigh: ofSpam.upper,
  };
}

export interface ProviderTotals {
  total: number;
  inbox: number;
  spam: number;
  /** Inbox of total, 0 to 1. */
  rate: number;
  rateLow: number;
  rateHigh: number;
  spamRate: number;
  spamRateLow: number;
  spamRateHigh: number;
}

/** By seed provider, of the tests that have a placement. */
export function totalsByProvider(
  tests: readonly (TestResult & { seedProvider: string })[],
): Record<string, ProviderTotals> {
  const groups = Map.groupBy(
    tests.filter(({ status }) => status === "done"),
    ({ seedProvider }) => seedProvider,
  );
  const entries = [...groups].map(([provider, members]) => {
    const totals = totalsOf(members);
    const { total, inbox, spam, inboxRate } = totals;
    const { inboxRateLow: rateLow, inboxRateHigh: rateHigh, ...ofSpam } = bandsOf(totals);
    return [
      provider,
      { total, inbox, spam, rate: inboxRate, rateLow, rateHigh, ...ofSpam },
    ] as const;
  });
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * The first instant from `now` on at which a test email that is due at `dueAt` may go out: within the
 * account's caps and its least gap, at any hour, since no stranger gets it. Undefined: only a change can
 * bring it.
 */
export function testSlot(
  account: PlanAccount,
  use: AccountUse,
  dueAt: UnixMs,
  now: UnixMs,
): UnixMs | undefined {
  if (!account.sendable || isTooUnwell(account)) {
    return undefined;
  }
  const free = capFreeAt(account, use, now);
  if (free === undefined) {
    return undefined;
  }
  const ready = account.lastClaimAt === null ? now : plus(account.lastClaimAt, account.minGapMs);
  return unixMs(Math.max(now, dueAt, free, ready));
}
