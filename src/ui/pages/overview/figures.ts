/** The figures of a period beside those of the period before it. */

import type { Stats } from "#client.ts";
import { api } from "../../lib/api.ts";
import { percent, short } from "../../lib/format.ts";
import { sum } from "../../lib/sum.ts";
import { Z_SQUARED } from "./hours.ts";

export const PERIODS = [7, 30, 90] as const;

export interface Placement {
  inbox: number;
  tests: number;
}

const RUNS_MAX = 100;

/** Whose days: the reader's own. */
export const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The last `days` days, today included, and as many before them. */
export async function loadPeriods(days: number) {
  const [now, both, { data }] = await Promise.all([
    api().getStats({ timezone: zone, days }),
    api().getStats({ timezone: zone, days: days * 2 }),
    api().listPlacementRuns({ limit: RUNS_MAX }),
  ]);
  const before = earlier(both.days.filter(({ date }) => date < now.from));
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
    placement: { now: placedIn(now.from, now.to), before: placedIn(both.from, before.to) },
    placementByRun: data
      .filter(({ completed_at }) => (completed_at?.slice(0, 10) ?? "") >= now.from)
      .map(({ inbox_rate }) => Math.round(inbox_rate * 100))
      .toReversed(),
  };
}

const COMPARED = ["sent", "contacted", "contacted_replied", "bounced"] as const;
type Compared = Record<(typeof COMPARED)[number], number>;

/** The days before a period, and what is compared of them. */
function earlier(days: Stats["days"]) {
  const of = (name: (typeof COMPARED)[number]) => sum(days.map((day) => day[name]));
  const totals = Object.fromEntries(COMPARED.map((name) => [name, of(name)])) as Compared;
  return { days, to: days.at(-1)?.date ?? "", totals };
}

export type Periods = Awaited<ReturnType<typeof loadPeriods>>;

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

/** A part of a whole. */
export interface Part {
  of: number;
  part: number;
}

/**
 * How two shares differ, in percentage points; null where one is unknown. A difference is called good or bad
 * only where it is more than chance: by the z-test of two proportions at 5 %.
 */
export function pointsOf(now: Part, before: Part, { isMoreBetter = true } = {}): Change | null {
  const [share1, share2] = [share(now.part, now.of), share(before.part, before.of)];
  if (share1 === null || share2 === null) {
    return null;
  }
  const by = Math.round((share1 - share2) * 1000) / 10;
  const change = marked(by, `${Math.abs(by).toFixed(1)} pt`, isMoreBetter);
  const pooled = (now.part + before.part) / (now.of + before.of);
  const variance = pooled * (1 - pooled) * (1 / now.of + 1 / before.of);
  const isChance = (share1 - share2) ** 2 <= Z_SQUARED * variance;
  return isChance ? { ...change, tone: "plain" } : change;
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
