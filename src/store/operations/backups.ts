/** Backups as a whole: made, held against themselves, listed with what is known of them. */

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Env } from "#domain/team/api-key.ts";
import { type UnixMs, unixMs } from "#domain/time.ts";
import type { Clock } from "#platform/clock.ts";
import {
  type BackupReason,
  type Manifest,
  type Unpacked,
  unpackBackup,
  writeBackup,
} from "./backup-archive.ts";
import { backupName, type StoredBackup, tidyBackupFiles, writeNote } from "./backup-files.ts";

/** Where backups come from and go to. */
export interface BackupPlace {
  /** The directory of archives. */
  directory: string;
  masterKey: () => Uint8Array;
  /** Seals archives; the master key goes into those alone, unless asked for. */
  passphrase: string | null;
  version: string;
  clock: Clock;
  newId: (now: UnixMs) => string;
  copy: (env: Env, to: string, at: UnixMs) => void;
}

export interface MadeBackup {
  id: string;
  path: string;
  manifest: Manifest;
  warnings: string[];
}

export interface BackupWish {
  reason: BackupReason;
  /** The archive's file, where it is not to be named by its time. */
  file?: string;
  /** Puts the master key into an archive that is not sealed. */
  withKey?: boolean;
}

/**
 * Makes a backup and unpacks it again, into a directory of its own, to see that it is one. Nothing is left
 * of one that cannot be made. Throws `UnusableBackup` where it cannot be read again.
 */
export async function makeBackup(place: BackupPlace, wish: BackupWish): Promise<MadeBackup> {
  const at = place.clock.now();
  const id = place.newId(at);
  tidyBackupFiles(place.directory, at);
  const sealed = place.passphrase !== null;
  const path = wish.file ?? join(place.directory, backupName(id, at, sealed));
  const manifest = await writeBackup({
    id,
    at,
    reason: wish.reason,
    version: place.version,
    file: path,
    copy: (env, to) => place.copy(env, to, at),
    masterKey: place.masterKey,
    passphrase: place.passphrase,
    includeKey: sealed || wish.withKey === true,
  });
  try {
    const { warnings } = await verifyBackup(path, place.passphrase, place.directory);
    if (wish.file === undefined) {
      recordVerified(path, manifest, warnings, place.clock.now());
    }
    return { id, path, manifest, warnings };
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}

/**
 * Unpacks an archive beside others, or where temporary files lie if there is no such directory (any more),
 * and throws it away again. Throws `UnusableBackup`.
 */
export async function verifyBackup(
  file: string,
  passphrase: string | null,
  directory: string,
): Promise<Unpacked & { warnings: string[] }> {
  const beside = existsSync(directory) ? directory : tmpdir();
  const into = mkdtempSync(join(beside, ".making-verify-"));
  try {
    const unpacked = await unpackBackup(file, passphrase, into);
    return { ...unpacked, warnings: warningsOf(unpacked) };
  } finally {
    rmSync(into, { recursive: true, force: true });
  }
}

export function recordVerified(
  path: string,
  manifest: Manifest,
  warnings: readonly string[],
  now: UnixMs,
): void {
  const { reason, version, schema, masterKey } = manifest;
  const verifiedAt = unixMs(now);
  writeNote(path, { reason, version, schema, masterKey, verifiedAt, warnings: [...warnings] });
}

export function warningsOf({ examined }: Unpacked): string[] {
  return [...examined.live.warnings, ...examined.test.warnings];
}

/** After a check by another process, whose words of the manifest are `said`. */
export function recordVerifiedNow(
  backup: StoredBackup,
  said: Readonly<Record<string, unknown>>,
  now: UnixMs,
): void {
  const warnings = Array.isArray(said["warnings"]) ? said["warnings"].map(String) : [];
  const { version, schema, master_key: masterKey } = said;
  writeNote(backup.path, {
    reason: backup.note?.reason ?? "upload",
    version: String(version),
    schema: Number(schema),
    masterKey: masterKey === "included" ? "included" : "left_out",
    verifiedAt: now,
    warnings,
  });
}
