/**
 * Whether a copy of the data would work, tried without a network: restored into a directory of its own,
 * brought to this program's schema, asked as a server is asked, and counted against the original. No worker
 * runs, so nothing is sent, polled, or delivered.
 */

import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Config } from "#config/config.ts";
import { MINUTE_MS, plus, type UnixMs, unixMs } from "#domain/time.ts";
import { systemClock } from "#platform/clock.ts";
import { firstIdOf } from "#platform/ids.ts";
import { silentLog } from "#platform/log.ts";
import { UnusableBackup } from "#store/operations/backup-archive.ts";
import { type Counts, countBefore, teamIdsOf } from "#store/operations/drill.ts";
import { applyRestore, stageRestore } from "#store/operations/restore.ts";
import { copyFile, examineFile } from "#store/operations/snapshot.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";
import { readFrozen } from "#store/sqlite/frozen.ts";
import { latestId } from "#store/sqlite/latest-id.ts";
import { publicRoutes } from "#web/public.ts";
import { type OpenEnvironments, openEnvironments } from "./environments.ts";

export interface DrillInput {
  config: Config;
  /** An archive, or a directory with the databases of a replica. */
  from: { file: string } | { directory: string };
  masterKey: Uint8Array | null;
}

export interface Drilled {
  copiedAt: UnixMs;
  /** Rows of the copy, and of the original up to then; null where there is no original. */
  counts: { copy: Counts; original: Counts | null };
  /** What is wrong with the copy; empty where nothing is. */
  faults: string[];
}

/** What was being written when the copy was made may be in one and not in the other. */
const MARGIN_MS = MINUTE_MS;

/** Changes nothing but a directory of its own, which is gone afterwards. Throws {@link UnusableBackup}. */
export async function drill({ config, from, masterKey }: DrillInput): Promise<Drilled> {
  const { backupDir } = config.operations;
  const beside = existsSync(backupDir) ? backupDir : tmpdir();
  const dataDir = mkdtempSync(join(beside, ".making-drill-"));
  try {
    const made =
      "file" in from
        ? await restoreInto(dataDir, from.file, config, masterKey)
        : copyInto(dataDir, from.directory);
    const environments = openEnvironments({ ...config, dataDir, masterKey }, silentLog);
    try {
      const copiedAt = made ?? newestIn(environments.live.db);
      const counts = countBoth(environments.live.db, join(config.dataDir, "live.db"), copiedAt);
      return { copiedAt, counts, faults: [...(await askedOf(environments)), ...lacking(counts)] };
    } finally {
      await environments.close();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function restoreInto(
  dataDir: string,
  file: string,
  config: Config,
  masterKey: Uint8Array | null,
): Promise<UnixMs> {
  const { manifest } = await stageRestore({
    file,
    passphrase: config.operations.backupPassphrase,
    dataDir,
    masterKey,
    keyInDirectory: masterKey === null,
    withoutKey: false,
  });
  applyRestore(dataDir);
  return manifest.createdAt;
}

/** Null: the copy doesn't say when it was made. */
function copyInto(dataDir: string, replica: string): null {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  for (const name of ["live.db", "test.db"]) {
    const path = join(replica, name);
    if (!existsSync(path)) {
      throw new UnusableBackup(`${replica} has no ${name}`);
    }
    copyFile(path, join(dataDir, name), systemClock.now());
    const [fault] = examineFile(join(dataDir, name)).faults;
    if (fault !== undefined) {
      throw new UnusableBackup(`${name} is damaged: ${fault}`);
    }
  }
  return null;
}

/** When the newest row was made: what came later, a replica can't say. */
function newestIn(db: Db): UnixMs {
  const id = latestId(db, firstIdOf(systemClock.now()) as Id);
  return unixMs(
    id === undefined ? MARGIN_MS : Number.parseInt(id.replace("-", "").slice(0, 12), 16),
  );
}

/** A server's own answer to whether it is ready. */
async function askedOf(environments: OpenEnvironments): Promise<string[]> {
  const app = publicRoutes(environments, { closing: () => false });
  const { status } = await app.handle(new Request("http://localhost/readyz"));
  return status === 200 ? [] : [`a server on the copy isn't ready: /readyz returned ${status}`];
}

function countBoth(copy: Db, original: string, copiedAt: UnixMs): Drilled["counts"] {
  const before = plus(copiedAt, -MARGIN_MS);
  const teams = teamIdsOf(copy);
  return {
    copy: countBefore(copy, before, teams),
    original: existsSync(original)
      ? readFrozen(original, (db) => countBefore(db, before, teams))
      : null,
  };
}

function lacking({ copy, original }: Drilled["counts"]): string[] {
  return Object.entries(original ?? {}).flatMap(([table, count]) => {
    const missing = count - (copy[table] ?? 0);
    return missing > 0 ? [`the copy lacks ${missing} of ${count} ${table} made before it`] : [];
  });
}
