/** Before a data directory is opened by this program: what a backup of it is made from, and when one is. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "#config/config.ts";
import { ENVS } from "#domain/team/api-key.ts";
import { messageOf } from "#domain/thrown.ts";
import { systemClock } from "#platform/clock.ts";
import { loadMasterKey } from "#platform/data-directory.ts";
import { systemDice } from "#platform/dice.ts";
import { createIds } from "#platform/ids.ts";
import type { Log } from "#platform/log.ts";
import { StartFailure } from "#platform/start-failure.ts";
import { type BackupPlace, makeBackup } from "#store/operations/backups.ts";
import { copyFile, schemaOfFile } from "#store/operations/snapshot.ts";
import { closeDatabase, openDatabase } from "#store/sqlite/database.ts";
import { MIGRATIONS, migrate } from "#store/sqlite/migrate.ts";
import { VERSION } from "./version.ts";

/** Of the databases as they lie there. Throws {@link StartFailure} where their key is gone. */
export function backupPlaceOf(config: Config): BackupPlace {
  const { dataDir, operations } = config;
  const ids = createIds(systemDice());
  const masterKey = () => masterKeyOf(config);
  masterKey();
  return {
    directory: operations.backupDir,
    masterKey,
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
    throw new StartFailure(
      "damaged",
      `${config.dataDir}/master.key is missing; run outrider doctor`,
    );
  }
  return loadMasterKey(config.dataDir);
}

export interface Pending {
  env: (typeof ENVS)[number];
  /** Migrations that the file has seen. */
  from: number;
  to: number;
}

/** Databases that an older program wrote. */
export function pendingMigrations(config: Config, to = MIGRATIONS.length): Pending[] {
  return ENVS.flatMap((env) => {
    const path = join(config.dataDir, `${env}.db`);
    const from = existsSync(path) ? schemaOfFile(path) : to;
    return from > 0 && from < to ? [{ env, from, to }] : [];
  });
}

/** Nothing is migrated that has not been saved. Throws {@link StartFailure}. */
export async function backupBeforeMigration(
  config: Config,
  log: Log,
  to = MIGRATIONS.length,
): Promise<string | null> {
  let pending: Pending[];
  try {
    pending = pendingMigrations(config, to);
  } catch {
    // Damaged, or no database: whoever opens it says so better.
    return null;
  }
  const [first] = pending;
  if (first === undefined) {
    return null;
  }
  try {
    const { path } = await makeBackup(backupPlaceOf(config), { reason: "before_migration" });
    log.info("made a backup before migrating", { backup: path, from: first.from, to: first.to });
    return path;
  } catch (error) {
    const cause = messageOf(error);
    throw new StartFailure("unwritable", `no backup could be made before migrating: ${cause}`);
  }
}

/** Migrates a database that nobody has open. */
export function migrateFile(path: string): { from: number; to: number } {
  const db = openDatabase(path);
  try {
    return migrate(db);
  } finally {
    closeDatabase(db);
  }
}
