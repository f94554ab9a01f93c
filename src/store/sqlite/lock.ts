/**
 * One server a data directory. The lock is an open transaction on a file of its own, so the kernel lets
 * it go whatever way the process ends.
 */

import { Database } from "bun:sqlite";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export class DirectoryLocked extends Error {}

export interface Lock {
  release(): void;
}

/** A server's, which says in the directory where it can be found. */
export interface DirectoryLock extends Lock {
  /** The server before was killed, or the machine went down under it. */
  isUnclean: boolean;
  /** `url` is for people; `server` for programs of this machine. */
  announce(url: string, server: Announced): void;
}

/** What a server that is open to requests says of itself. */
export interface Announced {
  url: string;
  version: string;
  commit: string;
}

export interface FoundServer {
  pid: number;
  url: string;
  /** Null of a version that did not say it yet. */
  build: Announced | null;
}

/** Locks of this process: one that nobody refers to would be collected, and closed with its file. */
const held = new Set<Database>();

/** Throws {@link DirectoryLocked}, naming the process that holds it. */
export function lockDirectory(directory: string, pid: number): DirectoryLock {
  const lock = takeLock(join(directory, LOCK));
  if (lock === null) {
    const holder = noted(directory, PROCESS) ?? "unknown";
    throw new DirectoryLocked(
      `another outrider (process ${holder}) runs on ${directory}; stop it first, or use another --data`,
    );
  }
  const address = join(directory, ADDRESS);
  // Whoever ends in good order takes it away.
  const isUnclean = existsSync(address);
  writeFileSync(join(directory, PROCESS), `${pid}\n`);
  rmSync(address, { force: true });
  rmSync(join(directory, SERVER), { force: true });
  return {
    isUnclean,
    announce: (url, server) => {
      writeFileSync(join(directory, SERVER), `${JSON.stringify(server)}\n`);
      writeFileSync(address, `${url}\n`);
    },
    release: () => {
      rmSync(address, { force: true });
      lock.release();
    },
  };
}

/** Where the server that holds the directory can be found; null where it has not said so. */
export function addressOf(directory: string): string | null {
  return noted(directory, ADDRESS);
}

/** The server that runs on the directory and is open to requests; null: none does. */
export function serverOf(directory: string): FoundServer | null {
  const url = addressOf(directory);
  const pid = holderOf(directory);
  if (url === null || pid === null || !isAlive(pid)) {
    return null;
  }
  const build = announcedIn(directory);
  return { pid, url: build?.url ?? url, build };
}

/** The process that holds the directory, or held it last. */
export function holderOf(directory: string): number | null {
  const pid = Number(noted(directory, PROCESS) ?? "");
  return Number.isInteger(pid) && pid > 0 ? pid : null;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Whether a process has the directory now, which {@link holderOf} names. */
export function isDirectoryHeld(directory: string): boolean {
  const lock = takeLock(join(directory, LOCK));
  lock?.release();
  return lock === null;
}

const LOCK = "outrider.lock";
const PROCESS = "outrider.pid";
const ADDRESS = "outrider.address";
const SERVER = "outrider.server";

/** On a file that is there for this alone, made if need be; null: another process has it. */
export function takeLock(path: string): Lock | null {
  const raw = new Database(path, { create: true });
  try {
    raw.run("PRAGMA busy_timeout = 0");
    raw.run("PRAGMA journal_mode = DELETE");
    raw.run("BEGIN EXCLUSIVE");
  } catch (error) {
    raw.close();
    if (!isHeld(error)) {
      throw error;
    }
    return null;
  }
  held.add(raw);
  return {
    release: () => {
      held.delete(raw);
      raw.run("ROLLBACK");
      raw.close();
    },
  };
}

/** Whether SQLite says that somebody else holds the lock of a file. */
export function isHeld(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_BUSY");
}

function announcedIn(directory: string): Announced | null {
  try {
    return JSON.parse(noted(directory, SERVER) ?? "null") as Announced | null;
  } catch {
    return null;
  }
}

function noted(directory: string, file: string): string | null {
  try {
    return readFileSync(join(directory, file), "utf8").trim();
  } catch {
    return null;
  }
}
