/**
 * Every invariant of sending, over weeks of random campaigns, faults, answers, changes and crashes; and
 * once the faults are off, everything comes to an end. Seeds are fixed: the same everywhere.
 */

import { describe, expect, test } from "bun:test";
import { tried } from "../support/promises.ts";
import { simulate } from "../support/simulate.ts";
import { noFigures, simulateAll, sumOf } from "../support/simulation/run-seeds.ts";
import { batches, replay, seedsOf } from "../support/simulation/seeds.ts";
import { STORAGE_FAULTS } from "../support/simulation/tally.ts";

const FILE = "test/sim/weeks.test.ts";
const BATCH_MS_MAX = 600_000;
/** Name servers that don't respond are met about once in 20 seeds: fewer seeds may miss one kind of fault. */
const ALL_FAULTS_SEEDS = 75;
const BATCHES = batches({ full: ALL_FAULTS_SEEDS, quick: 25 }, 25);
const isEnough = BATCHES.flatMap(seedsOf).length >= ALL_FAULTS_SEEDS;

const lived = noFigures();

describe("weeks of sending", () => {
  test.each(BATCHES)(
    "keep every invariant, seeds $from to $to",
    async (batch) => {
      const results = await simulateAll(batch);
      for (const { seed, violations } of results) {
        expect({ replay: replay(seed, FILE), violations }).toEqual({
          replay: replay(seed, FILE),
          violations: [],
        });
      }
      expect(results.filter(({ figures }) => figures.edits === 0)).toEqual([]);
      sumOf(results, lived);
      tried("sends", results.length);
    },
    BATCH_MS_MAX,
  );

  test.skipIf(!isEnough)(`live through every fault there is, in ${ALL_FAULTS_SEEDS} seeds`, () => {
    const never = Object.entries(lived.faults).filter(
      ([name, times]) => times === 0 && !STORAGE_FAULTS.has(name),
    );
    expect(never).toEqual([]);
    expect(lived.sent).toBeGreaterThan(0);
    expect(lived.restarts).toBeGreaterThan(0);
  });

  test("are the same when they are run again", async () => {
    const first = await simulate({ seed: 8 });
    const second = await simulate({ seed: 8 });
    expect(second).toEqual(first);
    expect(first.figures.sent).toBeGreaterThan(0);
  });
});
