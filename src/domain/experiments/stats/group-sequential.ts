/**
 * May a fixed split with a planned end stop today? Looks as often as one likes, and nearly as sharp as the
 * test at the end, because that end is known.
 *
 * Of equal arms each reply is one toss of a coin that falls to B with B's share, so the difference walks at
 * random, and the replies up to the planned end are its whole way. Measured in that way's length, a walk that
 * is watched all the time reaches a height with twice the probability that it ends above it: the boundary of
 * O'Brien and Fleming, in closed form. `pValue` is two and a half times that probability. What it leaves pays
 * for the test at the end ({@link ALPHA_FIXED}, which mostly finds the same walks), and for an end that is not
 * where it was expected, because replies come late, rates move, or a list grows.
 *
 * Source: O'Brien and Fleming 1979; Lan and Wittes 1988 for the B-value; the reflection principle. The factor is ours, by simulation
 * (`test/domain/experiments/early-stop.test.ts`).
 */

import { ArgumentError, checkAmount, checkInside } from "./argument.ts";
import { ALPHA, checkReplies, type RatioInterval, type Replies } from "./sequential.ts";
import { normalTwoSided, normalUpperQuantile } from "./special.ts";

export interface Look extends Omit<Replies, "concentration"> {
  /** Replies of both arms that are expected by the planned end, those of today included. */
  readonly expected: number;
}

export interface LookReading extends RatioInterval {
  /** z times the root of the part of the replies that is there; above 0 where B has more than its share. */
  bValue: number;
  /** Valid at every look up to the planned end. */
  pValue: number;
}

/** Tails of the walk's end that make the p-value. */
export const TAILS = 5;

/**
 * One look at the replies so far. The interval holds the ratios p_B/p_A that the same look does not speak
 * against: it leaves out 1 where `pValue` is below `alpha`. Throws `ArgumentError`.
 */
export function groupSequential({
  alpha = ALPHA,
  ...look
}: Look & { alpha?: number }): LookReading {
  checkReplies(look);
  checkAmount("expected", look.expected);
  checkInside("alpha", alpha);
  const { repliesA, repliesB, shareB, expected } = look;
  const total = repliesA + repliesB;
  if (expected < total) {
    throw new ArgumentError("expected", "must be at least the replies of both");
  }
  if (total === 0) {
    return { bValue: 0, pValue: 1, lower: 0, upper: null };
  }
  const beyond = repliesB * (1 - shareB) - repliesA * shareB;
  const bValue = beyond / Math.sqrt(shareB * (1 - shareB) * expected);
  const boundary = normalUpperQuantile(alpha / (2 * TAILS));
  return {
    bValue,
    pValue: Math.min(1, TAILS * normalTwoSided(bValue)),
    ...ratiosWithin(look, boundary ** 2 * (expected / total)),
  };
}

/** Wilson's limits of B's part of the replies, as odds; each from the product of both, so that none cancels. */
function ratiosWithin({ repliesA, repliesB, shareB }: Look, square: number): RatioInterval {
  const total = repliesA + repliesB;
  const half = Math.sqrt(square * ((repliesA * repliesB) / total + square / 4));
  const above = (repliesA + square / 2 + half) * (repliesB + square / 2 + half);
  const odds = (1 - shareB) / shareB;
  const widened = 1 + square / total;
  const lower = (odds * repliesB * repliesB * widened) / above;
  const upper = (odds * above) / (repliesA * repliesA * widened);
  return { lower, upper: Number.isFinite(upper) ? upper : null };
}
