/**
 * What the sums of an experiment say at one moment: whether the split is sound, which variants differ,
 * which is most likely the best, who bounces too much, and who has won. Read as often as one likes.
 *
 * Source: the rules are ours, argued in `docs/adr/experiments.md`.
 */

import { COUNT_MAX } from "#domain/experiments/stats/argument.ts";
import { roundShares } from "#domain/experiments/stats/bandit.ts";
import {
  type Arms,
  canRead,
  convergenceOf,
  posterior,
  READING_LEADS_MIN,
} from "#domain/experiments/stats/bayes.ts";
import { credibleInterval } from "#domain/experiments/stats/intervals.ts";
import {
  daysToDecision,
  errorsAmong,
  minimumDetectable,
  sampleSize,
} from "#domain/experiments/stats/sample-size.ts";
import { ALPHA } from "#domain/experiments/stats/sequential.ts";
import { DAY_MS } from "#domain/time.ts";
import { BASELINE_DEFAULT } from "./experiment.ts";
import {
  aheadOfPresent,
  type ChallengerReading,
  readChallengers,
  withDunnett,
} from "./experiment-challengers.ts";
import { expectedRatio } from "./experiment-expected.ts";
import {
  comparedArms,
  eventsOf,
  type Figures,
  isBandit,
  type Outlook,
  rivalsOf,
} from "./experiment-figures.ts";
import { type Breach, findBreaches, findCost } from "./experiment-guardrail.ts";
import { beats, type PairReading, pairOf, pOfBest, readPairs } from "./experiment-pairs.ts";
import { readSplitCheck, type SplitReading } from "./experiment-split.ts";
import { addCounts, NO_COUNTS } from "./exposure.ts";

/**
 * A bandit's leader wins from this probability of being the best, where the test shows it too. Among equals,
 * one of two reaches 0.95 in 10 experiments of 100, and 0.99 in 2; of three or more 0.95 in 1 to 2.
 */
export const BANDIT_WINS_P = { ofTwo: 0.99, ofMore: 0.95 };
/** Nothing is decided before: weekdays differ, and the first leads are not like the rest. */
export const DECIDED_MS_MIN = 7 * DAY_MS;
export const DECIDED_LEADS_MIN = 100;

/** Lists are in the order of the variants, and numbers in them their places. */
export interface Reading {
  isFinal: boolean;
  /** Enough leads are measured in every variant. */
  isReadable: boolean;
  split: SplitReading;
  pairs: PairReading[];
  /** Every other variant against the present text. */
  challengers: ChallengerReading[];
  winProbabilities: number[];
  convergence: number;
  /** Most likely the best of those that may win; null while nothing can be read. */
  leader: number | null;
  expectedLoss: number[] | null;
  /** What another than the leader may still be worth more, as a fraction of its rate. */
  valueRemaining: number | null;
  /** Of rates within epochs. */
  credibleIntervals: { rate: number; low: number; high: number }[];
  /** Who is to be taken out of the race, and after them who would win if fewer people opted out of it. */
  breaches: Breach[];
  /** The variant that would win; it is taken out of nothing. */
  costly: number | null;
  /** Of a test-and-roll at its end: the variant that the rest gets, significant or not. */
  picked: number | null;
  /** Clearly behind: places. */
  eliminated: number[];
  /** Null while it is too early for a verdict. */
  winner: number | null;
  /** The ratio that the leads up to the end can show; null where none. */
  mdeRatio: number | null;
  daysToDecision: number | null;
}

export function readExperiment(figures: Figures, outlook: Outlook): Reading {
  const { arms, metric } = figures;
  const compared = comparedArms(
    metric,
    figures.epochs,
    arms.map((_, arm) => arm),
  );
  const beliefs = beliefsOf(figures, compared);
  const { winProbabilities } = beliefs;
  const split = readSplitCheck(figures);
  const breaches = findBreaches(figures);
  const leader = beliefs.isReadable ? leaderOf(figures, winProbabilities, breaches) : null;
  const sent = arms.reduce((total, { counts }) => total + counts.sent, 0);
  const leadsToCome = Math.max(0, outlook.leadsByEnd - sent);
  const read = withDunnett(figures, readPairs(figures, leader, leadsToCome));
  const decided = split.alarm || isEarly(figures, outlook) ? null : leader;
  const ahead = hasWon(figures, { pairs: read, leader: decided, winProbabilities })
    ? decided
    : null;
  const { cost, winner, picked } = judge(figures, ahead, decided);
  const pairs = winner === null ? read : withWinner(figures, read, winner);
  return {
    ...beliefs,
    isFinal: figures.isFinal,
    split,
    pairs,
    challengers: readChallengers(figures, pairs, leadsToCome),
    winProbabilities: roundShares(winProbabilities),
    leader,
    credibleIntervals: arms.map((_, arm) => credibleOf(compared, arm)),
    breaches: cost === null ? breaches : [...breaches, cost],
    eliminated: eliminatedOf(figures, pairs, decided),
    costly: cost?.arm ?? null,
    winner,
    picked,
    ...plan(figures, outlook, { leader, winner }, compared),
  };
}

type Beliefs = Pick<
  Reading,
  "isReadable" | "winProbabilities" | "convergence" | "expectedLoss" | "valueRemaining"
>;

/** Which of the variants is the best, but for those that were switched off. */
function beliefsOf(figures: Figures, compared: Arms): Beliefs {
  const { arms } = figures;
  const places = [...arms.keys()].filter((arm) => arms[arm]?.out !== "switched_off");
  const own = ({ successes, failures }: Arms): Arms => ({
    successes: places.map((arm) => successes[arm] ?? 0),
    failures: places.map((arm) => failures[arm] ?? 0),
  });
  const judged = {
    successes: arms.map(({ counts }) => counts.successes),
    failures: arms.map(({ counts }) => counts.failures),
  };
  const spread = (values: readonly number[]) =>
    arms.map((_, arm) => values[places.indexOf(arm)] ?? 0);
  if (!canRead(own(judged), leadsToRead(figures))) {
    const winProbabilities = spread(places.map(() => 1 / places.length));
    const nothing = { convergence: 0, expectedLoss: null, valueRemaining: null };
    return { isReadable: false, winProbabilities, ...nothing };
  }
  const { pBest, loss, valueRemaining } = posterior(own(compared));
  // Sending one that is off would cost what it lacks to the best of all.
  const all = places.length === arms.length ? loss : posterior(compared).loss;
  return {
    isReadable: true,
    winProbabilities: spread(pBest),
    convergence: convergenceOf(pBest),
    expectedLoss: all.map((own, arm) => loss[places.indexOf(arm)] ?? own),
    valueRemaining: valueRemaining(),
  };
}

/** The rest of its leads gets the leader, shown to be the best or not. */
function isPicking({ mode, isFinal }: Figures): boolean {
  return mode === "test_and_roll" && isFinal;
}

/** Measured leads of each variant from which anything is read. */
function leadsToRead(figures: Figures): number {
  return figures.windowDays === 0 || isPicking(figures) ? 1 : READING_LEADS_MIN;
}

/** `ahead` wins and `leader` is picked, unless more people opt out of it than chance explains. */
function judge(figures: Figures, ahead: number | null, leader: number | null) {
  const picked = isPicking(figures) ? leader : null;
  const best = ahead ?? picked;
  const cost = best === null ? null : findCost(figures, best);
  return cost === null ? { cost, winner: ahead, picked } : { cost, winner: null, picked: null };
}

function credibleOf({ successes, failures }: Arms, arm: number) {
  const [s, f] = [successes[arm] ?? 0, failures[arm] ?? 0];
  const { lower, upper } = credibleInterval({ s, f, level: 1 - ALPHA });
  return { rate: s + f === 0 ? 0 : s / (s + f), low: lower, high: upper };
}

/** The likeliest of those still in the race; who bounces too much cannot lead. */
function leaderOf(
  { arms }: Figures,
  winProbabilities: readonly number[],
  breaches: readonly Breach[],
): number | null {
  let leader: number | null = null;
  for (const [arm, { out }] of arms.entries()) {
    const isIn = out === null && !breaches.some((breach) => breach.arm === arm);
    if (isIn && (winProbabilities[arm] ?? 0) > (winProbabilities[leader ?? -1] ?? -1)) {
      leader = arm;
    }
  }
  return leader;
}

/** True until an experiment has run long enough, with enough leads, for anything to be decided. */
function isEarly({ isFinal, arms }: Figures, { elapsedMs }: Outlook): boolean {
  const isSmall = arms.some(({ out, counts }) => out === null && counts.sent < DECIDED_LEADS_MIN);
  return !isFinal && (elapsedMs < DECIDED_MS_MIN || isSmall);
}

function hasWon(
  figures: Figures,
  read: {
    pairs: readonly PairReading[];
    /** Null where nothing may be decided. */
    leader: number | null;
    winProbabilities: readonly number[];
  },
): boolean {
  const { pairs, leader, winProbabilities } = read;
  if (leader === null) {
    return false;
  }
  const rivals = rivalsOf(figures, leader);
  const isShown = pOfBest(pairs, leader, rivals) <= ALPHA;
  if (isBandit(figures.mode)) {
    const enough = rivals.length > 1 ? BANDIT_WINS_P.ofMore : BANDIT_WINS_P.ofTwo;
    return figures.isFinal && isShown && (winProbabilities[leader] ?? 0) >= enough;
  }
  return isShown;
}

/** A winner's pairs tell what it won by; what is shown of them needs no correction for the others. */
function withWinner(
  figures: Figures,
  pairs: readonly PairReading[],
  winner: number,
): PairReading[] {
  const rivals = rivalsOf(figures, winner);
  const pBest = pOfBest(pairs, winner, rivals);
  const past = figures.past();
  return pairs.map((pair) => {
    const isWon = rivals.some((rival) => pair === pairOf(pairs, winner, rival));
    return isWon
      ? {
          ...pair,
          pValue: Math.min(pair.pValue, pBest),
          expected: expectedRatio(figures, pair, past),
        }
      : pair;
  });
}

/** Who is beaten by the leader, and the present text where anyone beats it. `leader`: null where it is too early. */
function eliminatedOf(
  figures: Figures,
  pairs: readonly PairReading[],
  leader: number | null,
): number[] {
  const { arms, present } = figures;
  const isBeaten = aheadOfPresent(figures, pairs).length > 0;
  const isBehind = (arm: number) =>
    arms.length > 2 &&
    leader !== null &&
    arm !== leader &&
    (beats(pairs, leader, arm) || (arm === present && isBeaten));
  return arms.flatMap(({ out }, arm) =>
    out === "eliminated" || (out === null && isBehind(arm)) ? [arm] : [],
  );
}

/** What the leads that are still to come can show. */
function plan(
  figures: Figures,
  outlook: Outlook,
  { leader, winner }: Pick<Reading, "leader" | "winner">,
  compared: Arms,
): Pick<Reading, "mdeRatio" | "daysToDecision"> {
  const { arms, windowDays } = figures;
  const inRace = arms.filter(({ out }) => out === null).length;
  const baseline = baselineOf(figures);
  const errors = errorsAmong(arms.length);
  const nPerVariant = Math.floor(outlook.leadsByEnd / Math.max(1, inRace));
  const { ratio } = minimumDetectable({ baseline, nPerVariant, ...errors });
  const untilEnd = Math.max(0, Math.ceil((outlook.lastReadingAt - outlook.now) / 86_400_000));
  const needed = leader === null ? null : neededFor(figures, leader, compared);
  const { days } =
    needed === null || outlook.leadsPerDay <= 0
      ? { days: null }
      : daysToDecision({
          variants: Math.max(1, inRace),
          nPerVariant: needed,
          dailyLeads: outlook.leadsPerDay,
          windowDays,
        });
  // What isn't decided by the leads that it should need takes a day more at least.
  const least = winner === null ? 1 : 0;
  const needs = days === null ? untilEnd : Math.max(least, days);
  return {
    mdeRatio: ratio,
    daysToDecision: outlook.isAssigning ? Math.min(untilEnd, needs) : untilEnd,
  };
}

/** The rate to plan by: that of all variants. */
export function baselineOf({ arms, metric }: Pick<Figures, "arms" | "metric">): number {
  const total = arms.reduce((all, { counts }) => addCounts(all, counts), { ...NO_COUNTS });
  const events = eventsOf(metric, total);
  return events === 0 || events === total.sent ? BASELINE_DEFAULT : events / total.sent;
}

/** Leads a variant that would show the difference there seems to be; null where no list could. */
function neededFor(figures: Figures, leader: number, compared: Arms): number | null {
  const rate = (arm: number) => {
    const won = compared.successes[arm] ?? 0;
    return (won + 1) / (won + (compared.failures[arm] ?? 0) + 2);
  };
  const best = rate(leader);
  const next = Math.max(0, ...rivalsOf(figures, leader).map(rate));
  if (next <= 0 || best <= next) {
    return null;
  }
  const { nPerVariant } = sampleSize({ p1: next, p2: best, ...errorsAmong(figures.arms.length) });
  if (nPerVariant > COUNT_MAX) {
    return null;
  }
  const sent = figures.arms[leader]?.counts.sent ?? 0;
  return Math.max(0, nPerVariant - sent);
}
