/**
 * One voice: in a thousand states that an experiment may be in, the sentence of its results, the winner, who is
 * called behind, the p-values, their intervals and the probabilities say the same.
 */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { keyFigureOf } from "#domain/experiments/experiment-answer.ts";
import { isSignificant, type PairReading } from "#domain/experiments/experiment-pairs.ts";
import { warningsOf } from "#domain/experiments/experiment-warnings.ts";
import { asChange, asPercent } from "#domain/experiments/experiment-words.ts";
import { limitOf } from "#domain/experiments/guardrail.ts";
import { ALPHA } from "#domain/experiments/stats/sequential.ts";
import { DAY_MS } from "#domain/time.ts";
import { type State, states } from "../../support/experiment-states.ts";

/** p-values of tests at the end whose interval is of another kind, so that the two may just disagree. */
const NEARLY = { low: 0.02, high: 0.12 };

const drawn = fc.sample(states, { numRuns: 1_000, seed: 1 });

function holds(name: string, check: (state: State) => void): void {
  test(name, () => {
    for (const state of drawn) {
      check(state);
    }
  });
}

const nameOf = (state: State, arm: number) => state.figures.arms[arm]?.name ?? "";
const isIn = ({ figures: { arms: all } }: State, arm: number) => all[arm]?.out === null;
/** The interval, of the better variant's rate over the other's. */
function better({ a, better: arm, ratioLow, ratioHigh }: PairReading) {
  const [low, high] = [ratioLow ?? 0, ratioHigh ?? Number.POSITIVE_INFINITY];
  return arm === a ? { low: 1 / high, high: 1 / low } : { low, high };
}

function pairOf({ reading }: State, one: number, other: number): PairReading | undefined {
  return reading.pairs.find(({ a, b }) => (a === one && b === other) || (a === other && b === one));
}

function isBeaten(state: State, arm: number, other: number): boolean {
  const pair = pairOf(state, arm, other);
  return pair !== undefined && pair.better === other && isSignificant(pair);
}

describe("An experiment speaks with one voice:", () => {
  holds("who wins is named, leads, and beats each rival; nobody else is said to win", (state) => {
    const { reading, said } = state;
    const { winner, pairs } = reading;
    const claims = /\bwins:|is the best variant/.test(said.sentence);
    const isHidden = said.code === "guardrail_breach";
    expect(claims).toBe(winner !== null && !isHidden);
    if (winner === null) {
      return;
    }
    expect(reading.leader).toBe(winner);
    expect(isHidden || said.sentence.startsWith(`${nameOf(state, winner)} `)).toBe(true);
    const own = pairs.filter(
      ({ a, b }) => (a === winner && isIn(state, b)) || (b === winner && isIn(state, a)),
    );
    expect(own.length).toBeGreaterThan(0);
    for (const pair of own) {
      expect([pair.better, isSignificant(pair)]).toEqual([winner, true]);
    }
  });

  holds("a test-and-roll takes its leader, and says whether it is shown to be better", (state) => {
    const { reading, said, figures: given } = state;
    const { picked, winner, leader } = reading;
    if (picked !== null) {
      expect([given.mode, given.isFinal, leader]).toEqual(["test_and_roll", true, picked]);
      expect(said.code).toBe(winner === null ? "leader_picked" : "winner_found");
      expect(said.sentence.startsWith(`${nameOf(state, picked)} `)).toBe(true);
      expect(said.sentence).toContain("Every new lead gets it.");
    }
    expect(/without a significant difference/.test(said.sentence)).toBe(
      picked !== null && winner === null,
    );
    const rivals = reading.pairs.filter(({ a, b }) =>
      a === picked ? isIn(state, b) : b === picked && isIn(state, a),
    );
    const isBeaten = (pair: PairReading) => isSignificant(pair) && pair.better === picked;
    expect(rivals.length > 0 && rivals.every(isBeaten)).toBe(picked !== null && winner !== null);
    const isBest = reading.winProbabilities[picked ?? -1] === Math.max(...reading.winProbabilities);
    expect(/best variant within the guardrails/.test(said.sentence)).toBe(
      said.code === "leader_picked" && !isBest,
    );
  });

  holds("who is switched off neither wins nor is recommended", ({ reading, said, ...state }) => {
    const off = state.figures.arms.flatMap(({ out }, arm) => (out === "switched_off" ? [arm] : []));
    const named = [reading.winner, reading.leader, reading.picked];
    expect(off.filter((arm) => named.includes(arm))).toEqual([]);
    if (said.code === "losers_found" || said.code === "equivalent") {
      for (const arm of off) {
        expect(said.sentence).not.toMatch(
          new RegExp(`\\b${nameOf({ ...state, reading, said }, arm)}\\b`),
        );
      }
    }
  });

  holds("a split that is off decides nothing, and is what is said", ({ reading, said }) => {
    if (reading.split.alarm && reading.split.worst !== null) {
      expect([reading.winner, said.code]).toEqual([null, "srm_detected"]);
    }
  });

  holds(
    "who is beyond a guardrail wins nothing, and the limit that is told is the one",
    (state) => {
      const { reading, said, figures: given } = state;
      expect(reading.breaches.map(({ arm }) => arm)).not.toContain(reading.winner);
      const [first] = reading.breaches;
      for (const { own, metric, reason, rate } of reading.breaches) {
        const kind = reason === "limit" ? "maxRate" : "maxRatio";
        expect(own ?? undefined).toBe(limitOf(given.guardrails, metric, kind));
        expect(own === null || reason === "others" || rate > own).toBe(true);
      }
      if (said.code === "guardrail_breach" && first !== undefined) {
        const { own, metric, reason, rate } = first;
        const isOptOut = metric === "opt_outs";
        const limit =
          own === null
            ? `${isOptOut ? "far more" : "a larger part of its replies"} than with`
            : reason === "limit"
              ? `above your ${asPercent(own)}% limit`
              : `more than ${own} times as many as with`;
        const refuse = isOptOut ? "opt out" : "reply that they aren't interested";
        expect(said.sentence).toContain(`${asPercent(rate)}% of its recipients ${refuse}`);
        expect(said.sentence).toContain(limit);
      }
    },
  );

  holds(
    "who wins by replies doesn't owe them to people who decline, unless a ratio allows it",
    ({ reading: { winner, costly, breaches }, figures: { arms: all, guardrails } }) => {
      const won = all[winner ?? -1]?.counts;
      if (won !== undefined && limitOf(guardrails, "negative_replies", "maxRatio") === undefined) {
        // The others decline in 40 of 100 replies.
        expect(won.replies > 100 && won.negativeReplies > 0.8 * won.replies).toBe(false);
      }
      const isRefused = breaches.some(
        ({ arm, metric, own }) => arm === costly && metric === "negative_replies" && own === null,
      );
      if (isRefused) {
        const { replies = 0, negativeReplies = 0 } = all[costly ?? -1]?.counts ?? {};
        expect(negativeReplies).toBeGreaterThan(0.4 * replies);
      }
    },
  );

  holds(
    "an interval leaves out 1 where its p-value shows a difference, and only there",
    (state) => {
      for (const pair of state.reading.pairs) {
        const { pAlone, test: of } = pair;
        const isNear = of === "pooled_z" && pAlone > NEARLY.low && pAlone < NEARLY.high;
        if (of === "degenerate" || of === "fisher_mid_p" || pair.better === null || isNear) {
          continue;
        }
        expect([pair, better(pair).low > 1]).toEqual([pair, pAlone <= ALPHA]);
      }
    },
  );

  holds("a ratio is that of its two rates, and lies in its interval", ({ reading }) => {
    for (const { ratio, rateA, rateB, ratioLow, ratioHigh, test: of } of reading.pairs) {
      if (ratio !== null && of !== "degenerate") {
        expect(ratio).toBeCloseTo((rateB ?? Number.NaN) / (rateA ?? Number.NaN), 9);
        expect(ratio).toBeGreaterThanOrEqual((ratioLow ?? 0) * (1 - 1e-9));
        expect(ratio).toBeLessThanOrEqual((ratioHigh ?? Number.POSITIVE_INFINITY) * (1 + 1e-9));
      }
    }
  });

  holds(
    "a winner's lift is expected nearer to 1 than measured, and the warning says so",
    (state) => {
      const { reading, figures: given } = state;
      const { winner, pairs } = reading;
      const mishaps = { stepChanged: false, replanned: false, notApplied: null, onHold: [] };
      const [curse] = warningsOf(given, reading, mishaps);
      expect(curse?.code === "winners_curse").toBe(winner !== null);
      for (const { a, b, ratio, expected = null } of pairs) {
        const isOwn = winner !== null && (a === winner || b === winner);
        expect(expected === null || isOwn).toBe(true);
        if (expected !== null && ratio !== null) {
          expect(Math.sign(Math.log(expected))).toBe(Math.sign(Math.log(ratio)));
          expect(Math.abs(Math.log(expected))).toBeLessThan(Math.abs(Math.log(ratio)));
        }
      }
      const said = /^Expect about (\S+) from now on rather than (\S+): /.exec(curse?.message ?? "");
      // The two stand beside each other, so they are of the same lift.
      const figure = keyFigureOf(state.answered);
      const own = winner === null ? undefined : pairOf(state, winner, given.present);
      const expected = own?.expected ?? null;
      expect(said === null).toBe(expected === null);
      if (said !== null && expected !== null) {
        expect(said[1]).toBe(asChange(own?.a === winner ? 1 / expected : expected));
        expect([undefined, said[2]]).toContain(figure?.value);
      }
    },
  );

  holds("who is called behind is beaten by the leader, and it is not too early", (state) => {
    const { reading, figures: given, outlook: until } = state;
    for (const arm of reading.eliminated.filter((one) => isIn(state, one))) {
      const rivals = given.arms.flatMap((_, other) => (isIn(state, other) ? [other] : []));
      const ahead = arm === given.present ? rivals : [reading.leader ?? -1];
      expect(ahead.some((other) => isBeaten(state, arm, other))).toBe(true);
      expect(given.isFinal || until.elapsedMs >= 7 * DAY_MS).toBe(true);
    }
  });

  holds(
    "the probability that is told is the leader's, and the highest of those that may win",
    (state) => {
      const { reading, said } = state;
      const { leader, winProbabilities, breaches, costly } = reading;
      if (leader === null) {
        return;
      }
      const beyond = breaches.filter(({ arm }) => arm !== costly).map(({ arm }) => arm);
      const inRace = winProbabilities.filter((_, arm) => isIn(state, arm) && !beyond.includes(arm));
      const highest = Math.max(...inRace);
      expect(winProbabilities[leader]).toBeCloseTo(highest, 5);
      if (said.code === "keep_running" || said.code === "lean_leader") {
        expect(said.sentence).toContain(nameOf(state, leader));
        expect(said.sentence).toContain(`${asPercent(highest)}%`);
      }
    },
  );

  holds(
    "the present text is called behind where anyone in the race beats it, but for a leader",
    (state) => {
      const { reading, figures: given } = state;
      const { present } = given;
      const beating = given.arms.filter(
        ({ out }, arm) => out === null && isBeaten(state, present, arm),
      );
      const isDecided = reading.eliminated.some((arm) => isIn(state, arm));
      if (isIn(state, present) && isDecided && reading.leader !== present) {
        expect(reading.eliminated.includes(present)).toBe(beating.length > 0);
      }
    },
  );

  holds("a variant's comparison with the present text is that of their pair", (state) => {
    const { reading, figures: given } = state;
    expect(reading.challengers.length).toBe(given.arms.length - 1);
    for (const one of reading.challengers) {
      const pair = pairOf(state, one.arm, given.present);
      const { test: of, better: ahead, pValue } = one;
      expect({ test: of, better: ahead, pValue }).toEqual({
        test: pair?.test ?? "anytime",
        better: pair?.better ?? null,
        pValue: pair?.pValue ?? 0,
      });
      expect(pValue).toBeGreaterThanOrEqual(pair?.pAlone ?? 1);
      const { ratio, ratioLow, ratioHigh } = one;
      const [low, high] = [ratioLow ?? 0, ratioHigh ?? Number.POSITIVE_INFINITY];
      if (ratio !== null && of !== "degenerate") {
        expect([low * (1 - 1e-9) <= ratio, ratio <= high * (1 + 1e-9)]).toEqual([true, true]);
      }
      const isNear = of === "pooled_z" && pValue > NEARLY.low && pValue < NEARLY.high;
      if (of !== "degenerate" && of !== "fisher_mid_p" && ahead !== null && !isNear) {
        const leavesOut = ahead === one.arm ? low > 1 : high < 1;
        expect([one, leavesOut]).toEqual([one, pValue <= ALPHA]);
      }
    }
  });

  holds("two others differ only where one differs from the present text, or one wins", (state) => {
    const { reading, figures: given } = state;
    for (const pair of reading.pairs.filter(isSignificant)) {
      const own = [pair.a, pair.b].filter((arm) => arm !== given.present);
      const differs = reading.challengers.some(
        (one) => own.includes(one.arm) && isSignificant(one),
      );
      expect(differs || own.includes(reading.winner ?? -1)).toBe(true);
    }
  });

  holds(
    "variants that are told to beat the present text do, and none of them beats all",
    (state) => {
      const { reading, said, figures: given } = state;
      const told = said.params["ahead"];
      const claims = / (?:both|all) beat the present text/.test(said.sentence);
      expect(claims).toBe(Array.isArray(told) && told.length > 1);
      if (!(claims && Array.isArray(told))) {
        return;
      }
      const named = given.arms.flatMap(({ name }, arm) => (told.includes(name) ? [arm] : []));
      const beating = given.arms.flatMap((_, arm) =>
        isIn(state, arm) && isBeaten(state, given.present, arm) ? [arm] : [],
      );
      expect([named, reading.winner]).toEqual([beating, null]);
      expect(reading.eliminated).toContain(given.present);
      expect(reading.eliminated.filter((arm) => named.includes(arm))).toEqual([]);
      const best = named.filter((arm) =>
        named.every((other) => other === arm || isBeaten(state, other, arm)),
      );
      expect(best).toEqual([]);
    },
  );

  holds("a difference that is shown is never called none", ({ reading, said, ...state }) => {
    const inRace = reading.pairs.filter(
      ({ a, b }) => state.figures.arms[a]?.out === null && state.figures.arms[b]?.out === null,
    );
    if (/^(?:No difference|Not conclusive)/.test(said.sentence)) {
      expect(inRace.filter(isSignificant)).toEqual([]);
    }
    if (said.code === "equivalent") {
      const named = state.figures.arms.flatMap(({ name }, arm) =>
        new RegExp(`\\b${name}\\b`).test(said.sentence) ? [arm] : [],
      );
      expect(named.length).toBeGreaterThan(1);
      const between = inRace.filter(({ a, b }) => named.includes(a) && named.includes(b));
      expect(between.filter(isSignificant)).toEqual([]);
    }
  });

  holds("a test-and-roll that goes on tells the leads that it is tested on", (state) => {
    const { said, status, outlook: ahead, figures: given } = state;
    if (given.mode === "test_and_roll" && status !== "completed" && said.code === "testing") {
      expect(said.sentence).toContain(` on ${ahead.leadsByEnd} leads. `);
      expect(said.sentence).toStartWith(status === "running" ? "Testing" : "Tested");
    }
    if (given.mode === "test_and_roll") {
      expect(["underpowered", "keep_running", "evaluating"]).not.toContain(said.code);
    }
  });

  holds("what goes on has days to go, and what is over has none", ({ reading, said, status }) => {
    const days = reading.daysToDecision ?? 1;
    expect(days).toBeGreaterThanOrEqual(0);
    expect(said.sentence).not.toMatch(/\b0 more days\b/);
    expect(
      status !== "running" && /Keep running|Still exploring|Shifting/.test(said.sentence),
    ).toBe(false);
  });

  holds("a bandit's share that is told to grow is the largest", ({ figures: given, said }) => {
    const shares = given.epochs.at(-1)?.allocation ?? [];
    const share = said.params["share"];
    if (said.code === "bandit_converging" && said.sentence.startsWith("Shifting")) {
      expect(share).toBe(Math.max(...shares));
      expect(Number(share)).toBeGreaterThan(1 / shares.length);
    }
  });
});
