/**
 * Who was erased, remembered beside the databases: one that is put back to a state of before knows the person
 * again, and the next start erases them again. A line for each erasure, with the hash of the address and
 * never the address; a line that a crash cut short counts for nothing.
 *
 * The line is on the disk before the erasure is. A program that is killed between the two carries the erasure
 * out at its next start, since somebody asked for it.
 */

import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import type { ErasureFacts } from "#domain/leads/erasure.ts";
import { ENVS, type Env } from "#domain/team/api-key.ts";
import { fromIso, toIso, type UnixMs } from "#domain/time.ts";
import { type Id, isId } from "#store/sqlite/columns.ts";
import { sync } from "./backup-archive.ts";

export const ERASURE_LIST = "erasures.ndjson";
/** From this size on the older half goes: more than 80,000 erasures. */
const BYTES_MAX = 64 * 1024 * 1024;
/** More than a line has. */
const TAIL_BYTES = 4096;

export interface Erasure {
  /** Rises; a database knows the number of the last one that it has seen. */
  seq: number;
  env: Env;
  teamId: Id;
  /** SHA-256 of the address. */
  hash: Uint8Array;
  at: UnixMs;
  /** Of the last address of whoever had several: the receipt of all of them. */
  receipt?: ErasureFacts;
}

export interface ErasureList {
  /** Writes it down, on the disk; returns its number, above `known`. Throws where it cannot be written. */
  add(erasure: Omit<Erasure, "seq">, known: number): number;
  /** Those of an environment whose number is above `known`, oldest first. */
  since(env: Env, known: number): Erasure[];
}

/** Of an installation without a directory: nothing is remembered. */
export const noErasureList: ErasureList = { add: (_, known) => known + 1, since: () => [] };

/** The list in the file at `path`, which is made when the first person is erased. */
export function erasureListAt(path: string, bytesMax = BYTES_MAX): ErasureList {
  return {
    add: (erasure, known) => append(path, erasure, known, bytesMax),
    since: (env, known) =>
      existsSync(path)
        ? readFileSync(path, "utf8")
            .split("\n")
            .flatMap((line) => readLine(line) ?? [])
            .filter((one) => one.env === env && one.seq > known)
        : [],
  };
}

function append(
  path: string,
  erasure: Omit<Erasure, "seq">,
  known: number,
  bytesMax: number,
): number {
  const isNew = !existsSync(path);
  const file = openSync(path, "a+", 0o600);
  let size: number;
  let seq: number;
  try {
    const tail = tailOf(file);
    const last = tail.split("\n").flatMap((line) => readLine(line) ?? []);
    seq = 1 + Math.max(known, last.at(-1)?.seq ?? 0);
    const isCut = tail !== "" && !tail.endsWith("\n");
    writeSync(file, `${isCut ? "\n" : ""}${lineOf({ ...erasure, seq })}`);
    fsyncSync(file);
    size = fstatSync(file).size;
  } finally {
    closeSync(file);
  }
  if (isNew) {
    syncFolder(path);
  }
  if (size > bytesMax) {
    halve(path);
  }
  return seq;
}

function tailOf(file: number): string {
  const { size } = fstatSync(file);
  const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES));
  readSync(file, bytes, 0, bytes.length, size - bytes.length);
  return bytes.toString("utf8");
}

/** Whole before or whole after, whatever ends the program. */
function halve(path: string): void {
  const lines = readFileSync(path, "utf8").split("\n");
  const newer = lines.slice(Math.floor(lines.length / 2));
  writeFileSync(`${path}.new`, newer.join("\n"), { mode: 0o600 });
  sync(`${path}.new`);
  renameSync(`${path}.new`, path);
  syncFolder(path);
}

/** A directory cannot be opened on Windows, whose file system keeps a journal of names. */
function syncFolder(path: string): void {
  if (process.platform !== "win32") {
    sync(dirname(path));
  }
}

function lineOf({ seq, env, teamId, hash, at, receipt }: Erasure): string {
  const line = {
    seq,
    env,
    team_id: teamId,
    email_hash: Buffer.from(hash).toString("hex"),
  };
  return `${JSON.stringify({ ...line, at: toIso(at), receipt })}\n`;
}

/** Null for what is no line of ours. */
function readLine(text: string): Erasure | null {
  try {
    const line = Object(JSON.parse(text)) as Record<string, unknown>;
    const { seq, team_id: teamId, email_hash: hash } = line;
    const env = ENVS.find((one) => one === line["env"]);
    const isWhole =
      Number.isSafeInteger(seq) && isId(teamId) && /^[0-9a-f]{64}$/.test(String(hash));
    const at = fromIso(String(line["at"]), "at");
    return isWhole && env !== undefined
      ? {
          seq: Number(seq),
          env,
          teamId: String(teamId),
          hash: Uint8Array.fromHex(String(hash)),
          at,
          ...readReceipt(line["receipt"]),
        }
      : null;
  } catch {
    return null;
  }
}

/** Lines of earlier versions have none. */
function readReceipt(value: unknown): { receipt?: ErasureFacts } {
  const receipt = Object(value ?? {}) as Partial<ErasureFacts>;
  const isWhole =
    [receipt.id, receipt.leadId].every(isId) &&
    typeof receipt.actor === "string" &&
    [receipt.askedAt, receipt.erasedAt].every(Number.isSafeInteger);
  const { requestId = null, removed = {} } = receipt;
  return isWhole ? { receipt: { ...(receipt as ErasureFacts), requestId, removed } } : {};
}
