/**
 * Between opening the data and starting the lanes: what a crash, a restore or a copy of files has left
 * open is cleared up, in that order.
 */

import { statSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "#config.ts";
import type { UnixMs } from "#domain/time.ts";
import { reconcile } from "#engine/reconcile.ts";
import { recover } from "#engine/recover.ts";
import type { Log } from "#runtime/log.ts";
import { readWitness, writeWitness } from "#store/restore.ts";
import {
  beginDoubt,
  copiedAt,
  endDoubt,
  isInDoubt,
  lastKnownAt,
  runOf,
  writeRun,
} from "#store/restored.ts";
import type { World } from "#world.ts";
import type { OpenWorlds } from "#worlds.ts";

/** True where the start has to look into mailboxes first, which takes its time. */
export function isRestored(worlds: OpenWorlds, config: Config): boolean {
  const { db } = worlds.live;
  return isInDoubt(db) || copiedAt(db) !== null || replacedSince(worlds.live, config) !== null;
}

/** Stops early, to go on at the next start, once `stopped` says so. */
export async function clearUp(
  worlds: OpenWorlds,
  config: Config,
  log: Log,
  stopped: () => boolean,
): Promise<void> {
  for (const world of [worlds.live, worlds.test]) {
    await recoverWorld(world, log);
  }
  await worlds.test.commit(() => acceptCopy(worlds.test));
  const found = await reconcile(worlds.live, replacedSince(worlds.live, config), stopped);
  if (found !== undefined && !stopped()) {
    const { recorded, held, unchecked } = found;
    log.warn("cleared up after a restore", { recorded, held, unchecked });
  }
  if (!stopped()) {
    await nameRun(worlds.live, config);
  }
}

async function recoverWorld(world: World, log: Log): Promise<void> {
  const { retried, found, unknown, unreadable } = await recover(world);
  if (unreadable > 0) {
    log.error("credentials cannot be read: the master key has changed", {
      world: world.env,
      accounts: unreadable,
    });
  }
  if (retried + found + unknown > 0) {
    log.warn("resolved what a crash left", { world: world.env, retried, found, unknown });
  }
}

/** The simulated internet lies in the same file: nothing of it is in doubt. */
function acceptCopy({ db }: World): void {
  const since = copiedAt(db);
  if (since !== null) {
    beginDoubt(db, since);
    endDoubt(db);
  }
}

/**
 * How far a database knows that is not the one of the last run: restored by somebody else's tool, or
 * moved here. Null for the one that it was, and for one on which no server has run.
 */
function replacedSince({ db }: World, config: Config): UnixMs | null {
  const run = runOf(db);
  if (run === null) {
    return null;
  }
  const { file, runs } = readWitness(config.dataDir);
  return file === identityOf(config) && runs.includes(run) ? null : lastKnownAt(db);
}

/** The file by which the kernel knows it; a copy is another one. */
function identityOf(config: Config): string {
  const { dev, ino } = statSync(join(config.dataDir, "live.db"), { bigint: true });
  return `${dev}:${ino}`;
}

/** From here on this run's is the one that is known; a crash in between leaves both known. */
async function nameRun(world: World, config: Config): Promise<void> {
  const file = identityOf(config);
  const before = runOf(world.db);
  const run = world.ids.next(world.wall.now());
  writeWitness(config.dataDir, { file, runs: before === null ? [run] : [before, run] });
  await world.commit(() => writeRun(world.db, run));
  writeWitness(config.dataDir, { file, runs: [run] });
}
