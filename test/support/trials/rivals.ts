/**
 * Tests that may be read at any time, as others offer them, and the one that is read once: what the same people show
 * by each. Two variants, with the replies that have come.
 */

import type { Counts } from "#domain/experiments/exposure.ts";
import { ALPHA } from "#domain/experiments/stats/sequential.ts";
import { countsOn, draw, type Kind, seedOf, WINDOW_DAYS } from "./counted.ts";

/** Of a difference of rates: `d` and its variance, and people in all. */
interface Difference {
  d: number;
  variance: number;
  n: number;
}

export function differenceOf(first: Counts, second: Counts): Difference {
  const [p, q] = [first.replies / first.sent, second.replies / second.sent];
  const variance = (p * (1 - p)) / first.sent + (q * (1 - q)) / second.sent;
  return { d: q - p, variance, n: first.sent + second.sent };
}

/**
 * Mixture sequential probability ratio test with a normal mixture of variance `tau`².
 *
 * Source: Johari, Pekelis, and Walsh, "Always valid inference", 2015, section 4.
 */
export function mixtureRatio({ d, variance: v }: Difference, tau: number): number {
  return Math.sqrt(v / (v + tau ** 2)) * Math.exp((tau ** 2 * d ** 2) / (2 * v * (v + tau ** 2)));
}

/**
 * e-value of an asymptotic confidence sequence that is narrowest at `tuned` people.
 *
 * Source: Waudby-Smith et al., "Time-uniform central limit theory and asymptotic confidence sequences", 2023,
 * equations 155 and 161; `tuned` is 5,000 where GrowthBook isn't told otherwise.
 */
export function confidenceSequence({ d, variance, n }: Difference, tuned = 5_000): number {
  const spent = -2 * Math.log(ALPHA);
  const rho = (spent + Math.log(spent + 1)) / tuned;
  const by = n * rho + 1;
  return Math.exp((rho * d ** 2 * n) / variance / (2 * by)) / Math.sqrt(by);
}

export const RIVALS = {
  /** Two-sided test of two proportions. */
  "read once, at the end": (daily: readonly Difference[]) => {
    const { d, variance } = daily.at(-1) ?? NOTHING;
    return d ** 2 / variance >= Z_SQUARED;
  },
  /** Its mixture is as wide as the difference that is there, which nobody knows beforehand. */
  "mSPRT, read every day": (daily: readonly Difference[], tau: number) =>
    daily.some((one) => mixtureRatio(one, tau) >= 1 / ALPHA),
  "GrowthBook's sequential test, read every day": (daily: readonly Difference[]) =>
    daily.some((one) => confidenceSequence(one) >= 1 / ALPHA),
} as const;

const NOTHING: Difference = { d: 0, variance: 1, n: 0 };
const Z_SQUARED = 1.959964 ** 2;
const DAYS = 14;
/** The mixture's width where variants are alike. */
const TAU = 0.05;

const kindOf = (rates: readonly [number, number], leadsPerArm: number): Kind => ({
  ...{ rates, leadsPerArm, days: DAYS },
});

/** Shares of experiments in which each test ever shows a difference. */
export function sharesShown(
  rates: readonly [number, number],
  leadsPerArm: number,
  experiments: number,
): Record<keyof typeof RIVALS, number> {
  const tau = Math.abs(rates[1] - rates[0]) || TAU;
  const shown = Object.fromEntries(Object.keys(RIVALS).map((name) => [name, 0]));
  for (let nth = 1; nth <= experiments; nth += 1) {
    const leads = draw({ ...kindOf(rates, leadsPerArm), seed: seedOf(nth) });
    const daily = Array.from({ length: DAYS + WINDOW_DAYS }, (_, day) =>
      differenceOf(countsOn(leads, 0, day + 1), countsOn(leads, 1, day + 1)),
    ).filter(({ variance }) => variance > 0);
    for (const [name, shows] of Object.entries(RIVALS)) {
      shown[name] = (shown[name] ?? 0) + Number(shows(daily, tau)) / experiments;
    }
  }
  return shown as Record<keyof typeof RIVALS, number>;
}

const LEADS_MAX = 2_000;

/** Leads for each variant with which a test shows the difference as often as `power`, to within a few. */
export function leadsNeeded(
  name: keyof typeof RIVALS,
  rates: readonly [number, number],
  { power, experiments }: { power: number; experiments: number },
): number {
  let [few, many] = [0, LEADS_MAX];
  while (many - few > LEADS_EXACT) {
    const middle = Math.round((few + many) / 2);
    const isEnough = sharesShown(rates, middle, experiments)[name] >= power;
    [few, many] = isEnough ? [few, middle] : [middle, many];
  }
  return many;
}

const LEADS_EXACT = 5;
