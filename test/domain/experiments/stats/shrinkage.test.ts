/** Guarantees of expected lifts: nearer to the truth than those measured of winners, with and without a past. */

import { describe, expect, test } from "bun:test";
import { expectedLift, type LogLift } from "#domain/experiments/stats/shrinkage.ts";
import { diceOf } from "../../../support/trials/bandit.ts";

const REPLIES = 35;

/** Teams whose log lifts have the sd `sd`: bias and error of winners' lifts, as measured and as expected. */
function play(sd: number, experiments: number, teams: number) {
  const draw = diceOf(3);
  const normal = () => Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());
  const poisson = (mean: number) => {
    let [count, product] = [-1, 1];
    for (; product > Math.exp(-mean); count += 1) {
      product *= draw();
    }
    return count;
  };
  const measure = (log: number): LogLift => {
    const [a, b] = [Math.max(1, poisson(REPLIES)), Math.max(1, poisson(REPLIES * Math.exp(log)))];
    return { log: Math.log(b / a), se: Math.sqrt(1 / a + 1 / b) };
  };
  const won: { measured: number; expected: number }[] = [];
  for (let team = 0; team < teams; team += 1) {
    const past = Array.from({ length: experiments }, () => measure(sd * normal()));
    const truth = sd * normal();
    const lift = measure(truth);
    if (Math.abs(lift.log) > 1.96 * lift.se) {
      const side = Math.sign(lift.log);
      const expected = Math.log(expectedLift({ lift, past }).ratio);
      won.push({ measured: side * (lift.log - truth), expected: side * (expected - truth) });
    }
  }
  const mean = (of: (one: (typeof won)[number]) => number) =>
    won.reduce((sum, one) => sum + of(one), 0) / won.length;
  return {
    bias: { measured: mean((one) => one.measured), expected: mean((one) => one.expected) },
    error: {
      measured: Math.sqrt(mean(({ measured }) => measured ** 2)),
      expected: Math.sqrt(mean(({ expected }) => expected ** 2)),
    },
  };
}

describe("of winners, the expected lift is nearer to the truth than the measured one", () => {
  test.each([
    [0.2, 0, 0.2],
    [0.3, 0, 0.08],
    [0.5, 0, 0.08],
    [0.2, 20, 0.06],
    [0.3, 20, 0.06],
    [0.5, 20, 0.06],
  ])("sd %d, %i past experiments: a bias of %d at most", (sd, experiments, most) => {
    const { bias, error } = play(sd, experiments, 4_000);
    expect(bias.measured).toBeGreaterThan(0.13);
    expect(Math.abs(bias.expected)).toBeLessThan(most);
    expect(error.expected).toBeLessThan(0.85 * error.measured);
  });
});

test("a lift that is measured exactly is expected as it is, and the past decides about one that isn't", () => {
  const exact = { log: Math.log(1.6), se: 0.001 };
  expect(expectedLift({ lift: exact, past: [] }).ratio).toBeCloseTo(1.6, 3);
  const lift = { log: Math.log(1.6), se: 0.2 };
  const pastOf = (log: number) => Array.from({ length: 20 }, () => ({ log, se: 0.1 }));
  const small = expectedLift({ lift, past: pastOf(0.02) }).ratio;
  const large = expectedLift({ lift, past: pastOf(0.6) }).ratio;
  const none = expectedLift({ lift, past: [] }).ratio;
  expect([1 < small, small < none, none < large, large < 1.6]).toEqual([true, true, true, true]);
});
