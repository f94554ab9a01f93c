/** Guarantees of `domain/events/webhook.ts`: how patient a delivery is, and how patient we are with an endpoint. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  afterFailure,
  type EndpointHealth,
  FAILURES_MAX,
  isHopeless,
  nextTryAt,
  requestsMax,
  TRIES_MAX,
  WELL,
} from "#domain/events/webhook.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, plus, SECOND_MS, unixMs } from "#domain/time.ts";

const NOW = unixMs(Date.UTC(2026, 2, 2, 15));
const ID = "01952c6a-4000-7000-8000-000000000001";

/** A file of the repository, its lines made one. */
const textOf = async (path: string) =>
  (await Bun.file(new URL(`../../../${path}`, import.meta.url)).text()).replace(/\s+/g, " ");

describe("nextTryAt", () => {
  const waits = [
    5 * SECOND_MS,
    5 * MINUTE_MS,
    30 * MINUTE_MS,
    2 * HOUR_MS,
    5 * HOUR_MS,
    10 * HOUR_MS,
    14 * HOUR_MS,
    20 * HOUR_MS,
    24 * HOUR_MS,
  ];

  test.each(waits.map((wait, index) => [index + 1, wait] as const))(
    "after %i failed tries waits %i ms, and at most a tenth longer",
    (tries, wait) => {
      fc.assert(
        fc.property(fc.uuid(), (id) => {
          const waited = (nextTryAt(id, tries, NOW, null) ?? NOW) - NOW;
          expect(waited).toBeGreaterThanOrEqual(wait);
          expect(waited).toBeLessThanOrEqual(wait * 1.1);
        }),
      );
    },
  );

  test("ends after ten tries", () => {
    expect(TRIES_MAX).toBe(10);
    expect(nextTryAt(ID, 10, NOW, HOUR_MS)).toBeNull();
  });

  test("goes on for three days, ten tries, as README, guide, API document and console say", async () => {
    const days = waits.reduce((sum, wait) => sum + wait, 0) / DAY_MS;
    const word = ["one", "two", "three", "four", "five"][Math.floor(days) - 1] ?? "no";
    expect(await textOf("README.md")).toContain(`retried for ${word} days`);
    const console = await textOf("src/ui/pages/developers/webhooks.tsx");
    expect(console).toContain(`retried for ${word} days`);
    expect(await textOf("src/api/document/webhooks.ts")).toContain(`ten times in ${word} days`);
    const units = [
      ["h", HOUR_MS],
      ["min", MINUTE_MS],
      ["s", SECOND_MS],
    ] as const;
    const said = waits.map((wait) => {
      const [name, ms] = units.find(([, unit]) => wait >= unit) ?? units[2];
      return `${wait / ms} ${name}`;
    });
    const list = `${said.slice(0, -1).join(", ")}, and ${said.at(-1)}`;
    expect(await textOf("docs/webhooks.md")).toContain(`retries after ${list}, each up to a tenth`);
  });

  test("what failed together is not tried together", () => {
    const ids = Array.from({ length: 50 }, (_, n) => `${ID.slice(0, -2)}${10 + n}`);
    const times = new Set(ids.map((id) => nextTryAt(id, 2, NOW, null)));
    expect(times.size).toBeGreaterThan(45);
  });

  test.each([
    ["a later Retry-After counts", HOUR_MS, HOUR_MS],
    ["an earlier one does not", 1, 5 * MINUTE_MS],
    ["one without end is a day", 400 * DAY_MS, DAY_MS],
  ])("%s", (_name, asked, least) => {
    const waited = (nextTryAt(ID, 2, NOW, asked) ?? NOW) - NOW;
    expect(waited).toBeGreaterThanOrEqual(least);
    expect(waited).toBeLessThanOrEqual(Math.max(least, 5.5 * MINUTE_MS));
  });
});

describe("an endpoint", () => {
  const fail = (times: number, from = NOW, every = 0) => {
    let health: EndpointHealth = WELL;
    for (let n = 0; n < times; n += 1) {
      health = afterFailure(health, plus(from, n * every));
    }
    return health;
  };

  test("is spared from the tenth failure on, ever longer, for five minutes at most", () => {
    expect(fail(FAILURES_MAX - 1).pausedUntil).toBeNull();
    const pauses = [10, 11, 12, 15, 16, 40].map((n) => (fail(n).pausedUntil ?? NOW) - NOW);
    expect(pauses).toEqual([5, 10, 20, 160, 300, 300].map((seconds) => seconds * SECOND_MS));
  });

  test("gets two requests at a time, and one once it is spared", () => {
    expect([0, 1, 9, 10, 100].map((n) => requestsMax(fail(n)))).toEqual([2, 2, 2, 1, 1]);
  });

  test.each([
    ["nine failures in ten days", 9, 10, false],
    ["ten failures in four days", 10, 4, false],
    ["ten failures in five days", 10, 5, true],
    ["a hundred in six days", 100, 6, true],
  ])("%s", (_name, failures, days, hopeless) => {
    const every = (days * DAY_MS) / (failures - 1);
    const health = fail(failures, NOW, every);
    expect(isHopeless(health, plus(NOW, days * DAY_MS))).toBe(hopeless);
  });
});
