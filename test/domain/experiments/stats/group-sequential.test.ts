/**
 * Guarantees of the looks at a fixed split: the probability that equal arms are ever called different, by
 * adding up every path there is, and an interval that never contradicts its p-value.
 */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { groupSequential } from "#domain/experiments/stats/group-sequential.ts";

/**
 * Probability that equal arms whose replies fall to B with `shareB` are called different at `level` in one of
 * the looks after each of `replies` replies, all of which were expected.
 */
function everCalled(replies: number, shareB: number, level: number): number {
  let open = new Map([[0, 1]]);
  let called = 0;
  for (let total = 1; total <= replies; total += 1) {
    const next = new Map<number, number>();
    for (const [repliesB, p] of open) {
      next.set(repliesB, (next.get(repliesB) ?? 0) + p * (1 - shareB));
      next.set(repliesB + 1, (next.get(repliesB + 1) ?? 0) + p * shareB);
    }
    for (const [repliesB, p] of next) {
      const look = { repliesA: total - repliesB, repliesB, shareB, expected: replies };
      if (groupSequential(look).pValue <= level) {
        called += p;
        next.delete(repliesB);
      }
    }
    open = next;
  }
  return called;
}

describe("groupSequential", () => {
  test.each([
    [20, 0.5],
    [100, 0.5],
    [400, 0.5],
    [100, 0.2],
    [400, 0.8],
    [400, 0.05],
  ])(
    "of %i replies, each a look, spends at most half of its level (share %d)",
    (replies, share) => {
      for (const level of [0.01, 0.05, 0.2]) {
        expect(everCalled(replies, share, level)).toBeLessThanOrEqual(0.5 * level);
      }
      expect(everCalled(replies, share, 0.2)).toBeGreaterThan(0.02);
    },
  );

  test("is what was worked out by hand: 30 and 60 of 120 expected", () => {
    // (60 − 45) / √(120/4) = 2.7386; 5 × P(|Z| ≥ 2.7386) = 5 × 0.0061698.
    const { bValue, pValue } = groupSequential({
      ...{ repliesA: 30, repliesB: 60, shareB: 0.5, expected: 120 },
    });
    expect(bValue).toBeCloseTo(2.738_612_8, 6);
    expect(pValue).toBeCloseTo(0.030_849, 5);
  });

  const looks = fc
    .record({
      repliesA: fc.integer({ min: 0, max: 3_000 }),
      repliesB: fc.integer({ min: 0, max: 3_000 }),
      shareB: fc.double({ min: 0.02, max: 0.98, noNaN: true }),
      more: fc.double({ min: 0, max: 5_000, noNaN: true }),
    })
    .map(({ more, ...look }) => ({ ...look, expected: look.repliesA + look.repliesB + more }));

  test("has an interval that leaves out 1 exactly where the p-value is below 0.05", () => {
    fc.assert(
      fc.property(looks, (look) => {
        const { pValue, lower, upper } = groupSequential(look);
        const isOut = lower > 1 || (upper !== null && upper < 1);
        fc.pre(Math.abs(pValue - 0.05) > 1e-9);
        expect(isOut).toBe(pValue < 0.05);
      }),
      { numRuns: 3_000 },
    );
  });

  test("reads the same whichever of the two is called B", () => {
    fc.assert(
      fc.property(looks, ({ repliesA, repliesB, shareB, expected }) => {
        const one = groupSequential({ repliesA, repliesB, shareB, expected });
        const other = groupSequential({
          ...{ repliesA: repliesB, repliesB: repliesA, shareB: 1 - shareB, expected },
        });
        expect(other.bValue).toBeCloseTo(-one.bValue, 6);
        expect(other.lower).toBeCloseTo(one.upper === null ? 0 : 1 / one.upper, 6);
      }),
    );
  });

  test("says nothing before the first reply, and refuses fewer replies than there are", () => {
    expect(groupSequential({ repliesA: 0, repliesB: 0, shareB: 0.5, expected: 0 })).toEqual({
      ...{ bValue: 0, pValue: 1, lower: 0, upper: null },
    });
    expect(() => groupSequential({ repliesA: 3, repliesB: 4, shareB: 0.5, expected: 6 })).toThrow(
      "must be at least the replies of both",
    );
  });

  test("of a million replies keeps its digits", () => {
    const { lower, upper } = groupSequential({
      ...{ repliesA: 1e6, repliesB: 1e6, shareB: 0.5, expected: 2e6 },
    });
    expect(lower * (upper ?? 0)).toBeCloseTo(1, 12);
    expect(lower).toBeGreaterThan(0.995);
  });
});
