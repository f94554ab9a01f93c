/** Guarantees of `platform/ids.ts`: ids are UUIDv7, and order rows as they were made. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { unixMs } from "#domain/time.ts";
import { seededDice, systemDice } from "#platform/dice.ts";
import { createIds } from "#platform/ids.ts";

const NOW = 1_772_463_600_000;
const timeOf = (id: string) => Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);

describe("ids", () => {
  test("have the version, the variant and the time of RFC 9562", () => {
    const ids = createIds(systemDice());
    for (let step = 0; step < 1000; step += 1) {
      const id = ids.next(unixMs(NOW + step));
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(timeOf(id)).toBe(NOW + step);
    }
  });

  test("rise strictly, whichever way the clock goes", () => {
    const steps = fc.array(fc.integer({ min: -10_000, max: 10_000 }), { maxLength: 200 });
    fc.assert(
      fc.property(steps, fc.integer(), (moves, seed) => {
        const ids = createIds(seededDice(seed));
        let [at, last] = [NOW, ""];
        for (const move of moves) {
          at = Math.max(0, at + move);
          const id = ids.next(unixMs(at));
          expect(id > last).toBe(true);
          last = id;
        }
      }),
    );
  });

  test("rise strictly through more of them than a millisecond has room for", () => {
    const ids = createIds(seededDice(1));
    let last = "";
    for (let count = 0; count < 10_000; count += 1) {
      const id = ids.next(unixMs(NOW));
      expect(id > last).toBe(true);
      last = id;
    }
    expect(timeOf(last)).toBe(NOW + 2);
  });

  test("of two makers at one instant differ by chance alone", () => {
    const [a, b] = [createIds(systemDice()), createIds(systemDice())];
    const made = Array.from({ length: 500 }, () => [a.next(unixMs(NOW)), b.next(unixMs(NOW))]);
    expect(new Set(made.flat()).size).toBe(1000);
  });
});
