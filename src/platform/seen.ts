/**
 * Texts that have been seen, eight bytes each: a set of strings would take a hundred. It forgets nothing,
 * takes up to {@link SEEN_MAX}, and mistakes one text for another once in 10^12 even then.
 *
 * It consists of parts that grow by themselves: to move millions of texts to a larger table at once would
 * hold up everybody else for a tenth of a second.
 */

const PARTS = 256;
const SLOTS_START = 1 << 4;
/** Texts remembered; from then on only those. 64 MiB. */
export const SEEN_MAX = 6_000_000;
const PART_TEXTS_MAX = SEEN_MAX / PARTS;
const PART_SLOTS_MAX = (1 << 23) / PARTS;

export interface Seen {
  /** True where the text has come before; remembers it. */
  isRepeated(text: string): boolean;
}

/** `seed`: one that a stranger cannot guess, so that nobody can make two texts collide. */
export function createSeen(seed: bigint): Seen {
  const parts = Array.from({ length: PARTS }, () => new Part());
  return {
    isRepeated: (text) => {
      const hash = Bun.hash.wyhash(text, seed);
      const high = Number(hash >> 32n);
      return parts[high % PARTS]?.isRepeated(high, Number(hash & LOW_BITS) || 1) ?? false;
    },
  };
}

const LOW_BITS = 0xffff_ffffn;

class Part {
  // Halves of 64 bits: numbers, because a table of bigints takes seconds to double.
  #high = new Uint32Array(SLOTS_START);
  #low = new Uint32Array(SLOTS_START);
  #count = 0;

  isRepeated(high: number, low: number): boolean {
    const isThere = this.#insert(high, low);
    if (this.#count * 2 > this.#low.length && this.#low.length < PART_SLOTS_MAX) {
      this.#grow();
    }
    return isThere;
  }

  #insert(high: number, low: number): boolean {
    let at = low % this.#low.length;
    while (this.#low[at] !== 0) {
      if (this.#low[at] === low && this.#high[at] === high) {
        return true;
      }
      at = (at + 1) % this.#low.length;
    }
    if (this.#count < PART_TEXTS_MAX) {
      this.#high[at] = high;
      this.#low[at] = low;
      this.#count += 1;
    }
    return false;
  }

  #grow(): void {
    const [high, low] = [this.#high, this.#low];
    this.#high = new Uint32Array(low.length * 2);
    this.#low = new Uint32Array(low.length * 2);
    this.#count = 0;
    for (const [at, value] of low.entries()) {
      if (value !== 0) {
        this.#insert(high[at] ?? 0, value);
      }
    }
  }
}
