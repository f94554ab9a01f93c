/**
 * What goes wrong below the store: a disk that is full, busy or read-only for a number of commits or at one
 * statement, and what a sudden end leaves behind, the write-ahead log with its end torn or cut.
 */

import { Database } from "bun:sqlite";
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  writeFileSync,
} from "node:fs";
import { MINUTE_MS, plus, SECOND_MS, type UnixMs } from "#domain/time.ts";
import { isStorageTrouble } from "#store/campaigns/trouble.ts";
import type { Commit } from "#store/sqlite/commit.ts";
import { isDamage } from "#store/sqlite/damage.ts";
import { BUSY_MS_MAX, type Db } from "#store/sqlite/database.ts";
import type { MovingClock } from "./clock.ts";
import type { Draw } from "./draw.ts";
import type { Tally } from "./tally.ts";

export const TROUBLES = ["full", "busy", "readonly"] as const;
/** Those that take time, too: as many commits that wait for seconds, or a lock that another program keeps. */
export const SLOW_TROUBLES = ["slow", "locked"] as const;
export type Trouble = (typeof TROUBLES)[number] | (typeof SLOW_TROUBLES)[number];
const NAMES = {
  full: "disk_full",
  busy: "disk_busy",
  readonly: "disk_readonly",
  slow: "disk_slow",
  locked: "lock_foreign",
} as const satisfies Record<Trouble, keyof Tally>;
const SLOW_MS_MAX = 20 * SECOND_MS;
/** How long a backup program keeps its lock. A commit waits for it for a while. */
const LOCKED_MS = MINUTE_MS;
export const STATEMENT_FAULTS = ["full", "busy"] as const;
export type StatementFault = (typeof STATEMENT_FAULTS)[number];
const WORDS: Readonly<Record<StatementFault, string>> = {
  full: "database or disk is full",
  busy: "database is locked",
};

const PAGES_MAX = 1_073_741_823;

export interface Disk {
  /** After so many commits from now nothing that needs the disk works, for as many as told. */
  fail(trouble: Trouble, after: number, commits: number): void;
  mend(): void;
  /** In place of the answer of a statement that has run. */
  failStatement(code: StatementFault): never;
  /** True once it has failed in this life: what is logged of it is no bug. */
  readonly hasFailed: boolean;
  /** How many transactions have left pages in the log. */
  logged(): number;
  /** How many pages the log has. */
  frames(): number;
  guard(commit: Commit): Commit;
}

export function createDisk(path: string, db: Db, tally: Tally, clock?: MovingClock): Disk {
  let coming: { trouble: Trouble; after: number; commits: number } | undefined;
  let left = 0;
  let hasFailed = false;
  let other: Database | undefined;
  let isSlow = false;
  let lockedFrom: UnixMs | undefined;

  const begin = (trouble: Trouble) => {
    coming = undefined;
    hasFailed = true;
    tally[NAMES[trouble]] += 1;
    isSlow = trouble === "slow";
    if (trouble === "slow") {
      return;
    }
    if (trouble === "locked") {
      lockedFrom = clock?.now();
    }
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
    logged: () => loggedIn(path, 2),
    frames: () => loggedIn(path, 4),
    fail: (trouble, after, commits) => {
      disk.mend();
      coming = { trouble, after, commits };
    },
    mend: () => {
      coming = undefined;
      left = 0;
      isSlow = false;
      lockedFrom = undefined;
      try {
        db.raw.run(`PRAGMA max_page_count = ${PAGES_MAX}`);
        db.raw.run("PRAGMA query_only = OFF");
      } catch (error) {
        // Of a file whose first page was struck, nothing can be mended: whoever reads it is told.
        if (!isDamage(error)) {
          throw error;
        }
      }
      other?.run("ROLLBACK");
      other?.close();
      other = undefined;
    },
    failStatement: (fault) => {
      hasFailed = true;
      tally[`statement_${fault}`] += 1;
      const code = `SQLITE_${fault.toUpperCase()}`;
      throw Object.assign(new Error(WORDS[fault]), { code });
    },
    guard: (commit) => (write) => {
      const isOver =
        lockedFrom !== undefined && clock !== undefined
          ? clock.now() >= plus(lockedFrom, LOCKED_MS)
          : left === 1;
      if (isOver) {
        disk.mend();
      }
      left = Math.max(0, left - 1);
      if (coming !== undefined && coming.after === 0) {
        left = coming.commits;
        begin(coming.trouble);
      } else if (coming !== undefined) {
        coming.after -= 1;
      }
      if (lockedFrom !== undefined) {
        clock?.advanceTo(plus(clock.now(), BUSY_MS_MAX));
      }
      const wait = isSlow ? 1 + ((left * 7_919) % SLOW_MS_MAX) : 0;
      return wait === 0
        ? commit(write)
        : commit(write).then((value) => {
            // What was decided in it was decided before the disk had it.
            clock?.advanceTo(plus(clock.now(), wait));
            return value;
          });
    },
  };
  return disk;
}

/**
 * Source: SQLite's WAL-index format, section 2.1: of the header, whose numbers are in the machine's order
 * of bytes, the third is added to with every transaction that is appended, and the fifth is how many
 * pages the log has.
 */
function loggedIn(path: string, place: 2 | 4): number {
  const header = new Uint32Array(5);
  const index = `${path}-shm`;
  if (!existsSync(index)) {
    // In memory there is no log.
    return 0;
  }
  const file = openSync(index, "r");
  readSync(file, header);
  closeSync(file);
  return header[place] ?? 0;
}

/** What is logged of a failing disk is what it is there for. */
export function tellsOfDisk(cause: unknown): boolean {
  return /SQLITE_|database (is locked|or disk is full)|readonly database|image is malformed/.test(
    String(cause),
  );
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

export interface Remains {
  draw: Draw;
  tally: Tally;
  /** Nobody was told of the last commit: the disk may hold any part of it. */
  isUnsynced: boolean;
}

/** Copies what lies on the disk at this moment, as the next process will find it. */
export function leaveBehind(from: string, to: string, { draw, tally, isUnsynced }: Remains): void {
  copyFileSync(from, to);
  const log = `${from}-wal`;
  if (existsSync(log)) {
    const bytes = readFileSync(log);
    const cut = isUnsynced && draw.chance(0.7) ? withoutLast(bytes, draw) : undefined;
    tally.log_cut += cut === undefined ? 0 : 1;
    const torn = draw.chance(0.5) ? tornEnd(bytes, draw) : Buffer.alloc(0);
    tally.log_torn += torn.length === 0 ? 0 : 1;
    writeFileSync(`${to}-wal`, Buffer.concat([cut ?? bytes, torn]));
  }
}

const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const PAGE_SIZE_AT = 8;
const SALTS_AT = 16;
const SALTS_BYTES = 8;
/** Frames with which SQLite has folded the log into the file by itself: what it read is on the disk. */
const FOLDED_FRAMES = 1_000;

/**
 * The log with its last transaction cut short, or a bit of it flipped, anywhere in it; undefined where
 * there is none that could still be lost.
 *
 * Source: SQLite's file format, section 4.1: a frame belongs to the log while it has its salts, and the
 * last of a transaction says how many pages the file has then.
 */
function withoutLast(log: Buffer, draw: Draw): Buffer | undefined {
  if (log.length <= LOG_HEADER_BYTES) {
    return undefined;
  }
  const frame = FRAME_HEADER_BYTES + log.readUInt32BE(PAGE_SIZE_AT);
  const salts = log.subarray(SALTS_AT, SALTS_AT + SALTS_BYTES);
  const ends: number[] = [];
  let at = LOG_HEADER_BYTES;
  for (; at + frame <= log.length; at += frame) {
    if (!log.subarray(at + SALTS_BYTES, at + 2 * SALTS_BYTES).equals(salts)) {
      break;
    }
    if (log.readUInt32BE(at + 4) > 0) {
      ends.push(at + frame);
    }
  }
  const end = ends.at(-1);
  if (end === undefined || (end - LOG_HEADER_BYTES) / frame >= FOLDED_FRAMES) {
    return undefined;
  }
  const place = draw.int(ends.at(-2) ?? LOG_HEADER_BYTES, end - 1);
  if (draw.chance(0.5)) {
    return log.subarray(0, place);
  }
  const flipped = Buffer.from(log);
  flipped[place] = (flipped[place] ?? 0) ^ (1 << draw.int(0, 7));
  return flipped;
}

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
