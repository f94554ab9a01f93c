/** What has to be known beside the numbers of an experiment. */

import { ALPHA } from "#domain/experiments/stats/sequential.ts";
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
      "A difference that was large enough to be found is on average smaller than it looks: read the " +
        "interval first.",
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
      "Within mailboxes and providers the difference is not shown: they were not written to alike.",
    );
  }
  if (isBandit(figures.mode)) {
    warn(
      "bandit_bias",
      "Leads moved between variants while rates moved too, so the plain rates mislead: compare by the p-values and the probability to be best.",
    );
  }
  if (mishaps.stepChanged) {
    warn(
      "step_changed",
      "The step's own content was changed while leads were assigned: early and late leads of a " +
        "variant were not written the same.",
    );
  }
  if (mishaps.replanned) {
    warn(
      "replanned",
      "The end was moved after the start, so the test at the end is not read: only the test that is " +
        "valid at any time counts.",
    );
  }
  for (const { name, leads, missing } of mishaps.onHold) {
    warn(
      "variant_on_hold",
      `${name} has been sent to nobody: ${leads} lead${leads === 1 ? " is" : "s are"} on hold, ` +
        `without ${listed(missing)}. Add it to the leads, or end the experiment and give the ` +
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
  const rates = successes.map((count, arm) => count / (count + (failures[arm] ?? 0)));
  const best = arms.find(
    ({ counts }, arm) =>
      counts.interested >= INTERESTED_MIN &&
      (rates[arm] ?? 0) > INTERESTED_RATIO * (rates[leader] ?? 0),
  );
  return best?.name ?? null;
}

function isOnlyPooled(pair: Reading["pairs"][number]): boolean {
  return isSignificant(pair) && pair.pStratified !== null && pair.pStratified > ALPHA;
}
