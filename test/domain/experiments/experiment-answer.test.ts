/** The figure that is read first, and the notes beside it, hold their numbers in a thousand states. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { keyFigureOf, notesOf } from "#domain/experiments/experiment-answer.ts";
import { asChange, asLoss, asRatio, METRIC_EVENTS } from "#domain/experiments/experiment-words.ts";
import { ALPHA } from "#domain/experiments/stats/sequential.ts";
import { type State, states } from "../../support/experiment-states.ts";

/** p-values of tests at the end whose interval is of another kind, so that the two may just disagree. */
const NEARLY = { low: 0.02, high: 0.12 };

const drawn = fc.sample(states, { numRuns: 1_000, seed: 4 });

function holds(name: string, check: (state: State) => void): void {
  test(name, () => {
    for (const state of drawn) {
      check(state);
    }
  });
}

const nameOf = (state: State, arm: number) => state.figures.arms[arm]?.name ?? "";

describe("Beside its recommendation, an experiment says with the same voice:", () => {
  holds(
    "the key figure is the lift of who is ahead, and may be chance if 1 is in its range",
    (state) => {
      const { reading, said, figures: given, answered } = state;
      const figure = keyFigureOf(answered);
      const isHidden = ["srm_detected", "guardrail_breach", "one_left"].includes(said.code);
      if (figure === null) {
        const ahead = reading.winner ?? reading.picked ?? reading.leader;
        const isPlain = ({ arm, ratio }: { arm: number; ratio: number | null }) =>
          ratio !== null && (arm === ahead ? ratio >= 1 : ratio <= 1);
        expect(isHidden || !(reading.isReadable && reading.challengers.every(isPlain))).toBe(true);
        return;
      }
      expect([isHidden, reading.isReadable]).toEqual([false, true]);
      const ahead = reading.winner ?? reading.picked ?? reading.leader;
      const own = reading.challengers.filter(({ arm }) =>
        figure.sentence.includes(` with ${nameOf(state, arm)}, compared with `),
      );
      expect(own.length).toBe(1);
      for (const { arm, ratio, ratioLow, ratioHigh, test: of, better: first, pValue } of own) {
        expect(ahead === arm || ahead === given.present || ahead === null).toBe(true);
        // Who is ahead is never told to get fewer.
        expect(ahead !== null && figure.value.startsWith(ahead === arm ? "−" : "+")).toBe(false);
        expect(figure.value).toBe(asChange(ratio ?? Number.NaN));
        const [low, high] = [ratioLow ?? 0, ratioHigh ?? Number.POSITIVE_INFINITY];
        expect(figure.range).toBe(
          ratioHigh === null
            ? `${asChange(low)} or more`
            : `${asChange(low)} to ${asChange(ratioHigh)}`,
        );
        const mayBeChance = figure.sentence.endsWith(" so there may be no difference.");
        expect(mayBeChance).toBe(low <= 1 && high >= 1);
        const isNear = of === "pooled_z" && pValue > NEARLY.low && pValue < NEARLY.high;
        if (of !== "degenerate" && of !== "fisher_mid_p" && first !== null && !isNear) {
          expect(mayBeChance).toBe(pValue > ALPHA);
        }
      }
      expect(figure.sentence).toContain(`, compared with ${nameOf(state, given.present)}. `);
    },
  );

  holds(
    "notes hold their numbers, say nothing twice, and nothing that the verdict denies",
    (state) => {
      const { reading, said, figures: given, answered, status } = state;
      const notes = notesOf(answered);
      expect(new Set(notes).size).toBe(notes.length);
      for (const note of notes) {
        expect(said.sentence).not.toContain(note);
        expect(note).toMatch(/^[A-Z\d].*\.$/);
        expect(note).not.toMatch(/NaN|undefined|null|Infinity|p-value/);
      }
      const told = (pattern: RegExp) => notes.map((note) => pattern.exec(note)).find((one) => one);
      expect(told(/^Leads were split .* as planned\.$/) === undefined || !reading.split.alarm).toBe(
        true,
      );
      const detectable = told(/a rate ([\d.]+)x as high is found in four/);
      expect(detectable?.[1]).toBe(
        status === "running" && reading.mdeRatio !== null ? asRatio(reading.mdeRatio) : undefined,
      );
      const lost = told(/sending (.+) to everyone costs (.+) per 1,000 leads\.$/);
      const loss = reading.expectedLoss?.[reading.leader ?? -1];
      expect(lost?.slice(1)).toEqual(
        loss === undefined
          ? undefined
          : [nameOf(state, reading.leader ?? -1), `${asLoss(loss)} ${METRIC_EVENTS[given.metric]}`],
      );
      const pending = given.arms.reduce(
        (sum, { counts: c }) => sum + Math.max(0, c.sent - c.successes - c.failures),
        0,
      );
      expect(told(/^([\d,]+) leads? may still reply/)?.[1]).toBe(
        pending === 0 || given.windowDays === 0 ? undefined : pending.toLocaleString("en-US"),
      );
      expect(told(/^Decided on/)).toBeUndefined();
      expect(
        notesOf({ ...answered, judged: 1 }).some((note) => /^Decided on the 1 lead /.test(note)),
      ).toBe(given.arms.reduce((sum, { counts: c }) => sum + c.successes + c.failures, 0) !== 1);
    },
  );
});
