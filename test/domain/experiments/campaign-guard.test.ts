/**
 * Guarantees of `domain/experiments/campaign-guard.ts`. The boundary of the first emails and how often it is
 * crossed are SciPy 1.17's: `betaln` of Beta(1, 49) against a rate of 2 %, at 20, and an exact walk over all
 * courses of 49 emails.
 */

import { describe, expect, test } from "bun:test";
import { guardVerdict } from "#domain/experiments/campaign-guard.ts";
import { GUARD_SENDS_MIN } from "#domain/mailboxes/health.ts";

/** Fewest bounces of the first 1, 2, … emails that stop a campaign. */
const SCIPY_BOUNDARY = [
  ...[Infinity, Infinity, Infinity, 4],
  ...Array.from({ length: 21 }, () => 5),
  ...Array.from({ length: 22 }, () => 6),
  ...[7, 7],
];

/** By the share of a list that bounces: how many campaigns are stopped before the fiftieth email. */
const SCIPY_STOPPED: [rate: number, stopped: number][] = [
  [0.01, 0.00001106],
  [0.02, 0.00041374],
  [0.05, 0.03099098],
  [0.1, 0.33670648],
  [0.2, 0.93257804],
  [0.3, 0.9985845],
];

describe("a campaign's guard", () => {
  test.each([
    ["nothing came back", { sends: 500, hardBounces: 0, complaints: 0 }, null],
    ["complaints of few", { sends: 49, hardBounces: 0, complaints: 49 }, null],
    ["two of the first two", { sends: 2, hardBounces: 2, complaints: 0 }, null],
    ["five of the first ten", { sends: 10, hardBounces: 5, complaints: 0 }, "bounce_rate"],
    ["three of the first thirty", { sends: 30, hardBounces: 3, complaints: 0 }, null],
    ["known before what was sent", { sends: 0, hardBounces: 5, complaints: 0 }, "bounce_rate"],
    ["5 % of 60", { sends: 60, hardBounces: 3, complaints: 0 }, "bounce_rate"],
    ["just under 5 %", { sends: 61, hardBounces: 3, complaints: 0 }, null],
    ["0.3 % of 1,000", { sends: 1000, hardBounces: 0, complaints: 3 }, "complaint_rate"],
    ["just under 0.3 %", { sends: 1001, hardBounces: 0, complaints: 3 }, null],
    ["the first complaint of few", { sends: 50, hardBounces: 0, complaints: 1 }, "complaint_rate"],
    ["both", { sends: 50, hardBounces: 3, complaints: 1 }, "bounce_rate"],
  ] as const)("%s", (_what, tally, verdict) => {
    expect(guardVerdict(tally)).toBe(verdict);
  });

  test("stops at the bounces that SciPy's boundary says", () => {
    expect(boundary()).toEqual(SCIPY_BOUNDARY);
  });

  test.each(SCIPY_STOPPED)("of lists that bounce at %d it stops %d early", (rate, stopped) => {
    expect(shareStopped(rate)).toBeCloseTo(stopped, 8);
  });
});

function boundary(): number[] {
  return Array.from({ length: GUARD_SENDS_MIN - 1 }, (_, before) => {
    const sends = before + 1;
    const counts = Array.from({ length: sends + 1 }, (_, hardBounces) => hardBounces);
    return (
      counts.find((hardBounces) => guardVerdict({ sends, hardBounces, complaints: 0 }) !== null) ??
      Infinity
    );
  });
}

/** Over every course that the first emails can take. */
function shareStopped(rate: number): number {
  let going = new Map([[0, 1]]);
  let stopped = 0;
  for (const least of boundary()) {
    const next = new Map<number, number>();
    for (const [bounces, share] of going) {
      next.set(bounces, (next.get(bounces) ?? 0) + share * (1 - rate));
      next.set(bounces + 1, (next.get(bounces + 1) ?? 0) + share * rate);
    }
    for (const [bounces, share] of next) {
      if (bounces >= least) {
        stopped += share;
        next.delete(bounces);
      }
    }
    going = next;
  }
  return stopped;
}
