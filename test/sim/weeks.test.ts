/**
 * Every invariant of sending, over weeks of random campaigns, faults, answers, changes and crashes; and
 * once the faults are off, everything comes to an end. Seeds are fixed: the same everywhere.
 */

import { describe, expect, test } from "bun:test";
import { simulate } from "../support/simulate.ts";
import { batches, replay, seedsOf } from "../support/simulation/seeds.ts";

const FILE = "test/sim/weeks.test.ts";

describe("weeks of sending", () => {
  test.each(batches({ full: 500, quick: 60 }, 20))(
    "keep every invariant, seeds $from to $to",
    async (batch) => {
      for (const seed of seedsOf(batch)) {
        const { violations } = await simulate({ seed });
        expect({ replay: replay(seed, FILE), violations }).toEqual({
          replay: replay(seed, FILE),
          violations: [],
        });
      }
    },
  );

  test("are the same when they are run again", async () => {
    const first = await simulate({ seed: 8 });
    const second = await simulate({ seed: 8 });
    expect(second).toEqual(first);
    expect(first.figures.sent).toBeGreaterThan(0);
  });
});
