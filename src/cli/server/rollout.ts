/**
 * Another version in an executable's place, and the server on it. Where the server isn't ready with it in time, the
 * old version comes back, and so does the data where the new one had migrated it.
 */

import {
  chownSync,
  copyFileSync,
  existsSync,
  linkSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { CommandError, EXIT } from "#cli/exit.ts";
import type { Config } from "#config/config.ts";
import { ENVS } from "#domain/team/api-key.ts";
import { messageOf } from "#domain/thrown.ts";
import {
  type Announced,
  type FoundServer,
  holderOf,
  isAlive,
  isDirectoryHeld,
  serverOf,
} from "#store/sqlite/lock.ts";
import { knownKey } from "./backups.ts";
import { withoutServer } from "./environments.ts";
import type { Version } from "./releases.ts";
import { isReady } from "./status.ts";

const LOOK_EVERY_MS = 200;
/** How long a server has to stay ready. */
const STEADY_MS = 3_000;
/** A server that is told to stop has this long, as systemd's unit gives it. */
const STOP_MS_MAX = 60_000;
/** What was started just before the old executable came back has the data directory by then, or has ended. */
const LATE_START_MS = 1_500;
const COMMAND_MS_MAX = 5 * 60_000;
const LOCK_MS_MAX = 60_000;

export interface Rollout {
  config: Config;
  target: string;
  /** The new executable, beside `target`. */
  next: string;
  version: Version;
  /** In place of SIGTERM to the server. */
  restartCommand: string | undefined;
  /** How long a version may take to be ready. */
  readyMs: number;
  say: (line: string) => void;
}

/** Where a version was before an update. */
interface Before {
  server: FoundServer;
  /** Migrations of each database. */
  schema: string;
  /** Ids of backups. */
  backups: ReadonlySet<string>;
}

/** Throws {@link CommandError} where this user may not stop a server that SIGTERM is to restart. */
export function checkMayRestart({ pid }: FoundServer): void {
  try {
    process.kill(pid, 0);
  } catch (error) {
    throw new CommandError(
      EXIT.notAllowed,
      `can't restart the server (process ${pid}): ${messageOf(error)}. Nothing was changed; run as its user or ` +
        "as root, or use --restart-command or --no-restart",
    );
  }
}

/** `next` takes the place of `target`, which is kept as `.old`. At no moment is there none. */
export function putInPlace({ target, next }: Pick<Rollout, "target" | "next">): void {
  const old = `${target}.old`;
  rmSync(old, { force: true });
  if (process.platform === "win32") {
    renameSync(target, old);
  } else {
    linkOrCopy(target, old);
  }
  try {
    renameSync(next, target);
  } catch (error) {
    renameSync(old, target);
    throw error;
  }
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

/** Swaps and restarts. Throws {@link CommandError} once the old version is back. */
export async function rollOut(rollout: Rollout, server: FoundServer): Promise<void> {
  const { config, version, readyMs, say } = rollout;
  const { listBackups } = await import("#store/operations/backup-files.ts");
  const known = listBackups(config.operations.backupDir).map(({ id }) => id);
  const before = { server, schema: await schemaOf(config), backups: new Set(known) };
  putInPlace(rollout);
  let why = `${version.version} wasn't ready within ${Math.round(readyMs / 1_000)} s`;
  try {
    await restart(rollout, server.pid);
    say(`restarted; waiting for ${version.version} to be ready`);
    if (await comesUp(config.dataDir, { after: server.pid, build: version }, readyMs)) {
      return;
    }
  } catch (error) {
    why = messageOf(error);
  }
  say(`${why}: going back`);
  await goBack(rollout, before, why);
}

async function restart({ restartCommand }: Rollout, pid: number): Promise<void> {
  if (restartCommand === undefined) {
    process.kill(pid, "SIGTERM");
    return;
  }
  const child = Bun.spawn(["/bin/sh", "-c", restartCommand], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
    timeout: COMMAND_MS_MAX,
  });
  const [err, exit] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  if (exit !== 0) {
    throw new Error(`--restart-command ended with ${exit}: ${err.trim() || "no message"}`);
  }
}

interface Wanted {
  /** The process before. */
  after: number | null;
  /** Null: any. */
  build: Version | null;
}

/** True once another server than before is ready, and stays so. */
async function comesUp(dataDir: string, wanted: Wanted, ms: number): Promise<boolean> {
  const late = AbortSignal.timeout(ms);
  for (;;) {
    const found = serverOf(dataDir);
    if (found !== null && isWanted(found, wanted) && (await isReady(found.url))) {
      await Bun.sleep(STEADY_MS);
      if (serverOf(dataDir)?.pid === found.pid && (await isReady(found.url))) {
        return true;
      }
    }
    if (late.aborted) {
      return false;
    }
    await Bun.sleep(LOOK_EVERY_MS);
  }
}

function isWanted({ pid, build: said }: FoundServer, { after, build }: Wanted): boolean {
  const isBuild = build === null || (said !== null && isSame(said, build));
  return pid !== after && isBuild;
}

function isSame(a: Announced, b: Version): boolean {
  return a.version === b.version && a.commit === b.commit;
}

async function goBack(rollout: Rollout, before: Before, why: string): Promise<never> {
  const { config, target, readyMs } = rollout;
  const { dataDir } = config;
  const { server } = before;
  renameSync(`${target}.old`, target);
  const old = server.build === null ? "the old version" : server.build.version;
  const said = [`${why}, so ${target} is ${old} again`];
  await Bun.sleep(LATE_START_MS);
  const stopped = await stopServer(dataDir, server.build);
  const backup = await putDataBack(config, before).catch((error) => {
    throw failed(
      `${said.join(". ")}, but ${messageOf(error)}. Stop the server, and restore the newest backup whose reason ` +
        `is before_migration into an empty directory (docs/upgrading.md)`,
    );
  });
  if (backup !== null) {
    said.push(
      `The data is that of ${backup} again: emails sent since are found in the Sent folders`,
    );
  }
  if (rollout.restartCommand !== undefined && stopped !== null) {
    await restart(rollout, server.pid).catch((error) => said.push(messageOf(error)));
  }
  const isUp = await comesUp(dataDir, { after: stopped, build: server.build }, readyMs);
  said.push(
    isUp
      ? "The server is ready with it. Its log says what was wrong"
      : "The server didn't start again by itself: start it",
  );
  throw failed(said.join(". "));
}

function failed(message: string): CommandError {
  return new CommandError(EXIT.failed, message);
}

/** Stops the server that has the directory, unless it is `old`. Returns the last process that had it. */
async function stopServer(dataDir: string, old: Announced | null): Promise<number | null> {
  const build = serverOf(dataDir)?.build ?? null;
  const pid = holderOf(dataDir);
  if (build !== null && old !== null && isSame(build, old)) {
    return null;
  }
  if (pid === null || !isDirectoryHeld(dataDir)) {
    return pid;
  }
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    const late = AbortSignal.timeout(STOP_MS_MAX);
    if (isAlive(pid)) {
      process.kill(pid, signal);
    }
    while (isAlive(pid) && !late.aborted) {
      await Bun.sleep(LOOK_EVERY_MS);
    }
  }
  return pid;
}

/** Where the new version has migrated, restores the backup that it made before. Null: there was no need. */
async function putDataBack(config: Config, before: Before): Promise<string | null> {
  const { dataDir, operations } = config;
  if ((await schemaOf(config)) === before.schema) {
    return null;
  }
  const { listBackups } = await import("#store/operations/backup-files.ts");
  // A start that was cut short has another one after it, of half the migration.
  const backup = listBackups(operations.backupDir).findLast(
    ({ id, note }) => note?.reason === "before_migration" && !before.backups.has(id),
  );
  if (backup === undefined) {
    throw new Error("its data was migrated, and no backup was made before");
  }
  const { applyRestore, stageRestore } = await import("#store/operations/restore.ts");
  await withLock(dataDir, async () => {
    await stageRestore({
      file: backup.path,
      passphrase: operations.backupPassphrase,
      dataDir,
      masterKey: knownKey(config, dataDir),
      keyInDirectory: config.masterKey === null,
      withoutKey: false,
    });
    applyRestore(dataDir);
    giveToOwner(dataDir);
  });
  return backup.path;
}

/** The supervisor tries to start the old version meanwhile, which refuses the new version's data. */
async function withLock(dataDir: string, work: () => Promise<void>): Promise<void> {
  const late = AbortSignal.timeout(LOCK_MS_MAX);
  for (;;) {
    try {
      await withoutServer(dataDir, work);
      return;
    } catch (error) {
      const isLocked = error instanceof CommandError && error.exit === EXIT.tryLater;
      if (!isLocked || late.aborted) {
        throw error;
      }
    }
    await Bun.sleep(LOOK_EVERY_MS);
  }
}

/** What root has restored is the server's user's. */
function giveToOwner(dataDir: string): void {
  if (process.getuid?.() !== 0) {
    return;
  }
  const { uid, gid } = statSync(dataDir);
  for (const name of readdirSync(dataDir)) {
    chownSync(join(dataDir, name), uid, gid);
  }
}

async function schemaOf({ dataDir }: Config): Promise<string> {
  const { schemaOfFile } = await import("#store/operations/snapshot.ts");
  return ENVS.map((env) => {
    const path = join(dataDir, `${env}.db`);
    return existsSync(path) ? schemaOfFile(path) : 0;
  }).join();
}
