/** What others' tests are played by, held against what they say themselves. */

import { expect, test } from "bun:test";
import { NO_COUNTS } from "#domain/experiments/exposure.ts";
import { confidenceSequence, differenceOf } from "../../../support/trials/rivals.ts";

// p-values of gbstats 0.8.0: SequentialTwoSidedTTest, absolute differences, 5,000.
test.each([
  [[20, 400], [45, 410], 0.09078881669142132],
  [[3, 100], [9, 90], 0.7349731800013627],
  [[100, 2_000], [150, 2_000], 0.026711894141660357],
] as const)("GrowthBook's sequential test of %p and %p", (first, second, p) => {
  const [a, b] = [first, second].map(([replies, sent]) => ({ ...NO_COUNTS, replies, sent }));
  expect(1 / confidenceSequence(differenceOf(a ?? NO_COUNTS, b ?? NO_COUNTS))).toBeCloseTo(p, 12);
});
