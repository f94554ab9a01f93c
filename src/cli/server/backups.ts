/** What the commands around backups share: the place that they are made from, and words about them. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { CommandError, EXIT } from "#cli/exit.ts";
import type { Config } from "#config/config.ts";
import { loadMasterKey } from "#platform/data-directory.ts";
import type { BackupPlace } from "#store/operations/backups.ts";
import { settingOptions } from "./settings.ts";

export const BACKUP_OPTIONS = settingOptions(["data", "backup_dir"]);

/** Of the data directory that is there. Throws where there is none. */
export async function existingPlace(config: Config): Promise<BackupPlace> {
  const { dataDir } = config;
  if (!existsSync(join(dataDir, "live.db"))) {
    throw new CommandError(EXIT.failed, `no Outrider data in ${dataDir}; check --data`);
  }
  const { backupPlaceOf } = await import("#app/upgrade.ts");
  return backupPlaceOf(config);
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
  const { UnusableBackup } = await import("#store/operations/backup-archive.ts");
  const { isStorageTrouble } = await import("#store/campaigns/trouble.ts");
  try {
    return await work();
  } catch (error) {
    if (error instanceof UnusableBackup) {
      throw new CommandError(EXIT.badData, error.message);
    }
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (/^(ENOSPC|EFBIG|EACCES|EROFS|ENOENT|ENOTDIR)$/.test(code) || isStorageTrouble(error)) {
      throw new CommandError(EXIT.cannotCreate, error instanceof Error ? error.message : code);
    }
    throw error;
  }
}
