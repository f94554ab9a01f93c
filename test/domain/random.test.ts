/** Guarantees of `domain/random.ts`: the same for the same parts, and otherwise like chance. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { hash01, hashInt } from "#domain/random.ts";

const ACCOUNT = "0198c9a4-7d1e-7c3a-9b55-2f6d1f0a7e11";

/** Pearson's statistic of `draws` over equal bins. */
function chiSquare(draws: readonly number[], bins: number): number {
  const counts = new Array<number>(bins).fill(0);
  for (const draw of draws) {
    const bin = Math.floor(draw * bins);
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  const expected = draws.length / bins;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

describe("hash01", () => {
  test("keeps its values for good: a release must not change a running campaign's draws", () => {
    expect([hash01(), hash01("a"), hash01("a", 0), hash01(ACCOUNT, "2026-03-01", 17)]).toEqual([
      0.91138734177553, 0.4227725116059474, 0.38387185448638794, 0.8031193578735696,
    ]);
  });

  test("lies in [0, 1) for any parts and is a function of them", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.integer())), (parts) => {
        const value = hash01(...parts);
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThan(1);
        expect(hash01(...parts)).toBe(value);
      }),
    );
  });

  test("knows where one part ends and the next begins", () => {
    const values = [hash01("ab", "c"), hash01("a", "bc"), hash01("abc"), hash01("abc", "")];
    expect(new Set(values).size).toBe(values.length);
  });

  test("is uniform over consecutive ordinals, dates and accounts", () => {
    const days = Array.from({ length: 400 }, (_, day) => `2026-${day}`);
    const draws = {
      ordinals: Array.from({ length: 100_000 }, (_, ordinal) =>
        hash01(ACCOUNT, "2026-03-01", ordinal),
      ),
      dates: days.flatMap((day) =>
        Array.from({ length: 100 }, (_, ordinal) => hash01(ACCOUNT, day, ordinal)),
      ),
      accounts: Array.from({ length: 100_000 }, (_, account) =>
        hash01(`${account}`, "2026-03-01", 0),
      ),
    };
    // 100 bins, 99 degrees of freedom: 149 is passed by chance once in 1,000.
    for (const sample of Object.values(draws)) {
      expect(chiSquare(sample, 100)).toBeLessThan(149);
    }
  });

  test("shows no correlation between neighbouring ordinals", () => {
    const draws = Array.from({ length: 50_001 }, (_, ordinal) => hash01(ACCOUNT, ordinal));
    const pairs = draws.slice(1).map((draw, at) => (draw - 0.5) * ((draws[at] ?? 0) - 0.5));
    const correlation = (12 * pairs.reduce((sum, pair) => sum + pair, 0)) / pairs.length;
    expect(Math.abs(correlation)).toBeLessThan(4 / Math.sqrt(pairs.length));
  });

  test("lets one changed bit change half of the bits that come out", () => {
    const bits = (value: number) => BigInt(Math.round(value * 2 ** 53));
    let flipped = 0;
    const trials = 4000;
    for (let trial = 0; trial < trials; trial += 1) {
      let difference = bits(hash01(trial, "x")) ^ bits(hash01(trial, "y"));
      for (; difference > 0n; difference >>= 1n) {
        flipped += Number(difference & 1n);
      }
    }
    const share = flipped / (trials * 53);
    expect(share).toBeGreaterThan(0.49);
    expect(share).toBeLessThan(0.51);
  });

  test("does not collide over a month of a thousand mailboxes", () => {
    const values = new Set<number>();
    for (let account = 0; account < 1000; account += 1) {
      for (let ordinal = 0; ordinal < 300; ordinal += 1) {
        values.add(hash01(`account-${account}`, "2026-03-01", ordinal));
      }
    }
    expect(values.size).toBe(300_000);
  });
});

describe("hashInt", () => {
  test("covers every value below its bound about equally often", () => {
    const counts = new Array<number>(7).fill(0);
    for (let ordinal = 0; ordinal < 70_000; ordinal += 1) {
      const pick = hashInt(7, ACCOUNT, ordinal);
      counts[pick] = (counts[pick] ?? 0) + 1;
    }
    expect(Math.min(...counts)).toBeGreaterThan(9600);
    expect(Math.max(...counts)).toBeLessThan(10_400);
  });
});
