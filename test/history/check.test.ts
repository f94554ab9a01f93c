/** What the checker of histories finds: nothing where a program keeps its word, and each way of breaking it. */

import { expect, test } from "bun:test";
import { checkHistory } from "../support/history/check.ts";
import { type Entry, FINDING_KINDS, type FindingKind } from "../support/history/history.ts";
import { MODEL_RULES, modelHistory, PLANTS } from "../support/history/model.ts";

const HISTORIES = 300;
const PLANTED = 60;

const kindsOf = (entries: readonly Entry[]): FindingKind[] =>
  checkHistory(entries, MODEL_RULES).map(({ kind }) => kind);

test(`${HISTORIES} histories of a program that keeps its word have no finding`, () => {
  let [restores, unknown] = [0, 0];
  for (let seed = 1; seed <= HISTORIES; seed += 1) {
    const entries = modelHistory(seed);
    expect([seed, ...checkHistory(entries, MODEL_RULES)]).toEqual([seed]);
    restores += entries.filter(({ kind }) => kind === "restore").length;
    unknown += entries.filter((one) => one.kind === "request" && one.outcome === "unknown").length;
  }
  expect(restores).toBeGreaterThan(HISTORIES);
  expect(unknown).toBeGreaterThan(10 * HISTORIES);
});

test.each(Object.entries(PLANTS))(
  `%s is found wherever it is planted in ${PLANTED} histories`,
  (kind, plant) => {
    let planted = 0;
    for (let seed = 1; seed <= PLANTED; seed += 1) {
      const entries = plant(modelHistory(seed));
      if (entries !== undefined) {
        planted += 1;
        expect([seed, kindsOf(entries).includes(kind as FindingKind)]).toEqual([seed, true]);
      }
    }
    expect(planted).toBeGreaterThan(PLANTED / 4);
  },
);

test("every kind of finding but the one of a search without an end is planted", () => {
  const planted = Object.keys(PLANTS);
  expect(FINDING_KINDS.filter((kind) => !planted.includes(kind))).toEqual(["undecided"]);
});
