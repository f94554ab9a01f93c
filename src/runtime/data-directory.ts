/** The data directory: made for its owner alone, with the master key beside the databases. */

import { randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { MASTER_KEY_BYTES } from "./crypto.ts";

export class UnsafeKeyFile extends Error {}

/** Makes the directory (mode 0700) if need be. */
export function prepareDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
}

/**
 * The key that seals every secret of the installation, made on first use with mode 0600. Throws
 * {@link UnsafeKeyFile} when others may read it or it is not a key.
 */
export function loadMasterKey(directory: string): Uint8Array {
  const path = join(directory, "master.key");
  try {
    return readKey(path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) {
      throw error;
    }
  }
  try {
    const file = openSync(path, "wx", 0o600);
    writeSync(file, `${randomBytes(MASTER_KEY_BYTES).toString("base64")}\n`);
    fsyncSync(file);
    closeSync(file);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) {
      throw error;
    }
  }
  return readKey(path);
}

function readKey(path: string): Uint8Array {
  const text = readFileSync(path, "utf8");
  if ((statSync(path).mode & 0o077) !== 0) {
    throw new UnsafeKeyFile(`${path} may be read by others; run: chmod 600 ${path}`);
  }
  const key = Buffer.from(text.trim(), "base64");
  if (key.byteLength !== MASTER_KEY_BYTES) {
    throw new UnsafeKeyFile(`${path} does not hold a key of ${MASTER_KEY_BYTES} bytes`);
  }
  return key;
}
