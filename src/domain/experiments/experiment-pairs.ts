/**
 * Every two variants against each other. A p-value of this file may be read every day: of a fixed split it
 * comes from looks that know the planned end, of a bandit, or where that end was moved, from a test that
 * needs none; the test at the planned end is read once.
 *
 * Two variants are compared over the leads that were assigned while both were in the race.
 *
 * Source: the formulas are `stats/`'s; how they are put together is ours (`docs/adr/experiments.md`).
 */

import { probBBeatsA } from "#domain/experiments/stats/bayes.ts";
import { ALPHA, holm } from "#domain/experiments/stats/sequential.ts";
import { commonEpochs, comparedArms, type Figures, isBandit } from "./experiment-figures.ts";
import {
  type LastReading,
  type Levels,
  PAIR_LEVELS,
  type Place,
  readEpochs,
  readLastOfEpochs,
  readLastOfSplit,
  readLook,
  readSplit,
  type TestReading,
} from "./experiment-pair-tests.ts";

/** `a` and `b` are places of variants, `a` the lower; the rest is what the test says that decides. */
export interface PairReading extends Omit<TestReading, "p"> {
  a: number;
  b: number;
  /** Valid whenever it is read, whatever is planned. */
  pAnytime: number;
  /** Valid at every look up to the planned end; null where there is none that it could go by. */
  pSequential: number | null;
  /** Of the test at the planned end; null until then, and where that end was moved. */
  pFixed: number | null;
  /** The same within mailboxes and providers. */
  pStratified: number | null;
  /** Of those that count, for these two alone: what a variant has to show against each rival to win. */
  pAlone: number;
  /**
   * With all others in mind: of the present text's pairs by Dunnett, of any others by Holm; of a winner's pairs, of
   * the claim that it is the best.
   */
  pValue: number;
  /** b's rate over a's; null where nothing came of a. Its interval leaves out 1 where `pAlone` shows a difference. */
  ratio: number | null;
  /** The same as it is to be expected from here on; set for a winner's pairs. */
  expected?: number | null;
  /** b's success rate minus a's, in the last reading. */
  difference: LastReading["difference"];
  /** Null while too few leads are measured, and among many variants for pairs without the leader. */
  probBBeatsA: number | null;
}

/** Variants up to which every pair has its probability: each costs an integral. */
const ALL_PAIRS_MAX = 5;

/**
 * `leader` is the place of the one that is most likely the best; null while too few are measured.
 * `leadsToCome`: those that are expected to be sent the step by the planned end.
 */
export function readPairs(
  figures: Figures,
  leader: number | null,
  leadsToCome: number,
): PairReading[] {
  const pairs: PairReading[] = [];
  for (let a = 0; a < figures.arms.length; a += 1) {
    for (let b = a + 1; b < figures.arms.length; b += 1) {
      const place = { a, b, epochs: commonEpochs(figures.epochs, a, b) };
      const probBBeatsA = isAsked(figures, place, leader) ? probabilityOf(figures, place) : null;
      pairs.push({ ...readPair(figures, place, leadsToCome), probBBeatsA });
    }
  }
  const { adjusted } = holm({ p: pairs.map(({ pAlone }) => pAlone) });
  return pairs.map((pair, index) => ({ ...pair, pValue: adjusted[index] ?? 1 }));
}

/** Whether an adjusted p-value shows a difference. */
export function isSignificant({ pValue }: Pick<PairReading, "pValue">): boolean {
  return pValue <= ALPHA;
}

/** The pair of two places, whichever comes first. */
export function pairOf(
  pairs: readonly PairReading[],
  one: number,
  other: number,
): PairReading | undefined {
  const [a, b] = [Math.min(one, other), Math.max(one, other)];
  return pairs.find((pair) => pair.a === a && pair.b === b);
}

/** True when a pair shows that `arm` does better than `other`. */
export function beats(pairs: readonly PairReading[], arm: number, other: number): boolean {
  const pair = pairOf(pairs, arm, other);
  return pair?.better === arm && isSignificant(pair);
}

/**
 * The p-value of "`arm` does better than each of `rivals`": the largest of its pairs', and 1 where it trails
 * in one. Such a claim is false only if a single pair's is, so it needs no correction for their number.
 *
 * Source: intersection–union tests, Berger 1982 (Technometrics 24, 295–300).
 */
export function pOfBest(
  pairs: readonly PairReading[],
  arm: number,
  rivals: readonly number[],
): number {
  const all = rivals.map((rival) => {
    const pair = pairOf(pairs, arm, rival);
    return pair?.better === arm ? pair.pAlone : 1;
  });
  return all.length === 0 ? 1 : Math.max(...all);
}

/**
 * Of the tests that count the one with the smallest p-value decides, in a tie that at the planned end. `levels` are
 * those of the intervals.
 */
export function readPair(
  figures: Figures,
  place: Place,
  leadsToCome: number,
  levels: Levels = PAIR_LEVELS,
): Omit<PairReading, "probBBeatsA"> {
  const bandit = isBandit(figures.mode);
  const anytime = (bandit ? readEpochs : readSplit)(figures, place, levels);
  const look =
    bandit || !figures.readsFixed
      ? null
      : readLook(figures, place, ofPair(figures, place, leadsToCome), levels);
  const readLast = bandit ? readLastOfEpochs : readLastOfSplit;
  const last = figures.isFinal && figures.readsFixed ? readLast(figures, place, levels) : null;
  const early = { ...anytime, ...look };
  const { p, rateA, rateB, ...decisive } = last === null || early.p < last.p ? early : last;
  return {
    ...{ a: place.a, b: place.b, rateA, rateB },
    test: decisive.test,
    better: decisive.better,
    ratio: rateA === null || rateB === null || rateA === 0 ? null : rateB / rateA,
    ratioLow: decisive.ratioLow,
    ratioHigh: decisive.ratioHigh,
    pAnytime: anytime.pAnytime,
    pSequential: look?.p ?? null,
    pFixed: last?.pFixed ?? null,
    pStratified: last?.pStratified ?? null,
    ...{ pAlone: p, pValue: p },
    difference: last?.difference ?? null,
  };
}

/** Of the leads to come, those that these two will be sent. */
export function ofPair({ arms }: Figures, { a, b }: Place, leadsToCome: number): number {
  const [own, other] = [arms[a], arms[b]];
  if (own === undefined || other === undefined || own.out !== null || other.out !== null) {
    return 0;
  }
  const inRace = arms.reduce((all, { out, weight }) => all + (out === null ? weight : 0), 0);
  return (leadsToCome * (own.weight + other.weight)) / inRace;
}

function isAsked({ arms }: Figures, { a, b }: Place, leader: number | null): boolean {
  return leader !== null && (a === leader || b === leader || arms.length <= ALL_PAIRS_MAX);
}

function probabilityOf({ metric }: Figures, { a, b, epochs }: Place): number {
  const { successes, failures } = comparedArms(metric, epochs, [a, b]);
  const [sA = 0, sB = 0] = successes;
  const [fA = 0, fB = 0] = failures;
  return probBBeatsA({ sA, fA, sB, fB }).p;
}
