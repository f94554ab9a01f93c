/** Randomness, handed in so that a simulation can be run again from its seed. */

import { randomFillSync } from "node:crypto";

export interface Dice {
  /** An integer from 0 to 255. */
  byte(): number;
}

const POOL_BYTES = 4096;

/** The operating system's randomness, drawn in blocks. */
export function systemDice(): Dice {
  const pool = new Uint8Array(POOL_BYTES);
  let next = POOL_BYTES;
  return {
    byte: () => {
      if (next === POOL_BYTES) {
        randomFillSync(pool);
        next = 0;
      }
      const value = pool[next] ?? 0;
      next += 1;
      return value;
    },
  };
}

/** The same bytes for the same seed (mulberry32): for simulations, never for secrets. */
export function seededDice(seed: number): Dice {
  let state = seed >>> 0;
  return {
    byte: () => {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 24) & 0xff;
    },
  };
}
