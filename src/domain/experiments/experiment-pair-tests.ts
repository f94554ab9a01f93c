/**
 * What each test says of two variants: the looks of a fixed split, the e-processes that need no planned end, and
 * the tests that are read once, there. A bandit's are computed within epochs.
 *
 * Source: the formulas are `stats/`'s.
 */

import { epochTest } from "#domain/experiments/stats/epochs.ts";
import { groupSequential } from "#domain/experiments/stats/group-sequential.ts";
import { newcombe, ratioInterval } from "#domain/experiments/stats/intervals.ts";
import { ALPHA_FIXED } from "#domain/experiments/stats/sample-size.ts";
import {
  ALPHA,
  ALPHA_EARLY,
  combinedP,
  type EpochReplies,
  epochsCs,
  eprocessEpochs,
  eprocessReplies,
  ratioCs,
} from "#domain/experiments/stats/sequential.ts";
import { cmh, twoProportionTest } from "#domain/experiments/stats/two-proportion.ts";
import {
  closedEventsOf,
  type EpochFigures,
  eventsOf,
  type Figures,
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

/** Places of two variants, and the epochs in which both were in the race. */
export interface Place {
  a: number;
  b: number;
  epochs: readonly EpochFigures[];
}

/** What one test says; `p` is weighed by its part of alpha, so that those of one pair compare. */
export interface TestReading {
  test: PairTest;
  p: number;
  better: number | null;
  /**
   * Rates of what the metric counts, each lead weighed by the inverse of the share that it was drawn with; null
   * where nothing was sent.
   */
  rateA: number | null;
  rateB: number | null;
  /** Of b's rate over a's: without 1 where `p` shows a difference. */
  ratioLow: number | null;
  ratioHigh: number | null;
}

/** What the interval of each kind of test may be wrong by: in time, at a look, at the planned end. */
export interface Levels {
  anytime: number;
  look: number;
  last: number;
}

/** Of a pair alone. */
export const PAIR_LEVELS: Levels = { anytime: ALPHA_EARLY, look: ALPHA, last: ALPHA_FIXED };

/** May be read at any time, whatever is planned. */
export interface AnytimeReading extends TestReading {
  pAnytime: number;
}

/** Read once, when the planned end is over and every lead measured. */
export interface LastReading extends TestReading {
  pFixed: number;
  /** The same within mailboxes and providers. */
  pStratified: number | null;
  /** b's success rate minus a's. */
  difference: { value: number; low: number; high: number } | null;
}

export function readSplit(figures: Figures, place: Place, levels = PAIR_LEVELS): AnytimeReading {
  const { weightA, weightB, ...given } = splitOf(figures, place);
  const { pAnytime } = eprocessReplies(given);
  const { lower, upper } = ratioCs({ ...given, alpha: levels.anytime });
  const sent = sentOf(place);
  const rate = (replies: number, share: number) => (sent === 0 ? null : replies / (share * sent));
  return {
    ...early(pAnytime),
    better: armOf(figures, place, given.repliesB / weightB - given.repliesA / weightA),
    rateA: rate(given.repliesA, 1 - given.shareB),
    rateB: rate(given.repliesB, given.shareB),
    ratioLow: lower,
    ratioHigh: upper,
  };
}

/** A fixed split on its way to the planned end. `toCome`: leads that both are expected to be sent by then. */
export function readLook(
  figures: Figures,
  place: Place,
  toCome: number,
  { look: alpha } = PAIR_LEVELS,
): Pick<TestReading, "test" | "p" | "ratioLow" | "ratioHigh"> {
  const { weightA, weightB, ...replies } = splitOf(figures, place);
  const expected = expectedEvents(figures, place, toCome);
  const { pValue, lower, upper } = groupSequential({ ...replies, expected, alpha });
  return { test: "group_sequential", p: pValue, ratioLow: lower, ratioHigh: upper };
}

export function readEpochs(figures: Figures, place: Place, levels = PAIR_LEVELS): AnytimeReading {
  const epochs = epochsSoFar(figures, place);
  const { pAnytime } = eprocessEpochs({ epochs });
  const { lower, upper } = epochsCs({ epochs, alpha: levels.anytime });
  const { rateA, rateB } = epochTest({ epochs });
  const more = epochs.reduce((total, { repliesA, repliesB, allocA, allocB }) => {
    return total + repliesB - ((repliesA + repliesB) * allocB) / (allocA + allocB);
  }, 0);
  const better = armOf(figures, place, more);
  return { ...early(pAnytime), better, rateA, rateB, ratioLow: lower, ratioHigh: upper };
}

function early(pAnytime: number) {
  const { p } = combinedP({ pAnytime, pFixed: null, isFinal: false });
  return { test: "anytime" as const, pAnytime, p };
}

function atEnd(pFixed: number) {
  return { pFixed, p: combinedP({ pAnytime: 1, pFixed, isFinal: true }).p };
}

/** Null where one of the two was sent to nobody. */
export function readLastOfSplit(
  figures: Figures,
  place: Place,
  { last } = PAIR_LEVELS,
): LastReading | null {
  const judged = judgedOf(place);
  const { nA, nB } = judged;
  if (nA === 0 || nB === 0) {
    return null;
  }
  const about = eventsJudged(figures, judged);
  const { test, pValue } = twoProportionTest(judged);
  const { low, high } = ratioInterval({ ...about, level: 1 - last });
  const { diff, lower, upper } = newcombe({ ...judged, level: 1 - last });
  const strata = strataOf(figures, place);
  return {
    test,
    ...atEnd(pValue),
    pStratified: strata.length === 0 ? null : cmh({ strata }).pValue,
    better: armOf(figures, place, about.xB * nA - about.xA * nB),
    rateA: about.xA / nA,
    rateB: about.xB / nB,
    ratioLow: low,
    ratioHigh: high,
    difference: { value: diff, low: lower, high: upper },
  };
}

/** The same of a bandit, whose shares follow what has come back; null with too few replies. */
export function readLastOfEpochs(
  figures: Figures,
  place: Place,
  { last } = PAIR_LEVELS,
): LastReading | null {
  const epochs = epochsClosed(figures, place);
  const read = epochTest({ epochs, level: 1 - last });
  return read.isReadable
    ? {
        test: "epoch_z",
        ...atEnd(read.pValue),
        pStratified: null,
        better: armOf(figures, place, read.z),
        rateA: read.rateA,
        rateB: read.rateB,
        ratioLow: read.low,
        ratioHigh: read.high,
        difference: null,
      }
    : null;
}

/** Events of a pair, and how its leads were split. */
export function splitOf({ metric, arms }: Figures, { a, b, epochs }: Place) {
  const events = (arm: number) => sumOver(epochs, arm, (counts) => eventsOf(metric, counts));
  const weightA = arms[a]?.weight ?? 1;
  const weightB = arms[b]?.weight ?? 1;
  const shareB = weightB / (weightA + weightB);
  return { weightA, weightB, repliesA: events(a), repliesB: events(b), shareB };
}

function sentOf({ a, b, epochs }: Place): number {
  return sumOver(epochs, a, ({ sent }) => sent) + sumOver(epochs, b, ({ sent }) => sent);
}

/**
 * Events of both by the planned end, rather too many than too few: at the higher of the rates of the leads
 * that are measured and of all that were sent.
 */
export function expectedEvents(
  { metric }: Figures,
  { a, b, epochs }: Place,
  toCome: number,
): number {
  const sum = (count: (counts: Counts) => number) =>
    sumOver(epochs, a, count) + sumOver(epochs, b, count);
  const sent = sum((counts) => counts.sent);
  const events = sum((counts) => eventsOf(metric, counts));
  const measured = sum(({ successes, failures }) => successes + failures);
  const closed = sum((counts) => closedEventsOf(metric, counts));
  const rate = Math.max(events / Math.max(1, sent), closed / Math.max(1, measured));
  return Math.max(events + toCome * rate, (sent + toCome) * rate);
}

/** What has come so far of all leads that were sent. */
export function epochsSoFar({ metric }: Figures, place: Place): EpochReplies[] {
  return repliesByEpoch(place, {
    events: (counts) => eventsOf(metric, counts),
    leads: ({ sent }) => sent,
  });
}

/** Of leads whose window has closed. */
export function epochsClosed({ metric }: Figures, place: Place): EpochReplies[] {
  return repliesByEpoch(place, {
    events: (counts) => closedEventsOf(metric, counts),
    leads: ({ successes, failures }) => successes + failures,
  });
}

function repliesByEpoch(
  { a, b, epochs }: Place,
  { events, leads }: { events: (counts: Counts) => number; leads: (counts: Counts) => number },
): EpochReplies[] {
  return epochs.map(({ allocation, counts }) => {
    const [ownA, ownB] = [counts[a] ?? NO_COUNTS, counts[b] ?? NO_COUNTS];
    return {
      repliesA: events(ownA),
      repliesB: events(ownB),
      leads: leads(ownA) + leads(ownB),
      allocA: allocation[a] ?? 0,
      allocB: allocation[b] ?? 0,
    };
  });
}

interface Judged {
  xA: number;
  nA: number;
  xB: number;
  nB: number;
}

export function judgedOf({ a, b, epochs }: Place): Judged {
  const successes = (arm: number) => sumOver(epochs, arm, (counts) => counts.successes);
  const judged = (arm: number) =>
    sumOver(epochs, arm, (counts) => counts.successes + counts.failures);
  return { xA: successes(a), nA: judged(a), xB: successes(b), nB: judged(b) };
}

/** Of what the metric counts, which are the failures where fewer are better. */
export function eventsJudged({ metric }: Figures, { xA, nA, xB, nB }: Judged): Judged {
  return metric === "bounce_rate" ? { xA: nA - xA, nA, xB: nB - xB, nB } : { xA, nA, xB, nB };
}

/** `more`: above 0 where b has more of what the metric counts. */
function armOf({ metric }: Figures, { a, b }: Place, more: number): number | null {
  const favours = metric === "bounce_rate" ? -more : more;
  if (favours === 0) {
    return null;
  }
  return favours > 0 ? b : a;
}

/** Strata know no epochs, so a variant that left the race is compared over all of its leads. */
export function strataOf({ strata }: Figures, { a, b }: Place): Judged[] {
  return strata().flatMap(({ counts }) => {
    const [armA, armB] = [counts[a], counts[b]];
    const nA = armA === undefined ? 0 : armA.successes + armA.failures;
    const nB = armB === undefined ? 0 : armB.successes + armB.failures;
    return nA > 0 && nB > 0 ? [{ xA: armA?.successes ?? 0, nA, xB: armB?.successes ?? 0, nB }] : [];
  });
}
