/** Guarantees of `domain/experiments/stats/bandit.ts`: allocations sum to 1, keep their floor, and follow what is answered. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ArgumentError } from "#domain/experiments/stats/argument.ts";
import { ALLOCATION_MODES, allocation, roundShares } from "#domain/experiments/stats/bandit.ts";
import { pBest } from "#domain/experiments/stats/bayes.ts";

const anyArms = fc
  .array(fc.tuple(fc.nat(3000), fc.nat(100_000)), { minLength: 2, maxLength: 10 })
  .map((counts) => ({
    successes: counts.map(([successes]) => successes),
    failures: counts.map(([, failures]) => failures),
  }));

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

describe("allocation", () => {
  test("sums to 1 and leaves every arm its floor, in every mode", () => {
    fc.assert(
      fc.property(
        anyArms,
        fc.constantFrom(...ALLOCATION_MODES),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (arms, mode, epsilon) => {
          const { allocation: shares } = allocation({ ...arms, mode, epsilon });
          expect(sum(shares)).toBeCloseTo(1, 12);
          const floor = mode === "fixed_split" ? 0 : epsilon / shares.length;
          expect(Math.min(...shares)).toBeGreaterThanOrEqual(floor - 1e-15);
        },
      ),
      { numRuns: 60 },
    );
  });

  test("by Thompson is P(best) above the floor", () => {
    const arms = { successes: [3, 8, 5], failures: [97, 92, 95] };
    const best = pBest(arms).p;
    const { allocation: shares } = allocation({ ...arms, mode: "thompson" });
    expect(shares).toEqual(best.map((p) => 0.2 / 3 + 0.8 * p));
  });

  test("by top two sends the best half of the time, and others by what they could still be", () => {
    const arms = { successes: [20, 20, 21, 60], failures: [480, 480, 479, 440] };
    const { allocation: shares } = allocation({ ...arms, mode: "top_two", epsilon: 0 });
    expect(shares[3]).toBeCloseTo(0.5, 3);
    expect(shares[2]).toBeGreaterThan(shares[0] ?? 1);
    expect(shares[0]).toBeCloseTo(shares[1] ?? 0, 10);
  });

  test("by top two is half and half for two arms, and even among rivals without any hope", () => {
    const two = allocation({ successes: [5, 90], failures: [95, 10], mode: "top_two" });
    expect(two.allocation[0]).toBeCloseTo(0.5, 12);
    const arms = { successes: [0, 900_000, 0], failures: [900_000, 0, 900_000] };
    const hopeless = allocation({ ...arms, mode: "top_two", epsilon: 0 });
    expect(hopeless.allocation).toEqual([0.25, 0.5, 0.25]);
  });

  test("of a fixed split is the weights, whatever came back", () => {
    const arms = { successes: [0, 90], failures: [100, 10] };
    const split = allocation({ ...arms, mode: "fixed_split", weights: [1, 3] });
    expect(split.allocation).toEqual([0.25, 0.75]);
    expect(allocation({ ...arms, mode: "fixed_split" }).allocation).toEqual([0.5, 0.5]);
  });
});

describe("roundShares", () => {
  test("rounds each to its place, and still sums to 1", () => {
    fc.assert(
      fc.property(anyArms, (arms) => {
        const { allocation: shares } = allocation({ ...arms, mode: "thompson" });
        const rounded = roundShares(shares);
        expect(sum(rounded.map((share) => Math.round(share * 1e6)))).toBe(1e6);
        for (const [arm, share] of rounded.entries()) {
          expect(share).toBe(Number(share.toFixed(6)));
          expect(Math.abs(share - (shares[arm] ?? 0))).toBeLessThan(1e-5);
        }
      }),
      { numRuns: 60 },
    );
    expect(roundShares([1 / 3, 1 / 3, 1 / 3])).toEqual([0.333334, 0.333333, 0.333333]);
  });
});

const ARMS = { successes: [1, 2], failures: [3, 4] };
test.each<[name: string, call: () => unknown, argument: string]>([
  ["an unknown mode", () => allocation({ ...ARMS, mode: "greedy" as "thompson" }), "mode"],
  ["a floor above 1", () => allocation({ ...ARMS, mode: "thompson", epsilon: 1.1 }), "epsilon"],
  [
    "a weight of 0",
    () => allocation({ ...ARMS, mode: "fixed_split", weights: [0, 1] }),
    "weights[0]",
  ],
  ["no weights", () => allocation({ ...ARMS, mode: "fixed_split", weights: [] }), "weights"],
])("%s is refused by name", (_name, call, argument) => {
  expect(call).toThrow(ArgumentError);
  expect(call).toThrow(expect.objectContaining({ argument }));
});
