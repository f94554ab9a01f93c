/** What a plan says holds the numbers that it comes with. */

import { expect, test } from "bun:test";
import fc from "fast-check";
import { asRatio } from "#domain/experiments/experiment-words.ts";
import type { Caller, Environment } from "#environment.ts";
import { planExperiment } from "#usecases/experiments/experiment-plan.ts";

test("a plan's recommendation and its basis say what its numbers do", () => {
  fc.assert(
    fc.property(
      fc.record({
        leads: fc.integer({ min: 0, max: 200_000 }),
        leadsPerDay: fc.integer({ min: 1, max: 5_000 }),
        baseline: fc.double({ min: 0.005, max: 0.4, noNaN: true }),
        variants: fc.integer({ min: 2, max: 10 }),
        durationDays: fc.integer({ min: 1, max: 60 }),
        windowDays: fc.constant(7),
      }),
      (input) => {
        // Without a campaign nothing is read.
        const plan = planExperiment({} as Environment, {} as Caller, input);
        const { recommendation, basis, detectable, leadsByEnd, leadsPerVariant, canAnswer } = plan;
        const count = (value: number) => value.toLocaleString("en-US");
        expect(recommendation).toContain(`${count(leadsByEnd)} leads by the end can`);
        expect(/\b([\d.]+)x difference/.exec(recommendation)?.[1]).toBe(
          detectable.ratio === null ? undefined : asRatio(detectable.ratio),
        );
        expect(recommendation.startsWith("Add leads")).toBe(!canAnswer);
        expect(recommendation.includes(` on ${count(plan.testAndRoll)} leads `)).toBe(!canAnswer);
        expect(basis).toStartWith(`${count(leadsByEnd)} lead`);
        expect(basis).toContain(` within ${input.durationDays} day`);
        expect(basis).toContain(`, ${count(leadsPerVariant)} for each variant, at about `);
        expect(`${recommendation} ${basis}`).not.toMatch(/NaN|undefined|null|_/);
      },
    ),
    { numRuns: 1_000, seed: 5 },
  );
});
