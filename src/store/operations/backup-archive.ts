/**
 * A backup as one file: a tar of a manifest, both environments' databases and, where wanted, the master key;
 * compressed by zstd; sealed where a passphrase is given. Opened without us it is
 * `zstd -d <file> | tar x`, unless sealed.
 *
 * The test environment is copied first: a team is made in the live environment first, so no copy knows a team in
 * test that it does not know in live; one that is missing in test is made again at the next start.
 */

import { createHash } from "node:crypto";
import {
  closeSync,
  createReadStream,
  createWriteStream,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { Readable, type Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createZstdCompress, createZstdDecompress } from "node:zlib";
import { ENVS, type Env } from "#domain/team/api-key.ts";
import { type UnixMs, unixMs } from "#domain/time.ts";
import { MASTER_KEY_BYTES, masterKeyText } from "#platform/secrets/crypto.ts";
import {
  CannotOpen,
  isSealed,
  openStream,
  SEALED_MAGIC_BYTES,
  sealStream,
} from "#platform/secrets/sealed-stream.ts";
import { DamagedArchive, readTar, type TarFile, writeTar } from "#platform/tar.ts";
import { MIGRATIONS } from "#store/sqlite/migrate.ts";
import { type Examined, examineFile, schemaOfFile } from "./snapshot.ts";

export const BACKUP_REASONS = [
  "manual",
  "schedule",
  "before_restore",
  "before_migration",
  "upload",
] as const;
export type BackupReason = (typeof BACKUP_REASONS)[number];

/** What an archive says of itself. Written as `manifest.json`, its first file. */
export interface Manifest {
  format: 1;
  id: string;
  createdAt: UnixMs;
  reason: BackupReason;
  /** The program that wrote it. */
  version: string;
  /** Migrations that its databases have seen. */
  schema: number;
  files: { name: string; bytes: number; sha256: string }[];
  /** `left_out`: stored credentials and links in sent emails need the key of the installation. */
  masterKey: "included" | "left_out";
  /** By which a key is known; says nothing of it. */
  keyFingerprint: string;
}

const MANIFEST = "manifest.json";
const KEY_FILE = "master.key";
const MANIFEST_BYTES_MAX = 64 * 1024;
const FILES_MAX = 4;
/** Left free on the disk by whoever unpacks. */
const SPARE_BYTES = 64 * 1024 * 1024;
const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** Words for whoever wants to restore it. */
export class UnusableBackup extends Error {}

export interface BackupInput {
  id: string;
  at: UnixMs;
  reason: BackupReason;
  version: string;
  /** The file to be made; its directory is made too. */
  file: string;
  /** Writes a copy of an environment's database to a new file. */
  copy: (envName: Env, to: string) => void;
  /** Read when the copies are made: a key that took its place before has sealed what they hold. */
  masterKey: () => Uint8Array;
  /** Seals the archive. */
  passphrase: string | null;
  includeKey: boolean;
}

/** The directory in which an archive is made lies beside it until it is whole. */
export function makingDirectory(file: string): string {
  return join(dirname(file), `.making-${basename(file)}`);
}

/** Makes the archive: whole and on disk, or not at all. */
export async function writeBackup(input: BackupInput): Promise<Manifest> {
  const work = makingDirectory(input.file);
  mkdirSync(work, { recursive: true, mode: 0o700 });
  try {
    for (const envName of ENVS.toReversed()) {
      input.copy(envName, join(work, `${envName}.db`));
    }
    const masterKey = input.masterKey();
    const manifest = await manifestOf(input, masterKey, work);
    const text = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
    const files: TarFile[] = [
      { name: MANIFEST, bytes: text.byteLength, content: [text] },
      ...manifest.files.map(({ name, bytes }) => {
        const content = name === KEY_FILE ? [keyText(masterKey)] : readFrom(join(work, name));
        return { name, bytes, content };
      }),
    ];
    const packed = through(writeTar(files, input.at), createZstdCompress());
    const bytes = input.passphrase === null ? packed : sealStream(packed, input.passphrase);
    const archive = join(work, "archive");
    await pipeline(Readable.from(bytes), createWriteStream(archive, { mode: 0o600 }));
    sync(archive);
    renameSync(archive, input.file);
    sync(dirname(input.file));
    return manifest;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function manifestOf(
  input: BackupInput,
  masterKey: Uint8Array,
  work: string,
): Promise<Manifest> {
  const files = [];
  // Before a migration it is the older version's, which takes no newer one.
  let schema = 0;
  for (const envName of ENVS) {
    const path = join(work, `${envName}.db`);
    schema = Math.max(schema, schemaOfFile(path));
    files.push({ name: `${envName}.db`, bytes: statSync(path).size, sha256: await hashOf(path) });
  }
  const key = keyText(masterKey);
  if (input.includeKey) {
    const sha256 = createHash("sha256").update(key).digest("hex");
    files.push({ name: KEY_FILE, bytes: key.byteLength, sha256 });
  }
  return {
    format: 1,
    id: input.id,
    createdAt: input.at,
    reason: input.reason,
    version: input.version,
    schema,
    files,
    masterKey: input.includeKey ? "included" : "left_out",
    keyFingerprint: fingerprintOf(masterKey),
  };
}

/** Recognises a key, the newest where there are several, and tells nothing of it. */
export function fingerprintOf(masterKey: Uint8Array): string {
  return createHash("sha256")
    .update("outrider master key\0")
    .update(masterKey.subarray(0, MASTER_KEY_BYTES))
    .digest("hex")
    .slice(0, 16);
}

export interface Unpacked {
  manifest: Manifest;
  examined: Readonly<Record<Env, Examined>>;
}

/**
 * Unpacks an archive into the empty directory `into`, and holds everything against the manifest and SQLite's
 * own checks. Throws {@link UnusableBackup}.
 */
export async function unpackBackup(
  file: string,
  passphrase: string | null,
  into: string,
): Promise<Unpacked> {
  const found = new Map<string, { bytes: number; sha256: string }>();
  let manifest: Manifest | undefined;
  try {
    await readTar(contentOf(file, passphrase), FILES_MAX, async ({ name, bytes, content }) => {
      if (manifest === undefined) {
        manifest = readManifest(name, bytes, await textOf(content, bytes));
        return;
      }
      if (!manifest.files.some((one) => one.name === name) || found.has(name)) {
        throw new UnusableBackup(`the archive holds ${name}, which its manifest doesn't list`);
      }
      ensureSpace(into, bytes);
      found.set(name, { bytes, sha256: await writeTo(join(into, name), content) });
    });
  } catch (error) {
    throw unusable(error);
  }
  if (manifest === undefined) {
    throw new UnusableBackup("the archive is empty");
  }
  for (const { name, bytes, sha256 } of manifest.files) {
    const one = found.get(name);
    if (one?.bytes !== bytes || one.sha256 !== sha256) {
      throw new UnusableBackup(`the archive is damaged: ${name} doesn't match its checksum`);
    }
  }
  const examined = { live: examine(into, "live"), test: examine(into, "test") };
  return { manifest, examined };
}

function examine(into: string, envName: Env): Examined {
  let examined: Examined;
  try {
    examined = examineFile(join(into, `${envName}.db`));
  } catch (error) {
    throw new UnusableBackup(`the ${envName} database is damaged: ${String(error)}`);
  }
  const [fault] = examined.faults;
  if (fault !== undefined) {
    throw new UnusableBackup(`the ${envName} database is damaged: ${fault}`);
  }
  return examined;
}

/** True when the file opens with a passphrase only. Throws {@link UnusableBackup} where it is no backup. */
export function isSealedFile(file: string): boolean {
  const start = Buffer.alloc(SEALED_MAGIC_BYTES);
  const descriptor = openSync(file, "r");
  try {
    readSync(descriptor, start, 0, start.byteLength, 0);
  } finally {
    closeSync(descriptor);
  }
  if (!isSealed(start) && !ZSTD_MAGIC.equals(start.subarray(0, ZSTD_MAGIC.byteLength))) {
    throw new UnusableBackup(`${basename(file)} isn't an Outrider backup`);
  }
  return isSealed(start);
}

function contentOf(file: string, passphrase: string | null): AsyncIterable<Uint8Array> {
  const isLocked = isSealedFile(file);
  if (isLocked && passphrase === null) {
    throw new UnusableBackup("the backup is encrypted; enter its passphrase");
  }
  const bytes = readFrom(file);
  return through(
    isLocked && passphrase !== null ? openStream(bytes, passphrase) : bytes,
    createZstdDecompress(),
  );
}

/** `source` through a transformation; an error of either ends the reading. */
function through(
  source: AsyncIterable<Uint8Array>,
  transform: Transform,
): AsyncIterable<Uint8Array> {
  const input = Readable.from(source);
  input.on("error", (error) => transform.destroy(error));
  transform.on("close", () => input.destroy());
  return input.pipe(transform) as AsyncIterable<Uint8Array>;
}

function readFrom(path: string): AsyncIterable<Uint8Array> {
  return createReadStream(path) as AsyncIterable<Uint8Array>;
}

async function writeTo(path: string, content: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash("sha256");
  const hashing = async function* () {
    for await (const chunk of content) {
      hash.update(chunk);
      yield chunk;
    }
  };
  await pipeline(Readable.from(hashing()), createWriteStream(path, { mode: 0o600, flags: "wx" }));
  sync(path);
  return hash.digest("hex");
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of readFrom(path)) {
    hash.update(chunk);
  }
  return hash.digest("hex");
}

async function textOf(content: AsyncIterable<Uint8Array>, bytes: number): Promise<string> {
  if (bytes > MANIFEST_BYTES_MAX) {
    throw new UnusableBackup("the archive doesn't start with a manifest");
  }
  return Buffer.concat(await Array.fromAsync(content)).toString("utf8");
}

const FILE_NAMES = ["live.db", "test.db", KEY_FILE];

function readManifest(name: string, bytes: number, text: string): Manifest {
  let given: Partial<Manifest> = {};
  try {
    given = name === MANIFEST && bytes > 0 ? (Object(JSON.parse(text)) as Partial<Manifest>) : {};
  } catch {
    // Not one of ours, as below.
  }
  const files = Array.isArray(given.files) ? given.files : [];
  const names = files.map((file) => file.name);
  const isWhole =
    given.format === 1 &&
    typeof given.id === "string" &&
    Number.isInteger(given.schema) &&
    Number.isInteger(given.createdAt) &&
    names.includes("live.db") &&
    names.includes("test.db") &&
    names.every((one) => FILE_NAMES.includes(one));
  if (!isWhole) {
    throw new UnusableBackup("the archive isn't an Outrider backup, or of a newer kind");
  }
  const manifest = given as Manifest;
  if (manifest.schema > MIGRATIONS.length) {
    throw new UnusableBackup(
      `the backup has schema version ${manifest.schema}, but this version supports up to ${MIGRATIONS.length}: ` +
        `restore it with Outrider ${String(manifest.version)} or newer`,
    );
  }
  return { ...manifest, createdAt: unixMs(manifest.createdAt) };
}

function ensureSpace(directory: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(directory);
  if (bytes + SPARE_BYTES > bavail * bsize) {
    throw new UnusableBackup(`not enough disk space in ${directory} to unpack the backup`);
  }
}

function unusable(error: unknown): unknown {
  if (error instanceof UnusableBackup) {
    return error;
  }
  if (error instanceof DamagedArchive || error instanceof CannotOpen) {
    return new UnusableBackup(error.message);
  }
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const isOfArchive = code.startsWith("ZSTD_") || code.startsWith("Z_") || code.startsWith("ERR_");
  return isOfArchive ? new UnusableBackup("the archive is damaged and can't be unpacked") : error;
}

function keyText(masterKey: Uint8Array): Uint8Array {
  return Buffer.from(masterKeyText(masterKey));
}

/** Waits until the file or directory is on disk. */
export function sync(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
