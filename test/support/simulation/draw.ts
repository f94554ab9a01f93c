/** Random choices of a simulation, all from one seed, so that a run can be run again. */

import { seededDice } from "#platform/dice.ts";

const SPAN = 2 ** 32;

export interface Draw {
  /** In [0, 1). */
  unit(): number;
  /** A whole number from `least` to `most`, both included. */
  int(least: number, most: number): number;
  chance(share: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** Each item with the same chance. */
  some<Item>(items: readonly Item[], share: number): Item[];
}

export function createDraw(seed: number): Draw {
  const dice = seededDice(seed);
  const unit = () => {
    const word = ((dice.byte() * 256 + dice.byte()) * 256 + dice.byte()) * 256 + dice.byte();
    return word / SPAN;
  };
  return {
    unit,
    int: (least, most) => least + Math.floor(unit() * (most - least + 1)),
    chance: (share) => unit() < share,
    pick: (items) => items[Math.floor(unit() * items.length)]!,
    some: (items, share) => items.filter(() => unit() < share),
  };
}
