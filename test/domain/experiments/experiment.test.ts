/** Guarantees of `domain/experiments/experiment.ts`: what variants may be, how shares are drawn, how days count. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  checkMove,
  checkVariants,
  daysElapsed,
  daysRemaining,
  EXPERIMENT_STATUSES,
  type ExperimentMove,
  type ExperimentTimes,
  elapsedMs,
  overrideContent,
  pickVariant,
  shareOut,
  type VariantInput,
} from "#domain/experiments/experiment.ts";
import { Problem } from "#domain/problem.ts";
import { DAY_MS, HOUR_MS, plus, unixMs } from "#domain/time.ts";

const A: VariantInput = { name: "A", config: {}, weight: 1 };
const withB = (change: Partial<VariantInput>): VariantInput[] => [
  A,
  { ...A, name: "B", ...change },
];
const config = (given: Record<string, unknown>) => withB({ config: given });

describe("checkVariants", () => {
  test.each([
    ["one alone", [A], "variants"],
    ["eleven", Array.from({ length: 11 }, (_, n) => ({ ...A, name: `V${n}` })), "variants"],
    ["none", [], "variants"],
    ["an empty name", withB({ name: "  " }), "variants.1.name"],
    ["two of one name", withB({ name: "A" }), "variants.1.name"],
    ["two of one name in other letters", withB({ name: " a " }), "variants.1.name"],
    ["a weight of nothing", withB({ weight: 0 }), "variants.1.weight"],
    ["a weight below nothing", withB({ weight: -1 }), "variants.1.weight"],
    ["an infinite weight", withB({ weight: Number.POSITIVE_INFINITY }), "variants.1.weight"],
    ["no number as a weight", withB({ weight: Number.NaN }), "variants.1.weight"],
    ["a subject misspelt", config({ subjet: "x" }), "variants.1.config.subjet"],
    ["a subject in capitals", config({ Subject: "x" }), "variants.1.config.Subject"],
    ["a body misspelt", config({ boddy: "x" }), "variants.1.config.boddy"],
    ["a wait, which is the step's", config({ wait_days: 3 }), "variants.1.config.wait_days"],
    ["a wait misspelt", config({ wait_day: 3 }), "variants.1.config.wait_day"],
    ["a subject that is no text", config({ subject: 3 }), "variants.1.config.subject"],
    ["a subject of two lines", config({ subject: "a\nb" }), "variants.1.config.subject"],
    [
      "a subject that is too long",
      config({ subject: "ä".repeat(500) }),
      "variants.1.config.subject",
    ],
    ["a first mail without a subject", config({ subject: null }), "variants.1.config.subject"],
    ["an empty body", config({ body: " " }), "variants.1.config.body"],
    ["a body that is null", config({ body: null }), "variants.1.config.body"],
    ["a format that is none", config({ body: "x", format: "rtf" }), "variants.1.config.format"],
    ["a format without a body", config({ format: "html" }), "variants.1.config.format"],
    ["a template that does not parse", config({ body: "{{ x" }), "variants.1.config.body"],
    [
      "thousands of entries",
      config(Object.fromEntries(Array.from({ length: 33 }, (_, n) => [`note ${n}`, n]))),
      "variants.1.config",
    ],
    ["a huge note", config({ remark: "x".repeat(200_001) }), "variants.1.config"],
  ])("refuses %s", (_name, variants, field) => {
    expect(() => checkVariants(variants as VariantInput[], 1)).toThrow(Problem);
    expect(() => checkVariants(variants as VariantInput[], 1)).toThrow(
      expect.objectContaining({ type: "validation_error", field }),
    );
  });

  test.each([
    ["ten", Array.from({ length: 10 }, (_, n) => ({ ...A, name: `V${n}` })), 1],
    ["notes of any kind", config({ hypothesis: "shorter is better", tags: ["x"] }), 1],
    ["a body and its format", config({ body: "<p>x</p>", format: "html" }), 1],
    ["a body of whatever format it looks like", config({ body: "x", format: null }), 1],
    ["weights far apart", withB({ weight: 1_000_000 }), 1],
    ["a follow-up without a subject", config({ subject: null, body: "again" }), 2],
  ])("takes %s", (_name, variants, position) => {
    expect(() => checkVariants(variants, position)).not.toThrow();
  });
});

describe("overrideContent", () => {
  const step = { subject: "Hello", body: "Text", format: "plain" as const };
  test.each([
    ["nothing", {}, step],
    ["a subject", { subject: "Hi" }, { ...step, subject: "Hi" }],
    ["a body, of its own format", { body: "Other" }, { ...step, body: "Other", format: null }],
    [
      "a body that names its format",
      { body: "Other", format: "html" },
      { ...step, body: "Other", format: "html" as const },
    ],
    ["no subject: the same thread", { subject: null }, { ...step, subject: null }],
    ["an empty one, which is none", { subject: " " }, { ...step, subject: null }],
  ])("with %s", (_name, given, expected) => {
    expect(overrideContent(step, given)).toEqual(expected);
  });
});

describe("moves", () => {
  const allowed: Record<ExperimentMove, string[]> = {
    pause: ["running"],
    resume: ["paused"],
    complete: ["running", "paused", "evaluating"],
    cancel: ["running", "paused", "evaluating"],
  };
  test.each(Object.entries(allowed))("%s is for %p only", (move, from) => {
    for (const status of EXPERIMENT_STATUSES) {
      const tried = () => checkMove(status, move as ExperimentMove);
      if (from.includes(status)) {
        expect(tried).not.toThrow();
      } else {
        expect(tried).toThrow(expect.objectContaining({ type: "conflict", field: "status" }));
      }
    }
  });
});

describe("shares", () => {
  const anyWeights = () =>
    fc.array(fc.double({ min: 0.001, max: 1e6, noNaN: true }), { minLength: 2, maxLength: 10 });

  test("add up to one, in proportion to the weights", () => {
    fc.assert(
      fc.property(anyWeights(), (weights) => {
        const shares = shareOut(weights);
        expect(shares.reduce((total, share) => total + share, 0)).toBeCloseTo(1, 12);
        expect(shares[0]! * weights[1]!).toBeCloseTo(shares[1]! * weights[0]!, 6);
      }),
    );
  });

  test("of those out of the race go to the others, and stay where nobody is left", () => {
    expect(shareOut([1, 1, 2], [false, true, false])).toEqual([1 / 3, 0, 2 / 3]);
    expect(shareOut([1, 3], [true, true])).toEqual([0.25, 0.75]);
  });

  test("are drawn as they are: each variant gets what falls into its part of [0, 1)", () => {
    fc.assert(
      fc.property(
        anyWeights(),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (weights, u) => {
          const shares = shareOut(weights);
          const place = pickVariant(shares, u);
          const before = shares.slice(0, place).reduce((total, share) => total + share, 0);
          expect(u).toBeGreaterThanOrEqual(before - 1e-12);
          expect(u).toBeLessThan(before + shares[place]! + 1e-9);
        },
      ),
    );
  });

  test("a share of nothing is never drawn", () => {
    for (const u of [0, 0.25, 0.5, 0.999_999_999_999_999_9]) {
      expect(pickVariant([0, 0.5, 0, 0.5, 0], u)).toBeOneOf([1, 3]);
    }
  });
});

describe("days", () => {
  const start = unixMs(Date.UTC(2026, 2, 2, 9));
  const times = (change: Partial<ExperimentTimes> = {}): ExperimentTimes => ({
    startedAt: start,
    endsAt: plus(start, 14 * DAY_MS),
    firstSentAt: start,
    pausedAt: null,
    pausedMs: 0,
    closedAt: null,
    ...change,
  });
  const after = (ms: number) => plus(start, ms);

  test.each([
    ["at the first send", times(), 0, 0, 14],
    ["within the first day", times(), DAY_MS - 1, 0, 14],
    ["after a day", times(), DAY_MS, 1, 13],
    ["an hour later", times(), DAY_MS + HOUR_MS, 1, 13],
    ["past the end", times(), 20 * DAY_MS, 20, 0],
    ["while paused", times({ pausedAt: after(3 * DAY_MS) }), 9 * DAY_MS, 3, 11],
    [
      "after a pause",
      times({ pausedMs: 2 * DAY_MS, endsAt: after(16 * DAY_MS) }),
      6 * DAY_MS,
      4,
      10,
    ],
    ["when closed", times({ closedAt: after(5 * DAY_MS) }), 30 * DAY_MS, 5, 0],
    ["before the first send", times({ firstSentAt: null }), 30 * DAY_MS, 0, 14],
  ])("%s", (_name, given, ms, elapsed, remaining) => {
    expect(daysElapsed(given, after(ms))).toBe(elapsed);
    expect(daysRemaining(given, after(ms))).toBe(remaining);
  });

  test("never run backwards", () => {
    expect(elapsedMs(times(), plus(start, -DAY_MS))).toBe(0);
  });
});
