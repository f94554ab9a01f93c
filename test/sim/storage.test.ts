/**
 * Storage that lies under whole installations: what is looked for is really found. Clean seeds are among those of
 * `weeks.test.ts`, every fifth of them.
 */

import { describe, expect, test } from "bun:test";
import { simulate } from "../support/simulate.ts";
import type { Violation } from "../support/simulation/checks.ts";
import type { Plant } from "../support/simulation/options.ts";

/** Runs that a violation may take to show. */
const SEEDS_MAX = 40;
const TEST_MS_MAX = 600_000;

const PLANTED: [what: string, invariant: Violation["invariant"], plant: Plant][] = [
  ["nobody looks over the file", "damage", { unchecked: true }],
  ["a start believes that the data is what it was", "twice", { trusting: true }],
  ["a start doesn't ask who was suppressed since", "suppressed", { forgetful: true }],
];

describe("a planted violation is found", () => {
  test.each(PLANTED)(
    "%s: %s",
    async (_what, invariant, plant) => {
      const found = [];
      for (let seed = 1; seed <= SEEDS_MAX && found.length === 0; seed += 1) {
        const options = { seed, plant, only: [invariant], calmRounds: 2, storage: true };
        found.push(...(await simulate(options)).violations);
      }
      expect(found.map((violation) => violation.invariant)).toContain(invariant);
    },
    TEST_MS_MAX,
  );
});
