/**
 * What goes wrong below the store: a disk that is full, busy or read-only for a number of commits, and
 * what a sudden end leaves behind, the write-ahead log with a torn end included.
 */

import { Database } from "bun:sqlite";
import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import type { Commit } from "#store/commit.ts";
import type { Db } from "#store/database.ts";
import { isStorageTrouble } from "#store/trouble.ts";
import type { Draw } from "./draw.ts";

export const TROUBLES = ["full", "busy", "readonly"] as const;
export type Trouble = (typeof TROUBLES)[number];

const PAGES_MAX = 1_073_741_823;

export interface Disk {
  /** After so many commits from now nothing that needs the disk works, for as many as told. */
  fail(trouble: Trouble, after: number, commits: number): void;
  mend(): void;
  /** True once it has failed in this life: what is logged of it is no bug. */
  readonly hasFailed: boolean;
  guard(commit: Commit): Commit;
}

export function createDisk(path: string, db: Db): Disk {
  let coming: { trouble: Trouble; after: number; commits: number } | undefined;
  let left = 0;
  let hasFailed = false;
  let other: Database | undefined;
  db.raw.run("PRAGMA busy_timeout = 0");

  const begin = (trouble: Trouble) => {
    coming = undefined;
    hasFailed = true;
    if (trouble === "full") {
      // SQLite makes it as many as there are.
      db.raw.run("PRAGMA max_page_count = 1");
    } else if (trouble === "readonly") {
      db.raw.run("PRAGMA query_only = ON");
    } else {
      other = new Database(path);
      other.run("BEGIN IMMEDIATE");
    }
  };
  const disk: Disk = {
    get hasFailed() {
      return hasFailed;
    },
    fail: (trouble, after, commits) => {
      disk.mend();
      coming = { trouble, after, commits };
    },
    mend: () => {
      coming = undefined;
      left = 0;
      db.raw.run(`PRAGMA max_page_count = ${PAGES_MAX}`);
      db.raw.run("PRAGMA query_only = OFF");
      other?.run("ROLLBACK");
      other?.close();
      other = undefined;
    },
    guard: (commit) => (write) => {
      if (left === 1) {
        disk.mend();
      }
      left = Math.max(0, left - 1);
      if (coming !== undefined && coming.after === 0) {
        left = coming.commits;
        begin(coming.trouble);
      } else if (coming !== undefined) {
        coming.after -= 1;
      }
      return commit(write);
    },
  };
  return disk;
}

/** What is logged of a failing disk is what it is there for. */
export function tellsOfDisk(cause: unknown): boolean {
  return /SQLITE_|database (is locked|or disk is full)|readonly database/.test(String(cause));
}

/** Waits as the engine does after a failed step. False: it failed of something else. */
export async function survives(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (isStorageTrouble(error)) {
      return false;
    }
    throw error;
  }
}

/** Copies what lies on the disk at this moment, as the next process will find it. */
export function leaveBehind(from: string, to: string, draw: Draw): void {
  copyFileSync(from, to);
  const log = `${from}-wal`;
  if (existsSync(log)) {
    const bytes = readFileSync(log);
    const torn = draw.chance(0.5) ? tornEnd(bytes, draw) : Buffer.alloc(0);
    writeFileSync(`${to}-wal`, Buffer.concat([bytes, torn]));
  }
}

const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const PAGE_SIZE_AT = 8;

/** A write that the power cut: the last page once more, its bytes wrong or its end missing. */
function tornEnd(log: Buffer, draw: Draw): Buffer {
  if (log.length <= LOG_HEADER_BYTES) {
    return Buffer.from(Array.from({ length: draw.int(1, 64) }, () => draw.int(0, 255)));
  }
  const frame = FRAME_HEADER_BYTES + log.readUInt32BE(PAGE_SIZE_AT);
  const last = Buffer.from(log.subarray(Math.max(LOG_HEADER_BYTES, log.length - frame)));
  const at = draw.int(0, last.length - 1);
  last[at] = (last[at] ?? 0) ^ (1 << draw.int(0, 7));
  return last.subarray(0, draw.int(1, last.length));
}
