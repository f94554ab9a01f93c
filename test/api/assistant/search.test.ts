/**
 * Guarantees of the search over operations, by 60 questions as people ask them in help centers of comparable
 * products. Every second one was left out while the words of `vocabulary.ts` were chosen; what it finds of
 * those is what it's worth.
 */

import { beforeAll, describe, expect, test } from "bun:test";
import { createSearch, type Search } from "#api/assistant/search.ts";
import { loadApi } from "#cli/requests/operations.ts";
import QUERIES from "../../fixtures/assistant/queries.json" with { type: "json" };

/** As many as `find_operations` returns. */
const FOUND_MAX = 8;

let search: Search;

beforeAll(async () => {
  const { operations } = await loadApi();
  search = createSearch(operations);
});

const questions = QUERIES as [string, string[]][];
const halves = {
  tuned: questions.filter((_, index) => index % 2 === 0),
  "held out": questions.filter((_, index) => index % 2 === 1),
};

function figuresOf(half: readonly [string, string[]][]) {
  const ranks = half.map(([question, expected]) =>
    search.find(question, FOUND_MAX).findIndex(({ id }) => expected.includes(id)),
  );
  return {
    first: ranks.filter((rank) => rank === 0).length,
    found: ranks.filter((rank) => rank >= 0).length,
  };
}

describe("Of 30 questions, the operation is", () => {
  const least = { tuned: { first: 28, found: 30 }, "held out": { first: 16, found: 24 } };
  for (const [name, half] of Object.entries(halves)) {
    test(`first, or among the first eight (${name})`, () => {
      expect(half).toHaveLength(30);
      const { first, found } = figuresOf(half);
      const { first: firstMin, found: foundMin } = least[name as keyof typeof least];
      expect(first).toBeGreaterThanOrEqual(firstMin);
      expect(found).toBeGreaterThanOrEqual(foundMin);
    });
  }
});

test("pausing a mailbox is an update of its account", () => {
  expect(search.find("pause a mailbox", 1).map(({ id }) => id)).toEqual(["patchAccount"]);
});

test("every expected operation exists, and nonsense finds nothing", async () => {
  const { operations } = await loadApi();
  const known = new Set(operations.map(({ id }) => id));
  expect(questions.flatMap(([, ids]) => ids).filter((id) => !known.has(id))).toEqual([]);
  expect(search.find("zzyzx qwrt", FOUND_MAX)).toEqual([]);
});
