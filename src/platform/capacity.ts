/** A bound on something that many share, such as memory. */
export interface Capacity {
  /**
   * Takes `size` until what it returns is called; undefined where it doesn't fit beside what others have
   * taken. Nobody waits here: whoever gets nothing tries again later, and smaller ones leave room for it until
   * then. What is larger than the bound fits alone.
   */
  take(size: number): (() => void) | undefined;
}

export function createCapacity(max: number): Capacity {
  let taken = 0;
  /** The largest that got nothing since all was free: it would never fit while smaller ones take turns. */
  let owed = 0;
  return {
    take: (size) => {
      const left = size < owed ? max - owed : max;
      if (taken > 0 && taken + size > left) {
        owed = Math.max(owed, size);
        return undefined;
      }
      taken += size;
      owed = size < owed ? owed : 0;
      return () => {
        taken -= size;
        // Whoever has not come back by now may never do so.
        owed = taken === 0 ? 0 : owed;
      };
    },
  };
}
