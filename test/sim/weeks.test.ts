/**
 * Every invariant of sending, over weeks of random campaigns, faults, answers, changes and crashes; and
 * once the faults are off, everything comes to an end. Seeds are fixed: the same everywhere.
 */

import { describe, expect, test } from "bun:test";
import { tried } from "../support/promises.ts";
import { type Figures, simulate } from "../support/simulate.ts";
import { simulateAll, sumOf } from "../support/simulation/run-seeds.ts";
import { batches, replay } from "../support/simulation/seeds.ts";

const FILE = "test/sim/weeks.test.ts";
const BATCH_MS_MAX = 600_000;

const lived: Figures = {
  ...{ sent: 0, kills: 0, restarts: 0, troubles: 0, deeds: 0, rounds: 0, days: 0 },
};

describe("weeks of sending", () => {
  test.each(batches({ full: 400, quick: 40 }, 50))(
    "keep every invariant, seeds $from to $to",
    async (batch) => {
      const results = await simulateAll(batch);
      for (const { seed, violations } of results) {
        expect({ replay: replay(seed, FILE), violations }).toEqual({
          replay: replay(seed, FILE),
          violations: [],
        });
      }
      sumOf(results, lived);
      tried("sends", results.length);
    },
    BATCH_MS_MAX,
  );

  test("live through deaths, restarts and disks that fail", () => {
    expect(lived.sent).toBeGreaterThan(0);
    expect(lived.kills).toBeGreaterThan(0);
    expect(lived.troubles).toBeGreaterThan(0);
  });

  test("are the same when they are run again", async () => {
    const first = await simulate({ seed: 8 });
    const second = await simulate({ seed: 8 });
    expect(second).toEqual(first);
    expect(first.figures.sent).toBeGreaterThan(0);
  });
});
