/** Guarantees of what a reply costs: leads emailed for one, with an interval, fair within a bandit's epochs. */

import { expect, test } from "bun:test";
import { pricesOf } from "#domain/experiments/experiment-price.ts";
import { arm, figures } from "../../support/figures.ts";

const near = (value: number) => expect.closeTo(value, 4);

test("a price is the inverse of the rate, and so is its interval", () => {
  const given = figures([arm(1000, 50, { interested: 20 }), arm(1000, 100, { interested: 0 })]);
  // Wilson of 50 and 100 of 1,000, as SciPy has them.
  expect(pricesOf(given, "reply_rate")).toEqual([
    { emails: near(20), emailsLow: near(15.3107), emailsHigh: near(26.2259) },
    { emails: near(10), emailsLow: near(8.3228), emailsHigh: near(12.0614) },
  ]);
  expect(pricesOf(given, "interested_rate")).toEqual([
    { emails: near(50), emailsLow: near(32.5839), emailsHigh: near(77.0197) },
    { emails: null, emailsLow: near(261.3178), emailsHigh: null },
  ]);
});

test("nothing sent costs nothing that is known", () => {
  const unknown = { emails: null, emailsLow: null, emailsHigh: null };
  expect(pricesOf(figures([arm(0, 0), arm(10, 1)]), "reply_rate")[0]).toEqual(unknown);
});

test("of equal variants, the one that was sent on the better days isn't cheaper", () => {
  const day = (share: number, rate: number) => ({
    allocation: [1 - share, share],
    counts: [1 - share, share].map((part) => arm(1000 * part, Math.round(1000 * part * rate))),
  });
  const epochs = [day(0.2, 0.04), day(0.8, 0.16)];
  const sums = [0, 1].map((at) => {
    const [first, second] = epochs.map(({ counts }) => counts[at] ?? arm(0, 0));
    return arm((first?.sent ?? 0) + (second?.sent ?? 0), 0);
  });
  const [a, b] = pricesOf(figures(sums, { mode: "thompson_sampling", epochs }), "reply_rate");
  expect(a?.emails).toBeCloseTo(b?.emails ?? 0, 1);
});
