/** Guarantees of `domain/step.ts`: a sequence goes on where it is, and writes no step twice. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { defaultWaitDays, nextStep } from "#domain/step.ts";

/** Steps in these places, first to last. */
function steps(...ids: string[]) {
  return ids.map((id, index) => ({ id, position: index + 1 }));
}

describe("nextStep", () => {
  test.each<[string, string[], number, string[], string | undefined]>([
    ["the first", ["a", "b"], 0, [], "a"],
    ["the one after the last sent", ["a", "b", "c"], 1, ["a"], "b"],
    ["none after the last", ["a", "b"], 2, ["a", "b"], undefined],
    ["none where there are no steps", [], 0, [], undefined],
    ["none where the sequence was cut short", ["a"], 3, ["a"], undefined],
    ["one inserted ahead", ["a", "new", "b"], 1, ["a"], "new"],
    ["not one inserted behind", ["new", "a", "b"], 2, ["a"], "b"],
    ["a sent step that was moved ahead is passed over", ["b", "a", "c"], 1, ["a"], "c"],
    ["nothing left but sent steps", ["b", "a"], 1, ["a"], undefined],
    ["a step sent once is not sent again by hand", ["a", "b"], 0, ["a"], "b"],
  ])("%s", (_name, ids, currentStep, sent, next) => {
    expect(nextStep(steps(...ids), currentStep, new Set(sent))?.id).toBe(next);
  });

  test("walking a sequence whose steps are shuffled on the way writes each step at most once", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), { maxLength: 8 }).chain((ids) =>
          fc.array(fc.shuffledSubarray(ids, { minLength: ids.length }), {
            minLength: 1,
            maxLength: 20,
          }),
        ),
        (orders) => {
          const sent: string[] = [];
          let currentStep = 0;
          for (const order of orders) {
            const next = nextStep(steps(...order), currentStep, new Set(sent));
            if (next !== undefined) {
              expect(sent).not.toContain(next.id);
              expect(next.position).toBeGreaterThan(currentStep);
              sent.push(next.id);
              currentStep = next.position;
            }
          }
        },
      ),
    );
  });
});

test("the first step goes at once by default, later ones after three days", () => {
  expect([1, 2, 3, 50].map(defaultWaitDays)).toEqual([0, 3, 3, 3]);
});
