/** The search lane: the words of leads and conversations follow what is written, in slices. */

import { searchesDue } from "#store/search.ts";
import { indexChanges } from "#usecases/search.ts";
import type { World } from "#world.ts";
import type { Lane } from "./lane.ts";

/** Small, so that an import of a million leads leaves room for everything else. */
const SLICE_MAX = 200;

export function searchLane(world: World): Lane {
  return {
    name: "search",
    step: async (now) => {
      if (searchesDue(world.db, 1).length === 0) {
        return undefined;
      }
      const done = await world.commit(() => indexChanges(world, SLICE_MAX));
      return done === SLICE_MAX ? now : undefined;
    },
    settled: () => Promise.resolve(),
  };
}
