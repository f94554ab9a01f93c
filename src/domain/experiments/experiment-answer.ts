/**
 * What is read first beside the recommendation: one figure with its range, and in plain words what it rests on.
 * Every page takes these sentences as they are, so that all say the same.
 */

import { DAY_MS } from "#domain/time.ts";
import type { ExperimentStatus } from "./experiment.ts";
import type { ChallengerReading } from "./experiment-challengers.ts";
import type { Arm, Figures } from "./experiment-figures.ts";
import {
  BANDIT_WINS_P,
  DECIDED_LEADS_MIN,
  DECIDED_MS_MIN,
  type Reading,
} from "./experiment-reading.ts";
import type { RecommendationCode } from "./experiment-verdict.ts";
import {
  asChange,
  asCount,
  asLoss,
  asPercent,
  asRatio,
  METRIC_EVENTS,
  plural,
} from "./experiment-words.ts";
import { pendingOf } from "./exposure.ts";

export interface KeyFigure {
  /** "+105%". */
  value: string;
  /** "−2% to +326%". */
  range: string;
  /** What it is of, and whether it may be chance. */
  sentence: string;
}

export interface Answered extends Pick<Figures, "metric" | "mode" | "windowDays" | "present"> {
  arms: readonly Pick<Arm, "name" | "counts">[];
  reading: Reading;
  code: RecommendationCode;
  status: ExperimentStatus;
  /** Place of the winner of a closed experiment; null without one. */
  winner: number | null;
  /** Leads that the verdict of a closed experiment was based on; null while it is open. */
  judged: number | null;
}

/** Verdicts that say themselves what counts, or that no comparison counts. */
const WITHOUT_FIGURE: readonly RecommendationCode[] = [
  "srm_detected",
  "guardrail_breach",
  "one_left",
  "cancelled",
];

/** Of the variant that is ahead against the present text, or of the best other one where that is ahead itself. */
export function keyFigureOf({ arms, reading, code, winner, ...of }: Answered): KeyFigure | null {
  const { leader, winProbabilities, isReadable } = reading;
  // Results that were frozen before there were such comparisons have none.
  const challengers = reading.challengers ?? [];
  if (!isReadable || WITHOUT_FIGURE.includes(code)) {
    return null;
  }
  const ahead = winner ?? reading.winner ?? reading.picked ?? leader;
  const chance = ({ arm }: { arm: number }) => winProbabilities[arm] ?? 0;
  const shown =
    challengers.find(({ arm }) => arm === ahead) ??
    challengers.toSorted((one, other) => chance(other) - chance(one))[0];
  if (shown === undefined || shown.ratio === null || contradicts(shown, ahead, of.metric)) {
    return null;
  }
  const { arm, ratio, ratioLow, ratioHigh } = shown;
  const low = ratioLow ?? 0;
  const isOneSided = low > 1 || (ratioHigh !== null && ratioHigh < 1);
  const events = METRIC_EVENTS[of.metric];
  return {
    value: asChange(ratio),
    range:
      ratioHigh === null
        ? `${asChange(low)} or more`
        : `${asChange(low)} to ${asChange(ratioHigh)}`,
    sentence:
      `${events.charAt(0).toUpperCase()}${events.slice(1)} with ${arms[arm]?.name ?? ""}, compared with ` +
      `${arms[of.present]?.name ?? ""}. ` +
      (isOneSided
        ? "The range is 95% certain."
        : "The range is 95% certain and includes 0%, so there may be no difference."),
  };
}

/** All replies so far say otherwise than those of the leads that are measured, which tell who is ahead. */
function contradicts(
  { arm, ratio }: ChallengerReading,
  ahead: number | null,
  metric: Figures["metric"],
): boolean {
  const lift = Math.sign((ratio ?? 1) - 1) * (metric === "bounce_rate" ? -1 : 1);
  return ahead !== null && (arm === ahead ? lift < 0 : lift > 0);
}

const WINS =
  `A variant wins when it beats every other one with 95% certainty, after ${DECIDED_MS_MIN / DAY_MS} days and with ` +
  `${DECIDED_LEADS_MIN} leads for each at least.`;

const RULES: Readonly<Record<Figures["mode"], string>> = {
  fixed_split: WINS,
  auto_winner: `${WINS} It's then written into the step.`,
  test_and_roll:
    "When the leads of the test are measured, the better variant is written into the step, significant or not.",
  thompson_sampling:
    "A variant wins at the end, if it beats every other one with 95% certainty and is the best with a probability of " +
    `${asPercent(BANDIT_WINS_P.ofTwo)}%, or ${asPercent(BANDIT_WINS_P.ofMore)}% with three or more variants.`,
};

/** How the verdict comes about and how far it can be trusted, a sentence each. */
export function notesOf(of: Answered): string[] {
  const { status, mode, reading } = of;
  if (status === "cancelled") {
    return [];
  }
  const isOpen = status === "running" || status === "paused";
  const { alarm, pDecisive = null } = reading.split;
  return [
    RULES[mode],
    ...(isOpen ? [tellDetectable(reading)] : []),
    tellLoss(of),
    alarm || pDecisive === null ? null : "Leads were split between the variants as planned.",
    tellPending(of),
    tellBasis(of),
  ].filter((note) => note !== null);
}

function tellDetectable({ mdeRatio }: Reading): string {
  return mdeRatio === null
    ? "With the leads expected by the end, no difference can be found."
    : `With the leads expected by the end, a rate ${asRatio(mdeRatio)}x as high is found in four experiments of five.`;
}

function tellLoss({ arms, metric, reading: { leader, expectedLoss } }: Answered): string | null {
  const loss = leader === null ? undefined : expectedLoss?.[leader];
  return leader === null || loss === undefined
    ? null
    : `Another variant may still be better: on average, sending ${arms[leader]?.name ?? ""} to everyone costs ` +
        `${asLoss(loss)} ${METRIC_EVENTS[metric]} per 1,000 leads.`;
}

function tellPending({ arms, windowDays }: Answered): string | null {
  const pending = arms.reduce((sum, { counts }) => sum + Math.max(0, pendingOf(counts)), 0);
  return pending === 0 || windowDays === 0
    ? null
    : `${plural(pending, "lead")} may still reply: each is measured ${plural(windowDays, "day")} after its email.`;
}

/** A verdict stays as it was made; rates and lifts go on. */
function tellBasis({ arms, judged }: Answered): string | null {
  const measured = arms.reduce(
    (sum, { counts: { successes, failures } }) => sum + successes + failures,
    0,
  );
  return judged === null || judged === 0 || judged === measured
    ? null
    : `Decided on the ${plural(judged, "lead")} measured by then; rates and charts are of all ${asCount(measured)}.`;
}
