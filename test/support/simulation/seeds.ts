/** Which seeds a simulation test runs: `OUTRIDER_SIM_SEEDS` of them, from `OUTRIDER_SIM_SEED` on. */

const FIRST = Number(process.env["OUTRIDER_SIM_SEED"] ?? 1);
const COUNT = process.env["OUTRIDER_SIM_SEEDS"];
const IS_FULL = process.env["OUTRIDER_TEST_TIER"] === "full";

export interface Batch {
  from: number;
  to: number;
}

/** As many seeds as the tier asks for, unless the environment says how many, in batches. */
export function batches(counts: { full: number; quick: number }, size: number): Batch[] {
  const count = COUNT === undefined ? (IS_FULL ? counts.full : counts.quick) : Number(COUNT);
  const found: Batch[] = [];
  for (let from = FIRST; from < FIRST + count; from += size) {
    found.push({ from, to: Math.min(from + size, FIRST + count) - 1 });
  }
  return found;
}

export function seedsOf({ from, to }: Batch): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** How to run one seed of `file` again. */
export function replay(seed: number, file: string): string {
  return `seed ${seed}; again: OUTRIDER_SIM_SEED=${seed} OUTRIDER_SIM_SEEDS=1 bun test ${file}`;
}
