/** Guarantees of `bench/measure.ts`: a ratio means the same whichever way its unit counts, and noise fails nothing. */

import { describe, expect, test } from "bun:test";
import {
  compare,
  type Figure,
  failures,
  isReached,
  measured,
  summary,
} from "../../bench/measure.ts";

const LIMIT = { name: "the limit", least: 0.5 };
const samples = (...values: number[]) => values.map((value) => ({ value }));

describe("a ratio", () => {
  test.each([
    ["1/s", 50, 100, 0.5],
    ["ms", 20, 10, 0.5],
    ["MiB", 5, 10, 2],
  ] as const)("in %s: %d against %d is %d", (unit, ours, theirs, ratio) => {
    const figure = summary({ id: "x", about: "X", unit, limits: [LIMIT] }, [
      samples(ours),
      samples(theirs),
    ]);
    expect(figure.against[0]?.ratio).toBe(ratio);
  });

  test("is the median of those of the rounds, not that of the medians", () => {
    const question = { id: "x", about: "X", unit: "1/s" as const, limits: [LIMIT] };
    const figure = summary(question, [samples(10, 100, 1000), samples(20, 100, 4000)]);
    expect(figure.against[0]).toMatchObject({ ratio: 0.5, spread: [0.25, 1] });
  });

  test("sides run in turn, in the opposite order each round", async () => {
    const order: string[] = [];
    const side = (name: string) => ({
      name,
      run: async () => {
        order.push(name);
        return { value: 1 };
      },
    });
    const question = { id: "x", about: "X", unit: "ms" as const };
    await compare({ ...question, product: side("a"), limits: [side("b")] }, 3);
    expect(order.join("")).toBe("abbaab");
  });
});

describe("a run fails", () => {
  const figure = (
    ratio: number,
    cpuRatio: number | null,
    least: number | null,
    isJudged = least !== null,
  ): Figure => ({
    ...{ id: "x", about: "X", unit: "ms", rounds: 1, aim: null, value: 1, cpuUs: null },
    against: [
      {
        ...{ limit: "L", least, value: 1, cpuUs: null, ratio, cpuRatio, isJudged },
        spread: [ratio, ratio],
      },
    ],
  });
  const fails = (now: Figure, before: Figure | null) =>
    failures([now], before === null ? [] : [before]).length > 0;

  const cases: [string, Figure, Figure | null, boolean][] = [
    ["less than half of what was recorded", figure(0.09, null, 0.5), figure(0.2, null, 0.5), true],
    ["half of what was recorded", figure(0.1, null, 0.5), figure(0.2, null, 0.5), false],
    ["less than half of the aim", figure(0.2, null, 0.5), figure(0.9, null, 0.5), true],
    [
      "half of the aim, though more was recorded",
      figure(0.3, null, 0.5),
      figure(0.9, null, 0.5),
      false,
    ],
    ["slow, but not by processor time", figure(0.1, 0.4, 0.5), figure(0.9, null, 0.5), false],
    ["slow by both", figure(0.1, 0.2, 0.5), figure(0.9, null, 0.5), true],
    ["never recorded", figure(0.01, null, 0.5), null, false],
    ["without an aim", figure(0.01, null, null), figure(0.9, null, null), false],
    ["a load beside rest", figure(0.01, null, 0.5, false), figure(0.9, null, 0.5), false],
    ["not measured", figure(Number.NaN, null, 0.5), figure(0.9, null, 0.5), true],
  ];
  test.each(cases)("%s", (_what, now, before, expected) => {
    expect(fails(now, before)).toBe(expected);
  });

  const recorded = [figure(0.5, null, 0.5)];
  const tries: [string, number[], number, number][] = [
    ["off once: it is measured again, and holds", [0.1, 0.5], 2, 0],
    ["off each time: it has failed", [0.1, 0.2, 0.1], 3, 1],
    ["never off: it is measured once", [0.5], 1, 0],
  ];
  test.each(tries)("%s", async (_what, ratios, times, failed) => {
    const left = [...ratios];
    const found = await measured(
      () => Promise.resolve([figure(left.shift() ?? Number.NaN, null, 0.5)]),
      recorded,
    );
    expect([ratios.length - left.length, found.failed.length]).toEqual([times, failed]);
  });
});

test("a value is held against its aim the way its unit counts", () => {
  const value = (unit: Figure["unit"], aim: number | null): Figure => ({
    ...{ id: "x", about: "X", unit, rounds: 1, aim, value: 10, cpuUs: null, against: [] },
  });
  expect([isReached(value("ms", 9)), isReached(value("ms", 10))]).toEqual([false, true]);
  expect([isReached(value("1/s", 11)), isReached(value("1/s", 10))]).toEqual([false, true]);
  expect(isReached(value("ms", null))).toBeNull();
});
