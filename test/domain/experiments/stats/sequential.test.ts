/**
 * Guarantees of `domain/experiments/stats/sequential.ts`: what is called evidence is a martingale under the null, in
 * exact arithmetic, so looking after every reply keeps the error; and it keeps its digits at any count.
 */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ArgumentError } from "#domain/experiments/stats/argument.ts";
import {
  combinedP,
  type EpochReplies,
  epochsCs,
  eprocessEpochs,
  eprocessReplies,
  holm,
  ratioCs,
} from "#domain/experiments/stats/sequential.ts";
import { Fraction, ONE } from "../../../support/fraction.ts";

const SHARES = fc.constantFrom(0.5, 0.25, 0.75, 0.1, 1 / 1001, 1000 / 1001);
const replies = fc.oneof(fc.nat(30), fc.nat(1_000_000));

/** E for a share of 1/2 and concentration 20, reply by reply: the chance of each as the mixture sees it. */
function exactE(repliesA: number, repliesB: number): Fraction {
  let e = ONE;
  for (let a = 0; a < repliesA; a += 1) {
    e = e.times(new Fraction(2 * (10 + a), 20 + a));
  }
  for (let b = 0; b < repliesB; b += 1) {
    e = e.times(new Fraction(2 * (10 + b), 20 + repliesA + b));
  }
  return e;
}

describe("eprocessReplies", () => {
  test("is the product of exact predictions", () => {
    for (const [a, b] of [
      [0, 0],
      [3, 0],
      [5, 9],
      [40, 75],
      [200, 170],
      [0, 300],
    ] as const) {
      const { logE, pAnytime } = eprocessReplies({ repliesA: a, repliesB: b, shareB: 0.5 });
      const exact = exactE(a, b).toNumber();
      expect(Math.abs(logE - Math.log(exact))).toBeLessThan(1e-13 * Math.max(1, Math.abs(logE)));
      expect(Math.abs(pAnytime - Math.min(1, 1 / exact))).toBeLessThan(1e-12 * pAnytime);
    }
  });

  test("is a martingale: what the next reply is expected to make of E is E", () => {
    fc.assert(
      fc.property(replies, replies, SHARES, fc.constantFrom(1, 20, 300), (a, b, shareB, c) => {
        const logE = (repliesA: number, repliesB: number) =>
          eprocessReplies({ repliesA, repliesB, shareB, concentration: c }).logE;
        const now = logE(a, b);
        const next =
          (1 - shareB) * Math.exp(logE(a + 1, b) - now) + shareB * Math.exp(logE(a, b + 1) - now);
        // Beside a logE of a million the difference of two has eight digits left.
        expect(Math.abs(next - 1)).toBeLessThan(1e-12 * Math.max(1, Math.abs(now)) + 1e-11);
      }),
    );
  });

  test.each([0.5, 0.25, 0.1])(
    "at a share of %d passes 1/0.05 in at most 5 %% of all paths, looked at after each reply",
    (shareB) => {
      // Chances of the counts of B on paths that have not been called different yet.
      let open = new Map([[0, 1]]);
      let called = 0;
      for (let total = 1; total <= 400; total += 1) {
        const next = new Map<number, number>();
        for (const [b, chance] of open) {
          next.set(b, (next.get(b) ?? 0) + chance * (1 - shareB));
          next.set(b + 1, (next.get(b + 1) ?? 0) + chance * shareB);
        }
        for (const [b, chance] of next) {
          if (eprocessReplies({ repliesA: total - b, repliesB: b, shareB }).pAnytime <= 0.05) {
            called += chance;
            next.delete(b);
          }
        }
        open = next;
      }
      expect(called).toBeGreaterThan(0.005);
      expect(called).toBeLessThan(0.05);
    },
  );

  test("does not depend on which arm is called A", () => {
    fc.assert(
      fc.property(replies, replies, (a, b) => {
        const own = eprocessReplies({ repliesA: a, repliesB: b, shareB: 0.25 });
        const other = eprocessReplies({ repliesA: b, repliesB: a, shareB: 0.75 });
        expect(Math.abs(own.logE - other.logE)).toBeLessThanOrEqual(
          1e-12 * (1 + Math.abs(own.logE)),
        );
      }),
    );
  });

  test.each([
    [500_000, 501_000, 0.5, -4.923402337980381],
    [0, 1_000_000, 0.5, 693_035.5633660739],
    [100_000, 120, 0.001, -3.6168462737650375],
  ])("keeps its digits at %d and %d replies", (repliesA, repliesB, shareB, expected) => {
    const { logE } = eprocessReplies({ repliesA, repliesB, shareB });
    expect(Math.abs(logE - expected)).toBeLessThan(1e-13 * Math.abs(expected));
  });
});

describe("ratioCs", () => {
  test("contains what was seen, and 1 exactly while the evidence is below 1/alpha", () => {
    fc.assert(
      fc.property(replies, replies, SHARES, (repliesA, repliesB, shareB) => {
        const given = { repliesA, repliesB, shareB };
        const { lower, upper } = ratioCs(given);
        if (repliesA > 0) {
          const seen = (repliesB / repliesA) * ((1 - shareB) / shareB);
          expect(lower).toBeLessThanOrEqual(seen);
          expect(upper ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(seen);
        }
        expect(lower === 0).toBe(repliesB === 0);
        expect(upper === null).toBe(repliesA === 0);
        const { logE } = eprocessReplies(given);
        if (Math.abs(logE - Math.log(20)) > 1e-6) {
          expect(lower < 1 && (upper === null || upper > 1)).toBe(logE < Math.log(20));
        }
      }),
      { numRuns: 300 },
    );
  });

  test("turns with the arms", () => {
    const own = ratioCs({ repliesA: 40, repliesB: 75, shareB: 0.25 });
    const other = ratioCs({ repliesA: 75, repliesB: 40, shareB: 0.75 });
    expect(own.lower).toBeCloseTo(1 / (other.upper ?? Number.NaN), 12);
    expect(own.upper).toBeCloseTo(1 / other.lower, 12);
  });

  test("narrows as replies come and widens with the confidence", () => {
    const width = (times: number, alpha: number) => {
      const { lower, upper } = ratioCs({
        repliesA: 30 * times,
        repliesB: 40 * times,
        shareB: 0.5,
        alpha,
      });
      return Math.log((upper ?? Number.NaN) / lower);
    };
    const byCount = [1, 3, 10, 100, 10_000].map((times) => width(times, 0.05));
    expect(byCount).toEqual(byCount.toSorted((a, b) => b - a));
    expect(width(1, 0.001)).toBeGreaterThan(width(1, 0.05));
  });

  test("of no replies is everything", () => {
    expect(ratioCs({ repliesA: 0, repliesB: 0, shareB: 0.5 })).toEqual({ lower: 0, upper: null });
  });
});

describe("epochsCs", () => {
  const day = fc
    .tuple(fc.double({ min: 0.05, max: 0.95, noNaN: true }), fc.nat(60), fc.nat(60))
    .map(([allocB, repliesA, repliesB]) => ({ allocA: 1 - allocB, allocB, repliesA, repliesB }));

  test("leaves out 1 where the evidence is above 1/alpha, and only there", () => {
    fc.assert(
      fc.property(fc.array(day, { maxLength: 8 }), (epochs) => {
        const { pAnytime } = eprocessEpochs({ epochs });
        const { lower, upper } = epochsCs({ epochs, alpha: 0.01 });
        fc.pre(Math.abs(pAnytime - 0.01) > 1e-9);
        expect(lower <= 1 && 1 <= (upper ?? Number.POSITIVE_INFINITY)).toBe(pAnytime > 0.01);
      }),
    );
  });

  test("has no bound where nothing came of one", () => {
    const epochs = [{ allocA: 0.5, allocB: 0.5, repliesA: 0, repliesB: 9 }];
    expect(epochsCs({ epochs }).upper).toBeNull();
    expect(epochsCs({ epochs }).lower).toBeGreaterThan(0);
    const turned = epochs.map((one) => ({ ...one, repliesA: 9, repliesB: 0 }));
    expect(epochsCs({ epochs: turned }).lower).toBe(0);
    expect(epochsCs({ epochs: [] })).toEqual({ lower: 0, upper: null });
  });
});

describe("eprocessEpochs", () => {
  const epoch = (repliesA: number, repliesB: number, allocA: number, allocB: number) => ({
    repliesA,
    repliesB,
    allocA,
    allocB,
  });

  test("is a martingale within an epoch, whatever the earlier ones were", () => {
    const anyEpoch = fc
      .tuple(fc.nat(500), fc.nat(500), fc.double({ min: 0.01, max: 0.5, noNaN: true }))
      .map(([a, b, allocA]) => epoch(a, b, allocA, 0.9 - allocA));
    fc.assert(
      fc.property(fc.array(anyEpoch, { maxLength: 20 }), anyEpoch, (before, last) => {
        const logE = (own: EpochReplies) => eprocessEpochs({ epochs: [...before, own] }).logE;
        const { allocA, allocB, repliesA, repliesB } = last;
        const now = logE(last);
        const shareB = allocB / (allocA + allocB);
        const next =
          (1 - shareB) * Math.exp(logE({ ...last, repliesA: repliesA + 1 }) - now) +
          shareB * Math.exp(logE({ ...last, repliesB: repliesB + 1 }) - now);
        expect(Math.abs(next - 1)).toBeLessThan(1e-10);
      }),
    );
  });

  test("knows only shares: arms outside of the pair, and empty epochs, say nothing", () => {
    const one = eprocessEpochs({ epochs: [epoch(5, 9, 0.5, 0.25), epoch(0, 0, 0.1, 0.7)] });
    const two = eprocessEpochs({ epochs: [epoch(5, 9, 0.2, 0.1)] });
    expect(one.logE).toBeCloseTo(two.logE, 13);
    expect(eprocessEpochs({ epochs: [] })).toEqual({ logE: 0, pAnytime: 1 });
  });

  test("leaves out an epoch in which one of the two could not be sent", () => {
    const epochs = [epoch(5, 9, 0.5, 0.5)];
    expect(eprocessEpochs({ epochs: [...epochs, epoch(0, 40, 0, 1)] })).toEqual(
      eprocessEpochs({ epochs }),
    );
  });

  test("answers at a million replies", () => {
    const { logE, pAnytime } = eprocessEpochs({ epochs: [epoch(1e6, 1.2e6, 0.5, 0.5)] });
    expect(logE).toBeGreaterThan(9000);
    expect(pAnytime).toBe(0);
  });
});

describe("combinedP", () => {
  test("weighs the two readings by their parts of alpha, the fixed one at the end only", () => {
    const given = { pAnytime: 0.02, pFixed: 0.01 };
    expect(combinedP({ ...given, isFinal: false }).p).toBeCloseTo(0.1, 15);
    expect(combinedP({ ...given, isFinal: true }).p).toBeCloseTo(0.0125, 15);
    expect(combinedP({ ...given, pFixed: null, isFinal: true }).p).toBeCloseTo(0.1, 15);
    expect(combinedP({ pAnytime: 1, pFixed: 1, isFinal: true }).p).toBe(1);
  });

  test("keeps the error: of each reading only its part is spent", () => {
    expect(combinedP({ pAnytime: 0.01, pFixed: 1, isFinal: true }).p).toBeCloseTo(0.05, 15);
    expect(combinedP({ pAnytime: 1, pFixed: 0.04, isFinal: true }).p).toBeCloseTo(0.05, 15);
  });
});

describe("holm", () => {
  const list = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 45 });

  test("is between the p-value and Bonferroni's, keeps the order, and is at most 1", () => {
    fc.assert(
      fc.property(list, (p) => {
        const { adjusted } = holm({ p });
        for (const [index, value] of p.entries()) {
          const own = adjusted[index] ?? Number.NaN;
          expect(own).toBeGreaterThanOrEqual(value);
          expect(own).toBeLessThanOrEqual(Math.min(1, p.length * value));
          for (const [other, rival] of p.entries()) {
            expect(value <= rival ? own <= (adjusted[other] ?? Number.NaN) : true).toBe(true);
          }
        }
      }),
    );
  });

  test("rejects at alpha what the step-down procedure rejects", () => {
    fc.assert(
      fc.property(list, fc.double({ min: 0.001, max: 0.999, noNaN: true }), (p, alpha) => {
        const ascending = p.toSorted((a, b) => a - b);
        const stop = ascending.findIndex((value, rank) => (p.length - rank) * value > alpha);
        const rejected = stop === -1 ? p.length : stop;
        expect(holm({ p }).adjusted.filter((value) => value <= alpha)).toHaveLength(rejected);
      }),
    );
  });
});

const PAIR = { repliesA: 1, repliesB: 1, shareB: 0.5 };
test.each<[name: string, call: () => unknown, argument: string]>([
  ["a share of 1", () => eprocessReplies({ ...PAIR, shareB: 1 }), "shareB"],
  ["negative replies", () => ratioCs({ ...PAIR, repliesA: -1 }), "repliesA"],
  ["no concentration", () => eprocessReplies({ ...PAIR, concentration: 0 }), "concentration"],
  ["an alpha of 0", () => ratioCs({ ...PAIR, alpha: 0 }), "alpha"],
  ["a p-value above 1", () => holm({ p: [0.1, 1.1] }), "p[1]"],
  ["no fixed p", () => combinedP({ pAnytime: 1, pFixed: Number.NaN, isFinal: true }), "pFixed"],
  [
    "an early alpha above all of it",
    () => combinedP({ pAnytime: 1, pFixed: null, isFinal: false, alphaEarly: 0.06 }),
    "alphaEarly",
  ],
  [
    "an allocation above 1",
    () => eprocessEpochs({ epochs: [{ repliesA: 0, repliesB: 0, allocA: 0.5, allocB: 2 }] }),
    "epochs[0].allocB",
  ],
])("%s is refused by name", (_name, call, argument) => {
  expect(call).toThrow(ArgumentError);
  expect(call).toThrow(expect.objectContaining({ argument }));
});
