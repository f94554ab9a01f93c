/** Guarantees of the verdicts: which code fits when, what the sentence says, and when a test may stop. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { OPTIMIZATION_MODES, type OutReason } from "#domain/experiments/experiment.ts";
import type { Figures } from "#domain/experiments/experiment-figures.ts";
import { findBreaches } from "#domain/experiments/experiment-guardrail.ts";
import { readExperiment } from "#domain/experiments/experiment-reading.ts";
import {
  mayStopEarly,
  RECOMMENDATION_CODES,
  recommend,
  type Verdict,
} from "#domain/experiments/experiment-verdict.ts";
import { warningsOf } from "#domain/experiments/experiment-warnings.ts";
import { type Counts, NO_COUNTS } from "#domain/experiments/exposure.ts";
import { DAY_MS } from "#domain/time.ts";
import { arm, figures, outlook, verdict } from "../../support/figures.ts";

const BANDIT = { mode: "thompson_sampling" } as const;
const LAST = { isFinal: true } as const;
const CLOSED = { status: "completed" } as const;
const OUT_B = (given: Figures, out: OutReason): Figures => ({
  ...given,
  arms: given.arms.map((one, place) => (place === 1 ? { ...one, out } : one)),
});
const fresh = (sent: number, replies: number): Counts => ({ ...NO_COUNTS, sent, replies });

const NO_MISHAPS = { stepChanged: false, replanned: false, onHold: [], notApplied: null };
const ROLL = [arm(150, 6), arm(150, 9)];
const ROLLING = verdict(figures(ROLL, { mode: "test_and_roll" }), {}, { leadsByEnd: 300 });
const ROLLED = verdict(figures(ROLL, { mode: "test_and_roll", ...LAST }), CLOSED);
const CASES: [code: string, given: Verdict, sentence: RegExp][] = [
  ["no_data", verdict(figures([arm(0, 0), arm(0, 0)])), /^No emails have been sent/],
  [
    "srm_detected",
    verdict(figures([arm(1000, 40), arm(1300, 90)])),
    /^The split is off: [AB] received (43.5|56.5)% of leads instead of 50%\. Fix the cause \(look at mailbox mailbox\)/,
  ],
  [
    "guardrail_breach",
    verdict(figures([arm(300, 12, { bounced: 3 }), arm(300, 12, { bounced: 45 })])),
    /^B bounces at 15%, above the 5% limit\. Check its content and links\.$/,
  ],
  [
    "guardrail_breach",
    verdict(OUT_B(figures([arm(100, 4), arm(100, 4, { bounced: 15 })]), "guardrail")),
    /^B bounces at 15%.* It has been paused; check its content and links\.$/,
  ],
  [
    "guardrail_breach",
    verdict(
      figures([arm(1000, 40, { optedOut: 5 }), arm(1000, 80, { optedOut: 20 })], LAST),
      CLOSED,
    ),
    /^B has the best results, but 2% of its recipients opt out or complain, far more than with the others\. So it isn't called the winner\.$/,
  ],
  [
    "guardrail_breach",
    verdict(figures([arm(1000, 40, { optedOut: 5 }), arm(1000, 80, { optedOut: 60 })])),
    /^B drives people away: 6% of its recipients opt out or complain, far more than with the others\. Check its content\.$/,
  ],
  [
    "winner_found",
    verdict(figures([arm(500, 15), arm(500, 60)])),
    /^B wins: it gets more replies than the other variant\. Send it to everyone\.$/,
  ],
  [
    "winner_found",
    verdict(figures([arm(1000, 70), arm(1000, 40)], LAST), CLOSED),
    /^A wins: it gets more replies than the other variant/,
  ],
  [
    "losers_found",
    verdict(figures([arm(900, 60), arm(900, 54), arm(900, 9)])),
    /^No single winner yet, but C is clearly behind\. Drop it and keep A and B\.$/,
  ],
  [
    "losers_found",
    verdict(figures([arm(900, 60), arm(900, 54), arm(900, 9), arm(900, 6)])),
    /but C and D are clearly behind\. Drop them and keep A and B\.$/,
  ],
  [
    "warming_up",
    verdict(figures([fresh(60, 3), fresh(58, 1)])),
    /^Too early to tell: replies keep arriving for 7 days after each send\. First reading around 2026-03-09\.$/,
  ],
  [
    "underpowered",
    verdict(figures([arm(100, 4), arm(100, 5)]), {}, { leadsByEnd: 240 }),
    /^Add leads, extend it, or test a bolder change: at the current pace, this test can only detect a [\d.]+x difference by 2026-03-16\.$/,
  ],
  [
    "keep_running",
    verdict(figures([arm(900, 40), arm(900, 50)])),
    /^Keep running: B leads with a 8\d(\.\d)?% probability of being best\. About 11 more days are needed\.$/,
  ],
  ["bandit_exploring", verdict(figures([arm(300, 12), arm(300, 13)], BANDIT)), /^Still exploring/],
  [
    "bandit_converging",
    verdict(
      figures([arm(200, 4), arm(800, 48)], {
        ...BANDIT,
        epochs: [{ allocation: [0.2, 0.8], counts: [arm(200, 4), arm(800, 48)] }],
      }),
    ),
    /^Shifting volume to B \(80% of sends\)\.$/,
  ],
  [
    "bandit_converging",
    verdict(figures([arm(500, 10), arm(500, 30)], BANDIT)),
    /^B is ahead\. Its share of sends grows with the next update\.$/,
  ],
  [
    "evaluating",
    verdict(
      figures([arm(900, 40), arm(900, 50)]),
      { status: "evaluating" },
      { isAssigning: false },
    ),
    /^Sending is done\. Waiting until 2026-03-23 for the last replies/,
  ],
  [
    "equivalent",
    verdict(figures([arm(200_000, 8_000), arm(200_000, 8_010)], LAST), CLOSED),
    /^A and B perform the same within 10%\. Pick whichever you prefer\.$/,
  ],
  [
    "lean_leader",
    verdict(figures([arm(500, 20), arm(500, 28)], LAST), CLOSED),
    /^Not conclusive\. B is the better bet \(8\d(\.\d)?% probability of being best\)\.$/,
  ],
  [
    "inconclusive",
    verdict(figures([arm(500, 20), arm(500, 22)], LAST), CLOSED),
    /^No difference could be shown: keep what you have, or test a bolder change\. The test could have detected [\d.]+x or more\.$/,
  ],
  [
    "bandit_converged",
    verdict(
      figures([arm(200, 5), arm(900, 80)], {
        ...BANDIT,
        ...LAST,
        epochs: [{ allocation: [0.18, 0.82], counts: [arm(200, 5), arm(900, 80)] }],
      }),
      CLOSED,
    ),
    /^B is the best variant with 99\.\d% probability\. Keep sending it\.$/,
  ],
  [
    "chosen_by_hand",
    verdict(figures([arm(500, 15), arm(500, 60)]), { ...CLOSED, selected: 0 }),
    /^A was picked manually/,
  ],
  [
    "chosen_by_hand",
    verdict(figures([arm(500, 15), arm(500, 60)]), { ...CLOSED, selected: null }),
    /completed manually, without a winner/,
  ],
  [
    "one_left",
    verdict(OUT_B(figures(ROLL), "switched_off")),
    /^Only A is active, so it has nothing left/,
  ],
  ["testing", ROLLING, /^Testing on 300 leads\. The others wait until about 2026-03-23, then get/],
  ["leader_picked", ROLLED, /^B was picked without .* with 77\.9% probability\. Every/],
  [
    "cancelled",
    verdict(figures([arm(500, 15), arm(500, 60)]), { status: "cancelled" }),
    /canceled before its first reading/,
  ],
];

describe("recommend", () => {
  test.each(CASES)("%s", (code, given, sentence) => {
    const said = recommend(given);
    expect([said.code, said.sentence]).toEqual([code, expect.stringMatching(sentence)] as never);
  });

  test("has a case for every code", () => {
    expect(new Set(CASES.map(([code]) => code))).toEqual(new Set(RECOMMENDATION_CODES));
  });

  test("a split that is off blocks every verdict", () => {
    const { reading, ...rest } = verdict(figures([arm(1000, 10), arm(1300, 190)]));
    expect(reading.winner).toBeNull();
    expect(reading.eliminated).toEqual([]);
    expect(mayStopEarly({ reading, ...rest })).toBe(false);
  });

  test("always says one whole sentence, whatever the numbers", () => {
    const anyArm = fc
      .record({
        sent: fc.integer({ min: 0, max: 5_000 }),
        judged: fc.double({ min: 0, max: 1, noNaN: true }),
        rate: fc.double({ min: 0, max: 1, noNaN: true }),
        bounce: fc.double({ min: 0, max: 0.2, noNaN: true }),
      })
      .map(({ sent, judged, rate, bounce }): Counts => {
        const closed = Math.floor(sent * judged);
        const successes = Math.floor(closed * rate);
        const interested = Math.floor(successes / 2);
        const bounced = Math.floor(sent * bounce);
        return arm(sent, successes, { interested, bounced, failures: closed - successes });
      });
    const given = fc.record({
      arms: fc.array(anyArm, { minLength: 2, maxLength: 5 }),
      metric: fc.constantFrom("reply_rate", "interested_rate", "bounce_rate"),
      mode: fc.constantFrom(...OPTIMIZATION_MODES),
      isFinal: fc.boolean(),
      windowDays: fc.constantFrom(0, 1, 7),
    });
    fc.assert(
      fc.property(given, fc.integer({ min: 0, max: 50_000 }), ({ arms, ...rest }, leadsByEnd) => {
        const one = verdict(figures(arms, rest), rest.isFinal ? CLOSED : {}, {
          leadsByEnd,
          leadsPerDay: leadsByEnd / 30,
        });
        const { sentence } = recommend(one);
        expect(sentence).toMatch(/^[A-Z].*\.$/);
        expect(sentence).not.toMatch(/NaN|undefined|Infinity|null| {2}| \./);
        const { reading } = one;
        for (const pair of reading.pairs) {
          expect(pair.pValue).toBeWithin(0, 1.000_000_1);
        }
        expect(reading.convergence).toBeWithin(0, 1.000_000_1);
        expect(reading.winProbabilities.reduce((all, p) => all + p, 0)).toBeCloseTo(1, 9);
        warningsOf(one.figures, reading, { ...NO_MISHAPS, stepChanged: true, replanned: true });
      }),
      { numRuns: 300 },
    );
  });
});

describe("rates that are all but alike", () => {
  /** Of so many leads one more or less, so that the rates differ by some 1e-5. */
  const near = fc.record({
    sent: fc.integer({ min: 40, max: 2_000 }),
    replies: fc.integer({ min: 1, max: 60 }),
  });

  test("have a reading though no list could show the difference", () => {
    const alike = figures([arm(756, 4), arm(1817, 11)]);
    expect(readExperiment(alike, outlook()).daysToDecision).toBe(11);
    fc.assert(
      fc.property(near, fc.integer({ min: 1, max: 60 }), ({ sent, replies }, more) => {
        const won = Math.min(replies, sent);
        // The arm whose smoothed rate comes nearest with `more` replies than this one.
        const rate = (won + 1) / (sent + 2);
        const other = Math.max(won + more, Math.round((won + more + 1) / rate) - 2);
        const reading = readExperiment(
          figures([arm(sent, won), arm(other, won + more)]),
          outlook(),
        );
        expect(reading.daysToDecision).toBeWithin(0, 12);
      }),
      { numRuns: 500 },
    );
  });
});

describe("mayStopEarly", () => {
  const decided = figures([arm(500, 15), arm(500, 60)]);
  test.each([
    ["a week in, with a winner", verdict(decided, {}, { elapsedMs: 7 * DAY_MS }), true],
    ["a minute before", verdict(decided, {}, { elapsedMs: 7 * DAY_MS - 60_000 }), false],
    ["with too few leads", verdict(figures([arm(99, 2), arm(99, 40)])), false],
    ["without a winner", verdict(figures([arm(500, 15), arm(500, 20)])), false],
    ["a bandit", verdict(figures([arm(500, 15), arm(500, 60)], { ...BANDIT, ...LAST })), false],
  ])("%s", (_name, given, expected) => {
    expect(mayStopEarly(given)).toBe(expected);
  });
});

describe("winners", () => {
  test("have to beat every other variant", () => {
    const { reading } = verdict(figures([arm(900, 10), arm(900, 60), arm(900, 56)]));
    expect([reading.winner, reading.leader, reading.eliminated]).toEqual([null, 1, [0]]);
  });

  test("need not beat who has left the race", () => {
    const three = figures([arm(900, 10), arm(900, 58), arm(900, 60)]);
    expect(verdict(OUT_B(three, "eliminated")).reading.winner).toBe(2);
    expect(verdict(three).reading.winner).toBeNull();
  });

  test("are not those who bounce too much", () => {
    const given = figures([arm(500, 15), arm(500, 60, { bounced: 100 })]);
    expect(verdict(given).reading).toMatchObject({ winner: null, leader: 0 });
  });

  test("are not those who drive people away, and opt-outs that chance explains cost nobody a win", () => {
    const read = (a: number, b: number) =>
      verdict(figures([arm(2000, 60, { optedOut: a }), arm(2000, 120, { optedOut: b })], LAST))
        .reading;
    expect(read(10, 30)).toMatchObject({ winner: null, costly: 1 });
    expect(read(10, 100)).toMatchObject({ winner: null, costly: null, leader: 0 });
    expect(read(10, 18)).toMatchObject({ winner: 1, costly: null });
    expect(read(30, 10)).toMatchObject({ winner: 1, costly: null });
  });

  test("of bounces have fewer", () => {
    const of = (sent: number, bounced: number): Counts => ({
      ...arm(sent, 0, { bounced }),
      successes: sent - bounced,
      failures: bounced,
    });
    const given = figures([of(1500, 60), of(1500, 15)], { ...LAST, metric: "bounce_rate" });
    const { reading, ...rest } = verdict(given, CLOSED);
    expect(reading.winner).toBe(1);
    expect(reading.pairs[0]?.ratio).toBeCloseTo(0.25, 9);
    expect(recommend({ reading, ...rest }).sentence).toMatch(
      /^B wins: it has fewer bounces than the other variant/,
    );
  });
});

describe("what is compared", () => {
  test("are the leads of the time in which both were in the race", () => {
    const early = [arm(500, 20), arm(500, 21), arm(500, 20)];
    const late = [arm(900, 36), arm(0, 0), arm(900, 72)];
    const both = early.map((counts, place) => {
      const add = late[place] ?? counts;
      return arm(counts.sent + add.sent, counts.replies + add.replies);
    });
    const given = figures(both, {
      epochs: [
        { allocation: [1 / 3, 1 / 3, 1 / 3], counts: early },
        { allocation: [0.5, 0, 0.5], counts: late },
      ],
    });
    const { reading } = verdict(OUT_B(given, "guardrail"));
    const ratios = reading.pairs.map(({ a, b, ratio }) => [a, b, Number(ratio?.toFixed(3))]);
    expect(ratios).toEqual([
      [0, 1, 1.05],
      [0, 2, Number((92 / 56).toFixed(3))],
      [1, 2, Number((20 / 21).toFixed(3))],
    ]);
    expect(reading.split.alarm).toBe(false);
  });
});

describe("guardrails", () => {
  test.each([
    ["under fifty mails", [arm(49, 0, { bounced: 20 }), arm(49, 0)], []],
    ["surely above the limit", [arm(200, 0, { bounced: 4 }), arm(200, 0, { bounced: 30 })], [1]],
    ["above the limit by chance", [arm(100, 0, { bounced: 6 }), arm(100, 0, { bounced: 5 })], []],
    ["far above the others", [arm(2000, 0, { bounced: 10 }), arm(2000, 0, { bounced: 70 })], [1]],
  ])("%s", (_name, arms, expected) => {
    expect(findBreaches(figures(arms)).map((breach) => breach.arm)).toEqual(expected);
  });
});

describe("warnings", () => {
  const codes = (given: Figures, mishaps = NO_MISHAPS) =>
    warningsOf(given, readExperiment(given, outlook()), mishaps).map(({ code }) => code);

  test.each([
    ["nothing to warn of", figures([arm(500, 20), arm(500, 22)]), []],
    ["a winner", figures([arm(500, 15), arm(500, 60)]), ["winners_curse"]],
    ["a bandit", figures([arm(500, 20), arm(500, 22)], BANDIT), ["bandit_bias"]],
    [
      "replies against interest",
      figures([arm(500, 20, { interested: 15 }), arm(500, 26, { interested: 4 })]),
      ["metrics_disagree"],
    ],
  ])("%s", (_name, given, expected) => {
    expect(codes(given)).toEqual(expected as never);
  });

  test("of what happened to the test itself", () => {
    const given = figures([arm(500, 20), arm(500, 22)]);
    expect(codes(given, { ...NO_MISHAPS, stepChanged: true, replanned: true })).toEqual([
      "step_changed",
      "replanned",
    ]);
  });

  test("of a difference that mailboxes make", () => {
    // Within either mailbox the two do alike; one mailbox wrote mostly A, and fares worse.
    const strata = [
      { accountId: "a", provider: "custom" as const, counts: [arm(600, 18), arm(150, 5)] },
      { accountId: "b", provider: "custom" as const, counts: [arm(150, 18), arm(600, 70)] },
    ];
    const given = figures([arm(750, 36), arm(750, 75)], { strata: () => strata, ...LAST });
    expect(codes(given)).toContain("strata_disagree");
  });
});
