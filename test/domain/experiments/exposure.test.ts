/** Guarantees of `domain/experiments/exposure.ts`: what one lead counts as, whatever comes when. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { PRIMARY_METRICS } from "#domain/experiments/experiment.ts";
import {
  addCounts,
  countsOf,
  type Exposure,
  NO_COUNTS,
  pendingOf,
} from "#domain/experiments/exposure.ts";
import { DAY_MS, plus, unixMs } from "#domain/time.ts";

const SENT = unixMs(Date.UTC(2026, 2, 2, 9));
const WEEK = 7 * DAY_MS;

const shown = (change: Partial<Exposure> = {}): Exposure => ({
  sentAt: SENT,
  repliedAt: null,
  interested: false,
  declined: false,
  bounced: false,
  optedOut: false,
  judged: false,
  windowMs: WEEK,
  metric: "reply_rate",
  ...change,
});
const counts = (change: object) => ({ ...NO_COUNTS, ...change });

describe("a lead", () => {
  test.each([
    ["assigned, its mail not yet sent", shown({ sentAt: null }), {}],
    ["written to", shown(), { sent: 1 }],
    ["answering", shown({ repliedAt: SENT }), { sent: 1, replies: 1 }],
    ["bouncing", shown({ bounced: true }), { sent: 1, bounced: 1 }],
    ["judged without an answer", shown({ judged: true }), { sent: 1, failures: 1 }],
    [
      "answering at the end of its window",
      shown({ judged: true, repliedAt: plus(SENT, WEEK) }),
      { sent: 1, replies: 1, successes: 1 },
    ],
    [
      "answering after its window",
      shown({ judged: true, repliedAt: plus(SENT, WEEK + 1) }),
      { sent: 1, replies: 1, failures: 1 },
    ],
    [
      "answering ever, where the window has no end",
      shown({ judged: true, windowMs: 0, repliedAt: plus(SENT, 90 * DAY_MS) }),
      { sent: 1, replies: 1, successes: 1 },
    ],
    [
      "answering without interest, where interest counts",
      shown({ judged: true, metric: "interested_rate", repliedAt: SENT }),
      { sent: 1, replies: 1, failures: 1 },
    ],
    [
      "answering with interest",
      shown({ judged: true, metric: "interested_rate", repliedAt: SENT, interested: true }),
      { sent: 1, replies: 1, interested: 1, successes: 1 },
    ],
    [
      "declining, after its window too",
      shown({ judged: true, repliedAt: plus(SENT, WEEK + 1), declined: true }),
      { sent: 1, replies: 1, negativeReplies: 1, failures: 1 },
    ],
    ["declining before this mail", shown({ declined: true }), { sent: 1 }],
    [
      "of interest who has not answered this mail",
      shown({ judged: true, metric: "interested_rate", interested: true }),
      { sent: 1, failures: 1 },
    ],
    [
      "not bouncing, where bounces count",
      shown({ judged: true, metric: "bounce_rate" }),
      { sent: 1, successes: 1 },
    ],
    [
      "bouncing, where bounces count",
      shown({ judged: true, metric: "bounce_rate", bounced: true }),
      { sent: 1, bounced: 1, failures: 1 },
    ],
  ])("%s", (_name, exposure, expected) => {
    expect(countsOf(exposure)).toEqual(counts(expected));
  });

  test("erased counts as nothing", () => {
    expect(countsOf(undefined)).toEqual({ ...NO_COUNTS });
  });

  test("is success, failure or pending, and never two of them", () => {
    const any = fc.record({
      sentAt: fc.constantFrom(null, SENT),
      repliedAt: fc.option(fc.integer({ min: 0, max: 60 * DAY_MS }).map((ms) => plus(SENT, ms))),
      interested: fc.boolean(),
      declined: fc.boolean(),
      bounced: fc.boolean(),
      optedOut: fc.boolean(),
      judged: fc.boolean(),
      windowMs: fc.constantFrom(0, DAY_MS, WEEK),
      metric: fc.constantFrom(...PRIMARY_METRICS),
    });
    fc.assert(
      fc.property(any, (exposure) => {
        const one = countsOf(exposure);
        expect(one.successes + one.failures).toBe(exposure.judged ? one.sent : 0);
        expect(pendingOf(one)).toBeOneOf([0, 1]);
        expect(one.interested).toBeLessThanOrEqual(one.replies);
        expect(one.negativeReplies).toBeLessThanOrEqual(one.replies);
        expect(addCounts(one, one).sent).toBe(2 * one.sent);
      }),
    );
  });
});
