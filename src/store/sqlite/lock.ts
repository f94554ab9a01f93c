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
  announce(url: string): void;
}

/** Locks of this process: one that nobody refers to would be collected, and closed with its file. */
const held = new Set<Database>();

/** Throws {@link DirectoryLocked}, naming the process that holds it. */
export function lockDirectory(directory: string, pid: number): DirectoryLock {
  const lock = takeLock(join(directory, "outrider.lock"));
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
  return {
    isUnclean,
    announce: (url) => writeFileSync(address, `${url}\n`),
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

/** The process that holds the directory, or held it last. */
const PROCESS = "outrider.pid";
const ADDRESS = "outrider.address";

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

function noted(directory: string, file: string): string | null {
  try {
    return readFileSync(join(directory, file), "utf8").trim();
  } catch {
    return null;
  }
}
