/** Files of a team: uploaded and read in slices, each in a turn of its own, and deleted. */

import {
  checkFileName,
  FILE_BYTES_MAX,
  FILES_BYTES_MAX,
  FILES_MAX,
  mediaTypeOf,
  SLICE_BYTES,
} from "#domain/campaigns/file.ts";
import { conflict, found, invalid, Problem } from "#domain/problem.ts";
import type { UnixMs } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import { sha256Stream } from "#platform/secrets/crypto.ts";
import { ownTurn } from "#platform/turns.ts";
import {
  fileById,
  filesNotKept,
  filesOf,
  findFile,
  insertFile,
  insertSlice,
  removeFile,
  removeSlice,
  sliceOf,
  updateFile,
} from "#store/campaigns/files.ts";
import { type FileUse, usesOfFiles } from "#store/sending/file-uses.ts";
import { isOnItsWay } from "#store/sending/message-files.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { FileRow } from "#store/tables/files.ts";
import { audit } from "#usecases/events/record.ts";

const MB = 1024 * 1024;

export interface FileUpload {
  name: string;
  body: ReadableStream<Uint8Array>;
  /** Bytes that will come, where the sender said. */
  bytes: number | null;
}

/** Files that this process is receiving, by environment: whatever else is `arriving` was left behind. */
const arriving = new WeakMap<Environment, Set<Id>>();

function arrivingIn(env: Environment): Set<Id> {
  const known = arriving.get(env) ?? new Set<Id>();
  arriving.set(env, known);
  return known;
}

/**
 * Stores a file as it arrives. Throws `validation_error` for a name that is none or of a type that mail providers
 * refuse and for an empty file, `payload_too_large`, and `conflict` where the team has too many.
 */
export async function uploadFile(
  env: Environment,
  caller: Caller,
  { name: given, body, bytes }: FileUpload,
): Promise<FileRow> {
  const name = checkFileName(given);
  if (bytes !== null && bytes > FILE_BYTES_MAX) {
    throw tooLarge();
  }
  checkCapacity(env, caller, bytes ?? 0);
  const now = env.clock.now();
  const row: FileRow = {
    ...{ id: env.ids.next(now), teamId: caller.teamId, name, mediaType: mediaTypeOf(name) },
    ...{ bytes: 0, sha256: new Uint8Array(), state: "arriving", createdAt: now },
  };
  arrivingIn(env).add(row.id);
  try {
    await env.commit(() => insertFile(env.db, row));
    const read = await receive(env, row, body);
    return await env.commit(() => {
      checkCapacity(env, caller, read.bytes);
      const file: FileRow = { ...row, ...read, state: "kept" };
      updateFile(env.db, file);
      audit(env, caller, { action: "file.create", target: `file:${file.id}`, after: facts(file) });
      return file;
    });
  } finally {
    // Of one that has not been kept upkeep takes away the slices.
    arrivingIn(env).delete(row.id);
    env.wake();
  }
}

/** Writes what arrives, a slice a transaction. */
async function receive(
  env: Environment,
  row: FileRow,
  body: ReadableStream<Uint8Array>,
): Promise<{ bytes: number; sha256: Uint8Array }> {
  const hash = sha256Stream();
  const slice = new Uint8Array(SLICE_BYTES);
  let [bytes, filled, place] = [0, 0, 0];
  const write = async () => {
    const data = slice.slice(0, filled);
    hash.update(data);
    await env.commit(() => insertSlice(env.db, row, place, data));
    place += 1;
    filled = 0;
  };
  for await (const chunk of arrivingFrom(body)) {
    bytes += chunk.byteLength;
    if (bytes > FILE_BYTES_MAX) {
      throw tooLarge();
    }
    for (let from = 0; from < chunk.byteLength; ) {
      const piece = chunk.subarray(from, from + SLICE_BYTES - filled);
      slice.set(piece, filled);
      filled += piece.byteLength;
      from += piece.byteLength;
      if (filled === SLICE_BYTES) {
        await write();
      }
    }
  }
  if (filled > 0) {
    await write();
  }
  if (bytes === 0) {
    throw invalid("body", "must be a file that isn't empty");
  }
  return { bytes, sha256: hash.digest() };
}

/** Whether just this arrives. Throws as {@link arrivingFrom} does. */
export async function isContent(
  body: ReadableStream<Uint8Array>,
  { bytes, sha256 }: { bytes: number; sha256: string },
): Promise<boolean> {
  const hash = sha256Stream();
  let left = bytes;
  for await (const chunk of arrivingFrom(body)) {
    left -= chunk.byteLength;
    if (left < 0) {
      return false;
    }
    hash.update(chunk);
  }
  return hash.digest().toHex() === sha256;
}

/** Throws `invalid_request` where the connection breaks. */
async function* arrivingFrom(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => {
        throw new Problem(
          "invalid_request",
          "the connection closed before the whole file arrived",
          "body",
        );
      });
      if (done) {
        return;
      }
      yield value;
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

function tooLarge(): Problem {
  const message = `a file may have at most ${FILE_BYTES_MAX / MB} MB; share a larger one as a link`;
  return new Problem("payload_too_large", message, "body");
}

function checkCapacity(env: Environment, { teamId }: Caller, more: number): void {
  const { total, bytes } = filesOf(env.db, teamId);
  if (total >= FILES_MAX) {
    throw conflict(`a team may have at most ${FILES_MAX} files; delete one that you don't need`);
  }
  if (bytes + more > FILES_BYTES_MAX) {
    throw conflict(
      `a team's files may have ${FILES_BYTES_MAX / MB} MB in all; delete some that you don't need`,
    );
  }
}

/** Throws `not_found` for another team's as for one that never was, and for one that has not arrived. */
export function requireFile(env: Environment, caller: Caller, id: Id): FileRow {
  return found(findFile(env.db, caller.teamId, id), "file");
}

/** Gone at once; its slices go one after the other. Throws `not_found`, and `conflict` where something needs it. */
export function deleteFile(env: Environment, caller: Caller, id: Id): void {
  const row = requireFile(env, caller, id);
  for (const uses of usesOfFiles(env.db, row.teamId)) {
    const use = uses.find(({ fileIds }) => fileIds.includes(row.id));
    if (use !== undefined) {
      throw conflict(`${sayUse(use)}; remove it there first`);
    }
  }
  if (isOnItsWay(env.db, row.id)) {
    throw conflict(
      "an email with this file is waiting, being sent, or unconfirmed; resolve it first, or wait until it's sent",
    );
  }
  updateFile(env.db, { ...row, state: "gone" });
  audit(env, caller, { action: "file.delete", target: `file:${row.id}`, before: facts(row) });
  env.wake();
}

function sayUse({ type, name, stepPosition }: FileUse): string {
  const step = `step ${stepPosition} of the campaign "${name}" has this file`;
  const said = { step, variant: `a variant of ${step}` };
  return type === "signature" ? `the signature of ${name} shows this file` : said[type];
}

/** Of one file that are told: who wants to be rid of it goes through them one by one. */
const USES_MAX = 10;

/** What needs each of these files, by its id. */
export async function usesOf(
  env: Environment,
  { teamId }: Caller,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, readonly FileUse[]>> {
  const found = new Map<Id, FileUse[]>(ids.map((id) => [id, []]));
  for (const uses of usesOfFiles(env.db, teamId)) {
    for (const use of uses) {
      for (const id of new Set(use.fileIds)) {
        const known = found.get(id) ?? [];
        if (known.length < USES_MAX) {
          known.push(use);
        }
      }
    }
    await ownTurn();
  }
  return found;
}

/** What is in it, a slice a turn. Throws `conflict` where it was deleted. */
export async function* contentOf(
  env: Environment,
  { id, name, bytes }: Pick<FileRow, "id" | "name" | "bytes">,
): AsyncGenerator<Uint8Array, void> {
  let read = 0;
  for (let place = 0; read < bytes; place += 1) {
    await ownTurn();
    const data = sliceOf(env.db, id, place);
    if (data === undefined) {
      throw conflict(`the file "${name}" was deleted`);
    }
    read += data.byteLength;
    yield data;
  }
}

/** Upkeep: removes a slice of a file that was deleted or never arrived. Resolves to when there is more. */
export async function removeFiles(env: Environment, now: UnixMs): Promise<UnixMs | undefined> {
  const busy = arrivingIn(env);
  const file = filesNotKept(env.db, busy.size + 1).find(({ id }) => !busy.has(id));
  if (file === undefined) {
    return undefined;
  }
  await env.commit(() => {
    if (fileById(env.db, file.id)?.state !== "kept" && !removeSlice(env.db, file.id)) {
      removeFile(env.db, file.id);
    }
  });
  return now;
}

function facts({ name, bytes }: FileRow) {
  return { name, bytes };
}
