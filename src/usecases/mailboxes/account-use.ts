/** What is read of a mailbox's health and use: how it came to be so, and when more comes free. */

import { localDay } from "#domain/campaigns/local-day.ts";
import {
  type HealthInputs,
  type HealthPoints,
  type HealthScore,
  healthScore,
  NO_POINTS,
  windowStart,
} from "#domain/mailboxes/health.ts";
import {
  type AccountUse,
  capFreeAt,
  dailyCap,
  hourlyCap,
  rampedLimit,
  useOf,
} from "#domain/sending/budget.ts";
import { DAY_MS, HOUR_MS, plus, type UnixMs } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import { healthBefore, healthHistory } from "#store/campaigns/health.ts";
import { planAccount } from "#store/sending/ledger.ts";
import { bucketsOf, usageOf } from "#store/sending/usage.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import { healthFacts, inputsOf } from "#usecases/campaigns/health.ts";
import { isSendable, requireAccount } from "./accounts.ts";

export interface HistoryDay {
  date: string;
  sends: number;
  hardBounces: number;
  complaints: number;
  /** As the day ended. */
  score: number;
  points: HealthPoints;
}

export interface HealthReport {
  account: AccountRow;
  inputs: HealthInputs;
  scored: HealthScore;
  /** The local days that were looked at. */
  window: { from: string; to: string };
  caps: { daily: number; hourly: number };
  history: HistoryDay[];
}

/** Throws `not_found`. */
export function reportHealth(env: Environment, caller: Caller, id: Id, days: number): HealthReport {
  const account = requireAccount(env, caller, id);
  const now = env.clock.now();
  const facts = healthFacts(env, account, now);
  const from = windowStart(account.timezone, now).date;
  const to = localDay(account.timezone, now).date;
  const inputs = inputsOf(facts);
  const plan = planAccount(account, isSendable(account, env.name));
  return {
    account,
    inputs,
    scored: healthScore(inputs),
    window: { from, to },
    caps: { daily: dailyCap(plan, to), hourly: hourlyCap(plan) },
    history: historyOf(env, account, now, days),
  };
}

/** Every day of the range that the account has lived, the quiet ones too, oldest first. */
function historyOf(
  env: Environment,
  account: AccountRow,
  now: UnixMs,
  count: number,
): HistoryDay[] {
  const { id, timezone } = account;
  const dates: string[] = [];
  const noon = plus(localDay(timezone, now).from, 12 * HOUR_MS);
  for (let back = count - 1; back >= 0; back -= 1) {
    const day = localDay(timezone, plus(noon, -back * DAY_MS));
    if (day.to > account.createdAt) {
      dates.push(day.date);
    }
  }
  const first = dates[0] ?? localDay(timezone, now).date;
  const rows = new Map(healthHistory(env.db, id, first).map((row) => [row.date, row]));
  const before = healthBefore(env.db, id, first);
  let known = { score: before?.score ?? 100, points: before?.points ?? NO_POINTS };
  return dates.map((date) => {
    const row = rows.get(date);
    known = row === undefined ? known : { score: row.score, points: row.points };
    const { sends = 0, hardBounces = 0, complaints = 0 } = row ?? {};
    return { date, sends, hardBounces, complaints, ...known };
  });
}

export interface UseReport {
  account: AccountRow;
  use: AccountUse;
  caps: { daily: number; hourly: number };
  /** The day's cap without what health takes off it. */
  rampedLimit: number;
  /** Used hours of the day, in order. */
  hours: { bucket: string; count: number }[];
  /** When caps and back-off let the next email go; undefined: a limit is 0, so never. */
  freeAt: UnixMs | undefined;
}

/** Throws `not_found`. */
export function reportUse(env: Environment, caller: Caller, id: Id): UseReport {
  const account = requireAccount(env, caller, id);
  const now = env.clock.now();
  const plan = planAccount(account, isSendable(account, env.name));
  const use = useOf(plan, now, (kind, bucket) => usageOf(env.db, { owner: id, kind, bucket }));
  const { date } = use.day;
  return {
    account,
    use,
    caps: { daily: dailyCap(plan, date), hourly: hourlyCap(plan) },
    rampedLimit: rampedLimit(plan, date),
    hours: bucketsOf(env.db, { owner: id, kind: "account_hour", prefix: `${date}T` }),
    freeAt: capFreeAt(plan, use, now),
  };
}
