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
import { epochTest } from "#domain/experiments/stats/epochs.ts";
import { groupSequential, type LookReading } from "#domain/experiments/stats/group-sequential.ts";
import { newcombe, ratioInterval } from "#domain/experiments/stats/intervals.ts";
import { ALPHA_FIXED } from "#domain/experiments/stats/sample-size.ts";
import {
  ALPHA,
  combinedP,
  type EpochReplies,
  eprocessEpochs,
  eprocessReplies,
  holm,
  ratioCs,
} from "#domain/experiments/stats/sequential.ts";
import { cmh, twoProportionTest } from "#domain/experiments/stats/two-proportion.ts";
import {
  closedEventsOf,
  commonEpochs,
  comparedArms,
  type EpochFigures,
  eventsOf,
  type Figures,
  isBandit,
  sumOver,
} from "./experiment-figures.ts";
import { type Counts, NO_COUNTS } from "./exposure.ts";

/** `epoch_z`: of a bandit, within epochs. */
export const PAIR_TESTS = [
  "anytime",
  "group_sequential",
  "pooled_z",
  "fisher_mid_p",
  "epoch_z",
  "degenerate",
] as const;
export type PairTest = (typeof PAIR_TESTS)[number];

/** `a` and `b` are places of variants, `a` the lower. */
export interface PairReading {
  a: number;
  b: number;
  test: PairTest;
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
  /** The same with all other pairs in mind; of a winner's pairs, of the claim that it is the best. */
  pValue: number;
  /** The variant that does better, whether or not that is shown. */
  better: number | null;
  /**
   * b's rate over a's; null where nothing came of a. The interval is that of `test`: it leaves out 1 where
   * `pAlone` shows a difference.
   */
  ratio: number | null;
  ratioLow: number | null;
  ratioHigh: number | null;
  /** b's success rate minus a's, in the last reading. */
  difference: { value: number; low: number; high: number } | null;
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
      pairs.push(readPair(figures, { a, b }, { leader, leadsToCome }));
    }
  }
  const { adjusted } = holm({ p: pairs.map(({ pAlone }) => pAlone) });
  return pairs.map((pair, index) => ({ ...pair, pValue: adjusted[index] ?? 1 }));
}

/** p-values of {@link readPairs} up to this show a difference. */
export function isSignificant(pair: PairReading): boolean {
  return pair.pValue <= ALPHA;
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

interface Place {
  a: number;
  b: number;
}

function readPair(
  figures: Figures,
  place: Place,
  { leader, leadsToCome }: { leader: number | null; leadsToCome: number },
): PairReading {
  const epochs = commonEpochs(figures.epochs, place.a, place.b);
  const bandit = isBandit(figures.mode);
  const { favours, ...events } = bandit
    ? readByEpoch(figures, place, epochs)
    : readBySplit(figures, place, epochs);
  const isLast = figures.isFinal && figures.readsFixed;
  const read = bandit ? readLastByEpoch : readLast;
  const last = isLast ? read(figures, place, epochs) : NOT_LAST;
  const look =
    bandit || !figures.readsFixed ? null : lookAt(figures, place, { epochs, leadsToCome });
  const pAtEnd = (pAnytime: number) =>
    combinedP({ pAnytime, pFixed: last.pFixed, isFinal: isLast }).p;
  const pAlone = look === null ? pAtEnd(events.pAnytime) : Math.min(look.pValue, pAtEnd(1));
  return {
    ...place,
    better: armOf(place, favours),
    ...events,
    ...last,
    ...(look !== null && (last.pFixed === null || look.pValue < pAtEnd(1)) ? ofLook(look) : {}),
    pSequential: look?.pValue ?? null,
    ...{ pAlone, pValue: pAlone },
    probBBeatsA: isAsked(figures, place, leader) ? probabilityOf(figures, place, epochs) : null,
  };
}

/** What is told of a look that decides. */
function ofLook({ lower, upper }: LookReading) {
  return { test: "group_sequential" as const, ratioLow: lower, ratioHigh: upper };
}

/** A fixed split on its way to the planned end. */
function lookAt(
  figures: Figures,
  place: Place,
  { epochs, leadsToCome }: { epochs: readonly EpochFigures[]; leadsToCome: number },
): LookReading {
  const own = splitOf(figures, place, epochs);
  const { weightA, weightB, ...replies } = own;
  const inRace = figures.arms.reduce(
    (all, { out, weight }) => all + (out === null ? weight : 0),
    0,
  );
  const isOpen = [place.a, place.b].every((arm) => figures.arms[arm]?.out === null);
  const toCome = isOpen ? (leadsToCome * (weightA + weightB)) / inRace : 0;
  return groupSequential({
    ...replies,
    expected: expectedEvents(figures, place, { epochs, toCome }),
  });
}

/**
 * Events of both by the planned end, rather too many than too few: at the higher of the rates of the leads
 * that are measured and of all that were sent.
 */
function expectedEvents(
  { metric }: Figures,
  place: Place,
  { epochs, toCome }: { epochs: readonly EpochFigures[]; toCome: number },
): number {
  const sum = (count: (counts: Counts) => number) =>
    sumOver(epochs, place.a, count) + sumOver(epochs, place.b, count);
  const sent = sum((counts) => counts.sent);
  const events = sum((counts) => eventsOf(metric, counts));
  const measured = sum(({ successes, failures }) => successes + failures);
  const closed = sum((counts) => closedEventsOf(metric, counts));
  const rate = Math.max(events / Math.max(1, sent), closed / Math.max(1, measured));
  return Math.max(events + toCome * rate, (sent + toCome) * rate);
}

const NOT_LAST = {
  test: "anytime",
  pFixed: null,
  pStratified: null,
  difference: null,
} as const;

/** What is read once, when the planned end is over and every lead measured. */
function readLast(figures: Figures, place: Place, epochs: readonly EpochFigures[]) {
  const judged = judgedOf(place, epochs);
  const { test, pValue } = twoProportionTest(judged);
  const isEmpty = judged.nA === 0 || judged.nB === 0;
  const strata = strataOf(figures, place);
  return {
    test,
    pFixed: pValue,
    pStratified: strata.length === 0 ? null : cmh({ strata }).pValue,
    better: armOf(place, judged.xB * judged.nA - judged.xA * judged.nB),
    ...(isEmpty ? {} : lastRatio(figures, judged)),
    difference: isEmpty ? null : differenceOf(judged),
  };
}

/** The same of a bandit, whose shares follow what has come back. */
function readLastByEpoch(figures: Figures, place: Place, epochs: readonly EpochFigures[]) {
  const { metric } = figures;
  const given = repliesByEpoch(place, epochs, (counts) => closedEventsOf(metric, counts));
  const read = epochTest({ epochs: given });
  if (!read.isReadable) {
    return NOT_LAST;
  }
  return {
    ...NOT_LAST,
    test: "epoch_z" as const,
    pFixed: read.pValue,
    better: armOf(place, metric === "bounce_rate" ? -read.z : read.z),
    ratio: read.ratio,
    ratioLow: read.low,
    ratioHigh: read.high,
  };
}

function isAsked({ arms }: Figures, { a, b }: Place, leader: number | null): boolean {
  return leader !== null && (a === leader || b === leader || arms.length <= ALL_PAIRS_MAX);
}

function probabilityOf(
  { metric }: Figures,
  { a, b }: Place,
  epochs: readonly EpochFigures[],
): number {
  const { successes, failures } = comparedArms(metric, epochs, [a, b]);
  const [sA = 0, sB = 0] = successes;
  const [fA = 0, fB = 0] = failures;
  return probBBeatsA({ sA, fA, sB, fB }).p;
}

/** What the events of a pair say. `favours` is above 0 where b does better. */
interface EventsReading {
  pAnytime: number;
  favours: number;
  ratio: number | null;
  ratioLow: number | null;
  ratioHigh: number | null;
}

function readBySplit(
  figures: Figures,
  place: Place,
  epochs: readonly EpochFigures[],
): EventsReading {
  const { weightA, weightB, ...given } = splitOf(figures, place, epochs);
  const { repliesA, repliesB } = given;
  const { lower, upper } = ratioCs(given);
  const more = repliesB / weightB - repliesA / weightA;
  return {
    pAnytime: eprocessReplies(given).pAnytime,
    favours: figures.metric === "bounce_rate" ? -more : more,
    ratio: repliesA === 0 ? null : repliesB / weightB / (repliesA / weightA),
    ratioLow: lower,
    ratioHigh: upper,
  };
}

/** Events of a pair, and how its leads were split. */
function splitOf({ metric, arms }: Figures, { a, b }: Place, epochs: readonly EpochFigures[]) {
  const [repliesA, repliesB] = [a, b].map((arm) =>
    sumOver(epochs, arm, (counts) => eventsOf(metric, counts)),
  ) as [number, number];
  const weightA = arms[a]?.weight ?? 1;
  const weightB = arms[b]?.weight ?? 1;
  return { weightA, weightB, repliesA, repliesB, shareB: weightB / (weightA + weightB) };
}

function readByEpoch(
  { metric }: Figures,
  place: Place,
  epochs: readonly EpochFigures[],
): EventsReading {
  const given = repliesByEpoch(place, epochs, (counts) => eventsOf(metric, counts));
  const more = given.reduce((total, { repliesA, repliesB, allocA, allocB }) => {
    return total + repliesB - ((repliesA + repliesB) * allocB) / (allocA + allocB);
  }, 0);
  return {
    pAnytime: eprocessEpochs({ epochs: given }).pAnytime,
    favours: metric === "bounce_rate" ? -more : more,
    ratio: epochTest({ epochs: given }).ratio,
    ratioLow: null,
    ratioHigh: null,
  };
}

function repliesByEpoch(
  { a, b }: Place,
  epochs: readonly EpochFigures[],
  events: (counts: Counts) => number,
): EpochReplies[] {
  return epochs.map(({ allocation, counts }) => ({
    repliesA: events(counts[a] ?? NO_COUNTS),
    repliesB: events(counts[b] ?? NO_COUNTS),
    allocA: allocation[a] ?? 0,
    allocB: allocation[b] ?? 0,
  }));
}

interface Judged {
  xA: number;
  nA: number;
  xB: number;
  nB: number;
}

function judgedOf({ a, b }: Place, epochs: readonly EpochFigures[]): Judged {
  const successes = (arm: number) => sumOver(epochs, arm, (counts) => counts.successes);
  const judged = (arm: number) =>
    sumOver(epochs, arm, (counts) => counts.successes + counts.failures);
  return { xA: successes(a), nA: judged(a), xB: successes(b), nB: judged(b) };
}

/** Of what the metric is about: where that is bounces, of failures. */
function lastRatio({ metric }: Figures, { xA, nA, xB, nB }: Judged) {
  const about =
    metric === "bounce_rate" ? { xA: nA - xA, nA, xB: nB - xB, nB } : { xA, nA, xB, nB };
  const { ratio, low, high } = ratioInterval(about, 1 - ALPHA_FIXED);
  return { ratio, ratioLow: low, ratioHigh: high };
}

function armOf({ a, b }: Place, favours: number): number | null {
  if (favours === 0) {
    return null;
  }
  return favours > 0 ? b : a;
}

function differenceOf(judged: Judged): PairReading["difference"] {
  const { diff, lower, upper } = newcombe({ ...judged, level: 1 - ALPHA_FIXED });
  return { value: diff, low: lower, high: upper };
}

/** Strata know no epochs, so a variant that left the race is compared over all of its leads. */
function strataOf({ strata }: Figures, { a, b }: Place): Judged[] {
  return strata().flatMap(({ counts }) => {
    const [armA, armB] = [counts[a], counts[b]];
    const nA = armA === undefined ? 0 : armA.successes + armA.failures;
    const nB = armB === undefined ? 0 : armB.successes + armB.failures;
    return nA > 0 && nB > 0 ? [{ xA: armA?.successes ?? 0, nA, xB: armB?.successes ?? 0, nB }] : [];
  });
}
