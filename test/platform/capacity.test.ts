/** Guarantees of a shared bound: it's never exceeded by two, and neither large nor small ones starve. */

import { expect, test } from "bun:test";
import fc from "fast-check";
import { createCapacity } from "#platform/capacity.ts";

test("what is larger than the bound fits alone", () => {
  const capacity = createCapacity(48);
  const release = capacity.take(60);
  expect(release).toBeDefined();
  expect(capacity.take(1)).toBeUndefined();
  release?.();
  expect(capacity.take(1)).toBeDefined();
});

test("a large one gets its turn while small ones keep coming", () => {
  const capacity = createCapacity(10);
  const small = Array.from({ length: 10 }, () => capacity.take(1));
  let large = capacity.take(8);
  expect(large).toBeUndefined();
  let tries = 0;
  while (large === undefined && tries < 20) {
    small.shift()?.();
    small.push(capacity.take(1));
    large = capacity.take(8);
    tries += 1;
  }
  expect(large).toBeDefined();
});

test("small ones go on where a large one never comes back", () => {
  const capacity = createCapacity(10);
  const first = capacity.take(3);
  expect(capacity.take(10)).toBeUndefined();
  expect(capacity.take(1)).toBeUndefined();
  first?.();
  const next = Array.from({ length: 10 }, () => capacity.take(1));
  expect(next.every((release) => release !== undefined)).toBe(true);
});

test("whatever comes and goes, no two exceed the bound, and all of it is free at the end", () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 60 });
  fc.assert(
    fc.property(sizes, fc.infiniteStream(fc.boolean()), (wanted, goes) => {
      const capacity = createCapacity(20);
      const held: { size: number; release: () => void }[] = [];
      for (const size of wanted) {
        const release = capacity.take(size);
        if (release !== undefined) {
          held.push({ size, release });
        }
        const sum = held.reduce((all, one) => all + one.size, 0);
        expect(held.length < 2 || sum <= 20).toBe(true);
        if (goes.next().value === true) {
          held.shift()?.release();
        }
      }
      for (const { release } of held) {
        release();
      }
      expect(capacity.take(20)).toBeDefined();
    }),
  );
});
