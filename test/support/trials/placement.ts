/** Placement runs whose truth is known: so many seeds each, whose emails in one run are correlated. */

import { fisher } from "#domain/experiments/stats/two-proportion.ts";
import { DROP_E, dropOf } from "#domain/placement/drop.ts";
import { hash01 } from "#domain/random.ts";

export interface PlacementPlan {
  /** Emails of a run. */
  seeds: number;
  /** Correlation of two emails of one run, 0 to 1: the beta-binomial's. */
  correlation: number;
}

export interface PlayedRun {
  inbox: number;
  total: number;
}

/** Pólya's urn: each email that lands in the inbox makes the next one of its run more likely to. */
export function playRun(plan: PlacementPlan, rate: number, ...seed: readonly number[]): PlayedRun {
  const { seeds, correlation } = plan;
  let inbox = 0;
  for (let nth = 0; nth < seeds; nth += 1) {
    const chance =
      (rate * (1 - correlation) + correlation * inbox) / (1 - correlation + correlation * nth);
    inbox += hash01(...seed, nth) < chance ? 1 : 0;
  }
  return { inbox, total: seeds };
}

/** The first of the runs, counted from 1, at which a drop is told; undefined: at none. Read at every run. */
export function toldAt(runs: readonly PlayedRun[], from = 1): number | undefined {
  for (let count = from; count <= runs.length; count += 1) {
    if (dropOf(runs.slice(0, count)).e >= DROP_E) {
      return count;
    }
  }
  return undefined;
}

/** The same by testing each run against all before it, at 5 % each time. */
export function naivelyToldAt(runs: readonly PlayedRun[]): number | undefined {
  const before = { inbox: 0, total: 0 };
  for (const [nth, { inbox, total }] of runs.entries()) {
    const pair = { xA: before.inbox, nA: before.total, xB: inbox, nB: total };
    const isLower = nth > 0 && inbox / total < before.inbox / before.total;
    if (isLower && fisher(pair).pTwoSided < 0.05) {
      return nth + 1;
    }
    before.inbox += inbox;
    before.total += total;
  }
  return undefined;
}
