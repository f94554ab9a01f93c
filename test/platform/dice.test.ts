/** Guarantees of `platform/dice.ts`: bytes, every value of them, and a seed that says which. */

import { describe, expect, test } from "bun:test";
import { type Dice, seededDice, systemDice } from "#platform/dice.ts";

const draw = (dice: Dice, count: number) => Array.from({ length: count }, () => dice.byte());

describe.each([
  ["the system's", systemDice()],
  ["a seed's", seededDice(1)],
])("%s bytes", (_name, dice) => {
  test("take every value about equally often", () => {
    const counts = new Array<number>(256).fill(0);
    for (const byte of draw(dice, 256 * 400)) {
      counts[byte] = (counts[byte] ?? Number.NaN) + 1;
    }
    // Eight standard deviations from 400: chance does not get there.
    expect(Math.min(...counts)).toBeGreaterThan(240);
    expect(Math.max(...counts)).toBeLessThan(560);
  });
});

test("the same seed gives the same bytes, another one others", () => {
  expect(draw(seededDice(5), 100)).toEqual(draw(seededDice(5), 100));
  expect(draw(seededDice(5), 100)).not.toEqual(draw(seededDice(6), 100));
});

test("the system's blocks do not repeat", () => {
  const dice = systemDice();
  expect(draw(dice, 4096)).not.toEqual(draw(dice, 4096));
  expect(draw(systemDice(), 32)).not.toEqual(draw(systemDice(), 32));
});
