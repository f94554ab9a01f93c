/**
 * Every reference case, computed elsewhere in exact fractions or 60 digits, comes out within its tolerance,
 * by the names and shapes of `outrider stats eval`.
 */

import { describe, expect, test } from "bun:test";
import { evaluate } from "#domain/experiments/stats/functions.ts";
import { areCasesHere, distance, reportOf, statsCases } from "../../../support/stats-cases.ts";

describe.skipIf(!areCasesHere)("The reference cases (skipped where ../shared is not)", () => {
  const cases = statsCases();

  test.each(cases.map((one) => [one.id, one] as const))("%s", (_id, one) => {
    expect(distance(one, evaluate(one.fn, one.input)).wrong).toEqual([]);
  });

  test("are met to eleven digits at worst", () => {
    console.info(reportOf(cases));
    for (const one of cases) {
      expect(distance(one, evaluate(one.fn, one.input)).worst).toBeLessThan(1e-11);
    }
  });
});
