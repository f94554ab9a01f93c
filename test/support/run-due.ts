/** Takes a worker's steps at one instant until nothing more is due then. */

import { isDue, type UnixMs } from "#domain/time.ts";
import type { Worker } from "#engine/worker.ts";

const STEPS_MAX = 10_000;

/** Resolves to when it has more. */
export async function runDue(worker: Worker, now: UnixMs): Promise<UnixMs | undefined> {
  for (let steps = 0; steps < STEPS_MAX; steps += 1) {
    const next = await worker.step(now);
    await worker.settled?.();
    if (!isDue(next, now)) {
      return next;
    }
  }
  throw new Error(`the worker ${worker.name} makes no progress`);
}
