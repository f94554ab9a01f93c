/** Scales and paths of charts: pixels and values agree both ways, ticks are round and inside. */

import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  areaPath,
  axisScale,
  linearScale,
  linePath,
  logScale,
  roundValues,
} from "../../src/ui/charts/scale.ts";

const value = fc.double({ min: -1e6, max: 1e6, noNaN: true });
const span = fc.double({ min: 1e-3, max: 1e6, noNaN: true });

test("a linear scale puts the ends of its domain at those of its range, and comes back from pixels", () => {
  fc.assert(
    fc.property(value, span, fc.double({ min: 0, max: 1, noNaN: true }), (from, reach, share) => {
      const scale = linearScale([from, from + reach], [40, 640]);
      const px = 40 + 600 * share;
      expect(scale(from)).toBeCloseTo(40, 6);
      expect(scale(from + reach)).toBeCloseTo(640, 6);
      expect(Math.abs(scale(scale.invert(px)) - px)).toBeLessThan(1e-3);
    }),
  );
  const still = linearScale([3, 3], [10, 20]);
  expect([still(3), still.invert(15)]).toEqual([10, 3]);
});

test("round values are inside of their domain, even, and about as many as were wanted", () => {
  fc.assert(
    fc.property(value, span, fc.integer({ min: 2, max: 10 }), (from, reach, wanted) => {
      const ticks = roundValues([from, from + reach], wanted);
      expect(ticks.length).toBeLessThanOrEqual(2 * wanted + 1);
      expect(ticks.length).toBeGreaterThanOrEqual(Math.floor(wanted / 2));
      expect(Math.min(...ticks)).toBeGreaterThanOrEqual(from - reach * 1e-8);
      expect(Math.max(...ticks)).toBeLessThanOrEqual(from + reach * (1 + 1e-8));
    }),
  );
  expect(roundValues([0, 1], 5)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
  expect(roundValues([0, 0.7], 7)).toEqual([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]);
  expect(roundValues([-30, 170], 4)).toEqual([0, 50, 100, 150]);
  expect(roundValues([2, 2], 4)).toEqual([2]);
});

test("an axis ends at the first of its ticks that holds all values", () => {
  fc.assert(
    fc.property(span, fc.integer({ min: 2, max: 8 }), (most, wanted) => {
      const scale = axisScale(most, [0, 100], wanted);
      expect(scale.ticks[0]).toBe(0);
      expect(scale(scale.ticks.at(-1) ?? 0)).toBeCloseTo(100, 6);
      expect(scale.ticks.at(-1)).toBeGreaterThanOrEqual(most * (1 - 1e-7));
      expect(scale.ticks.at(-2)).toBeLessThan(most);
    }),
  );
  expect(axisScale(117, [0, 1], 4).ticks).toEqual([0, 20, 40, 60, 80, 100, 120]);
  expect(axisScale(1, [0, 1], 4).ticks).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
});

test("a scale of ratios has equal steps for equal ratios, and holds what is outside at its ends", () => {
  const scale = logScale([0.5, 2], [0, 100]);
  expect(scale(1)).toBeCloseTo(50, 9);
  expect(scale(0.5)).toBeCloseTo(0, 9);
  expect(scale(0)).toBe(0);
  expect(scale(9)).toBe(100);
  expect(scale.invert(50)).toBeCloseTo(1, 9);
});

test("a line breaks where there is no value, an area closes", () => {
  const points = [
    [0, 1],
    [10, 2.345],
    [20, Number.NaN],
    [30, 4],
  ] as const;
  expect(linePath(points)).toBe("M0,1L10,2.3M30,4");
  expect(areaPath(points, [[30, 9]])).toBe("M0,1L10,2.3L30,4L30,9Z");
  expect(areaPath([], [])).toBe("");
});
