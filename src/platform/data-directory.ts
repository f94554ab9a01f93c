/** The data directory: made for its owner alone, with the master key beside the databases. */

import { randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { MASTER_KEY_BYTES, masterKeyText, parseMasterKeys } from "#platform/secrets/crypto.ts";

const DRAFT_BYTES = 4;

export class UnsafeKeyFile extends Error {}

/** Makes the directory (mode 0700) if need be. */
export function prepareDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
}

/**
 * The key that seals every secret of the installation, made on first use with mode 0600, and the older
 * ones behind it. Throws {@link UnsafeKeyFile} when others may read it or it is not a key.
 */
export function loadMasterKey(directory: string): Uint8Array {
  try {
    return readMasterKey(directory);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) {
      throw error;
    }
  }
  makeKey(directory);
  return readMasterKey(directory);
}

/** As {@link loadMasterKey}; throws where there is none. */
export function readMasterKey(directory: string): Uint8Array {
  const path = keyPath(directory);
  const text = readFileSync(path, "utf8");
  if ((statSync(path).mode & 0o077) !== 0) {
    throw new UnsafeKeyFile(`${path} is readable by other users; run: chmod 600 ${path}`);
  }
  const key = parseMasterKeys(text);
  if (key === null) {
    throw new UnsafeKeyFile(`${path} does not hold a key of ${MASTER_KEY_BYTES} bytes`);
  }
  return key;
}

/**
 * Puts a new key before those of the directory and answers them all. For a file that holds fewer than it
 * may.
 */
export function renewMasterKey(directory: string): Uint8Array {
  const path = keyPath(directory);
  const older = readMasterKey(directory);
  const keys = new Uint8Array(Buffer.concat([randomBytes(MASTER_KEY_BYTES), older]));
  replaceFile(path, masterKeyText(keys));
  return keys;
}

/** Writes a file for its owner alone. It is the old one or the new one, whatever ends the program. */
export function replaceFile(path: string, text: string): void {
  renameSync(writeDraft(path, text), path);
  syncDirectory(dirname(path));
}

/** It is there whole or not at all, whatever ends the program, and on the disk before it seals anything. */
function makeKey(directory: string): void {
  const path = keyPath(directory);
  const draft = writeDraft(path, masterKeyText(randomBytes(MASTER_KEY_BYTES)));
  try {
    // Unlike a rename it never puts another process's key aside.
    linkSync(draft, path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) {
      throw error;
    }
  } finally {
    unlinkSync(draft);
  }
  syncDirectory(directory);
}

/** A file beside `path` that is on the disk; returns its name. */
function writeDraft(path: string, text: string): string {
  const draft = `${path}.${randomBytes(DRAFT_BYTES).toString("hex")}`;
  const file = openSync(draft, "wx", 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return draft;
}

function syncDirectory(directory: string): void {
  if (process.platform === "win32") {
    // A directory cannot be opened there; NTFS keeps a journal of names.
    return;
  }
  const opened = openSync(directory, "r");
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

function keyPath(directory: string): string {
  return join(directory, "master.key");
}
