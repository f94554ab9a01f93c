/** The search lane: the words of leads and conversations follow what is written, in slices. */

import { plus } from "#domain/time.ts";
import { searchesDue } from "#store/search.ts";
import { indexChanges } from "#usecases/search.ts";
import type { World } from "#world.ts";
import type { Lane } from "./lane.ts";

/** Small, and with a rest after each, so that an import of a million leads leaves room for all else. */
const SLICE_MAX = 200;
const REST_MS = 25;

export function searchLane(world: World): Lane {
  return {
    name: "search",
    step: async (now) => {
      if (searchesDue(world.db, 1).length === 0) {
        return undefined;
      }
      const done = await world.commit(() => indexChanges(world, SLICE_MAX));
      return done === SLICE_MAX ? plus(now, REST_MS) : undefined;
    },
    settled: () => Promise.resolve(),
  };
}
