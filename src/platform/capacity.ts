/** A bound on something that many share, such as memory. */
export interface Capacity {
  /**
   * Takes `size` until what it returns is called; undefined where it doesn't fit beside what others have
   * taken. Nobody waits here: whoever gets nothing tries again later. What is larger than the bound fits alone.
   */
  take(size: number): (() => void) | undefined;
}

export function createCapacity(max: number): Capacity {
  let taken = 0;
  return {
    take: (size) => {
      if (taken > 0 && taken + size > max) {
        return undefined;
      }
      taken += size;
      return () => {
        taken -= size;
      };
    },
  };
}
