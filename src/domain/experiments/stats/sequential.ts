/**
 * Evidence that holds whenever it is read: e-processes. Under "the variants do not differ" an e-process
 * is a nonnegative martingale that starts at 1, so the chance that it ever reaches 1/u is at most u
 * (Ville 1939), and 1/E is a p-value at every instant, however often and for whatever reason one looks.
 *
 * These need replies and allocation only. A lead who has not replied yet is in no denominator, so late
 * replies bias nothing, and no state has to be kept.
 *
 * Source: Lindon and Malek 2022 (arXiv 2011.03567) for the mixtures; Holm 1979. The centring on the split,
 * its concentration, the division of alpha and the grid are ours, by simulation.
 */

import {
  ArgumentError,
  checkAmount,
  checkCount,
  checkFlag,
  checkInside,
  checkList,
  checkPositive,
  checkProbability,
  checkRecord,
  checkShare,
} from "./argument.ts";
import { divergence, stirlingRemainder } from "./special.ts";

/** Of false verdicts over the whole life of an experiment. */
export const ALPHA = 0.05;
/** The part of {@link ALPHA} that early readings may spend; the rest is the planned end's. */
export const ALPHA_EARLY = 0.01;
/** How near to the split the mixture expects the share: its sd is 0.11, lifts of about 1.5. */
export const CONCENTRATION = 20;

const CONCENTRATION_MAX = 1e6;
const EPOCHS_MAX = 10_000;
const GRID_MAX = 1001;
const P_VALUES_MAX = 10_000;

export interface Evidence {
  /** ln E. Above 0 it speaks against the null. */
  logE: number;
  /** min(1, 1/E). */
  pAnytime: number;
}

export function evidence(logE: number): Evidence {
  return { logE, pAnytime: logE > 0 ? Math.exp(-logE) : 1 };
}

/**
 * ln of the probability of `counts` under a Dirichlet mixture centred on `shares`, over that under
 * `shares` themselves: ln Γ(c) − ln Γ(c + N) + Σ [ln Γ(cq + n) − ln Γ(cq) − n ln q].
 *
 * Written as divergences from N q and Stirling's remainders: terms as large as N ln N would leave no
 * digits at a million replies. `shares` are weights above 0 and need not sum to 1.
 */
export function logDirichletMixture(
  counts: readonly number[],
  shares: readonly number[],
  concentration: number,
): number {
  const weight = shares.reduce((sum, share) => sum + share, 0);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const posterior = concentration + total;
  let sum = Math.log(posterior / concentration) / 2;
  sum += stirlingRemainder(concentration) - stirlingRemainder(posterior);
  for (const [index, share] of shares.entries()) {
    const count = counts[index] ?? 0;
    const own = (concentration * share) / weight;
    const expected = (posterior * share) / weight;
    const beyond = (count * weight - total * share) / weight;
    sum += expected * divergence(beyond / expected);
    sum += stirlingRemainder(own + count) - stirlingRemainder(own) - Math.log1p(count / own) / 2;
  }
  return sum;
}

/** Replies of two arms, and the share of B in what the two were sent: w_B/(w_A + w_B). */
export interface Replies {
  readonly repliesA: number;
  readonly repliesB: number;
  readonly shareB: number;
  /** {@link CONCENTRATION} by default. */
  readonly concentration?: number;
}

/** Evidence that two arms of a fixed split do not get replies at the same rate. */
export function eprocessReplies(replies: Replies): Evidence {
  checkReplies(replies);
  return evidence(logOfReplies(replies));
}

function logOfReplies({ repliesA, repliesB, shareB, concentration = CONCENTRATION }: Replies) {
  return logDirichletMixture([repliesA, repliesB], [1 - shareB, shareB], concentration);
}

/**
 * Evidence that a rate is above `limit`, from `x` of `n`. The mixture is Beta(1, 1/limit − 1), whose mean is the
 * limit. It counts where x is above n·limit: from there on it only grows with x, so that a rate below the limit
 * crosses no earlier than one at it. Events still to come make it smaller, never larger.
 */
export function eprocessLimit({ x, n, limit }: { x: number; n: number; limit: number }): Evidence {
  checkAmount("n", n);
  checkAmount("x", x);
  checkShare("limit", limit);
  if (x > n) {
    throw new ArgumentError("x", "must be at most n");
  }
  return evidence(logDirichletMixture([x, n - x], [limit, 1 - limit], 1 / limit));
}

export interface RatioInterval {
  lower: number;
  /** Null: no upper bound yet. */
  upper: number | null;
}

/**
 * The ratios p_B/p_A that the replies do not speak against: with a chance of 1 − alpha they contain the
 * true one at every instant. It inverts {@link eprocessReplies} with the mixture held fixed, and keeps the
 * shares q of B with r_B ln q + r_A ln(1 − q) above a threshold: those whose divergence from the observed
 * share stays below `bound`.
 */
export function ratioCs({
  alpha = ALPHA,
  ...replies
}: Replies & { alpha?: number }): RatioInterval {
  checkReplies(replies);
  checkInside("alpha", alpha);
  const { repliesA, repliesB, shareB } = replies;
  const total = repliesA + repliesB;
  const odds = (1 - shareB) / shareB;
  if (total === 0) {
    return { lower: 0, upper: null };
  }
  const bound = divergenceOf(replies) - logOfReplies(replies) - Math.log(alpha);
  if (repliesB === 0) {
    return { lower: 0, upper: finiteOrNull(Math.expm1(bound / total) * odds) };
  }
  if (repliesA === 0) {
    return { lower: odds / Math.expm1(bound / total), upper: null };
  }
  const observed = (repliesB / repliesA) * odds;
  return {
    lower: observed * Math.exp(logOddsAt(bound, replies, -1)),
    upper: finiteOrNull(observed * Math.exp(logOddsAt(bound, replies, 1))),
  };
}

function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** Replies times the divergence of the observed share from `shareB`. */
function divergenceOf({ repliesA, repliesB, shareB }: Replies): number {
  const total = repliesA + repliesB;
  const beyond = repliesB - total * shareB;
  const [expectedA, expectedB] = [total * (1 - shareB), total * shareB];
  const atA = expectedA * divergence(-beyond / expectedA);
  return atA + expectedB * divergence(beyond / expectedB);
}

const BISECTIONS_MAX = 200;

/**
 * How far the log odds may move from the observed ones, up (`sign` 1) or down (−1), until the divergence,
 * R ln(1 + q̂(e^h − 1)) − r_B h, is `bound`. It is convex in h with its least value, 0, at 0.
 */
function logOddsAt(bound: number, { repliesA, repliesB }: Replies, sign: 1 | -1): number {
  const total = repliesA + repliesB;
  const share = repliesB / total;
  const exceeds = (h: number) => total * Math.log1p(share * Math.expm1(h)) - repliesB * h > bound;
  let inside = 0;
  let outside: number = sign;
  for (let round = 0; round < BISECTIONS_MAX && !exceeds(outside); round += 1) {
    inside = outside;
    outside *= 2;
  }
  for (let round = 0; round < BISECTIONS_MAX; round += 1) {
    const middle = (inside + outside) / 2;
    if (middle === inside || middle === outside) {
      break;
    }
    if (exceeds(middle)) {
      outside = middle;
    } else {
      inside = middle;
    }
  }
  return inside;
}

export function checkReplies({
  repliesA,
  repliesB,
  shareB,
  concentration = CONCENTRATION,
}: Replies): void {
  checkAmount("repliesA", repliesA);
  checkAmount("repliesB", repliesB);
  checkShare("shareB", shareB);
  checkPositive("concentration", concentration, CONCENTRATION_MAX);
}

/** Replies of the leads that were sent to under one allocation. */
export interface EpochReplies {
  readonly repliesA: number;
  readonly repliesB: number;
  /** Leads of both; for rates. */
  readonly leads?: number;
  /** Chances of the two arms in that epoch; those of other arms are left out. */
  readonly allocA: number;
  readonly allocB: number;
}

/** Where the mixture of log ratios ends, in units of tau. */
const REACH_TAUS = 4;

interface Mixture {
  readonly epochs: readonly EpochReplies[];
  /** The sd of log ratios that the mixture expects. */
  readonly tau?: number;
  readonly grid?: number;
}

/**
 * The same evidence where the allocation moved, even where it moved because of earlier replies: within an
 * epoch a reply's arm is a toss with known odds. A mixture over a grid of log ratios, normal with sd `tau`.
 * An epoch in which one of the two could not be sent compares nothing and is left out.
 */
export function eprocessEpochs(given: Mixture): Evidence {
  return evidence(mixtureOf(given).logE);
}

/**
 * The ratios p_B/p_A that the same replies do not speak against at any instant: as {@link ratioCs} inverts
 * {@link eprocessReplies}. The log likelihood has one peak, so that they are all those between two edges.
 */
export function epochsCs({ alpha = ALPHA, ...given }: Mixture & { alpha?: number }): RatioInterval {
  checkInside("alpha", alpha);
  const { epochs, logE, likeliest } = mixtureOf(given);
  const repliesOf = (count: (epoch: EpochReplies) => number) =>
    epochs.reduce((sum, epoch) => sum + count(epoch), 0);
  const edge = (sign: 1 | -1) => Math.exp(edgeOf(epochs, logE + Math.log(alpha), likeliest, sign));
  const hasA = repliesOf(({ repliesA }) => repliesA) > 0;
  const hasB = repliesOf(({ repliesB }) => repliesB) > 0;
  return {
    lower: hasB ? edge(-1) : 0,
    upper: hasA ? finiteOrNull(edge(1)) : null,
  };
}

/** `likeliest`: the log ratio of the grid that the replies speak for most. */
function mixtureOf({ epochs: given, tau = 0.5, grid = 41 }: Mixture) {
  checkEpochs(given);
  checkPositive("tau", tau, 10);
  checkCount("grid", grid, 2, GRID_MAX);
  const epochs = given.filter(isComparing);
  const points = Array.from({ length: grid }, (_, index) => {
    const inTaus = REACH_TAUS * ((2 * index) / (grid - 1) - 1);
    const theta = inTaus * tau;
    return { theta, prior: (-inTaus * inTaus) / 2, log: likelihoodAt(epochs, theta).log };
  });
  const mixed = logSumExp(points.map(({ prior, log }) => prior + log));
  const best = points.reduce((most, point) => (point.log > most.log ? point : most));
  const logE = mixed - logSumExp(points.map(({ prior }) => prior));
  return { epochs, logE, likeliest: best.theta };
}

/** ln of the replies' likelihood ratio when B gets e^theta times as many replies as A, and its slope there. */
function likelihoodAt(epochs: readonly EpochReplies[], theta: number) {
  const more = Math.expm1(theta);
  let [log, slope] = [0, 0];
  for (const { repliesA, repliesB, allocA, allocB } of epochs) {
    const share = allocB / (allocA + allocB);
    const [replies, moved] = [repliesA + repliesB, share * more];
    log += repliesB * theta - replies * Math.log1p(moved);
    slope += repliesB - (replies * (share + moved)) / (1 + moved);
  }
  return { log, slope };
}

/**
 * Where the likelihood falls to `least`, above (`sign` 1) or below (−1) `peak`: Newton's method from outside, which
 * never steps inside, since the likelihood has no second bend.
 */
function edgeOf(
  epochs: readonly EpochReplies[],
  least: number,
  peak: number,
  sign: 1 | -1,
): number {
  let reach: number = sign;
  for (let round = 0; round < BISECTIONS_MAX; round += 1) {
    if (likelihoodAt(epochs, peak + reach).log < least) {
      break;
    }
    reach *= 2;
  }
  let theta = peak + reach;
  for (let round = 0; round < BISECTIONS_MAX; round += 1) {
    const { log, slope } = likelihoodAt(epochs, theta);
    const next = theta + (least - log) / slope;
    if (!((next - theta) * sign < 0)) {
      break;
    }
    theta = next;
  }
  return theta;
}

function logSumExp(values: readonly number[]): number {
  const most = values.reduce((max, value) => Math.max(max, value), Number.NEGATIVE_INFINITY);
  return most + Math.log(values.reduce((sum, value) => sum + Math.exp(value - most), 0));
}

/** Both arms could be sent. */
export function isComparing({ allocA, allocB }: EpochReplies): boolean {
  return allocA > 0 && allocB > 0;
}

export function checkEpochs(epochs: readonly EpochReplies[]): void {
  checkList("epochs", epochs, { min: 0, max: EPOCHS_MAX });
  for (const [index, epoch] of epochs.entries()) {
    const name = `epochs[${index}]`;
    checkRecord(name, epoch);
    checkAmount(`${name}.repliesA`, epoch.repliesA);
    checkAmount(`${name}.repliesB`, epoch.repliesB);
    checkProbability(`${name}.allocA`, epoch.allocA);
    checkProbability(`${name}.allocB`, epoch.allocB);
  }
}

/**
 * One p-value of a pair out of two readings, valid whenever it is read: while the experiment runs the
 * anytime one, at the planned end also the fixed test's. Each is weighed by its part of alpha.
 * `pFixed` counts only with `isFinal`, and may be null before.
 */
export function combinedP(readings: {
  pAnytime: number;
  pFixed: number | null;
  isFinal: boolean;
  alpha?: number;
  alphaEarly?: number;
}): { p: number } {
  const { pAnytime, pFixed, isFinal, alpha = ALPHA, alphaEarly = ALPHA_EARLY } = readings;
  checkProbability("pAnytime", pAnytime);
  checkFlag("isFinal", isFinal);
  checkInside("alpha", alpha);
  checkInside("alphaEarly", alphaEarly);
  if (alphaEarly > alpha) {
    throw new ArgumentError("alphaEarly", "must be at most alpha");
  }
  const early = (pAnytime * alpha) / alphaEarly;
  if (!isFinal || pFixed === null || alphaEarly === alpha) {
    return { p: Math.min(1, early) };
  }
  checkProbability("pFixed", pFixed);
  return { p: Math.min(1, early, (pFixed * alpha) / (alpha - alphaEarly)) };
}

/** Holm's adjustment of p-values, in the order given: the chance of any false one is kept. */
export function holm({ p }: { p: readonly number[] }): { adjusted: number[] } {
  checkList("p", p, { min: 0, max: P_VALUES_MAX });
  for (const [index, value] of p.entries()) {
    checkProbability(`p[${index}]`, value);
  }
  const ascending = [...p.entries()].sort(([, a], [, b]) => a - b);
  const adjusted = p.map(() => 1);
  let least = 0;
  for (const [rank, [index, value]] of ascending.entries()) {
    least = Math.max(least, Math.min(1, (p.length - rank) * value));
    adjusted[index] = least;
  }
  return { adjusted };
}
