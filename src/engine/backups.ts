/** The backups lane: makes a backup when the last scheduled one is old enough, and forgets the oldest. */

import { earlier, isAhead, MINUTE_MS, plus, type UnixMs } from "#domain/time.ts";
import type { ShelvedBackup } from "#store/operations/backup-shelf.ts";
import type { World } from "#world.ts";
import type { Lane } from "./lane.ts";

/** After one that could not be made. */
const RETRY_MS = 15 * MINUTE_MS;

export interface BackupSchedule {
  everyMs: number;
  /** Those that were made by schedule, newest first. */
  scheduled: () => ShelvedBackup[];
  /** Makes one, and takes away what is beyond those that are kept. Resolves to why it failed, or null. */
  make: () => Promise<string | null>;
}

export function backupsLane(world: World, schedule: BackupSchedule): Lane {
  let retryAt: UnixMs | undefined;
  const nextAt = (now: UnixMs): UnixMs => {
    const [last] = schedule.scheduled();
    const due = last === undefined ? now : plus(last.createdAt, schedule.everyMs);
    return retryAt !== undefined && retryAt > due && isAhead(retryAt, now, RETRY_MS)
      ? retryAt
      : due;
  };
  return {
    name: "backups",
    time: "wall",
    step: async (now) => {
      if (nextAt(now) > now) {
        return nextAt(now);
      }
      const failure = await schedule.make();
      retryAt = undefined;
      if (failure !== null) {
        retryAt = plus(world.wall.now(), RETRY_MS);
        world.log.error("no backup could be made", { cause: failure });
      }
      return earlier(nextAt(now), plus(now, schedule.everyMs));
    },
    settled: () => Promise.resolve(),
  };
}
