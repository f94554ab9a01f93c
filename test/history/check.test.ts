/** What the checker of histories finds: nothing where a program keeps its word, and each way of breaking it. */

import { expect, test } from "bun:test";
import { checkHistory } from "../support/history/check.ts";
import {
  type Entry,
  FINDING_KINDS,
  type FindingKind,
  isKind,
  requestsOf,
  restoresOf,
} from "../support/history/history.ts";
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

test("an email to who was suppressed, after a backup of before came back, is found", () => {
  let planted = 0;
  for (let seed = 1; seed <= PLANTED; seed += 1) {
    const entries = forgottenStop(modelHistory(seed));
    if (entries !== undefined) {
      planted += 1;
      expect([seed, kindsOf(entries).includes("email_after_stop")]).toEqual([seed, true]);
    }
  }
  expect(planted).toBeGreaterThan(PLANTED / 4);
});

test("every kind of finding but the one of a search without an end is planted", () => {
  const planted = Object.keys(PLANTS);
  expect(FINDING_KINDS.filter((kind) => !planted.includes(kind))).toEqual(["undecided"]);
});

/** Somebody was suppressed, a backup of before came back, and they get an email. */
function forgottenStop(entries: readonly Entry[]): Entry[] | undefined {
  const requests = requestsOf(entries);
  const [mail] = entries.filter(isKind("mail"));
  for (const { stops, outcome, from, to } of requests) {
    const asked = { from, to: to ?? Infinity };
    const later = restoresOf(entries).find(
      ({ save, restore }) => save.to < asked.from && asked.to < restore.from,
    );
    const at = (later?.restore.to ?? 0) + 0.001;
    const isLifted = requests.some(
      (one) =>
        one.lifts?.name === stops?.name && one.from <= at && (one.to ?? Infinity) >= asked.from,
    );
    if (stops !== undefined && outcome === "ok" && later && !isLifted && mail) {
      return [
        ...entries,
        { ...mail, ...{ recipient: stops.name, step: 99, begun: at, from: at, to: at } },
      ];
    }
  }
  return undefined;
}
