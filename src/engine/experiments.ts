/**
 * The experiments worker: measures leads whose attribution window has closed, and looks at experiments whose
 * time has come: a new day, an end, the last reply.
 */

import { stackOf } from "#domain/thrown.ts";
import { earlier, HOUR_MS, isDue, type UnixMs, unixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { experimentsDue, nextExperimentAt } from "#store/experiments/experiments.ts";
import { nextExposureAt } from "#store/sending/exposures.ts";
import type { ExperimentRow } from "#store/tables/experiments.ts";
import { measureExposures } from "#usecases/campaigns/exposures.ts";
import { postponeReview, reviewExperiment } from "#usecases/experiments/experiment-run.ts";
import type { Worker } from "./worker.ts";

const MEASURED_MAX = 500;
const REVIEWS_MAX = 20;
/** Nobody waits for one lead's judgement: those of an hour are made together. */
const MEASURE_EVERY_MS = HOUR_MS;
const REVIEW_AGAIN_MS = HOUR_MS;

export function experimentsWorker(env: Environment): Worker {
  return {
    name: "experiments",
    step: async (now) => {
      const windowAt = nextExposureAt(env.db);
      const measured = isDue(windowAt, now)
        ? await env.commit(() => measureExposures(env, now, MEASURED_MAX))
        : 0;
      if (measured === MEASURED_MAX) {
        return now;
      }
      const reviewAt = nextExperimentAt(env.db);
      if (measured === 0 && !isDue(reviewAt, now)) {
        return nextOf(windowAt, reviewAt);
      }
      const due = experimentsDue(env.db, now, REVIEWS_MAX);
      await Promise.all(due.map((row) => review(env, row, now)));
      return due.length === REVIEWS_MAX
        ? now
        : nextOf(nextExposureAt(env.db), nextExperimentAt(env.db));
    },
  };
}

/** A bug in one experiment is logged, and holds up no other. */
async function review(env: Environment, { id }: ExperimentRow, now: UnixMs): Promise<void> {
  try {
    await env.commit(() => reviewExperiment(env, id, now));
  } catch (error) {
    const cause = stackOf(error);
    env.log.error("looking at an experiment failed inside", { experiment: id, cause });
    await env.commit(() => postponeReview(env, id, unixMs(now + REVIEW_AGAIN_MS)));
  }
}

function nextOf(windowAt: UnixMs | undefined, reviewAt: UnixMs | undefined): UnixMs | undefined {
  const judgedAt =
    windowAt === undefined
      ? undefined
      : unixMs(Math.ceil(windowAt / MEASURE_EVERY_MS) * MEASURE_EVERY_MS);
  return earlier(judgedAt, reviewAt);
}
