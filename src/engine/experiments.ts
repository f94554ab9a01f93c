/**
 * The experiments lane: judges leads whose attribution window has closed, and looks at experiments whose
 * time has come: a new day, an end, the last reply.
 */

import { earlier, HOUR_MS, type UnixMs, unixMs } from "#domain/time.ts";
import { experimentsDue, nextExperimentAt } from "#store/experiments.ts";
import { nextExposureAt } from "#store/exposures.ts";
import type { ExperimentRow } from "#store/tables/experiments.ts";
import { postponeReview, reviewExperiment } from "#usecases/experiment-run.ts";
import { judgeExposures } from "#usecases/exposures.ts";
import type { World } from "#world.ts";
import type { Lane } from "./lane.ts";

const JUDGED_MAX = 500;
const REVIEWS_MAX = 20;
/** Nobody waits for one lead's judgement: those of an hour are made together. */
const JUDGE_EVERY_MS = HOUR_MS;
const REVIEW_AGAIN_MS = HOUR_MS;

export function experimentsLane(world: World): Lane {
  return {
    name: "experiments",
    step: async (now) => {
      const judged = await judge(world, now);
      if (judged === JUDGED_MAX) {
        return now;
      }
      const due = experimentsDue(world.db, now, REVIEWS_MAX);
      await Promise.all(due.map((row) => review(world, row, now)));
      return due.length === REVIEWS_MAX ? now : nextAt(world);
    },
    settled: () => Promise.resolve(),
  };
}

async function judge(world: World, now: UnixMs): Promise<number> {
  const first = nextExposureAt(world.db);
  return first === undefined || first > now
    ? 0
    : await world.commit(() => judgeExposures(world, now, JUDGED_MAX));
}

/** A bug in one experiment is logged, and holds up no other. */
async function review(world: World, { id }: ExperimentRow, now: UnixMs): Promise<void> {
  try {
    await world.commit(() => reviewExperiment(world, id, now));
  } catch (error) {
    const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
    world.log.error("looking at an experiment failed inside", { experiment: id, cause });
    await world.commit(() => postponeReview(world, id, unixMs(now + REVIEW_AGAIN_MS)));
  }
}

function nextAt(world: World): UnixMs | undefined {
  const window = nextExposureAt(world.db);
  const judged =
    window === undefined ? undefined : unixMs(Math.ceil(window / JUDGE_EVERY_MS) * JUDGE_EVERY_MS);
  return earlier(judged, nextExperimentAt(world.db));
}
