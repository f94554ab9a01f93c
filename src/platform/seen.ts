/**
 * Texts that have been seen, eight bytes each: a set of strings would take a hundred. It forgets nothing,
 * takes up to {@link SEEN_MAX}, and mistakes one text for another once in 10^12 even then.
 */

const SLOTS_START = 1 << 12;
/** Texts remembered; from then on only those. 64 MiB. */
export const SEEN_MAX = 6_000_000;
const SLOTS_MAX = 1 << 23;

export interface Seen {
  /** True where the text has come before; remembers it. */
  isRepeated(text: string): boolean;
}

/** `seed`: one that a stranger cannot guess, so that nobody can make two texts collide. */
export function createSeen(seed: bigint): Seen {
  // Halves of 64 bits: numbers, because a table of bigints takes seconds to double.
  let high = new Uint32Array(SLOTS_START);
  let low = new Uint32Array(SLOTS_START);
  let count = 0;
  const insert = (a: number, b: number): boolean => {
    let at = b % low.length;
    while (low[at] !== 0 || high[at] !== 0) {
      if (low[at] === b && high[at] === a) {
        return true;
      }
      at = (at + 1) % low.length;
    }
    if (count < SEEN_MAX) {
      high[at] = a;
      low[at] = b;
      count += 1;
    }
    return false;
  };
  const grow = () => {
    const [highBefore, lowBefore] = [high, low];
    high = new Uint32Array(low.length * 2);
    low = new Uint32Array(high.length);
    count = 0;
    for (let at = 0; at < lowBefore.length; at += 1) {
      const [a, b] = [highBefore[at] ?? 0, lowBefore[at] ?? 0];
      if (a !== 0 || b !== 0) {
        insert(a, b);
      }
    }
  };
  return {
    isRepeated: (text) => {
      const hash = Bun.hash.wyhash(text, seed);
      const isRepeated = insert(Number(hash >> 32n), Number(hash & LOW_BITS) || 1);
      if (count * 2 > low.length && low.length < SLOTS_MAX) {
        grow();
      }
      return isRepeated;
    },
  };
}

const LOW_BITS = 0xffff_ffffn;
