/** Where a mailbox's test emails land, provider by provider and week by week, and whether that got worse. */

import { localDay } from "#domain/campaigns/local-day.ts";
import { wilson } from "#domain/experiments/stats/intervals.ts";
import type { MailProvider } from "#domain/mailboxes/mail-provider.ts";
import type { RunShare } from "#domain/placement/drop.ts";
import {
  type Counts,
  type DropReading,
  readAllDrops,
  readDrop,
} from "#domain/placement/drop-reading.ts";
import { DAY_MS, plus, type UnixMs } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import { runSharesOf } from "#store/placement/placement-tests.ts";
import type { Id } from "#store/sqlite/columns.ts";
import { requireAccount } from "#usecases/mailboxes/accounts.ts";

/** Results of runs by provider that are read: weekly runs at four providers for five years. */
const SHARES_MAX = 1_000;
/** Weeks that are shown. */
const WEEKS = 26;

/** A share in the inbox with its Wilson 95 % band. */
export interface Rate extends Counts {
  rate: number;
  rateLow: number;
  rateHigh: number;
}

export interface Stretch extends Rate {
  weeks: (Rate & { from: string })[];
}

export interface AccountPlacement extends Stretch, ReturnType<typeof readAllDrops> {
  providers: (Stretch & DropReading & { provider: MailProvider; runs: number })[];
}

/** Throws `not_found`. */
export function accountPlacement(env: Environment, caller: Caller, id: Id): AccountPlacement {
  const { timezone } = requireAccount(env, caller, id);
  const shares = runSharesOf(env.db, id, SHARES_MAX);
  const since = plus(env.clock.now(), -WEEKS * 7 * DAY_MS);
  const groups = Map.groupBy(shares, ({ provider }) => provider);
  const read = [...groups].toSorted().map(([provider, runs]) => {
    const reading = readDrop(runs, timezone);
    return { provider, runs: runs.length, reading, stretch: stretchOf(runs, timezone, since) };
  });
  return {
    ...stretchOf(shares, timezone, since),
    ...readAllDrops(read),
    providers: read.map(({ reading, stretch, ...rest }) => ({ ...rest, ...stretch, ...reading })),
  };
}

function stretchOf(runs: readonly RunShare[], zone: string, since: UnixMs): Stretch {
  const weeks = Map.groupBy(
    runs.filter(({ at }) => at >= since),
    ({ at }) => weekOf(zone, at),
  );
  return {
    ...rateOf(runs),
    weeks: [...weeks].toSorted().map(([from, ofWeek]) => ({ from, ...rateOf(ofWeek) })),
  };
}

/** The local Monday. */
function weekOf(zone: string, at: UnixMs): string {
  const { date, weekday } = localDay(zone, at);
  return Temporal.PlainDate.from(date)
    .subtract({ days: weekday - 1 })
    .toString();
}

function rateOf(runs: readonly Counts[]): Rate {
  const inbox = runs.reduce((sum, one) => sum + one.inbox, 0);
  const total = runs.reduce((sum, one) => sum + one.total, 0);
  const { lower, upper } = wilson({ x: inbox, n: total });
  return { inbox, total, rate: total === 0 ? 0 : inbox / total, rateLow: lower, rateHigh: upper };
}
