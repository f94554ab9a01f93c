/** Guarantees of `domain/mailboxes/health.ts`: the formula by worked examples, and what follows from a score. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  assessHealth,
  beginTrial,
  type DayTally,
  HEALTHY,
  type HealthFacts,
  type HealthInputs,
  type HealthView,
  healthScore,
  isWorthTelling,
  limitsOf,
  mainCause,
  windowStart,
} from "#domain/mailboxes/health.ts";
import { DAY_MS, HOUR_MS, plus, type UnixMs } from "#domain/time.ts";
import { at } from "../../support/zones.ts";

const NOTHING: HealthInputs = {
  sends: 0,
  hardBounces: 0,
  complaints: 0,
  smtpErrors: 0,
  refusals: 0,
  inboxRate: null,
  inboxRateHigh: 1,
};

describe("the score", () => {
  test.each<[string, Partial<HealthInputs>, number]>([
    ["a mailbox that has sent nothing", {}, 100],
    ["a hundred mails and nothing came back", { sends: 100 }, 100],
    // 800 × 1 % = 8
    ["1 % bounced", { sends: 100, hardBounces: 1 }, 92],
    // 800 × 2.5 % = 20
    ["2.5 % bounced: the last score with whole caps", { sends: 200, hardBounces: 5 }, 80],
    ["5 % bounced: all that bounces can take", { sends: 100, hardBounces: 5 }, 60],
    ["every mail bounced", { sends: 100, hardBounces: 100 }, 60],
    // 13,333 × 0.1 % = 13.333
    ["1 in 1,000 complained", { sends: 1000, complaints: 1 }, 87],
    // 13,333 × 0.3 % = 39.999
    ["0.3 % complained, where Gmail draws its line", { sends: 1000, complaints: 3 }, 60],
    ["2 % bounced and 0.2 % complained", { sends: 1000, hardBounces: 20, complaints: 2 }, 57],
    ["5 % bounced and 0.3 % complained", { sends: 1000, hardBounces: 50, complaints: 3 }, 20],
    ["three SMTP errors in a row", { sends: 100, smtpErrors: 3 }, 94],
    ["more of them than count", { sends: 100, smtpErrors: 30 }, 90],
    ["all tests in the inbox", { sends: 100, inboxRate: 1 }, 100],
    // 25 × (1 − 0.8) = 5
    ["tests of which 8 of 10 may be in the inbox", { sends: 100, inboxRateHigh: 0.8 }, 95],
    ["what chance explains", { sends: 100, inboxRate: 0, inboxRateHigh: 1 }, 100],
    ["no test in the inbox", { sends: 100, inboxRateHigh: 0 }, 90],
    [
      "all that can go wrong",
      { sends: 100, hardBounces: 9, complaints: 9, smtpErrors: 9, inboxRateHigh: 0 },
      0,
    ],
    // Of the 40 points a quarter, 5 ÷ 20.
    ["1 bounce of 5 mails: little is known", { sends: 5, hardBounces: 1 }, 90],
    ["1 bounce of 10", { sends: 10, hardBounces: 1 }, 80],
    ["1 bounce of 19", { sends: 19, hardBounces: 1 }, 62],
    ["1 bounce of 20", { sends: 20, hardBounces: 1 }, 60],
    ["1 bounce of 40", { sends: 40, hardBounces: 1 }, 80],
    ["1 bounce of 320: 2.5 points are half way", { sends: 320, hardBounces: 1 }, 98],
    ["errors of a mailbox that has sent nothing", { smtpErrors: 4 }, 100],
  ])("%s", (_what, inputs, score) => {
    expect(healthScore({ ...NOTHING, ...inputs }).score).toBe(score);
  });

  test("is whole, from 0 to 100, and its points are what is missing from 100", () => {
    fc.assert(
      fc.property(anyInputs(), (inputs) => {
        const { score, points } = healthScore(inputs);
        const taken = Object.values(points).reduce((sum, part) => sum + part, 0);

        expect(Number.isInteger(score) && score >= 0 && score <= 100).toBe(true);
        expect(Math.abs(100 - taken - score)).toBeLessThanOrEqual(0.5);
      }),
    );
  });

  test("never rises with harm: one more bounce, complaint or error, one test fewer in the inbox", () => {
    fc.assert(
      fc.property(anyInputs(), (inputs) => {
        const { score } = healthScore(inputs);
        const worse = [
          { ...inputs, hardBounces: inputs.hardBounces + 1 },
          { ...inputs, complaints: inputs.complaints + 1 },
          { ...inputs, smtpErrors: inputs.smtpErrors + 1 },
          { ...inputs, inboxRateHigh: inputs.inboxRateHigh / 2 },
        ];
        expect(worse.every((one) => healthScore(one).score <= score)).toBe(true);
      }),
    );
  });

  test("names the part that takes most, or none", () => {
    const { points } = healthScore({ ...NOTHING, sends: 100, hardBounces: 1, smtpErrors: 3 });
    expect(mainCause(points)).toBe("hardBounces");
    expect(mainCause(healthScore(NOTHING).points)).toBeNull();
  });
});

const NOON = at("2026-03-16T12:00Z");
const WELL: HealthView = {
  status: "active",
  statusReason: null,
  healthScore: 100,
  health: HEALTHY,
  healthAt: null,
};
/** A day's emails of which all that can come back has come back. */
const STORM = { sends: 40, hardBounces: 8, complaints: 2 };
/** All that bounces can take: 40 points. A complaint of 20,000 emails takes 0.67. */
const FORTY = { sends: 20_000, hardBounces: 1000 };

function facts(
  now: UnixMs,
  days: readonly DayTally[],
  rest: Partial<HealthFacts> = {},
): HealthFacts {
  return {
    now,
    zone: "UTC",
    days,
    smtpErrors: 0,
    inboxRate: null,
    inboxRateHigh: 1,
    refusals: 0,
    ...rest,
  };
}

function day(date: string, tally: Partial<DayTally> = {}): DayTally {
  return { date, sends: 40, hardBounces: 0, complaints: 0, ...tally };
}

describe("the window", () => {
  test("is today and the thirteen local days before", () => {
    expect(windowStart("UTC", NOON).date).toBe("2026-03-03");
    expect(windowStart("Pacific/Auckland", NOON).date).toBe("2026-03-04");
  });

  test("keeps its days over a change of clocks", () => {
    expect(windowStart("America/New_York", at("2026-03-08T06:30Z")).date).toBe("2026-02-23");
    expect(windowStart("America/New_York", at("2026-03-20T04:30Z")).date).toBe("2026-03-07");
  });

  test("a day counts while it is in it, and not on the day after", () => {
    const days = [day("2026-03-03", { hardBounces: 4 })];
    const inside = assessHealth(WELL, facts(NOON, days));
    const outside = assessHealth(inside, facts(plus(NOON, DAY_MS), days));

    expect(inside.healthScore).toBe(60);
    expect(outside.healthScore).toBe(100);
  });

  test("time is waited for only while something speaks against the mailbox, until its midnight", () => {
    const zone = "America/New_York";
    const bad = assessHealth(WELL, facts(NOON, [day("2026-03-16", { hardBounces: 1 })], { zone }));

    expect(assessHealth(WELL, facts(NOON, [day("2026-03-16")])).healthAt).toBeNull();
    expect(bad.healthAt).toBe(at("2026-03-17T04:00Z"));
  });
});

describe("what follows from a score", () => {
  test.each([
    [80, false, true],
    [79, true, true],
    [60, true, true],
    [59, true, false],
  ])("%d: caps halved %p, new leads %p", (judged, halved, startsNew) => {
    expect(limitsOf({ judged, trial: null })).toEqual({ halved, startsNew });
  });

  test("below 40 the mailbox is paused for seven days, and comes back by itself, on trial", () => {
    const days = [day("2026-03-16", STORM)];
    const paused = assessHealth(WELL, facts(NOON, days));
    const waiting = assessHealth(paused, facts(plus(NOON, 7 * DAY_MS - 1), days));
    const back = assessHealth(waiting, facts(plus(NOON, 7 * DAY_MS), days));

    expect(paused).toMatchObject({ status: "paused", statusReason: "health", healthScore: 20 });
    expect(paused.health.pausedUntil).toBe(plus(NOON, 7 * DAY_MS));
    expect(waiting.status).toBe("paused");
    expect(back).toMatchObject({ status: "active", statusReason: null, healthScore: 20 });
    expect(limitsOf(back.health)).toEqual({ halved: true, startsNew: true });
  });

  test("at 40 it still sends, at 39 it is paused", () => {
    const judged = (complaints: number) =>
      assessHealth(WELL, facts(NOON, [day("2026-03-16", { ...FORTY, complaints })]));
    expect(judged(30)).toMatchObject({ status: "active", healthScore: 40 });
    expect(judged(31)).toMatchObject({ status: "paused", healthScore: 39 });
  });

  test("a pause by hand never ends by itself, and is none of health's", () => {
    const manual: HealthView = { ...WELL, status: "paused", statusReason: "manual" };
    const days = [day("2026-03-16", STORM)];
    const later = assessHealth(
      assessHealth(manual, facts(NOON, days)),
      facts(plus(NOON, 30 * DAY_MS), days),
    );

    expect(later).toMatchObject({ status: "paused", statusReason: "manual" });
    expect(later.health.pausedUntil).toBeNull();
  });

  test("one that is in error or disabled is scored, and left as it is", () => {
    for (const status of ["error", "disabled"] as const) {
      const view = assessHealth({ ...WELL, status }, facts(NOON, [day("2026-03-16", STORM)]));
      expect(view).toMatchObject({ status, healthScore: 20 });
    }
  });
});

describe("a trial", () => {
  const BACK = plus(NOON, 7 * DAY_MS);
  const storm = day("2026-03-16", STORM);
  const back = () => assessHealth(assessHealth(WELL, facts(NOON, [storm])), facts(BACK, [storm]));

  test("assesses what was sent since: the storm of before pauses no more", () => {
    const after = assessHealth(back(), facts(BACK, [storm, day("2026-03-23")]));

    expect(after).toMatchObject({ status: "active", healthScore: 20 });
    expect(after.health.judged).toBe(100);
  });

  test("another storm pauses anew", () => {
    const again = assessHealth(
      back(),
      facts(plus(BACK, HOUR_MS), [storm, day("2026-03-23", STORM)]),
    );

    expect(again).toMatchObject({ status: "paused", statusReason: "health" });
    expect(again.health.pausedUntil).toBe(plus(BACK, HOUR_MS + 7 * DAY_MS));
  });

  test("ends with whole caps when the storm has left the window and the score is 80 again", () => {
    const days = [storm, day("2026-03-23")];
    const last = assessHealth(back(), facts(at("2026-03-29T23:59Z"), days));
    const over = assessHealth(last, facts(at("2026-03-30T00:00Z"), days));

    expect(limitsOf(last.health).halved).toBe(true);
    expect(limitsOf(over.health)).toEqual({ halved: false, startsNew: true });
    expect(over.healthAt).toBeNull();
  });

  test("that a person begins on the day of the storm leaves out what had come back by then", () => {
    const paused = assessHealth(WELL, facts(NOON, [storm]));
    const trial = beginTrial("UTC", [storm], plus(NOON, HOUR_MS));
    const begun: HealthView = {
      ...paused,
      status: "active",
      statusReason: null,
      health: { ...paused.health, trial },
    };
    const judged = assessHealth(begun, facts(plus(NOON, HOUR_MS), [storm]));

    expect(judged.status).toBe("active");
    expect(judged.health.judged).toBe(100);
    expect(limitsOf(judged.health).halved).toBe(true);
  });
});

describe("a change is reported", () => {
  test.each([
    [100, 96, false],
    [100, 95, true],
    [81, 80, false],
    [80, 79, true],
    [79, 80, true],
    [60, 59, true],
    [40, 39, true],
    [70, 66, false],
    [70, 70, false],
  ])("from %d to %d: %p", (told, score, expected) => {
    expect(isWorthTelling(told, score)).toBe(expected);
  });
});

function anyInputs(): fc.Arbitrary<HealthInputs> {
  return fc.record({
    sends: fc.integer({ min: 0, max: 3000 }),
    hardBounces: fc.integer({ min: 0, max: 200 }),
    complaints: fc.integer({ min: 0, max: 20 }),
    smtpErrors: fc.integer({ min: 0, max: 9 }),
    refusals: fc.integer({ min: 0, max: 2 }),
    inboxRate: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    inboxRateHigh: fc.double({ min: 0, max: 1, noNaN: true }),
  });
}
