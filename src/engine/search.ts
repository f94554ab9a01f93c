/**
 * The search lane: the words of leads and conversations follow what is written, and leave the files after
 * what is erased, in slices.
 */

import { MINUTE_MS, plus, type UnixMs } from "#domain/time.ts";
import { searchesDue } from "#store/leads/search.ts";
import { cleanAfterErasure } from "#store/operations/erasure.ts";
import { indexChanges } from "#usecases/leads/search.ts";
import type { World } from "#world.ts";
import type { Lane } from "./lane.ts";

/** Small, and with a rest after each, so that an import of a million leads leaves room for all else. */
const SLICE_MAX = 200;
const REST_MS = 25;

export function searchLane(world: World): Lane {
  return {
    name: "search",
    step: async (now) => {
      const isDue = searchesDue(world.db, 1).length > 0;
      const done = isDue ? await world.commit(() => indexChanges(world, SLICE_MAX)) : 0;
      return done === SLICE_MAX ? plus(now, REST_MS) : await clean(world, now);
    },
    settled: () => Promise.resolve(),
  };
}

/** A log that somebody reads is tried again, and so is one in which another erasure has come. */
async function clean(world: World, now: UnixMs): Promise<UnixMs | undefined> {
  switch (await cleanAfterErasure(world.db, world.commit)) {
    case "more":
      return plus(now, REST_MS);
    case "waits":
      return plus(now, MINUTE_MS);
    case "clean":
      return undefined;
  }
}
