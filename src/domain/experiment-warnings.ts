/** What has to be known beside the numbers of an experiment. */

import { type Figures, isBandit } from "./experiment-figures.ts";
import { isSignificant } from "./experiment-pairs.ts";
import type { Reading } from "./experiment-reading.ts";
import { ALPHA } from "./stats/sequential.ts";

export const WARNING_CODES = [
  "winners_curse",
  "metrics_disagree",
  "strata_disagree",
  "bandit_bias",
  "step_changed",
  "replanned",
] as const;

export interface Warning {
  code: (typeof WARNING_CODES)[number];
  message: string;
}

/** What happened to the experiment itself. */
export interface Mishaps {
  stepChanged: boolean;
  replanned: boolean;
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
      "Variants that were given fewer leads look worse than they are: compare by the p-values.",
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
  return warnings;
}

function moreInterested({ arms, metric }: Figures, { leader }: Reading): string | null {
  const own = arms[leader ?? -1]?.counts;
  if (metric !== "reply_rate" || own === undefined || own.sent === 0) {
    return null;
  }
  const best = arms.find(
    ({ counts }) =>
      counts.sent > 0 &&
      counts.interested >= INTERESTED_MIN &&
      counts.interested / counts.sent > INTERESTED_RATIO * (own.interested / own.sent),
  );
  return best?.name ?? null;
}

function isOnlyPooled(pair: Reading["pairs"][number]): boolean {
  return isSignificant(pair) && pair.pStratified !== null && pair.pStratified > ALPHA;
}
