/** A thousand states that an experiment may be in, as fast-check draws them. */

import fc from "fast-check";
import type { Answered } from "#domain/experiments/experiment-answer.ts";
import type { Figures, Outlook } from "#domain/experiments/experiment-figures.ts";
import { type Reading, readExperiment } from "#domain/experiments/experiment-reading.ts";
import { type Recommendation, recommend } from "#domain/experiments/experiment-verdict.ts";
import { addCounts, type Counts, NO_COUNTS } from "#domain/experiments/exposure.ts";
import type { Guardrail } from "#domain/experiments/guardrail.ts";
import { DAY_MS } from "#domain/time.ts";
import { figures, outlook } from "./figures.ts";

export interface State {
  figures: Figures;
  outlook: Outlook;
  reading: Reading;
  said: Recommendation;
  answered: Answered;
  status: "running" | "evaluating" | "completed";
}

const arms = fc
  .record({
    count: fc.integer({ min: 2, max: 6 }),
    size: fc.constantFrom(0, 5, 60, 130, 500, 3_000, 40_000),
    /** How far from a perfect split. */
    noise: fc.constantFrom(0, 0.01, 0.02),
    measured: fc.constantFrom(0, 0.3, 0.8, 1),
    rates: fc.array(fc.constantFrom(0, 0.03, 0.04, 0.05, 0.06, 0.1, 0.3), {
      minLength: 6,
      maxLength: 6,
    }),
    luck: fc.array(fc.double({ min: 0.8, max: 1.2, noNaN: true }), { minLength: 6, maxLength: 6 }),
    out: fc.constantFrom("eliminated", "guardrail", "switched_off", null, null, null, null),
    /** Of the second variant's leads; of others 2 in 100. */
    optOuts: fc.constantFrom(0.02, 0.02, 0.03, 0.06),
    /** Of the second variant's replies; of others 40 in 100. */
    refusals: fc.constantFrom(0.4, 0.4, 0.5, 0.9),
  })
  .map(({ count, size, noise, measured, rates, luck, out, optOuts, refusals }) => {
    /** Of leads that were sent under `allocation`, when replies were `times` as many. */
    const under = (allocation: readonly number[], times: number) =>
      allocation.map((share, at): Counts => {
        const leads = size * count * share;
        const sent = Math.round(leads * (1 + (at % 2 === 0 ? noise : -noise)));
        const rate = (rates[at] ?? 0) * (luck[at] ?? 1) * times;
        const replies = Math.min(sent, Math.round(sent * rate));
        const judged = Math.floor(sent * measured);
        const successes = Math.min(judged, Math.floor(replies * measured));
        return {
          ...{ ...NO_COUNTS, sent, replies, interested: Math.floor(replies / 2) },
          ...{ successes, failures: judged - successes },
          optedOut: Math.round(sent * (at === 1 ? optOuts : 0.02)),
          negativeReplies: Math.floor(replies * (at === 1 ? refusals : 0.4)),
        };
      });
    const even = Array.from({ length: count }, () => 1 / count);
    return { out, even, counts: under(even, 1), under };
  });

export const states = fc
  .record({
    arms,
    mode: fc.constantFrom("fixed_split", "auto_winner", "thompson_sampling", "test_and_roll"),
    days: fc.integer({ min: 0, max: 30 }),
    status: fc.constantFrom("running", "evaluating", "completed"),
    windowDays: fc.constantFrom(0, 7),
    readsFixed: fc.boolean(),
    more: fc.constantFrom(0, 0.5, 3),
    /** Of a bandit's second day: how many replies it has, and the share of its second variant. */
    drift: fc.constantFrom(0.5, 1, 3),
    shift: fc.constantFrom(0.1, 0.5, 0.85),
    guardrails: fc.constantFrom<Guardrail[]>(
      [],
      [],
      [{ metric: "opt_outs", maxRate: 0.025 }],
      [{ metric: "opt_outs", maxRatio: 2 }],
      [{ metric: "negative_replies", maxRate: 0.04 }],
      [{ metric: "negative_replies", maxRatio: 3 }],
    ),
    present: fc.constantFrom(0, 0, 1, 2),
  })
  .map((drawn): State => {
    const { mode, days, status, windowDays, readsFixed, more, guardrails } = drawn;
    const { counts, out, even, under } = drawn.arms;
    const isFinal = status === "completed";
    const shifted = even.map((_, at) =>
      at === 1 ? drawn.shift : (1 - drawn.shift) / (even.length - 1),
    );
    const plays = [
      { allocation: even, counts },
      ...(mode === "thompson_sampling"
        ? [{ allocation: shifted, counts: under(shifted, drawn.drift) }]
        : []),
    ];
    const epochs = plays.map((day) => ({
      ...day,
      counts: isFinal ? day.counts.map(closed) : day.counts,
    }));
    const all = even.map((_, at) =>
      epochs.reduce((sum, day) => addCounts(sum, day.counts[at] ?? NO_COUNTS), { ...NO_COUNTS }),
    );
    const given = figures(all, {
      ...{ mode, windowDays, isFinal, readsFixed, epochs, guardrails },
      present: Math.min(drawn.present, even.length - 1),
    });
    const placed: Figures = {
      ...given,
      arms: given.arms.map((arm, at) => (at === 1 && all.length > 2 ? { ...arm, out } : arm)),
    };
    const sent = all.reduce((total, one) => total + one.sent, 0);
    const ahead = outlook({
      isAssigning: status === "running",
      elapsedMs: days * DAY_MS,
      leadsByEnd: status === "running" ? Math.round(sent * (1 + more)) : sent,
    });
    const reading = readExperiment(placed, ahead);
    const said = recommend({ figures: placed, reading, outlook: ahead, status });
    const judged = placed.arms.reduce((sum, { counts: c }) => sum + c.successes + c.failures, 0);
    const answered: Answered = {
      ...{ ...placed, reading, status, code: said.code, winner: isFinal ? reading.winner : null },
      judged: isFinal ? judged : null,
    };
    return { figures: placed, outlook: ahead, reading, said, answered, status };
  });

/** Every lead is measured at the end. */
function closed(counts: Counts): Counts {
  return { ...counts, successes: counts.replies, failures: counts.sent - counts.replies };
}
