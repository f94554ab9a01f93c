/**
 * Putting a backup in the place of what is there, in two parts, so that a crash leaves one state or the
 * other: *staged* beside the data, unpacked and checked; then *applied* before the databases are opened.
 * What has begun to be applied is carried to its end at the next start.
 */

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { keysIn } from "#runtime/crypto.ts";
import {
  fingerprintOf,
  type Manifest,
  sync,
  type Unpacked,
  UnusableBackup,
  unpackBackup,
} from "./backup-archive.ts";

const MAKING = ".restore-making";
const READY = ".restore-ready";
const FILES = ["live.db", "test.db", "master.key"];
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
        ? "there is no master key here"
        : "the master key here is another one";
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

/** Makes the directory, or throws {@link UnusableBackup} when there is anything in it. */
export function emptyDirectory(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const [first] = readdirSync(dataDir);
  if (first !== undefined) {
    throw new UnusableBackup(
      `${dataDir} is not empty (${first}); a backup is restored into an empty one`,
    );
  }
}

const WITNESS = "installation.json";

/** Which file the live database is, and the runs of a server that have written to it. */
export interface Witness {
  file: string;
  runs: readonly string[];
}

/** Written beside the databases: others in their place were put there by somebody. */
export function writeWitness(dataDir: string, witness: Witness): void {
  const path = join(dataDir, WITNESS);
  writeFileSync(`${path}.new`, `${JSON.stringify(witness)}\n`, { mode: 0o600 });
  sync(`${path}.new`);
  renameSync(`${path}.new`, path);
}

/** One that knows nothing where there is none. */
export function readWitness(dataDir: string): Witness {
  try {
    const given = Object(JSON.parse(readFileSync(join(dataDir, WITNESS), "utf8"))) as Witness;
    return { file: String(given.file), runs: Array.isArray(given.runs) ? given.runs : [] };
  } catch {
    return { file: "", runs: [] };
  }
}
