/** Guarantees of `platform/seen.ts`: what has come before is known, and nothing else is. */

import { expect, test } from "bun:test";
import fc from "fast-check";
import { createSeen } from "#platform/seen.ts";

const anySeed = () => fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });

test("says what a set of the same texts says", () => {
  fc.assert(
    fc.property(anySeed(), fc.array(fc.string({ maxLength: 2 })), (seed, texts) => {
      const [seen, set] = [createSeen(seed), new Set<string>()];
      for (const text of texts) {
        expect(seen.isRepeated(text)).toBe(set.has(text));
        set.add(text);
      }
    }),
  );
});

test("knows all of two hundred thousand, however often it has grown", () => {
  const seen = createSeen(7n);
  const texts = Array.from({ length: 200_000 }, (_, index) => `p${index}@x.example`);
  expect(texts.filter((text) => seen.isRepeated(text))).toEqual([]);
  expect(texts.filter((text) => !seen.isRepeated(text))).toEqual([]);
  expect(seen.isRepeated("another@x.example")).toBe(false);
});
