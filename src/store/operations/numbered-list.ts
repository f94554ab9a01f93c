/**
 * Lists beside the databases, which outlive a restore: lines of JSON that are only ever added, each with a number.
 * A database knows the number of the last line that it has carried out, so a state of before that is put back is
 * told by the list what it doesn't know. A line has the hash of an address and never the address; one that a crash
 * cut short counts for nothing.
 *
 * Nothing is dropped from a list, whatever its size: a line is smaller than what the database keeps of the same event.
 */

import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { ENVS, type Env } from "#domain/team/api-key.ts";
import { fromIso, toIso, type UnixMs } from "#domain/time.ts";
import { type Id, isId } from "#store/sqlite/columns.ts";
import { sync } from "./backup-archive.ts";

/** More than a line has. */
const TAIL_BYTES = 4096;
const CHUNK_BYTES = 1024 * 1024;

interface Listed {
  /** Rises; a database knows the number of the last one that it has seen. */
  seq: number;
  env: Env;
  teamId: Id;
  /** SHA-256 of the address. */
  hash: Uint8Array;
  at: UnixMs;
}

export type Line<Facts> = Listed & Facts;

export interface NumberedList<Facts> {
  /** Writes lines down, on the disk; returns the number of the last, all above `known`. Throws where it can't. */
  add(lines: readonly Omit<Line<Facts>, "seq">[], known: number): number;
  /** Those of an environment whose number is above `known`, oldest first. */
  since(env: Env, known: number): Line<Facts>[];
  /** The number of the last line, whatever its environment; 0 where there is none. */
  last(): number;
}

/** What a line says beside who and when. */
export interface Wording<Facts> {
  write(facts: Facts): Record<string, unknown>;
  /** Null for what is no line of ours. */
  read(line: Record<string, unknown>): Facts | null;
}

/** Of an installation without a directory: nothing is remembered. */
export const noList: NumberedList<never> = {
  add: (lines, known) => known + lines.length,
  since: () => [],
  last: () => 0,
};

/** The list in the file at `path`, which is made with the first line. */
export function listAt<Facts>(path: string, wording: Wording<Facts>): NumberedList<Facts> {
  return {
    add: (lines, known) => append(path, wording, lines, known),
    since: (env, known) =>
      existsSync(path) ? linesSince(path, wording, known).filter((line) => line.env === env) : [],
    last: () => (existsSync(path) ? lastOf(path, wording) : 0),
  };
}

function append<Facts>(
  path: string,
  wording: Wording<Facts>,
  lines: readonly Omit<Line<Facts>, "seq">[],
  known: number,
): number {
  const isNew = !existsSync(path);
  const file = openSync(path, "a+", 0o600);
  let seq: number;
  try {
    const tail = tailOf(file);
    seq = Math.max(known, lastIn(tail, wording));
    const isCut = tail !== "" && !tail.endsWith("\n");
    const text = lines.map((line) => {
      seq += 1;
      return lineOf({ ...line, seq } as Line<Facts>, wording);
    });
    writeWhole(file, `${isCut ? "\n" : ""}${text.join("")}`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  // A directory cannot be opened on Windows, whose file system keeps a journal of names.
  if (isNew && process.platform !== "win32") {
    sync(dirname(path));
  }
  return seq;
}

/** A disk that is nearly full takes a part. */
function writeWhole(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(file, bytes, written);
  }
}

function tailOf(file: number): string {
  const { size } = fstatSync(file);
  const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES));
  readSync(file, bytes, 0, bytes.length, size - bytes.length);
  return bytes.toString("utf8");
}

function lastIn<Facts>(text: string, wording: Wording<Facts>): number {
  return Math.max(0, ...text.split("\n").map((line) => readLine(line, wording)?.seq ?? 0));
}

function lastOf<Facts>(path: string, wording: Wording<Facts>): number {
  const file = openSync(path, "r");
  try {
    return lastIn(tailOf(file), wording);
  } finally {
    closeSync(file);
  }
}

/** Read from the end, up to a chunk in which all is known: a start on data that is current reads little. */
function linesSince<Facts>(path: string, wording: Wording<Facts>, known: number): Line<Facts>[] {
  const file = openSync(path, "r");
  const chunks: Line<Facts>[][] = [];
  try {
    let end = fstatSync(file).size;
    let rest = Buffer.alloc(0);
    while (end > 0) {
      const start = Math.max(0, end - CHUNK_BYTES);
      const bytes = Buffer.alloc(end - start);
      readSync(file, bytes, 0, bytes.length, start);
      const whole = Buffer.concat([bytes, rest]);
      // The first line of a chunk may begin in the chunk before.
      const first = start === 0 ? 0 : whole.indexOf("\n") + 1;
      rest = Buffer.from(whole.subarray(0, first));
      const texts = whole.subarray(first).toString("utf8").split("\n");
      const lines = texts.flatMap((text) => readLine(text, wording) ?? []);
      chunks.push(lines.filter(({ seq }) => seq > known));
      end = lines.length > 0 && lines.every(({ seq }) => seq <= known) ? 0 : start;
    }
  } finally {
    closeSync(file);
  }
  return chunks.reverse().flat();
}

function lineOf<Facts>(line: Line<Facts>, { write }: Wording<Facts>): string {
  const { seq, env, teamId, hash, at } = line;
  const who = { seq, env, team_id: teamId, email_hash: Buffer.from(hash).toString("hex") };
  return `${JSON.stringify({ ...who, at: toIso(at), ...write(line) })}\n`;
}

/** Null for what is no line of ours. */
function readLine<Facts>(text: string, { read }: Wording<Facts>): Line<Facts> | null {
  try {
    const line = Object(JSON.parse(text)) as Record<string, unknown>;
    const { seq, team_id: teamId, email_hash: hash } = line;
    const env = ENVS.find((one) => one === line["env"]);
    const isWhole =
      Number.isSafeInteger(seq) && isId(teamId) && /^[0-9a-f]{64}$/.test(String(hash));
    const at = fromIso(String(line["at"]), "at");
    const facts = read(line);
    return isWhole && env !== undefined && facts !== null
      ? {
          ...facts,
          ...{ seq: Number(seq), env, teamId: String(teamId), at },
          hash: Uint8Array.fromHex(String(hash)),
        }
      : null;
  } catch {
    return null;
  }
}
