/**
 * Comparing where the allocation moved. Reply rates move too: with the season, the weekday, a mailbox that
 * joins. The arm that was given more of the better days then looks better over all days although it is
 * not (Simpson 1951). Within an epoch, where the odds of every lead were the same, it does not: so arms are
 * compared there, and the epochs are added up.
 *
 * Source: the arm-and-epoch model of rates, fitted as Deming and Stephan 1940; the test is that of a
 * martingale whose steps are scaled to a known variance, as Hadad, Hirshberg, Zhan, Wager and Athey 2021
 * (doi 10.1073/pnas.2014602118) weigh them. Equivalent counts are ours.
 */

import { ArgumentError, checkAmount, checkInside, checkList, checkRecord } from "./argument.ts";
import { ARMS_MAX } from "./bayes.ts";
import { ALPHA, checkEpochs, type EpochReplies, isComparing } from "./sequential.ts";
import { normalTwoSided, normalUpperQuantile } from "./special.ts";

/** Events and trials of each arm in one epoch. */
export interface EpochCounts {
  readonly events: readonly number[];
  readonly trials: readonly number[];
}

/** Events and trials of each arm; fractions. */
export interface EquivalentCounts {
  events: number[];
  trials: number[];
}

const ROUNDS_MAX = 500;
/** A round that changes no arm by more, as a fraction, is the last. */
const PRECISION = 1e-12;

/**
 * What the arms would have counted, had all epochs been alike: an arm's trials are as many as its share of
 * the expected events, and both are fewer by what an uneven allocation shows less than an even one. Of one
 * epoch they are its counts. Events are the rarer outcome.
 */
export function equivalentCounts({ epochs }: { epochs: readonly EpochCounts[] }): EquivalentCounts {
  const arms = checkCounts(epochs);
  const sumOf = (of: (epoch: EpochCounts) => readonly number[]) =>
    Array.from({ length: arms }, (_, arm) =>
      epochs.reduce((sum, epoch) => sum + (of(epoch)[arm] ?? 0), 0),
    );
  const events = sumOf((epoch) => epoch.events);
  const trials = sumOf((epoch) => epoch.trials);
  const all = total(events);
  if (epochs.length === 1 || all === 0) {
    return { events, trials };
  }
  const expected = expectedEvents(epochs, events);
  const perEvent = total(trials) / total(expected);
  const worth = worthOf(epochs, arms);
  return {
    events: events.map((count, arm) => count * (worth[arm] ?? 0)),
    trials: expected.map(
      (count, arm) => Math.max(events[arm] ?? 0, count * perEvent) * (worth[arm] ?? 0),
    ),
  };
}

/** How many events each arm would have at the rates of its epochs, where an arm's own rate is left out. */
function expectedEvents(epochs: readonly EpochCounts[], events: readonly number[]): number[] {
  let rates = events.map(() => 1);
  let expected = events.map(() => 0);
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    expected = events.map(() => 0);
    for (const epoch of epochs) {
      const weight = epoch.trials.reduce((sum, n, arm) => sum + n * (rates[arm] ?? 0), 0);
      const level = weight > 0 ? total(epoch.events) / weight : 0;
      for (const [arm, n] of epoch.trials.entries()) {
        expected[arm] = (expected[arm] ?? 0) + n * level;
      }
    }
    const before = rates;
    rates = events.map((count, arm) => (count === 0 ? 0 : count / (expected[arm] ?? 1)));
    if (rates.every((rate, arm) => Math.abs(rate - (before[arm] ?? 0)) <= PRECISION * rate)) {
      break;
    }
  }
  return expected;
}

/** What an arm's events say against those of the others, as a fraction of an even allocation's. */
function worthOf(epochs: readonly EpochCounts[], arms: number): number[] {
  return Array.from({ length: arms }, (_, arm) => {
    let [all, own, within] = [0, 0, 0];
    for (const epoch of epochs) {
      const events = total(epoch.events);
      const trials = total(epoch.trials);
      const share = trials === 0 ? 0 : (epoch.trials[arm] ?? 0) / trials;
      all += events;
      own += events * share;
      within += events * share * (1 - share);
    }
    const even = own * (1 - own / all);
    return even > 0 ? Math.min(1, within / even) : 0;
  });
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

const EPOCHS_MAX = 10_000;

/** Returns how many arms there are. */
function checkCounts(epochs: readonly EpochCounts[]): number {
  checkList("epochs", epochs, { min: 1, max: EPOCHS_MAX });
  const arms = Array.isArray(epochs[0]?.trials) ? epochs[0].trials.length : 1;
  for (const [index, epoch] of epochs.entries()) {
    const name = `epochs[${index}]`;
    checkRecord(name, epoch);
    const size = { min: index === 0 ? 1 : arms, max: index === 0 ? ARMS_MAX : arms };
    checkList(`${name}.trials`, epoch.trials, size);
    checkList(`${name}.events`, epoch.events, { min: arms, max: arms });
    for (const [arm, trials] of epoch.trials.entries()) {
      checkAmount(`${name}.trials[${arm}]`, trials);
      checkAmount(`${name}.events[${arm}]`, epoch.events[arm] ?? Number.NaN);
      if ((epoch.events[arm] ?? 0) > trials) {
        throw new ArgumentError(`${name}.events[${arm}]`, "must be at most its trials");
      }
    }
  }
  return arms;
}

/** Replies to expect of either arm below which the normal law of {@link epochTest} cannot be trusted. */
const EXPECTED_MIN = 5;

export interface EpochTest {
  /** False: too few replies for the p-value to be right. */
  isReadable: boolean;
  z: number;
  pValue: number;
  /** Of each lead, weighed by the inverse of its arm's share, and all by the root of p q; null without leads. */
  rateA: number | null;
  rateB: number | null;
  /** Of B's rate over A's, with the interval that the test does not speak against. Null: no bound. */
  ratio: number | null;
  low: number;
  high: number | null;
}

/**
 * Whether two arms get replies at the same rate, read once, when all replies have come. Under the null a reply's arm is
 * a toss with the odds of its epoch, q to p, whatever they followed from. Scaled by the root of p q every
 * toss has variance 1, so that their sum over n replies has variance n however the allocation came about:
 * z = (X − Y) / √n with X = Σ x √(q/p) and Y = Σ y √(p/q). When B gets r times as many replies as A,
 * X / √r and Y √r take their places. A reply's weight is √(p q) times the inverse of its arm's share, so that over
 * Σ leads √(p q) they are rates that no share has moved.
 */
export function epochTest({
  epochs,
  level = 1 - ALPHA,
}: {
  epochs: readonly EpochReplies[];
  level?: number;
}): EpochTest {
  checkEpochs(epochs);
  checkInside("level", level);
  let [n, x, y, weights, expectedA, expectedB] = [0, 0, 0, 0, 0, 0];
  for (const { repliesA, repliesB, leads = 0, allocA, allocB } of epochs.filter(isComparing)) {
    const odds = allocA / allocB;
    const replies = repliesA + repliesB;
    n += replies;
    weights += (leads * Math.sqrt(odds)) / (1 + odds);
    x += repliesB * Math.sqrt(odds);
    y += repliesA / Math.sqrt(odds);
    expectedB += replies / (1 + odds);
    expectedA += (replies * odds) / (1 + odds);
  }
  const z = n === 0 ? 0 : (x - y) / Math.sqrt(n);
  const reach = normalUpperQuantile((1 - level) / 2) * Math.sqrt(n);
  const root = Math.sqrt(reach * reach + 4 * x * y);
  return {
    isReadable: Math.min(expectedA, expectedB) >= EXPECTED_MIN,
    z,
    pValue: normalTwoSided(z),
    rateA: weights === 0 ? null : y / weights,
    rateB: weights === 0 ? null : x / weights,
    ratio: y === 0 ? null : x / y,
    low: x === 0 ? 0 : ((2 * x) / (root + reach)) ** 2,
    high: y === 0 ? null : ((root + reach) / (2 * y)) ** 2,
  };
}
