/** The figures of a period beside those of the period before it. */

import { api } from "../../lib/api.ts";
import { percent, short } from "../../lib/format.ts";

export const PERIODS = [7, 30, 90] as const;

export interface Placement {
  inbox: number;
  tests: number;
}

const RUNS_MAX = 100;

/** Whose days: the reader's own. */
export const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

function daysBefore(date: string, days: number): string {
  const at = new Date(`${date}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() - days);
  return at.toISOString().slice(0, 10);
}

/** The last `days` days, today included, and as many before them. */
export async function loadPeriods(days: number) {
  const [{ to: today }, { data }] = await Promise.all([
    api().getStats({ timezone: zone }),
    api().listPlacementRuns({ limit: RUNS_MAX }),
  ]);
  const from = daysBefore(today, days - 1);
  const [now, before] = await Promise.all([
    api().getStats({ timezone: zone, from, to: today }),
    api().getStats({
      timezone: zone,
      from: daysBefore(from, days),
      to: daysBefore(from, 1),
    }),
  ]);
  const placedIn = (first: string, last: string): Placement => {
    const done = data.filter(({ completed_at }) => {
      const date = completed_at?.slice(0, 10) ?? "";
      return first <= date && date <= last;
    });
    return {
      inbox: sum(done.map((run) => run.inbox_count)),
      tests: sum(done.map((run) => run.total_tests - run.pending_count)),
    };
  };
  return {
    now,
    before,
    placement: { now: placedIn(from, today), before: placedIn(before.from, before.to) },
    placementByRun: data
      .filter(({ completed_at }) => (completed_at?.slice(0, 10) ?? "") >= from)
      .map(({ inbox_rate }) => Math.round(inbox_rate * 100))
      .toReversed(),
  };
}

export type Periods = Awaited<ReturnType<typeof loadPeriods>>;

export function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}

export interface Change {
  text: string;
  /** Up and down are said by a mark, never by colour alone. */
  tone: "good" | "bad" | "plain";
}

/** How `now` differs from `before`, in per cent of it; null where there was nothing. */
export function changeOf(now: number, before: number): Change | null {
  if (before === 0) {
    return null;
  }
  const by = (now - before) / before;
  const shown = Math.abs(by) >= 10 ? `${short(Math.abs(by) + 1)}×` : percent(Math.abs(by));
  return marked(by, shown, true);
}

/** How two shares differ, in percentage points; null where one is unknown. */
export function pointsOf(
  now: number | null,
  before: number | null,
  { isMoreBetter = true } = {},
): Change | null {
  if (now === null || before === null) {
    return null;
  }
  const by = Math.round((now - before) * 1000) / 10;
  return marked(by, `${Math.abs(by).toFixed(1)} pt`, isMoreBetter);
}

function marked(by: number, text: string, isMoreBetter: boolean): Change {
  if (by === 0) {
    return { text: "no change", tone: "plain" };
  }
  return { text: `${by > 0 ? "▲" : "▼"} ${text}`, tone: by > 0 === isMoreBetter ? "good" : "bad" };
}

export function share(part: number, all: number): number | null {
  return all === 0 ? null : part / all;
}
