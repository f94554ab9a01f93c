/** Looks over the whole database once a day: a page that nobody reads may have been damaged long ago. */

import { DAY_MS, HOUR_MS, isAhead, plus, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { checkApart } from "#store/sqlite/damage.ts";
import type { Worker } from "./worker.ts";

export interface Checkup {
  /** The last run wasn't ended, and the start has looked at nothing. */
  isDue: boolean;
  /** Ends what is under way. */
  signal: AbortSignal;
  /** Says what is wrong with the file, if anything; on a thread of its own if left out. */
  check?: typeof checkApart;
}

/** A start has enough to do. */
const FIRST_MS = HOUR_MS;
const EVERY_MS = DAY_MS;

/** Its step throws damage as SQLite would, so that nothing is sent from then on. */
export function checkupWorker(
  env: Environment,
  { isDue, signal, check = checkApart }: Checkup,
): Worker {
  let dueAt: UnixMs | undefined;
  return {
    name: "checkup",
    time: "wall",
    step: async (now) => {
      dueAt ??= isDue ? now : plus(now, FIRST_MS);
      if (isAhead(dueAt, now, EVERY_MS)) {
        return dueAt;
      }
      // One that fails is not tried again and again: it reads the whole file.
      dueAt = plus(now, EVERY_MS);
      const fault = await check(env.db, signal);
      if (fault !== null) {
        throw Object.assign(new Error(fault), { code: "SQLITE_CORRUPT" });
      }
      return dueAt;
    },
  };
}
