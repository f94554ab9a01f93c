/**
 * Guarantees of a team's own guardrails: what is one, what each takes out, that a limit which is kept is
 * hardly ever called broken however often one looks, and what is said.
 */

import { describe, expect, test } from "bun:test";
import type { Figures } from "#domain/experiments/experiment-figures.ts";
import { findBreaches } from "#domain/experiments/experiment-guardrail.ts";
import { readExperiment } from "#domain/experiments/experiment-reading.ts";
import { recommend } from "#domain/experiments/experiment-verdict.ts";
import { addCounts, type Counts, NO_COUNTS } from "#domain/experiments/exposure.ts";
import { checkGuardrails, type Guardrail } from "#domain/experiments/guardrail.ts";
import { eprocessLimit } from "#domain/experiments/stats/sequential.ts";
import { arm, figures, outlook } from "../../support/figures.ts";
import { diceOf } from "../../support/trials/bandit.ts";

const RATE: Guardrail = { metric: "opt_outs", maxRate: 0.02 };
const RATIO: Guardrail = { metric: "opt_outs", maxRatio: 2 };

describe("checkGuardrails", () => {
  test.each([
    ["no limit", [{ metric: "bounces" }], "guardrails.0"],
    ["two limits", [{ ...RATE, maxRatio: 2 }], "guardrails.0"],
    ["one kind twice", [RATE, { ...RATE, maxRate: 0.01 }], "guardrails.1.metric"],
    ["a laxer limit on bounces", [{ metric: "bounces", maxRate: 0.05 }], "guardrails.0.max_rate"],
  ] as const)("refuses %s", (_name, given, field) => {
    expect(() => checkGuardrails(given)).toThrow(expect.objectContaining({ field }));
  });

  test("takes both kinds for one metric", () => {
    expect(() => checkGuardrails([RATE, RATIO, { ...RATE, metric: "bounces" }])).not.toThrow();
  });
});

/** B's leads opt out this often; A's as often as `others`. */
function optedOut(own: number, others: number, guardrails: readonly Guardrail[], b?: Counts) {
  const arms = [arm(1000, 40, { optedOut: others }), b ?? arm(1000, 40, { optedOut: own })];
  return figures(arms, { guardrails });
}

describe("a guardrail", () => {
  test.each<[string, Figures, string]>([
    ["a rate within the limit", optedOut(20, 20, [RATE]), "none"],
    ["a rate above it by chance", optedOut(27, 27, [RATE]), "none"],
    ["a rate surely above it", optedOut(45, 45, [RATE]), "0 limit 0.02, 1 limit 0.02"],
    ["the same without it", optedOut(45, 45, []), "none"],
    ["1.6 times the others' rate, without it", optedOut(100, 50, []), "1 others null"],
    ["the same within a ratio", optedOut(100, 50, [RATIO]), "none"],
    ["a rate surely beyond the ratio", optedOut(150, 40, [RATIO]), "1 others 2"],
  ])("%s", (_name, given, expected) => {
    const said = findBreaches(given).map(({ arm: at, reason, own }) => `${at} ${reason} ${own}`);
    expect(said.join(", ") || "none").toBe(expected);
  });

  test("holds for a bandit within its epochs", () => {
    const days = [0.5, 0.8, 0.2].map((share) => ({
      allocation: [1 - share, share],
      counts: [
        arm(1000 * (1 - share), 0, { optedOut: Math.round(40 * (1 - share)) }),
        arm(1000 * share, 0, { optedOut: Math.round(150 * share) }),
      ],
    }));
    const arms = [arm(1500, 0, { optedOut: 60 }), arm(1500, 0, { optedOut: 225 })];
    const of = (guardrails: readonly Guardrail[]) =>
      findBreaches(figures(arms, { mode: "thompson_sampling", epochs: days, guardrails }));
    expect(of([RATIO]).map(({ arm: at, own }) => [at, own])).toEqual([[1, 2]]);
    expect(of([{ ...RATIO, maxRatio: 6 }])).toEqual([]);
  });
});

describe("a winner beyond a guardrail", () => {
  const won = (optedOutB: number, guardrails: readonly Guardrail[]) => {
    const arms = [arm(1000, 30, { optedOut: 15 }), arm(1000, 90, { optedOut: optedOutB })];
    const given = figures(arms, { guardrails, isFinal: true });
    const reading = readExperiment(given, outlook());
    const status = "completed";
    return { reading, said: recommend({ figures: given, reading, outlook: outlook(), status }) };
  };

  test("isn't called the winner, and the sentence says which limit", () => {
    const { reading, said } = won(24, [{ ...RATE, maxRate: 0.014 }]);
    expect(reading).toMatchObject({ winner: null, costly: 1 });
    expect(said.sentence).toBe(
      "B has the best results, but 2.4% of its recipients opt out or complain, above your 1.4% " +
        "limit. So it isn't called the winner.",
    );
    expect(said.params).toEqual({ variant: "B", rate: 0.024, limit: 0.014 });
  });

  test("is one where a ratio allows more than the built-in comparison", () => {
    expect(won(36, []).reading).toMatchObject({ winner: null, costly: 1 });
    expect(won(36, [{ ...RATIO, maxRatio: 3 }]).reading.winner).toBe(1);
  });
});

describe("negative replies", () => {
  /** B has these replies of 1,000, and this many of them decline; of A's 40 replies 16. */
  const read = (replies: number, negativeReplies: number, change: Partial<Figures> = {}) => {
    const arms = [
      arm(1000, 40, { negativeReplies: 16, interested: 10 }),
      arm(1000, replies, { negativeReplies, interested: Math.round(replies / 4) }),
    ];
    const given = figures(arms, { isFinal: true, ...change });
    const reading = readExperiment(given, outlook());
    const status = "completed";
    return { reading, said: recommend({ figures: given, reading, outlook: outlook(), status }) };
  };

  test("that rise as all replies do cost no win", () => {
    expect(read(80, 32).reading).toMatchObject({ winner: 1, breaches: [] });
  });

  test("that make up what a variant wins by are no win, and the sentence says so", () => {
    const { reading, said } = read(80, 56);
    expect(reading).toMatchObject({ winner: null, costly: 1 });
    expect([said.code, said.sentence]).toEqual([
      "guardrail_breach",
      "B has the best results, but 5.6% of its recipients reply that they aren't interested, a " +
        "larger part of its replies than with the others. So it isn't called the winner.",
    ]);
    expect(said.params).toEqual({ variant: "B", rate: 0.056, limit: null });
  });

  test("take nobody out of the race without a limit of the team's own", () => {
    expect(read(80, 80, { isFinal: false }).reading.breaches.map(({ arm: at }) => at)).toEqual([1]);
    expect(findBreaches(figures([arm(1000, 40), arm(1000, 80, { negativeReplies: 80 })]))).toEqual(
      [],
    );
  });

  test("are no matter where a reply that declines isn't a success", () => {
    const { reading } = read(120, 84, { metric: "interested_rate" });
    expect(reading.breaches).toEqual([]);
  });

  test("that a team's ratio allows cost no win, those beyond it do", () => {
    const ratio = (maxRatio: number) => [{ metric: "negative_replies", maxRatio }] as const;
    expect(read(80, 56, { guardrails: ratio(4) }).reading.winner).toBe(1);
    expect(read(80, 56, { guardrails: ratio(1.5) }).reading).toMatchObject({ winner: null });
  });

  test("of a bandit are compared within its epochs", () => {
    // Everybody declines twice as often on the day on which B gets most leads.
    const days = [
      { allocation: [0.8, 0.2], replies: 0.04, negative: 0.3 },
      { allocation: [0.2, 0.8], replies: 0.04, negative: 0.6 },
    ].map(({ allocation, replies, negative }) => ({
      allocation,
      counts: allocation.map((share, at) => {
        const count = Math.round(5000 * share * replies * (at + 1));
        return arm(5000 * share, count, { negativeReplies: Math.round(count * negative) });
      }),
    }));
    const all = [0, 1].map((at) =>
      days.reduce((sum, { counts }) => addCounts(sum, counts[at] ?? NO_COUNTS), NO_COUNTS),
    );
    const given = figures(all, { mode: "thompson_sampling", epochs: days, isFinal: true });
    const [a, b] = all.map(({ negativeReplies, replies }) => negativeReplies / replies);
    expect((b ?? 0) / (a ?? 1)).toBeGreaterThan(1.4);
    expect(readExperiment(given, outlook())).toMatchObject({ winner: 1, costly: null });
  });
});

test.each<[Guardrail, Partial<Counts>, string]>([
  [
    { metric: "negative_replies", maxRate: 0.02 },
    { negativeReplies: 45 },
    "B drives people away: 4.5% of its recipients reply that they aren't interested, above your 2% limit. Check its content.",
  ],
  [
    { metric: "negative_replies", maxRatio: 2 },
    { negativeReplies: 80 },
    "B drives people away: 8% of its recipients reply that they aren't interested, more than 2 times as many as with the others. Check its content.",
  ],
  [
    { metric: "bounces", maxRate: 0.02 },
    { bounced: 49 },
    "B bounces at 4.9%, above your 2% limit. Check its content and links.",
  ],
  [
    { metric: "bounces", maxRatio: 1.5 },
    { bounced: 49 },
    "B bounces at 4.9%, more than 1.5 times as often as the others. Check its content and links.",
  ],
  [
    RATE,
    { optedOut: 45 },
    "B drives people away: 4.5% of its recipients opt out or complain, above your 2% limit. Check its content.",
  ],
  [
    RATIO,
    { optedOut: 80 },
    "B drives people away: 8% of its recipients opt out or complain, more than 2 times as many as with the others. Check its content.",
  ],
])("%j is said", (guardrail, counts, sentence) => {
  const others = { bounced: 10, optedOut: 10, negativeReplies: 10 };
  const arms = [arm(1000, 80, others), arm(1000, 80, { ...others, ...counts })];
  const given = figures(arms, { guardrails: [guardrail] });
  const reading = readExperiment(given, outlook());
  const said = recommend({ figures: given, reading, outlook: outlook(), status: "running" });
  expect(said.sentence).toBe(sentence);
});

test("a variant that was taken out, and whose counts say less by now, isn't said to bounce", () => {
  const given = figures([arm(100, 4), arm(100, 4, { optedOut: 2 })]);
  const paused: Figures = {
    ...given,
    arms: given.arms.map((one, at) => (at === 1 ? { ...one, out: "guardrail" } : one)),
  };
  const reading = readExperiment(paused, outlook());
  const said = recommend({ figures: paused, reading, outlook: outlook(), status: "running" });
  expect([said.code, said.sentence]).toEqual([
    "guardrail_breach",
    "B was paused for too many bounces, opt-outs, or negative replies. Check its content and links.",
  ]);
});

/** Of `runs` lists of 2,000 leads with this rate, read after every 100: how many ever break the limit. */
function broken(rate: number, limit: number, runs: number): number {
  const draw = diceOf(1);
  let count = 0;
  for (let run = 0; run < runs; run += 1) {
    let [x, isBroken] = [0, false];
    for (let n = 1; n <= 2_000 && !isBroken; n += 1) {
      x += draw() < rate ? 1 : 0;
      isBroken = n % 100 === 0 && x > limit * n && eprocessLimit({ x, n, limit }).pAnytime <= 0.01;
    }
    count += isBroken ? 1 : 0;
  }
  return count;
}

test("read daily, a limit that is kept is broken in fewer than 1 of 100, a doubled one nearly always", () => {
  expect(broken(0.02, 0.02, 1_000)).toBeLessThanOrEqual(10);
  expect(broken(0.015, 0.02, 1_000)).toBeLessThanOrEqual(3);
  expect(broken(0.04, 0.02, 200)).toBeGreaterThanOrEqual(190);
});
