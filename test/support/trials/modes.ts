/** Experiments that are played through the whole program in every mode: what is true of them. */

import type { OptimizationMode } from "#domain/experiments/experiment.ts";
import type { TrialPlan } from "./play.ts";
import type { Ask } from "./side-by-side.ts";

type Truth = Pick<TrialPlan, "rates" | "drift"> &
  Partial<Pick<TrialPlan, "leadsPerArm" | "experiments">>;

const RATE = 0.05;
const oneOf = (many: number) => [RATE, 2 * RATE, ...Array.from({ length: many - 2 }, () => RATE)];
const ALIKE = [RATE, RATE];

/** Place of the best variant, where they aren't alike. */
export const BEST = 1;
/** Of each truth, in each mode, unless it says otherwise. */
export const EXPERIMENTS = 20;

export const TRUTHS: Readonly<Record<string, Truth>> = {
  "5 % each": { rates: ALIKE },
  "5 % each, rising to 20 %": { rates: ALIKE, drift: "rises" },
  "20 % each, falling to 5 %": { rates: ALIKE, drift: "falls" },
  "5 % each, 20 % on five days of seven": { rates: ALIKE, drift: "weekday" },
  "5 % each, from the middle on also from mailboxes at 20 %": { rates: ALIKE, drift: "joins" },
  "5 % each, from mailboxes that are new": { rates: ALIKE, drift: "ramps" },
  "5 and 6 %": { rates: [RATE, 1.2 * RATE] },
  "5 and 7.5 %": { rates: [RATE, 1.5 * RATE] },
  "5 and 10 %": { rates: [RATE, 2 * RATE] },
  "5 and 10 %, rising to four times as much": { rates: [RATE, 2 * RATE], drift: "rises" },
  "5 and 10 %, from mailboxes that are new": { rates: [RATE, 2 * RATE], drift: "ramps" },
  "one of five at 10 %, the others at 5 %": { rates: oneOf(5), experiments: 10 },
  "6 and 10 %, 700 leads for each": { rates: [0.06, 0.1], leadsPerArm: 700, experiments: 5 },
};

export const isAlike = ({ rates }: Truth) => rates.every((rate) => rate === rates[0]);

/** For each variant. */
export const LEADS = 300;
const SEED = 60_000;
const SEEDS_OF_A_TRUTH = 100;

/** The same seeds for all modes of a truth. */
export function askOf(truth: string, mode: OptimizationMode): Ask {
  const nth = Object.keys(TRUTHS).indexOf(truth);
  const known = TRUTHS[truth];
  if (known === undefined) {
    throw new Error(`nothing is known of ${truth}`);
  }
  return {
    ...known,
    ...{ mode, seed: SEED + nth * SEEDS_OF_A_TRUTH },
    experiments: known.experiments ?? EXPERIMENTS,
    ...{ leadsPerArm: known.leadsPerArm ?? LEADS, durationDays: 14, toTheEnd: true },
  };
}
