/** What has to be known beside the numbers of an experiment. */

import { ALPHA } from "#domain/experiments/stats/sequential.ts";
import { twoProportionTest } from "#domain/experiments/stats/two-proportion.ts";
import { tellExpected } from "./experiment-expected.ts";
import { comparedArms, type Figures, isBandit } from "./experiment-figures.ts";
import { isSignificant } from "./experiment-pairs.ts";
import type { Reading } from "./experiment-reading.ts";
import { listed } from "./experiment-words.ts";

export const WARNING_CODES = [
  "winners_curse",
  "metrics_disagree",
  "strata_disagree",
  "bandit_bias",
  "step_changed",
  "replanned",
  "variant_on_hold",
  "winner_not_applied",
] as const;

export interface Warning {
  code: (typeof WARNING_CODES)[number];
  message: string;
}

/** What happened to the experiment itself. */
export interface Mishaps {
  stepChanged: boolean;
  replanned: boolean;
  onHold: readonly VariantOnHold[];
  notApplied: NotApplied | null;
}

/** A winner that was to be written into the step, and what is against it. */
export interface NotApplied {
  name: string;
  fault: string;
}

/** Leads that one variant would be sent to, and why they are on hold. */
export interface VariantOnHold {
  name: string;
  leads: number;
  /** Names of variables that they lack. */
  missing: readonly string[];
}

const INTERESTED_MIN = 5;
const INTERESTED_RATIO = 1.25;

export function warningsOf(figures: Figures, reading: Reading, mishaps: Mishaps): Warning[] {
  const warnings: Warning[] = [];
  const warn = (code: Warning["code"], message: string) => warnings.push({ code, message });
  if (reading.winner !== null) {
    warn(
      "winners_curse",
      `${tellExpected(reading.pairs, reading.winner, figures.present) ?? "Expect a smaller difference from now on"}: ` +
        "winners look better than they are.",
    );
  }
  const wanted = moreInterested(figures, reading);
  if (wanted !== null) {
    warn(
      "metrics_disagree",
      `${wanted} gets more interested replies than the variant that leads by replies.`,
    );
  }
  if (reading.pairs.some(isOnlyPooled)) {
    warn(
      "strata_disagree",
      "Within mailboxes and providers there is no difference: the variants were not sent through them equally.",
    );
  }
  if (isBandit(figures.mode)) {
    warn(
      "bandit_bias",
      "The split changed while reply rates changed too, so the plain rates are misleading: compare p-values and the probability to be best.",
    );
  }
  if (mishaps.stepChanged) {
    warn(
      "step_changed",
      "The step's content changed while leads were being assigned: early and late leads of a " +
        "variant got different emails.",
    );
  }
  if (mishaps.replanned) {
    warn(
      "replanned",
      "The end date was moved after the start, so the final test is not used: only the test that is " +
        "valid at any time counts.",
    );
  }
  if (mishaps.notApplied !== null) {
    const { name, fault } = mishaps.notApplied;
    warn("winner_not_applied", `${name} wasn't written into the step: ${fault}.`);
  }
  for (const { name, leads, missing } of mishaps.onHold) {
    warn(
      "variant_on_hold",
      `${name} hasn't been sent to anyone: ${leads} lead${leads === 1 ? " is" : "s are"} on hold ` +
        `because ${leads === 1 ? "it has" : "they have"} no ${listed(missing)}. Add it to the leads, or end the experiment and give the ` +
        "variant a fallback.",
    );
  }
  return warnings;
}

function moreInterested({ arms, epochs, metric }: Figures, { leader }: Reading): string | null {
  if (metric !== "reply_rate" || leader === null || arms[leader]?.counts.sent === 0) {
    return null;
  }
  const { successes, failures } = comparedArms(
    "interested_rate",
    epochs,
    arms.map((_, arm) => arm),
    { live: true },
  );
  const of = (arm: number) => {
    // A bandit's are equivalent counts, with fractions.
    const x = Math.round(successes[arm] ?? 0);
    return { x, n: x + Math.round(failures[arm] ?? 0) };
  };
  const { x: xA, n: nA } = of(leader);
  const best = arms.find(({ counts }, arm) => {
    const { x: xB, n: nB } = of(arm);
    return (
      counts.interested >= INTERESTED_MIN &&
      xB / nB > (INTERESTED_RATIO * xA) / nA &&
      twoProportionTest({ xA, nA, xB, nB }).pValue <= ALPHA
    );
  });
  return best?.name ?? null;
}

function isOnlyPooled(pair: Reading["pairs"][number]): boolean {
  return isSignificant(pair) && pair.pStratified !== null && pair.pStratified > ALPHA;
}
