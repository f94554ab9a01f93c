/**
 * What a reply costs with each variant: the leads that are emailed for one. It is the inverse of the rate, within
 * epochs as everything that compares variants is.
 *
 * Source: ours; the interval is Wilson's, turned over.
 */

import { scoreInterval } from "#domain/experiments/stats/intervals.ts";
import { ALPHA } from "#domain/experiments/stats/sequential.ts";
import { normalUpperQuantile } from "#domain/experiments/stats/special.ts";
import type { PrimaryMetric } from "./experiment.ts";
import { comparedArms, type Figures } from "./experiment-figures.ts";

const Z = normalUpperQuantile(ALPHA / 2);

/** Emailed leads for one event; null where no number of them is known to be enough. */
export interface Price {
  emails: number | null;
  emailsLow: number | null;
  emailsHigh: number | null;
}

/** By variant. */
export function pricesOf(figures: Figures, metric: PrimaryMetric): Price[] {
  const arms = figures.arms.map((_, arm) => arm);
  const { successes, failures } = comparedArms(metric, figures.epochs, arms, { live: true });
  return arms.map((arm) => {
    const x = successes[arm] ?? 0;
    const n = x + (failures[arm] ?? 0);
    const { lower, upper } = n === 0 ? { lower: 0, upper: 0 } : scoreInterval(x, n, Z);
    return { emails: inverse(x / n), emailsLow: inverse(upper), emailsHigh: inverse(lower) };
  });
}

function inverse(rate: number): number | null {
  return rate > 0 ? 1 / rate : null;
}
