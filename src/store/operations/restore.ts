/**
 * Putting a backup in the place of what is there, in two parts, so that a crash leaves one state or the
 * other: *staged* beside the data, unpacked and checked; then *applied* before the databases are opened.
 * What has begun to be applied is carried to its end at the next start.
 */

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { keysIn } from "#platform/secrets/crypto.ts";
import {
  fingerprintOf,
  type Manifest,
  sync,
  type Unpacked,
  UnusableBackup,
  unpackBackup,
} from "./backup-archive.ts";
import { ERASURE_LIST } from "./erasure-list.ts";
import { SUPPRESSION_FILE } from "./suppression-list.ts";

const MAKING = ".restore-making";
const READY = ".restore-ready";
const FILES = ["live.db", "test.db", "master.key"];
/** What a directory may hold that a backup is restored into. */
const STAYS = [MAKING, READY, ERASURE_LIST, SUPPRESSION_FILE];
/** Beside a database, of its own run; they must not be read with another one. */
const ATTENDANTS = ["-wal", "-shm", "-journal"];

export interface StageInput {
  file: string;
  passphrase: string | null;
  dataDir: string;
  /** The key that will be there: given by the configuration or lying in the directory; null: none. */
  masterKey: Uint8Array | null;
  /** False where the configuration gives the key: one that is in the archive is left there. */
  keyInDirectory: boolean;
  /** A backup without its key is taken though the key that is there is another one, or none. */
  withoutKey: boolean;
}

/** Unpacks and checks; changes nothing that is in use. Throws {@link UnusableBackup}. */
export async function stageRestore(input: StageInput): Promise<Unpacked> {
  const making = join(input.dataDir, MAKING);
  rmSync(making, { recursive: true, force: true });
  mkdirSync(making, { recursive: true, mode: 0o700 });
  try {
    const unpacked = await unpackBackup(input.file, input.passphrase, making);
    checkKey(unpacked, input);
    if (!input.keyInDirectory || isKnown(unpacked.manifest, input.masterKey)) {
      rmSync(join(making, "master.key"), { force: true });
    }
    sync(making);
    rmSync(join(input.dataDir, READY), { recursive: true, force: true });
    renameSync(making, join(input.dataDir, READY));
    sync(input.dataDir);
    return unpacked;
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

function checkKey({ manifest }: Unpacked, input: StageInput): void {
  if (input.withoutKey || (manifest.masterKey === "included" && input.keyInDirectory)) {
    return;
  }
  if (!isKnown(manifest, input.masterKey)) {
    const what =
      input.masterKey === null
        ? "this machine has no master key"
        : "the master key here is a different one";
    throw new UnusableBackup(
      `${what}: the backup was made without its key, which opens stored credentials and the links in ` +
        "sent mails. Put it to OUTRIDER_MASTER_KEY_FILE, or say --without-key and enter credentials anew",
    );
  }
}

/** Whether the key that a backup was made with is here, perhaps behind newer ones. */
function isKnown(manifest: Manifest, masterKey: Uint8Array | null): boolean {
  const known = masterKey === null ? [] : keysIn(masterKey).map(fingerprintOf);
  return known.includes(manifest.keyFingerprint);
}

/** True when a restore was staged, or begun and not ended. */
export function isRestoreStaged(dataDir: string): boolean {
  return existsSync(join(dataDir, READY));
}

/** Puts what is staged in its place. Nobody may have the databases open. False: nothing was staged. */
export function applyRestore(dataDir: string): boolean {
  const ready = join(dataDir, READY);
  if (!existsSync(ready)) {
    return false;
  }
  for (const name of FILES) {
    const staged = join(ready, name);
    if (existsSync(staged)) {
      for (const end of ATTENDANTS) {
        rmSync(join(dataDir, name + end), { force: true });
      }
      renameSync(staged, join(dataDir, name));
    }
  }
  sync(dataDir);
  rmSync(ready, { recursive: true, force: true });
  return true;
}

/**
 * Makes the directory, or throws {@link UnusableBackup} when there is anything in it but the lists of
 * erasures and suppressions, and what a restore into it has left that was killed: that is removed.
 */
export function emptyDirectory(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const [first] = leftOver(dataDir);
  if (first !== undefined) {
    throw new UnusableBackup(
      `${dataDir} is not empty (${first}); restore a backup into an empty directory`,
    );
  }
}

/** What lies in the directory, once what a killed restore was making of it is gone. */
function leftOver(dataDir: string): string[] {
  const ready = join(dataDir, READY);
  const others = readdirSync(dataDir).filter((name) => !STAYS.includes(name));
  // A file is moved out of the staged ones: one that is in both places was there before.
  const isMoved = (name: string) => FILES.includes(name) && !existsSync(join(ready, name));
  if (others.length > 0 && !(existsSync(ready) && others.every(isMoved))) {
    return others;
  }
  for (const name of [MAKING, ...others, READY]) {
    rmSync(join(dataDir, name), { recursive: true, force: true });
  }
  return [];
}
