/**
 * What to do about an experiment, in one sentence, and when it may stop by itself. The codes are a closed
 * set; the first that fits is told.
 *
 * Source: ours, argued in `docs/adr/experiments.md`.
 */

import { ALPHA } from "#domain/experiments/stats/sequential.ts";
import { DAY_MS } from "#domain/time.ts";
import type { ExperimentStatus } from "./experiment.ts";
import { namesAhead, startOfLost } from "./experiment-challengers.ts";
import { type Figures, isBandit, type Outlook, rivalsOf } from "./experiment-figures.ts";
import { tellBreach } from "./experiment-guardrail.ts";
import { pOfBest } from "./experiment-pairs.ts";
import {
  BANDIT_WINS_P,
  DECIDED_LEADS_MIN,
  DECIDED_MS_MIN,
  type Reading,
} from "./experiment-reading.ts";
import { tellSplit } from "./experiment-split.ts";
import { picked, testing, thenOf } from "./experiment-test-and-roll.ts";
import {
  asPercent,
  asRatio,
  dateOf,
  listed,
  METRIC_EVENTS,
  type Params,
  ratioOver,
} from "./experiment-words.ts";

export const RECOMMENDATION_CODES = [
  "no_data",
  "srm_detected",
  "guardrail_breach",
  "winner_found",
  "losers_found",
  "warming_up",
  "underpowered",
  "keep_running",
  "bandit_exploring",
  "bandit_converging",
  "evaluating",
  "equivalent",
  "lean_leader",
  "inconclusive",
  "bandit_converged",
  "chosen_by_hand",
  "one_left",
  "testing",
  "leader_picked",
  "cancelled",
] as const;
export type RecommendationCode = (typeof RECOMMENDATION_CODES)[number];

export interface Recommendation {
  code: RecommendationCode;
  sentence: string;
  /** What the sentence holds, by name. */
  params: Params;
}

/** What there is to judge. */
export interface Verdict {
  figures: Figures;
  reading: Reading;
  outlook: Outlook;
  status: ExperimentStatus;
  /** The variant that a person chose; undefined where nobody did, null for none. */
  selected?: number | null;
  /** The winner was to be written into the step, and couldn't be. */
  isNotApplied?: boolean;
}

/** A test that can only show more than this is told to be too small. */
const MDE_RATIO_MAX = 2;
const EQUAL_WITHIN = 0.1;
const LEAN_P = 0.8;
const CONVERGING = 0.5;

/** True when a fixed split has its winner. */
export function mayStopEarly({ figures, reading }: Pick<Verdict, "figures" | "reading">): boolean {
  return !isBandit(figures.mode) && reading.winner !== null;
}

/** The first that fits. */
export function recommend(verdict: Verdict): Recommendation {
  const said = RULES.map((rule) => rule(verdict)).find((one) => one !== null);
  return said ?? inconclusive(verdict);
}

type Rule = (verdict: Verdict) => Recommendation | null;

const RULES: readonly Rule[] = [
  ({ status }) =>
    status === "cancelled"
      ? say("cancelled", {}, "The experiment was canceled before its first reading.")
      : null,
  byHand,
  ({ figures }) =>
    figures.arms.every(({ counts }) => counts.sent === 0)
      ? say("no_data", {}, "No emails have been sent in this experiment yet.")
      : null,
  splitIsOff,
  picked,
  breached,
  won,
  oneLeft,
  lost,
  testing,
  warmingUp,
  underpowered,
  keepRunning,
  bandit,
  evaluating,
  equivalent,
  leaning,
];

function say(code: RecommendationCode, params: Params, sentence: string): Recommendation {
  return { code, params, sentence };
}

function nameOf({ figures }: Verdict, arm: number | null): string {
  return figures.arms[arm ?? -1]?.name ?? "";
}

/** Leads are assigned, or will be again. */
function isRunning({ status }: Verdict): boolean {
  return status === "running" || status === "paused";
}

function byHand(verdict: Verdict): Recommendation | null {
  if (verdict.selected === undefined) {
    return null;
  }
  const winner = nameOf(verdict, verdict.selected);
  return verdict.selected === null
    ? say(
        "chosen_by_hand",
        { winner: null },
        "The experiment was completed manually, without a winner.",
      )
    : say("chosen_by_hand", { winner }, `${winner} was picked manually, not by the test.`);
}

function splitIsOff({ figures, reading }: Verdict): Recommendation | null {
  const told = tellSplit(figures, reading.split);
  return told === null ? null : say("srm_detected", told.params, told.sentence);
}

function breached({ reading, figures, status }: Verdict): Recommendation | null {
  const [breach] = reading.breaches;
  const past = figures.arms.find(({ out }) => out === "guardrail");
  if (status === "completed" && reading.winner !== null) {
    return null;
  }
  if (breach === undefined) {
    return past === undefined
      ? null
      : say(
          "guardrail_breach",
          { variant: past.name, rate: null, limit: null },
          `${past.name} was paused for too many bounces, opt-outs, or negative replies. Check its content and links.`,
        );
  }
  const { params, sentence } = tellBreach(figures, breach, breach.arm === reading.costly);
  return say("guardrail_breach", params, sentence);
}

function won(verdict: Verdict): Recommendation | null {
  const { reading, figures } = verdict;
  if (reading.winner === null) {
    return null;
  }
  const winner = nameOf(verdict, reading.winner);
  if (isBandit(figures.mode)) {
    const p = reading.winProbabilities[reading.winner] ?? 0;
    return say(
      "bandit_converged",
      { winner, p },
      `${winner} is the best variant with ${asPercent(p)}% probability. Keep sending it.`,
    );
  }
  const rivals = rivalsOf(figures, reading.winner);
  const { low, high, confidence } = ratioOver(reading.pairs, reading.winner, rivals);
  const events = METRIC_EVENTS[figures.metric];
  const got = figures.metric === "bounce_rate" ? "it has fewer" : "it gets more";
  return say(
    "winner_found",
    { winner, low, high, confidence },
    `${winner} wins: ${got} ${events} than ${rivals.length > 1 ? "every other variant" : "the other variant"}. ` +
      thenOf(verdict),
  );
}

/** The others were switched off. */
function oneLeft({ figures: { arms }, status }: Verdict): Recommendation | null {
  const [variant, ...others] = arms.flatMap(({ name, out }) => (out === null ? [name] : []));
  const isSwitched = arms.some(({ out }) => out === "switched_off");
  if (variant === undefined || others.length > 0 || !isSwitched) {
    return null;
  }
  const has = status === "completed" ? "had" : "has";
  const sentence = `Only ${variant} is active, so it ${has} nothing left to be compared with.`;
  return say("one_left", { variant }, sentence);
}

function lost(verdict: Verdict): Recommendation | null {
  const { reading, figures, status } = verdict;
  const { eliminated, winner } = reading;
  const goesOn = isBandit(figures.mode) && isRunning(verdict);
  const names = figures.arms.map(({ name }) => name);
  const losers = names.filter((_, arm) => eliminated.includes(arm));
  const rest = names.filter(
    (_, arm) => !eliminated.includes(arm) && figures.arms[arm]?.out !== "switched_off",
  );
  if (losers.length === 0 || rest.length < 2 || winner !== null || goesOn) {
    return null;
  }
  const isOut = eliminated.every((arm) => figures.arms[arm]?.out !== null);
  const [are, them] = losers.length > 1 ? ["are", "them"] : ["is", "it"];
  const ahead = namesAhead(figures, reading);
  const start = startOfLost(ahead, status === "completed");
  const keep = listed(rest);
  const drop = isOut ? ` and no longer sent. ${keep} go on.` : `. Drop ${them} and keep ${keep}.`;
  const then = status === "completed" ? `. Choose between ${keep}.` : drop;
  const sentence = `${start}${listed(losers)} ${are} clearly behind${then}`;
  return say("losers_found", { losers, rest, ahead }, sentence);
}

function warmingUp(verdict: Verdict): Recommendation | null {
  const { reading, outlook, figures } = verdict;
  if (reading.isReadable || !isRunning(verdict)) {
    return null;
  }
  const days = figures.windowDays;
  const date = dateOf(outlook.firstReadingAt);
  const wait =
    days === 0
      ? "too few leads have been emailed."
      : `replies keep arriving for ${days} day${days === 1 ? "" : "s"} after each send.`;
  return say(
    "warming_up",
    { w: days, date },
    `Too early to tell: ${wait} First reading around ${date}.`,
  );
}

function underpowered(verdict: Verdict): Recommendation | null {
  const { mdeRatio } = verdict.reading;
  const isSmall = mdeRatio === null || mdeRatio > MDE_RATIO_MAX;
  if (!isRunning(verdict) || isBandit(verdict.figures.mode) || !isSmall) {
    return null;
  }
  const date = dateOf(verdict.outlook.endsAt);
  const sentence =
    "Add leads, extend it, or test a bolder change: at the current pace, this test " +
    (mdeRatio === null
      ? `can't detect any difference by ${date}.`
      : `can only detect a ${asRatio(mdeRatio)}x difference by ${date}.`);
  return say("underpowered", { mde: mdeRatio, date }, sentence);
}

function keepRunning(verdict: Verdict): Recommendation | null {
  if (!isRunning(verdict) || isBandit(verdict.figures.mode)) {
    return null;
  }
  const { leader, winProbabilities, daysToDecision } = verdict.reading;
  const p = winProbabilities[leader ?? -1] ?? 0;
  const days = daysToDecision ?? 0;
  const name = nameOf(verdict, leader);
  const leads = `Keep running: ${name} leads with a ${asPercent(p)}% probability of being best. `;
  const then = isAhead(verdict)
    ? `That would decide it, but a verdict needs ${DECIDED_MS_MIN / DAY_MS} days and ` +
      `${DECIDED_LEADS_MIN} leads for each variant.`
    : `About ${days} more day${days === 1 ? " is" : "s are"} needed.`;
  return say("keep_running", { leader: name, p, days }, leads + then);
}

/** The leader beats every rival, whether or not that may decide yet. */
function isAhead({ figures, reading }: Verdict): boolean {
  const { leader, pairs, split } = reading;
  const rivals = leader === null ? [] : rivalsOf(figures, leader);
  return leader !== null && !split.alarm && pOfBest(pairs, leader, rivals) <= ALPHA;
}

function bandit(verdict: Verdict): Recommendation | null {
  const { figures, reading } = verdict;
  if (!isRunning(verdict) || !isBandit(figures.mode)) {
    return null;
  }
  const leader = nameOf(verdict, reading.leader);
  if (reading.convergence < CONVERGING) {
    return say(
      "bandit_exploring",
      { convergence: reading.convergence },
      "Still exploring: no variant stands out yet. Every variant keeps getting leads.",
    );
  }
  const shares = figures.epochs.at(-1)?.allocation ?? [];
  const share = shares[reading.leader ?? -1] ?? 0;
  const isLarger = shares.some((other) => other < share) && share === Math.max(...shares);
  if (!isLarger) {
    const sentence = `${leader} is ahead. Its share of sends grows with the next update.`;
    return say("bandit_converging", { leader, share }, sentence);
  }
  return say(
    "bandit_converging",
    { leader, share },
    `Shifting volume to ${leader} (${asPercent(share)}% of sends).`,
  );
}

function evaluating(verdict: Verdict): Recommendation | null {
  if (verdict.status !== "evaluating") {
    return null;
  }
  const date = dateOf(verdict.outlook.lastReadingAt);
  return say(
    "evaluating",
    { date },
    `Sending is done. Waiting until ${date} for the last replies before the final reading.`,
  );
}

function equivalent({ reading, figures }: Verdict): Recommendation | null {
  const { valueRemaining } = reading;
  if (
    valueRemaining === null ||
    valueRemaining > EQUAL_WITHIN ||
    figures.metric === "bounce_rate"
  ) {
    return null;
  }
  const variants = figures.arms.flatMap(({ name, out }, arm) =>
    out === null && (reading.winProbabilities[arm] ?? 0) >= 1 - LEAN_P ? [name] : [],
  );
  return variants.length < 2
    ? null
    : say(
        "equivalent",
        { variants },
        `${listed(variants)} perform the same within 10%. Pick whichever you prefer.`,
      );
}

function leaning(verdict: Verdict): Recommendation | null {
  const { leader, winProbabilities, expectedLoss } = verdict.reading;
  const p = winProbabilities[leader ?? -1] ?? 0;
  const isAheadOnly = isBandit(verdict.figures.mode) && isAhead(verdict);
  if (leader === null || (p < LEAN_P && !isAheadOnly)) {
    return null;
  }
  const loss = (expectedLoss?.[leader] ?? 0) * 1000;
  const name = nameOf(verdict, leader);
  const { figures } = verdict;
  if (isAheadOnly) {
    const needed =
      rivalsOf(figures, leader).length > 1 ? BANDIT_WINS_P.ofMore : BANDIT_WINS_P.ofTwo;
    const sentence =
      `${name} is ahead, but with a ${asPercent(p)}% probability of being best; ` +
      `a winner needs ${asPercent(needed)}%.`;
    return say("lean_leader", { leader: name, p, loss }, sentence);
  }
  const bet = figures.arms.length > 2 ? "best bet" : "better bet";
  return say(
    "lean_leader",
    { leader: name, p, loss },
    `Not conclusive. ${name} is the ${bet} (${asPercent(p)}% probability of being best).`,
  );
}

function inconclusive({ reading }: Verdict): Recommendation {
  const { mdeRatio } = reading;
  const could =
    mdeRatio === null
      ? "The test was too small to detect one."
      : `The test could have detected ${asRatio(mdeRatio)}x or more.`;
  return say(
    "inconclusive",
    { mde: mdeRatio },
    `No difference could be shown: keep what you have, or test a bolder change. ${could}`,
  );
}
