/** Guarantees of comparisons with the present text: what is shown of them, and what is said where several beat it. */

import { expect, test } from "bun:test";
import type { Figures } from "#domain/experiments/experiment-figures.ts";
import { readExperiment } from "#domain/experiments/experiment-reading.ts";
import { recommend } from "#domain/experiments/experiment-verdict.ts";
import { arm, figures, outlook } from "../../support/figures.ts";

function read(given: Figures) {
  return readExperiment(given, outlook({ leadsByEnd: 0 }));
}

function said(given: Figures, status: "running" | "completed"): string {
  const ahead = outlook();
  const reading = readExperiment(given, ahead);
  return recommend({ figures: given, reading, outlook: ahead, status }).sentence;
}

test("two that beat the present text are both told, and it is behind", () => {
  const given = figures([arm(900, 30), arm(900, 75), arm(900, 81)]);
  expect(said(given, "running")).toBe(
    "B and C both beat the present text, but neither beats the other. A is clearly behind. Drop it and keep B and C.",
  );
});

test("three that beat it at the end too, wherever it stands", () => {
  const counts = [arm(900, 81), arm(900, 75), arm(900, 30), arm(900, 78)];
  const given = figures(counts, { isFinal: true, present: 2 });
  expect(said(given, "completed")).toBe(
    "A, B and D all beat the present text, but none beats every other. C is clearly behind. Choose between A, B and D.",
  );
});

test("the p-value of a look is that of SciPy's multivariate normal, times five", () => {
  // 40 and 65 of 105 replies: z = 25/√105 = 2.4398; two of them with a correlation of 1/2:
  // 5 × (1 − multivariate_normal([0, 0], [[1, .5], [.5, 1]]).cdf([z, z], lower_limit=[−z, −z])).
  const { challengers } = read(figures([arm(1000, 40), arm(1000, 65), arm(1000, 40)]));
  expect(challengers.map(({ arm: place }) => place)).toEqual([1, 2]);
  expect(challengers[0]?.pValue).toBeCloseTo(0.138_525_768_063, 9);
});

test("a variant that was taken out, and a bandit, leave nothing known of the correlation", () => {
  const counts = [arm(1000, 40), arm(1000, 65), arm(1000, 40)];
  const allocation = [0.5, 0.5, 0];
  const epochs = [
    { allocation: [1 / 3, 1 / 3, 1 / 3], counts },
    { allocation, counts: [arm(0, 0), arm(0, 0), arm(0, 0)] },
  ];
  const whole = read(figures(counts)).challengers[0]?.pValue ?? 0;
  const moved = read(figures(counts, { epochs })).challengers[0]?.pValue ?? 0;
  const alone = (read(figures(counts)).pairs[0]?.pAlone ?? 0) / 5;
  expect(moved).toBeCloseTo(5 * (1 - (1 - alone) ** 2), 12);
  expect(moved).toBeGreaterThan(whole);
});

test("an e-process is added up", () => {
  const given = figures([arm(1000, 40), arm(1000, 70), arm(1000, 40)], { readsFixed: false });
  const { challengers, pairs } = read(given);
  expect(challengers[0]?.test).toBe("anytime");
  expect(challengers[0]?.pValue).toBeCloseTo(2 * (pairs[0]?.pAlone ?? 0), 12);
});

test("a lift is over the present text, also where that is not the first", () => {
  const { challengers } = read(figures([arm(1000, 80), arm(1000, 40)], { present: 1 }));
  expect(challengers[0]).toMatchObject({ arm: 0, better: 0, ratio: 2 });
  expect(challengers[0]?.ratioLow).toBeGreaterThan(1);
});
