/** What happened to a team's email by day: counted as it happens, read for any zone. */

import {
  daysBetween,
  FIGURE_DAYS_MAX,
  type Figures,
  figuresOf,
  SLOT_MS,
  slotOf,
} from "#domain/campaigns/figures.ts";
import { localDay } from "#domain/campaigns/local-day.ts";
import { domainOf } from "#domain/email-address.ts";
import { found, invalid } from "#domain/problem.ts";
import { DAY_MS, dateFromIso, plus, type UnixMs, unixMs } from "#domain/time.ts";
import { readTimezone } from "#domain/timezone.ts";
import type { Caller, Environment } from "#environment.ts";
import {
  countFigures,
  countProviderDay,
  type FigureOwners,
  figuresBetween,
  goodThreads,
  type ProviderCounts,
  pruneFigures,
  type SlotCounts,
} from "#store/campaigns/figures.ts";
import { findAccount } from "#store/mailboxes/accounts.ts";
import { receiverOf } from "#store/mailboxes/mail-domains.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { MessageRow } from "#store/tables/messages.ts";
import { requireCampaign } from "./campaigns.ts";

const DAYS_DEFAULT = 30;
const FIGURES_KEPT_MS = 800 * DAY_MS;

/** Counts what happened `at`, inside the commit in which it does; a negative count takes back. */
export function countAt(
  env: Environment,
  owners: FigureOwners,
  at: UnixMs,
  add: Partial<SlotCounts>,
): void {
  countFigures(env.db, owners, slotOf(at), add);
}

/** Upkeep, inside a commit. */
export function forgetFigures(env: Environment, now: UnixMs): void {
  pruneFigures(env.db, slotOf(plus(now, -FIGURES_KEPT_MS)));
}

export interface FigureQuery {
  /** Local dates, both included. */
  from?: string;
  to?: string;
  /** In place of `from`: so many days, the last of them `to`. */
  days?: number;
  timezone: string;
  /** One of them at most; neither: the whole team. */
  campaignId?: Id;
  accountId?: Id;
}

export interface Period extends Figures {
  from: string;
  to: string;
  timezone: string;
}

/** Throws `validation_error` for dates and zones that are none, `not_found` for another team's ids. */
export function readFigures(env: Environment, caller: Caller, query: FigureQuery): Period {
  const timezone = readTimezone(query.timezone, "timezone");
  const { from, to } = rangeOf(env, timezone, query);
  const whose = ownersOf(env, caller, query);
  const days = daysBetween(timezone, from, to);
  const begins = days[0]?.from ?? unixMs(0);
  const ends = days.at(-1)?.to ?? begins;
  const owner = whose.campaignId ?? whose.accountId ?? caller.teamId;
  const slots = figuresBetween(env.db, owner, slotOf(begins), slotOf(ends)).map(
    ({ slot, ...counts }) => ({ ...counts, at: unixMs(slot * SLOT_MS) }),
  );
  const good = goodThreads(env.db, whose, begins, ends).map((at) => ({ at, positive: 1 }));
  return { from, to, timezone, ...figuresOf(days, [...slots, ...good]) };
}

function ownersOf(env: Environment, caller: Caller, { campaignId, accountId }: FigureQuery) {
  if (campaignId !== undefined && accountId !== undefined) {
    throw invalid("account_id", "can't be combined with campaign_id");
  }
  return {
    teamId: caller.teamId,
    ...(campaignId === undefined
      ? {}
      : { campaignId: requireCampaign(env, caller, campaignId).id }),
    ...(accountId === undefined
      ? {}
      : { accountId: found(findAccount(env.db, caller.teamId, accountId), "account").id }),
  };
}

function rangeOf(env: Environment, timezone: string, given: FigureQuery) {
  const today = localDay(timezone, env.clock.now()).date;
  if (given.from !== undefined && given.days !== undefined) {
    throw invalid("days", "can't be combined with from");
  }
  const to = dateFromIso(given.to ?? today, "to");
  const from =
    given.from === undefined
      ? to.subtract({ days: (given.days ?? DAYS_DEFAULT) - 1 })
      : dateFromIso(given.from, "from");
  const length = from.until(to).days + 1;
  if (length < 1) {
    throw invalid("to", "must be on or after from");
  }
  if (length > FIGURE_DAYS_MAX) {
    throw invalid("from", `must be within ${FIGURE_DAYS_MAX} days before to`);
  }
  return { from: from.toString(), to: to.toString() };
}

/** The day that an instant is counted under: one that no change of a time zone moves. */
export function utcDate(at: UnixMs): string {
  return localDay("UTC", at).date;
}

/** Counts an email of a sequence on the day of its claim; a negative count takes back. Runs inside a commit. */
export function countProvider(
  { db }: Environment,
  { kind, teamId, accountId, recipient, claimedAt }: MessageRow,
  add: Partial<ProviderCounts>,
): void {
  if (kind === "step") {
    const { provider } = receiverOf(db, domainOf(recipient));
    countProviderDay(db, { teamId, accountId, date: utcDate(claimedAt), provider }, add);
  }
}
