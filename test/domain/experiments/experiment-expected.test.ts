/** Guarantees of what is known of past lifts: which counts make one, and what a winner's warning says. */

import { expect, test } from "bun:test";
import { pastLiftsOf } from "#domain/experiments/experiment-expected.ts";
import { readExperiment } from "#domain/experiments/experiment-reading.ts";
import { warningsOf } from "#domain/experiments/experiment-warnings.ts";
import { arm, figures, outlook } from "../../support/figures.ts";

test("an experiment's lifts are those over its first variant, of variants that something came of", () => {
  expect(pastLiftsOf("reply_rate", [arm(1000, 40), arm(500, 40), arm(500, 0)])).toEqual([
    { log: expect.closeTo(Math.log(2), 12), se: expect.closeTo(Math.sqrt(1 / 40 + 1 / 40), 12) },
  ]);
  expect(pastLiftsOf("reply_rate", [arm(1000, 0), arm(500, 40)])).toEqual([]);
  expect(pastLiftsOf("bounce_rate", [arm(100, 0, { bounced: 4 }), arm(100, 0)])).toEqual([]);
});

// Expected values as SciPy has them, by the notebook's formula.
test.each([
  ["nothing is known", [1000, 40, 72], 0, "+56% from now on rather than +80%"],
  ["the team's lifts were small", [1000, 40, 72], 20, "+27% from now on rather than +80%"],
  ["it is a clear win", [500, 15, 60], 20, "+220% from now on rather than +300%"],
] as const)(
  "a winner's warning says what to expect where %s",
  (_name, [sent, a, b], before, said) => {
    const past = Array.from({ length: before }, () => ({ log: 0.05, se: 0.1 }));
    const given = figures([arm(sent, a), arm(sent, b)], { past: () => past, isFinal: true });
    const reading = readExperiment(given, outlook());
    const mishaps = { stepChanged: false, replanned: false, notApplied: null, onHold: [] };
    expect(warningsOf(given, reading, mishaps)[0]?.message).toBe(
      `Expect about ${said}: winners look better than they are.`,
    );
  },
);
