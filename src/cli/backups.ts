/** What the commands around backups share: the place that they are made from, and words about them. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "#config.ts";
import { systemClock } from "#runtime/clock.ts";
import { loadMasterKey } from "#runtime/data-directory.ts";
import { systemDice } from "#runtime/dice.ts";
import { createIds } from "#runtime/ids.ts";
import { StartFailure } from "#runtime/start-failure.ts";
import type { BackupPlace } from "#store/backups.ts";
import { VERSION } from "#version.ts";
import { CommandError, EXIT } from "./exit.ts";
import { settingOptions } from "./settings.ts";

export const BACKUP_OPTIONS = settingOptions(["data", "backup_dir"]);

/** Of the data directory that is there. Throws where there is none. */
export async function backupPlaceOf(config: Config): Promise<BackupPlace> {
  const { dataDir, operations } = config;
  if (!existsSync(join(dataDir, "live.db"))) {
    throw new CommandError(EXIT.failed, `there is no installation in ${dataDir}`);
  }
  const { copyFile } = await import("#store/snapshot.ts");
  const ids = createIds(systemDice());
  return {
    directory: operations.backupDir,
    masterKey: masterKeyOf(config),
    passphrase: operations.backupPassphrase,
    version: VERSION,
    clock: systemClock,
    newId: (now) => ids.next(now),
    copy: (env, to, at) => copyFile(join(dataDir, `${env}.db`), to, at),
  };
}

function masterKeyOf(config: Config): Uint8Array {
  if (config.masterKey !== null) {
    return config.masterKey;
  }
  if (!existsSync(join(config.dataDir, "master.key"))) {
    throw new StartFailure("damaged", `${config.dataDir}/master.key is gone; see outrider doctor`);
  }
  return loadMasterKey(config.dataDir);
}

/** The key that lies in a directory or is configured; null: none. */
export function knownKey(config: Config, dataDir: string): Uint8Array | null {
  if (config.masterKey !== null) {
    return config.masterKey;
  }
  return existsSync(join(dataDir, "master.key")) ? loadMasterKey(dataDir) : null;
}

/** Turns what is wrong with an archive into words with an exit code. */
export async function explained<Result>(work: () => Promise<Result>): Promise<Result> {
  const { UnusableBackup } = await import("#store/backup-archive.ts");
  try {
    return await work();
  } catch (error) {
    if (error instanceof UnusableBackup) {
      throw new CommandError(EXIT.badData, error.message);
    }
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (/^(ENOSPC|EACCES|EROFS|ENOENT|ENOTDIR|SQLITE_FULL)$/.test(code)) {
      throw new CommandError(EXIT.cannotCreate, error instanceof Error ? error.message : code);
    }
    throw error;
  }
}
