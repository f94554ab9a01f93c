/** Guarantees of comparisons with one arm: the published critical values, and a p-value and a level that agree. */

import { expect, test } from "bun:test";
import fc from "fast-check";
import { dunnett, dunnettLevel } from "#domain/experiments/stats/dunnett.ts";

const even = (arms: number) => Array.from({ length: arms }, () => 0.5);

test.each([
  [1, 1.96],
  [2, 2.21],
  [3, 2.35],
  [4, 2.44],
  [5, 2.51],
  [9, 2.69],
])("the critical value of %i arms is that of Dunnett's table at 5%% (1964)", (arms, z) => {
  expect(dunnettLevel({ alpha: 0.05, lambdas: even(arms) }).critical).toBeCloseTo(z, 2);
});

test("arms that take nothing for granted are Šidák's", () => {
  const { adjusted } = dunnett({ pValue: 0.01, lambdas: [0, 0, 0, 0] });
  expect(adjusted).toBeCloseTo(1 - 0.99 ** 4, 15);
});

test.each([0, 5e-324, 1e-310, 1e-30, 1])("a p-value of %p has an answer", (pValue) => {
  const { adjusted } = dunnett({ pValue, lambdas: even(4) });
  expect(adjusted).toBeGreaterThanOrEqual(pValue);
  expect(adjusted).toBeLessThanOrEqual(Math.min(1, 4 * pValue));
});

const lambdas = fc.array(fc.double({ min: 0, max: 0.98, noNaN: true }), {
  minLength: 1,
  maxLength: 12,
});
const between = fc.double({ min: 1e-6, max: 0.9, noNaN: true });

test("it asks for no less than one comparison and no more than Šidák", () => {
  fc.assert(
    fc.property(lambdas, between, (of, pValue) => {
      const { adjusted } = dunnett({ pValue, lambdas: of });
      expect(adjusted).toBeGreaterThanOrEqual(pValue * (1 - 1e-12));
      expect(adjusted).toBeLessThanOrEqual((1 - (1 - pValue) ** of.length) * (1 + 1e-9));
    }),
    { seed: 1 },
  );
});

test("at the level of one alone, all together have theirs", () => {
  fc.assert(
    fc.property(lambdas, between, (of, alpha) => {
      const { alone } = dunnettLevel({ alpha, lambdas: of });
      expect(dunnett({ pValue: alone, lambdas: of }).adjusted / alpha).toBeCloseTo(1, 10);
    }),
    { seed: 1 },
  );
});
