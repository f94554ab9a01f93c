/**
 * An import of a file of any size, as its bytes come in: a slice of lines in each transaction, together
 * with how far the file has been dealt with and what became of the lines, so that the counts add up
 * wherever it ends. Nothing is read from the connection while a slice is written.
 */

import { checkColumns } from "#domain/leads/import/columns.ts";
import { LineTooLong, type Numbered } from "#domain/leads/import/csv.ts";
import { SNIFF_BYTES } from "#domain/leads/import/encoding.ts";
import { LINES_KEPT_MAX } from "#domain/leads/import/import.ts";
import { nextSliceRows } from "#domain/leads/import/pace.ts";
import { noTally, tallyCheck } from "#domain/mailboxes/address-check.ts";
import { Problem } from "#domain/problem.ts";
import type { Caller, Environment } from "#environment.ts";
import { stopwatch } from "#platform/clock.ts";
import { holding, holds } from "#platform/turns.ts";
import { isStorageTrouble } from "#store/campaigns/trouble.ts";
import { importById, insertLine, type NewLine } from "#store/leads/imports.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { ImportRow } from "#store/tables/imports.ts";
import { IMPORT_SLICE_MAX } from "./import.ts";
import type { RowRead } from "./import-items.ts";
import { type ImportRows, leadRows } from "./import-leads.ts";
import {
  type FileFacts,
  type FileHints,
  type FileReader,
  inspectFile,
  readFile,
} from "./import-reader.ts";
import { suppressionRows } from "./import-suppressions.ts";
import { changeImport, claimImport, endImport, kindOf, leaveToUpkeep } from "./imports.ts";

/** Bytes that are parsed at once, whatever the connection hands over. */
const PIECE_BYTES_MAX = 64 * 1024;

export interface Upload {
  body: ReadableStream<Uint8Array>;
  /** Bytes that will come, where the sender said. */
  bytes: number | null;
  hints: FileHints;
}

/**
 * Reads the file from where the import stands, until it ends. `begin` makes its record, or lets it go on,
 * in a commit of its own once no other request has claimed the import. The rest of a file whose connection
 * broke may be sent later. Throws a {@link Problem} for a file that cannot be read on.
 */
export async function feedImport(
  env: Environment,
  caller: Caller,
  { id, begin }: { id: Id; begin: () => ImportRow },
  upload: Upload,
): Promise<ImportRow> {
  const release = claimImport(env, caller.teamId, id);
  try {
    const row = await env.commit(begin);
    return kindOf(row) === "leads"
      ? await readThrough(env, createFeeding(env, caller, row, leadRows), row, upload)
      : await readThrough(env, createFeeding(env, caller, row, suppressionRows), row, upload);
  } finally {
    release();
  }
}

async function readThrough<Item>(
  env: Environment,
  feed: Feeding<Item>,
  started: ImportRow,
  upload: Upload,
): Promise<ImportRow> {
  try {
    const received = await receive(feed, started, upload);
    const isCut = upload.bytes !== null && received < upload.bytes;
    return await env.commit(() => {
      const row = feed.current();
      return isCut
        ? endImport(
            env,
            row,
            "interrupted",
            "the connection closed before the file ended; send the rest",
          )
        : endImport(env, row, "done", null);
    });
  } catch (error) {
    return await breakOff(env, feed, error);
  }
}

/** The connection broke: no fault of the file. */
class ConnectionLost extends Error {}

async function breakOff(env: Environment, feed: Work, error: unknown): Promise<ImportRow> {
  if (error instanceof ConnectionLost) {
    const words = "the connection closed before the file ended; send the rest";
    return await endSafely(env, feed, () => endImport(env, feed.current(), "interrupted", words));
  }
  const problem =
    error instanceof LineTooLong
      ? new Problem("payload_too_large", error.message, `line.${error.line}`)
      : error;
  const isFault = problem instanceof Problem;
  if (!(problem instanceof Stopped)) {
    await endSafely(env, feed, () => {
      const row = importById(env.db, feed.id);
      if (row?.status === "running") {
        const words = isFault ? problem.message : "the data couldn't be saved; send the rest";
        endImport(env, row, isFault ? "failed" : "interrupted", words);
      }
    }).catch(() => undefined);
  }
  throw problem;
}

/** Where the store cannot be written even for that, upkeep marks the import once it can. */
async function endSafely<Result>(
  env: Environment,
  { id }: Work,
  write: () => Result,
): Promise<Result> {
  try {
    return await env.commit(write);
  } catch (error) {
    if (isStorageTrouble(error)) {
      leaveToUpkeep(env, id);
    }
    throw error;
  }
}

/** Somebody has cancelled the import meanwhile. */
class Stopped extends Problem {
  constructor(status: string) {
    super("conflict", `the import is ${status} and accepts no more lines`, "status");
  }
}

/** Returns how many bytes have come. Throws {@link ConnectionLost}. */
async function receive<Item>(
  feed: Feeding<Item>,
  started: ImportRow,
  upload: Upload,
): Promise<number> {
  let reader = started.encoding === null ? null : feed.goOn(started);
  let start: Uint8Array = new Uint8Array();
  let received = 0;
  const importer = holding() ?? "import";
  for await (const piece of piecesOf(upload.body)) {
    holds(importer);
    received += piece.byteLength;
    if (reader !== null) {
      await feed.drain(reader, piece, false);
      continue;
    }
    start = Buffer.concat([start, piece]);
    if (start.byteLength >= SNIFF_BYTES) {
      reader = await feed.open(start, false, upload.hints);
    }
  }
  const isWhole = upload.bytes === null || received >= upload.bytes;
  if (isWhole) {
    reader ??= await feed.open(start, true, upload.hints);
    await feed.drain(reader, null, true);
  } else if (reader !== null) {
    await feed.flush(reader);
  }
  return received;
}

/** What comes, in pieces that are parsed at once. */
async function* piecesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunksOf(body)) {
    for (let at = 0; at < chunk.byteLength; at += PIECE_BYTES_MAX) {
      yield chunk.subarray(at, at + PIECE_BYTES_MAX);
    }
  }
}

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  let isDone = false;
  try {
    while (!isDone) {
      const read = await reader.read().catch(() => {
        throw new ConnectionLost("the connection ended in the middle");
      });
      isDone = read.done;
      if (!read.done) {
        yield read.value;
      }
    }
  } finally {
    if (!isDone) {
      // What is still on its way is not wanted; a broken connection has nothing to say to that.
      await reader.cancel().catch(() => undefined);
    }
  }
}

interface Work {
  readonly id: Id;
  /** Throws {@link Stopped} where it does not run any more. Inside a commit. */
  current(): ImportRow;
}

/** The work on one import: rows in, slices out. */
interface Feeding<Item> extends Work {
  /** Finds out how the file is written, and reads what its first bytes hold. */
  open(start: Uint8Array, isWhole: boolean, hints: FileHints): Promise<FileReader<Item>>;
  /** Reads on a file of which this is known. */
  goOn(known: ImportRow): FileReader<Item>;
  drain(reader: FileReader<Item>, bytes: Uint8Array | null, isLast: boolean): Promise<void>;
  /** Writes the rows that are whole. */
  flush(reader: FileReader<Item>): Promise<void>;
}

function createFeeding<Item>(
  env: Environment,
  caller: Caller,
  started: ImportRow,
  kind: ImportRows<Item>,
): Feeding<Item> {
  const write = kind.start(env, caller, started);
  let pending: Numbered<RowRead<Item>>[] = [];
  let bytes = 0;
  let sliceRows = kind.pace.rowsStart;
  const current = () => {
    const row = importById(env.db, started.id);
    if (row?.status !== "running") {
      throw new Stopped(row?.status ?? "gone");
    }
    return row;
  };
  const flush = async (reader: FileReader<Item>) => {
    if (bytes === 0) {
      return;
    }
    const [rows, advance] = [pending, bytes];
    pending = [];
    bytes = 0;
    let elapsed = stopwatch();
    const tookMs = await env.commit(() => {
      elapsed = stopwatch();
      const row = current();
      const slice = write(row, rows);
      const told = keepLines(env, row, slice.lines);
      const overwritten = row.overwritten + slice.overwritten;
      const offset = row.offset + advance;
      changeImport(env, row, { ...told, overwritten, offset, line: reader.line });
      return elapsed();
    });
    const done = { rows: rows.length, tookMs, diskMs: elapsed() - tookMs };
    sliceRows = nextSliceRows(done, kind.pace.rowsMin, IMPORT_SLICE_MAX);
  };
  const drain = async (reader: FileReader<Item>, piece: Uint8Array | null, isLast: boolean) => {
    if (piece !== null) {
      reader.push(piece);
    }
    for (;;) {
      const taken = reader.take(sliceRows - pending.length, isLast);
      pending.push(...taken.rows);
      bytes += taken.bytes;
      if (pending.length >= sliceRows || (isLast && taken.bytes === 0)) {
        await flush(reader);
      }
      if (taken.bytes === 0) {
        return;
      }
    }
  };
  const goOn = (facts: FileFacts) => readFile(started.format, facts, kind);
  const open = async (start: Uint8Array, isWhole: boolean, hints: FileHints) => {
    const file = { kind: kindOf(started), format: started.format };
    const { samples: _, ...facts } = inspectFile(file, start, isWhole, hints);
    if (facts.columns !== null) {
      checkColumns(facts.columns);
    }
    await env.commit(() => changeImport(env, current(), facts));
    const reader = goOn(facts);
    await drain(reader, start.subarray(facts.offset), false);
    return reader;
  };
  return { id: started.id, current, open, goOn, drain, flush };
}

/** Counts all lines, and keeps those that a person may want to read: in a dry run all. */
function keepLines(env: Environment, row: ImportRow, lines: readonly NewLine[]) {
  const counts = structuredClone({ addresses: noTally(), ...row.counts });
  let kept = row.kept;
  for (const line of lines) {
    counts[line.outcome] += 1;
    tallyCheck(counts.addresses, line.check ?? null);
    if (line.reason !== null) {
      counts.reasons[line.reason] = (counts.reasons[line.reason] ?? 0) + 1;
    }
    if (kept < LINES_KEPT_MAX && (row.dryRun || line.reason !== null)) {
      insertLine(env.db, row.id, line);
      kept += 1;
    }
  }
  return { counts, kept };
}
