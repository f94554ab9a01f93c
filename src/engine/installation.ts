/** Workers of a program that runs on a data directory: its master keys and its scheduled backups. */

import { messageOf } from "#domain/thrown.ts";
import { earlier, isAhead, MINUTE_MS, plus, SECOND_MS, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import type { Vault } from "#platform/secrets/crypto.ts";
import type { MasterKeys } from "#platform/secrets/master-keys.ts";
import type { StoredBackup } from "#store/operations/backup-files.ts";
import { resealAll } from "#usecases/team/secrets.ts";
import type { CertificateSchedule } from "./certificates.ts";
import type { Checkup } from "./checkup.ts";
import type { ReplyModel } from "./reply-model.ts";
import type { Worker } from "./worker.ts";

/** What only a program on a data directory has. */
export interface Installation {
  backups?: BackupSchedule | undefined;
  certificates?: CertificateSchedule | undefined;
  checkup?: Checkup | undefined;
  replyModel?: ReplyModel | undefined;
  keys?: MasterKeys | undefined;
}

/** Between two looks at the file. */
const LOOK_MS = 2 * SECOND_MS;

/** Takes up a master key that was put before those in use, and seals the secrets under it. */
export function keysWorker(env: Environment, keys: MasterKeys): Worker {
  let sealedUnder: Vault | undefined;
  let trouble = "";
  let lookedAt: UnixMs | undefined;
  const look = (): Vault | undefined => {
    try {
      const newest = keys.newest();
      trouble = "";
      return newest;
    } catch (error) {
      const cause = messageOf(error);
      if (cause !== trouble) {
        env.log.error("the master key's file cannot be used; the keys in use stay", { cause });
      }
      trouble = cause;
      return undefined;
    }
  };
  return {
    name: "keys",
    time: "wall",
    step: async (now) => {
      // Roused by every write, it looks no sooner for that; nor later where the clock was set back.
      if (lookedAt !== undefined && now >= lookedAt && now < plus(lookedAt, LOOK_MS)) {
        return plus(lookedAt, LOOK_MS);
      }
      lookedAt = now;
      const newest = look();
      if (newest !== undefined && newest !== sealedUnder && keys.hasOlder()) {
        const done = await resealAll(env, { all: keys.vault, newest });
        // What was sealed just before, and stored after its turn, is found the next time.
        if (done.resealed === 0) {
          sealedUnder = newest;
        } else {
          env.log.info("secrets were sealed under the newest master key", { ...done });
        }
      }
      return plus(now, LOOK_MS);
    },
  };
}

/** After one that could not be made. */
const BACKUP_RETRY_MS = 15 * MINUTE_MS;

export interface BackupSchedule {
  everyMs: number;
  /** Those that were made by schedule, newest first. */
  scheduled: () => StoredBackup[];
  /** Makes one, and takes away what is beyond those that are kept. Resolves to why it failed, or null. */
  make: () => Promise<string | null>;
}

/** Makes a backup when the last scheduled one is old enough, and forgets the oldest. */
export function backupsWorker(env: Environment, schedule: BackupSchedule): Worker {
  let retryAt: UnixMs | undefined;
  const nextAt = (now: UnixMs): UnixMs => {
    const [last] = schedule.scheduled();
    const due = last === undefined ? now : plus(last.createdAt, schedule.everyMs);
    return retryAt !== undefined && retryAt > due && isAhead(retryAt, now, BACKUP_RETRY_MS)
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
        retryAt = plus(env.wall.now(), BACKUP_RETRY_MS);
        env.log.error("no backup could be made", { cause: failure });
      }
      return earlier(nextAt(now), plus(now, schedule.everyMs));
    },
  };
}
