/**
 * Releases, as `./build.sh release` lays them out in a directory or below a URL: executables by platform, their
 * checksums, and the signature over those, whose trusted comment names the version.
 */

import { open } from "node:fs/promises";
import { join } from "node:path";
import { CommandError, EXIT } from "#cli/exit.ts";
import { messageOf } from "#domain/thrown.ts";
import { readAtMost } from "#platform/http/read-at-most.ts";
import { BadSignature, type MinisignKey, verifyMinisign } from "#platform/secrets/minisign.ts";

const SUMS = "SHA256SUMS";
const SUMS_BYTES_MAX = 64 * 1024;
const SIGNATURE_BYTES_MAX = 4 * 1024;
const EXECUTABLE_BYTES_MAX = 512 * 1024 * 1024;
/** For small files; for the executable there is more. */
const READ_MS_MAX = 30_000;
const DOWNLOAD_MS_MAX = 15 * 60_000;
/** An executable names its C library here. */
const ELF_HEAD_BYTES = 4 * 1024;

export interface Version {
  version: string;
  commit: string;
}

/** Checksums whose signature was verified. */
export interface SignedRelease extends Version {
  /** SHA-256 by file. */
  sums: ReadonlyMap<string, string>;
}

/** Throws {@link CommandError} where it cannot be read, or isn't signed with `key`. */
export async function readRelease(place: string, key: MinisignKey): Promise<SignedRelease> {
  const sums = await readSmall(place, SUMS, SUMS_BYTES_MAX);
  const signature = await readSmall(place, `${SUMS}.minisig`, SIGNATURE_BYTES_MAX);
  let comment: string;
  try {
    comment = verifyMinisign(sums, new TextDecoder().decode(signature), key);
  } catch (error) {
    throw error instanceof BadSignature
      ? refused(`the release at ${place} isn't ours: ${error.message} (update_key)`)
      : error;
  }
  const [, version, commit] = /^version:(\d+\.\d+\.\d+\S*) commit:(\S+)$/.exec(comment) ?? [];
  if (version === undefined || commit === undefined) {
    throw refused(`the release at ${place} doesn't say its version in its signature`);
  }
  const lines = new TextDecoder().decode(sums).split("\n");
  const entries = lines.flatMap((line) => {
    const [, sum, file] = /^([0-9a-f]{64}) [ *](\S+)$/.exec(line) ?? [];
    return sum === undefined || file === undefined ? [] : [[file, sum] as const];
  });
  return { version, commit, sums: new Map(entries) };
}

/** The file for the platform that `executable` is for, such as `outrider-linux-x64-musl`. */
export async function releaseFileOf(executable: string): Promise<string> {
  const os = process.platform === "win32" ? "windows" : process.platform;
  const head = await Bun.file(executable).slice(0, ELF_HEAD_BYTES).text();
  const libc = os === "linux" && head.includes("/ld-musl-") ? "-musl" : "";
  return `outrider-${os}-${process.arch}${libc}${os === "windows" ? ".exe" : ""}`;
}

/** Writes `file` of a release to `to`, a new file, and returns its SHA-256. Throws {@link CommandError}. */
export async function download(
  place: string,
  file: string,
  to: string,
  interrupt: AbortSignal,
): Promise<string> {
  const signal = AbortSignal.any([interrupt, AbortSignal.timeout(DOWNLOAD_MS_MAX)]);
  const hasher = new Bun.CryptoHasher("sha256");
  let bytes = 0;
  try {
    const stream = await openFile(place, file, signal);
    const out = await open(to, "w", 0o755);
    try {
      for await (const chunk of stream) {
        signal.throwIfAborted();
        bytes += chunk.byteLength;
        if (bytes > EXECUTABLE_BYTES_MAX) {
          throw refused(`${file} is larger than ${EXECUTABLE_BYTES_MAX} bytes`);
        }
        hasher.update(chunk);
        await out.writeFile(chunk);
      }
      await out.sync();
    } finally {
      await out.close();
    }
  } catch (error) {
    throw error instanceof CommandError ? error : unreadable(place, file, error);
  }
  return hasher.digest("hex");
}

async function readSmall(place: string, file: string, bytesMax: number): Promise<Uint8Array> {
  try {
    const stream = await openFile(place, file, AbortSignal.timeout(READ_MS_MAX));
    const bytes = await readAtMost(stream, bytesMax);
    if (bytes === null) {
      throw refused(`${file} at ${place} is larger than ${bytesMax} bytes`);
    }
    return bytes;
  } catch (error) {
    throw error instanceof CommandError ? error : unreadable(place, file, error);
  }
}

type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>;

async function openFile(place: string, file: string, signal: AbortSignal): Promise<Bytes> {
  if (!/^https?:/.test(place)) {
    const found = Bun.file(join(place, file));
    if (!(await found.exists())) {
      throw new Error("no such file");
    }
    return found.stream();
  }
  const response = await fetch(place + file, { signal });
  if (!response.ok || response.body === null) {
    throw new Error(`the server returned ${response.status}`);
  }
  return response.body;
}

function unreadable(place: string, file: string, error: unknown): CommandError {
  const hint = "Nothing was changed; check update_url, and try again";
  return new CommandError(
    EXIT.unavailable,
    `can't read ${file} from ${place}: ${messageOf(error)}. ${hint}`,
  );
}

function refused(why: string): CommandError {
  return new CommandError(EXIT.badData, `${why}. Nothing was changed`);
}
