/**
 * What is remembered beside the live database, so that one that was put in its place, or that has lost its
 * end, is noticed: which file it is, the run of the server that wrote to it, and how many commits it holds.
 *
 * The count is written after every commit and before anybody hears of it, over the same bytes and without
 * waiting for the disk: a killed process loses nothing of it, and a power cut at most what the system had
 * not written yet, half a minute as a rule. A count that is behind the database is never an alarm.
 */

import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { type UnixMs, unixMs } from "#domain/time.ts";
import { sync } from "./backup-archive.ts";

const WITNESS = "installation.json";
/** Always as long, so that it is overwritten whole: one sector of a disk. */
const BYTES = 512;

export interface Witness {
  /** Device and number of the file. */
  file: string;
  /** Runs of a server that have written to it: two while one takes over from another. */
  runs: readonly string[];
  /** How many commits of servers it holds at least. */
  commits: number;
  /** When that was last written down. */
  at: UnixMs;
}

export interface OpenWitness {
  /** Throws where it cannot be written. */
  note(commits: number, at: UnixMs): void;
  /** On the disk, whatever happens to the machine. */
  close(): void;
}

/** Puts another witness in the place of the one before, on the disk. */
export function writeWitness(dataDir: string, witness: Witness): void {
  const path = join(dataDir, WITNESS);
  writeFileSync(`${path}.new`, textOf(witness), { mode: 0o600 });
  sync(`${path}.new`);
  renameSync(`${path}.new`, path);
}

/** Opens what {@link writeWitness} has written, to go on with it. */
export function openWitness(dataDir: string, witness: Witness): OpenWitness {
  const file = openSync(join(dataDir, WITNESS), "r+");
  return {
    note: (commits, at) => {
      writeSync(file, textOf({ ...witness, commits, at }), 0);
    },
    close: () => {
      fsyncSync(file);
      closeSync(file);
    },
  };
}

/** One that knows nothing where there is none. */
export function readWitness(dataDir: string): Witness {
  let given: Partial<Witness> = {};
  try {
    given = Object(JSON.parse(readFileSync(join(dataDir, WITNESS), "utf8"))) as Partial<Witness>;
  } catch {
    // None, or not one of ours: nothing is known.
  }
  const { file, runs, commits, at } = given;
  return {
    file: String(file ?? ""),
    runs: Array.isArray(runs) ? runs : [],
    commits: Number.isSafeInteger(commits) ? Number(commits) : 0,
    at: unixMs(Number.isSafeInteger(at) ? Number(at) : 0),
  };
}

function textOf(witness: Witness): string {
  return `${JSON.stringify(witness).padEnd(BYTES - 1)}\n`;
}
