/**
 * One server a data directory. The lock is an open transaction on a file of its own, so the kernel lets
 * it go whatever way the process ends.
 */

import { Database } from "bun:sqlite";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export class DirectoryLocked extends Error {}

export interface Lock {
  release(): void;
}

/** Locks of this process: one that nobody refers to would be collected, and closed with its file. */
const held = new Set<Database>();

/** Throws {@link DirectoryLocked}, naming the process that holds it. */
export function lockDirectory(directory: string, pid: number): Lock {
  const note = join(directory, "outrider.pid");
  const lock = takeLock(join(directory, "outrider.lock"));
  if (lock === null) {
    throw new DirectoryLocked(
      `another outrider (process ${holder(note)}) runs on ${directory}; stop it first, or use another --data`,
    );
  }
  writeFileSync(note, `${pid}\n`);
  return lock;
}

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

function holder(note: string): string {
  try {
    return readFileSync(note, "utf8").trim();
  } catch {
    return "unknown";
  }
}
