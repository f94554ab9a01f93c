/** The directory that backups lie in: archives by name, beside each a note of what is in it. */

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { toIso, type UnixMs, unixMs } from "#domain/time.ts";
import {
  type BackupReason,
  isSealedFile,
  type Manifest,
  UnusableBackup,
} from "./backup-archive.ts";

/** Files of the directory that are looked at. */
const ENTRIES_MAX = 10_000;
/** What was begun this long ago has no program any more that works on it. */
const ABANDONED_MS = 24 * 60 * 60 * 1000;
const NAME =
  /^outrider-\d{8}T\d{6}Z-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.tar\.zst(\.sealed)?$/;

/** A backup that lies there. */
export interface StoredBackup {
  id: string;
  /** Name of the file. */
  name: string;
  path: string;
  bytes: number;
  createdAt: UnixMs;
  /** Opens with a passphrase only. */
  sealed: boolean;
  /** Null where its note was lost, and of one that was uploaded sealed. */
  note: BackupNote | null;
}

/** Kept beside an archive, so that a list needs no passphrase. */
export interface BackupNote {
  reason: BackupReason;
  version: string;
  schema: number;
  masterKey: Manifest["masterKey"];
  /** When it was last unpacked and found whole; null: not yet. */
  verifiedAt: UnixMs | null;
  /** What was found at that. */
  warnings: string[];
}

/** `outrider-20260302T150000Z-<id>.tar.zst`, with `.sealed` behind it where a passphrase opens it. */
export function backupName(id: string, at: UnixMs, sealed: boolean): string {
  const time = toIso(at)
    .replace(/\.\d+Z$/, "Z")
    .replaceAll(/[-:]/g, "");
  return `outrider-${time}-${id}.tar.zst${sealed ? ".sealed" : ""}`;
}

/** Newest first. */
export function listBackups(directory: string): StoredBackup[] {
  if (!existsSync(directory)) {
    return [];
  }
  return readdirSync(directory)
    .slice(0, ENTRIES_MAX)
    .flatMap((name) => readStored(directory, name) ?? [])
    .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
}

export function findBackup(directory: string, id: string): StoredBackup | undefined {
  return listBackups(directory).find((backup) => backup.id === id);
}

function readStored(directory: string, name: string): StoredBackup | undefined {
  const [, id, seal] = NAME.exec(name) ?? [];
  const path = join(directory, name);
  const stat = id === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
  if (id === undefined || stat === undefined || !stat.isFile()) {
    return undefined;
  }
  const digits = name.slice("outrider-".length, "outrider-".length + 15);
  const iso = digits.replace(/^(....)(..)(..)T(..)(..)(..)$/, "$1-$2-$3T$4:$5:$6Z");
  const createdAt = unixMs(Temporal.Instant.from(iso).epochMilliseconds);
  const sealed = seal !== undefined;
  return { id, name, path, bytes: stat.size, createdAt, sealed, note: readNote(path) };
}

function readNote(path: string): BackupNote | null {
  try {
    return JSON.parse(readFileSync(`${path}.json`, "utf8")) as BackupNote;
  } catch {
    return null;
  }
}

export function writeNote(path: string, note: BackupNote): void {
  const temporary = `${path}.json.new`;
  writeFileSync(temporary, `${JSON.stringify(note)}\n`, { mode: 0o600 });
  renameSync(temporary, `${path}.json`);
}

export function removeBackup(backup: StoredBackup): void {
  rmSync(backup.path, { force: true });
  rmSync(`${backup.path}.json`, { force: true });
}

/** Of those that were made by schedule the newest `keep` stay. Returns what went. */
export function pruneBackups(directory: string, keep: number): StoredBackup[] {
  const scheduled = listBackups(directory).filter(({ note }) => note?.reason === "schedule");
  const old = scheduled.slice(keep);
  for (const backup of old) {
    removeBackup(backup);
  }
  return old;
}

/** Makes the directory, and takes away what was begun and never ended. */
export function tidyBackupFiles(directory: string, now: number): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(directory).slice(0, ENTRIES_MAX)) {
    const path = join(directory, name);
    const stat = name.startsWith(".making-")
      ? statSync(path, { throwIfNoEntry: false })
      : undefined;
    if (stat !== undefined && now - stat.mtimeMs > ABANDONED_MS) {
      rmSync(path, { recursive: true, force: true });
    }
  }
}

/** Where an archive lies before it is known to be one. */
export function uploadPath(directory: string, id: string): string {
  return join(directory, `.making-upload-${id}`);
}

/** Gives an uploaded archive its name. Throws {@link UnusableBackup}, and removes it, where it is none. */
export function storeUpload(directory: string, id: string, at: UnixMs): StoredBackup {
  const path = uploadPath(directory, id);
  try {
    const name = backupName(id, at, isSealedFile(path));
    renameSync(path, join(directory, name));
    const shelved = readStored(directory, name);
    if (shelved === undefined) {
      throw new UnusableBackup("the upload is gone");
    }
    return shelved;
  } finally {
    rmSync(path, { force: true });
  }
}
